//! Plan neighbourhood graph search: the states on a known path, their successors, the successors of
//! these, and so on. From time to time, a cheapest path through the states generated so far is
//! computed; if it is cheaper than the known one, the search continues around it.
//!
//! Source: [NM10] §4.
//! Deviation: one graph that keeps growing, in place of a new one for each improvement;
//! only forwards, since our states have no predecessors; a path may end at any state of the
//! target, not only at that of the known path.
//!
//! Promises: each path found is cheaper than the last. When every reachable state is known, the
//! cheapest path is proved to be cheapest.

use std::collections::VecDeque;

use beeline_kernel::{Cost, Expander, Expansion, Space, StateId, StatePath, Stop};

use crate::finding::FindingKind;
use crate::hit::Hit;
use crate::known_path::KnownPath;
use crate::limits::Outcome;
use crate::query::SearchQuery;
use crate::search::{PathImprover, Search};
use crate::search_core::load_path;
use crate::stats::Stats;
use crate::store::{ExactStore, Inserted, ProbeBatch, StateStore, StoreLimits};

/// The first search for a cheaper path comes after this many expansions, each further one after
/// twice as many.
const FIRST_LOOK: u64 = 1024;

/// The states around a path.
pub struct Neighbourhood<'a, T: StateStore = ExactStore> {
    expander: Box<dyn Expander + 'a>,
    query: SearchQuery<'a>,
    store: T,
    graph: Graph,
    /// The states that are not expanded yet, those nearest to the path first.
    waiting: VecDeque<u32>,
    /// The errors found: state, kind, and cost after that state.
    goals: Vec<(u32, FindingKind, u32)>,
    known: KnownPath,
    /// Whether this search found the path.
    found: bool,
    stats: Stats,
    next_look: u64,
    outcome: Option<Outcome>,
    /// Kept for their memory.
    expansion: Expansion,
    ahead: ProbeBatch,
}

/// A transition from a state to another.
#[derive(Clone, Copy)]
struct Edge {
    to: u32,
    cost: u32,
}

/// The transitions between states that are known.
#[derive(Default)]
struct Graph {
    /// For each state the start of its transitions and their number; `None` until it is expanded.
    spans: Vec<Option<(u32, u32)>>,
    edges: Vec<Edge>,
}

impl Graph {
    fn ways(&self, state: u32) -> Option<&[Edge]> {
        let (start, len) = (*self.spans.get(state as usize)?)?;
        Some(&self.edges[start as usize..(start + len) as usize])
    }

    fn set(&mut self, state: u32, start: usize) {
        if self.spans.len() <= state as usize {
            self.spans.resize(state as usize + 1, None);
        }
        self.spans[state as usize] = Some((start as u32, (self.edges.len() - start) as u32));
    }

    fn bytes(&self) -> usize {
        self.spans.capacity() * size_of::<Option<(u32, u32)>>()
            + self.edges.capacity() * size_of::<Edge>()
    }

    /// The cheapest paths from state 0, up to a cost: for each state its cost and its predecessor.
    fn cheapest(&self, states: usize, most: u32) -> Vec<(u32, u32)> {
        let mut best = vec![(u32::MAX, 0); states];
        let mut buckets: Vec<Vec<u32>> = vec![Vec::new(); most as usize + 1];
        best[0] = (0, 0);
        buckets[0].push(0);
        for g in 0..buckets.len() {
            while let Some(state) = buckets[g].pop() {
                if best[state as usize].0 != g as u32 {
                    continue;
                }
                for edge in self.ways(state).unwrap_or_default() {
                    let cost = (g as u32).saturating_add(edge.cost);
                    if cost <= most && cost < best[edge.to as usize].0 {
                        best[edge.to as usize] = (cost, state);
                        buckets[cost as usize].push(edge.to);
                    }
                }
            }
        }
        best
    }
}

impl<'a, T: StateStore> Neighbourhood<'a, T> {
    /// Searches around a path from the initial state. Of the query, target and memory limit are
    /// used.
    pub fn new(space: &'a dyn Space, known: KnownPath, query: SearchQuery<'a>) -> Self {
        let store = T::new(StoreLimits { bytes: query.max_bytes(), states: query.max_states() });
        let mut search = Neighbourhood {
            expander: space.expander(),
            query,
            store,
            graph: Graph::default(),
            waiting: VecDeque::new(),
            goals: Vec::new(),
            known,
            found: false,
            stats: Stats::default(),
            next_look: FIRST_LOOK,
            outcome: None,
            expansion: Expansion::default(),
            ahead: ProbeBatch::default(),
        };
        search.gather();
        search
    }

    /// Orders the states that are not expanded by their distance from the path.
    fn gather(&mut self) {
        self.waiting.clear();
        let mut reached = vec![false; self.store.len()];
        let mut around = VecDeque::new();
        let mut states = self.known.states.cursor();
        while let Some(state) = states.advance() {
            match self.store.insert(state) {
                Inserted::New(id) | Inserted::Old(id) => around.push_back(id.index() as u32),
                Inserted::Covered => {}
                Inserted::Full => {
                    self.outcome = Some(Outcome::Incomplete(Stop::Memory));
                    return;
                }
            }
        }
        reached.resize(self.store.len(), false);
        around.iter().for_each(|&state| reached[state as usize] = true);
        while let Some(state) = around.pop_front() {
            let Some(ways) = self.graph.ways(state) else {
                self.waiting.push_back(state);
                continue;
            };
            for edge in ways {
                if !std::mem::replace(&mut reached[edge.to as usize], true) {
                    around.push_back(edge.to);
                }
            }
        }
    }

    /// Expands the next state. Returns how the search ended, if it did.
    fn expand_next(&mut self) -> Option<Outcome> {
        let Some(state) = self.waiting.pop_front() else {
            self.look();
            // There may be more states around a better path.
            return self.waiting.is_empty().then(|| self.end());
        };
        let id = StateId::new(state as usize).expect("it is stored, so it has an id");
        self.expander.expand_only(self.store.open(id), &mut self.expansion);
        self.stats.expanded += 1;
        self.stats.atomic_steps += self.expansion.hidden_steps;
        let target = self.query.target;
        let here = target.state_errors(&self.expansion).map(|kind| (kind, 0));
        let goals = here.chain(target.transition_errors(&self.expansion));
        self.goals.extend(goals.map(|(kind, cost)| (state, kind, cost)));
        if !self.store_successors(state) || self.bytes() > self.query.max_bytes() {
            self.look();
            return Some(Outcome::Incomplete(Stop::Memory));
        }
        if self.stats.expanded >= self.next_look {
            self.next_look *= 2;
            self.look();
        }
        None
    }

    fn store_successors(&mut self, state: u32) -> bool {
        let begin = self.graph.edges.len();
        self.store.prefetch_slots(&self.expansion.successors, &mut self.ahead);
        self.store.prefetch_candidates(0..self.expansion.len(), &mut self.ahead);
        let (edges, waiting) = (&mut self.graph.edges, &mut self.waiting);
        let mut ways = self.expansion.successors.transitions().iter();
        let (mut room, mut matched) = (true, 0);
        let all = 0..self.expansion.len();
        self.store.insert_batch(&self.expansion.successors, all, &self.ahead, |inserted| {
            let cost = ways.next().map_or(1, |way| way.steps);
            let id = match inserted {
                Inserted::New(id) => {
                    waiting.push_back(id.index() as u32);
                    id
                }
                Inserted::Old(id) => {
                    matched += 1;
                    id
                }
                Inserted::Covered => {
                    matched += 1;
                    return;
                }
                Inserted::Full => {
                    room = false;
                    return;
                }
            };
            edges.push(Edge { to: id.index() as u32, cost });
        });
        self.stats.matched += matched;
        self.stats.generated += (edges.len() - begin) as u64;
        self.graph.set(state, begin);
        room
    }

    /// Searches for a cheaper path through the known states.
    fn look(&mut self) {
        let most = self.known.cost().0.saturating_sub(1);
        let best = self.graph.cheapest(self.store.len(), most);
        let costs = self.goals.iter().map(|&(state, kind, behind)| {
            (best[state as usize].0.saturating_add(behind), state, kind)
        });
        let Some((cost, state, kind)) = costs.min_by_key(|&(cost, ..)| cost) else { return };
        if cost > most {
            return;
        }
        let id = |state: u32| StateId::new(state as usize).expect("it is stored, so it has an id");
        let mut path = vec![id(state)];
        let mut at = state;
        while at != 0 {
            at = best[at as usize].1;
            path.push(id(at));
        }
        path.reverse();
        let states = load_path(&self.store, &path);
        let known = KnownPath::new(&mut *self.expander, states, kind);
        self.known = known.expect("the ways on it were followed");
        self.found = true;
        self.gather();
    }

    fn end(&self) -> Outcome {
        if self.found { Outcome::Found } else { Outcome::Complete }
    }
}

impl<T: StateStore> Search for Neighbourhood<'_, T> {
    fn name(&self) -> &'static str {
        "neighbourhood"
    }

    fn outcome(&self) -> Option<Outcome> {
        self.outcome
    }

    /// Its portfolio stops it.
    fn poll(&mut self) {}

    fn step(&mut self, _: u64) -> u64 {
        let before = self.stats.expanded;
        self.outcome = self.expand_next();
        self.stats.expanded - before
    }

    fn stats(&self) -> Stats {
        let (stored, store_bytes) = (self.store.len() as u64, self.store.bytes() as u64);
        let (table_bytes, state_bytes) = (self.store.table_bytes(), self.store.longest());
        let (table_bytes, state_bytes) = (table_bytes as u64, state_bytes as u64);
        Stats { stored, store_bytes, table_bytes, state_bytes, ..self.stats }
    }

    fn hits(&self) -> Vec<Hit> {
        if self.found { vec![self.known.hit()] } else { Vec::new() }
    }

    fn path(&self, _: usize) -> StatePath {
        self.known.states.clone()
    }

    fn bytes(&self) -> usize {
        let waiting = self.waiting.capacity() * size_of::<u32>();
        self.store.bytes() + self.graph.bytes() + waiting
    }

    fn lower_bound(&self) -> Cost {
        match self.outcome {
            Some(Outcome::Found | Outcome::Complete) => self.known.cost(),
            _ => Cost::ZERO,
        }
    }
}

impl<T: StateStore> PathImprover for Neighbourhood<'_, T> {
    fn follow(&mut self, known: &KnownPath) {
        if self.outcome.is_none() {
            self.known = known.clone();
            self.found = false;
            self.gather();
        }
    }
}
