//! A trail as a story: its steps with process, statement, output and changes, and its end.

use std::iter;

use beeline_engine::automata::AutomataOptions;
use beeline_engine::claim::Origin;
use beeline_engine::interpreter::{DecodedState, Machine, Move};
use beeline_engine::trail::TrailReplay;
use beeline_kernel::{FaultKind, Trail, TrailError};
use beeline_model::{ErrorKind, Property, Story, StoryEnd, StoryStates, Violation, WholeState};
use beeline_promela::hir::print::Printer;
use beeline_promela::hir::{Expr, Model};

use crate::claims::{lasso_run, violated_claim, with_claim_of};
use crate::describer::Describer;
use crate::error_selector::ErrorSelector;
use crate::semantics::SemanticsOptions;
use crate::witness::cycle_error;
use crate::written_property::is_written;

/// Executes a trail and describes it, with all states if requested. If several errors occur at its
/// end, the story presents a violation of one of these properties, if there is one.
///
/// # Errors
///
/// When the trail is not one of this model.
pub(crate) fn retell_for(
    model: &Model,
    trail: &Trail,
    semantics: SemanticsOptions,
    properties: &[Property],
    states: StoryStates,
) -> Result<Story, TrailError> {
    let executed =
        executed_story(model, trail, semantics, &ErrorSelector::properties(model, properties))?;
    Ok(executed.into_story(states))
}

/// Executes the trail of a violation and describes it, with all states if requested. If several
/// errors occur at its end, the story presents this violation, with its formula if it has one.
///
/// # Errors
///
/// When the trail is not one of this model.
pub(crate) fn retell_violation(
    model: &Model,
    violation: &Violation,
    formula: Option<&str>,
    semantics: SemanticsOptions,
    states: StoryStates,
) -> Result<Story, TrailError> {
    let selector = ErrorSelector::violation(model, violation, formula);
    let executed = executed_story(model, &violation.trail, semantics, &selector)?;
    let mut story = executed.into_story(states);
    story.end.error = Some(violation.error);
    Ok(story)
}

/// An executed trail with its story.
pub(crate) struct ExecutedStory<'m> {
    pub(crate) describer: Describer<'m>,
    pub(crate) story: Story,
    /// Initial state and replay; `None` if the model fails before its first step.
    pub(crate) run: Option<(DecodedState, TrailReplay)>,
}

impl ExecutedStory<'_> {
    fn into_story(mut self, wanted: StoryStates) -> Story {
        if wanted == StoryStates::Whole
            && let Some((initial, replay)) = &self.run
        {
            self.story.states = states(&self.describer, initial, replay);
        }
        self.story
    }
}

/// Executes a trail and describes its steps and the error at its end.
pub(crate) fn executed_story<'m>(
    model: &'m Model,
    trail: &Trail,
    semantics: SemanticsOptions,
    selector: &ErrorSelector,
) -> Result<ExecutedStory<'m>, TrailError> {
    // Dead variables are not reset here: a reader wants to see their values, and `printf` does not
    // count as a use. A trail whose error depends on a reset is executed with resets.
    let options = |reset_dead| AutomataOptions { merge: trail.merged, reset_dead };
    let is_wrong = |executed: &ExecutedStory<'_>| executed.story.end.error.is_some();
    let kept = executed_story_on(trail, semantics.machine(model, options(false)), selector);
    if !kept.as_ref().is_ok_and(is_wrong) {
        let reset = executed_story_on(trail, semantics.machine(model, options(true)), selector);
        if kept.is_err() || reset.as_ref().is_ok_and(is_wrong) {
            return reset;
        }
    }
    kept
}

fn executed_story_on<'m>(
    trail: &Trail,
    machine: Machine<'m>,
    selector: &ErrorSelector,
) -> Result<ExecutedStory<'m>, TrailError> {
    let describer = Describer::new(with_claim_of(trail, machine));
    match describer.machine().initial() {
        Err(kind) if trail.lines.is_empty() => {
            let story = Story::new(Vec::new(), StoryEnd::initial_fault(kind));
            Ok(ExecutedStory { describer, story, run: None })
        }
        initial => {
            let replay = execute(describer.machine(), trail)?;
            let initial = initial.expect("the replay began there");
            let story = tell(&describer, &initial, &replay, selector);
            Ok(ExecutedStory { describer, story, run: Some((initial, replay)) })
        }
    }
}

/// Executes a trail. When an event does not fit a trace assertion, `pan` writes
/// the line of that step twice: then the second one is left out.
pub(crate) fn execute(machine: &Machine<'_>, trail: &Trail) -> Result<TrailReplay, TrailError> {
    let replayed = machine.replay(trail);
    if replayed.is_err()
        && let [before @ .., last] = &trail.lines[..]
        && before.last() == Some(last)
        && let Ok(shorter) = machine.replay(&Trail { lines: before.to_vec(), ..trail.clone() })
        && shorter.moves.last().is_some_and(|step| step.fault == Some(FaultKind::Trace))
    {
        return Ok(shorter);
    }
    replayed
}

fn tell(
    describer: &Describer<'_>,
    initial: &DecodedState,
    replay: &TrailReplay,
    selector: &ErrorSelector,
) -> Story {
    let mut steps = Vec::new();
    let mut now = initial;
    let mut detail = None;
    let cycle_start = replay.cycle.map(|at| replay.stored[at].moves);
    for step in &replay.moves {
        detail = step.fault.and_then(|_| describer.detail(now, step));
        steps.push(describer.step(now, step));
        now = &step.next;
    }
    let last = replay.moves.last();
    let found = selector.choose(wrongs(describer, replay, detail, selector));
    let (error, detail) = found.map_or((None, None), |(error, detail)| (Some(error), detail));
    // After a fatal fault, the last state is the one before it.
    let dead = last.and_then(|last| last.fault).is_some_and(|fault| !fault.is_survivable());
    let before = replay.moves.len().checked_sub(2).map_or(initial, |at| &replay.moves[at].next);
    let end = describer.end(if dead { before } else { &replay.end }, error, detail);
    let closes = lasso_run(describer.machine(), replay).is_some();
    let mut story = Story { cycle_start, closes, ..Story::new(steps, end) };
    let rests =
        matches!(error, Some(ErrorKind::Invariant(_) | ErrorKind::Formula)) && replay.deadlock;
    story.end.stuck |= story.stays() || rests;
    story
}

/// All errors at the end of a trail, with details: first the fault of the last step, then
/// violations of the claim and of cycles, then those of the last state.
fn wrongs<'r>(
    describer: &'r Describer<'_>,
    replay: &'r TrailReplay,
    of_last: Option<String>,
    selector: &'r ErrorSelector,
) -> impl Iterator<Item = (ErrorKind, Option<String>)> + 'r {
    let machine = describer.machine();
    let last = replay.moves.last().and_then(|last| last.fault);
    let failed = last.map(|kind| (ErrorKind::Fault(kind), of_last));
    let claimed = move || {
        let why = machine.claim()?.undefined_condition(machine, &replay.end);
        let why = why.map(|(condition, why)| has_no_value(machine, condition, why));
        replay.claim_violated.then_some((ErrorKind::Fault(FaultKind::Claim), why))
    };
    let cycle = move || replay.cycle.and_then(|_| wrong_cycle(machine, replay, selector));
    let stuck = replay.deadlock.then_some((ErrorKind::InvalidEnd, None));
    // SPIN reports some faults only later, and continues after others.
    let earlier = replay.fault.filter(|_| last.is_none());
    let earlier =
        earlier.map(|(step, kind)| (ErrorKind::Fault(kind), Some(format!("in step {step}"))));
    // With a claim, the conditions are the claim's: they may be false.
    let watched = if machine.claim().is_some() { 0 } else { machine.invariants().len() };
    let broken = (0..watched).filter(|&at| !machine.holds(at, &replay.end)).map(move |at| {
        let invariant = &machine.invariants()[at];
        let detail = match machine.evaluate(invariant, &replay.end, 0) {
            Err(why) => has_no_value(machine, invariant, why),
            Ok(_) => format!("{} is false", written(machine, invariant)),
        };
        (ErrorKind::Invariant(at as u32), Some(detail))
    });
    let formula = move || {
        let (number, why) = violated_formula(machine, replay, selector)?;
        let name = called(machine.model(), number);
        Some((
            ErrorKind::Formula,
            Some(why.map_or(name.clone(), |why| format!("{name}, as {why}"))),
        ))
    };
    let at_end = stuck.into_iter().chain(earlier).chain(broken);
    let at_end = at_end.chain(iter::once_with(formula).flatten());
    let lasso = iter::once_with(cycle).flatten();
    let first = failed.into_iter().chain(iter::once_with(claimed).flatten()).chain(lasso);
    // A lasso has no last state with errors.
    first.chain(at_end.filter(|_| replay.cycle.is_none()))
}

/// The first formula that no continuation of a trail can satisfy, selected ones first; with the
/// condition without a value, if that is the cause.
fn violated_formula(
    machine: &Machine<'_>,
    replay: &TrailReplay,
    selector: &ErrorSelector,
) -> Option<(usize, Option<String>)> {
    if machine.claim().is_some() {
        return None;
    }
    let states: Vec<Vec<u8>> = replay.stored.iter().map(|stored| stored.state.clone()).collect();
    let all = 0..machine.model().formulas.len();
    selector.formulas.iter().copied().chain(all).find_map(|number| {
        let claim = machine.formula_claim(number).ok()?;
        let end = claim.end_along(machine, &states)?;
        let valueless = claim.undefined_condition(machine, &end);
        Some((number, valueless.map(|(condition, why)| has_no_value(machine, condition, why))))
    })
}

/// The text for a condition without a value, with the cause.
fn has_no_value(machine: &Machine<'_>, condition: &Expr, why: FaultKind) -> String {
    format!("{} has no value ({why})", written(machine, condition))
}

fn written(machine: &Machine<'_>, expr: &Expr) -> String {
    Printer::new(machine.model(), None).expr(expr)
}

/// The name of a formula, or its text if it was written on the command line.
fn called(model: &Model, number: usize) -> String {
    let formula = &model.formulas[number];
    let name = &formula.name.name;
    if is_written(name) {
        return Printer::new(model, None).expr(&formula.formula);
    }
    format!("the formula `{name}`")
}

/// The violation of the cycle at the end of a trail.
fn wrong_cycle(
    machine: &Machine<'_>,
    replay: &TrailReplay,
    selector: &ErrorSelector,
) -> Option<(ErrorKind, Option<String>)> {
    let lasso_run = lasso_run(machine, replay)?;
    let origin = violated_claim(machine, &lasso_run, selector)?.origin;
    let detail = match origin {
        Origin::Formula(number) => Some(called(machine.model(), number)),
        _ => None,
    };
    Some((ErrorKind::Cycle(cycle_error(origin)), detail))
}

fn states(
    describer: &Describer<'_>,
    initial: &DecodedState,
    replay: &TrailReplay,
) -> Vec<WholeState> {
    let lives = |step: &&Move| step.fault.is_none_or(FaultKind::is_survivable);
    let later = replay.moves.iter().take_while(lives).map(|step| &step.next);
    std::iter::once(initial).chain(later).map(|now| describer.state(now)).collect()
}
