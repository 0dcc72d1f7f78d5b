//! Step-by-step execution of a network, for replaying trails: without tables, and independent of
//! the state space of searches, except for the layout of states.

use beeline_kernel::{EdgeId, StatePath, StepMismatch, Trail, TrailError, TrailLine};

use crate::layout::NetworkLayout;
use crate::network::{LocalTransition, Network};

/// Executes a network step by step.
#[derive(Clone, Debug)]
pub struct NetworkReplayer<'n> {
    network: &'n Network,
    layout: NetworkLayout,
    /// All transitions in order, with their processes.
    all: Vec<(usize, LocalTransition)>,
    /// The number of the first transition of each process.
    first: Vec<usize>,
}

/// A step of a network.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NetworkStep {
    /// A process starts in one of its initial states, given by position.
    Begins(usize),
    /// An internal transition, by its number.
    Alone(usize),
    /// A shared action: two transitions.
    Together(usize, usize),
}

impl NetworkStep {
    /// The cost; choosing an initial state is free.
    pub fn cost(self) -> u64 {
        u64::from(!matches!(self, NetworkStep::Begins(_)))
    }
}

/// A trail that was replayed.
#[derive(Clone, Debug, Default)]
pub struct ReplayedTrail {
    /// The steps.
    pub steps: Vec<NetworkStep>,
    /// The state before each step, and the last one.
    pub states: StatePath,
}

impl ReplayedTrail {
    /// The number of steps, without choices of initial states.
    pub fn cost(&self) -> u64 {
        self.steps.iter().map(|step| step.cost()).sum()
    }

    /// The last state.
    pub fn end(&self) -> &[u8] {
        self.states.last().expect("there is the initial state")
    }
}

impl<'n> NetworkReplayer<'n> {
    /// A replayer for a network.
    pub fn new(network: &'n Network) -> NetworkReplayer<'n> {
        let (mut all, mut first) = (Vec::new(), Vec::new());
        for (number, process) in network.processes().iter().enumerate() {
            first.push(all.len());
            all.extend(process.transitions.iter().map(|&transition| (number, transition)));
        }
        first.push(all.len());
        NetworkReplayer { network, layout: NetworkLayout::new(network), all, first }
    }

    /// The network.
    pub fn network(&self) -> &'n Network {
        self.network
    }

    /// The state of a process; `None` if it has not started.
    pub fn local(&self, state: &[u8], process: usize) -> Option<u32> {
        let local = self.layout.local(state, process);
        Some(local).filter(|&local| local < self.network.processes()[process].states)
    }

    /// The first process that has not started.
    pub fn chooser(&self, state: &[u8]) -> Option<usize> {
        self.layout.chooser(state)
    }

    /// A transition by its number, with its process.
    pub fn transition(&self, number: usize) -> (usize, LocalTransition) {
        self.all[number]
    }

    /// The initial state.
    pub fn initial(&self) -> Vec<u8> {
        let mut state = Vec::new();
        self.layout.initial(self.network, &mut state);
        state
    }

    /// Whether every process is in an error state.
    pub fn is_error(&self, state: &[u8]) -> bool {
        let mut processes = self.network.processes().iter().enumerate();
        processes.all(|(at, process)| {
            let local = self.layout.local(state, at) as usize;
            process.error.get(local).is_some_and(|&error| error)
        })
    }

    /// The transitions of a process from its current state.
    fn possible<'a>(
        &'a self,
        state: &'a [u8],
        process: usize,
    ) -> impl Iterator<Item = (usize, LocalTransition)> + 'a {
        let local = self.layout.local(state, process);
        let own = self.first[process]..self.first[process + 1];
        let numbered = own.map(|number| (number, self.all[number].1));
        numbered.filter(move |(_, transition)| transition.from == local)
    }

    /// The enabled steps of a state, in order.
    pub fn enabled(&self, state: &[u8]) -> Vec<NetworkStep> {
        if let Some(chooser) = self.layout.chooser(state) {
            let choices = 0..self.network.processes()[chooser].initial.len();
            return choices.map(NetworkStep::Begins).collect();
        }
        let mut steps = Vec::new();
        for process in 0..self.network.processes().len() {
            for (number, transition) in self.possible(state, process) {
                let Some(action) = transition.action else {
                    steps.push(NetworkStep::Alone(number));
                    continue;
                };
                let [first, second] = self.network.actions()[action.0 as usize].processes;
                if first == process {
                    let answers = self.possible(state, second);
                    let answers = answers.filter(|(_, answer)| answer.action == Some(action));
                    steps.extend(answers.map(|(answer, _)| NetworkStep::Together(number, answer)));
                }
            }
        }
        steps
    }

    /// The state after a step that is enabled.
    pub fn apply(&self, state: &[u8], step: NetworkStep) -> Vec<u8> {
        let mut next = state.to_vec();
        let mut go = |number: usize| {
            let (process, transition) = self.all[number];
            self.layout.set(&mut next, process, transition.to);
        };
        match step {
            NetworkStep::Alone(one) => go(one),
            NetworkStep::Together(one, two) => {
                go(one);
                go(two);
            }
            NetworkStep::Begins(at) => {
                let chooser = self.layout.chooser(state).expect("the step is enabled");
                let local = self.network.processes()[chooser].initial[at];
                self.layout.set(&mut next, chooser, local);
            }
        }
        next
    }

    /// The steps along these states; `None` if two consecutive ones are not connected.
    pub fn steps_along(&self, path: &StatePath) -> Option<Vec<NetworkStep>> {
        let step = |from: &[u8], to: &[u8]| {
            // Only steps of a process whose state changes are tried.
            let differs = |&process: &usize| {
                self.layout.local(from, process) != self.layout.local(to, process)
            };
            let moved = (0..self.layout.processes()).find(differs);
            self.enabled(from).into_iter().find(|&step| {
                let is_mover = |number: usize| Some(self.all[number].0) == moved;
                let may = match step {
                    NetworkStep::Begins(_) => true,
                    NetworkStep::Alone(one) => moved.is_none() || is_mover(one),
                    NetworkStep::Together(one, two) => {
                        moved.is_none() || is_mover(one) || is_mover(two)
                    }
                };
                may && self.apply(from, step) == to
            })
        };
        let (mut pairs, mut steps) = (path.pairs(), Vec::new());
        while let Some((from, to)) = pairs.advance() {
            steps.push(step(from, to)?);
        }
        Some(steps)
    }

    /// The lines of a step in a trail: the number of the transition is the edge, and initial states
    /// are numbered after all transitions.
    fn lines(&self, state: &[u8], step: NetworkStep) -> Vec<TrailLine> {
        let line = |pid: usize, number: usize| TrailLine { pid, edge: EdgeId(number as u32) };
        let moves = |number: usize| line(self.all[number].0, number);
        match step {
            NetworkStep::Begins(at) => {
                let chooser = self.layout.chooser(state).expect("the step is enabled");
                vec![line(chooser, self.all.len() + at)]
            }
            NetworkStep::Alone(one) => vec![moves(one)],
            NetworkStep::Together(one, two) => vec![moves(one), moves(two)],
        }
    }

    /// The trail of some steps from the initial state on.
    pub fn trail_of(&self, steps: &[NetworkStep]) -> Trail {
        let mut trail = Trail::default();
        let mut state = self.initial();
        for &step in steps {
            trail.lines.extend(self.lines(&state, step));
            state = self.apply(&state, step);
        }
        trail
    }

    /// Replays a trail: each step must be enabled.
    ///
    /// # Errors
    ///
    /// When a step is not enabled.
    pub fn replay(&self, trail: &Trail) -> Result<ReplayedTrail, TrailError> {
        let mut replayed =
            ReplayedTrail { steps: Vec::new(), states: [self.initial()].into_iter().collect() };
        let mut at = 0;
        while let Some(&line) = trail.lines.get(at) {
            let state = replayed.end();
            let is_meant = |step: &NetworkStep| {
                let lines = self.lines(state, *step);
                trail.lines[at..].starts_with(&lines)
            };
            let Some(step) = self.enabled(state).into_iter().find(is_meant) else {
                let mismatch = self.mismatch(state, line);
                return Err(TrailError::Impossible { step: at + 1, line, mismatch });
            };
            at += self.lines(state, step).len();
            let next = self.apply(state, step);
            replayed.steps.push(step);
            replayed.states.push(&next);
        }
        Ok(replayed)
    }

    /// Why a line of a trail is no step of a state.
    fn mismatch(&self, state: &[u8], line: TrailLine) -> StepMismatch {
        if line.pid >= self.network.processes().len() {
            return StepMismatch::Process;
        }
        let number = line.edge.0 as usize;
        match self.possible(state, line.pid).any(|(own, _)| own == number) {
            true => StepMismatch::Blocked,
            false => StepMismatch::Edge,
        }
    }
}
