//! Factored systems that are not exact have states and steps that the model lacks.

use beeline_factored::System;
use beeline_model::Unsupported;

/// Refuses a system that is not exact.
///
/// # Errors
///
/// When it is not, with the reasons; `subject` is what needs an exact one.
pub(crate) fn refuse_inexact(system: &System, subject: &str) -> Result<(), Unsupported> {
    if system.precision.is_exact() {
        return Ok(());
    }
    let reasons: Vec<&str> = system.precision.reasons().collect();
    Err(Unsupported::new(format!(
        "{subject} need an exact symbolic view of the model, which has {}",
        reasons.join(", ")
    )))
}
