//! Partial best-first search: the states that wait are known in full, of those that were
//! expanded a set keeps a few bits or a fingerprint, and a link to where they came from.
//!
//! With the rankings of [`BestFirstConfig`], this is Partial A\*, partial greedy search and so on; with
//! the least moves first, breadth-first search.
//!
//! A state is added to the set when it is expanded, and looked up there when it is generated.
//! So one that waits takes no bits, and is found again without fail: a cheaper way to it is
//! noticed. One that was expanded is never opened again, since the set cannot tell it from
//! others, nor what the way to it cost. The way to a hit is had by executing the moves of its
//! links again.
//!
//! With more than one run, everything is done again with another seed, and hits are gathered.
//!
//! Source: [ELL00] §3.2 and §3.3; [EMJ05], State Compaction and Incremental Hashing, section 3
//! (Partial A\*). Deviation: a state that waits is moved when a cheaper way to it is found.
//!
//! Promises: what it finds is there. It never ends as [`Outcome::Complete`]: having expanded
//! everything that the set did not hide, it ends as [`Stop::LossyStore`]. Nothing is proved
//! about costs but what the estimate of the initial state says.

mod links;
mod open_states;

use beeline_kernel::{Blind, Estimate, Expander, Expansion, Fault, Heuristic, Space};
use beeline_kernel::{StateId, Stop};

use crate::best_first_config::{BestFirstConfig, Evaluation, GoalTest, SuccessorOrder, TieBreak};
use crate::fault_queue::FaultQueue;
use crate::finding::FindingKind;
use crate::limits::Outcome;
use crate::nodes::Node;
use crate::open_list::{BucketOpenList, Rank};
use crate::query::{AfterHit, SearchQuery};
use crate::search_core::{SearchCore, StepSearch};
use crate::stats::Stats;
use crate::visited::{Omissions, RestartSchedule, Restarts, Seen, Visited};

use links::Links;
use open_states::{OpenState, OpenStates};

/// What a way costs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Price {
    /// What the space says.
    Steps,
    /// One.
    Move,
}

/// A best-first search with the expanded states in a set of type `V`, which may overlook some.
pub struct PartialSearch<'a, V: Visited> {
    core: SearchCore<'a>,
    config: BestFirstConfig,
    price: Price,
    second: Option<Box<dyn Heuristic + 'a>>,
    /// Finds ways again.
    guide: Box<dyn Expander + 'a>,
    initial: Vec<u8>,
    visited: V,
    waiting: OpenStates,
    open: BucketOpenList,
    links: Links,
    fault_queue: FaultQueue,
    runs: RestartSchedule,
    /// What this run has probably overlooked so far.
    overlooked: f64,
    /// The most states of a run before.
    most_stored: usize,
    /// Whether there was a state beyond the depth limit.
    has_missed: bool,
    work: Work,
}

/// What belongs to the state that is being expanded. Kept for its memory.
#[derive(Default)]
struct Work {
    expansion: Expansion,
    /// Which successors seem to be new, and those again.
    new: Vec<usize>,
    fresh: Expansion,
    estimates: Vec<Estimate>,
    seconds: Vec<Estimate>,
    look: Expansion,
}

impl<'a, V: Visited> PartialSearch<'a, V> {
    /// Estimates the initial state, and lets it wait. The set should be empty.
    ///
    /// # Errors
    ///
    /// When the model fails before its first step: there is nothing to search.
    pub fn new<S: Space + ?Sized>(
        space: &'a S,
        heuristic: Box<dyn Heuristic + 'a>,
        config: BestFirstConfig,
        (visited, again): (V, Restarts),
        query: SearchQuery<'a>,
    ) -> Result<Self, Fault> {
        let mut initial = Vec::new();
        let core = SearchCore::new(space, heuristic, query, &mut initial)?;
        let mut search = PartialSearch {
            core,
            config,
            price: Price::Steps,
            second: None,
            guide: space.expander(),
            initial,
            visited,
            waiting: OpenStates::default(),
            open: BucketOpenList::new(config.queue_order, config.tie_break != TieBreak::Nothing),
            links: Links::new(),
            fault_queue: FaultQueue::default(),
            runs: RestartSchedule::new(again),
            overlooked: 0.0,
            most_stored: 0,
            has_missed: false,
            work: Work::default(),
        };
        search.begin();
        Ok(search)
    }

    /// Breadth-first: the fewest moves first, and the depth limit is one on moves.
    ///
    /// # Errors
    ///
    /// When the model fails before its first step: there is nothing to search.
    pub fn breadth_first<S: Space + ?Sized>(
        space: &'a S,
        set: (V, Restarts),
        query: SearchQuery<'a>,
    ) -> Result<Self, Fault> {
        let search =
            PartialSearch::new(space, Box::new(Blind), BestFirstConfig::DIJKSTRA, set, query)?;
        Ok(PartialSearch { price: Price::Move, ..search })
    }

    /// Decides between states with equal `f` by this heuristic. Called before the search
    /// begins, and without effect unless the method says [`TieBreak::Heuristic`].
    #[must_use]
    pub fn with_tie_breaker(self, heuristic: Box<dyn Heuristic + 'a>) -> Self {
        PartialSearch { second: Some(heuristic), ..self }
    }

    /// Begins a run: the initial state waits alone.
    fn begin(&mut self) {
        let estimate = self.core.estimate_initial(&self.initial);
        let root = StateId::new(0).expect("there is a first number");
        if !self.core.is_proven_dead_end(estimate) {
            let node = Node::new(0, root, estimate);
            let at = self.waiting.add(&self.initial, node, 0, 0);
            self.open.push(self.rank(node, 0), at.expect("nobody waits yet"));
        }
    }

    /// Ends a run, and begins the next one if there is one.
    fn end_run(&mut self) -> Option<Outcome> {
        let Some(seed) = self.runs.next(self.omissions_now()) else {
            let stop = if self.has_missed { Stop::Depth } else { Stop::LossyStore };
            return Some(Outcome::Incomplete(stop));
        };
        self.most_stored = self.stored();
        self.visited.restart(seed);
        self.links = Links::new();
        self.overlooked = 0.0;
        self.begin();
        None
    }

    fn omissions_now(&self) -> Omissions {
        Omissions::new(self.visited.len() + self.waiting.len(), self.overlooked)
    }

    /// Of this run, or of the one before that had more.
    fn stored(&self) -> usize {
        self.most_stored.max(self.visited.len() + self.waiting.len())
    }

    /// The place of a state among those that wait.
    #[inline]
    fn rank(&self, node: Node, tie: u32) -> Rank {
        let Estimate::Finite(h) = node.estimate() else { return Rank::LAST };
        let tie = match self.config.tie_break {
            TieBreak::Nothing => 0,
            TieBreak::LowH => h.0,
            TieBreak::LowG => node.g,
            TieBreak::Heuristic => tie,
        };
        Rank { f: self.config.ranking.rank(node.g, h.0), tie }
    }

    #[inline]
    fn cost(&self, at: usize) -> u32 {
        match self.price {
            Price::Steps => self.work.expansion.steps(at),
            Price::Move => 1,
        }
    }

    /// Expands a state that does not wait any more, and takes in what follows it.
    fn expand(&mut self, state: &[u8], place: &OpenState) -> Option<Outcome> {
        let mut node = place.node;
        if self.config.evaluation == Evaluation::Lazy && !self.visited.is_empty() {
            let estimate = self.core.estimate(state);
            node = Node::new(node.g, node.parent, estimate);
            if self.core.is_proven_dead_end(estimate) {
                return None;
            }
        }
        // Where it is old already, it has its bits from others: it waited, so it is new.
        let has_room = self.visited.insert(state) != Seen::Full
            && self.visited.len() + self.waiting.len() <= self.core.query.max_states();
        let link = self.links.push(node.parent, place.way);
        let Some(link) = link.filter(|_| has_room) else {
            return Some(Outcome::Incomplete(Stop::Memory));
        };
        self.core.expander.expand_only(state, &mut self.work.expansion);
        self.core.count(node.g, &self.work.expansion);
        self.inspect(state, link, node)
            .or_else(|| self.take_successors(state, link, node))
            .or_else(|| self.core.check_memory(self.bytes()))
    }

    /// Looks for the target in and behind a state that was expanded.
    fn inspect(&mut self, state: &[u8], link: StateId, node: Node) -> Option<Outcome> {
        let target = self.core.query.target;
        let in_state: Vec<FindingKind> = target.state_errors(&self.work.expansion).collect();
        let mut outcome = None;
        for kind in in_state {
            outcome = outcome.or(self.record_hit(kind, state, link));
        }
        for index in 0..self.work.expansion.faults.len() {
            let failure = self.work.expansion.faults[index];
            let kind = FindingKind::Fault(failure.fault);
            if !target.includes(kind) {
                continue;
            }
            if self.config.goal_test == GoalTest::Generation {
                outcome = outcome.or(self.record_hit(kind, state, link));
                continue;
            }
            let g = node.g.saturating_add(failure.steps);
            let f = self.config.ranking.rank(g, 0);
            // Where the first one is the end, only the best one will ever have its turn.
            let best = self.fault_queue.best();
            if self.core.query.after_hit != AfterHit::Stop || best.is_none_or(|best| (f, g) < best)
            {
                self.fault_queue.push(f, g, link, failure.fault);
            }
        }
        outcome
    }

    /// Takes note of a hit in or behind the state of an expansion.
    fn record_hit(&mut self, kind: FindingKind, state: &[u8], link: StateId) -> Option<Outcome> {
        let PartialSearch { core, links, initial, guide, .. } = self;
        core.record_hit(kind, state, || links.path_to(link, initial, &mut **guide))
    }

    /// Lets the new successors wait, and moves those to which the way is cheaper now.
    fn take_successors(&mut self, state: &[u8], from: StateId, node: Node) -> Option<Outcome> {
        self.sift();
        self.evaluate(state);
        let count = self.work.expansion.len();
        let mut new = self.work.new.len();
        for turn in 0..count {
            let at = match self.config.successor_order {
                SuccessorOrder::Forward => turn,
                SuccessorOrder::Reversed => count - 1 - turn,
            };
            let number = match self.config.successor_order {
                SuccessorOrder::Forward => self.work.new.len() - new,
                SuccessorOrder::Reversed => new.wrapping_sub(1),
            };
            let is_new = new > 0 && self.work.new[number] == at;
            new -= usize::from(is_new);
            let g = node.g.saturating_add(self.cost(at));
            let known = self.waiting.find(self.work.expansion.state(at));
            self.core.stats.generated += 1;
            match known {
                Some(place) => {
                    self.core.stats.matched += 1;
                    self.reach_again(place, g, from, at as u32, node.estimate());
                }
                None if !is_new => self.core.stats.matched += 1,
                None => {
                    let estimate = self.work.estimates.get(number).copied();
                    let next = Node::new(g, from, estimate.unwrap_or(node.estimate()));
                    if let Some(outcome) = self.wait(at, number, next) {
                        return Some(outcome);
                    }
                }
            }
        }
        None
    }

    /// Finds out which successors are neither in the set nor wait.
    fn sift(&mut self) {
        let Work { expansion, new, fresh, .. } = &mut self.work;
        new.clear();
        fresh.clear();
        for at in 0..expansion.len() {
            let state = expansion.state(at);
            let print = self.visited.fingerprint(state);
            if !self.visited.contains(print) && self.waiting.find(state).is_none() {
                new.push(at);
                fresh.push_with_cost(expansion.steps(at), state);
            }
        }
    }

    /// Estimates the new successors.
    fn evaluate(&mut self, state: &[u8]) {
        let Work { fresh, estimates, seconds, .. } = &mut self.work;
        estimates.clear();
        seconds.clear();
        if fresh.is_empty() {
            return;
        }
        if let Some(second) = &mut self.second {
            second.estimate_all(state, fresh, seconds);
        }
        if self.config.evaluation == Evaluation::Eager {
            self.core.estimate_all(state, fresh, estimates);
        }
    }

    /// Lets a new successor wait, unless nothing can come of it.
    fn wait(&mut self, at: usize, number: usize, node: Node) -> Option<Outcome> {
        if self.core.is_proven_dead_end(node.estimate()) {
            return None;
        }
        if node.g > self.core.query.max_cost() {
            self.has_missed = true;
            return None;
        }
        let q = self.visited.omission_probability();
        self.overlooked += q / (1.0 - q);
        let tie = self
            .work
            .seconds
            .get(number)
            .map_or(0, |second| second.finite().map_or(u32::MAX, |h| h.0));
        let state = self.work.expansion.state(at);
        let stats = &mut self.core.stats;
        stats.state_bytes = stats.state_bytes.max(state.len() as u64);
        let Some(place) = self.waiting.add(state, node, at as u32, tie) else {
            return Some(Outcome::Incomplete(Stop::Memory));
        };
        self.open.push(self.rank(node, tie), place);
        if self.config.goal_test == GoalTest::Generation {
            self.probe(at, node.parent)
        } else {
            None
        }
    }

    /// Expands a new state for a look. What lies behind it is no business of ours yet.
    fn probe(&mut self, at: usize, from: StateId) -> Option<Outcome> {
        let PartialSearch { core, links, initial, guide, work, .. } = self;
        let state = work.expansion.state(at);
        core.expander.expand_only(state, &mut work.look);
        let in_state: Vec<FindingKind> = core.query.target.state_errors(&work.look).collect();
        in_state.into_iter().find_map(|kind| {
            core.record_hit(kind, state, || {
                let mut path = links.path_to(from, initial, &mut **guide);
                path.push(state.to_vec());
                path
            })
        })
    }

    /// A state that waits was reached at this cost, from a state with this estimate.
    fn reach_again(
        &mut self,
        at: StateId,
        g: u32,
        from: StateId,
        way: u32,
        parent_estimate: Estimate,
    ) {
        let &OpenState { node: old, second, .. } = self.waiting.at(at);
        if g >= old.g {
            return;
        }
        let mut node = old.moved(g, from);
        if self.config.evaluation == Evaluation::Lazy {
            node = Node::new(g, from, old.estimate().min(parent_estimate));
        }
        let rank = self.rank(node, second);
        let has_moved = rank != self.rank(old, second);
        self.waiting.reach_again(at, node, way, has_moved);
        if has_moved {
            self.open.push(rank, at);
        }
    }
}

impl<'a, V: Visited> StepSearch<'a> for PartialSearch<'a, V> {
    fn name(&self) -> &'static str {
        "partial best-first"
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
        if let Some((link, fault)) = self.fault_queue.pop(|| self.open.least()) {
            let path = self.links.path_to(link, &self.initial, &mut *self.guide);
            let state = path.last().expect("a path has its end");
            return self.core.record_hit(FindingKind::Fault(fault), state, || path.clone());
        }
        let Some((rank, at)) = self.open.pop() else { return self.end_run() };
        if !self.waiting.drop_entry(at) {
            return None;
        }
        let place = self.waiting.at(at);
        // An entry that was left behind: the state has another place.
        if self.rank(place.node, place.second) != rank {
            return None;
        }
        let (state, place) = self.waiting.take(at);
        self.expand(&state, &place)
    }

    /// Of all runs together, except for the states: of those, as many as the run had that had
    /// the most.
    fn stats(&self) -> Stats {
        let (visited, waiting) = (self.visited.bytes() as u64, self.waiting.bytes() as u64);
        Stats {
            stored: self.stored() as u64,
            store_bytes: visited + waiting,
            table_bytes: visited,
            ..self.core.stats
        }
    }

    fn bytes(&self) -> usize {
        let waiting = self.waiting.bytes() + self.open.bytes() + self.fault_queue.bytes();
        self.visited.bytes() + self.links.bytes() + waiting
    }

    fn omissions(&self) -> Option<Omissions> {
        Some(self.runs.omissions(self.omissions_now()))
    }
}
