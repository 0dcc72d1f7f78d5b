//! Depth-first search within a bound on costs, and for a cheapest path.
//!
//! A cost bound and a set of visited states conflict: a state that was reached at high cost is not
//! searched again at lower cost, so that an error within the bound may be missed ([ELL01] §4,
//! Fig. 1, the anomaly in depth-bounded search). The remedy is to search it again:
//! [`Revisit::WhenCheaper`], which SPIN calls `-DREACH`.
//!
//! [`DfsGoal::Cheapest`] is branch and bound: each path found lowers the bound below its cost. With
//! revisits, the last path is a cheapest one. [`Branching::MostPromising`] takes the successor with
//! the least estimate first: hill climbing with backtracking.
//!
//! Source: [ELL01] §4; [EMJ05], Directed Search, section 2 (admissible depth-first search)
//! and section 6.
//!
//! The depth limit of the query is the bound. States beyond it are stored and not expanded; if any
//! remains in the end, the search was not complete.
//!
//! With a [`Reduction`], all this holds for the reduced space, and no path is proved to be
//! cheapest, unless the reducer keeps the cheapest ones. A state that is expanded again keeps the
//! same transitions. Within a bound, the order is not quite depth-first: a state beyond it may be
//! expanded later on a cheaper path, after states on the costly path were left. So cycle conditions
//! that need the stack require a search without a bound.

use beeline_kernel::{Cost, Estimate, Expansion, Fault, Heuristic, Space, StateId, Stop};

use crate::algorithm::{Algorithm, SearchSetup, StartedSearch};
use crate::best_first_config::SuccessorOrder;
use crate::finding::FindingKind;
use crate::limits::Outcome;
use crate::query::SearchQuery;
use crate::reduction::{
    ChosenSets, CycleCondition, ExpansionPart, Reduction, Refusal, SuccessorStatus,
};
use crate::search_core::{SearchCore, StepSearch, load_path};
use crate::state_bits::StateBits;
use crate::stats::Stats;
use crate::store::chunked_vec::ChunkedVec;
use crate::store::{ExactStore, Inserted, ProbeBatch, StateStore};

/// The treatment of a cheaper path to an expanded state.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Revisit {
    /// Expand it again.
    #[default]
    WhenCheaper,
    /// Ignore the cheaper path.
    Never,
}

/// Which path ends the search.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum DfsGoal {
    /// Any path.
    #[default]
    Any,
    /// The cheapest path: the only hit is the cheapest so far.
    Cheapest,
}

/// The order of successors.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Branching {
    /// As generated.
    #[default]
    Forward,
    /// Reversed.
    Reversed,
    /// By increasing estimate; among equals, as generated.
    MostPromising,
}

impl From<SuccessorOrder> for Branching {
    fn from(successors: SuccessorOrder) -> Branching {
        match successors {
            SuccessorOrder::Forward => Branching::Forward,
            SuccessorOrder::Reversed => Branching::Reversed,
        }
    }
}

/// The configuration of a depth-first search.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct DfsConfig {
    /// The treatment of cheaper paths.
    pub revisit: Revisit,
    /// Which path ends the search.
    pub goal: DfsGoal,
    /// The order of successors.
    pub branching: Branching,
}

impl Algorithm for DfsConfig {
    fn start<'a, T: StateStore + 'a>(&self, setup: SearchSetup<'a>) -> StartedSearch<'a> {
        let SearchSetup { space, heuristics, query, reduction } = setup;
        let search = DepthFirst::<T>::with_store(space, heuristics.first, *self, query)?;
        Ok(match reduction {
            Some(reduction) => Box::new(search.with_reduction(reduction)?),
            None => Box::new(search),
        })
    }
}

/// A depth-first search, with the states kept in a store of type `T`.
pub struct DepthFirst<'a, T: StateStore = ExactStore> {
    core: SearchCore<'a>,
    config: DfsConfig,
    store: T,
    /// The cost at which each state was expanded last; [`NEVER`] if it was not expanded.
    expanded_at: ChunkedVec<u32>,
    /// The number of states that were expanded or are pruned.
    settled: usize,
    waiting: Vec<StackEntry>,
    /// The states from the initial one to the one expanded last.
    path: Vec<StateId>,
    /// The states on the path, if a reduction needs them.
    on_path: Option<StateBits>,
    /// The transitions that a reduction keeps.
    chosen_sets: ChosenSets,
    /// The cost bound.
    bound: u32,
    /// Whether there is a fault beyond the bound.
    has_missed: bool,
    work: Work,
}

const NEVER: u32 = u32::MAX;

/// An open state.
#[derive(Clone, Copy)]
struct StackEntry {
    id: StateId,
    g: u32,
    /// The least cost of any path through it.
    least: u32,
    /// Transitions from the initial state.
    depth: u32,
}

/// Data of the state that is being expanded. Kept to reuse its memory.
#[derive(Default)]
struct Work {
    expansion: Expansion,
    ahead: ProbeBatch,
    successors: Vec<StateId>,
    estimates: Vec<Estimate>,
    order: Vec<usize>,
}

impl<'a> DepthFirst<'a> {
    /// Stores the initial state, in an exact store.
    ///
    /// # Errors
    ///
    /// When the model fails before its first step: there is nothing to search.
    pub fn new<S: Space + ?Sized>(
        space: &'a S,
        heuristic: Box<dyn Heuristic + 'a>,
        config: DfsConfig,
        query: SearchQuery<'a>,
    ) -> Result<Self, Fault> {
        Self::with_store(space, heuristic, config, query)
    }
}

impl<'a, T: StateStore> DepthFirst<'a, T> {
    /// Stores the initial state, in a store of any type.
    ///
    /// # Errors
    ///
    /// When the model fails before its first step: there is nothing to search.
    pub fn with_store<S: Space + ?Sized>(
        space: &'a S,
        heuristic: Box<dyn Heuristic + 'a>,
        config: DfsConfig,
        query: SearchQuery<'a>,
    ) -> Result<Self, Fault> {
        let mut initial = Vec::new();
        let mut core = SearchCore::new(space, heuristic, query, &mut initial)?;
        let store: T = core.store_with(&initial);
        let (mut expanded_at, mut waiting, mut settled) = (ChunkedVec::new(), Vec::new(), 0);
        if !store.is_empty() {
            let estimate = core.estimate_initial(&initial);
            expanded_at.push(NEVER);
            if core.is_proven_dead_end(estimate) {
                settled = 1;
            } else {
                let id = StateId::new(0).expect("there is a first number");
                waiting.push(StackEntry { id, g: 0, least: 0, depth: 0 });
            }
        }
        let (bound, path, work) = (query.max_cost(), Vec::new(), Work::default());
        let has_missed = false;
        Ok(DepthFirst {
            core,
            config,
            store,
            expanded_at,
            settled,
            waiting,
            path,
            on_path: None,
            chosen_sets: ChosenSets::default(),
            bound,
            has_missed,
            work,
        })
    }

    /// Prunes transitions from now on. Called before the search begins.
    ///
    /// # Errors
    ///
    /// When it has begun, or there is a bound and the condition needs a stack.
    pub fn with_reduction(mut self, reduction: Reduction<'a>) -> Result<Self, Refusal> {
        let has_bound = self.core.query.limits.depth.is_some();
        let suited: &[CycleCondition] =
            if has_bound { &CycleCondition::WITHOUT_STACK } else { &CycleCondition::ALL };
        let reduction = reduction.suited(suited, self.core.stats.expanded)?;
        self.on_path = reduction.condition().needs_stack().then(StateBits::default);
        self.core.reduction = Some(Box::new(reduction));
        Ok(self)
    }

    /// Whether a state is searched when it is reached at this cost.
    #[inline]
    fn is_improvement(&self, id: StateId, g: u32) -> bool {
        let before = self.expanded_at.at(id.index());
        match self.config.revisit {
            Revisit::Never => before == NEVER,
            Revisit::WhenCheaper => g < before,
        }
    }

    fn expand(&mut self, next: StackEntry) -> Option<Outcome> {
        let StackEntry { id, g, .. } = next;
        if let Some(on_path) = &mut self.on_path {
            self.path[next.depth as usize..].iter().for_each(|&left| _ = on_path.take(left));
            on_path.add(id);
        }
        self.path.truncate(next.depth as usize);
        self.path.push(id);
        self.core.expander.expand_only(self.store.open(id), &mut self.work.expansion);
        self.core.count(g, &self.work.expansion);
        if self.expanded_at.at(id.index()) == NEVER {
            self.settled += 1;
        } else {
            self.core.stats.reopened += 1;
        }
        self.expanded_at.set(id.index(), g);
        if let Some(outcome) = self.inspect(g) {
            return Some(outcome);
        }
        if self.core.reduction.is_some() {
            self.reduce(id);
        }
        if !self.store_successors() {
            return Some(Outcome::Incomplete(Stop::Memory));
        }
        self.push_successors(next);
        self.core.check_memory(self.bytes())
    }

    /// Tests the last state of the path and its transitions for the target.
    fn inspect(&mut self, g: u32) -> Option<Outcome> {
        let target = self.core.query.target;
        let in_state = target.state_errors(&self.work.expansion).map(|kind| (kind, 0));
        let behind = target.transition_errors(&self.work.expansion);
        let mut all: Vec<(FindingKind, u32)> = in_state.chain(behind).collect();
        if self.config.goal == DfsGoal::Cheapest {
            all.sort_by_key(|&(_, steps)| steps);
        }
        let mut outcome = None;
        for (kind, steps) in all {
            if g.saturating_add(steps) > self.bound {
                self.has_missed = true;
                continue;
            }
            outcome = outcome.or(self.record_hit(kind));
        }
        outcome
    }

    /// Records a hit.
    fn record_hit(&mut self, kind: FindingKind) -> Option<Outcome> {
        if self.config.goal == DfsGoal::Cheapest {
            // The new hit is cheaper, otherwise it would be beyond the bound.
            self.core.hits.clear();
            self.core.paths.clear();
        }
        let mut state = Vec::new();
        self.store.load(self.path[self.path.len() - 1], &mut state);
        let (store, path) = (&self.store, &self.path);
        let outcome = self.core.record_hit(kind, &state, || load_path(store, path));
        if self.config.goal == DfsGoal::Any {
            return outcome;
        }
        match self.core.least_hit().checked_sub(1) {
            Some(bound) => {
                self.bound = bound;
                None
            }
            // No path is cheaper than one of cost 0.
            None => Some(Outcome::Found),
        }
    }

    /// Prunes unnecessary transitions of a state.
    fn reduce(&mut self, id: StateId) {
        let DepthFirst { core, store, chosen_sets, on_path, work: Work { expansion, .. }, .. } =
            self;
        let Some(reduction) = &mut core.reduction else { return };
        if let Some(choice) = chosen_sets.of(id) {
            reduction.cut_again(choice, store.open(id), expansion);
            return;
        }
        let part = ExpansionPart::whole(expansion);
        reduction.propose(store.open(id), &part);
        let choice = reduction.choose(&part, |state| {
            let Some(known) = store.find(state) else { return SuccessorStatus::New };
            if on_path.as_ref().is_some_and(|path| path.has(known)) {
                SuccessorStatus::OnStack
            } else if known == id || chosen_sets.of(known).is_some() {
                SuccessorStatus::Expanded
            } else {
                SuccessorStatus::Waiting
            }
        });
        chosen_sets.note(id, choice);
        reduction.cut(choice, expansion);
    }

    /// Stores the successors. Returns whether there was room for all of them.
    fn store_successors(&mut self) -> bool {
        let Work { expansion, ahead, successors, estimates, .. } = &mut self.work;
        self.store.prefetch_slots(&expansion.successors, ahead);
        self.store.prefetch_candidates(0..expansion.len(), ahead);
        let id = *self.path.last().expect("the state that is being expanded");
        self.core.estimate_all(self.store.open(id), expansion, estimates);
        successors.clear();
        let mut room = true;
        let (expanded_at, settled) = (&mut self.expanded_at, &mut self.settled);
        let (stats, is_safe) = (&mut self.core.stats, self.core.claims.safe);
        let all = 0..expansion.len();
        self.store.insert_batch(&expansion.successors, all, ahead, |inserted| match inserted {
            Inserted::New(new) => {
                expanded_at.push(NEVER);
                let hopeless = is_safe && estimates[successors.len()] == Estimate::DeadEnd;
                *settled += usize::from(hopeless);
                successors.push(new);
            }
            Inserted::Old(old) => {
                stats.matched += 1;
                successors.push(old);
            }
            // A step to a state on the path, such as this one, opens nothing.
            Inserted::Covered => {
                stats.matched += 1;
                successors.push(id);
            }
            Inserted::Full => room = false,
        });
        stats.generated += successors.len() as u64;
        room
    }

    /// Pushes the successors, so that the first one is on top.
    fn push_successors(&mut self, from: StackEntry) {
        let mut order = std::mem::take(&mut self.work.order);
        order.clear();
        order.extend(0..self.work.successors.len());
        match self.config.branching {
            Branching::Forward => order.reverse(),
            Branching::Reversed => {}
            Branching::MostPromising => {
                order.sort_by_key(|&at| self.work.estimates[at]);
                order.reverse();
            }
        }
        for &at in &order {
            let (id, estimate) = (self.work.successors[at], self.work.estimates[at]);
            let g = from.g.saturating_add(self.work.expansion.steps(at));
            let h = estimate.finite().filter(|_| self.core.claims.admissible);
            let least = h.map_or(g, |h| g.saturating_add(h.0));
            if least <= self.bound
                && !self.core.is_proven_dead_end(estimate)
                && self.is_improvement(id, g)
            {
                self.waiting.push(StackEntry { id, g, least, depth: from.depth + 1 });
            }
        }
        self.work.order = order;
    }

    /// The outcome when no state is open.
    fn conclude(&self) -> Outcome {
        if self.config.goal == DfsGoal::Cheapest && !self.core.hits.is_empty() {
            Outcome::Found
        } else if self.settled == self.store.len() && !self.has_missed {
            Outcome::Complete
        } else {
            Outcome::Incomplete(Stop::Depth)
        }
    }
}

impl<'a, T: StateStore> StepSearch<'a> for DepthFirst<'a, T> {
    fn name(&self) -> &'static str {
        "depth-first"
    }

    #[inline]
    fn core(&self) -> &SearchCore<'a> {
        &self.core
    }

    #[inline]
    fn core_mut(&mut self) -> &mut SearchCore<'a> {
        &mut self.core
    }

    fn step(&mut self) -> Option<Outcome> {
        let Some(next) = self.waiting.pop() else { return Some(self.conclude()) };
        // The state was reached on another path meanwhile, or the bound has fallen.
        if next.least > self.bound || !self.is_improvement(next.id, next.g) {
            return None;
        }
        self.expand(next)
    }

    fn stats(&self) -> Stats {
        self.core.stats_with(&self.store)
    }

    fn bytes(&self) -> usize {
        let waiting = self.waiting.capacity() * size_of::<StackEntry>();
        let path = self.path.capacity() * size_of::<StateId>();
        let reduction =
            self.chosen_sets.bytes() + self.on_path.as_ref().map_or(0, StateBits::bytes);
        self.store.bytes() + self.expanded_at.bytes() + waiting + path + reduction
    }

    /// A finished search for a cheapest path proves that its path is cheapest, if it revisits
    /// states.
    fn lower_bound(&self) -> Cost {
        let is_cheapest = self.config
            == DfsConfig { goal: DfsGoal::Cheapest, revisit: Revisit::WhenCheaper, ..self.config };
        let is_cheapest = is_cheapest && !self.core.prunes_cheapest();
        if is_cheapest && self.core.outcome() == Some(Outcome::Found) {
            return Cost(self.core.least_hit());
        }
        self.core.least_possible()
    }
}
