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
use beeline_promela::Frontend;
use beeline_promela::hir::print::Printer;
use beeline_promela::hir::{Expr, Model};

use crate::claims::{ClaimObserver, LassoRun, violated_claim, with_claim_of};
use crate::describer::Describer;
use crate::error_selector::ErrorSelector;
use crate::explanation::Explanation;
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
    front: &Frontend,
    trail: &Trail,
    semantics: SemanticsOptions,
    request: &StoryRequest<'_>,
) -> Result<Story, TrailError> {
    match story_about(front, trail, semantics, request) {
        Ok(executed) => Ok(executed.story),
        Err(ReplayError::Trail(error)) => Err(error),
        Err(ReplayError::Stopped) => Ok(cut_story(trail, request)),
    }
}

/// The story of a trail that could not be executed before the deadline.
fn cut_story(trail: &Trail, request: &StoryRequest<'_>) -> Story {
    match request.subject {
        Subject::Violation(violation, _) => {
            Story::cut(violation.length.steps as usize, Some(violation.error))
        }
        // A rendezvous has two lines: there may be fewer steps.
        Subject::Properties(_) => Story::cut(trail.lines.len(), None),
    }
}

/// Executes a trail, and runs something with its end and its steps, which are told one at a time.
///
/// # Errors
///
/// When the trail is not one of this model.
pub(crate) fn with_story(
    front: &Frontend,
    trail: &Trail,
    semantics: SemanticsOptions,
    request: &StoryRequest<'_>,
    run: &mut dyn FnMut(&Story, &dyn StepTeller),
) -> Result<(), TrailError> {
    let request = StoryRequest { steps: ToldSteps::None, ..*request };
    match story_about(front, trail, semantics, &request) {
        Ok(executed) => run(&executed.story, &TrailTeller { executed: &executed, trail }),
        Err(ReplayError::Trail(error)) => return Err(error),
        Err(ReplayError::Stopped) => {
            let story = cut_story(trail, &request);
            run(&story, &story);
        }
    }
    Ok(())
}

fn story_about<'m>(
    front: &'m Frontend,
    trail: &Trail,
    semantics: SemanticsOptions,
    request: &StoryRequest<'_>,
) -> Result<ExecutedStory<'m>, ReplayError> {
    let selector = ErrorSelector::of(&front.hir, request.subject);
    let mut executed = executed_story(front, trail, semantics, &selector, request)?;
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
    front: &'m Frontend,
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
    let on = |reset_dead, overflow| {
        let machine = semantics.machine(&front.hir, options(reset_dead));
        let machine = with_claim_of(trail, machine.checking_overflow(overflow));
        executed_story_on(trail, Describer::new(machine, front), selector, request)
    };
    if selector.wants_overflow() {
        return on(false, true);
    }
    let kept = on(false, false);
    if matches!(kept, Err(ReplayError::Stopped)) || kept.as_ref().is_ok_and(is_wrong) {
        return kept;
    }
    let reset = on(true, false);
    if kept.is_err() || reset.as_ref().is_ok_and(is_wrong) {
        return reset;
    }
    // A trail without an error of another kind may lead to an overflow.
    let overflow = on(false, true);
    if overflow.as_ref().is_ok_and(is_wrong) { overflow } else { kept }
}

fn executed_story_on<'m>(
    trail: &Trail,
    describer: Describer<'m>,
    selector: &ErrorSelector,
    request: &StoryRequest<'_>,
) -> Result<ExecutedStory<'m>, ReplayError> {
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
    let recorded = recorder.finish(&replay);
    let ending = Ending { describer, trail, replay: &replay, lasso: recorded.lasso.as_ref() };
    let found = selector.choose(ending.wrongs(recorded.explanation.clone(), selector));
    let (error, explanation) =
        found.map_or_else(Default::default, |(error, why)| (Some(error), why));
    // After a fault that nothing survives, the state before it is the last.
    let fault = replay.last.and_then(|last| last.fault);
    let dead = fault.is_some_and(|fault| !fault.is_survivable());
    let end =
        describer.end(if dead { &replay.before_last } else { &replay.state }, error, explanation);
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
        of_last: Explanation,
        selector: &'r ErrorSelector,
    ) -> impl Iterator<Item = (ErrorKind, Explanation)> + 'r {
        let Ending { describer, replay, .. } = self;
        let machine = describer.machine();
        let last = replay.last.and_then(|last| last.fault);
        let failed = last.map(|kind| (ErrorKind::Fault(kind), of_last));
        let claimed = move || {
            let (claim, end) = (machine.claim()?, replay.claim_end.as_ref()?);
            let why = match claim.undefined_condition(machine, end) {
                Some((condition, why)) => has_no_value(machine, condition, why).into(),
                None => Explanation { detail: None, causes: describer.claim_end(claim, end) },
            };
            Some((ErrorKind::Fault(FaultKind::Claim), why))
        };
        let cycle = move || wrong_cycle(machine, self.lasso?, selector);
        let stuck = replay.deadlock.then(|| (ErrorKind::InvalidEnd, Explanation::default()));
        // SPIN notices some faults only later, and goes on behind others.
        let earlier = replay.fault.filter(|_| last.is_none());
        let earlier = earlier.and_then(|(step, taken)| {
            Some((ErrorKind::Fault(taken.fault?), Explanation::from(format!("in step {step}"))))
        });
        // What a claim looks at may well be false.
        let watched = if machine.claim().is_some() { 0 } else { machine.invariants().len() };
        let broken = (0..watched).filter(|&at| !machine.holds(at, &replay.state)).map(move |at| {
            let invariant = &machine.invariants()[at];
            let explanation = match machine.evaluate(invariant, &replay.state, 0) {
                Err(why) => has_no_value(machine, invariant, why).into(),
                Ok(_) => describer.falsity(invariant, &replay.state),
            };
            (ErrorKind::Invariant(at as u32), explanation)
        });
        let formula =
            move || Some((ErrorKind::Formula, violated_formula(describer, self.trail, selector)?));
        let at_end = stuck.into_iter().chain(earlier).chain(broken);
        let at_end = at_end.chain(iter::once_with(formula).flatten());
        let lasso = iter::once_with(cycle).flatten();
        let first = failed.into_iter().chain(iter::once_with(claimed).flatten()).chain(lasso);
        // What goes on for ever has no end that could be wrong.
        first.chain(at_end.filter(|_| replay.cycle.is_none()))
    }
}

/// The first formula that cannot be true any more after a trail, whatever comes, of those that are
/// meant or else of all; and why. The trail is replayed for each formula.
fn violated_formula(
    describer: &Describer<'_>,
    trail: &Trail,
    selector: &ErrorSelector,
) -> Option<Explanation> {
    let machine = describer.machine();
    if machine.claim().is_some() {
        return None;
    }
    let all = 0..machine.model().formulas.len();
    selector.formulas.iter().copied().chain(all).find_map(|number| {
        let claim = machine.formula_claim(number).ok()?;
        let watch = || ClaimObserver::new(machine, &claim);
        let end = execute(machine, trail, watch).ok()?.0.end?;
        let name = called(machine.model(), number);
        if let Some((condition, why)) = claim.undefined_condition(machine, &end) {
            let why = has_no_value(machine, condition, why);
            return Some(format!("{name}, as {why}").into());
        }
        let formula = &machine.model().formulas[number].formula;
        let mut causes = describer.explainer(&end, 0).false_parts_of_formula(formula);
        if causes.is_empty() {
            causes = describer.claim_end(&claim, &end);
        }
        Some(Explanation { detail: Some(name), causes })
    })
}

/// The text for a condition without a value, with the cause.
fn has_no_value(machine: &Machine<'_>, condition: &Expr, why: FaultKind) -> String {
    format!("{} has no value ({why})", Printer::new(machine.model(), None).expr(condition))
}

/// The name of a formula, or its text if it was written on the command line.
fn called(model: &Model, number: usize) -> String {
    let formula = &model.formulas[number];
    let name = &formula.name.name;
    if is_written(name) {
        return Printer::new(model, None).expr(&formula.formula);
    }
    format!("`{name}`")
}

/// The violation of the cycle at the end of a trail.
fn wrong_cycle(
    machine: &Machine<'_>,
    lasso: &LassoRun,
    selector: &ErrorSelector,
) -> Option<(ErrorKind, Explanation)> {
    let origin = violated_claim(machine, lasso, selector)?.origin;
    let explanation = match origin {
        Origin::Formula(number) => called(machine.model(), number).into(),
        _ => Explanation::default(),
    };
    Some((ErrorKind::Cycle(cycle_error(origin)), explanation))
}
