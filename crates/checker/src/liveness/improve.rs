//! A shorter lasso than a given one.
//!
//! Source: [ELL01] §4.4, liveness: the path to the seed is shortened, then the cycle. The search
//! for the shortest lasso proves that no lasso is shorter.

use beeline_kernel::{Stop, Trail};
use beeline_model::{Certificate, FollowedLasso, System, Violation};
use beeline_search::Outcome;

use super::automatic::{Shortened, shorten};
use super::claim_task;
use crate::observe::Observer;
use crate::plan::Plan;
use crate::report::{ImproveError, Improved};

/// Searches for shorter lassos than that of a trail, until one is proved shortest or the observer
/// stops the search.
pub(crate) fn improve_lasso(
    product: &dyn System,
    trail: &Trail,
    given: FollowedLasso,
    plan: &Plan,
    observer: &mut dyn Observer,
) -> Result<Improved, ImproveError> {
    let FollowedLasso { lasso, cycle_steps, steps } = given;
    let shortened = shorten(&claim_task(product), lasso, steps, plan, observer)?;
    let Shortened { given, mut violation, log, stats, peak_bytes } = shortened;
    if violation.length.steps > given {
        // The claim repeats steps of the given trail, which is shorter than its lasso and stays.
        let (trail, length) = (trail.clone(), Certificate { steps, lower_bound: 1 });
        violation = Violation { trail, length, cycle: Some(cycle_steps), ..violation };
    }
    let outcome =
        if violation.is_shortest() { Outcome::Found } else { Outcome::Incomplete(Stop::Time) };
    Ok(Improved { given, violation, log, outcome, stats, peak_bytes })
}
