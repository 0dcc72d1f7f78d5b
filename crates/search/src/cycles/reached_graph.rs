//! The reached part of a state space as an explicit graph: the states in the order of their
//! distance, each expanded once, with all transitions between them.
//!
//! Source: Dijkstra's algorithm [Dij59], which is best-first search without estimates; here the
//! transitions to known states are kept as well.
//!
//! Promises: states are expanded at their least cost, in the order of their distance.

use beeline_kernel::{AcceptanceMarks, Cost, Estimate, Expander, Expansion, StateId, StatePath};

use super::length::marks_to;
use crate::hit::Hit;
use crate::nodes::{Nodes, SearchNode};
use crate::open_list::{BucketOpenList, QueueOrder, Rank};
use crate::search_core::load_path;
use crate::stats::Stats;
use crate::store::chunked_vec::ChunkedVec;
use crate::store::{ExactStore, Inserted, Prefetch, ProbeBatch, StateSet, StoreLimits};
use crate::target::SearchTarget;

/// A transition to a state.
#[derive(Clone, Copy, Debug)]
pub(super) struct Edge {
    /// The number of the state.
    pub(super) to: u32,
    pub(super) steps: u32,
    pub(super) marks: AcceptanceMarks,
}

/// The range of the transitions of a state: start and number.
#[derive(Clone, Copy, Debug)]
struct Span {
    start: u64,
    count: u32,
}

/// The result of expanding the next state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Next {
    /// It was expanded.
    Expanded,
    /// Not all of its successors could be stored: it is still open.
    Full,
    /// No open state is near enough.
    Nobody,
}

/// A growing graph.
pub(super) struct ReachedGraph<'a> {
    expander: Box<dyn Expander + 'a>,
    store: ExactStore,
    nodes: Nodes,
    open: BucketOpenList,
    spans: ChunkedVec<Span>,
    edges: ChunkedVec<Edge>,
    stats: Stats,
    /// The target, and the nearest hit so far: its state, error and cost.
    target: SearchTarget,
    nearest: Option<(StateId, Hit)>,
    expansion: Expansion,
    ahead: ProbeBatch,
}

fn id(number: u32) -> StateId {
    StateId::new(number as usize).expect("it is a number of 32 bits")
}

impl<'a> ReachedGraph<'a> {
    /// The initial state only, which is open, unless there is no room for it.
    pub(super) fn new(
        expander: Box<dyn Expander + 'a>,
        initial: &[u8],
        target: SearchTarget,
        ceiling: StoreLimits,
    ) -> Self {
        let mut reached = ReachedGraph {
            expander,
            store: ExactStore::new(ceiling),
            nodes: Nodes::new(),
            open: BucketOpenList::new(QueueOrder::Fifo, false),
            spans: ChunkedVec::new(),
            edges: ChunkedVec::new(),
            stats: Stats::default(),
            target,
            nearest: None,
            expansion: Expansion::default(),
            ahead: ProbeBatch::default(),
        };
        if let Inserted::New(root) = reached.store.insert(initial) {
            reached.add(0, root);
            reached.open.push(Rank { f: 0, tie: 0 }, root);
        }
        reached
    }

    fn add(&mut self, g: u32, parent: StateId) {
        self.nodes.push(SearchNode::new(g, parent, Estimate::Finite(Cost::ZERO)));
        self.spans.push(Span { start: 0, count: 0 });
    }

    /// Expands the nearest open state, if its distance is at most `most`.
    pub(super) fn expand_next(&mut self, most: u32) -> Next {
        loop {
            match self.open.least() {
                Some(g) if g <= u64::from(most) => {}
                _ => return Next::Nobody,
            }
            let (rank, from) = self.open.pop().expect("there is a least one");
            let node = self.nodes.at(from);
            // An outdated entry: the state was reached at less cost.
            if node.is_closed() || u64::from(node.g) != rank.f {
                continue;
            }
            if self.expand(from, node) {
                return Next::Expanded;
            }
            self.open.push(rank, from);
            return Next::Full;
        }
    }

    /// Expands a state. Returns whether there was room for all successors.
    fn expand(&mut self, from: StateId, node: SearchNode) -> bool {
        self.expander.expand_only(self.store.open(from), &mut self.expansion);
        let ReachedGraph { expansion, ahead, store, nodes, open, spans, edges, stats, .. } = self;
        store.prefetch_slots(&expansion.successors, ahead);
        store.prefetch_candidates(0..expansion.len(), ahead);
        let (start, mut at, mut room) = (edges.len() as u64, 0, true);
        store.insert_batch(&expansion.successors, 0..expansion.len(), ahead, |inserted| {
            let steps = expansion.steps(at);
            let g = node.g.saturating_add(steps);
            let reached = SearchNode::new(g, from, Estimate::Finite(Cost::ZERO));
            let to = match inserted {
                // Cycles are searched with other stores: to leave a state out would be unsound.
                Inserted::Covered | Inserted::Full => {
                    room = false;
                    return;
                }
                Inserted::New(to) => {
                    nodes.push(reached);
                    spans.push(Span { start: 0, count: 0 });
                    open.push(Rank { f: u64::from(g), tie: 0 }, to);
                    to
                }
                Inserted::Old(to) => {
                    stats.matched += 1;
                    if g < nodes.at(to).g {
                        nodes.set(to, reached);
                        open.push(Rank { f: u64::from(g), tie: 0 }, to);
                    }
                    to
                }
            };
            let to = to.index() as u32;
            edges.push(Edge { to, steps, marks: marks_to(expansion, at) });
            at += 1;
        });
        stats.generated += at as u64;
        if !room {
            return false;
        }
        spans.set(from.index(), Span { start, count: at as u32 });
        nodes.set(from, node.closed());
        stats.expanded += 1;
        stats.depth = stats.depth.max(u64::from(node.g));
        stats.atomic_steps += expansion.hidden_steps;
        self.inspect(from, node.g);
        true
    }

    /// Tests the expanded state and its transitions for the target.
    fn inspect(&mut self, state: StateId, g: u32) {
        let (target, expansion) = (self.target, &self.expansion);
        let errors = expansion.faults.len() + expansion.violated_invariants.len();
        self.stats.errors += errors as u64 + u64::from(expansion.deadlock);
        let here = target.state_errors(expansion).map(|kind| (kind, 0));
        for (kind, steps) in here.chain(target.transition_errors(expansion)) {
            let cost = Some(Cost(g.saturating_add(steps)));
            if self.nearest.is_none_or(|(_, hit)| cost < hit.cost) {
                self.nearest = Some((state, Hit { kind, cost }));
            }
        }
    }

    /// The nearest target that was found.
    pub(super) fn nearest(&self) -> Option<Hit> {
        self.nearest.map(|(_, hit)| hit)
    }

    /// The states from the initial one to the nearest target, or before it if it is a fault.
    pub(super) fn path_to_nearest(&self) -> StatePath {
        let path = self.nearest.map(|(state, _)| self.nodes.path_to(state));
        load_path(&self.store, &path.unwrap_or_default())
    }

    /// The distance of the nearest open state.
    pub(super) fn waiting(&self) -> Option<u32> {
        self.open.least().map(|g| g as u32)
    }

    /// The number of states, expanded or not.
    pub(super) fn len(&self) -> usize {
        self.store.len()
    }

    /// The distance of a state; an upper bound until it is expanded.
    #[inline]
    pub(super) fn distance(&self, state: u32) -> u32 {
        self.nodes.at(id(state)).g
    }

    /// Whether a state was expanded.
    #[inline]
    pub(super) fn is_expanded(&self, state: u32) -> bool {
        self.nodes.at(id(state)).is_closed()
    }

    /// The number of transitions of a state; 0 before it is expanded.
    #[inline]
    pub(super) fn degree(&self, state: u32) -> u32 {
        self.spans.at(state as usize).count
    }

    /// A transition of a state.
    #[inline]
    pub(super) fn edge(&self, state: u32, at: u32) -> Edge {
        self.edges.at(self.spans.at(state as usize).start as usize + at as usize)
    }

    /// All transitions of a state.
    #[inline]
    pub(super) fn edges(&self, state: u32) -> impl Iterator<Item = Edge> {
        let Span { start, count } = self.spans.at(state as usize);
        (start..start + u64::from(count)).map(|at| self.edges.at(at as usize))
    }

    /// The states of a shortest path from the initial state to this one, without it.
    pub(super) fn path_before(&self, state: u32) -> StatePath {
        let mut path = self.nodes.path_to(id(state));
        path.pop();
        load_path(&self.store, &path)
    }

    /// Loads these states.
    pub(super) fn states(&self, numbers: &[u32]) -> StatePath {
        let ids: Vec<StateId> = numbers.iter().map(|&number| id(number)).collect();
        load_path(&self.store, &ids)
    }

    /// The counters so far.
    pub(super) fn stats(&self) -> Stats {
        Stats {
            stored: self.store.len() as u64,
            store_bytes: self.store.bytes() as u64,
            table_bytes: self.store.table_bytes() as u64,
            state_bytes: self.store.longest() as u64,
            ..self.stats
        }
    }

    /// Memory held.
    pub(super) fn bytes(&self) -> usize {
        let graph = self.spans.bytes() + self.edges.bytes();
        self.store.bytes() + self.nodes.bytes() + self.open.bytes() + graph
    }
}
