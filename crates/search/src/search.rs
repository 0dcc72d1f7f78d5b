//! What all searches have in common: they go on in slices, without recursion and
//! without a clock, and can show the way to what they found.
//!
//! Some searches forget the states they have left (IDA\*, frontier search), so what
//! is found is told without the number of a stored state: a [`Hit`] says what and how
//! far away, and the search that has it knows the way.

use beeline_kernel::Cost;

use crate::finding::FindingKind;
use crate::improve::KnownPath;
use crate::limits::{Outcome, Progress, SliceBudget};
use crate::stats::Stats;
use crate::visited::Omissions;

/// Something found, and how far away it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Hit {
    /// What.
    pub kind: FindingKind,
    /// What the path to it costs, with the move that fails if it is a fault. `None`
    /// when the search does not count costs.
    pub cost: Option<Cost>,
}

/// A search that its caller drives.
pub trait Search {
    /// The name of the algorithm.
    fn name(&self) -> &'static str;

    /// Goes on until the budget is used up or the search is over.
    fn advance(&mut self, budget: SliceBudget) -> Progress;

    /// Goes on until the search is over.
    fn finish(&mut self) -> Outcome {
        loop {
            if let Progress::Done(outcome) = self.advance(SliceBudget::UNLIMITED) {
                return outcome;
            }
        }
    }

    /// What was done so far.
    fn stats(&self) -> Stats;

    /// What was found so far, in the order found.
    fn hits(&self) -> Vec<Hit>;

    /// The states from the initial one to the one of this hit, by its number in
    /// [`hits`](Search::hits), both included: the state that is stuck or broken, or from
    /// which a move fails.
    ///
    /// # Panics
    ///
    /// When there is no such hit.
    fn path(&self, hit: usize) -> Vec<Vec<u8>>;

    /// Memory held.
    fn bytes(&self) -> usize;

    /// Nothing that is looked for costs less than this, as far as was proved: 0 when
    /// nothing was, and the greatest cost there is when there is nothing to find.
    fn lower_bound(&self) -> Cost;

    /// The state that seemed nearest to what is looked for, by the least estimate: that
    /// estimate and the way there. `None` for a search that does not estimate.
    fn nearest(&self) -> Option<(Cost, Vec<Vec<u8>>)> {
        None
    }

    /// What was probably overlooked in all runs so far, by a search that may overlook states:
    /// see [`Omissions`] for what the estimate leaves out. `None` for any other.
    fn omissions(&self) -> Option<Omissions> {
        None
    }

    /// Hears of a path that someone else found. From now on, only what costs less is of
    /// interest. A search that cannot make use of it goes on as before.
    fn follow(&mut self, _route: &KnownPath) {}

    /// Whether no path to anything that is looked for costs less than that to this hit.
    ///
    /// # Panics
    ///
    /// When there is no such hit.
    fn is_shortest(&self, hit: usize) -> bool {
        self.hits()[hit].cost.is_some_and(|cost| cost <= self.lower_bound())
    }
}
