//! The trait of everything that can be searched.

use crate::{Cost, Fault, Step};

/// States and the steps between them.
///
/// Three methods, in the order Promela itself thinks: what can happen, then what
/// happens when it does. Reduction, move ordering and replay need the two apart.
pub trait TransitionSystem: Sync {
    /// Writes the initial state, replacing what is in `state`.
    fn initial(&self, state: &mut Vec<u8>);

    /// Lists the steps that can be executed in `state`, replacing what is in
    /// `steps`. The order is part of the answer: asked twice, it is the same,
    /// and a search that takes the first step first is reproducible.
    ///
    /// This is about executability only; a listed step may still fail.
    fn enabled(&self, state: &[u8], steps: &mut Vec<Step>);

    /// Executes `step`, which `enabled` listed for `state`, and writes the
    /// successor, replacing what is in `next`.
    ///
    /// # Errors
    ///
    /// A fault is a finding about the model, not a failure of the call. When it
    /// [is survivable](crate::FaultKind::is_survivable), `next` holds the state
    /// in which execution goes on; otherwise its content means nothing.
    fn apply(&self, state: &[u8], step: Step, next: &mut Vec<u8>) -> Result<(), Fault>;

    /// What a step costs.
    fn cost(&self, _step: Step) -> Cost {
        Cost::ONE
    }
}
