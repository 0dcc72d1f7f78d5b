//! A shorter lasso than a given one.
//!
//! Source: [ELL01] §4.4, liveness: the path to the seed is shortened, then the cycle; and the
//! search for the shortest lasso of all proves when there is none shorter.

use beeline_kernel::{Stop, Trail};
use beeline_model::{Certificate, FollowedLasso, System, Violation};
use beeline_search::Outcome;

use super::automatic::{Shortened, shorten};
use super::claim_task;
use crate::observe::Observer;
use crate::plan::Plan;
use crate::report::{ImproveError, Improved};

/// Looks for shorter lassos than the one of a trail, until one is proved to be shortest or the
/// observer ends it.
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
        // The claim needs to see some steps of the trail once more, and so it stays as it is.
        let (trail, length) = (trail.clone(), Certificate { steps, lower_bound: 1 });
        violation = Violation { trail, length, cycle: Some(cycle_steps), ..violation };
    }
    let outcome =
        if violation.is_shortest() { Outcome::Found } else { Outcome::Incomplete(Stop::Time) };
    Ok(Improved { given, violation, log, outcome, stats, peak_bytes })
}
