//! FSM distance to named locations: distances of processes, in their automata, to locations that
//! the user names.
//!
//! Source: ours, from [ELL01] §4.2, for errors whose locations are known but not their state. Each
//! location counts with the nearest process of its type; if there is none, or no path, with the
//! number of locations of the type.
//! Claims: safe, since it has no dead ends. Nothing else, since the locations need not be those of
//! the error.

use beeline_engine::automata::Location;
use beeline_engine::interpreter::Machine;
use beeline_kernel::{Claims, Cost, Estimate, Heuristic};
use beeline_promela::hir::ProcessId;

use crate::combine::aggregation::Aggregation;
use crate::incremental::current_state::CurrentState;
use crate::static_facts::automaton_distance::distances_to;

/// The distance to named locations.
#[derive(Clone)]
pub struct Fsm<'a> {
    opened: CurrentState<'a>,
    /// Process type and distance of each of its locations.
    targets: Vec<(ProcessId, Vec<u32>)>,
    combine: Aggregation,
}

impl<'a> Fsm<'a> {
    /// The distance to these locations.
    pub fn new(
        machine: &'a Machine<'a>,
        targets: &[(ProcessId, Location)],
        combine: Aggregation,
    ) -> Self {
        let distances = |&(process, location): &(ProcessId, Location)| {
            (process, distances_to(machine.automaton(process), &[location]))
        };
        let targets = targets.iter().map(distances).collect();
        Fsm { opened: CurrentState::new(machine), targets, combine }
    }
}

impl Heuristic for Fsm<'_> {
    fn name(&self) -> &str {
        "fsm"
    }

    fn claims(&self) -> Claims {
        Claims { safe: true, ..Claims::NONE }
    }

    fn estimate(&mut self, state: &[u8]) -> Estimate {
        self.opened.open(state);
        let now = &self.opened.now;
        let each = self.targets.iter().map(|(process, distances)| {
            let own = (0..now.process_count()).filter(|&pid| now.process(pid) == *process);
            let nearest = own.map(|pid| distances[now.location(pid).0 as usize]).min();
            let none = distances.len() as u32;
            Cost(nearest.unwrap_or(none).min(none))
        });
        Estimate::Finite(match self.combine {
            Aggregation::Sum => each.sum(),
            Aggregation::Half => Cost(each.sum::<Cost>().0.div_ceil(2)),
            Aggregation::Max => each.max().unwrap_or(Cost::ZERO),
        })
    }
}
