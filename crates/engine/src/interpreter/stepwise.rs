//! Every step is a transition of its own: states inside atomic sequences are stored, too.
//!
//! Source: [ELL00], whose tables count them (HSF-SPIN before 2001 stored each of them). The states
//! at the ends of sequences are the same; only the counts differ.

use beeline_kernel::{Expansion, Fault, FaultKind, FaultTransition, SiteId, Space};

use super::machine::{DecodedState, Machine};
use super::moves::{Move, Moves};

/// The states of a machine, including those inside atomic sequences.
pub struct Stepwise<'a>(pub &'a Machine<'a>);

impl Stepwise<'_> {
    /// The move from one state to the next; `None` when none leads there.
    pub fn moves_to(&self, from: &[u8], to: &[u8]) -> Option<Move> {
        let moves = self.moves(&self.0.decode(from)).moves;
        moves.into_iter().find(|step| step.next.bytes == to)
    }

    fn moves(&self, now: &DecodedState) -> Moves {
        let machine = self.0;
        machine.moves(now).unwrap_or_else(|released| {
            // A blocked sequence loses exclusive control, which is not a step.
            machine
                .moves(&released)
                .unwrap_or_else(|_| unreachable!("no process has exclusive control"))
        })
    }
}

impl Space for Stepwise<'_> {
    fn initial(&self, state: &mut Vec<u8>) -> Result<(), Fault> {
        Space::initial(self.0, state)
    }

    fn expand(&self, state: &[u8], expansion: &mut Expansion) {
        expansion.clear();
        let now = self.0.decode(state);
        let found = self.moves(&now);
        expansion.deadlock = found.deadlock;
        for step in &found.moves {
            if let Some(kind) = step.fault {
                let fault = Fault { kind, site: SiteId(step.edge.0) };
                expansion.faults.push(FaultTransition { fault, steps: 1 });
                if !kind.is_survivable() || kind == FaultKind::Index {
                    continue;
                }
            }
            expansion.push(&step.next.bytes);
        }
        self.0.add_broken(&now, expansion);
    }
}
