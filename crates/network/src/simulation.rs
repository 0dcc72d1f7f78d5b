//! One run of a network, step by step.

use beeline_kernel::{SplitMix64, Trail};
use beeline_model::{ErrorKind, Simulation, SimulationEnd, StoryEnd, StoryStep};

use crate::narrator::NetworkNarrator;
use crate::replayer::{NetworkReplayer, NetworkStep};

/// A simulated run.
pub(crate) struct NetworkSimulation<'n> {
    narrator: &'n NetworkNarrator,
    replayer: NetworkReplayer<'n>,
    steps: Vec<NetworkStep>,
    /// For each step its number among the enabled ones.
    taken: Vec<usize>,
    /// The state before each step, and the current one.
    states: Vec<Vec<u8>>,
    random: SplitMix64,
}

impl<'n> NetworkSimulation<'n> {
    /// A run from the initial state on.
    pub(crate) fn new(narrator: &'n NetworkNarrator, seed: u64) -> NetworkSimulation<'n> {
        let replayer = NetworkReplayer::new(narrator.network());
        let states = vec![replayer.initial()];
        NetworkSimulation {
            narrator,
            replayer,
            steps: Vec::new(),
            taken: Vec::new(),
            states,
            random: SplitMix64::new(seed),
        }
    }

    fn present(&self) -> &[u8] {
        self.states.last().expect("there is the initial state")
    }

    /// The enabled steps; none in an error state, which ends the run.
    fn enabled(&self) -> Vec<NetworkStep> {
        match self.replayer.is_error(self.present()) {
            true => Vec::new(),
            false => self.replayer.enabled(self.present()),
        }
    }
}

impl Simulation for NetworkSimulation<'_> {
    /// All states are kept in any case.
    fn remember(&mut self) {}

    fn choices(&self) -> Vec<StoryStep> {
        let state = self.present();
        let told = |step: NetworkStep| {
            let next = self.replayer.apply(state, step);
            self.narrator.story_step(&self.replayer, state, &next, step)
        };
        self.enabled().into_iter().map(told).collect()
    }

    fn take(&mut self, choice: usize) -> Option<StoryStep> {
        let step = *self.enabled().get(choice)?;
        let next = self.replayer.apply(self.present(), step);
        let told = self.narrator.story_step(&self.replayer, self.present(), &next, step);
        self.steps.push(step);
        self.taken.push(choice);
        self.states.push(next);
        Some(told)
    }

    fn take_any(&mut self) -> Option<StoryStep> {
        let count = self.enabled().len() as u64;
        let choice = self.random.next_u64().checked_rem(count)?;
        self.take(choice as usize)
    }

    fn taken(&self) -> &[usize] {
        &self.taken
    }

    fn back(&mut self) -> bool {
        let is_there = self.steps.pop().is_some();
        self.taken.pop();
        if is_there {
            self.states.pop();
        }
        is_there
    }

    fn trail(&self) -> Trail {
        self.replayer.trail_of(&self.steps)
    }

    fn ending(&self) -> Option<SimulationEnd> {
        match self.replayer.is_error(self.present()) {
            true => Some(SimulationEnd::Error(ErrorKind::ErrorState)),
            false => self.enabled().is_empty().then_some(SimulationEnd::ValidEnd),
        }
    }

    fn state(&self) -> StoryEnd {
        self.narrator.story_end(&self.replayer, self.present())
    }
}
