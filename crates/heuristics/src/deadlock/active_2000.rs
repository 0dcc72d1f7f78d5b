//! Active processes as the first implementation counted them: from the youngest process
//! to the oldest, each takes its first executable move, and what it does stays done
//! while the next one is asked.
//!
//! Source: rule R9 of the published tables, which reproduces column h2 of [ELL00] §4.
//! Deviation: none known. It is kept for that comparison; `active` is what the paper
//! defines.
//! Claims: safe, since it never sees a dead end; nothing else.
//! It executes moves, so it costs as much as expanding the state.

use beeline_engine::interpreter::Machine;
use beeline_kernel::{Claims, Cost, Estimate, Heuristic};

use crate::incremental::current_state::CurrentState;
use crate::static_facts::blocking::counts;

/// The number of processes that could move one after the other.
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
            // A process that ended took its channels with it, but no older process.
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
