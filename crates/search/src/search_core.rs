//! State shared by all directed searches: expander, heuristic, query, counters and hits.

use std::sync::atomic::Ordering;

use beeline_kernel::{
    Claims, Cost, Estimate, Expander, Expansion, Fault, Heuristic, Space, StateId, StatePath, Stop,
};

use crate::finding::FindingKind;
use crate::hit::Hit;
use crate::limits::Outcome;
use crate::query::{AfterHit, SearchQuery};
use crate::reduction::Reduction;
use crate::search::{GuidedSearch, Search};
use crate::stats::Stats;
use crate::store::{Inserted, StateStore, StoreLimits};
use crate::visited::Omissions;

/// State shared by all directed searches.
pub(crate) struct SearchCore<'a> {
    pub(crate) expander: Box<dyn Expander + 'a>,
    pub(crate) heuristic: Box<dyn Heuristic + 'a>,
    pub(crate) claims: Claims,
    pub(crate) query: SearchQuery<'a>,
    pub(crate) stats: Stats,
    pub(crate) hits: Vec<Hit>,
    /// The paths to the hits, as they were when the hits were recorded.
    pub(crate) paths: Vec<StatePath>,
    /// The partial order reduction, if any.
    pub(crate) reduction: Option<Box<Reduction<'a>>>,
    /// Whether hits were dropped, which may have been cheaper.
    has_dropped: bool,
    /// The greatest lower bound on the cost of any target that was proved so far.
    pub(crate) proved: Cost,
    outcome: Option<Outcome>,
}

impl<'a> SearchCore<'a> {
    /// A core for a space, whose initial state is written to `initial`.
    pub(crate) fn new<S: Space + ?Sized>(
        space: &'a S,
        heuristic: Box<dyn Heuristic + 'a>,
        query: SearchQuery<'a>,
        initial: &mut Vec<u8>,
    ) -> Result<SearchCore<'a>, Fault> {
        space.initial(initial)?;
        Ok(SearchCore::from_state(space.expander(), initial, heuristic, query))
    }

    /// A core for a search from any state, with an expander for it and its descendants.
    pub(crate) fn from_state(
        expander: Box<dyn Expander + 'a>,
        state: &[u8],
        heuristic: Box<dyn Heuristic + 'a>,
        query: SearchQuery<'a>,
    ) -> SearchCore<'a> {
        let claims = heuristic.claims();
        let stats = Stats { state_bytes: state.len() as u64, ..Stats::default() };
        SearchCore {
            expander,
            heuristic,
            claims,
            query,
            stats,
            hits: Vec::new(),
            paths: Vec::new(),
            reduction: None,
            has_dropped: false,
            proved: Cost::ZERO,
            outcome: None,
        }
    }

    /// An empty store within the limits.
    pub(crate) fn store<T: StateStore>(&self) -> T {
        T::new(StoreLimits { bytes: self.query.max_bytes(), states: self.query.max_states() })
    }

    /// A store with the initial state. Without room for it, the store is empty and the search is
    /// over.
    pub(crate) fn store_with<T: StateStore>(&mut self, initial: &[u8]) -> T {
        let mut store: T = self.store();
        if store.insert(initial) == Inserted::Full {
            self.end(Outcome::Incomplete(Stop::Memory));
        }
        store
    }

    /// The counters, with those of a store.
    pub(crate) fn stats_with<T: StateStore>(&self, store: &T) -> Stats {
        let stats = Stats {
            stored: store.len() as u64,
            store_bytes: store.bytes() as u64,
            table_bytes: store.table_bytes() as u64,
            state_bytes: self.stats.state_bytes.max(store.longest() as u64),
            ..self.stats
        };
        self.with_effort(stats)
    }

    /// Counters, with the effort of the heuristic and those of the reduction.
    pub(crate) fn with_effort(&self, stats: Stats) -> Stats {
        self.with_reduced(Stats { effort: self.heuristic.effort(), ..stats })
    }

    /// Whether a reduction may have pruned all cheapest paths.
    pub(crate) fn prunes_cheapest(&self) -> bool {
        self.reduction.as_ref().is_some_and(|reduction| !reduction.keeps_cheapest())
    }

    /// Counters, with those of the reduction.
    pub(crate) fn with_reduced(&self, stats: Stats) -> Stats {
        self.reduction.as_ref().map_or(stats, |reduction| reduction.stats(stats))
    }

    /// Ends the search before it begins.
    pub(crate) fn end(&mut self, outcome: Outcome) {
        self.outcome = Some(outcome);
    }

    /// The estimate of the initial state.
    pub(crate) fn estimate_initial(&mut self, state: &[u8]) -> Estimate {
        let estimate = self.estimate(state);
        self.stats.h_initial = estimate.finite().map(|h| h.0);
        estimate
    }

    /// The estimate of one state.
    pub(crate) fn estimate(&mut self, state: &[u8]) -> Estimate {
        let estimate = self.heuristic.estimate(state);
        self.stats.evaluate(&[estimate]);
        estimate
    }

    /// The estimates of some successors of a state.
    pub(crate) fn estimate_all(
        &mut self,
        state: &[u8],
        successors: &Expansion,
        estimates: &mut Vec<Estimate>,
    ) {
        self.heuristic.estimate_all(state, successors, estimates);
        self.stats.evaluate(estimates);
    }

    /// Whether the estimate proves that no target is reachable.
    pub(crate) fn is_proven_dead_end(&self, estimate: Estimate) -> bool {
        estimate == Estimate::DeadEnd && self.claims.safe
    }

    /// Counts an expanded state at this cost.
    #[inline]
    pub(crate) fn count(&mut self, g: u32, expansion: &Expansion) {
        self.stats.count(expansion, g);
    }

    /// The errors of an expansion that are in the target: of the state, then of its transitions.
    pub(crate) fn targets(&self, expansion: &Expansion) -> Vec<FindingKind> {
        self.query.target.all_errors(expansion)
    }

    /// Records a hit in a state or in one of its transitions, and returns the outcome if the search
    /// ends. A known hit is replaced if its path is cheaper now.
    pub(crate) fn record_hit(
        &mut self,
        kind: FindingKind,
        state: &[u8],
        path: impl FnOnce() -> StatePath,
    ) -> Option<Outcome> {
        if self.query.after_hit == AfterHit::Shorten {
            self.shorten(kind, path());
            return None;
        }
        let is_same = |&at: &usize| {
            self.hits[at].kind == kind && self.paths[at].last().is_some_and(|last| last == state)
        };
        let known = (0..self.hits.len()).find(is_same);
        let kept = self.hits.iter().filter(|hit| hit.kind == kind).count();
        if known.is_some() || kept < self.query.keep.max(1) {
            let path = path();
            let hit = Hit { kind, cost: Some(self.cost_of(&path, kind)) };
            match known {
                Some(at) if hit.cost < self.hits[at].cost => {
                    (self.hits[at], self.paths[at]) = (hit, path);
                }
                Some(_) => {}
                None => {
                    self.hits.push(hit);
                    self.paths.push(path);
                }
            }
        } else {
            self.has_dropped = true;
        }
        (self.query.after_hit == AfterHit::Stop).then_some(Outcome::Found)
    }

    /// Records a hit only if it is cheaper than all earlier ones.
    fn shorten(&mut self, kind: FindingKind, path: StatePath) {
        let cost = self.cost_of(&path, kind);
        if cost.0 <= self.query.most() {
            self.query.tighten(cost);
            self.hits = vec![Hit { kind, cost: Some(cost) }];
            self.paths = vec![path];
        }
    }

    /// The outcome if this exceeds the memory limit.
    #[inline]
    pub(crate) fn check_memory(&self, bytes: usize) -> Option<Outcome> {
        (bytes > self.query.max_bytes()).then_some(Outcome::Incomplete(Stop::Memory))
    }

    /// The cost of the cheapest path along these states, up to an error in the last one or in its
    /// transitions. The cost of a path changes when a shorter one to some state on it is found, so
    /// it is computed anew for reported paths.
    fn cost_of(&mut self, path: &StatePath, kind: FindingKind) -> Cost {
        let mut expansion = Expansion::default();
        let mut cost = Cost::ZERO;
        let mut pairs = path.pairs();
        while let Some((from, to)) = pairs.advance() {
            self.expander.expand_only(from, &mut expansion);
            let ways = (0..expansion.len()).filter(|&at| expansion.state(at) == to);
            let steps = ways.map(|at| expansion.steps(at)).min();
            cost = cost + Cost(steps.expect("each state on a path follows the one before"));
        }
        if let (FindingKind::Fault(_), Some(last)) = (kind, path.last()) {
            self.expander.expand_only(last, &mut expansion);
            let failures = self.query.target.transition_errors(&expansion);
            let same = failures.filter(|&(other, _)| other == kind);
            cost = cost + Cost(same.map(|(_, steps)| steps).min().unwrap_or(0));
        }
        cost
    }

    /// A lower bound on the cost of all hits, dropped ones included.
    pub(crate) fn least_hit(&self) -> u32 {
        let costs = self.hits.iter().filter_map(|hit| hit.cost);
        let least = costs.min().map_or(u32::MAX, |cost| cost.0);
        if self.has_dropped { least.min(self.least_initial()) } else { least }
    }

    /// The admissible estimate of the initial state, if there is one.
    fn least_initial(&self) -> u32 {
        self.stats.h_initial.filter(|_| self.claims.admissible).unwrap_or(0)
    }

    /// The outcome, if the search is over.
    pub(crate) fn outcome(&self) -> Option<Outcome> {
        self.outcome
    }

    /// The lower bound on the cost of any target that holds for every algorithm: an admissible
    /// estimate of the initial state.
    pub(crate) fn least_possible(&self) -> Cost {
        if self.outcome == Some(Outcome::Complete) && self.hits.is_empty() {
            return Cost(u32::MAX);
        }
        Cost(self.least_initial().min(self.least_hit())).max(self.proved)
    }

    /// Ends the search if its stop flag is raised.
    pub(crate) fn poll(&mut self) {
        let raised = self.query.stop.is_some_and(|stop| stop.load(Ordering::Relaxed));
        if raised && self.outcome.is_none() {
            self.outcome = Some(Outcome::Incomplete(Stop::Interrupted));
        }
    }
}

/// Loads the states of a path.
pub(crate) fn load_path<T: StateStore>(store: &T, ids: &[StateId]) -> StatePath {
    let (mut path, mut state) = (StatePath::new(), Vec::new());
    for &id in ids {
        store.load(id, &mut state);
        path.push(&state);
    }
    path
}

/// A search with a [`SearchCore`] that expands at most one state in each step. Each is a
/// [`Search`].
pub(crate) trait StepSearch<'a> {
    /// The name of the algorithm.
    fn name(&self) -> &'static str;

    /// The state shared by all directed searches.
    fn core(&self) -> &SearchCore<'a>;

    /// The same, mutable.
    fn core_mut(&mut self) -> &mut SearchCore<'a>;

    /// Executes the next step, and returns the outcome if the search ends.
    fn step(&mut self) -> Option<Outcome>;

    /// The counters.
    fn stats(&self) -> Stats;

    /// Memory held.
    fn bytes(&self) -> usize;

    /// The proved lower bound on the cost of any target.
    fn lower_bound(&self) -> Cost {
        self.core().least_possible()
    }

    /// The estimated number of overlooked states; `None` if the search cannot overlook any.
    fn omissions(&self) -> Option<Omissions> {
        None
    }

    /// The search as a [`GuidedSearch`], if it is one.
    fn as_guided(&self) -> Option<&dyn GuidedSearch> {
        None
    }
}

/// Steps between two looks at the budget of a slice.
const STEPS_AT_ONCE: u32 = 16;

impl<'a, S: StepSearch<'a>> Search for S {
    fn name(&self) -> &'static str {
        StepSearch::name(self)
    }

    #[inline]
    fn outcome(&self) -> Option<Outcome> {
        self.core().outcome
    }

    fn poll(&mut self) {
        self.core_mut().poll();
    }

    /// Takes several steps at once: most of them are short.
    #[inline]
    fn step(&mut self, most: u64) -> u64 {
        let before = self.core().stats.expanded;
        for _ in 0..STEPS_AT_ONCE {
            let outcome = StepSearch::step(self);
            let core = self.core_mut();
            core.outcome = outcome;
            if outcome.is_some() || core.stats.expanded - before >= most {
                break;
            }
        }
        self.core().stats.expanded - before
    }

    fn stats(&self) -> Stats {
        StepSearch::stats(self)
    }

    fn hits(&self) -> Vec<Hit> {
        self.core().hits.clone()
    }

    fn path(&self, hit: usize) -> StatePath {
        self.core().paths[hit].clone()
    }

    fn bytes(&self) -> usize {
        StepSearch::bytes(self)
    }

    fn lower_bound(&self) -> Cost {
        StepSearch::lower_bound(self)
    }

    fn omissions(&self) -> Option<Omissions> {
        StepSearch::omissions(self)
    }

    fn as_guided(&self) -> Option<&dyn GuidedSearch> {
        StepSearch::as_guided(self)
    }
}
