//! Trails of networks: steps along a path of states, and descriptions of steps.

use std::fmt;

use beeline_kernel::{Step, Trail, TransitionSystem};

use crate::replayer::{NetworkReplayer, StepParts};

/// The steps along a path of states; `None` if two states are not adjacent.
pub fn steps_along(system: &NetworkReplayer<'_>, path: &[Vec<u8>]) -> Option<Vec<Step>> {
    let (mut enabled, mut next) = (Vec::new(), Vec::new());
    let step = |pair: &[Vec<u8>]| {
        let (from, to) = (&pair[0], &pair[1]);
        system.enabled(from, &mut enabled);
        // Only steps that involve a process whose state changes are candidates.
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

/// The description of a step.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StepDescription {
    /// The action: its name, `tau`, or `init` for the choice of an initial state.
    pub action: String,
    /// One or two processes with source and target state; an initial choice has no source.
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

/// Describes the steps of a trail.
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
        // Steps of a network never fail.
        let _ = system.apply(&state, step, &mut next);
        std::mem::swap(&mut state, &mut next);
        line
    };
    trail.steps().map(line).collect()
}
