//! How a state is read as values of factors.

use crate::factor::FactorId;

/// Reads states of a state space as values of the factors of a system.
pub trait FactorReader: Send + Sync {
    /// Calls `tell` with a value of every factor in `state`, for some factors with several.
    /// Where the state does not fit into the system, `false`: then nothing is known about it.
    fn read(&self, state: &[u8], tell: &mut dyn FnMut(FactorId, i32)) -> bool;
}
