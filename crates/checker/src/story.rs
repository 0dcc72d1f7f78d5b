//! A trail as a story: who did what, where it is written, what it printed and
//! changed, and how it ends.

use beeline_engine::automata::Options;
use beeline_engine::claim::Origin;
use beeline_engine::interpreter::{Machine, Move, Now};
use beeline_engine::trail::{Replay, TrailError, TrailFile};
use beeline_kernel::FaultKind;
use beeline_promela::hir::print::Printer;
use beeline_promela::hir::{Expr, Model};

use crate::asked::is_asked_for;
use crate::claims::{objecting, told, watched_as_in};
use crate::rules::Rules;
use crate::states::State;
use crate::teller::{Resting, Teller, Turn};
use crate::view::Change;
use crate::witness::{Round, Wrong};

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
    telling(model, trail, rules).map(|telling| telling.story)
}

/// Executes a trail and tells what happens, with all states.
///
/// # Errors
///
/// When the trail is not one of this model.
pub fn retell_with_states(
    model: &Model,
    trail: &TrailFile,
    rules: Rules,
) -> Result<Story, TrailError> {
    let Telling { teller, mut story, run } = telling(model, trail, rules)?;
    if let Some((initial, replay)) = &run {
        story.states = states(&teller, initial, replay);
    }
    Ok(story)
}

/// A trail that was executed, and what it was told from.
pub(crate) struct Telling<'m> {
    pub(crate) teller: Teller<'m>,
    pub(crate) story: Story,
    /// Where it began and what happened; nothing if the model failed before its first step.
    pub(crate) run: Option<(Now, Replay)>,
}

/// Executes a trail and tells what happens.
pub(crate) fn telling<'m>(
    model: &'m Model,
    trail: &TrailFile,
    rules: Rules,
) -> Result<Telling<'m>, TrailError> {
    // Values that nobody needs any more are not reset here: a reader wants to see
    // them, and `printf` does not count as a need. A trail that owes its error to
    // a reset is executed with it.
    let options = |reset_dead| Options { merge: trail.merged, reset_dead };
    let is_wrong = |telling: &Telling<'_>| telling.story.end.wrong.is_some();
    let kept = telling_with(trail, rules.machine(model, options(false)));
    if !kept.as_ref().is_ok_and(is_wrong) {
        let reset = telling_with(trail, rules.machine(model, options(true)));
        if kept.is_err() || reset.as_ref().is_ok_and(is_wrong) {
            return reset;
        }
    }
    kept
}

fn telling_with<'m>(trail: &TrailFile, machine: Machine<'m>) -> Result<Telling<'m>, TrailError> {
    let teller = Teller::new(watched_as_in(trail, machine));
    match teller.machine().initial() {
        Err(kind) if trail.lines.is_empty() => {
            let story = Story::new(Vec::new(), End::stillborn(kind));
            Ok(Telling { teller, story, run: None })
        }
        initial => {
            let replay = execute(teller.machine(), trail)?;
            let initial = initial.expect("the replay began there");
            let story = tell(&teller, &initial, &replay);
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

fn tell(teller: &Teller<'_>, initial: &Now, replay: &Replay) -> Story {
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
    let wrong = match (last.and_then(|last| last.fault), replay.fault) {
        (Some(kind), _) => Some(Wrong::Fault(kind)),
        (None, _) if replay.claim_violated => {
            let machine = teller.machine();
            let claim = machine.claim().and_then(|claim| claim.valueless(machine, &replay.end));
            detail = claim.map(|(condition, why)| has_no_value(machine, condition, why));
            Some(Wrong::Fault(FaultKind::Claim))
        }
        (None, _) if replay.cycle.is_some() => {
            let (wrong, why) = wrong_cycle(teller.machine(), replay).unzip();
            detail = why.flatten();
            wrong
        }
        (None, _) if replay.deadlock => Some(Wrong::InvalidEnd),
        // SPIN notices some faults only later, and goes on behind others.
        (None, Some((step, kind))) => {
            detail = Some(format!("in step {step}"));
            Some(Wrong::Fault(kind))
        }
        (None, None) => {
            let machine = teller.machine();
            // What a claim looks at may well be false.
            let watched = if machine.claim().is_some() { 0 } else { machine.invariants().len() };
            let invariants = 0..watched;
            let broken = invariants.into_iter().find(|&at| !machine.holds(at, &replay.end));
            if let Some(at) = broken {
                let invariant = &machine.invariants()[at];
                detail = Some(match machine.try_value(invariant, &replay.end, 0) {
                    Err(why) => has_no_value(machine, invariant, why),
                    Ok(_) => format!("{} is false", written(machine, invariant)),
                });
            }
            let broken = broken.map(|at| Wrong::Broken(at as u32));
            broken.or_else(|| {
                let (number, why) = violated_formula(machine, replay)?;
                let name = called(machine.model(), number);
                detail = Some(why.map_or_else(|| name.clone(), |why| format!("{name}, as {why}")));
                Some(Wrong::Formula)
            })
        }
    };
    // After a fault that nothing survives, the state before it is the last.
    let dead = last.and_then(|last| last.fault).is_some_and(|fault| !fault.is_survivable());
    let before = replay.moves.len().checked_sub(2).map_or(initial, |at| &replay.moves[at].next);
    let end = teller.end(if dead { before } else { &replay.end }, wrong, detail);
    let closes = told(teller.machine(), replay).is_some();
    let mut story = Story { cycle_start, closes, ..Story::new(steps, end) };
    story.end.stuck |= story.stays();
    story
}

/// The first formula that cannot be true any more after a trail, whatever comes; and why, if
/// the reason is that there is something in it without a value.
fn violated_formula(machine: &Machine<'_>, replay: &Replay) -> Option<(usize, Option<String>)> {
    if machine.claim().is_some() {
        return None;
    }
    let states: Vec<Vec<u8>> = replay.stored.iter().map(|stored| stored.state.clone()).collect();
    let mut formulas = 0..machine.model().formulas.len();
    formulas.find_map(|number| {
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
fn wrong_cycle(machine: &Machine<'_>, replay: &Replay) -> Option<(Wrong, Option<String>)> {
    let told = told(machine, replay)?;
    let origin = objecting(machine, &told)?.origin;
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
