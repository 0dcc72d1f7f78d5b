//! Descriptions of the steps and states of a network, with positions in its text.

use beeline_model::{
    ErrorKind, ProcessPosition, ProcessState, ProcessStep, StateValue, Story, StoryEnd, StoryStep,
    ValueChange, WholeState,
};
use beeline_source::source::{FileId, Span};

use crate::network::Network;
use crate::replayer::{NetworkReplayer, NetworkStep, ReplayedTrail};

/// A network, with the positions of its parts in its text.
#[derive(Debug)]
pub(crate) struct NetworkNarrator {
    network: Network,
    places: Places,
}

/// The positions of transitions and processes in the text.
#[derive(Debug)]
struct Places {
    /// By number of the transition.
    transitions: Vec<Span>,
    /// By process: its first line.
    processes: Vec<Span>,
}

impl NetworkNarrator {
    /// A network that was read from this text.
    pub(crate) fn new(file: FileId, text: &str, network: Network) -> NetworkNarrator {
        NetworkNarrator { network, places: Places::new(file, text) }
    }

    /// The network.
    pub(crate) fn network(&self) -> &Network {
        &self.network
    }

    fn process_name(&self, process: usize) -> String {
        self.network.processes()[process].name.clone()
    }

    /// The part of a process in a transition: `action: from → to`.
    fn process_step(&self, replayer: &NetworkReplayer<'_>, number: usize) -> ProcessStep {
        let (pid, transition) = replayer.transition(number);
        let action = self.network.action_name(transition.action);
        let statement = format!("{action}: {} → {}", transition.from, transition.to);
        let span = self.places.transitions[number];
        ProcessStep { pid, process: self.process_name(pid), span, statement }
    }

    pub(crate) fn story_step(
        &self,
        replayer: &NetworkReplayer<'_>,
        state: &[u8],
        next: &[u8],
        step: NetworkStep,
    ) -> StoryStep {
        let (turn, partner) = match step {
            NetworkStep::Begins(at) => {
                let pid = replayer.chooser(state).expect("the step is enabled");
                let local = self.network.processes()[pid].initial[at];
                let (span, statement) = (self.places.processes[pid], format!("init: {local}"));
                (ProcessStep { pid, process: self.process_name(pid), span, statement }, None)
            }
            NetworkStep::Alone(one) => (self.process_step(replayer, one), None),
            NetworkStep::Together(one, two) => {
                (self.process_step(replayer, one), Some(self.process_step(replayer, two)))
            }
        };
        let changes = self.changes(replayer, state, next);
        StoryStep {
            turn,
            partner,
            changes,
            printed: String::new(),
            time: None,
            fault: None,
            overflow: None,
        }
    }

    fn changes(
        &self,
        replayer: &NetworkReplayer<'_>,
        state: &[u8],
        next: &[u8],
    ) -> Vec<ValueChange> {
        let change = |process: usize| {
            let (before, after) = (replayer.local(state, process), replayer.local(next, process));
            let after = after.filter(|_| before != after)?;
            Some(ValueChange {
                name: self.process_name(process),
                before: before.map(|local| local.to_string()),
                after: after.to_string(),
                is_channel: false,
            })
        };
        (0..self.network.processes().len()).filter_map(change).collect()
    }

    /// The position of a process, and its next steps.
    pub(crate) fn position(
        &self,
        replayer: &NetworkReplayer<'_>,
        state: &[u8],
        pid: usize,
    ) -> ProcessPosition {
        let local = replayer.local(state, pid);
        let own = (0..self.places.transitions.len()).filter(|&number| {
            let (process, transition) = replayer.transition(number);
            process == pid && Some(transition.from) == local
        });
        let steps: Vec<ProcessStep> =
            own.map(|number| self.process_step(replayer, number)).collect();
        let is_error = |local: u32| self.network.processes()[pid].error[local as usize];
        ProcessPosition {
            pid,
            process: self.process_name(pid),
            span: steps.first().map(|step| step.span),
            obstacles: vec![None; steps.len()],
            statements: steps.into_iter().map(|step| step.statement).collect(),
            at_end: local.is_some_and(is_error),
        }
    }

    pub(crate) fn positions(
        &self,
        replayer: &NetworkReplayer<'_>,
        state: &[u8],
    ) -> Vec<ProcessPosition> {
        let processes = 0..self.network.processes().len();
        processes.map(|pid| self.position(replayer, state, pid)).collect()
    }

    /// The state of each process by its name.
    pub(crate) fn values(
        &self,
        replayer: &NetworkReplayer<'_>,
        state: &[u8],
    ) -> Vec<(String, String)> {
        let value = |process: usize| {
            let local = replayer.local(state, process);
            let local = local.map_or_else(|| "not begun".to_owned(), |local| local.to_string());
            (self.process_name(process), local)
        };
        (0..self.network.processes().len()).map(value).collect()
    }

    pub(crate) fn whole_state(&self, replayer: &NetworkReplayer<'_>, state: &[u8]) -> WholeState {
        let process = |pid: usize| ProcessState {
            pid,
            process: self.process_name(pid),
            location: replayer.local(state, pid).unwrap_or(u32::MAX),
            span: self.position(replayer, state, pid).span,
            locals: Vec::new(),
        };
        let value = |pid: usize| {
            let local = replayer.local(state, pid).map_or(-1, |local| local as i32);
            (self.process_name(pid), StateValue::Number(local))
        };
        let processes = 0..self.network.processes().len();
        WholeState {
            globals: processes.clone().map(value).collect(),
            processes: processes.map(process).collect(),
            channels: Vec::new(),
        }
    }

    pub(crate) fn tell(&self, replayer: &NetworkReplayer<'_>, replayed: &ReplayedTrail) -> Story {
        let mut steps = Vec::with_capacity(replayed.steps.len());
        let mut pairs = replayed.states.pairs();
        while let Some((from, to)) = pairs.advance() {
            steps.push(self.story_step(replayer, from, to, replayed.steps[steps.len()]));
        }
        Story::new(steps, self.story_end(replayer, replayed.end()))
    }

    pub(crate) fn story_end(&self, replayer: &NetworkReplayer<'_>, state: &[u8]) -> StoryEnd {
        let is_error = replayer.is_error(state);
        StoryEnd {
            error: is_error.then_some(ErrorKind::ErrorState),
            detail: is_error.then(|| "all processes are in error states".to_owned()),
            causes: Vec::new(),
            stuck: false,
            processes: self.positions(replayer, state),
            values: self.values(replayer, state),
        }
    }
}

impl Places {
    /// The positions of lines by their keywords. Transitions are numbered in the order of the text.
    fn new(file: FileId, text: &str) -> Places {
        let mut places = Places { transitions: Vec::new(), processes: Vec::new() };
        let mut start = 0;
        for line in text.split_inclusive('\n') {
            let code = line.split('#').next().unwrap_or_default();
            let begin = start + (code.len() - code.trim_start().len());
            let span = Span::new(file, begin as u32, (start + code.trim_end().len()) as u32);
            match code.split_whitespace().next() {
                Some("process") => places.processes.push(span),
                Some("trans") => places.transitions.push(span),
                _ => {}
            }
            start += line.len();
        }
        places
    }
}
