//! A trail as a story: its steps with process, statement, output and changes, and its end.

use std::iter;
use std::ops::ControlFlow;

use beeline_engine::automata::AutomataOptions;
use beeline_engine::claim::Origin;
use beeline_engine::interpreter::{DecodedState, Machine, Move};
use beeline_engine::trail::{ReplayEnd, ReplayError, ReplayObserver};
use beeline_kernel::{FaultKind, Trail, TrailError};
use beeline_model::{
    ErrorKind, StepTeller, Story, StoryEnd, StoryRequest, StoryStep, Subject, ToldSteps,
};
use beeline_promela::hir::print::Printer;
use beeline_promela::hir::{Expr, Model};

use crate::claims::{ClaimObserver, LassoRun, violated_claim, with_claim_of};
use crate::describer::Describer;
use crate::error_selector::ErrorSelector;
use crate::semantics::SemanticsOptions;
use crate::story_recorder::StoryRecorder;
use crate::witness::cycle_error;
use crate::written_property::is_written;

/// Executes a trail and tells what happens. Its end may be wrong in several ways; the story is
/// about the subject of the request, if that is wrong.
///
/// # Errors
///
/// When the trail is not one of this model.
pub(crate) fn retell(
    model: &Model,
    trail: &Trail,
    semantics: SemanticsOptions,
    request: &StoryRequest<'_>,
) -> Result<Story, TrailError> {
    match story_about(model, trail, semantics, request) {
        Ok(executed) => Ok(executed.story),
        Err(ReplayError::Trail(error)) => Err(error),
        Err(ReplayError::Stopped) => Ok(match request.subject {
            Subject::Violation(violation, _) => {
                Story::cut(violation.length.steps as usize, Some(violation.error))
            }
            // A rendezvous has two lines: there may be fewer steps.
            Subject::Properties(_) => Story::cut(trail.lines.len(), None),
        }),
    }
}

/// Executes a trail, and runs something with its end and its steps, which are told one at a time.
///
/// # Errors
///
/// When the trail is not one of this model.
pub(crate) fn with_story(
    model: &Model,
    trail: &Trail,
    semantics: SemanticsOptions,
    subject: Subject<'_>,
    run: &mut dyn FnMut(&Story, &dyn StepTeller),
) -> Result<(), TrailError> {
    let request = StoryRequest { steps: ToldSteps::None, ..StoryRequest::new(subject) };
    let executed = story_about(model, trail, semantics, &request).map_err(never_stopped)?;
    run(&executed.story, &TrailTeller { executed: &executed, trail });
    Ok(())
}

fn story_about<'m>(
    model: &'m Model,
    trail: &Trail,
    semantics: SemanticsOptions,
    request: &StoryRequest<'_>,
) -> Result<ExecutedStory<'m>, ReplayError> {
    let selector = ErrorSelector::of(model, request.subject);
    let mut executed = executed_story(model, trail, semantics, &selector, request)?;
    if let Subject::Violation(violation, _) = request.subject {
        executed.story.end.error = Some(violation.error);
    }
    Ok(executed)
}

/// Tells the steps of a trail while it executes the trail again.
struct TrailTeller<'a, 'm> {
    executed: &'a ExecutedStory<'m>,
    trail: &'a Trail,
}

impl StepTeller for TrailTeller<'_, '_> {
    fn tell(&self, each: &mut dyn FnMut(usize, &StoryStep) -> ControlFlow<()>) {
        let ExecutedStory { describer, story, initial } = self.executed;
        if initial.is_none() {
            return;
        }
        // A line too many at the end of a trail is no step.
        let steps = story.length;
        let mut telling = StepForwarder { describer, each, at: 0, steps };
        // The trail was executed before; and to be stopped is no failure.
        let _ = describer.machine().replay_with(self.trail, &mut telling);
    }
}

/// Gives each step of a replay, told, to a function.
struct StepForwarder<'a, 'm> {
    describer: &'a Describer<'m>,
    each: &'a mut dyn FnMut(usize, &StoryStep) -> ControlFlow<()>,
    at: usize,
    steps: usize,
}

impl ReplayObserver for StepForwarder<'_, '_> {
    fn on_move(&mut self, before: &DecodedState, step: &Move) -> ControlFlow<()> {
        if self.at == self.steps {
            return ControlFlow::Break(());
        }
        self.at += 1;
        (self.each)(self.at - 1, &self.describer.step(before, step))
    }
}

/// A trail that was executed, and what it was told from.
pub(crate) struct ExecutedStory<'m> {
    pub(crate) describer: Describer<'m>,
    pub(crate) story: Story,
    /// Where it began; nothing if the model failed before its first step.
    pub(crate) initial: Option<DecodedState>,
}

/// Executes a trail and tells what happens, and what is wrong at the end.
pub(crate) fn executed_story<'m>(
    model: &'m Model,
    trail: &Trail,
    semantics: SemanticsOptions,
    selector: &ErrorSelector,
    request: &StoryRequest<'_>,
) -> Result<ExecutedStory<'m>, ReplayError> {
    // Values that nobody needs any more are not reset here: a reader wants to see
    // them, and `printf` does not count as a need. A trail that owes its error to
    // a reset is executed with it.
    let options = |reset_dead| AutomataOptions { merge: trail.merged, reset_dead };
    let is_wrong = |executed: &ExecutedStory<'_>| executed.story.end.error.is_some();
    let on = |reset_dead| {
        let machine = semantics.machine(model, options(reset_dead));
        executed_story_on(trail, machine, selector, request)
    };
    let kept = on(false);
    if matches!(kept, Err(ReplayError::Stopped)) || kept.as_ref().is_ok_and(is_wrong) {
        return kept;
    }
    let reset = on(true);
    if kept.is_err() || reset.as_ref().is_ok_and(is_wrong) {
        return reset;
    }
    kept
}

fn executed_story_on<'m>(
    trail: &Trail,
    machine: Machine<'m>,
    selector: &ErrorSelector,
    request: &StoryRequest<'_>,
) -> Result<ExecutedStory<'m>, ReplayError> {
    let describer = Describer::new(with_claim_of(trail, machine));
    match describer.machine().initial() {
        Err(kind) if trail.lines.is_empty() => {
            let story = Story::new(Vec::new(), StoryEnd::initial_fault(kind));
            Ok(ExecutedStory { describer, story, initial: None })
        }
        initial => {
            let story = tell(&describer, trail, selector, request)?;
            let initial = Some(initial.expect("the replay began there"));
            Ok(ExecutedStory { describer, story, initial })
        }
    }
}

/// Why a trail cannot be executed, where nothing stops the replay.
pub(crate) fn never_stopped(error: ReplayError) -> TrailError {
    match error {
        ReplayError::Trail(error) => error,
        ReplayError::Stopped => unreachable!("nothing stops this replay"),
    }
}

/// Executes a trail, observed by what `new` makes. When an event does not fit a trace assertion,
/// `pan` writes the line of that step twice: then the second one is left out.
pub(crate) fn execute<O: ReplayObserver>(
    machine: &Machine<'_>,
    trail: &Trail,
    new: impl Fn() -> O,
) -> Result<(O, ReplayEnd), ReplayError> {
    let mut observer = new();
    let replayed = machine.replay_with(trail, &mut observer);
    if let Err(ReplayError::Trail(_)) = replayed
        && let [before @ .., last] = &trail.lines[..]
        && before.last() == Some(last)
    {
        let &Trail { merged, cycle_start, claim, .. } = trail;
        let shorter = Trail { merged, lines: before.to_vec(), cycle_start, claim };
        observer = new();
        if let Ok(end) = machine.replay_with(&shorter, &mut observer)
            && end.last.is_some_and(|step| step.fault == Some(FaultKind::Trace))
        {
            return Ok((observer, end));
        }
    }
    replayed.map(|end| (observer, end))
}

fn tell(
    describer: &Describer<'_>,
    trail: &Trail,
    selector: &ErrorSelector,
    request: &StoryRequest<'_>,
) -> Result<Story, ReplayError> {
    let machine = describer.machine();
    let (recorder, replay) =
        execute(machine, trail, || StoryRecorder::new(describer, trail, request))?;
    let mut recorded = recorder.finish(&replay);
    let ending = Ending { describer, trail, replay: &replay, lasso: recorded.lasso.as_ref() };
    let found = selector.choose(ending.wrongs(recorded.detail.take(), selector));
    let (error, detail) = found.map_or((None, None), |(error, detail)| (Some(error), detail));
    // After a fault that nothing survives, the state before it is the last.
    let fault = replay.last.and_then(|last| last.fault);
    let dead = fault.is_some_and(|fault| !fault.is_survivable());
    let end = describer.end(if dead { &replay.before_last } else { &replay.state }, error, detail);
    let mut story = Story {
        steps: recorded.steps,
        movers: recorded.movers,
        states: recorded.states,
        cycle_start: replay.stem_moves,
        closes: recorded.lasso.is_some(),
        ..Story::without_steps(replay.moves, end)
    };
    let rests =
        matches!(error, Some(ErrorKind::Invariant(_) | ErrorKind::Formula)) && replay.deadlock;
    story.end.stuck |= story.stays() || rests;
    Ok(story)
}

/// The end of an executed trail.
#[derive(Clone, Copy)]
struct Ending<'r, 'm> {
    describer: &'r Describer<'m>,
    trail: &'r Trail,
    replay: &'r ReplayEnd,
    /// The run that goes round for ever, if the trail has a cycle that closes.
    lasso: Option<&'r LassoRun>,
}

impl<'r> Ending<'r, '_> {
    /// All errors at the end of a trail, each with its details: the last
    /// step first, for which that is known, then what a claim says, and then the last state.
    fn wrongs(
        self,
        of_last: Option<String>,
        selector: &'r ErrorSelector,
    ) -> impl Iterator<Item = (ErrorKind, Option<String>)> + 'r {
        let Ending { describer, replay, .. } = self;
        let machine = describer.machine();
        let last = replay.last.and_then(|last| last.fault);
        let failed = last.map(|kind| (ErrorKind::Fault(kind), of_last));
        let claimed = move || {
            let why = machine.claim()?.undefined_condition(machine, &replay.state);
            let why = why.map(|(condition, why)| has_no_value(machine, condition, why));
            replay.claim_violated.then_some((ErrorKind::Fault(FaultKind::Claim), why))
        };
        let cycle = move || wrong_cycle(machine, self.lasso?, selector);
        let stuck = replay.deadlock.then_some((ErrorKind::InvalidEnd, None));
        // SPIN notices some faults only later, and goes on behind others.
        let earlier = replay.fault.filter(|_| last.is_none());
        let earlier = earlier.and_then(|(step, taken)| {
            Some((ErrorKind::Fault(taken.fault?), Some(format!("in step {step}"))))
        });
        // What a claim looks at may well be false.
        let watched = if machine.claim().is_some() { 0 } else { machine.invariants().len() };
        let broken = (0..watched).filter(|&at| !machine.holds(at, &replay.state)).map(move |at| {
            let invariant = &machine.invariants()[at];
            let detail = match machine.evaluate(invariant, &replay.state, 0) {
                Err(why) => has_no_value(machine, invariant, why),
                Ok(_) => format!("{} is false", written(machine, invariant)),
            };
            (ErrorKind::Invariant(at as u32), Some(detail))
        });
        let formula = move || {
            let (number, why) = violated_formula(machine, self.trail, selector)?;
            let name = called(machine.model(), number);
            Some((
                ErrorKind::Formula,
                Some(why.map_or(name.clone(), |why| format!("{name}, since {why}"))),
            ))
        };
        let at_end = stuck.into_iter().chain(earlier).chain(broken);
        let at_end = at_end.chain(iter::once_with(formula).flatten());
        let lasso = iter::once_with(cycle).flatten();
        let first = failed.into_iter().chain(iter::once_with(claimed).flatten()).chain(lasso);
        // What goes on for ever has no end that could be wrong.
        first.chain(at_end.filter(|_| replay.cycle.is_none()))
    }
}

/// The first formula that cannot be true any more after a trail, whatever comes, of those that are
/// meant or else of all; and why, if the reason is that there is something in it without a value.
/// The trail is replayed for each formula.
fn violated_formula(
    machine: &Machine<'_>,
    trail: &Trail,
    selector: &ErrorSelector,
) -> Option<(usize, Option<String>)> {
    if machine.claim().is_some() {
        return None;
    }
    let all = 0..machine.model().formulas.len();
    selector.formulas.iter().copied().chain(all).find_map(|number| {
        let claim = machine.formula_claim(number).ok()?;
        let watch = || ClaimObserver::new(machine, &claim);
        let end = execute(machine, trail, watch).ok()?.0.end?;
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
    lasso: &LassoRun,
    selector: &ErrorSelector,
) -> Option<(ErrorKind, Option<String>)> {
    let origin = violated_claim(machine, lasso, selector)?.origin;
    let detail = match origin {
        Origin::Formula(number) => Some(called(machine.model(), number)),
        _ => None,
    };
    Some((ErrorKind::Cycle(cycle_error(origin)), detail))
}
