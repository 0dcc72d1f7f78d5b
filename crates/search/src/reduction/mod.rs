//! Partial order reduction, the part of the search: a [`Reducer`] proposes sets of transitions that
//! can stand for all, and the search takes the first one that meets its [`CycleCondition`]. Where
//! there is no condition, it takes the set with the fewest new states.
//!
//! Source: [EMJ05], "Partial Order Reduction".
//!
//! Promises: a search with a [`Reduction`] that is complete has expanded every state of a
//! reduced space, in which there is a deadlock, a fault or a broken invariant if there is one
//! in the whole space, as far as the reducer says so and the condition is sound for it. What
//! it finds is there, on a path that is one of the whole space. But there may be a shorter one
//! outside, so it never proves anything about costs.
//!
//! # Cycles
//!
//! A reduction chooses as the search goes, so the same state may be reduced in one way here
//! and in another there. Where a state is visited twice this is unsound: nested depth-first
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
    /// By transition of the current state: whether it leads to a new one, if that was looked up.
    is_new: Vec<Option<bool>>,
}

/// What was done. See [`Stats`], where it lands.
#[derive(Clone, Copy, Debug, Default)]
struct Counts {
    reduced: u64,
    refused: u64,
    unreduced: u64,
    cut: u64,
}

/// What follows a state: a part of an expansion.
pub(crate) struct ExpansionPart<'e> {
    successors: &'e Successors,
    range: Range<usize>,
    failures: &'e [FaultTransition],
}

impl<'e> ExpansionPart<'e> {
    /// The successors in a range, where some transitions failed with these.
    #[inline]
    pub(crate) fn new(
        successors: &'e Successors,
        range: Range<usize>,
        failures: &'e [FaultTransition],
    ) -> Self {
        ExpansionPart { successors, range, failures }
    }

    /// All of an expansion, which is that of one state.
    #[inline]
    pub(crate) fn whole(expansion: &'e Expansion) -> Self {
        ExpansionPart::new(&expansion.successors, 0..expansion.len(), &expansion.faults)
    }
}

/// Whether a reducer knows of all transitions: none failed but those that go on.
#[inline]
fn are_known(reducer: &dyn Reducer, failures: &[FaultTransition]) -> bool {
    failures.iter().all(|failure| reducer.passes(failure.fault.kind))
}

impl<'a> Reduction<'a> {
    /// Asks this reducer.
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

    /// What is asked of successors.
    pub fn condition(&self) -> CycleCondition {
        self.condition
    }

    /// The same, for a search in which nothing has been expanded yet and which can do with
    /// these conditions.
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

    /// Asks for proposals for a state, unless all its transitions are needed anyhow: as where a transition
    /// fails and leads nowhere, of which the reducer knows nothing.
    #[inline]
    pub(crate) fn propose(&mut self, state: &[u8], part: &ExpansionPart<'_>) {
        self.is_asked =
            self.is_on && part.range.len() > 1 && are_known(self.reducer.as_ref(), part.failures);
        if self.is_asked {
            let ways = &part.successors.transitions()[part.range.clone()];
            self.reducer.propose(state, ways, &mut self.choices);
        }
    }

    /// Decides which transitions of the state that was asked for last are kept: the first set
    /// proposed that meets the condition, where successors stand as `standing` says;
    /// otherwise all.
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
            // The only set need not be evaluated.
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

    /// The transitions of a set that was chosen just now, by their numbers.
    #[inline]
    pub(crate) fn kept(&self, choice: Choice) -> Option<&[u32]> {
        match choice {
            Choice::All => None,
            Choice::Set(number) => self.choices.iter().nth(usize::from(number)),
        }
    }

    /// Cuts an expansion, which is that of one state, down to the choice that was made for it
    /// just now.
    #[inline]
    pub(crate) fn cut(&self, choice: Choice, expansion: &mut Expansion) {
        if let Some(kept) = self.kept(choice) {
            prune::keep_only(expansion, kept);
        }
    }

    /// Cuts an expansion down to the choice that was made for its state some time ago.
    pub(crate) fn cut_again(&mut self, choice: Choice, state: &[u8], expansion: &mut Expansion) {
        if choice != Choice::All {
            self.reducer.propose(state, expansion.successors.transitions(), &mut self.choices);
            self.cut(choice, expansion);
        }
    }

    /// Forgets what was counted, and asks again.
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
        if self.effort == Backoff::WhenItPays && self.trial.has_failed() {
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

/// Whether a set leaves something out, but not everything.
#[inline]
fn is_smaller(set: &[u32], ways: usize) -> bool {
    !set.is_empty() && set.len() < ways
}
