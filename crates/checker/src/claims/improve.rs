//! A shorter lasso than the one that someone gave us.
//!
//! Source: [ELL01] §4.4, liveness: the path to the seed is shortened, then the cycle; and the
//! search for the shortest lasso of all proves when there is none shorter.
//!
//! A trail says which steps are taken, and a never claim's moves if one takes part. What a
//! formula's automaton does along them is found out again: any way will do by which it
//! accepts what happens.

use beeline_engine::trail::Trail;
use beeline_kernel::Stop;
use beeline_promela::hir::Model;
use beeline_search::{Lasso, Outcome};

use super::automatic::{Shortened, shorten};
use super::lasso::{lasso_run, violated_claim};
use super::{System, claim_task, with_claim_of};
use crate::error_selector::ErrorSelector;
use crate::improve::{ImproveError, Improved};
use crate::observer::Observer;
use crate::run::Plan;
use crate::story::execute;
use crate::witness::Violation;

/// Looks for shorter lassos than the one that a trail tells, until one is proved to be
/// shortest or the watch has had enough.
pub(crate) fn improve_lasso(
    model: &Model,
    trail: &Trail,
    plan: &Plan,
    observer: &mut dyn Observer,
) -> Result<Improved, ImproveError> {
    let machine = with_claim_of(trail, plan.semantics.machine(model, plan.automata()));
    let replay = execute(&machine, trail).map_err(ImproveError::Trail)?;
    let given = lasso_run(&machine, &replay).ok_or(ImproveError::Cycle)?;
    let claim =
        violated_claim(&machine, &given, &ErrorSelector::default()).ok_or(ImproveError::NoError)?;
    let machine = plan.semantics.machine(model, plan.automata()).watched_by(claim);
    // Once more, with the claim.
    let replay = execute(&machine, trail).map_err(ImproveError::Trail)?;
    let given = lasso_run(&machine, &replay).ok_or(ImproveError::Cycle)?;
    let claim = machine.claim().expect("it watches");
    let run = claim.run_along(&machine, &given.stem, &given.cycle);
    let (stem, cycle) = run.ok_or(ImproveError::Cycle)?;
    let states: Vec<&Vec<u8>> = given.stem.iter().chain(&given.cycle).collect();
    let watched = |stands: Vec<(usize, usize)>| {
        let state = |(at, place): (usize, usize)| {
            let mut state = states[at].clone();
            machine.layout().frame.set_claim(&mut state, place as u32);
            state
        };
        stands.into_iter().map(state).collect()
    };
    let lasso = Lasso { stem: watched(stem), cycle: watched(cycle) };
    let system = System::new(&machine, plan);
    let product = system.product(&machine);
    if !lasso.is_valid(&product) {
        return Err(ImproveError::NoError);
    }
    let task = claim_task(&machine, &product);
    // Where nothing happens, that is a step.
    let (round, told) = (given.moves.len().max(1) as u64, replay.moves.len() as u64);
    let told = told.max(told - given.moves.len() as u64 + round);
    let shortened = shorten(&task, lasso, told, plan, observer).map_err(ImproveError::Check)?;
    let Shortened { given, mut violation, log, stats, peak_bytes } = shortened;
    if violation.steps > given {
        // The claim needs to see some steps of the trail once more, and so it stays as it is.
        let trail = trail.clone();
        violation =
            Violation { trail, steps: told, lower_bound: 1, cycle: Some(round), ..violation };
    }
    let outcome =
        if violation.is_shortest() { Outcome::Found } else { Outcome::Incomplete(Stop::Time) };
    Ok(Improved { given, violation, log, outcome, stats, peak_bytes })
}
