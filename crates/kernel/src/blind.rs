//! The blind heuristic: nothing is known, every error may be here already.
//!
//! It makes Dijkstra's algorithm of A\*, and needs no model, so every room can have it.
//!
//! Source: h0 of [ELL00] §3.5.
//! Claims: all of them.

use crate::{Claims, Cost, Estimate, Heuristic};

/// Zero everywhere.
#[derive(Clone, Copy, Debug, Default)]
pub struct Blind;

impl Heuristic for Blind {
    fn name(&self) -> &str {
        "blind"
    }

    fn claims(&self) -> Claims {
        Claims::ALL
    }

    fn estimate(&mut self, _: &[u8]) -> Estimate {
        Estimate::Finite(Cost::ZERO)
    }
}
