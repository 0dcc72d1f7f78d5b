//! From one state that is stored to the next ones.
//!
//! States inside an atomic sequence are not stored: they belong to the step. A
//! sequence that gets stuck lets go of control, and that state is stored.

use beeline_kernel::FaultKind;

use super::machine::{Machine, Now};
use super::moves::Move;

/// What follows a state.
#[derive(Clone, Debug, Default)]
pub struct Expansion {
    /// States to store, one for each way that leads there.
    pub next: Vec<Vec<u8>>,
    /// What went wrong on the ways.
    pub faults: Vec<FaultKind>,
    /// Nobody can move, and somebody should.
    pub deadlock: bool,
    /// Steps inside atomic sequences.
    pub atomic_steps: u64,
    /// An atomic sequence never ends: it came back to a state of its own.
    pub endless: bool,
}

impl Machine<'_> {
    /// All that follows a stored state.
    pub fn expand(&self, bytes: &[u8]) -> Expansion {
        let mut expansion = Expansion::default();
        let now = self.open(bytes);
        match self.moves(&now) {
            Ok(found) => {
                expansion.deadlock = found.deadlock;
                self.follow(found.moves, &mut expansion);
            }
            Err(released) => expansion.next.push(released.bytes),
        }
        expansion
    }

    /// Follows moves through atomic sequences, depth first and in order.
    fn follow(&self, moves: Vec<Move>, expansion: &mut Expansion) {
        let mut path: Vec<Now> = Vec::new();
        let mut waiting: Vec<std::vec::IntoIter<Move>> = vec![moves.into_iter()];
        while let Some(level) = waiting.last_mut() {
            let Some(step) = level.next() else {
                waiting.pop();
                path.pop();
                continue;
            };
            if let Some(fault) = step.fault {
                expansion.faults.push(fault);
                if !fault.is_survivable() || fault == FaultKind::Index {
                    continue;
                }
            }
            if step.next.exclusive().is_none() {
                expansion.next.push(step.next.bytes);
                continue;
            }
            expansion.atomic_steps += 1;
            if path.iter().any(|earlier| earlier.bytes == step.next.bytes) {
                expansion.endless = true;
                continue;
            }
            match self.moves(&step.next) {
                Ok(found) => {
                    path.push(step.next);
                    waiting.push(found.moves.into_iter());
                }
                Err(released) => expansion.next.push(released.bytes),
            }
        }
    }
}
