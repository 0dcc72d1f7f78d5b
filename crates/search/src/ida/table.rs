//! Transposition tables of IDA\*: the states of an iteration in full with their costs, or a few
//! bits for each.
//!
//! Source: [ELL00] §3.2 and §3.4, and [EMJ05], State Compaction and Incremental Hashing,
//! section 4 (Partial IDA\*). There the bit array is emptied for each iteration; here each
//! iteration has other hash functions, too, so that the omissions of iterations are independent.

use super::{IdaConfig, IdaMemory};
use crate::query::SearchQuery;
use crate::stats::Stats;
use crate::store::{Inserted, StateStore, StoreLimits};
use crate::visited::{Omissions, RepeatedSet, RestartSchedule, Seen, Visited};

/// The result of a lookup.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TableAnswer {
    /// The state is new in this iteration, or was reached at a greater cost before.
    Anew,
    /// The state is known, or another one with the same hash.
    Before,
    /// There is no room for the state.
    Unknown,
}

/// The states of an iteration.
pub trait TranspositionTable {
    /// Clears the table for the next iteration.
    fn clear(&mut self);

    /// Records a state at this cost, and returns whether it is known.
    fn visit(&mut self, state: &[u8], g: u32) -> TableAnswer;

    /// The number of states in the table.
    fn states(&self) -> usize;

    /// Memory held.
    fn bytes(&self) -> usize;

    /// The counters, with those of the table.
    fn count(&self, stats: Stats) -> Stats;

    /// The estimated number of overlooked states, if the table is lossy.
    fn omissions(&self) -> Option<Omissions> {
        None
    }

    /// Whether the last iteration is to be repeated, since a lossy table may find more states then.
    fn wants_more(&mut self) -> bool {
        false
    }
}

/// States in full, each with the cost of the cheapest path to it in this iteration.
#[derive(Clone, Debug)]
pub struct ExactTable<T: StateStore> {
    store: T,
    costs: Vec<u32>,
    ceiling: StoreLimits,
}

impl<T: StateStore> ExactTable<T> {
    pub(super) fn new(config: IdaConfig, query: SearchQuery<'_>) -> ExactTable<T> {
        let states = match config.memory {
            IdaMemory::Path => 0,
            IdaMemory::Table(states) => states,
        };
        // The rest of the memory is for the path.
        let ceiling = StoreLimits { bytes: query.max_bytes() / 2, states };
        ExactTable { store: T::new(ceiling), costs: Vec::new(), ceiling }
    }
}

impl<T: StateStore> TranspositionTable for ExactTable<T> {
    fn clear(&mut self) {
        self.store = T::new(self.ceiling);
        self.costs.clear();
    }

    fn visit(&mut self, state: &[u8], g: u32) -> TableAnswer {
        if self.ceiling.states == 0 {
            return TableAnswer::Unknown;
        }
        match self.store.insert(state) {
            Inserted::New(_) => {
                self.costs.push(g);
                TableAnswer::Anew
            }
            Inserted::Old(id) => {
                let cost = &mut self.costs[id.index()];
                let is_cheaper = *cost <= g;
                *cost = g.min(*cost);
                if is_cheaper { TableAnswer::Before } else { TableAnswer::Anew }
            }
            Inserted::Covered | Inserted::Full => TableAnswer::Unknown,
        }
    }

    fn states(&self) -> usize {
        self.store.len()
    }

    fn bytes(&self) -> usize {
        self.store.bytes() + self.costs.capacity() * size_of::<u32>()
    }

    fn count(&self, stats: Stats) -> Stats {
        Stats {
            store_bytes: self.store.bytes() as u64,
            table_bytes: self.store.table_bytes() as u64,
            state_bytes: stats.state_bytes.max(self.store.longest() as u64),
            ..stats
        }
    }
}

/// A lossy set of states. Costs are not kept, so a state is not searched again when it is reached
/// at less cost.
#[derive(Clone, Debug)]
pub struct LossyTable<V: Visited> {
    visited: V,
    runs: RestartSchedule,
}

impl<V: Visited> LossyTable<V> {
    /// A table with this set. The last iteration is repeated for each run.
    pub fn new(set: RepeatedSet<V>) -> LossyTable<V> {
        LossyTable { visited: set.visited, runs: RestartSchedule::new(set.restarts) }
    }
}

impl<V: Visited> TranspositionTable for LossyTable<V> {
    fn clear(&mut self) {
        // The set is empty in the first iteration.
        if !self.visited.is_empty() {
            let seed = self.runs.seed();
            self.visited.restart(seed);
        }
    }

    fn visit(&mut self, state: &[u8], _: u32) -> TableAnswer {
        match self.visited.insert(state) {
            Seen::New => TableAnswer::Anew,
            Seen::Old => TableAnswer::Before,
            Seen::Full => TableAnswer::Unknown,
        }
    }

    fn states(&self) -> usize {
        self.visited.len()
    }

    fn bytes(&self) -> usize {
        self.visited.bytes()
    }

    fn count(&self, stats: Stats) -> Stats {
        let bytes = self.visited.bytes() as u64;
        Stats { store_bytes: bytes, table_bytes: bytes, ..stats }
    }

    fn omissions(&self) -> Option<Omissions> {
        Some(self.runs.omissions(self.visited.omissions()))
    }

    fn wants_more(&mut self) -> bool {
        self.runs.next(self.visited.omissions()).is_some()
    }
}
