//! The closed list that keeps all states in a store, each with its node.

use beeline_kernel::{Cost, Estimate, Expansion, Heuristic, StateId, StatePath, Stop};

use super::closed_list::{ClosedList, NewSuccessor, Reached, RunEnd};
use super::estimate_table::EstimateTable;
use crate::limits::Outcome;
use crate::nodes::{Nodes, SearchNode};
use crate::query::SearchQuery;
use crate::reduction::{ChosenSets, SuccessorStatus};
use crate::search_core::load_path;
use crate::stats::Stats;
use crate::store::{Inserted, ProbeBatch, StateStore};
use crate::visited::Omissions;

/// All generated states, in a store of type `T`.
pub struct StoredStates<'a, T: StateStore> {
    store: T,
    nodes: Nodes,
    tie_breaker: Option<EstimateTable<'a>>,
    /// Whether a state counts that is reached at less cost than the one that covers it.
    keeps_cheaper: bool,
    /// The successors that stored states cover, by their places.
    covered: Vec<usize>,
    /// The state that is being expanded.
    current: StateId,
    /// Its successors, with their numbers among the new ones or [`KNOWN`]. Kept to reuse memory, as
    /// is the rest.
    successors: Vec<(StateId, u32)>,
    probes: ProbeBatch,
}

const KNOWN: u32 = u32::MAX;

fn root() -> StateId {
    StateId::new(0).expect("there is a first number")
}

impl<'a, T: StateStore> StoredStates<'a, T> {
    /// With the initial state only, which is in the store if there was room for it.
    pub(super) fn new(store: T, keeps_cheaper: bool) -> Self {
        StoredStates {
            store,
            nodes: Nodes::new(),
            tie_breaker: None,
            keeps_cheaper,
            covered: Vec::new(),
            current: root(),
            successors: Vec::new(),
            probes: ProbeBatch::default(),
        }
    }

    /// Breaks ties by this heuristic. Called before the search begins.
    pub(super) fn set_tie_breaker(&mut self, heuristic: Box<dyn Heuristic + 'a>) {
        self.tie_breaker = Some(EstimateTable::new(heuristic, self.store.open(root())));
    }

    /// Whether only the initial state is known.
    pub(super) fn is_fresh(&self) -> bool {
        self.nodes.len() == 1
    }

    /// Whether a later state covers this one and is reached at no more cost: then that one is
    /// expanded instead.
    #[inline]
    fn is_replaced(&self, id: StateId, node: SearchNode) -> bool {
        let cover = self.store.covered_by(id);
        cover.is_some_and(|cover| !self.keeps_cheaper || self.nodes.at(cover).g <= node.g)
    }

    /// Stores the successors that are reached at less cost than the states that cover them.
    fn store_cheaper(
        &mut self,
        expansion: &Expansion,
        new: &mut Vec<usize>,
        stats: &mut Stats,
    ) -> bool {
        let from = self.nodes.at(self.current).g;
        let mut has_room = true;
        for &at in &self.covered {
            let g = from.saturating_add(expansion.steps(at));
            let StoredStates { store, nodes, successors, .. } = self;
            let is_no_dearer = |cover: StateId| match cover.index() < nodes.len() {
                true => nodes.at(cover).g <= g,
                // Another successor, which has no node so far.
                false => successors.iter().enumerate().any(|(other, &(id, _))| {
                    id == cover && expansion.steps(other) <= expansion.steps(at)
                }),
            };
            let state = expansion.state(at);
            if store.is_covered(state, &is_no_dearer) {
                continue;
            }
            match store.insert_covered(state) {
                Inserted::New(child) => {
                    stats.matched -= 1;
                    self.successors[at] = (child, new.len() as u32);
                    new.push(at);
                }
                Inserted::Old(old) => self.successors[at] = (old, KNOWN),
                Inserted::Covered => {}
                Inserted::Full => has_room = false,
            }
        }
        has_room
    }

    /// The path to a state, if it was generated.
    pub(super) fn path_to_state(&mut self, state: &[u8]) -> Option<StatePath> {
        let Inserted::Old(id) = self.store.insert(state) else { return None };
        Some(self.path(id))
    }
}

impl<T: StateStore> ClosedList for StoredStates<'_, T> {
    const NAME: &'static str = "best-first";
    const IS_EXACT: bool = true;

    fn initial(&mut self) -> &[u8] {
        self.store.open(root())
    }

    fn open_initial(&mut self, estimate: Estimate, is_dead_end: bool) -> Option<StateId> {
        self.nodes.push(SearchNode::new(0, root(), estimate));
        (!is_dead_end).then(root)
    }

    #[inline]
    fn node(&self, id: StateId) -> SearchNode {
        self.nodes.at(id)
    }

    #[inline]
    fn tie(&self, id: StateId) -> u32 {
        self.tie_breaker.as_ref().map_or(0, |table| table.number(id))
    }

    #[inline]
    fn prefetch(&self, id: StateId) {
        self.store.prefetch_state(id);
        self.nodes.prefetch(id);
    }

    #[inline]
    fn fetch(
        &mut self,
        id: StateId,
        is_current: impl FnOnce(SearchNode) -> bool,
    ) -> Option<SearchNode> {
        let node = self.nodes.at(id);
        self.current = id;
        let is_next = !node.is_closed() && is_current(node);
        if is_next && self.is_replaced(id, node) {
            self.close(node);
            return None;
        }
        is_next.then_some(node)
    }

    #[inline]
    fn state(&mut self) -> &[u8] {
        self.store.open(self.current)
    }

    #[inline]
    fn is_initial(&self) -> bool {
        self.current == root()
    }

    fn update(&mut self, node: SearchNode) {
        self.nodes.set(self.current, node);
    }

    #[inline]
    fn begin(&mut self, _: SearchNode, _: &SearchQuery<'_>) -> Option<StateId> {
        Some(self.current)
    }

    #[inline]
    fn close(&mut self, node: SearchNode) {
        self.nodes.set(self.current, node.closed());
    }

    fn reopen(&mut self, node: SearchNode) {
        self.nodes.set(self.current, node.opened());
    }

    fn status(&mut self, successor: &[u8], chosen_sets: &ChosenSets) -> SuccessorStatus {
        match self.store.find(successor) {
            None => SuccessorStatus::New,
            Some(known) if known == self.current || chosen_sets.of(known).is_some() => {
                SuccessorStatus::Expanded
            }
            Some(_) => SuccessorStatus::Waiting,
        }
    }

    #[inline]
    fn cost(&self, expansion: &Expansion, at: usize) -> u32 {
        expansion.steps(at)
    }

    fn generate(&mut self, expansion: &Expansion, new: &mut Vec<usize>, stats: &mut Stats) -> bool {
        let StoredStates { store, nodes, current, successors, covered, probes, .. } = self;
        covered.clear();
        store.prefetch_slots(&expansion.successors, probes);
        store.prefetch_candidates(0..expansion.len(), probes);
        successors.clear();
        let mut has_room = true;
        let all = 0..expansion.len();
        store.insert_batch(&expansion.successors, all, probes, |inserted| match inserted {
            Inserted::New(child) => {
                let number = new.len() as u32;
                new.push(successors.len());
                successors.push((child, number));
            }
            Inserted::Old(old) => {
                // Its cost is compared after the new ones were estimated.
                nodes.prefetch(old);
                stats.matched += 1;
                successors.push((old, KNOWN));
            }
            // A step to the state itself is no cheaper path to it.
            Inserted::Covered => {
                stats.matched += 1;
                covered.push(successors.len());
                successors.push((*current, KNOWN));
            }
            Inserted::Full => has_room = false,
        });
        if self.keeps_cheaper && !self.covered.is_empty() && has_room {
            has_room = self.store_cheaper(expansion, new, stats);
        }
        let successors = &self.successors;
        stats.generated += successors.len() as u64;
        has_room
    }

    #[inline]
    fn has_tie_breaker(&self) -> bool {
        self.tie_breaker.is_some()
    }

    fn estimate_ties(&mut self, new: &Expansion, estimates: &mut Vec<Estimate>) {
        if let Some(table) = &mut self.tie_breaker {
            table.add(self.store.open(self.current), new, estimates);
        }
    }

    #[inline]
    fn record(&mut self, nodes: impl Iterator<Item = SearchNode>) {
        nodes.for_each(|node| self.nodes.push(node));
    }

    #[inline]
    fn reached(&mut self, _: &Expansion, at: usize, _: &mut Stats) -> Reached {
        match self.successors[at] {
            (id, KNOWN) => Reached::Known(id),
            (_, number) => Reached::New(number as usize),
        }
    }

    #[inline]
    fn open(&mut self, successor: NewSuccessor<'_>, _: &mut Stats) -> Option<StateId> {
        Some(self.successors[successor.at].0)
    }

    fn leave_out(&mut self, successor: NewSuccessor<'_>, _: bool) -> Option<StateId> {
        Some(self.successors[successor.at].0)
    }

    #[inline]
    fn improve(&mut self, id: StateId, node: SearchNode, _: usize, _: bool) {
        self.nodes.set(id, node);
    }

    fn rank_again(&mut self, id: StateId, node: SearchNode, _: bool) {
        self.nodes.set(id, node);
    }

    fn load(&mut self, parent: StateId, state: &mut Vec<u8>) {
        self.store.load(parent, state);
    }

    fn path(&mut self, parent: StateId) -> StatePath {
        load_path(&self.store, &self.nodes.path_to(parent))
    }

    fn path_to_new(&mut self, id: StateId) -> StatePath {
        self.path(id)
    }

    fn unexpanded(&self) -> impl Iterator<Item = (StateId, SearchNode)> {
        let ids = (0..).map_while(StateId::new);
        ids.zip(self.nodes.iter()).filter(|(_, node)| !node.is_closed())
    }

    fn nearest(&self) -> Option<(Cost, StatePath)> {
        let estimates = self.nodes.iter().enumerate();
        let finite =
            estimates.filter_map(|(at, node)| Some((node.estimate().finite()?, node.g, at)));
        let (h, _, at) = finite.min()?;
        let id = StateId::new(at).expect("it is stored, so it has an id");
        Some((h, load_path(&self.store, &self.nodes.path_to(id))))
    }

    fn end_run(&mut self, is_cut: bool) -> RunEnd {
        RunEnd::Over(if is_cut { Outcome::Incomplete(Stop::Depth) } else { Outcome::Complete })
    }

    fn stats(&self, stats: Stats) -> Stats {
        Stats {
            stored: self.store.len() as u64,
            store_bytes: self.store.bytes() as u64,
            table_bytes: self.store.table_bytes() as u64,
            state_bytes: stats.state_bytes.max(self.store.longest() as u64),
            ..stats
        }
    }

    #[inline]
    fn bytes(&self) -> usize {
        let ties = self.tie_breaker.as_ref().map_or(0, EstimateTable::bytes);
        self.store.bytes() + self.nodes.bytes() + ties
    }

    fn omissions(&self) -> Option<Omissions> {
        None
    }
}
