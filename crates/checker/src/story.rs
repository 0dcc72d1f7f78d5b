//! A trail as a story: who did what, where it is written, what it printed and
//! changed, and how it ends.

use std::iter;

use beeline_engine::automata::AutomataOptions;
use beeline_engine::claim::Origin;
use beeline_engine::interpreter::{DecodedState, Machine, Move};
use beeline_engine::trail::{TrailError, TrailFile, TrailReplay};
use beeline_kernel::FaultKind;
use beeline_promela::hir::print::Printer;
use beeline_promela::hir::{Expr, Model};

use crate::claims::{lasso_run, violated_claim, with_claim_of};
use crate::describer::{Describer, ProcessPosition, ProcessStep};
use crate::error_selector::ErrorSelector;
use crate::property::Property;
use crate::semantics::SemanticsOptions;
use crate::states::WholeState;
use crate::view::ValueChange;
use crate::witness::{CycleError, ErrorKind, Violation};
use crate::written_property::is_written;

/// A trail, told.
#[derive(Clone, Debug)]
pub struct Story {
    /// What happens.
    pub steps: Vec<StoryStep>,
    /// How it ends.
    pub end: StoryEnd,
    /// The step with which the cycle begins, if the trail is a lasso.
    pub cycle_start: Option<usize>,
    /// Whether a cycle comes back to where it begins.
    pub closes: bool,
    /// For each step whether the error needs it; empty where that is not known.
    pub core: Vec<bool>,
    /// The state before each step and the last one, if someone asked for them. A step
    /// that nothing survives has none behind it.
    pub states: Vec<WholeState>,
}

/// A step.
#[derive(Clone, Debug)]
pub struct StoryStep {
    /// Who moves.
    pub turn: ProcessStep,
    /// Who receives, in a rendezvous.
    pub partner: Option<ProcessStep>,
    /// What is different afterwards.
    pub changes: Vec<ValueChange>,
    /// What `printf` and `printm` print.
    pub printed: String,
    /// What went wrong in this step.
    pub fault: Option<FaultKind>,
}

/// The last state.
#[derive(Clone, Debug)]
pub struct StoryEnd {
    /// What is wrong with it, if anything is.
    pub error: Option<ErrorKind>,
    /// More about it, in words: the assertion with its values.
    pub detail: Option<String>,
    /// Nobody can move any more, and that is what is wrong.
    pub stuck: bool,
    /// Where the processes are.
    pub processes: Vec<ProcessPosition>,
    /// All values by name.
    pub values: Vec<(String, String)>,
}

impl Story {
    /// What happened, and how it ends: no lasso, and nobody knows what was needed.
    pub fn new(steps: Vec<StoryStep>, end: StoryEnd) -> Story {
        let (core, states) = (Vec::new(), Vec::new());
        Story { steps, end, cycle_start: None, closes: false, core, states }
    }

    /// The first step of a cycle that comes back to where it begins.
    pub fn cycle(&self) -> Option<usize> {
        self.cycle_start.filter(|_| self.closes)
    }

    /// Whether it ends with a cycle in which nothing happens.
    pub fn stays(&self) -> bool {
        self.cycle() == Some(self.steps.len())
    }

    /// Whether some steps are known not to be needed.
    pub fn has_needless_steps(&self) -> bool {
        self.core.contains(&false)
    }
}

/// Executes a trail and tells what happens.
///
/// # Errors
///
/// When the trail is not one of this model.
pub fn retell(
    model: &Model,
    trail: &TrailFile,
    semantics: SemanticsOptions,
) -> Result<Story, TrailError> {
    retell_for(model, trail, semantics, &[], false)
}

/// Executes a trail and tells what happens, with all states if they are wanted. Its end may be
/// wrong in several ways; the story is about how it violates one of these properties, if it does.
///
/// # Errors
///
/// When the trail is not one of this model.
pub fn retell_for(
    model: &Model,
    trail: &TrailFile,
    semantics: SemanticsOptions,
    properties: &[Property],
    wants_states: bool,
) -> Result<Story, TrailError> {
    let executed =
        executed_story(model, trail, semantics, &ErrorSelector::properties(model, properties))?;
    Ok(if wants_states { executed.with_states() } else { executed.story })
}

/// Executes the trail of a violation and tells what happens, with all states if they are
/// wanted. Its end may be wrong in several ways; the story is about this one, which violates
/// the formula of this name, if it is about one.
///
/// # Errors
///
/// When the trail is not one of this model.
pub fn retell_violation(
    model: &Model,
    violation: &Violation,
    formula: Option<&str>,
    semantics: SemanticsOptions,
    wants_states: bool,
) -> Result<Story, TrailError> {
    let selector = ErrorSelector::violation(model, violation, formula);
    let executed = executed_story(model, &violation.trail, semantics, &selector)?;
    let mut story = if wants_states { executed.with_states() } else { executed.story };
    story.end.error = Some(violation.error);
    Ok(story)
}

/// A trail that was executed, and what it was told from.
pub(crate) struct ExecutedStory<'m> {
    pub(crate) describer: Describer<'m>,
    pub(crate) story: Story,
    /// Where it began and what happened; nothing if the model failed before its first step.
    pub(crate) run: Option<(DecodedState, TrailReplay)>,
}

impl ExecutedStory<'_> {
    fn with_states(mut self) -> Story {
        if let Some((initial, replay)) = &self.run {
            self.story.states = states(&self.describer, initial, replay);
        }
        self.story
    }
}

/// Executes a trail and tells what happens, and what is wrong at the end.
pub(crate) fn executed_story<'m>(
    model: &'m Model,
    trail: &TrailFile,
    semantics: SemanticsOptions,
    selector: &ErrorSelector,
) -> Result<ExecutedStory<'m>, TrailError> {
    // Values that nobody needs any more are not reset here: a reader wants to see
    // them, and `printf` does not count as a need. A trail that owes its error to
    // a reset is executed with it.
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
    trail: &TrailFile,
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
pub(crate) fn execute(machine: &Machine<'_>, trail: &TrailFile) -> Result<TrailReplay, TrailError> {
    let replayed = machine.replay(trail);
    if replayed.is_err()
        && let [before @ .., last] = &trail.lines[..]
        && before.last() == Some(last)
        && let Ok(shorter) = machine.replay(&TrailFile { lines: before.to_vec(), ..trail.clone() })
        && shorter.moves.last().is_some_and(|step| step.fault == Some(FaultKind::Trace))
    {
        return Ok(shorter);
    }
    replayed
}

impl StoryEnd {
    /// The end of a model that fails before its first step.
    pub fn initial_fault(kind: FaultKind) -> StoryEnd {
        let error = Some(ErrorKind::Fault(kind));
        let detail = Some("in the initial value of a variable".to_owned());
        StoryEnd { error, detail, stuck: false, processes: Vec::new(), values: Vec::new() }
    }
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
    // After a fault that nothing survives, the state before it is the last.
    let dead = last.and_then(|last| last.fault).is_some_and(|fault| !fault.is_survivable());
    let before = replay.moves.len().checked_sub(2).map_or(initial, |at| &replay.moves[at].next);
    let end = describer.end(if dead { before } else { &replay.end }, error, detail);
    let closes = lasso_run(describer.machine(), replay).is_some();
    let mut story = Story { cycle_start, closes, ..Story::new(steps, end) };
    let rests = matches!(error, Some(ErrorKind::Broken(_) | ErrorKind::Formula)) && replay.deadlock;
    story.end.stuck |= story.stays() || rests;
    story
}

/// All that is wrong at the end of a trail, each with what there is to say about it: the last
/// step first, for which that is known, then what a claim says, and then the last state.
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
    // SPIN notices some faults only later, and goes on behind others.
    let earlier = replay.fault.filter(|_| last.is_none());
    let earlier =
        earlier.map(|(step, kind)| (ErrorKind::Fault(kind), Some(format!("in step {step}"))));
    // What a claim looks at may well be false.
    let watched = if machine.claim().is_some() { 0 } else { machine.invariants().len() };
    let broken = (0..watched).filter(|&at| !machine.holds(at, &replay.end)).map(move |at| {
        let invariant = &machine.invariants()[at];
        let detail = match machine.evaluate(invariant, &replay.end, 0) {
            Err(why) => has_no_value(machine, invariant, why),
            Ok(_) => format!("{} is false", written(machine, invariant)),
        };
        (ErrorKind::Broken(at as u32), Some(detail))
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
    // What goes on for ever has no end that could be wrong.
    first.chain(at_end.filter(|_| replay.cycle.is_none()))
}

/// The first formula that cannot be true any more after a trail, whatever comes, of those that are
/// meant or else of all; and why, if the reason is that there is something in it without a value.
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

/// That a condition has no value, and why.
fn has_no_value(machine: &Machine<'_>, condition: &Expr, why: FaultKind) -> String {
    format!("{} has no value ({why})", written(machine, condition))
}

fn written(machine: &Machine<'_>, expr: &Expr) -> String {
    Printer::new(machine.model(), None).expr(expr)
}

/// A formula by its name; what is written on the command line has none, and says all.
fn called(model: &Model, number: usize) -> String {
    let formula = &model.formulas[number];
    let name = &formula.name.name;
    if is_written(name) {
        return Printer::new(model, None).expr(&formula.formula);
    }
    format!("the formula `{name}`")
}

/// What is wrong with the cycle that a trail ends with, if anything is.
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
    Some((ErrorKind::Cycle(CycleError::of(origin)), detail))
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
