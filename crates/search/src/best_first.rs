//! Best-first search: of all open states, the most promising one is expanded next.
//!
//! One loop, [`BestFirstLoop`]: `step` takes the next entry of the open list, `expand` expands its
//! state, `generate_successors` evaluates the new successors and opens them. Dijkstra's algorithm,
//! A\*, weighted A\* and greedy search differ in their [`BestFirstConfig`] only. The [`OpenList`]
//! determines the next state, the [`ClosedList`] recognises known states: [`BestFirst`] stores all
//! states, [`PartialSearch`](crate::PartialSearch) keeps a hash of the closed ones.
//!
//! Source: [ELL00] §3.1, Table 3, and [EMJ05], Directed Search, section 4. A state that is
//! reached at less cost gets a new parent, and is reopened if it was closed.
//!
//! Costs are those of the space: [`Expansion::steps`]. To minimise context switches or messages,
//! run this search on a space with these costs.
//!
//! Promises: [`Outcome::Complete`] only when every reachable state was expanded, except those
//! after dead ends of a heuristic that claims to be safe. Dead ends of any other heuristic are
//! expanded last. With an admissible heuristic, A\* that tests at expansion and reopens finds a
//! cheapest path.
//!
//! With a [`Reduction`], all this holds for the reduced space, and no path is proved to be
//! cheapest, unless the reducer keeps the cheapest ones. A state that is expanded again keeps the
//! transitions that it kept before.

mod bound;
mod closed_list;
mod estimate_table;
mod evaluation;
mod evaluators;
mod stored_states;
mod with_store;

use beeline_kernel::{Cost, Estimate, Expansion, SplitMix64, StateId, Stop};

use crate::best_first_config::{
    BestFirstConfig, Evaluation, GoalTest, Reopening, SuccessorOrder, TieBreak,
};
use crate::fault_queue::FaultQueue;
use crate::finding::FindingKind;
use crate::limits::Outcome;
use crate::nodes::SearchNode;
use crate::open_list::{OpenEntry, OpenList};
use crate::query::AfterHit;
use crate::reduction::{ChosenSets, ExpansionPart};
use crate::search::GuidedSearch;
use crate::search_core::{SearchCore, StepSearch};
use crate::stats::Stats;
use crate::visited::Omissions;

use bound::is_cut;
use evaluation::{new_node, rank};
use evaluators::Evaluators;

pub(crate) use closed_list::{ClosedList, NewSuccessor, Reached, RunEnd};
pub(crate) use stored_states::StoredStates;
pub use with_store::BestFirst;

/// Best-first search with a closed list and an open list.
pub struct BestFirstLoop<'a, C: ClosedList, O: OpenList> {
    core: SearchCore<'a>,
    config: BestFirstConfig,
    closed: C,
    open: O,
    evaluators: Evaluators<'a>,
    /// Faults that are not reported yet; they are ranked like states of estimate 0.
    fault_queue: FaultQueue,
    /// The transitions that a reduction keeps.
    chosen_sets: ChosenSets,
    rng: SplitMix64,
    work: Work,
}

/// Data of the state that is being expanded. Kept to reuse its memory.
#[derive(Default)]
struct Work {
    expansion: Expansion,
    /// The transitions that lead to new states.
    new: Vec<usize>,
    /// The new successors, if they are estimated without the others.
    fresh: Expansion,
    /// Their estimates; empty if they have the estimate of the expanded state for now.
    estimates: Vec<Estimate>,
    state: Vec<u8>,
}

impl<'a, C: ClosedList, O: OpenList> BestFirstLoop<'a, C, O> {
    /// A search with these lists, which are empty.
    pub(crate) fn with_lists(
        core: SearchCore<'a>,
        config: BestFirstConfig,
        closed: C,
        open: O,
    ) -> Self {
        BestFirstLoop {
            core,
            closed,
            open,
            evaluators: Evaluators::default(),
            fault_queue: FaultQueue::default(),
            chosen_sets: ChosenSets::default(),
            rng: SplitMix64::new(config.diversification.seed),
            config,
            work: Work::default(),
        }
    }

    /// The closed list, for configuration before the search begins.
    pub(crate) fn closed_mut(&mut self) -> &mut C {
        &mut self.closed
    }

    /// Estimates the initial state and opens it.
    pub(crate) fn open_initial(&mut self) {
        let estimate = self.core.estimate_initial(self.closed.initial());
        let is_dead_end = self.core.is_proven_dead_end(estimate);
        if let Some(id) = self.closed.open_initial(estimate, is_dead_end) {
            self.push_unless_cut(id);
        }
    }

    /// The next entry of the open list, which may be outdated.
    fn next_entry(&mut self) -> Option<OpenEntry> {
        let BestFirstLoop { core, config, closed, open, evaluators, rng, .. } = self;
        open.pop(rng, |id| {
            let node = closed.node(id);
            node.is_closed()
                || is_cut(core, config, node)
                || core.is_proven_dead_end(node.estimate())
                || evaluators.is_proven_dead_end(id)
        })
    }

    /// The node of an entry, unless the entry is outdated or its state is closed.
    #[inline]
    fn fetch(&mut self, entry: OpenEntry) -> Option<SearchNode> {
        let BestFirstLoop { core, config, closed, .. } = self;
        let tie = if config.tie_break == TieBreak::Heuristic { closed.tie(entry.id) } else { 0 };
        closed.fetch(entry.id, |node| {
            let is_current = |inserted| inserted == rank(config, node.estimate(), node.g, || tie);
            entry.rank.is_none_or(is_current) && !is_cut(core, config, node)
        })
    }

    /// Expands a state and opens its successors.
    fn expand(&mut self, id: StateId, node: SearchNode) -> Option<Outcome> {
        let node = self.evaluate_lazily(id, node)?;
        self.prefetch_next();
        let Some(parent) = self.closed.begin(node, &self.core.query) else {
            return Some(Outcome::Incomplete(Stop::Memory));
        };
        self.core.expander.expand_only(self.closed.state(), &mut self.work.expansion);
        self.core.count(node.g, &self.work.expansion);
        self.test_goals(parent, node)
            .or_else(|| self.generate_successors(parent, node))
            .or_else(|| self.core.check_memory(self.bytes()))
    }

    /// Finds, evaluates and opens the successors of the current state.
    fn generate_successors(&mut self, parent: StateId, node: SearchNode) -> Option<Outcome> {
        self.reduce(parent);
        self.ask_preferences();
        let Work { expansion, new, .. } = &mut self.work;
        new.clear();
        let has_room = self.closed.generate(expansion, new, &mut self.core.stats);
        self.work.estimates.clear();
        if has_room {
            self.evaluate_new();
        }
        self.record_new(parent, node);
        if !has_room {
            // The state stays open: not all of its successors are known.
            return Some(Outcome::Incomplete(Stop::Memory));
        }
        self.closed.close(node);
        let outcome = self.open_successors(parent, node);
        if outcome.is_some() {
            self.closed.reopen(node);
        }
        outcome
    }

    /// Prefetches the state that is expanded next, unless a successor is better.
    #[inline]
    fn prefetch_next(&self) {
        if let Some(next) = self.open.peek() {
            self.closed.prefetch(next);
        }
    }

    /// Tests the current state and its faults for the target.
    fn test_goals(&mut self, parent: StateId, node: SearchNode) -> Option<Outcome> {
        let Expansion { deadlock, violated_invariants, faults, .. } = &self.work.expansion;
        if !deadlock && violated_invariants.is_empty() && faults.is_empty() {
            return None;
        }
        let target = self.core.query.target;
        let errors: Vec<FindingKind> = target.state_errors(&self.work.expansion).collect();
        let mut outcome = None;
        for kind in errors {
            outcome = outcome.or(self.record_hit(kind, parent));
        }
        for index in 0..self.work.expansion.faults.len() {
            let failure = self.work.expansion.faults[index];
            let kind = FindingKind::Fault(failure.fault);
            if !target.includes(kind) {
                continue;
            }
            if self.config.goal_test == GoalTest::Generation {
                outcome = outcome.or(self.record_hit(kind, parent));
                continue;
            }
            let g = node.g.saturating_add(failure.steps);
            let f = self.config.ranking.rank(g, 0);
            // If the search ends with the first hit, only the best fault is ever reported.
            let best = self.fault_queue.best();
            let is_wanted = self.core.query.after_hit != AfterHit::Stop
                || best.is_none_or(|best| (f, g) < best);
            if g <= self.core.query.most() && is_wanted {
                self.fault_queue.push(f, g, parent, failure.fault);
            }
        }
        outcome
    }

    /// Records a hit in an expanded state.
    fn record_hit(&mut self, kind: FindingKind, parent: StateId) -> Option<Outcome> {
        let BestFirstLoop { core, closed, work, .. } = self;
        closed.load(parent, &mut work.state);
        let is_first = core.hits.is_empty();
        let outcome = core.record_hit(kind, &work.state, || closed.path(parent));
        self.update_bound(is_first, outcome);
        outcome
    }

    /// Keeps the lower bound of the first hit: later hits may be dropped, and then their cost is
    /// unknown.
    fn update_bound(&mut self, is_first: bool, outcome: Option<Outcome>) {
        if is_first && !self.core.hits.is_empty() && outcome.is_none() {
            self.core.proved = self.lower_bound();
        }
    }

    /// Prunes unnecessary transitions of the current state.
    fn reduce(&mut self, id: StateId) {
        let BestFirstLoop { core, closed, chosen_sets, work: Work { expansion, .. }, .. } = self;
        let Some(reduction) = &mut core.reduction else { return };
        if let Some(choice) = chosen_sets.of(id) {
            reduction.cut_again(choice, closed.state(), expansion);
            return;
        }
        let part = ExpansionPart::whole(expansion);
        reduction.propose(closed.state(), &part);
        let choice = reduction.choose(&part, |state| closed.status(state, chosen_sets));
        chosen_sets.note(id, choice);
        reduction.cut(choice, expansion);
    }

    /// Opens the new successors, and improves the paths to known ones.
    fn open_successors(&mut self, parent: StateId, node: SearchNode) -> Option<Outcome> {
        let count = self.work.expansion.len();
        for turn in 0..count {
            let at = match self.config.successor_order {
                SuccessorOrder::Forward => turn,
                SuccessorOrder::Reversed => count - 1 - turn,
            };
            match self.closed.reached(&self.work.expansion, at, &mut self.core.stats) {
                Reached::New(number) => {
                    let cost = self.closed.cost(&self.work.expansion, at);
                    let estimate = self.work.estimates.get(number).copied();
                    let new = new_node(parent, node, cost, estimate);
                    if let Some(outcome) = self.open_new(new, number, at) {
                        return Some(outcome);
                    }
                }
                Reached::Known(id) => self.reach_again(id, parent, node, at),
                Reached::Closed => {}
            }
        }
        None
    }

    /// Opens a new successor, unless it is a dead end or beyond the limits.
    fn open_new(&mut self, node: SearchNode, number: usize, at: usize) -> Option<Outcome> {
        let BestFirstLoop { core, config, closed, evaluators, work, .. } = self;
        let successor = NewSuccessor { state: work.expansion.state(at), node, at, number };
        let is_dead_end =
            core.is_proven_dead_end(node.estimate()) || evaluators.is_new_dead_end(number);
        let is_too_deep = node.g > core.query.max_cost();
        let id = if is_dead_end || is_cut(core, config, node) {
            closed.leave_out(successor, is_too_deep && !is_dead_end)
        } else {
            let Some(id) = closed.open(successor, &mut core.stats) else {
                return Some(Outcome::Incomplete(Stop::Memory));
            };
            self.push(id, node);
            Some(id)
        };
        if self.config.goal_test == GoalTest::Generation && !is_too_deep {
            return id.and_then(|id| self.probe(id, at));
        }
        None
    }

    /// Tests a new state for the target by expanding it. This is not counted.
    fn probe(&mut self, id: StateId, at: usize) -> Option<Outcome> {
        let mut expansion = Expansion::default();
        self.core.expander.expand_only(self.work.expansion.state(at), &mut expansion);
        let errors: Vec<FindingKind> = self.core.query.target.state_errors(&expansion).collect();
        errors.into_iter().find_map(|kind| {
            let BestFirstLoop { core, closed, work, .. } = &mut *self;
            let is_first = core.hits.is_empty();
            let state = work.expansion.state(at);
            let outcome = core.record_hit(kind, state, || closed.path_to_new(id));
            self.update_bound(is_first, outcome);
            outcome
        })
    }

    /// A transition of the current state leads to a known state.
    #[inline]
    fn reach_again(&mut self, id: StateId, parent: StateId, node: SearchNode, at: usize) {
        let is_preferred_now = self.evaluators.reached_by(id, at);
        let g = node.g.saturating_add(self.closed.cost(&self.work.expansion, at));
        let old = self.closed.node(id);
        if g < old.g {
            let mut new = old.moved(g, parent);
            if !old.is_closed() && self.config.evaluation == Evaluation::Lazy {
                new = SearchNode::new(g, parent, old.estimate().min(node.estimate()));
            }
            self.improve(id, old, new, at);
        }
        let is_promising = self.inherit(id, parent, node);
        if (is_preferred_now || is_promising) && !self.closed.node(id).is_closed() {
            self.push_unless_cut(id);
        }
    }

    /// A greedy search with lazy evaluation ranks an open state by its best parent so far: returns
    /// whether the current state is a better one.
    fn inherit(&mut self, id: StateId, parent: StateId, node: SearchNode) -> bool {
        let old = self.closed.node(id);
        let is_lazy = self.config.evaluation == Evaluation::Lazy;
        if !is_lazy || !self.config.ranking.is_greedy() || old.is_closed() {
            return false;
        }
        let mut is_better = self.evaluators.inherit(id, parent);
        if node.estimate() < old.estimate() {
            let new = SearchNode::new(old.g, old.parent, node.estimate());
            self.closed.rank_again(id, new, !self.is_left_out(id, new));
            is_better = true;
        }
        is_better
    }

    /// A known state was reached at less cost.
    fn improve(&mut self, id: StateId, old: SearchNode, mut new: SearchNode, at: usize) {
        if old.is_closed() {
            if self.config.reopening == Reopening::Never {
                return;
            }
            self.core.stats.reopened += 1;
            new = new.opened();
        }
        let BestFirstLoop { core, config, closed, .. } = self;
        let rank_of = |node: SearchNode| rank(config, node.estimate(), node.g, || closed.tie(id));
        // Greedy search ignores costs: an open state keeps its entry.
        let is_moved = old.is_closed() || is_cut(core, config, old) || rank_of(new) != rank_of(old);
        let is_pushed = is_moved && !self.is_left_out(id, new);
        self.closed.improve(id, new, at, is_pushed);
        if is_pushed {
            self.push(id, new);
        }
    }

    /// Whether a state is beyond the limits or a dead end.
    fn is_left_out(&self, id: StateId, node: SearchNode) -> bool {
        is_cut(&self.core, &self.config, node) || self.is_proven_dead_end(id, node)
    }

    /// Whether it is proved that no target is reachable from a state.
    #[inline]
    fn is_proven_dead_end(&self, id: StateId, node: SearchNode) -> bool {
        self.core.is_proven_dead_end(node.estimate()) || self.evaluators.is_proven_dead_end(id)
    }

    /// Pushes a state to the open list, unless it is beyond the limits or a dead end.
    fn push_unless_cut(&mut self, id: StateId) {
        let node = self.closed.node(id);
        if !self.is_left_out(id, node) {
            self.push(id, node);
        }
    }

    /// No state is open: the search is over, or starts again.
    fn end_run(&mut self) -> Option<Outcome> {
        let has_shortened =
            self.core.query.after_hit == AfterHit::Shorten && !self.core.hits.is_empty();
        if C::IS_EXACT && has_shortened {
            return Some(Outcome::Found);
        }
        let is_cut = self.unexpanded().any(|node| is_cut(&self.core, &self.config, node));
        match self.closed.end_run(is_cut) {
            RunEnd::Over(outcome) => Some(outcome),
            RunEnd::Restarted => {
                self.open_initial();
                None
            }
        }
    }
}

impl<'a, C: ClosedList, O: OpenList> StepSearch<'a> for BestFirstLoop<'a, C, O> {
    fn name(&self) -> &'static str {
        C::NAME
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
        if let Some((parent, fault)) = self.fault_queue.pop(|| self.open.least_f()) {
            return self.record_hit(FindingKind::Fault(fault), parent);
        }
        let Some(entry) = self.next_entry() else { return self.end_run() };
        let node = self.fetch(entry)?;
        self.expand(entry.id, node)
    }

    fn stats(&self) -> Stats {
        let stats = self.closed.stats(self.core.stats);
        if C::IS_EXACT { self.core.with_effort(stats) } else { stats }
    }

    fn bytes(&self) -> usize {
        let open = self.open.bytes() + self.fault_queue.bytes();
        self.closed.bytes() + open + self.chosen_sets.bytes() + self.evaluators.bytes()
    }

    fn lower_bound(&self) -> Cost {
        self.least_cost()
    }

    fn omissions(&self) -> Option<Omissions> {
        self.closed.omissions()
    }

    fn as_guided(&self) -> Option<&dyn GuidedSearch> {
        Some(self)
    }
}
