//! The closed list of partial search: open states in full, closed ones in a [`Visited`] set, with
//! links to their parents.
//!
//! A state is added to the set when it is expanded, and looked up there when it is generated. So an
//! open state takes no bits and is always recognised, and cheaper paths to it are noticed. A closed
//! state is never reopened, since the set keeps neither the state nor its cost. The path to a hit
//! is recovered by executing the transitions of its links again.
//!
//! Source: [ELL00] §3.2 and §3.3.

use beeline_kernel::{Cost, Estimate, Expander, Expansion, Heuristic, StateId, StatePath, Stop};

use super::links::Links;
use super::open_states::OpenStates;
use crate::best_first::{ClosedList, NewSuccessor, Reached, RunEnd};
use crate::limits::Outcome;
use crate::nodes::SearchNode;
use crate::query::SearchQuery;
use crate::reduction::{ChosenSets, SuccessorStatus};
use crate::stats::Stats;
use crate::visited::{Omissions, RepeatedSet, RestartSchedule, Seen, Visited};

/// The cost of a transition.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum TransitionCost {
    /// The cost in the space.
    Steps,
    /// One.
    One,
}

/// Open states in full, and closed ones in a set of type `V` that may be lossy.
pub struct HashedStates<'a, V: Visited> {
    initial: Vec<u8>,
    visited: V,
    open: OpenStates,
    links: Links,
    transition_cost: TransitionCost,
    tie_breaker: Option<Box<dyn Heuristic + 'a>>,
    /// Executes the transitions of links again.
    replayer: Box<dyn Expander + 'a>,
    runs: RestartSchedule,
    /// The estimated number of states that this run has overlooked so far.
    overlooked: f64,
    /// The greatest number of states of any earlier run.
    most_stored: usize,
    /// Whether a state was beyond the depth limit.
    has_missed: bool,
    current: Current,
}

/// The state that is being expanded. Kept to reuse its memory.
#[derive(Default)]
struct Current {
    state: Box<[u8]>,
    /// Its number as a successor of its parent.
    transition: u32,
    /// Its link, once it is closed.
    link: Option<StateId>,
    /// The transitions to new states.
    new: Vec<usize>,
    /// Their estimates by the tie breaker.
    ties: Vec<Estimate>,
}

impl<'a, V: Visited> HashedStates<'a, V> {
    pub(super) fn new(
        replayer: Box<dyn Expander + 'a>,
        initial: Vec<u8>,
        set: RepeatedSet<V>,
    ) -> Self {
        let RepeatedSet { visited, restarts } = set;
        HashedStates {
            initial,
            visited,
            open: OpenStates::default(),
            links: Links::new(),
            transition_cost: TransitionCost::Steps,
            tie_breaker: None,
            replayer,
            runs: RestartSchedule::new(restarts),
            overlooked: 0.0,
            most_stored: 0,
            has_missed: false,
            current: Current::default(),
        }
    }

    /// From now on, each transition costs one.
    pub(super) fn count_transitions(&mut self) {
        self.transition_cost = TransitionCost::One;
    }

    /// Breaks ties by this heuristic. Called before the search begins.
    pub(super) fn set_tie_breaker(&mut self, heuristic: Box<dyn Heuristic + 'a>) {
        self.tie_breaker = Some(heuristic);
    }

    /// The states of this run.
    fn len(&self) -> usize {
        self.visited.len() + self.open.len()
    }

    fn omissions_of_run(&self) -> Omissions {
        Omissions::new(self.len(), self.overlooked)
    }

    /// The states of this run, or of an earlier one that had more.
    fn stored(&self) -> usize {
        self.most_stored.max(self.len())
    }

    fn replay(&mut self, link: StateId) -> StatePath {
        self.links.path_to(link, &self.initial, &mut *self.replayer)
    }
}

impl<V: Visited> ClosedList for HashedStates<'_, V> {
    const NAME: &'static str = "partial best-first";
    const IS_EXACT: bool = false;

    fn initial(&mut self) -> &[u8] {
        &self.initial
    }

    fn open_initial(&mut self, estimate: Estimate, is_dead_end: bool) -> Option<StateId> {
        if is_dead_end {
            return None;
        }
        let root = StateId::new(0).expect("there is a first number");
        self.open.add(&self.initial, SearchNode::new(0, root, estimate), 0, 0)
    }

    #[inline]
    fn node(&self, id: StateId) -> SearchNode {
        self.open.at(id).node
    }

    #[inline]
    fn tie(&self, id: StateId) -> u32 {
        self.open.at(id).tie
    }

    /// Open states are not in an array.
    fn prefetch(&self, _: StateId) {}

    #[inline]
    fn fetch(
        &mut self,
        id: StateId,
        is_current: impl FnOnce(SearchNode) -> bool,
    ) -> Option<SearchNode> {
        if !self.open.drop_entry(id) || !is_current(self.open.at(id).node) {
            return None;
        }
        let (state, open) = self.open.take(id);
        self.current.state = state;
        self.current.transition = open.transition;
        self.current.link = None;
        Some(open.node)
    }

    fn state(&mut self) -> &[u8] {
        &self.current.state
    }

    fn is_initial(&self) -> bool {
        self.visited.is_empty()
    }

    /// The node of a closed state is not kept.
    fn update(&mut self, _: SearchNode) {}

    fn begin(&mut self, node: SearchNode, query: &SearchQuery<'_>) -> Option<StateId> {
        // The set may take the state for a visited one, but an open state is new.
        let has_room = self.visited.insert(&self.current.state) != Seen::Full
            && self.len() <= query.max_states();
        let link = self.links.push(node.parent, self.current.transition);
        self.current.link = link.filter(|_| has_room);
        self.current.link
    }

    /// A closed state stays closed after [`begin`](ClosedList::begin).
    fn close(&mut self, _: SearchNode) {}

    fn reopen(&mut self, _: SearchNode) {}

    fn status(&mut self, successor: &[u8], _: &ChosenSets) -> SuccessorStatus {
        let fingerprint = self.visited.fingerprint(successor);
        if self.visited.contains(fingerprint) {
            SuccessorStatus::Expanded
        } else if self.open.find(successor).is_some() {
            SuccessorStatus::Waiting
        } else {
            SuccessorStatus::New
        }
    }

    #[inline]
    fn cost(&self, expansion: &Expansion, at: usize) -> u32 {
        match self.transition_cost {
            TransitionCost::Steps => expansion.steps(at),
            TransitionCost::One => 1,
        }
    }

    fn generate(&mut self, expansion: &Expansion, new: &mut Vec<usize>, _: &mut Stats) -> bool {
        for (at, state) in expansion.states().enumerate() {
            let fingerprint = self.visited.fingerprint(state);
            if !self.visited.contains(fingerprint) && self.open.find(state).is_none() {
                new.push(at);
            }
        }
        self.current.ties.clear();
        self.current.new.clone_from(new);
        true
    }

    fn has_tie_breaker(&self) -> bool {
        self.tie_breaker.is_some()
    }

    fn estimate_ties(&mut self, new: &Expansion, _: &mut Vec<Estimate>) {
        if let Some(heuristic) = &mut self.tie_breaker {
            heuristic.estimate_all(&self.current.state, new, &mut self.current.ties);
        }
    }

    /// New states are recorded one by one, when they are opened.
    fn record(&mut self, _: impl Iterator<Item = SearchNode>) {}

    fn reached(&mut self, expansion: &Expansion, at: usize, stats: &mut Stats) -> Reached {
        stats.generated += 1;
        if let Some(id) = self.open.find(expansion.state(at)) {
            stats.matched += 1;
            return Reached::Known(id);
        }
        match self.current.new.binary_search(&at) {
            Ok(number) => Reached::New(number),
            Err(_) => {
                stats.matched += 1;
                Reached::Closed
            }
        }
    }

    fn open(&mut self, successor: NewSuccessor<'_>, stats: &mut Stats) -> Option<StateId> {
        let NewSuccessor { state, node, at, number } = successor;
        let q = self.visited.omission_probability();
        self.overlooked += q / (1.0 - q);
        let tie = self.current.ties.get(number);
        let tie = tie.map_or(0, |estimate| estimate.finite().map_or(u32::MAX, |h| h.0));
        stats.state_bytes = stats.state_bytes.max(state.len() as u64);
        self.open.add(state, node, at as u32, tie)
    }

    fn leave_out(&mut self, _: NewSuccessor<'_>, is_too_deep: bool) -> Option<StateId> {
        self.has_missed |= is_too_deep;
        None
    }

    fn improve(&mut self, id: StateId, node: SearchNode, at: usize, is_pushed: bool) {
        self.open.improve(id, node, at as u32, is_pushed);
    }

    fn rank_again(&mut self, id: StateId, node: SearchNode, is_pushed: bool) {
        let transition = self.open.at(id).transition;
        self.open.improve(id, node, transition, is_pushed);
    }

    fn load(&mut self, parent: StateId, state: &mut Vec<u8>) {
        state.clear();
        if self.current.link == Some(parent) {
            state.extend_from_slice(&self.current.state);
        } else if let Some(last) = self.replay(parent).last() {
            state.extend_from_slice(last);
        }
    }

    fn path(&mut self, parent: StateId) -> StatePath {
        self.replay(parent)
    }

    fn path_to_new(&mut self, id: StateId) -> StatePath {
        let open = self.open.at(id);
        let (parent, state) = (open.node.parent, open.state().to_vec());
        let mut path = self.replay(parent);
        path.push(&state);
        path
    }

    fn unexpanded(&self) -> impl Iterator<Item = (StateId, SearchNode)> {
        std::iter::empty()
    }

    /// The estimates of closed states are not kept.
    fn nearest(&self) -> Option<(Cost, StatePath)> {
        None
    }

    fn end_run(&mut self, _: bool) -> RunEnd {
        let Some(seed) = self.runs.next(self.omissions_of_run()) else {
            let stop = if self.has_missed { Stop::Depth } else { Stop::LossyStore };
            return RunEnd::Over(Outcome::Incomplete(stop));
        };
        self.most_stored = self.stored();
        self.visited.restart(seed);
        self.links = Links::new();
        self.overlooked = 0.0;
        RunEnd::Restarted
    }

    /// Counters of all runs together; for states, the maximum of all runs.
    fn stats(&self, stats: Stats) -> Stats {
        let (visited, open) = (self.visited.bytes() as u64, self.open.bytes() as u64);
        Stats {
            stored: self.stored() as u64,
            store_bytes: visited + open,
            table_bytes: visited,
            ..stats
        }
    }

    fn bytes(&self) -> usize {
        self.visited.bytes() + self.links.bytes() + self.open.bytes()
    }

    fn omissions(&self) -> Option<Omissions> {
        Some(self.runs.omissions(self.omissions_of_run()))
    }
}
