//! Coverage: explores all states and records the executed statements.

use beeline_model::{Coverage, Model, Unsupported};
use beeline_search::{Exploration, Outcome};

use crate::observe::{Observer, drive};
use crate::plan::Plan;

/// Explores all states and records the executed statements.
///
/// # Errors
///
/// When the language does not support coverage.
pub fn coverage(
    model: &dyn Model,
    plan: &Plan,
    observer: &mut dyn Observer,
) -> Result<Coverage, Unsupported> {
    let mut coverage = None;
    model.with_coverage(plan.system_options(), &mut |recorded| {
        let outcome = match Exploration::new(recorded.space(), plan.exploration()) {
            Ok(mut exploration) => drive(&mut exploration, observer, |_, _| false).outcome,
            Err(_) => Outcome::Complete,
        };
        let is_complete = outcome == Outcome::Complete;
        coverage = Some(Coverage { is_complete, processes: recorded.processes() });
    })?;
    Ok(coverage.expect("a model runs what it is given"))
}
