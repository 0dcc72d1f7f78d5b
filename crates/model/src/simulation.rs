//! One run of a model, step by step: at random, or as a user chooses.

use std::fmt;

use beeline_kernel::FaultKind;

use crate::property::Property;
use crate::story::{StoryEnd, StoryStep};
use crate::unsupported::Unsupported;
use crate::violation::ErrorKind;
use beeline_kernel::Trail;

/// Why a run ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SimulationEnd {
    /// All processes have ended.
    AllEnded,
    /// No process can move, and all are at valid ends.
    ValidEnd,
    /// The run has an error.
    Error(ErrorKind),
}

impl fmt::Display for SimulationEnd {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SimulationEnd::AllEnded => f.write_str("all processes ended"),
            SimulationEnd::ValidEnd => f.write_str("valid end state"),
            SimulationEnd::Error(error) => error.fmt(f),
        }
    }
}

/// Why a simulation cannot start.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SimulationError {
    /// The model fails before its first step.
    InitialFault(FaultKind),
    /// The language has no simulation.
    Unsupported(Unsupported),
}

/// A run of a model.
pub trait Simulation {
    /// Keeps every state from now on, for [`back`](Simulation::back).
    fn remember(&mut self);

    /// The steps that are possible next.
    fn choices(&self) -> Vec<StoryStep>;

    /// Takes one of the [`choices`](Simulation::choices); `None` when there is no such choice.
    fn take(&mut self, choice: usize) -> Option<StoryStep>;

    /// Takes a random step; `None` at the end.
    fn take_any(&mut self) -> Option<StoryStep>;

    /// For each step of the run, its number among the [`choices`](Simulation::choices) before it.
    fn taken(&self) -> &[usize];

    /// Whether an invariant of the model holds in the present state; `None` when the property is no
    /// such condition, or has no value here.
    fn holds(&self, _invariant: &Property) -> Option<bool> {
        None
    }

    /// Undoes the last step; `false` at the beginning.
    fn back(&mut self) -> bool;

    /// The run so far, as a trail.
    fn trail(&self) -> Trail;

    /// Why the run ends here, if it does.
    fn ending(&self) -> Option<SimulationEnd>;

    /// The present state.
    fn state(&self) -> StoryEnd;
}
