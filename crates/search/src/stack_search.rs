//! Depth-first search that keeps only the states on its stack; all others are in a [`Visited`] set,
//! which may take a new state for a visited one.
//!
//! The stack holds the states on the path to the one expanded last, and their siblings that are
//! open. A successor is added to the set when it is generated, and pushed if it was new. So each
//! new state is expanded once; apart from that, the order is depth-first. The path to a finding is
//! on the stack when it is found, and is kept with it.
//!
//! With several runs, the search starts again with other hash functions, and findings of all runs
//! are kept: the omissions of runs are independent.
//!
//! With a [`Reduction`], a state that is in the set may still be open further down on the stack,
//! and is expanded after the current one was left. So conditions about the stack would not be
//! sound, even without omissions, and are refused.
//!
//! Source: [EMJ05], State Compaction and Incremental Hashing, section 2 (bitstate hashing,
//! and sequential bitstate hashing).
//!
//! Promises: each finding is real, and all counts are lower bounds. It never ends as
//! [`Outcome::Complete`]: when all states that the set did not hide are expanded, it ends as
//! [`Stop::LossyStore`]. Costs are not counted, so [`AfterHit::Shorten`](crate::AfterHit) is the
//! same as [`AfterHit::Continue`](crate::AfterHit), and a bound on costs is ignored; the depth
//! limit is one on transitions.

use std::sync::atomic::Ordering;

use beeline_kernel::{Cost, Expander, Expansion, Fault, Space, StatePath, Stop};

use crate::finding::FindingKind;
use crate::hit::Hit;
use crate::limits::Outcome;
use crate::query::SearchQuery;
use crate::reduction::{CycleCondition, ExpansionPart, Reduction, Refusal, SuccessorStatus};
use crate::search::Search;
use crate::stack_search::stack::{Stack, Top};
use crate::stats::Stats;
use crate::visited::{Omissions, RestartSchedule, Restarts, Seen, Visited};

pub(crate) mod stack;

/// A depth-first search with states on a stack, and in a set of type `V` that may be lossy.
pub struct StackSearch<'a, V: Visited> {
    expander: Box<dyn Expander + 'a>,
    query: SearchQuery<'a>,
    visited: V,
    stack: Stack,
    initial: Vec<u8>,
    runs: RestartSchedule,
    /// The errors found, and the paths to them.
    found: Vec<(FindingKind, StatePath)>,
    /// Whether there was a state beyond the depth limit.
    has_missed: bool,
    /// The counters of this run.
    stats: Stats,
    /// The counters of the earlier run with the most states.
    best: Stats,
    expanded: u64,
    outcome: Option<Outcome>,
    reduction: Option<Box<Reduction<'a>>>,
    expansion: Expansion,
    prints: Vec<V::Fingerprint>,
}

impl<'a, V: Visited> StackSearch<'a, V> {
    /// Adds the initial state to a set, which should be empty.
    ///
    /// # Errors
    ///
    /// When the model fails before its first step: there is nothing to search.
    pub fn new<S: Space + ?Sized>(
        space: &'a S,
        visited: V,
        again: Restarts,
        query: SearchQuery<'a>,
    ) -> Result<Self, Fault> {
        let mut initial = Vec::new();
        space.initial(&mut initial)?;
        let mut search = StackSearch {
            expander: space.expander(),
            query,
            visited,
            stack: Stack::default(),
            initial,
            runs: RestartSchedule::new(again),
            found: Vec::new(),
            has_missed: false,
            stats: Stats::default(),
            best: Stats::default(),
            expanded: 0,
            outcome: None,
            reduction: None,
            expansion: Expansion::default(),
            prints: Vec::new(),
        };
        search.outcome = search.begin();
        Ok(search)
    }

    /// Prunes transitions from now on. Called before the search begins.
    ///
    /// # Errors
    ///
    /// When it has begun, or the condition needs more than generated states.
    pub fn with_reduction(mut self, reduction: Reduction<'a>) -> Result<Self, Refusal> {
        self.reduction =
            Some(Box::new(reduction.suited(&CycleCondition::OF_STATES_MET, self.expanded)?));
        Ok(self)
    }

    /// The set, as the last run left it.
    pub fn visited(&self) -> &V {
        &self.visited
    }

    /// Begins a run, with an empty set.
    fn begin(&mut self) -> Option<Outcome> {
        self.stats = Stats { state_bytes: self.initial.len() as u64, ..Stats::default() };
        self.stack.clear();
        if let Some(reduction) = &mut self.reduction {
            reduction.restart();
        }
        let is_in = self.visited.len() < self.query.max_states()
            && self.visited.insert(&self.initial) == Seen::New
            && self.stack.push(&self.initial, 0, self.room());
        (!is_in).then_some(Outcome::Incomplete(Stop::Memory))
    }

    /// Ends a run that was not stopped, and begins the next one if there is one.
    fn end_run(&mut self) -> Option<Outcome> {
        let now = self.better();
        let Some(seed) = self.runs.next(self.visited.omissions()) else {
            let stop = if self.has_missed { Stop::Depth } else { Stop::LossyStore };
            return Some(Outcome::Incomplete(stop));
        };
        self.best = now;
        self.visited.restart(seed);
        self.begin()
    }

    /// The counters of the run with the most states.
    fn better(&self) -> Stats {
        let now = self.stats_of_run();
        if self.best.stored > now.stored { self.best } else { now }
    }

    fn stats_of_run(&self) -> Stats {
        let bytes = self.visited.bytes() as u64;
        let stored = self.visited.len() as u64;
        let stats = Stats { stored, store_bytes: bytes, table_bytes: bytes, ..self.stats };
        self.reduction.as_ref().map_or(stats, |reduction| reduction.stats(stats))
    }

    /// Memory limit of the stack.
    fn room(&self) -> usize {
        self.query.max_bytes().saturating_sub(self.visited.bytes())
    }

    /// Expands the next state, if there is one. Returns how the search ended, if it did.
    fn expand_next(&mut self) -> Option<Outcome> {
        let depth = loop {
            match self.stack.top() {
                None => return self.end_run(),
                // All its successors are done.
                Some(Top::Expanded) => self.stack.pop(),
                Some(Top::Waiting { depth }) if depth <= self.query.max_cost() => break depth,
                Some(Top::Waiting { .. }) => {
                    self.has_missed = true;
                    self.stack.pop();
                }
            }
        };
        self.expander.expand_only(self.stack.expand(), &mut self.expansion);
        self.expanded += 1;
        self.stats.count(&self.expansion, depth);
        let is_fine = !self.expansion.deadlock
            && self.expansion.faults.is_empty()
            && self.expansion.violated_invariants.is_empty();
        if !is_fine && self.record() {
            return Some(Outcome::Found);
        }
        self.reduce();
        // The set does not account for the stack when it grows, so the sum may exceed the limit.
        let fits =
            self.push_successors(depth.saturating_add(1)) && self.bytes() <= self.query.max_bytes();
        (!fits).then_some(Outcome::Incomplete(Stop::Memory))
    }

    /// Records the errors of the expansion. Returns whether they end the search.
    #[cold]
    fn record(&mut self) -> bool {
        self.stack.record(&self.query, &self.expansion, &mut self.found)
    }

    /// Prunes unnecessary transitions of the state expanded last.
    #[inline]
    fn reduce(&mut self) {
        let StackSearch { reduction, visited, stack, expansion, .. } = self;
        let Some(reduction) = reduction else { return };
        let part = ExpansionPart::whole(expansion);
        reduction.propose(stack.last(), &part);
        let choice = reduction.choose(&part, |state| {
            let print = visited.fingerprint(state);
            if visited.contains(print) { SuccessorStatus::Expanded } else { SuccessorStatus::New }
        });
        reduction.cut(choice, expansion);
    }

    /// Pushes the new successors, the first on top. Returns whether there was room for all.
    fn push_successors(&mut self, depth: u32) -> bool {
        self.prints.clear();
        for state in self.expansion.states() {
            self.prints.push(self.visited.fingerprint(state));
        }
        let most = self.query.max_states();
        for at in (0..self.prints.len()).rev() {
            match self.visited.add(self.prints[at]) {
                Seen::Old => self.stats.matched += 1,
                Seen::Full => return false,
                Seen::New => {
                    let state = self.expansion.state(at);
                    self.stats.state_bytes = self.stats.state_bytes.max(state.len() as u64);
                    let room = self.query.max_bytes().saturating_sub(self.visited.bytes());
                    // Only the insertion shows that the limit is exceeded.
                    if self.visited.len() > most || !self.stack.push(state, depth, room) {
                        return false;
                    }
                }
            }
            self.stats.generated += 1;
        }
        true
    }
}

impl<V: Visited> Search for StackSearch<'_, V> {
    fn name(&self) -> &'static str {
        "depth-first on a stack"
    }

    fn outcome(&self) -> Option<Outcome> {
        self.outcome
    }

    fn poll(&mut self) {
        let raised = self.query.stop.is_some_and(|stop| stop.load(Ordering::Relaxed));
        if raised && self.outcome.is_none() {
            self.outcome = Some(Outcome::Incomplete(Stop::Interrupted));
        }
    }

    fn step(&mut self, _: u64) -> u64 {
        let before = self.expanded;
        self.outcome = self.expand_next();
        self.expanded - before
    }

    /// The counters of the current run; at the end, those of the run with the most states.
    fn stats(&self) -> Stats {
        if self.outcome.is_some() { self.better() } else { self.stats_of_run() }
    }

    fn hits(&self) -> Vec<Hit> {
        self.found.iter().map(|&(kind, _)| Hit { kind, cost: None }).collect()
    }

    fn path(&self, hit: usize) -> StatePath {
        self.found[hit].1.clone()
    }

    fn bytes(&self) -> usize {
        self.visited.bytes() + self.stack.bytes()
    }

    /// Transitions are counted, not costs, so nothing is proved about costs.
    fn lower_bound(&self) -> Cost {
        Cost::ZERO
    }

    fn omissions(&self) -> Option<Omissions> {
        Some(self.runs.omissions(self.visited.omissions()))
    }
}
