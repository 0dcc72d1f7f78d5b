//! Trails of networks: from the states of a path to steps, and from steps to words.

use std::fmt;

use beeline_kernel::{Step, Trail, TransitionSystem};

use crate::replayer::{NetworkReplayer, StepParts};

/// The steps that lead along these states, or `None` where one does not follow the one before.
pub fn steps_along(system: &NetworkReplayer<'_>, path: &[Vec<u8>]) -> Option<Vec<Step>> {
    let (mut enabled, mut next) = (Vec::new(), Vec::new());
    let step = |pair: &[Vec<u8>]| {
        let (from, to) = (&pair[0], &pair[1]);
        system.enabled(from, &mut enabled);
        // Nothing is applied that does not move everyone who moves.
        let moved = (0..system.layout().processes()).find(|&process| {
            system.layout().local(from, process) != system.layout().local(to, process)
        });
        enabled.iter().copied().find(|&step| {
            let is_mover = |number| Some(system.transition(number).0) == moved;
            let may = match StepParts::of(step) {
                StepParts::Begins(_) => true,
                StepParts::Alone(one) => moved.is_none() || is_mover(one),
                StepParts::Together(one, two) => moved.is_none() || is_mover(one) || is_mover(two),
            };
            may && system.apply(from, step, &mut next).is_ok() && next == *to
        })
    };
    path.windows(2).map(step).collect()
}

/// A step in words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StepDescription {
    /// What is done: the name of an action, `tau`, or `init` for a process that begins.
    pub action: String,
    /// Who does it, one or two, with the states they leave and enter. Who begins leaves none.
    pub moves: Vec<(String, Option<u32>, u32)>,
}

impl fmt::Display for StepDescription {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.action)?;
        for (at, (process, from, to)) in self.moves.iter().enumerate() {
            f.write_str(if at == 0 { ": " } else { ", " })?;
            match from {
                Some(from) => write!(f, "{process} {from} → {to}")?,
                None => write!(f, "{process} → {to}")?,
            }
        }
        Ok(())
    }
}

/// The steps of a trail in words.
pub fn lines(system: &NetworkReplayer<'_>, trail: &Trail) -> Vec<StepDescription> {
    let network = system.network();
    let mut state = Vec::new();
    system.initial(&mut state);
    let mut next = Vec::new();
    let line = |step: Step| {
        let name = |process: usize| network.processes()[process].name.clone();
        let moved = |number: usize| {
            let (process, transition) = system.transition(number);
            (name(process), Some(transition.from), transition.to)
        };
        let line = match StepParts::of(step) {
            StepParts::Begins(at) => {
                let chooser = system.layout().chooser(&state).expect("someone begins");
                let local = network.processes()[chooser].initial[at];
                StepDescription {
                    action: "init".to_owned(),
                    moves: vec![(name(chooser), None, local)],
                }
            }
            StepParts::Alone(one) => {
                StepDescription { action: "tau".to_owned(), moves: vec![moved(one)] }
            }
            StepParts::Together(one, two) => {
                let action = network.action_name(system.transition(one).1.action).to_owned();
                StepDescription { action, moves: vec![moved(one), moved(two)] }
            }
        };
        // No step of a network fails.
        let _ = system.apply(&state, step, &mut next);
        std::mem::swap(&mut state, &mut next);
        line
    };
    trail.steps().map(line).collect()
}
