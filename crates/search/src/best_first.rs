//! Best-first search: of all states that wait, the most promising one is expanded next.
//!
//! One loop. Dijkstra's algorithm, A\*, weighted A\* and greedy search differ in their
//! [`BestFirstConfig`], and in nothing else. Where a method wants more than one list of those that wait,
//! a [`MultiOpenList`] has them.
//!
//! Source: [ELL00] §3.1, Table 3, and [EMJ05], Directed Search, section 4. A state that is
//! reached on a cheaper way is moved there, and expanded again if it was expanded already.
//!
//! Costs are what the space says a way costs: [`Expansion::steps`]. A search for the
//! fewest context switches or messages is this one on a space that counts those.
//!
//! Promises: [`Outcome::Complete`] only when every reachable state was expanded, except
//! behind dead ends of a heuristic that claims to be safe. Behind those of any other, the
//! search goes on when nothing else is left. With an admissible heuristic, A\* that tests
//! at expansion and reopens finds a cheapest path.
//!
//! With a [`Reduction`], all this is about the reduced space, and no path is known to be
//! cheapest. A state that is expanded again keeps the ways that it kept before.
//!
//! The variant that remembers states by a few bits is in `partial.rs` ([ELL00] §3.2).

mod bound;
mod estimate_table;
mod multi_heuristic;
mod multi_open_list;

use beeline_kernel::{Cost, Estimate, Expander, Expansion, Fault, Heuristic, Space};
use beeline_kernel::{StateId, Stop};

use crate::best_first_config::{
    BestFirstConfig, Evaluation, GoalTest, Reopening, SuccessorOrder, TieBreak,
};
use crate::fault_queue::FaultQueue;
use crate::finding::FindingKind;
use crate::improve::KnownPath;
use crate::limits::Outcome;
use crate::nodes::{Node, Nodes};
use crate::open_list::{BucketOpenList, Rank};
use crate::query::{AfterHit, SearchQuery};
use crate::reduction::{
    ChosenSets, CycleCondition, ExpansionPart, Reduction, Refusal, SuccessorStatus,
};
use crate::search::{GuidedSearch, PathImprover};
use crate::search_core::{SearchCore, StepSearch, load_all};
use crate::stats::Stats;
use crate::store::{ExactStore, Inserted, ProbeBatch, StateStore};

use estimate_table::EstimateTable;
use multi_open_list::MultiOpenList;

/// Known successors are estimated again when there is one among so many new ones.
const KNOWN: usize = 8;

/// A best-first search, with the states kept in a store of type `T`.
pub struct BestFirst<'a, T: StateStore = ExactStore> {
    core: SearchCore<'a>,
    config: BestFirstConfig,
    second: Option<EstimateTable<'a>>,
    /// Where there is one, it knows who waits, and nobody is in `open`.
    multi: Option<Box<MultiOpenList<'a>>>,
    store: T,
    nodes: Nodes,
    open: BucketOpenList,
    fault_queue: FaultQueue,
    /// Which ways are kept, if there is a reduction.
    chosen_sets: ChosenSets,
    work: Work,
}

/// What belongs to the state that is being expanded. Kept for its memory.
#[derive(Default)]
struct Work {
    expansion: Expansion,
    ahead: ProbeBatch,
    /// The successors, in order, and which of them are new.
    successors: Vec<(StateId, bool)>,
    /// Which places among them the new ones have.
    new: Vec<usize>,
    /// The new ones again.
    fresh: Expansion,
    estimates: Vec<Estimate>,
    state: Vec<u8>,
}

impl<'a> BestFirst<'a> {
    /// Stores and estimates the initial state, in an exact store.
    ///
    /// # Errors
    ///
    /// When the model fails before its first step: there is nothing to search.
    pub fn new<S: Space + ?Sized>(
        space: &'a S,
        heuristic: Box<dyn Heuristic + 'a>,
        config: BestFirstConfig,
        query: SearchQuery<'a>,
    ) -> Result<Self, Fault> {
        Self::with_store(space, heuristic, config, query)
    }
}

impl<'a, T: StateStore> BestFirst<'a, T> {
    /// Stores and estimates the initial state, in a store of any type.
    ///
    /// # Errors
    ///
    /// When the model fails before its first step: there is nothing to search.
    pub fn with_store<S: Space + ?Sized>(
        space: &'a S,
        heuristic: Box<dyn Heuristic + 'a>,
        config: BestFirstConfig,
        query: SearchQuery<'a>,
    ) -> Result<Self, Fault> {
        let mut initial = Vec::new();
        let core = SearchCore::new(space, heuristic, query, &mut initial)?;
        Ok(Self::with_core(core, config, &initial))
    }

    /// Stores and estimates a state from which the search sets out, with someone who expands
    /// it and what follows.
    pub fn from_state(
        expander: Box<dyn Expander + 'a>,
        state: &[u8],
        heuristic: Box<dyn Heuristic + 'a>,
        config: BestFirstConfig,
        query: SearchQuery<'a>,
    ) -> Self {
        Self::with_core(SearchCore::from_state(expander, state, heuristic, query), config, state)
    }

    fn with_core(mut core: SearchCore<'a>, config: BestFirstConfig, initial: &[u8]) -> Self {
        let store: T = core.store_with(initial);
        let (mut nodes, root) = (Nodes::new(), StateId::new(0).expect("there is a first number"));
        if !store.is_empty() {
            nodes.push(Node::new(0, root, core.estimate_initial(initial)));
        }
        let open = BucketOpenList::new(config.queue_order, config.tie_break != TieBreak::Nothing);
        let mut search = BestFirst {
            core,
            config,
            second: None,
            multi: None,
            store,
            nodes,
            open,
            fault_queue: FaultQueue::default(),
            chosen_sets: ChosenSets::default(),
            work: Work::default(),
        };
        if !search.store.is_empty() {
            search.queue(root);
        }
        if config.diversification.is_none() { search } else { search.with_heuristics(Vec::new()) }
    }

    /// The states from the initial one to this one, both included, if it was reached.
    pub(crate) fn path_to(&mut self, state: &[u8]) -> Option<Vec<Vec<u8>>> {
        let Inserted::Old(id) = self.store.insert(state) else { return None };
        Some(load_all(&self.store, &self.nodes.path_to(id)))
    }

    /// Decides between states with equal `f` by this heuristic. Called before the search
    /// begins, and without effect unless the method says [`TieBreak::Heuristic`].
    pub fn with_tie_breaker(mut self, heuristic: Box<dyn Heuristic + 'a>) -> Self {
        let root = StateId::new(0).expect("there is a first number");
        if self.nodes.len() == 1 {
            self.second = Some(EstimateTable::new(heuristic, self.store.open(root)));
            // The initial state waits alone. Its place does not matter, but it must be known.
            if self.open.pop().is_some() {
                self.queue(root);
            }
        }
        self
    }

    /// Leaves out ways from now on. Called before the search begins.
    ///
    /// # Errors
    ///
    /// When it has begun, or the condition needs a stack: there is none.
    pub fn with_reduction(mut self, reduction: Reduction<'a>) -> Result<Self, Refusal> {
        let expanded = self.core.stats.expanded;
        let reduction = reduction.suited(&CycleCondition::WITHOUT_STACK, expanded)?;
        self.core.reduction = Some(Box::new(reduction));
        Ok(self)
    }

    /// The place of a state among those that wait.
    #[inline]
    fn rank(&self, id: StateId, node: Node) -> Rank {
        self.rank_by(node.estimate(), id, node)
    }

    /// The same by any estimate.
    #[inline]
    fn rank_by(&self, estimate: Estimate, id: StateId, node: Node) -> Rank {
        let Estimate::Finite(h) = estimate else { return Rank::LAST };
        let tie = match self.config.tie_break {
            TieBreak::Nothing => 0,
            TieBreak::LowH => h.0,
            TieBreak::LowG => node.g,
            TieBreak::Heuristic => self.second.as_ref().map_or(0, |second| second.number(id)),
        };
        Rank { f: self.config.ranking.rank(node.g, h.0), tie }
    }

    /// Lets a state wait, unless nothing can come of it.
    #[inline]
    fn queue(&mut self, id: StateId) {
        let node = self.nodes.at(id);
        if self.is_cut(node) || self.is_proven_dead_end(id, node) {
            return;
        }
        if self.multi.is_some() {
            return self.push_to_lists(id, node);
        }
        let rank = self.rank(id, node);
        self.open.push(rank, id);
    }

    /// Whether nothing that is looked for lies behind a state.
    #[inline]
    fn is_proven_dead_end(&self, id: StateId, node: Node) -> bool {
        self.core.is_proven_dead_end(node.estimate())
            || self.multi.as_ref().is_some_and(|multi| multi.is_proven_dead_end(id))
    }

    /// Expands a state and takes in what follows it.
    fn expand(&mut self, id: StateId) -> Option<Outcome> {
        let mut node = self.nodes.at(id);
        if self.config.evaluation == Evaluation::Lazy && id.index() > 0 {
            let estimate = self.core.estimate(self.store.open(id));
            node = Node::new(node.g, node.parent, estimate);
            self.nodes.set(id, node);
            if self.multi.is_some() {
                self.reevaluate(id, node);
            }
            if self.is_proven_dead_end(id, node) {
                return None;
            }
        }
        // Unless a successor is better, this one has the next turn.
        if let Some(next) = self.open.peek() {
            self.store.prefetch_state(next);
            self.nodes.prefetch(next);
        }
        let state = self.store.open(id);
        self.core.expander.expand_only(state, &mut self.work.expansion);
        self.core.count(node.g, &self.work.expansion);
        if let Some(outcome) = self.inspect(id, node) {
            return Some(outcome);
        }
        if self.core.reduction.is_some() {
            self.reduce(id);
        }
        if let Some(multi) = &mut self.multi {
            let state = self.store.open(id);
            multi.ask_preferences(&mut *self.core.heuristic, state, &self.work.expansion);
        }
        // Whoever returns early leaves the state open: not all that follows it is known.
        let room = self.store_successors();
        self.work.estimates.clear();
        if room && (self.config.evaluation == Evaluation::Eager || self.second.is_some()) {
            self.evaluate_new(id);
        }
        self.add_nodes(id, node);
        if !room {
            return Some(Outcome::Incomplete(Stop::Memory));
        }
        if self.multi.is_some() {
            self.add_new_nodes(id, node);
        }
        self.nodes.set(id, node.closed());
        if let Some(outcome) = self.take_successors(id, node) {
            self.nodes.set(id, node.opened());
            return Some(outcome);
        }
        self.core.check_memory(self.bytes())
    }

    /// Looks for the target in and behind a state that was expanded.
    fn inspect(&mut self, id: StateId, node: Node) -> Option<Outcome> {
        let Expansion { deadlock, violated_invariants, faults, .. } = &self.work.expansion;
        if !deadlock && violated_invariants.is_empty() && faults.is_empty() {
            return None;
        }
        let target = self.core.query.target;
        let mut outcome = None;
        let in_state: Vec<FindingKind> = target.state_errors(&self.work.expansion).collect();
        for kind in in_state {
            outcome = outcome.or(self.record_hit(kind, id));
        }
        for index in 0..self.work.expansion.faults.len() {
            let failure = self.work.expansion.faults[index];
            let kind = FindingKind::Fault(failure.fault);
            if !target.includes(kind) {
                continue;
            }
            if self.config.goal_test == GoalTest::Generation {
                outcome = outcome.or(self.record_hit(kind, id));
                continue;
            }
            let g = node.g.saturating_add(failure.steps);
            if g > self.core.query.most() {
                continue;
            }
            let f = self.config.ranking.rank(g, 0);
            // Where the first one is the end, only the best one will ever have its turn.
            let best = self.fault_queue.best();
            if self.core.query.after_hit != AfterHit::Stop || best.is_none_or(|best| (f, g) < best)
            {
                self.fault_queue.push(f, g, id, failure.fault);
            }
        }
        outcome
    }

    /// Takes note of a hit.
    fn record_hit(&mut self, kind: FindingKind, id: StateId) -> Option<Outcome> {
        let BestFirst { core, store, nodes, .. } = self;
        store.load(id, &mut self.work.state);
        let is_first = core.hits.is_empty();
        let outcome =
            core.record_hit(kind, &self.work.state, || load_all(store, &nodes.path_to(id)));
        // Hits that come later may not be kept, and then nobody knows what they cost.
        if is_first && !self.core.hits.is_empty() && outcome.is_none() {
            self.core.proved = self.lower_bound();
        }
        outcome
    }

    /// Leaves out those ways from a state that are not needed.
    fn reduce(&mut self, id: StateId) {
        let BestFirst { core, store, chosen_sets, work: Work { expansion, .. }, .. } = self;
        let Some(reduction) = &mut core.reduction else { return };
        if let Some(choice) = chosen_sets.of(id) {
            reduction.cut_again(choice, store.open(id), expansion);
            return;
        }
        let part = ExpansionPart::whole(expansion);
        reduction.propose(store.open(id), &part);
        let choice = reduction.choose(&part, |state| match store.find(state) {
            None => SuccessorStatus::New,
            Some(known) if known == id || chosen_sets.of(known).is_some() => {
                SuccessorStatus::Expanded
            }
            Some(_) => SuccessorStatus::Waiting,
        });
        chosen_sets.note(id, choice);
        reduction.cut(choice, expansion);
    }

    /// Says whether there was room for all of them.
    fn store_successors(&mut self) -> bool {
        let Work { expansion, ahead, successors, new, .. } = &mut self.work;
        self.store.prefetch_slots(&expansion.successors, ahead);
        self.store.prefetch_candidates(0..expansion.len(), ahead);
        successors.clear();
        new.clear();
        let mut room = true;
        let (nodes, stats) = (&self.nodes, &mut self.core.stats);
        let all = 0..expansion.len();
        self.store.insert_batch(&expansion.successors, all, ahead, |inserted| match inserted {
            Inserted::New(child) => {
                new.push(successors.len());
                successors.push((child, true));
            }
            Inserted::Old(old) => {
                // What it costs is compared after the new ones were estimated.
                nodes.prefetch(old);
                stats.matched += 1;
                successors.push((old, false));
            }
            Inserted::Full => room = false,
        });
        stats.generated += successors.len() as u64;
        room
    }

    /// Estimates the new successors of a state.
    fn evaluate_new(&mut self, id: StateId) {
        let Work { expansion, successors, new, fresh, estimates, .. } = &mut self.work;
        if new.is_empty() {
            return;
        }
        // Where few are known, to estimate them again takes less than to leave them out.
        let takes_all = new.len() + new.len() / KNOWN >= expansion.len()
            && self.second.is_none()
            && self.multi.is_none();
        let some = if takes_all || new.len() == expansion.len() {
            &*expansion
        } else {
            fresh.clear();
            for &at in &*new {
                fresh.push_with_cost(expansion.steps(at), expansion.state(at));
            }
            &*fresh
        };
        let state = self.store.open(id);
        if let Some(second) = &mut self.second {
            second.add(state, some, estimates);
        }
        if self.config.evaluation == Evaluation::Lazy {
            estimates.clear();
            return;
        }
        if let Some(multi) = &mut self.multi {
            multi.add(state, some, estimates);
            self.core.stats.evaluated += (multi.others() * new.len()) as u64;
        }
        self.core.heuristic.estimate_all(state, some, estimates);
        if estimates.len() > new.len() {
            let mut all = successors.iter();
            estimates.retain(|_| all.next().is_some_and(|(_, is_new)| *is_new));
        }
        self.core.stats.evaluate(estimates);
    }

    /// Takes note of the new successors of a state. Those that have no estimate of their own,
    /// yet, have that of the state.
    fn add_nodes(&mut self, from: StateId, node: Node) {
        let Work { expansion, new, estimates, .. } = &self.work;
        for (number, &at) in new.iter().enumerate() {
            let g = node.g.saturating_add(expansion.steps(at));
            let estimate = estimates.get(number).copied().unwrap_or(node.estimate());
            self.nodes.push(Node::new(g, from, estimate));
        }
    }

    /// Lets the successors wait, and moves those to which the way is cheaper now.
    fn take_successors(&mut self, from: StateId, node: Node) -> Option<Outcome> {
        let count = self.work.successors.len();
        for turn in 0..count {
            let at = match self.config.successor_order {
                SuccessorOrder::Forward => turn,
                SuccessorOrder::Reversed => count - 1 - turn,
            };
            let (id, is_new) = self.work.successors[at];
            let g = node.g.saturating_add(self.work.expansion.steps(at));
            if !is_new {
                let multi = self.multi.as_mut();
                let is_better = multi.is_some_and(|multi| multi.reached_by(id, at));
                if g < self.nodes.at(id).g {
                    self.reach_again(id, g, from, node.estimate());
                }
                if is_better && !self.nodes.at(id).is_closed() {
                    self.queue(id);
                }
                continue;
            }
            self.queue(id);
            if self.config.goal_test == GoalTest::Generation
                && g <= self.core.query.max_cost()
                && let Some(outcome) = self.probe(id)
            {
                return Some(outcome);
            }
        }
        None
    }

    /// A stored state was reached at this cost, which is less than before, from a state with
    /// this estimate.
    fn reach_again(&mut self, id: StateId, g: u32, from: StateId, parent_estimate: Estimate) {
        let old = self.nodes.at(id);
        if old.is_closed() {
            if self.config.reopening == Reopening::Always {
                self.core.stats.reopened += 1;
                self.nodes.set(id, old.moved(g, from).opened());
                self.queue(id);
            }
            return;
        }
        let mut node = old.moved(g, from);
        if self.config.evaluation == Evaluation::Lazy {
            node = Node::new(g, from, old.estimate().min(parent_estimate));
        }
        self.nodes.set(id, node);
        // Greedy search does not care about costs: it waits where it is, if it waits.
        if self.is_cut(old) || self.rank(id, node) != self.rank(id, old) {
            self.queue(id);
        }
    }

    /// Expands a new state for a look. What lies behind it is no business of ours yet.
    fn probe(&mut self, id: StateId) -> Option<Outcome> {
        let mut look = Expansion::default();
        self.core.expander.expand_only(self.store.open(id), &mut look);
        let in_state: Vec<FindingKind> = self.core.query.target.state_errors(&look).collect();
        in_state.into_iter().find_map(|kind| self.record_hit(kind, id))
    }
}

impl<'a, T: StateStore> StepSearch<'a> for BestFirst<'a, T> {
    fn name(&self) -> &'static str {
        "best-first"
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
        if let Some((state, fault)) = self.fault_queue.pop(|| self.open.least()) {
            return self.record_hit(FindingKind::Fault(fault), state);
        }
        let next = if self.multi.is_some() { self.pop_from_lists() } else { self.open.pop() };
        let Some((rank, id)) = next else {
            return Some(self.conclude());
        };
        let node = self.nodes.at(id);
        // An entry that was left behind: the state has had its turn, or has another place.
        if node.is_closed() || self.rank(id, node) != rank || self.is_cut(node) {
            return None;
        }
        self.expand(id)
    }

    fn stats(&self) -> Stats {
        self.core.stats_with(&self.store)
    }

    fn bytes(&self) -> usize {
        let multi = self.multi.as_ref().map_or(0, |multi| multi.bytes());
        let second = self.second.as_ref().map_or(0, EstimateTable::bytes) + multi;
        let waiting = self.open.bytes() + self.fault_queue.bytes();
        self.store.bytes() + self.nodes.bytes() + self.chosen_sets.bytes() + waiting + second
    }

    fn lower_bound(&self) -> Cost {
        self.least_cost()
    }

    fn as_guided(&self) -> Option<&dyn GuidedSearch> {
        Some(self)
    }
}

impl<T: StateStore> GuidedSearch for BestFirst<'_, T> {
    fn nearest(&self) -> Option<(Cost, Vec<Vec<u8>>)> {
        let estimates = self.nodes.iter().enumerate();
        let finite =
            estimates.filter_map(|(at, node)| Some((node.estimate().finite()?, node.g, at)));
        let (h, _, at) = finite.min()?;
        let id = StateId::new(at).expect("it is stored, so it has an id");
        Some((h, load_all(&self.store, &self.nodes.path_to(id))))
    }
}

impl<T: StateStore> PathImprover for BestFirst<'_, T> {
    fn follow(&mut self, known: &KnownPath) {
        self.core.query.tighten(known.cost());
    }
}
