//! Replay of lassos: turns a lasso of the product into a confirmed trail.
//!
//! The replayed trail must close its cycle, and the claim must accept the replayed states. A
//! formula is evaluated on them once more by its semantics, without an automaton. Under weak
//! fairness, the cycle must be fair.

use std::collections::BTreeSet;
use std::ops::ControlFlow;

use beeline_engine::claim::{Claim, Origin};
use beeline_engine::interpreter::{DecodedState, Machine, Move, Successor};
use beeline_engine::trail::{ReplayEnd, ReplayObserver};
use beeline_kernel::{StatePath, Trail};
use beeline_model::{Certificate, ErrorKind, Fairness, Unconfirmed, Violation};
use beeline_search::Lasso;

use super::witness::{TrailBuilder, unconfirmed, with_claim_state_of};
use crate::error_selector::ErrorSelector;
use crate::witness::cycle_error;

/// A run that goes round for ever, as a trail tells it: states before the cycle, and those
/// of the cycle, each as a search stores them.
pub(crate) struct LassoRun {
    pub(crate) stem: StatePath,
    pub(crate) cycle: StatePath,
    /// The number of moves in the cycle: none where the system stays where it is.
    pub(crate) moves: usize,
    /// The processes that move in the cycle.
    movers: BTreeSet<usize>,
}

impl LassoRun {
    /// The processes that are enabled in every state of the cycle and never move in it.
    pub(crate) fn neglected(&self, machine: &Machine<'_>) -> Vec<usize> {
        machine.neglected(&self.cycle, self.movers.iter().copied())
    }
}

/// Keeps what a replay shows of a lasso; nothing of a trail without a cycle.
pub(crate) struct LassoRecorder {
    is_lasso: bool,
    stored: StatePath,
    in_cycle: bool,
    movers: BTreeSet<usize>,
}

impl ReplayObserver for LassoRecorder {
    fn on_move(&mut self, _: &DecodedState, step: &Move) -> ControlFlow<()> {
        if self.is_lasso {
            self.movers.extend(step.movers());
        }
        ControlFlow::Continue(())
    }

    fn on_stored(&mut self, state: &DecodedState, _: usize) {
        if self.is_lasso {
            self.stored.push(&state.bytes);
        }
        // The cycle begins with the last stored state before its mark.
        if !self.in_cycle {
            self.movers.clear();
        }
    }

    fn on_cycle(&mut self) {
        self.in_cycle = true;
    }
}

impl LassoRecorder {
    pub(crate) fn new(trail: &Trail) -> LassoRecorder {
        LassoRecorder {
            is_lasso: trail.cycle_start.is_some(),
            stored: StatePath::new(),
            in_cycle: false,
            movers: BTreeSet::new(),
        }
    }

    /// What a trail with a cycle tells; `None` when it has none, or it does not close.
    pub(crate) fn run(self, machine: &Machine<'_>, end: &ReplayEnd) -> Option<LassoRun> {
        let (start, before) = (end.cycle?, end.stem_moves?);
        let mut stem = self.stored;
        let mut cycle = stem.part(start, stem.len());
        stem.truncate(start);
        let moves = end.moves - before;
        // It ends with the state that it began with, unless nothing happened at all.
        let closes = cycle.len() == 1 || cycle.pop().as_deref() == cycle.first();
        let goes_on = moves > 0 || machine.is_stuck(&machine.decode(cycle.first()?));
        (closes && goes_on).then_some(LassoRun { stem, cycle, moves, movers: self.movers })
    }
}

/// The claim that a lasso violates: the machine's own claim if it has one. Otherwise, in this
/// order, a selected formula, selected progress, any formula, accept labels, progress labels.
pub(crate) fn violated_claim(
    machine: &Machine<'_>,
    lasso_run: &LassoRun,
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
    if lasso.cycle.is_empty() {
        return Err(unconfirmed("a cycle without states"));
    }
    let path = lasso.closed_path();
    let cycle = path.part(lasso.stem.len(), path.len());
    let mut pairs = path.pairs();
    for _ in 0..lasso.stem.len() {
        let Some((from, to)) = pairs.advance() else { break };
        builder.add(from, to, None)?;
    }
    let before = builder.steps;
    builder.trail.cycle_start = Some(builder.trail.lines.len());
    // Several transitions may lead from a state to the next; each round takes another one.
    let rounds = if fairness == Fairness::Weak { MOST_ROUNDS } else { 1 };
    for round in 0..rounds {
        let mut pairs = cycle.pairs();
        while let Some((from, to)) = pairs.advance() {
            let ways = if fairness == Fairness::Weak { ways(machine, from, to) } else { vec![] };
            let way = (!ways.is_empty()).then(|| &ways[round % ways.len()][..]);
            builder.add(from, to, way)?;
        }
        let mut recorder = LassoRecorder::new(&builder.trail);
        let replay = builder.replay(&mut recorder)?;
        let lasso_run = recorder.run(machine, &replay);
        let lasso_run =
            lasso_run.ok_or_else(|| unconfirmed("the cycle of the trail does not close"))?;
        if !claim.accepts(machine, &lasso_run.stem, &lasso_run.cycle) {
            return Err(unconfirmed("the claim does not accept the replayed cycle"));
        }
        if let Origin::Formula(number) = claim.origin
            && !machine.violates(number, &lasso_run.stem, &lasso_run.cycle)
        {
            return Err(unconfirmed("the replayed cycle does not violate the formula"));
        }
        if fairness == Fairness::None || machine.is_fair(&lasso_run.cycle, lasso_run.movers) {
            let (steps, trail) = (builder.steps, builder.trail);
            let cycle = Some(steps - before);
            let error = ErrorKind::Cycle(cycle_error(claim.origin));
            return Ok(Violation { error, trail, length: Certificate::new(steps, bound), cycle });
        }
    }
    Err(unconfirmed("the replayed cycle is not fair"))
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
