//! Filtering of the trails of a reduced search, which may contain steps that the error does not
//! need ([EMJ05], "Recovering Solution Quality").

use beeline_model::{Certificate, Verdict, Violation};

use super::Task;

/// Filters the trails of a verdict, and returns a remark with the lengths before and after.
pub(crate) fn filter_verdict(task: &Task<'_>, verdict: &mut Verdict) -> Option<String> {
    let Verdict::Violated(violations) = verdict else { return None };
    let (mut before, mut after, mut trails) = (0, 0, 0);
    for violation in violations {
        let Some(shorter) = filtered(task, violation) else { continue };
        before += violation.length.steps;
        after += shorter.length.steps;
        trails += 1;
        *violation = shorter;
    }
    match trails {
        0 => None,
        1 => Some(format!("filtered from {before} to {after} steps")),
        _ => Some(format!("{trails} trails filtered, from {before} to {after} steps in all")),
    }
}

fn filtered(task: &Task<'_>, violation: &Violation) -> Option<Violation> {
    let (trail, followed) = task.system.editor()?.filter(&violation.trail, task.target)?;
    let length = Certificate::new(followed.steps, violation.length.lower_bound);
    Some(Violation { trail, length, ..violation.clone() })
}
