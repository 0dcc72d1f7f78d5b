//! Runs without end: a stem and the steps that repeat, with time stamps.
//!
//! The steps of a symbolic cycle are taken several times, at the earliest times that are possible.
//! Where the clocks have the same values after some rounds as after an earlier one, the run between
//! them can be repeated for ever. A clock beyond all numbers with which clocks are compared counts as
//! equal to another such value.

use super::concrete::{ConcreteState, Mismatch, replay};
use super::maximal_runs::{MaximalRuns, WITHIN};
use super::schedule::{Kept, RunGoal, Schedule, schedule_keeping};
use super::symbolic::StepResult;
use super::synchronisation::Part;
use crate::network::memory::Memory;

/// Rounds that are tried. The earliest times become periodic soon, if they do at all.
const ROUNDS: usize = 8;
/// The most steps of a run that is tried.
const MOST_STEPS: usize = 20_000;

/// The steps of a run without end.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LassoSteps {
    /// The steps before the cycle. The state from which on the condition must hold is an empty step,
    /// if it depends on a trigger.
    pub stem: Vec<Vec<Part>>,
    /// The steps that repeat. Without steps, time passes for ever, or the run ends.
    pub cycle: Vec<Vec<Part>>,
}

/// A run without end that was executed.
#[derive(Clone, Debug)]
pub struct LassoRun<'n> {
    /// Its steps, without empty ones.
    pub steps: LassoSteps,
    /// Their times.
    pub schedule: Schedule,
    /// Before the first step, after each step, and at the end.
    pub states: Vec<ConcreteState<'n>>,
    /// Whether the last state has the values of the first one of the cycle.
    pub closes: bool,
}

impl<'n> MaximalRuns<'n> {
    /// The steps along the states of a lasso. The first state leads to those in which the condition
    /// must hold.
    pub fn steps_of(
        &self,
        stem: &beeline_kernel::StatePath,
        cycle: &beeline_kernel::StatePath,
    ) -> Option<LassoSteps> {
        let mut memory = Memory::new(self.engine.net);
        let mut steps = LassoSteps::default();
        let mut path = stem.clone();
        path.append(cycle);
        let mut pairs = path.pairs();
        let mut at = 0;
        while let Some((from, to)) = pairs.advance() {
            let step = self.step_between(&mut memory, from, to)?;
            let part = if at < stem.len() { &mut steps.stem } else { &mut steps.cycle };
            part.extend(step);
            at += 1;
        }
        let (first, last) = (cycle.first()?, cycle.last()?);
        if cycle.len() == 1 {
            let (_, zone) = self.decode(first, &mut memory);
            if !self.resting(&mut memory, &zone).ok()?.is_empty() {
                return Some(steps);
            }
        }
        steps.cycle.extend(self.step_between(&mut memory, last, first)?);
        Some(steps)
    }

    /// The steps along a path of states.
    pub fn steps_along(&self, path: &beeline_kernel::StatePath) -> Option<Vec<Vec<Part>>> {
        let mut memory = Memory::new(self.engine.net);
        let (mut steps, mut pairs) = (Vec::new(), path.pairs());
        while let Some((from, to)) = pairs.advance() {
            steps.extend(self.step_between(&mut memory, from, to)?);
        }
        Some(steps)
    }

    /// The step from a state to the next one; `Some(None)` if the condition must hold from the
    /// beginning, which is no step.
    fn step_between(
        &self,
        memory: &mut Memory<'n>,
        from: &[u8],
        to: &[u8],
    ) -> Option<Option<Vec<Part>>> {
        let (phase, zone) = self.decode(from, memory);
        if phase != WITHIN && to[0] == WITHIN {
            return Some(self.goal.trigger.is_some().then(Vec::new));
        }
        let mut buffer = Vec::new();
        let mut found = None;
        self.successors(memory, phase, &zone, &mut |memory, step, reached| {
            if let (None, StepResult::Zone(zone)) = (&found, reached) {
                self.encode(phase, memory, &zone, &mut buffer);
                if buffer == to {
                    found = Some(step.to_vec());
                }
            }
        });
        found.map(Some)
    }

    /// The run with these steps, executed on plain numbers.
    ///
    /// # Errors
    ///
    /// Why it is none.
    pub fn run(&self, steps: &LassoSteps) -> Result<LassoRun<'n>, String> {
        if steps.cycle.is_empty() {
            let run = self.timed(steps, 0)?;
            return Ok(run);
        }
        let length = steps.stem.len() + steps.cycle.len();
        let most = (MOST_STEPS.saturating_sub(length) / steps.cycle.len()).clamp(1, ROUNDS);
        let mut first = None;
        for rounds in [1, most] {
            let run = self.timed(steps, rounds)?;
            if let Some(run) = self.closed(steps, &run, rounds) {
                return Ok(run);
            }
            first = first.or(Some(run));
        }
        Ok(first.expect("one round was tried"))
    }

    /// The part of a run up to the first round after which the state is that of an earlier round.
    fn closed(
        &self,
        steps: &LassoSteps,
        run: &LassoRun<'n>,
        rounds: usize,
    ) -> Option<LassoRun<'n>> {
        let begin = steps.stem.iter().filter(|step| !step.is_empty()).count();
        let state = |round: usize| &run.states[begin + round * steps.cycle.len()];
        let mut pairs = (1..=rounds).flat_map(|end| (0..end).rev().map(move |start| (start, end)));
        let (start, end) = pairs.find(|&(start, end)| self.agree(state(start), state(end)))?;
        let mut repeated = LassoSteps::default();
        repeated.stem.extend(steps.stem.iter().filter(|step| !step.is_empty()).cloned());
        for round in 0..end {
            let part = if round < start { &mut repeated.stem } else { &mut repeated.cycle };
            part.extend(steps.cycle.iter().cloned());
        }
        let length = begin + end * steps.cycle.len();
        let schedule = Schedule {
            scale: run.schedule.scale,
            times: run.schedule.times[..length].to_vec(),
            end: run.schedule.times[length - 1],
        };
        let mut states = run.states[..=length].to_vec();
        states.push(states[length].clone());
        Some(LassoRun { steps: repeated, schedule, states, closes: true })
    }

    /// Whether two states have the same runs: the same values, except for clocks beyond all numbers
    /// with which they are compared.
    fn agree(&self, one: &ConcreteState<'_>, other: &ConcreteState<'_>) -> bool {
        let largest = self.engine.bounds.largest();
        let is_beyond =
            |clock: i64| largest.is_some_and(|largest| clock > i64::from(largest) * one.scale);
        let mut clocks = one.clocks.iter().zip(&other.clocks);
        one.memory.locations == other.memory.locations
            && one.memory.variables == other.memory.variables
            && clocks.all(|(&a, &b)| a == b || is_beyond(a) && is_beyond(b))
    }

    /// The run with so many rounds.
    fn timed(&self, steps: &LassoSteps, rounds: usize) -> Result<LassoRun<'n>, String> {
        let mut all = steps.stem.clone();
        (0..rounds).for_each(|_| all.extend(steps.cycle.iter().cloned()));
        let begin = match &self.goal.trigger {
            Some(_) => steps.stem.iter().position(Vec::is_empty).ok_or("it has no beginning")? + 1,
            None => 0,
        };
        let kept = Kept { runs: self, begin, rests: rounds == 0 };
        let schedule = schedule_keeping(&self.engine, &all, RunGoal::Anywhere, Some(kept));
        let schedule = schedule.ok_or("no times fit the steps of the cycle")?;
        let condition = &self.goal.condition;
        let told = |(at, why): (usize, Mismatch)| format!("step {} cannot be taken: {why}", at + 1);
        let mut states = replay(self.engine.net, &all, &schedule).map_err(told)?;
        if let Some(trigger) = &self.goal.trigger
            && !states[begin].is(trigger, true)
        {
            return Err("the run does not begin as the query asks".to_owned());
        }
        let mut times = schedule.times.clone();
        times.push(schedule.end);
        for at in begin..states.len() {
            let before = if at == 0 { 0 } else { times[at - 1] };
            let delay = times.get(at).map_or(0, |&time| time - before);
            if !states[at].keeps(delay, &condition.code, condition.holds) {
                return Err("the run leaves the condition".to_owned());
            }
        }
        let last = states.last_mut().expect("a run has states");
        if rounds == 0 && !last.rests(&condition.code, condition.holds) {
            return Err("the run does not end there".to_owned());
        }
        let of_step = |at: &usize| !all[*at].is_empty();
        let taken: Vec<usize> = (0..all.len()).filter(of_step).collect();
        let times = taken.iter().map(|&at| schedule.times[at]).collect();
        let mut kept_states = vec![states[0].clone()];
        kept_states.extend(taken.iter().map(|&at| states[at + 1].clone()));
        kept_states.push(states[all.len() + 1].clone());
        let is_step = |step: &&Vec<Part>| !step.is_empty();
        let stem: Vec<Vec<Part>> = steps.stem.iter().filter(is_step).cloned().collect();
        let cycle = if rounds == 0 { Vec::new() } else { steps.cycle.clone() };
        let schedule = Schedule { times, ..schedule };
        let steps = LassoSteps { stem, cycle };
        Ok(LassoRun { steps, schedule, states: kept_states, closes: rounds == 0 })
    }
}
