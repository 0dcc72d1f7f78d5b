//! State-space caching: depth-first search with a bounded cache. It keeps the states on its path,
//! and as many others as fit. A state that was evicted is expanded again when it is generated
//! again.
//!
//! Source: state-space caching [Hol85], [GHP92], with random replacement.
//!
//! Promises: [`Outcome::Complete`] when every reachable state was expanded at least once. This is
//! so when the stack is empty: each successor of an expanded state was on the path or in the cache,
//! and so expanded before, or it was expanded then. The search terminates, since no state is twice
//! on the path; but the number of repeated expansions has no good bound. Costs are not counted, so
//! [`AfterHit::Shorten`](crate::AfterHit) is the same as [`AfterHit::Continue`](crate::AfterHit);
//! the depth limit is one on transitions.

mod cache;

use std::sync::atomic::Ordering;

use beeline_kernel::{Cost, Expander, Expansion, Fault, Space, StatePath, Stop};

use crate::finding::FindingKind;
use crate::hash_index::HashIndex;
use crate::hit::Hit;
use crate::limits::Outcome;
use crate::query::SearchQuery;
use crate::search::Search;
use crate::stack_search::stack::{Stack, Top};
use crate::stats::Stats;
use crate::store::{FoldedMultiply, StateHash, StoreLimits};

use cache::Cache;

/// State-space caching: evicts states that are not on the path.
pub struct CachingSearch<'a> {
    expander: Box<dyn Expander + 'a>,
    query: SearchQuery<'a>,
    cache: Cache,
    stack: Stack,
    /// The levels of the states on the path.
    path: HashIndex,
    /// The errors found, and the paths to them.
    found: Vec<(FindingKind, StatePath)>,
    /// The number of states on the path.
    depth: usize,
    /// Whether there was a state beyond the depth limit.
    has_missed: bool,
    stats: Stats,
    outcome: Option<Outcome>,
    expansion: Expansion,
}

impl<'a> CachingSearch<'a> {
    /// A search with room for these states and bytes beside those of the path.
    ///
    /// # Errors
    ///
    /// When the model fails before its first step: there is nothing to search.
    pub fn new<S: Space + ?Sized>(
        space: &'a S,
        room: StoreLimits,
        query: SearchQuery<'a>,
    ) -> Result<Self, Fault> {
        let mut initial = Vec::new();
        space.initial(&mut initial)?;
        let states = room.states.min(query.max_states());
        let cache = Cache::new(states, room.bytes, initial.len());
        let mut search = CachingSearch {
            expander: space.expander(),
            query,
            cache,
            stack: Stack::default(),
            path: HashIndex::default(),
            found: Vec::new(),
            depth: 0,
            has_missed: false,
            stats: Stats { state_bytes: initial.len() as u64, ..Stats::default() },
            outcome: None,
            expansion: Expansion::default(),
        };
        if !search.stack.push(&initial, 0, search.room()) {
            search.outcome = Some(Outcome::Incomplete(Stop::Memory));
        }
        Ok(search)
    }

    /// The number of evicted states. If zero, each state was expanded once.
    pub fn forgotten(&self) -> u64 {
        self.cache.forgotten
    }

    /// Memory limit of the stack.
    fn room(&self) -> usize {
        self.query.max_bytes().saturating_sub(self.cache.bytes() + self.path.bytes())
    }

    /// Whether a state is on the path or in the cache.
    #[inline]
    fn is_known(&self, state: &[u8]) -> bool {
        let is_same = |at: u32| self.stack.state(at as usize) == state;
        self.path.find(FoldedMultiply::hash(state), is_same).is_some() || self.cache.contains(state)
    }

    /// Expands the next state, if there is one. Returns how the search ended, if it did.
    fn expand_next(&mut self) -> Option<Outcome> {
        let depth = loop {
            match self.stack.top() {
                None if self.has_missed => return Some(Outcome::Incomplete(Stop::Depth)),
                None => return Some(Outcome::Complete),
                Some(Top::Expanded) => self.leave(),
                Some(Top::Waiting { depth }) if depth > self.query.max_cost() => {
                    self.has_missed = true;
                    self.stack.pop();
                }
                // The state may have been expanded since it was pushed.
                Some(Top::Waiting { .. }) if self.is_known(self.stack.last()) => {
                    self.stats.matched += 1;
                    self.stack.pop();
                }
                Some(Top::Waiting { depth }) => break depth,
            }
        };
        let level = self.stack.len() - 1;
        // A path with more levels than `u32` can number would need a terabyte.
        self.path.add(FoldedMultiply::hash(self.stack.last()), level as u32);
        self.depth += 1;
        self.expander.expand_only(self.stack.expand(), &mut self.expansion);
        self.stats.count(&self.expansion, depth);
        let is_fine = !self.expansion.deadlock
            && self.expansion.faults.is_empty()
            && self.expansion.violated_invariants.is_empty();
        if !is_fine && self.record() {
            return Some(Outcome::Found);
        }
        let fits = self.push_successors(depth.saturating_add(1))
            && self.depth <= self.query.max_states()
            && self.bytes() <= self.query.max_bytes();
        (!fits).then_some(Outcome::Incomplete(Stop::Memory))
    }

    /// Removes the last state from the path to the cache, from which it may be evicted.
    fn leave(&mut self) {
        let state = self.stack.last();
        self.path.remove(FoldedMultiply::hash(state), self.stack.len() as u32 - 1);
        self.cache.add(state);
        self.depth -= 1;
        self.stack.pop();
    }

    /// Records the errors of the expansion. Returns whether they end the search.
    #[cold]
    fn record(&mut self) -> bool {
        self.stack.record(&self.query, &self.expansion, &mut self.found)
    }

    /// Pushes the unknown successors, the first on top. Returns whether there was room for all.
    fn push_successors(&mut self, depth: u32) -> bool {
        for at in (0..self.expansion.len()).rev() {
            self.stats.generated += 1;
            let state = self.expansion.state(at);
            if self.is_known(state) {
                self.stats.matched += 1;
                continue;
            }
            self.stats.state_bytes = self.stats.state_bytes.max(state.len() as u64);
            let room = self.room();
            if !self.stack.push(self.expansion.state(at), depth, room) {
                return false;
            }
        }
        true
    }
}

impl Search for CachingSearch<'_> {
    fn name(&self) -> &'static str {
        "depth-first with a cache"
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
        let before = self.stats.expanded;
        self.outcome = self.expand_next();
        self.stats.expanded - before
    }

    /// `stored` counts the states on the path and in the cache.
    fn stats(&self) -> Stats {
        let bytes = self.cache.bytes() as u64;
        let stored = (self.cache.len() + self.depth) as u64;
        Stats { stored, store_bytes: bytes, table_bytes: bytes, ..self.stats }
    }

    fn hits(&self) -> Vec<Hit> {
        self.found.iter().map(|&(kind, _)| Hit { kind, cost: None }).collect()
    }

    fn path(&self, hit: usize) -> StatePath {
        self.found[hit].1.clone()
    }

    fn bytes(&self) -> usize {
        self.cache.bytes() + self.path.bytes() + self.stack.bytes()
    }

    /// Transitions are counted, not costs, so nothing is proved about costs.
    fn lower_bound(&self) -> Cost {
        Cost::ZERO
    }
}
