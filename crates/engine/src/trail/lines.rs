//! The trail of some moves.

use beeline_kernel::{Trail, TrailLine};

use crate::interpreter::Move;

/// The lines of some moves; a rendezvous has two, sender first.
pub fn trail_lines<'a>(
    moves: impl IntoIterator<Item = &'a Move>,
) -> impl Iterator<Item = TrailLine> {
    moves.into_iter().flat_map(|step| {
        let own = TrailLine { pid: step.pid, edge: step.edge };
        let partner = step.partner.map(|(pid, edge)| TrailLine { pid, edge });
        std::iter::once(own).chain(partner)
    })
}

/// The trail of some moves.
pub fn trail_of<'a>(moves: impl IntoIterator<Item = &'a Move>, merged: bool) -> Trail {
    Trail { merged, lines: trail_lines(moves).collect(), ..Trail::default() }
}
