//! From a lasso that a search found to a trail that has been executed again.
//!
//! The trail must close, and what it goes through again and again must be what the claim
//! says must not happen: the claim is shown those states once more, and a formula is
//! evaluated on them by what it says. Where fairness is asked for, the cycle must be fair.

use beeline_engine::claim::{Claim, Origin};
use beeline_engine::interpreter::{Arrival, Machine, Move};
use beeline_engine::trail::Replay;
use beeline_search::Lasso;

use super::witness::{Telling, claimed_as_in, lost};
use crate::about::About;
use crate::check::CheckError;
use crate::directed::Task;
use crate::run::Plan;
use crate::witness::{Round, Violation, Wrong};

/// Whether processes that could always move have to, at last.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Fairness {
    /// No.
    #[default]
    None,
    /// Yes.
    Weak,
}

/// A run that goes round for ever, as a trail tells it: states before the cycle, and those
/// of the cycle, each as a search stores them.
pub(crate) struct Told<'r> {
    pub(crate) stem: Vec<Vec<u8>>,
    pub(crate) cycle: Vec<Vec<u8>>,
    /// What happens in the cycle: nothing where the system stays where it is.
    pub(crate) moves: &'r [Move],
}

/// What a trail with a cycle tells; `None` when it has none, or it does not close.
pub(crate) fn told<'r>(machine: &Machine<'_>, replay: &'r Replay) -> Option<Told<'r>> {
    let start = replay.cycle?;
    let states = |stored: &[beeline_engine::trail::Stored]| -> Vec<Vec<u8>> {
        stored.iter().map(|stored| stored.state.clone()).collect()
    };
    let (stem, mut cycle) = (states(&replay.stored[..start]), states(&replay.stored[start..]));
    let moves = &replay.moves[replay.stored[start].moves..];
    // It ends with the state that it began with, unless nothing happened at all.
    let closes = cycle.len() == 1 || cycle.pop() == cycle.first().cloned();
    let goes_on = !moves.is_empty() || machine.is_stuck(&machine.open(cycle.first()?));
    (closes && goes_on).then_some(Told { stem, cycle, moves })
}

/// The claim that objects to a run that goes round for ever: the machine's own if it has one,
/// or else a formula of the model, or what its labels say; what is meant before anything else.
pub(crate) fn objecting(machine: &Machine<'_>, told: &Told<'_>, about: &About) -> Option<Claim> {
    let accepts = |claim: &Claim| claim.accepts(machine, &told.stem, &told.cycle);
    if let Some(claim) = machine.claim() {
        return accepts(claim).then(|| claim.clone());
    }
    let violates = |number: &usize| machine.violates(*number, &told.stem, &told.cycle);
    if let Some(&number) = about.formulas.iter().find(|number| violates(number)) {
        return machine.formula_claim(number).ok();
    }
    let progress = Claim::progress();
    if about.wants_progress() && accepts(&progress) {
        return Some(progress);
    }
    if let Some(number) = (0..machine.model().formulas.len()).find(violates) {
        return machine.formula_claim(number).ok();
    }
    let progress = machine.has_progress_labels().then_some(progress);
    [Claim::acceptance()].into_iter().chain(progress).find(accepts)
}

/// The violation that a lasso of the product is. No trail has fewer steps than `bound`.
pub(super) fn lasso_witness(
    task: &Task<'_>,
    lasso: &Lasso,
    plan: &Plan,
    bound: u64,
) -> Result<Violation, CheckError> {
    let (machine, fairness) = (task.machine, plan.fairness);
    let merged = plan.automata().allowed_by(machine.model()).merge;
    let claim = machine.claim().ok_or_else(|| lost("there is no claim"))?;
    let mut telling = Telling::new(machine, merged);
    let Lasso { stem, cycle } = lasso;
    let first = cycle.first().ok_or_else(|| lost("a cycle without states"))?;
    let nexts = stem.iter().skip(1).chain([first]);
    for (from, to) in stem.iter().zip(nexts) {
        telling.add(from, to, None)?;
    }
    let before = telling.steps;
    telling.trail.cycle_start = Some(telling.trail.lines.len());
    // Where several ways lead from a state to the next, each round may take another one.
    let rounds = if fairness == Fairness::Weak { MOST_ROUNDS } else { 1 };
    for round in 0..rounds {
        let nexts = cycle.iter().skip(1).chain([first]);
        for (from, to) in cycle.iter().zip(nexts) {
            let ways = if fairness == Fairness::Weak { ways(machine, from, to) } else { vec![] };
            let way = (!ways.is_empty()).then(|| &ways[round % ways.len()][..]);
            telling.add(from, to, way)?;
        }
        let replay = telling.replay()?;
        let told = told(machine, &replay);
        let told = told.ok_or_else(|| lost("the cycle of the trail does not close"))?;
        if !claim.accepts(machine, &told.stem, &told.cycle) {
            return Err(lost("the claim does not mind the cycle when it is executed again"));
        }
        if let Origin::Formula(number) = claim.origin
            && !machine.violates(number, &told.stem, &told.cycle)
        {
            return Err(lost("the formula does not mind the cycle when it is executed again"));
        }
        if fairness == Fairness::None || machine.is_fair(&told.cycle, told.moves) {
            let (steps, trail) = (telling.steps, telling.trail);
            let cycle = Some(steps - before);
            let wrong = Wrong::Cycle(Round::of(claim.origin));
            return Ok(Violation { wrong, trail, steps, lower_bound: bound.min(steps), cycle });
        }
    }
    Err(lost("the cycle is not fair when it is executed again"))
}

/// After so many rounds, every way between two states of a cycle has been taken.
const MOST_ROUNDS: usize = 64;

/// All ways from a state of the product to the next.
fn ways(machine: &Machine<'_>, from: &[u8], to: &[u8]) -> Vec<Vec<Move>> {
    let watched = claimed_as_in(machine, from, to);
    let mut found: Vec<Vec<Move>> = Vec::new();
    machine.ways(&machine.open(&watched), &mut |arrival| {
        if let Arrival::State(next, moves) = arrival
            && next.bytes == to
            && !moves.is_empty()
        {
            found.push(moves.to_vec());
        }
    });
    found
}
