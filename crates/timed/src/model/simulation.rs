//! One run of a network, step by step: each step is taken as early as it is possible.

use beeline_kernel::{SplitMix64, Trail};
use beeline_model::{ErrorKind, Simulation, SimulationEnd, StoryEnd, StoryStep};

use super::narrator::TimedNarrator;
use super::trail::trail_of;
use crate::semantics::concrete::{ConcreteState, Mismatch};
use crate::semantics::earliest::{DelayedStep, earliest_steps};
use crate::semantics::symbolic::SymbolicEngine;
use crate::semantics::synchronisation::Part;

/// Units of time in 1 at the beginning.
const UNITS: i64 = 10;

/// A state of the run.
#[derive(Clone)]
struct Present<'n> {
    state: ConcreteState<'n>,
    /// The time in units.
    now: i64,
    steps: Vec<DelayedStep>,
    fault: Option<beeline_kernel::FaultKind>,
}

/// A simulated run.
pub(super) struct TimedSimulation<'n> {
    narrator: TimedNarrator<'n>,
    engine: SymbolicEngine<'n>,
    taken_steps: Vec<Vec<Part>>,
    /// For each step its number among the possible ones.
    taken: Vec<usize>,
    /// The states so far.
    states: Vec<Present<'n>>,
    random: SplitMix64,
}

impl<'n> TimedSimulation<'n> {
    /// A run from the initial state on.
    pub(super) fn new(narrator: TimedNarrator<'n>, seed: u64) -> TimedSimulation<'n> {
        let engine = SymbolicEngine::new(narrator.net, Vec::new());
        let state = ConcreteState::new(narrator.net, UNITS);
        let first = present(&engine, state, 0);
        TimedSimulation {
            narrator,
            engine,
            taken_steps: Vec::new(),
            taken: Vec::new(),
            states: vec![first],
            random: SplitMix64::new(seed),
        }
    }

    fn present(&self) -> &Present<'n> {
        self.states.last().expect("there is the initial state")
    }

    /// The state after a step, and the description of the step.
    fn after(&self, choice: usize) -> Option<(Present<'n>, StoryStep)> {
        let before = self.present();
        let DelayedStep { delay, step } = before.steps.get(choice)?;
        let mut state = before.state.clone();
        let now = before.now + delay;
        state.delay(*delay).ok()?;
        match state.take(step) {
            Ok(()) => {
                let old = (&before.state, before.now);
                let told = self.narrator.step(step, old, Some((&state, now)));
                Some((present(&self.engine, state, now), told))
            }
            Err(Mismatch::Fault(fault)) => {
                let mut told = self.narrator.step(step, (&before.state, before.now), None);
                told.fault = Some(fault.kind);
                let ended =
                    Present { now, steps: Vec::new(), fault: Some(fault.kind), ..before.clone() };
                Some((ended, told))
            }
            Err(_) => None,
        }
    }
}

/// A state with its possible steps. Smaller units of time hold for its time, too.
fn present<'n>(engine: &SymbolicEngine<'n>, mut state: ConcreteState<'n>, now: i64) -> Present<'n> {
    let before = state.scale;
    let steps = earliest_steps(engine, &mut state);
    let now = now * (state.scale / before);
    Present { state, now, steps, fault: None }
}

impl Simulation for TimedSimulation<'_> {
    /// All states are kept in any case.
    fn remember(&mut self) {}

    fn choices(&self) -> Vec<StoryStep> {
        let all = 0..self.present().steps.len();
        all.filter_map(|choice| self.after(choice).map(|(_, told)| told)).collect()
    }

    fn take(&mut self, choice: usize) -> Option<StoryStep> {
        let (next, told) = self.after(choice)?;
        self.taken_steps.push(self.present().steps[choice].step.clone());
        self.taken.push(choice);
        self.states.push(next);
        Some(told)
    }

    fn take_any(&mut self) -> Option<StoryStep> {
        let count = self.present().steps.len() as u64;
        let choice = self.random.next_u64().checked_rem(count)?;
        self.take(choice as usize)
    }

    fn taken(&self) -> &[usize] {
        &self.taken
    }

    fn back(&mut self) -> bool {
        let is_there = self.taken_steps.pop().is_some();
        self.taken.pop();
        if is_there {
            self.states.pop();
        }
        is_there
    }

    fn trail(&self) -> Trail {
        trail_of(self.narrator.net, &self.taken_steps)
    }

    fn ending(&self) -> Option<SimulationEnd> {
        let Present { steps, fault, .. } = self.present();
        match fault {
            Some(fault) => Some(SimulationEnd::Error(ErrorKind::Fault(*fault))),
            None => steps.is_empty().then_some(SimulationEnd::Error(ErrorKind::InvalidEnd)),
        }
    }

    fn state(&self) -> StoryEnd {
        let Present { state, now, fault, steps } = self.present();
        let stuck = fault.is_none() && steps.is_empty();
        let error = match fault {
            Some(fault) => Some(ErrorKind::Fault(*fault)),
            None => stuck.then_some(ErrorKind::InvalidEnd),
        };
        StoryEnd {
            error,
            detail: None,
            causes: Vec::new(),
            stuck,
            processes: self.narrator.positions(state),
            values: self.narrator.values(state, *now),
        }
    }
}
