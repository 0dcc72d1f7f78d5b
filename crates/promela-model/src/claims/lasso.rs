//! Replay of lassos: turns a lasso of the product into a confirmed trail.
//!
//! The replayed trail must close its cycle, and the claim must accept the replayed states. A
//! formula is evaluated on them once more by its semantics, without an automaton. Under weak
//! fairness, the cycle must be fair.

use beeline_engine::claim::{Claim, Origin};
use beeline_engine::interpreter::{Machine, Move, Successor};
use beeline_engine::trail::TrailReplay;
use beeline_model::{Certificate, ErrorKind, Fairness, Unconfirmed, Violation};
use beeline_search::Lasso;

use super::witness::{TrailBuilder, unconfirmed, with_claim_state_of};
use crate::error_selector::ErrorSelector;
use crate::witness::cycle_error;

/// A replayed lasso: the stored states before the cycle, and those of the cycle.
pub(crate) struct LassoRun<'r> {
    pub(crate) stem: Vec<Vec<u8>>,
    pub(crate) cycle: Vec<Vec<u8>>,
    /// The moves of the cycle; empty if the system stutters.
    pub(crate) moves: &'r [Move],
}

/// The lasso of a replayed trail; `None` if it has no cycle, or the cycle does not close.
pub(crate) fn lasso_run<'r>(
    machine: &Machine<'_>,
    replay: &'r TrailReplay,
) -> Option<LassoRun<'r>> {
    let start = replay.cycle?;
    let states = |stored: &[beeline_engine::trail::StoredState]| -> Vec<Vec<u8>> {
        stored.iter().map(|stored| stored.state.clone()).collect()
    };
    let (stem, mut cycle) = (states(&replay.stored[..start]), states(&replay.stored[start..]));
    let moves = &replay.moves[replay.stored[start].moves..];
    // The cycle ends with its first state; a stuttering cycle has only one state.
    let closes = cycle.len() == 1 || cycle.pop() == cycle.first().cloned();
    let goes_on = !moves.is_empty() || machine.is_stuck(&machine.decode(cycle.first()?));
    (closes && goes_on).then_some(LassoRun { stem, cycle, moves })
}

/// The claim that a lasso violates: the machine's own claim if it has one. Otherwise, in this
/// order, a selected formula, selected progress, any formula, accept labels, progress labels.
pub(crate) fn violated_claim(
    machine: &Machine<'_>,
    lasso_run: &LassoRun<'_>,
    selector: &ErrorSelector,
) -> Option<Claim> {
    let accepts = |claim: &Claim| claim.accepts(machine, &lasso_run.stem, &lasso_run.cycle);
    if let Some(claim) = machine.claim() {
        return accepts(claim).then(|| claim.clone());
    }
    let violates = |number: &usize| machine.violates(*number, &lasso_run.stem, &lasso_run.cycle);
    if let Some(&number) = selector.formulas.iter().find(|number| violates(number)) {
        return machine.formula_claim(number).ok();
    }
    let progress = Claim::progress();
    if selector.wants_progress() && accepts(&progress) {
        return Some(progress);
    }
    if let Some(number) = (0..machine.model().formulas.len()).find(violates) {
        return machine.formula_claim(number).ok();
    }
    let progress = machine.has_progress_labels().then_some(progress);
    [Claim::acceptance()].into_iter().chain(progress).find(accepts)
}

/// The violation of a lasso of the product, replayed. No trail has fewer steps than `bound`.
pub(crate) fn lasso_witness(
    machine: &Machine<'_>,
    lasso: &Lasso,
    fairness: Fairness,
    merged: bool,
    bound: u64,
) -> Result<Violation, Unconfirmed> {
    let claim = machine.claim().ok_or_else(|| unconfirmed("there is no claim"))?;
    let mut builder = TrailBuilder::new(machine, merged);
    let Lasso { stem, cycle } = lasso;
    let first = cycle.first().ok_or_else(|| unconfirmed("a cycle without states"))?;
    let nexts = stem.iter().skip(1).chain([first]);
    for (from, to) in stem.iter().zip(nexts) {
        builder.add(from, to, None)?;
    }
    let before = builder.steps;
    builder.trail.cycle_start = Some(builder.trail.lines.len());
    // Several transitions may lead from a state to the next; each round takes another one.
    let rounds = if fairness == Fairness::Weak { MOST_ROUNDS } else { 1 };
    for round in 0..rounds {
        let nexts = cycle.iter().skip(1).chain([first]);
        for (from, to) in cycle.iter().zip(nexts) {
            let ways = if fairness == Fairness::Weak { ways(machine, from, to) } else { vec![] };
            let way = (!ways.is_empty()).then(|| &ways[round % ways.len()][..]);
            builder.add(from, to, way)?;
        }
        let replay = builder.replay()?;
        let lasso_run = lasso_run(machine, &replay);
        let lasso_run =
            lasso_run.ok_or_else(|| unconfirmed("the cycle of the trail does not close"))?;
        if !claim.accepts(machine, &lasso_run.stem, &lasso_run.cycle) {
            return Err(unconfirmed("the claim does not mind the cycle when it is executed again"));
        }
        if let Origin::Formula(number) = claim.origin
            && !machine.violates(number, &lasso_run.stem, &lasso_run.cycle)
        {
            return Err(unconfirmed(
                "the formula does not mind the cycle when it is executed again",
            ));
        }
        if fairness == Fairness::None || machine.is_fair(&lasso_run.cycle, lasso_run.moves) {
            let (steps, trail) = (builder.steps, builder.trail);
            let cycle = Some(steps - before);
            let error = ErrorKind::Cycle(cycle_error(claim.origin));
            return Ok(Violation { error, trail, length: Certificate::new(steps, bound), cycle });
        }
    }
    Err(unconfirmed("the cycle is not fair when it is executed again"))
}

/// Rounds of a cycle at most: parallel transitions are taken in turn, so that up to 64 are covered.
const MOST_ROUNDS: usize = 64;

/// All transitions from a state of the product to the next.
fn ways(machine: &Machine<'_>, from: &[u8], to: &[u8]) -> Vec<Vec<Move>> {
    let watched = with_claim_state_of(machine, from, to);
    let mut found: Vec<Vec<Move>> = Vec::new();
    machine.successors(&machine.decode(&watched), &mut |arrival| {
        if let Successor::State(next, moves) = arrival
            && next.bytes == to
            && !moves.is_empty()
        {
            found.push(moves.to_vec());
        }
    });
    found
}
