//! The reachable states.
//!
//! All strategies compute the same sets. They differ in the order in which operators are applied,
//! and so in the size of the intermediate sets, which decides about time and memory.

mod breadth_first;
mod chaining;
mod saturation;

use crate::control::{ControlSets, Rule};
use crate::ldd::Set;
use crate::limits::{Limit, SymbolicError};
use crate::relation::Relation;
use crate::system::SymbolicSystem;

/// In which order operators are applied.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum SymbolicStrategy {
    /// Saturation; if that takes long and the operators are not local, chaining.
    #[default]
    Auto,
    /// One step after the other; the layers are the distances.
    BreadthFirst,
    /// Operators see the states that others have just reached.
    Chaining,
    /// Fixpoints of the lower levels first, within each node.
    Saturation,
}

/// Costs of a computation.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Statistics {
    /// Nodes of the states of the model.
    pub nodes: usize,
    /// The greatest number of nodes at a time, garbage included.
    pub peak_nodes: usize,
    /// Rounds of the outermost loop.
    pub iterations: usize,
}

/// The reachable states.
#[derive(Clone, Debug)]
pub struct ReachedStates {
    /// The states by the process that holds control. Those of the model are
    /// [`ControlSets::free`].
    pub states: ControlSets,
    /// The costs.
    pub statistics: Statistics,
}

/// The largest average span of a relation, relative to the number of levels, for which saturation
/// is the only choice: with local relations, it wins by orders of magnitude.
const LOCAL: f64 = 0.2;

/// Polls of the first attempt with saturation where relations are not local: one or two tenths of a
/// second.
///
/// Seconds of saturation and of chaining: a pipeline of 20 channels 0.1 and 1.3, 4 counters with a
/// common sum 0.8 and 6.2, the 3×3 sliding puzzle 0.5 and 2.3, sorting 12 numbers 0.59 and 0.53; but
/// Szymanski's algorithm 2.7 and 1.3, a leader election with filters 35 and 9.7.
const ATTEMPT: u32 = 120;

impl SymbolicSystem<'_> {
    /// Computes the states that are reachable from the initial state.
    ///
    /// # Errors
    ///
    /// When a limit is reached, or an operator has too many outcomes.
    pub fn reachable(
        &mut self,
        strategy: SymbolicStrategy,
    ) -> Result<ReachedStates, SymbolicError> {
        let initial = self.initial()?;
        match strategy {
            SymbolicStrategy::Auto => self.saturated_or_chained(&initial),
            SymbolicStrategy::BreadthFirst => {
                let mut search = self.layers(&initial)?;
                while search.advance(self)? {}
                let iterations = search.depth();
                Ok(self.reached(search.into_states(), iterations))
            }
            SymbolicStrategy::Chaining => self.closure(&initial, |system, set| system.chain(set)),
            SymbolicStrategy::Saturation => {
                self.closure(&initial, |system, set| system.saturate(set))
            }
        }
    }

    /// Saturation; where relations are not local and it takes long, chaining.
    fn saturated_or_chained(&mut self, initial: &Set) -> Result<ReachedStates, SymbolicError> {
        let attempt = if self.is_local() { None } else { Some(ATTEMPT) };
        self.forest.set_attempt(attempt);
        let saturated = self.closure(initial, |system, set| system.saturate(set));
        self.forest.set_attempt(None);
        match saturated {
            Err(SymbolicError::Limit(Limit::Attempt)) => {
                self.closure(initial, |system, set| system.chain(set))
            }
            ended => ended,
        }
    }

    /// Whether most relations are about few neighbouring levels.
    pub fn is_local(&self) -> bool {
        let free = self.partitions.iter().filter(|partition| partition.rule.is_free());
        let spans: Vec<u32> =
            free.flat_map(|partition| partition.relations()).map(Relation::span).collect();
        let most = (spans.len() * self.levels()).max(1);
        let spans: u32 = spans.iter().sum();
        f64::from(spans) / most as f64 <= LOCAL
    }

    /// The least set that contains a set and is closed under all operators: alternates between the
    /// closure under free operators and a step with the others.
    fn closure(
        &mut self,
        initial: &Set,
        close: impl Fn(&mut Self, &Set) -> Result<Set, SymbolicError>,
    ) -> Result<ReachedStates, SymbolicError> {
        let mut held = self.nothing_held();
        let mut done = self.forest.empty();
        let mut new = initial.clone();
        let mut iterations = 0;
        let is_plain = |rule: Rule| rule.is_free() || rule.is_fatal;
        let is_plain = self.partitions.iter().all(|partition| is_plain(partition.rule));
        while !new.is_empty() {
            iterations += 1;
            let all = self.forest.union(&done, &new)?;
            let closed = close(self, &all)?;
            if is_plain {
                done = closed;
                break;
            }
            let fresh = self.forest.difference(&closed, &done)?;
            done = closed;
            let arrived = self.step(&fresh, &mut held, |rule| !rule.is_free())?;
            new = self.forest.difference(&arrived, &done)?;
        }
        Ok(self.reached(ControlSets { free: done, held }, iterations))
    }

    fn reached(&mut self, states: ControlSets, iterations: usize) -> ReachedStates {
        let nodes = self.forest.node_count(&states.free);
        let peak_nodes = self.forest.peak_nodes();
        ReachedStates { states, statistics: Statistics { nodes, peak_nodes, iterations } }
    }
}

pub use breadth_first::Layers;
