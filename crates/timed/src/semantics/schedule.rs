//! Time stamps for a run: the earliest times at which its steps can happen.
//!
//! The steps of a symbolic path are possible in this order, but the zones do not say when. All
//! guards and invariants along a run are bounds of differences between the times of its steps, since
//! a clock is the time since its last reset. The earliest solution is that of longest paths
//! (Bellman and Ford). A strict bound is tightened by a unit that is so small that no cycle of bounds
//! notices: time is counted in that unit.

use beeline_kernel::Fault;

use super::cases::{Case, Cases, cases};
use super::maximal_runs::MaximalRuns;
use super::possible_steps::StepGuard;
use super::symbolic::{StepResult, SymbolicEngine};
use super::synchronisation::Part;
use crate::network::code::Code;
use crate::network::memory::Memory;
use crate::zones::bound::{constant, is_strict};
use crate::zones::{Constraint, Dbm, UNBOUNDED};

/// The end of a run.
#[derive(Clone, Copy, Debug)]
pub enum RunGoal<'g> {
    /// A condition holds, or does not, perhaps after a delay.
    Condition(&'g Code, bool),
    /// The last step of the run fails like this.
    Fault(Fault),
    /// Any end.
    Anywhere,
}

/// The time stamps of a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Schedule {
    /// Units of time in 1.
    pub scale: i64,
    /// By step: when it happens.
    pub times: Vec<i64>,
    /// When the run ends.
    pub end: i64,
}

/// What must hold between two steps and at the second one.
#[derive(Clone, Debug, Default)]
struct Stage {
    /// The invariants before the step.
    invariants: Vec<Constraint>,
    /// Whether time may pass before the step.
    may_delay: bool,
    /// What the step demands of the clocks.
    guard: Vec<Constraint>,
    /// The clocks that the step sets.
    resets: Vec<(u32, i32)>,
}

/// The most stages that are tried: a run with many disjunctions has many combinations.
const MOST_TRIED: usize = 1_000_000;

/// A condition that a run keeps.
#[derive(Clone, Copy)]
pub struct Kept<'k, 'n> {
    /// The condition.
    pub runs: &'k MaximalRuns<'n>,
    /// The number of steps after which it holds. If it has a trigger, the step before is empty, and
    /// the trigger holds there.
    pub begin: usize,
    /// Whether the run ends in a state in which it can.
    pub rests: bool,
}

/// The earliest time stamps of a run with these steps; `None` if there are none.
pub fn schedule<'n>(
    engine: &SymbolicEngine<'n>,
    steps: &[Vec<Part>],
    goal: RunGoal<'_>,
) -> Option<Schedule> {
    schedule_keeping(engine, steps, goal, None)
}

/// The same for a run that keeps a condition. Between two steps, one of the cases of the condition
/// holds at the beginning and at the end: a run that goes from one case to another by a delay is not
/// found.
pub fn schedule_keeping<'n>(
    engine: &SymbolicEngine<'n>,
    steps: &[Vec<Part>],
    goal: RunGoal<'_>,
    kept: Option<Kept<'_, 'n>>,
) -> Option<Schedule> {
    let mut memory = Memory::new(engine.net);
    let mut search = RunSearch { engine, steps, goal, kept, stages: Vec::new(), tried: 0 };
    let zone = Dbm::zero(engine.net.clocks.len());
    let goal = search.from(&mut memory, zone)?;
    let stages = std::mem::take(&mut search.stages);
    solve(engine.net.clocks.len(), &stages, &goal)
}

/// Looks for the cases of the guards that a run takes, on exact zones.
struct RunSearch<'e, 'n> {
    engine: &'e SymbolicEngine<'n>,
    steps: &'e [Vec<Part>],
    goal: RunGoal<'e>,
    kept: Option<Kept<'e, 'n>>,
    stages: Vec<Stage>,
    tried: usize,
}

/// A state before a step.
struct OpenState {
    depth: usize,
    variables: Vec<i32>,
    locations: Vec<u32>,
    zone: Dbm,
    /// The stage that leads to it.
    entered: Option<Stage>,
}

impl<'n> RunSearch<'_, 'n> {
    /// Continues with the next step from a zone of the discrete state in memory. The result is the
    /// last stage.
    fn from(&mut self, memory: &mut Memory<'n>, first: Dbm) -> Option<Stage> {
        // A stack instead of recursion: runs are long.
        let (variables, locations) = (memory.variables.clone(), memory.locations.clone());
        let mut open =
            vec![OpenState { depth: 0, variables, locations, zone: first, entered: None }];
        while let Some(OpenState { depth, variables, locations, zone, entered }) = open.pop() {
            self.stages.truncate(depth.saturating_sub(1));
            self.stages.extend(entered);
            memory.variables.clone_from(&variables);
            memory.locations.clone_from(&locations);
            let Ok(Some(invariants)) = self.engine.invariants(memory) else { continue };
            let may_delay = self.engine.may_delay(memory);
            for case in self.kept_cases(memory, depth).into_iter().rev() {
                self.tried += 1;
                if self.tried > MOST_TRIED {
                    return None;
                }
                let mut zone = zone.clone();
                let invariants: Vec<Constraint> =
                    invariants.iter().copied().chain(case.constraints).collect();
                if !zone.constrain_all(&invariants) {
                    continue;
                }
                if may_delay {
                    zone.up();
                    zone.constrain_all(&invariants);
                }
                memory.variables.clone_from(&variables);
                memory.locations.clone_from(&locations);
                if zone.is_too_large() {
                    self.engine.extrapolate(memory, std::slice::from_mut(&mut zone));
                }
                let stage = Stage { invariants, may_delay, ..Stage::default() };
                if depth == self.steps.len() {
                    if let Some(last) = self.at_end(memory, &zone, &stage) {
                        return Some(last);
                    }
                } else if let Some(last) = self.next(memory, depth, &zone, &stage, &mut open) {
                    return Some(last);
                }
            }
        }
        None
    }

    /// Adds the states after the next step. The result is the last stage if the step fails as it
    /// should.
    fn next(
        &mut self,
        memory: &mut Memory<'n>,
        depth: usize,
        zone: &Dbm,
        stage: &Stage,
        open: &mut Vec<OpenState>,
    ) -> Option<Stage> {
        let wanted = &self.steps[depth];
        let mut guards: Vec<Case> = Vec::new();
        let mut failing: Vec<Case> = Vec::new();
        if wanted.is_empty() {
            guards = self.trigger_cases(memory);
            memory.resets.clear();
        } else {
            self.engine.possible.all(memory, &mut |_, step, guard| {
                if step == wanted {
                    match guard {
                        StepGuard::Holds(cases) => guards.extend(cases.list()),
                        StepGuard::Fails(cases, _) => failing.extend(cases.list()),
                    }
                }
            });
        }
        let is_last = depth + 1 == self.steps.len();
        if let (true, RunGoal::Fault(_)) = (is_last, self.goal) {
            let mut all = guards.into_iter().chain(failing);
            let case = all.find(|case| zone.clone().constrain_all(&case.constraints))?;
            self.stages.push(Stage { guard: case.constraints, ..stage.clone() });
            return Some(Stage::default());
        }
        if guards.is_empty() {
            return None;
        }
        if !wanted.is_empty() && self.engine.execute(memory, wanted).is_err() {
            return None;
        }
        let resets = memory.resets.clone();
        for case in guards.into_iter().rev() {
            let mut next = zone.clone();
            if !next.constrain_all(&case.constraints) {
                continue;
            }
            for &(clock, value) in &resets {
                next.reset(clock as usize, value);
            }
            let (resets, guard) = (resets.clone(), case.constraints);
            open.push(OpenState {
                depth: depth + 1,
                variables: memory.variables.clone(),
                locations: memory.locations.clone(),
                zone: next,
                entered: Some(Stage { guard, resets, ..stage.clone() }),
            });
        }
        None
    }

    /// The cases of the condition that the run keeps, as far as it holds here.
    fn kept_cases(&self, memory: &mut Memory<'n>, depth: usize) -> Vec<Case> {
        match self.kept {
            Some(Kept { runs, begin, .. }) if depth >= begin => {
                memory.begin(&[]);
                let condition = &runs.goal.condition;
                cases(memory, &condition.code, condition.holds).map_or(Vec::new(), Cases::list)
            }
            _ => vec![Case::default()],
        }
    }

    /// The cases of the trigger of the condition.
    fn trigger_cases(&self, memory: &mut Memory<'n>) -> Vec<Case> {
        memory.begin(&[]);
        let trigger = self.kept.and_then(|kept| kept.runs.goal.trigger.as_ref());
        trigger.map_or(Vec::new(), |code| cases(memory, code, true).map_or(Vec::new(), Cases::list))
    }

    /// The stage behind the last step in which the goal is met.
    fn at_end(&self, memory: &mut Memory<'n>, zone: &Dbm, stage: &Stage) -> Option<Stage> {
        if let Some(Kept { runs, rests: true, .. }) = self.kept {
            let rest = runs.resting(memory, zone).ok()?.pop()?;
            return Some(Stage { guard: all_bounds(&rest).collect(), ..stage.clone() });
        }
        let RunGoal::Condition(code, holds) = self.goal else { return Some(stage.clone()) };
        memory.begin(&[]);
        let all = cases(memory, code, holds).ok()?;
        for Case { constraints, deadlock } in all.list() {
            let mut part = zone.clone();
            if !part.constrain_all(&constraints) {
                continue;
            }
            let mut guard = constraints;
            match deadlock {
                None => {}
                Some(true) => {
                    let Some(stuck) = self.engine.stuck(memory, part).ok()?.pop() else { continue };
                    guard.extend(all_bounds(&stuck));
                }
                Some(false) => {
                    let live = self.engine.live(memory).ok()?;
                    let found = live.into_iter().find(|live| {
                        part.clone().constrain_all(&all_bounds(live).collect::<Vec<_>>())
                    });
                    guard.extend(all_bounds(&found?));
                }
            }
            return Some(Stage { guard, ..stage.clone() });
        }
        None
    }
}

/// The bounds of a zone as constraints.
fn all_bounds(zone: &Dbm) -> impl Iterator<Item = Constraint> + '_ {
    let size = zone.size();
    let pairs = (0..size).flat_map(move |plus| (0..size).map(move |minus| (plus, minus)));
    let bounds = pairs.filter(|(plus, minus)| plus != minus);
    bounds
        .map(|(plus, minus)| Constraint { plus, minus, bound: zone.at(plus, minus) })
        .filter(|one| one.bound != UNBOUNDED)
}

/// `t_later >= t_earlier + gap`.
#[derive(Clone, Copy)]
struct Gap {
    earlier: usize,
    later: usize,
    gap: i64,
}

/// The earliest times: time 0 is the start, the last one is the end.
fn solve(clocks: usize, stages: &[Stage], last: &Stage) -> Option<Schedule> {
    let scale = stages.len() as i64 + 3;
    let mut gaps: Vec<Gap> = Vec::new();
    // By clock: the time of its last reset, and its value then.
    let mut set = vec![(0_usize, 0_i64); clocks];
    let all: Vec<&Stage> = stages.iter().chain([last]).collect();
    for (at, stage) in all.iter().enumerate() {
        let (before, now) = (at, at + 1);
        gaps.push(Gap { earlier: before, later: now, gap: 0 });
        if !stage.may_delay {
            gaps.push(Gap { earlier: now, later: before, gap: 0 });
        }
        for time in [before, now] {
            gaps.extend(stage.invariants.iter().filter_map(|one| gap(one, time, &set, scale)));
        }
        gaps.extend(stage.guard.iter().filter_map(|one| gap(one, now, &set, scale)));
        for &(clock, value) in &stage.resets {
            set[clock as usize] = (now, i64::from(value));
        }
    }
    let times = longest_paths(all.len() + 1, &gaps)?;
    let end = times[all.len()];
    let times = times[1..all.len()].to_vec();
    Some(Schedule { scale, times, end })
}

/// A constraint at a time as a gap between two times.
fn gap(one: &Constraint, now: usize, set: &[(usize, i64)], scale: i64) -> Option<Gap> {
    // A clock has the value now - reset + value; clock 0 has no part of it.
    let bound = i64::from(constant(one.bound));
    let (earlier, later, bound) = match (one.plus, one.minus) {
        (0, 0) => return None,
        (plus, 0) => (now, set[plus].0, bound - set[plus].1),
        (0, minus) => (set[minus].0, now, bound + set[minus].1),
        (plus, minus) => (set[minus].0, set[plus].0, bound - set[plus].1 + set[minus].1),
    };
    // earlier - later <= bound.
    let gap = -(bound * scale - i64::from(is_strict(one.bound)));
    Some(Gap { earlier, later, gap })
}

/// The least times from 0 on that keep all gaps; `None` if there are none.
fn longest_paths(number: usize, gaps: &[Gap]) -> Option<Vec<i64>> {
    let mut leaving: Vec<Vec<(usize, i64)>> = vec![Vec::new(); number];
    for one in gaps {
        if one.earlier == one.later {
            if one.gap > 0 {
                return None;
            }
            continue;
        }
        leaving[one.earlier].push((one.later, one.gap));
    }
    let mut times = vec![0_i64; number];
    let mut raised = vec![0_usize; number];
    let mut open: std::collections::VecDeque<usize> = (0..number).collect();
    let mut is_open = vec![true; number];
    while let Some(from) = open.pop_front() {
        is_open[from] = false;
        for &(to, gap) in &leaving[from] {
            if times[from] + gap > times[to] {
                if to == 0 {
                    return None;
                }
                times[to] = times[from] + gap;
                raised[to] += 1;
                // A time that is raised as often as there are times is on a cycle.
                if raised[to] > number * 4 {
                    return None;
                }
                if !is_open[to] {
                    is_open[to] = true;
                    open.push_back(to);
                }
            }
        }
    }
    Some(times)
}

/// The steps along a path of stored states, with the fault of a step behind the last state.
pub fn steps_along(
    engine: &SymbolicEngine<'_>,
    path: &beeline_kernel::StatePath,
    fault: Option<Fault>,
) -> Option<Vec<Vec<Part>>> {
    let mut memory = Memory::new(engine.net);
    let mut steps = Vec::new();
    let mut buffer = Vec::new();
    let mut pairs = path.pairs();
    while let Some((from, to)) = pairs.advance() {
        let zone = engine.layout.decode(from, &mut memory);
        let mut found = None;
        engine.successors(&mut memory, &zone, &mut |memory, step, reached| {
            if let (None, StepResult::Zone(zone)) = (&found, reached) {
                engine.layout.encode(memory, &zone, &mut buffer);
                if buffer == to {
                    found = Some(step.to_vec());
                }
            }
        });
        steps.push(found?);
    }
    if let Some(fault) = fault {
        let zone = engine.layout.decode(path.last()?, &mut memory);
        let mut found = None;
        engine.successors(&mut memory, &zone, &mut |_, step, reached| {
            if let (None, StepResult::Fault(its)) = (&found, reached)
                && its == fault
            {
                found = Some(step.to_vec());
            }
        });
        steps.push(found?);
    }
    Some(steps)
}
