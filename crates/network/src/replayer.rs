//! Replay of network trails: an implementation without tables that shares only the state layout
//! with [`Composition`](crate::Composition).

use beeline_kernel::{Cost, Fault, Property, Step, TransitionSystem, Violation};

use crate::layout::NetworkLayout;
use crate::network::{LocalTransition, Network, NetworkProcess};

/// A network as a transition system for replay.
#[derive(Clone, Debug)]
pub struct NetworkReplayer<'n> {
    network: &'n Network,
    layout: NetworkLayout,
    /// All transitions in order, with their processes.
    all: Vec<(usize, LocalTransition)>,
    /// Index of the first transition of each process.
    first: Vec<usize>,
}

/// The parts of a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum StepParts {
    /// A process chooses one of its initial states, by index.
    Begins(usize),
    /// A transition alone.
    Alone(usize),
    /// Two transitions together.
    Together(usize, usize),
}

impl StepParts {
    /// Marker of a choice of an initial state.
    const BEGINS: u64 = u32::MAX as u64;

    fn step(self) -> Step {
        let (high, low) = match self {
            StepParts::Begins(at) => (StepParts::BEGINS, at as u64),
            StepParts::Alone(one) => (one as u64, 0),
            StepParts::Together(one, two) => (one as u64, two as u64 + 1),
        };
        Step(high << 32 | low)
    }

    pub(crate) fn of(step: Step) -> StepParts {
        let (high, low) = (step.0 >> 32, step.0 as u32 as usize);
        match (high, low) {
            (StepParts::BEGINS, at) => StepParts::Begins(at),
            (one, 0) => StepParts::Alone(one as usize),
            (one, two) => StepParts::Together(one as usize, two - 1),
        }
    }
}

impl<'n> NetworkReplayer<'n> {
    /// A network for replay.
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

    pub(crate) fn layout(&self) -> &NetworkLayout {
        &self.layout
    }

    /// A transition by its number, with its process.
    pub(crate) fn transition(&self, number: usize) -> (usize, LocalTransition) {
        self.all[number]
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
}

impl TransitionSystem for NetworkReplayer<'_> {
    fn initial(&self, state: &mut Vec<u8>) {
        self.layout.initial(self.network, state);
    }

    fn enabled(&self, state: &[u8], steps: &mut Vec<Step>) {
        steps.clear();
        if let Some(chooser) = self.layout.chooser(state) {
            let choices = 0..self.network.processes()[chooser].initial.len();
            steps.extend(choices.map(|at| StepParts::Begins(at).step()));
            return;
        }
        for process in 0..self.network.processes().len() {
            for (number, transition) in self.possible(state, process) {
                let Some(action) = transition.action else {
                    steps.push(StepParts::Alone(number).step());
                    continue;
                };
                let [first, second] = self.network.actions()[action.0 as usize].processes;
                if first == process {
                    let answers = self.possible(state, second);
                    let answers = answers.filter(|(_, answer)| answer.action == Some(action));
                    steps.extend(
                        answers.map(|(answer, _)| StepParts::Together(number, answer).step()),
                    );
                }
            }
        }
    }

    fn apply(&self, state: &[u8], step: Step, next: &mut Vec<u8>) -> Result<(), Fault> {
        next.clear();
        next.extend_from_slice(state);
        let mut go = |number: usize| {
            let (process, transition) = self.all[number];
            self.layout.set(next, process, transition.to);
        };
        match StepParts::of(step) {
            StepParts::Alone(one) => go(one),
            StepParts::Together(one, two) => {
                go(one);
                go(two);
            }
            StepParts::Begins(at) => {
                let chooser = self.layout.chooser(state).expect("only who has not begun begins");
                let local = self.network.processes()[chooser].initial[at];
                self.layout.set(next, chooser, local);
            }
        }
        Ok(())
    }

    /// The choice of an initial state costs nothing.
    fn cost(&self, step: Step) -> Cost {
        match StepParts::of(step) {
            StepParts::Begins(_) => Cost::ZERO,
            StepParts::Alone(_) | StepParts::Together(..) => Cost::ONE,
        }
    }
}

/// The property that no error state is reachable.
#[derive(Clone, Debug)]
pub struct NoErrorState<'n> {
    network: &'n Network,
    layout: NetworkLayout,
}

impl<'n> NoErrorState<'n> {
    /// The property of a network.
    pub fn new(network: &'n Network) -> NoErrorState<'n> {
        NoErrorState { network, layout: NetworkLayout::new(network) }
    }
}

impl Property for NoErrorState<'_> {
    fn name(&self) -> &str {
        "error"
    }

    fn violated(&self, state: &[u8], _: &[Step]) -> Option<Violation> {
        let is_in_error = |(at, process): (usize, &NetworkProcess)| {
            let local = self.layout.local(state, at) as usize;
            process.error.get(local).is_some_and(|&error| error)
        };
        let all = self.network.processes().iter().enumerate().all(is_in_error);
        all.then_some(Violation::BadState)
    }
}
