//! The blind heuristic: zero everywhere.
//!
//! A\* with it is Dijkstra's algorithm. It needs no model, so it is available for every state
//! space.
//!
//! Source: h0 of [ELL00] §3.5.
//! Claims: all of them.

use crate::{Claims, Cost, Estimate, Heuristic};

/// The heuristic that is zero everywhere.
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
