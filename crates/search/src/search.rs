//! The interface of all searches: a search is a sequence of steps, its caller runs it in slices,
//! and it keeps the path to each hit. No recursion, no clock.
//!
//! Some searches drop the states they have left (IDA\*, frontier search). So a [`Hit`] refers to no
//! stored state: it has the error and its cost, and the search keeps the path.
//!
//! Capabilities of some searches are separate traits: [`GuidedSearch`], [`PathImprover`],
//! [`CycleSearch`](crate::CycleSearch).

use beeline_kernel::{Cost, StatePath};

use crate::hit::Hit;
use crate::known_path::KnownPath;
use crate::limits::{Outcome, Progress, SliceBudget};
use crate::stats::Stats;
use crate::visited::Omissions;

/// A search that its caller runs in slices.
pub trait Search {
    /// The name of the algorithm.
    fn name(&self) -> &'static str;

    /// How the search ended, if it did.
    fn outcome(&self) -> Option<Outcome>;

    /// Ends the search if its stop flag is raised, or if it exceeds its memory limit and its steps
    /// do not check that.
    fn poll(&mut self);

    /// Work between two polls.
    fn poll_interval(&self) -> u64 {
        1024
    }

    /// Executes the next step with at most this much work, and returns its work. The unit is one
    /// expanded state. A step may exceed the limit where it cannot be interrupted, and may take no
    /// work.
    fn step(&mut self, most: u64) -> u64;

    /// Executes steps until the budget is used up or the search is over.
    fn advance(&mut self, budget: SliceBudget) -> Progress {
        let (mut left, mut until_poll) = (budget.expansions, 0);
        loop {
            if until_poll == 0 {
                until_poll = self.poll_interval();
                self.poll();
            }
            if let Some(outcome) = self.outcome() {
                return Progress::Done(outcome);
            }
            if left == 0 {
                return Progress::Paused;
            }
            let work = self.step(left);
            left = left.saturating_sub(work);
            until_poll = until_poll.saturating_sub(work.max(1));
        }
    }

    /// Executes steps until the search is over.
    fn finish(&mut self) -> Outcome {
        loop {
            if let Progress::Done(outcome) = self.advance(SliceBudget::UNLIMITED) {
                return outcome;
            }
        }
    }

    /// The counters.
    fn stats(&self) -> Stats;

    /// The hits so far, in the order found.
    fn hits(&self) -> Vec<Hit>;

    /// The states from the initial one to that of a hit, by its number in [`hits`](Search::hits),
    /// both included: the state with the error, or whose transition fails.
    ///
    /// # Panics
    ///
    /// When there is no such hit.
    fn path(&self, hit: usize) -> StatePath;

    /// Memory held.
    fn bytes(&self) -> usize;

    /// The proved lower bound on the cost of any target: 0 when nothing is proved, and the
    /// greatest cost when there is no target.
    fn lower_bound(&self) -> Cost;

    /// The estimated number of states that all runs so far have overlooked; `None` if the search
    /// cannot overlook any. [`Omissions`] says what the estimate excludes.
    fn omissions(&self) -> Option<Omissions> {
        None
    }

    /// The search as a [`GuidedSearch`], if it is one.
    fn as_guided(&self) -> Option<&dyn GuidedSearch> {
        None
    }

    /// Whether the path to this hit is proved to be a cheapest one.
    ///
    /// # Panics
    ///
    /// When there is no such hit.
    fn is_shortest(&self, hit: usize) -> bool {
        self.hits()[hit].cost.is_some_and(|cost| cost <= self.lower_bound())
    }
}

/// A search that keeps the estimates of its states.
pub trait GuidedSearch: Search {
    /// The least finite estimate of any state, and the path to that state.
    fn nearest(&self) -> Option<(Cost, StatePath)>;
}

/// A search for a cheaper path than a known one.
pub trait PathImprover: Search {
    /// Takes over a path of another search: only cheaper ones count from now on.
    fn follow(&mut self, known: &KnownPath);
}
