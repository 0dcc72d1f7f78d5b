//! Active processes as the first implementation counted them: from the youngest to the oldest
//! process, each executes its first enabled move before the next process is tested.
//!
//! Source: rule R9 of the published tables, which reproduces column h2 of [ELL00] §4.
//! Deviation: none known. It is kept for that comparison; `active` is what the paper defines.
//! Claims: safe, since it has no dead ends; nothing else.
//! It executes moves, so it costs as much as an expansion.

use beeline_engine::interpreter::Machine;
use beeline_kernel::{Claims, Cost, Estimate, Heuristic};

use crate::goal::GoalKind;
use crate::incremental::current_state::CurrentState;
use crate::request::{HeuristicBuilder, HeuristicRow};
use crate::static_facts::blocking::counts;

/// The registry row.
pub(crate) const ROW: HeuristicRow = HeuristicRow {
    name: "active-2000",
    aliases: &["h2-2000"],
    arguments: &[],
    about: "number of processes that can move one after the other, as in the tables of 2000",
    promises: Some("safe"),
    source: Some("[ELL00] §4"),
    build: HeuristicBuilder {
        goals: GoalKind::ALL,
        build: |of| Ok(Box::new(Active2000::new(of.machine))),
    },
};

/// The number of processes that can move one after the other.
#[derive(Clone)]
pub struct Active2000<'a>(CurrentState<'a>);

impl<'a> Active2000<'a> {
    /// For the states of a machine.
    pub fn new(machine: &'a Machine<'a>) -> Self {
        Active2000(CurrentState::new(machine))
    }
}

impl Heuristic for Active2000<'_> {
    fn name(&self) -> &str {
        "active-2000"
    }

    fn claims(&self) -> Claims {
        Claims { safe: true, ..Claims::NONE }
    }

    fn estimate(&mut self, state: &[u8]) -> Estimate {
        self.0.open(state);
        let (machine, now) = self.0.hand_out();
        let mut moved = 0;
        for pid in (0..now.process_count()).rev() {
            // When a process ends, its channels go, but no older process does.
            if pid >= now.process_count() || !counts(machine, now.process(pid)) {
                continue;
            }
            if let Some(first) = machine.first_move(now, pid) {
                moved += 1;
                *now = first.next;
            }
        }
        Estimate::Finite(Cost(moved))
    }
}
