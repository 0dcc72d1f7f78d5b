//! What must not happen.

use crate::{Fault, Step, Violation};

/// One question put to a model.
///
/// A property can be about states ([`violated`](Property::violated)), about
/// faults ([`forbids`](Property::forbids)), or about what is repeated forever
/// ([`accepting`](Property::accepting)); most are about one of the three, so
/// only the first has to be written.
pub trait Property: Sync {
    /// The name a user knows it by.
    fn name(&self) -> &str;

    /// Whether `state` is an error. `enabled` is all that can happen there: the
    /// caller has computed it anyway, and a deadlock is about nothing else.
    fn violated(&self, state: &[u8], enabled: &[Step]) -> Option<Violation>;

    /// Whether a step that fails so is an error. Someone who asks about
    /// deadlocks alone does not want to be stopped by an assertion.
    fn forbids(&self, _fault: Fault) -> bool {
        false
    }

    /// Whether a cycle through `state` is an error. This is Büchi acceptance:
    /// never claims, `ltl` formulas and non-progress all come down to it once
    /// the claim is part of the state.
    fn accepting(&self, _state: &[u8]) -> bool {
        false
    }
}
