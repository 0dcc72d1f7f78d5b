//! Dependence and enabling relations between edges, computed once for each query and local state.

use std::collections::HashMap;
use std::hash::Hash;

use super::access_set::{AccessSet, EnablingSet};
use super::edge_set::{Edges, edges_of, has, set};
use super::instance::Instance;
use super::instance_edge::InstanceEdge;
use super::local_state::LocalState;
use super::objects::Bits;

/// A query about edges.
pub(super) trait EdgeQuery: Clone + Eq + Hash {
    fn is_about(&self, step: &InstanceEdge) -> bool;
}

/// Whether the edge depends on this access set.
impl EdgeQuery for AccessSet {
    fn is_about(&self, step: &InstanceEdge) -> bool {
        !step.is_timeout && self.clashes(&step.whole)
    }
}

/// Whether the edge may enable it.
impl EdgeQuery for EnablingSet {
    fn is_about(&self, step: &InstanceEdge) -> bool {
        !step.is_timeout && self.are_met_by(&step.whole)
    }
}

/// Whether the edge receives in one of these rendezvous.
impl EdgeQuery for Bits {
    fn is_about(&self, step: &InstanceEdge) -> bool {
        self.meets(&step.takes)
    }
}

/// The known process instances and local states.
#[derive(Default)]
pub(super) struct KnownProcesses {
    pub(super) instances: Vec<Instance>,
    pub(super) places: Vec<LocalState>,
    /// Whether an edge to which its process may return counts with other values, too.
    pub(super) revisits_matter: bool,
}

/// Queries, with the answers computed so far.
pub(super) struct Relation<Q> {
    queries: Vec<Q>,
    numbers: HashMap<Q, u32>,
    /// By query and instance: the matching edges, at all locations.
    anywhere: Vec<Vec<Option<Edges>>>,
    /// By query and local state: the matching edges there and later.
    from_here: Vec<Vec<Option<Edges>>>,
    /// Words of all answers, and edges inspected for them.
    pub(super) room: usize,
    pub(super) looks: u64,
}

impl<Q: EdgeQuery> Relation<Q> {
    pub(super) fn new() -> Self {
        let (queries, numbers) = (Vec::new(), HashMap::new());
        Relation {
            queries,
            numbers,
            anywhere: Vec::new(),
            from_here: Vec::new(),
            room: 0,
            looks: 0,
        }
    }

    /// The number of a query.
    pub(super) fn number(&mut self, query: &Q) -> u32 {
        if let Some(&known) = self.numbers.get(query) {
            return known;
        }
        let number = self.queries.len() as u32;
        self.queries.push(query.clone());
        self.numbers.insert(query.clone(), number);
        self.anywhere.push(Vec::new());
        self.from_here.push(Vec::new());
        number
    }

    /// The edges that match a query, of a process in a local state.
    #[inline]
    pub(super) fn edges(&mut self, query: u32, place: u32, processes: &KnownProcesses) -> &[u64] {
        let (row, column) = (query as usize, place as usize);
        if !matches!(self.from_here[row].get(column), Some(Some(_))) {
            self.look(row, column, processes);
        }
        self.from_here[row][column].as_deref().expect("it was looked at")
    }

    #[cold]
    fn look(&mut self, row: usize, column: usize, processes: &KnownProcesses) {
        let place = &processes.places[column];
        let instance = &processes.instances[place.instance];
        let query = &self.queries[row];
        let known = slot(&mut self.anywhere[row], place.instance);
        let anywhere = known.get_or_insert_with(|| {
            self.room += place.later.len();
            self.looks += instance.edges.len() as u64;
            let steps = instance.edges.iter().enumerate();
            let found = steps.filter(|(_, step)| query.is_about(step)).map(|(at, _)| at);
            edges_of(instance.edges.len(), found)
        });
        let mut found: Edges =
            anywhere.iter().zip(&place.later).map(|(edges, later)| edges & later).collect();
        // If the process may return to an edge with other values of its variables, the edge may
        // match more queries than now.
        for (at, step) in place.moves.iter().enumerate() {
            let edge = place.start + at;
            let is_again = place.around[at].iter().any(|&edges| edges != 0);
            let is_later = processes.revisits_matter && is_again && has(anywhere, edge);
            set(&mut found, edge, is_later || query.is_about(step));
        }
        self.room += found.len();
        *slot(&mut self.from_here[row], column) = Some(found);
    }
}

/// An entry of a list, which grows if necessary.
fn slot<T>(list: &mut Vec<Option<T>>, at: usize) -> &mut Option<T> {
    if list.len() <= at {
        list.resize_with(at + 1, || None);
    }
    &mut list[at]
}
