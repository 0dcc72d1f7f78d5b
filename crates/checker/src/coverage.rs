//! Coverage: all states are explored, and every statement that is executed is recorded.

use beeline_model::{Coverage, Model, Unsupported};
use beeline_search::{Exploration, Outcome};

use crate::observe::{Observer, drive};
use crate::plan::Plan;

/// Explores all states and records every statement that is executed.
///
/// # Errors
///
/// When the language has no statements to record.
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
