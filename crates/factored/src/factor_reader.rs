//! Decoding of states into values of factors.

use crate::factor::FactorId;

/// Decodes states into values of factors.
pub trait FactorReader: Send + Sync {
    /// Calls `tell` with a value of every factor in `state`, several for summary factors. `false`
    /// if the state does not fit into the system.
    fn read(&self, state: &[u8], tell: &mut dyn FnMut(FactorId, i32)) -> bool;
}
