//! A trail as a story: who did what, where it is written, what it printed and
//! changed, and how it ends.

use std::iter;

use beeline_engine::automata::Options;
use beeline_engine::claim::Origin;
use beeline_engine::interpreter::{Machine, Move, Now};
use beeline_engine::trail::{Replay, TrailError, TrailFile};
use beeline_kernel::FaultKind;
use beeline_promela::hir::print::Printer;
use beeline_promela::hir::{Expr, Model};

use crate::about::About;
use crate::asked::is_asked_for;
use crate::claims::{objecting, told, watched_as_in};
use crate::property::Property;
use crate::rules::Rules;
use crate::states::State;
use crate::teller::{Resting, Teller, Turn};
use crate::view::Change;
use crate::witness::{Round, Violation, Wrong};

/// A trail, told.
#[derive(Clone, Debug)]
pub struct Story {
    /// What happens.
    pub steps: Vec<Told>,
    /// How it ends.
    pub end: End,
    /// The step with which the cycle begins, if the trail is a lasso.
    pub cycle_start: Option<usize>,
    /// Whether a cycle comes back to where it begins.
    pub closes: bool,
    /// For each step whether the error needs it; empty where that is not known.
    pub core: Vec<bool>,
    /// The state before each step and the last one, if someone asked for them. A step
    /// that nothing survives has none behind it.
    pub states: Vec<State>,
}

/// A step.
#[derive(Clone, Debug)]
pub struct Told {
    /// Who moves.
    pub turn: Turn,
    /// Who receives, in a rendezvous.
    pub partner: Option<Turn>,
    /// What is different afterwards.
    pub changes: Vec<Change>,
    /// What `printf` and `printm` print.
    pub printed: String,
    /// What went wrong in this step.
    pub fault: Option<FaultKind>,
}

/// The last state.
#[derive(Clone, Debug)]
pub struct End {
    /// What is wrong with it, if anything is.
    pub wrong: Option<Wrong>,
    /// More about it, in words: the assertion with its values.
    pub detail: Option<String>,
    /// Nobody can move any more, and that is what is wrong.
    pub stuck: bool,
    /// Where the processes are.
    pub processes: Vec<Resting>,
    /// All values by name.
    pub values: Vec<(String, String)>,
}

impl Story {
    /// What happened, and how it ends: no lasso, and nobody knows what was needed.
    pub fn new(steps: Vec<Told>, end: End) -> Story {
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
pub fn retell(model: &Model, trail: &TrailFile, rules: Rules) -> Result<Story, TrailError> {
    retell_about(model, trail, rules, &[], false)
}

/// Executes a trail and tells what happens, with all states if they are wanted. Its end may be
/// wrong in several ways; the story is about how it violates one of these properties, if it does.
///
/// # Errors
///
/// When the trail is not one of this model.
pub fn retell_about(
    model: &Model,
    trail: &TrailFile,
    rules: Rules,
    properties: &[Property],
    wants_states: bool,
) -> Result<Story, TrailError> {
    let telling = telling(model, trail, rules, &About::properties(model, properties))?;
    Ok(if wants_states { telling.with_states() } else { telling.story })
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
    rules: Rules,
    wants_states: bool,
) -> Result<Story, TrailError> {
    let about = About::violation(model, violation, formula);
    let telling = telling(model, &violation.trail, rules, &about)?;
    let mut story = if wants_states { telling.with_states() } else { telling.story };
    story.end.wrong = Some(violation.wrong);
    Ok(story)
}

/// A trail that was executed, and what it was told from.
pub(crate) struct Telling<'m> {
    pub(crate) teller: Teller<'m>,
    pub(crate) story: Story,
    /// Where it began and what happened; nothing if the model failed before its first step.
    pub(crate) run: Option<(Now, Replay)>,
}

impl Telling<'_> {
    fn with_states(mut self) -> Story {
        if let Some((initial, replay)) = &self.run {
            self.story.states = states(&self.teller, initial, replay);
        }
        self.story
    }
}

/// Executes a trail and tells what happens, and what is wrong at the end.
pub(crate) fn telling<'m>(
    model: &'m Model,
    trail: &TrailFile,
    rules: Rules,
    about: &About,
) -> Result<Telling<'m>, TrailError> {
    // Values that nobody needs any more are not reset here: a reader wants to see
    // them, and `printf` does not count as a need. A trail that owes its error to
    // a reset is executed with it.
    let options = |reset_dead| Options { merge: trail.merged, reset_dead };
    let is_wrong = |telling: &Telling<'_>| telling.story.end.wrong.is_some();
    let kept = telling_with(trail, rules.machine(model, options(false)), about);
    if !kept.as_ref().is_ok_and(is_wrong) {
        let reset = telling_with(trail, rules.machine(model, options(true)), about);
        if kept.is_err() || reset.as_ref().is_ok_and(is_wrong) {
            return reset;
        }
    }
    kept
}

fn telling_with<'m>(
    trail: &TrailFile,
    machine: Machine<'m>,
    about: &About,
) -> Result<Telling<'m>, TrailError> {
    let teller = Teller::new(watched_as_in(trail, machine));
    match teller.machine().initial() {
        Err(kind) if trail.lines.is_empty() => {
            let story = Story::new(Vec::new(), End::stillborn(kind));
            Ok(Telling { teller, story, run: None })
        }
        initial => {
            let replay = execute(teller.machine(), trail)?;
            let initial = initial.expect("the replay began there");
            let story = tell(&teller, &initial, &replay, about);
            Ok(Telling { teller, story, run: Some((initial, replay)) })
        }
    }
}

/// Executes a trail. When an event does not fit a trace assertion, `pan` writes
/// the line of that step twice: then the second one is left out.
pub(crate) fn execute(machine: &Machine<'_>, trail: &TrailFile) -> Result<Replay, TrailError> {
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

impl End {
    /// The end of a model that fails before its first step.
    pub fn stillborn(kind: FaultKind) -> End {
        let wrong = Some(Wrong::Fault(kind));
        let detail = Some("in the initial value of a variable".to_owned());
        End { wrong, detail, stuck: false, processes: Vec::new(), values: Vec::new() }
    }
}

fn tell(teller: &Teller<'_>, initial: &Now, replay: &Replay, about: &About) -> Story {
    let mut steps = Vec::new();
    let mut now = initial;
    let mut detail = None;
    let cycle_start = replay.cycle.map(|at| replay.stored[at].moves);
    for step in &replay.moves {
        detail = step.fault.and_then(|_| teller.detail(now, step));
        steps.push(teller.step(now, step));
        now = &step.next;
    }
    let last = replay.moves.last();
    let found = about.choose(wrongs(teller, replay, detail, about));
    let (wrong, detail) = found.map_or((None, None), |(wrong, detail)| (Some(wrong), detail));
    // After a fault that nothing survives, the state before it is the last.
    let dead = last.and_then(|last| last.fault).is_some_and(|fault| !fault.is_survivable());
    let before = replay.moves.len().checked_sub(2).map_or(initial, |at| &replay.moves[at].next);
    let end = teller.end(if dead { before } else { &replay.end }, wrong, detail);
    let closes = told(teller.machine(), replay).is_some();
    let mut story = Story { cycle_start, closes, ..Story::new(steps, end) };
    let rests = matches!(wrong, Some(Wrong::Broken(_) | Wrong::Formula)) && replay.deadlock;
    story.end.stuck |= story.stays() || rests;
    story
}

/// All that is wrong at the end of a trail, each with what there is to say about it: the last
/// step first, for which that is known, then what a claim says, and then the last state.
fn wrongs<'r>(
    teller: &'r Teller<'_>,
    replay: &'r Replay,
    of_last: Option<String>,
    about: &'r About,
) -> impl Iterator<Item = (Wrong, Option<String>)> + 'r {
    let machine = teller.machine();
    let last = replay.moves.last().and_then(|last| last.fault);
    let failed = last.map(|kind| (Wrong::Fault(kind), of_last));
    let claimed = move || {
        let why = machine.claim()?.valueless(machine, &replay.end);
        let why = why.map(|(condition, why)| has_no_value(machine, condition, why));
        replay.claim_violated.then_some((Wrong::Fault(FaultKind::Claim), why))
    };
    let cycle = move || replay.cycle.and_then(|_| wrong_cycle(machine, replay, about));
    let stuck = replay.deadlock.then_some((Wrong::InvalidEnd, None));
    // SPIN notices some faults only later, and goes on behind others.
    let earlier = replay.fault.filter(|_| last.is_none());
    let earlier = earlier.map(|(step, kind)| (Wrong::Fault(kind), Some(format!("in step {step}"))));
    // What a claim looks at may well be false.
    let watched = if machine.claim().is_some() { 0 } else { machine.invariants().len() };
    let broken = (0..watched).filter(|&at| !machine.holds(at, &replay.end)).map(move |at| {
        let invariant = &machine.invariants()[at];
        let detail = match machine.evaluate(invariant, &replay.end, 0) {
            Err(why) => has_no_value(machine, invariant, why),
            Ok(_) => format!("{} is false", written(machine, invariant)),
        };
        (Wrong::Broken(at as u32), Some(detail))
    });
    let formula = move || {
        let (number, why) = violated_formula(machine, replay, about)?;
        let name = called(machine.model(), number);
        Some((Wrong::Formula, Some(why.map_or(name.clone(), |why| format!("{name}, as {why}")))))
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
    replay: &Replay,
    about: &About,
) -> Option<(usize, Option<String>)> {
    if machine.claim().is_some() {
        return None;
    }
    let states: Vec<Vec<u8>> = replay.stored.iter().map(|stored| stored.state.clone()).collect();
    let all = 0..machine.model().formulas.len();
    about.formulas.iter().copied().chain(all).find_map(|number| {
        let claim = machine.formula_claim(number).ok()?;
        let end = claim.end_along(machine, &states)?;
        let valueless = claim.valueless(machine, &end);
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
    if is_asked_for(name) {
        return Printer::new(model, None).expr(&formula.formula);
    }
    format!("the formula `{name}`")
}

/// What is wrong with the cycle that a trail ends with, if anything is.
fn wrong_cycle(
    machine: &Machine<'_>,
    replay: &Replay,
    about: &About,
) -> Option<(Wrong, Option<String>)> {
    let told = told(machine, replay)?;
    let origin = objecting(machine, &told, about)?.origin;
    let detail = match origin {
        Origin::Formula(number) => Some(called(machine.model(), number)),
        _ => None,
    };
    Some((Wrong::Cycle(Round::of(origin)), detail))
}

fn states(teller: &Teller<'_>, initial: &Now, replay: &Replay) -> Vec<State> {
    let lives = |step: &&Move| step.fault.is_none_or(FaultKind::is_survivable);
    let later = replay.moves.iter().take_while(lives).map(|step| &step.next);
    std::iter::once(initial).chain(later).map(|now| teller.state(now)).collect()
}
