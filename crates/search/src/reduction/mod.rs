//! Partial order reduction in searches: a [`Reducer`] proposes sets of transitions that suffice,
//! and the search takes the first one that meets its [`CycleCondition`]. Without a condition, it
//! takes the set with the fewest new states.
//!
//! Source: [EMJ05], "Partial Order Reduction".
//!
//! Promises: a complete search with a [`Reduction`] has expanded every state of a reduced space,
//! which contains a deadlock, a fault or a violated invariant if the whole space does, as far as
//! the reducer guarantees it and the condition is sound for it. Every error found is real, on a
//! path of the whole space. But there may be a shorter path outside the reduced space, so nothing
//! is proved about costs, unless the reducer [keeps the cheapest paths](Reducer::keeps_cheapest).
//!
//! # Cycles
//!
//! A reduction chooses during the search, so the same state may be reduced in different ways at
//! different visits. For searches that visit states twice this is unsound: nested depth-first
//! search with the condition `stack`, as first published, loses cycles when the inner search
//! chooses another set than the outer one did ([HPY96] shows the remedy). So searches for cycles
//! have no method `with_reduction`. They search a [`Reduced`] space instead, where the choice depends
//! on the state alone:
//!
//! ```text
//! let reduced = Reduced::new(space, || facts.reducer(Proposals::One));
//! let nested = NestedDfs::new(&reduced, Nesting::Plain, query)?;
//! ```

mod backoff;
mod chosen_sets;
mod condition;
mod path_compression;
mod prune;
mod reduced;
mod refusal;

use std::ops::Range;

use beeline_kernel::{CandidateSets, Expansion, FaultTransition, Reducer, Successors};

use crate::stats::Stats;
pub use backoff::Backoff;
use backoff::BackoffTrial;
pub(crate) use chosen_sets::{Choice, ChosenSets};
pub use condition::{CycleCondition, SuccessorStatus};
pub use path_compression::PathCompression;
pub use reduced::Reduced;
pub use refusal::Refusal;

/// The reduction of a search: a reducer, and the condition that its proposals must meet.
pub struct Reduction<'a> {
    reducer: Box<dyn Reducer + 'a>,
    condition: CycleCondition,
    effort: Backoff,
    trial: BackoffTrial,
    /// Whether the reducer is still used.
    is_on: bool,
    /// Whether it has proposed sets for the current state.
    is_asked: bool,
    counts: Counts,
    choices: CandidateSets,
    /// For each transition of the current state whether its target is new, if it was looked up.
    is_new: Vec<Option<bool>>,
}

/// Counters, a part of [`Stats`].
#[derive(Clone, Copy, Debug, Default)]
struct Counts {
    reduced: u64,
    refused: u64,
    unreduced: u64,
    cut: u64,
}

/// The expansion of one state: a part of a batch.
pub(crate) struct ExpansionPart<'e> {
    successors: &'e Successors,
    range: Range<usize>,
    failures: &'e [FaultTransition],
}

impl<'e> ExpansionPart<'e> {
    /// The successors in a range, with these faults.
    #[inline]
    pub(crate) fn new(
        successors: &'e Successors,
        range: Range<usize>,
        failures: &'e [FaultTransition],
    ) -> Self {
        ExpansionPart { successors, range, failures }
    }

    /// A whole expansion, which is that of one state.
    #[inline]
    pub(crate) fn whole(expansion: &'e Expansion) -> Self {
        ExpansionPart::new(&expansion.successors, 0..expansion.len(), &expansion.faults)
    }
}

/// Whether a reducer accounts for all transitions: each fault is one after which runs continue.
#[inline]
fn are_known(reducer: &dyn Reducer, failures: &[FaultTransition]) -> bool {
    failures.iter().all(|failure| reducer.passes(failure.fault.kind))
}

impl<'a> Reduction<'a> {
    /// A reduction with this reducer.
    pub fn new(
        reducer: Box<dyn Reducer + 'a>,
        condition: CycleCondition,
        effort: Backoff,
    ) -> Reduction<'a> {
        Reduction {
            reducer,
            condition,
            effort,
            trial: BackoffTrial::default(),
            is_on: true,
            is_asked: false,
            counts: Counts::default(),
            choices: CandidateSets::default(),
            is_new: Vec::new(),
        }
    }

    /// Whether the cheapest paths of the reduced space are those of the whole space. A cycle
    /// condition only adds transitions.
    pub(crate) fn keeps_cheapest(&self) -> bool {
        self.reducer.keeps_cheapest()
    }

    /// The cycle condition.
    pub fn condition(&self) -> CycleCondition {
        self.condition
    }

    /// The same, for a search that supports these conditions and has not expanded any state yet.
    pub(crate) fn suited(
        self,
        conditions: &[CycleCondition],
        expanded: u64,
    ) -> Result<Reduction<'a>, Refusal> {
        if expanded > 0 {
            Err(Refusal::TooLate)
        } else if conditions.contains(&self.condition) {
            Ok(self)
        } else {
            Err(Refusal::Unsuited(self.condition))
        }
    }

    /// Asks for proposals for a state, unless all its transitions are necessary anyway, as after a
    /// fatal fault, for which the reducer does not account.
    #[inline]
    pub(crate) fn propose(&mut self, state: &[u8], part: &ExpansionPart<'_>) {
        self.is_asked =
            self.is_on && part.range.len() > 1 && are_known(self.reducer.as_ref(), part.failures);
        if self.is_asked {
            let ways = &part.successors.transitions()[part.range.clone()];
            self.reducer.propose(state, ways, &mut self.choices);
        }
    }

    /// Chooses the transitions that are kept of the state of the last proposals: the first proposed
    /// set whose successors meet the condition by their `standing`; otherwise all.
    #[inline]
    pub(crate) fn choose(
        &mut self,
        part: &ExpansionPart<'_>,
        mut status: impl FnMut(&[u8]) -> SuccessorStatus,
    ) -> Choice {
        if !self.is_asked {
            return Choice::All;
        }
        let count = part.range.len();
        let (condition, begin) = (self.condition, part.range.start);
        let chosen = if condition == CycleCondition::None {
            self.with_fewest_new(part, status)
        } else {
            self.choices.iter().take(chosen_sets::SETS).position(|set| {
                let states = set.iter().map(|&at| part.successors.state(begin + at as usize));
                is_smaller(set, count) && condition.is_met(states.map(&mut status))
            })
        };
        let choice = match chosen {
            Some(number) => Choice::Set(number as u8),
            None => Choice::All,
        };
        self.count(choice, count);
        choice
    }

    /// The set that leads to the fewest new states; the first one of these.
    fn with_fewest_new(
        &mut self,
        part: &ExpansionPart<'_>,
        mut status: impl FnMut(&[u8]) -> SuccessorStatus,
    ) -> Option<usize> {
        let Reduction { choices, is_new, .. } = self;
        let count = part.range.len();
        is_new.clear();
        is_new.resize(count, None);
        let mut new_states = |set: &[u32]| {
            let is_new = |&&at: &&u32| {
                *is_new[at as usize].get_or_insert_with(|| {
                    let state = part.successors.state(part.range.start + at as usize);
                    status(state) == SuccessorStatus::New
                })
            };
            set.iter().filter(is_new).count()
        };
        let sets = choices.iter().take(chosen_sets::SETS).enumerate();
        let mut sets = sets.filter(|(_, set)| is_smaller(set, count)).peekable();
        let (mut best, mut least) = (None, usize::MAX);
        while let Some((number, set)) = sets.next() {
            // A single set need not be evaluated.
            let is_only = best.is_none() && sets.peek().is_none();
            let new = if is_only { 0 } else { new_states(set) };
            if new < least {
                (best, least) = (Some(number), new);
            }
            if new == 0 {
                break;
            }
        }
        best
    }

    /// The transitions of the chosen set, by their numbers; `None` for all.
    #[inline]
    pub(crate) fn kept(&self, choice: Choice) -> Option<&[u32]> {
        match choice {
            Choice::All => None,
            Choice::Set(number) => self.choices.iter().nth(usize::from(number)),
        }
    }

    /// Prunes the expansion of a state by the choice that was made for it just now.
    #[inline]
    pub(crate) fn cut(&self, choice: Choice, expansion: &mut Expansion) {
        if let Some(kept) = self.kept(choice) {
            prune::keep_only(expansion, kept);
        }
    }

    /// Prunes an expansion by the choice that was made for its state at an earlier visit.
    pub(crate) fn cut_again(&mut self, choice: Choice, state: &[u8], expansion: &mut Expansion) {
        if choice != Choice::All {
            self.reducer.propose(state, expansion.successors.transitions(), &mut self.choices);
            self.cut(choice, expansion);
        }
    }

    /// Resets the counters and the backoff.
    pub(crate) fn restart(&mut self) {
        self.counts = Counts::default();
        self.trial = BackoffTrial::default();
        self.is_on = true;
    }

    /// Counts a choice for a state with `ways` transitions.
    #[inline]
    fn count(&mut self, choice: Choice, ways: usize) {
        let cut = self.kept(choice).map_or(0, |kept| ways - kept.len());
        let counts = &mut self.counts;
        match choice {
            Choice::Set(_) => counts.reduced += 1,
            Choice::All if self.choices.iter().any(|set| is_smaller(set, ways)) => {
                counts.refused += 1;
            }
            Choice::All => counts.unreduced += 1,
        }
        counts.cut += cut as u64;
        self.trial.note(ways, cut);
        if self.trial.has_failed(self.effort) {
            self.is_on = false;
        }
    }

    /// The counters, with those of the reduction.
    pub(crate) fn stats(&self, stats: Stats) -> Stats {
        let Counts { reduced, refused, unreduced, cut } = self.counts;
        let effort = stats.effort + self.reducer.effort();
        Stats { reduced, refused, unreduced, cut, effort, ..stats }
    }
}

/// Whether a set is a proper, nonempty subset.
#[inline]
fn is_smaller(set: &[u32], ways: usize) -> bool {
    !set.is_empty() && set.len() < ways
}
