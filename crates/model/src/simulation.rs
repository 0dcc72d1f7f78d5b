//! One run of a model, step by step: at random, or as a user chooses.

use std::fmt;

use beeline_kernel::FaultKind;

use crate::story::{StoryEnd, StoryStep};
use crate::unsupported::Unsupported;
use crate::violation::ErrorKind;
use beeline_kernel::Trail;

/// Why a run cannot go on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SimulationEnd {
    /// There is no process left.
    AllEnded,
    /// No process can move, and all are at valid ends.
    ValidEnd,
    /// It met an error.
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

/// Why there is no run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SimulationError {
    /// The model fails before its first step.
    InitialFault(FaultKind),
    /// The language has no simulation.
    Unsupported(Unsupported),
}

/// A run of a model.
pub trait Simulation {
    /// Keeps every state from now on, so that one can go [`back`](Simulation::back).
    fn remember(&mut self);

    /// Everything that can happen next.
    fn choices(&self) -> Vec<StoryStep>;

    /// Takes one of the [`choices`](Simulation::choices); `None` when there is no such choice.
    fn take(&mut self, choice: usize) -> Option<StoryStep>;

    /// Takes a random step; `None` at the end.
    fn take_any(&mut self) -> Option<StoryStep>;

    /// Takes the last step back; `false` at the beginning.
    fn back(&mut self) -> bool;

    /// The run so far, as a trail.
    fn trail(&self) -> Trail;

    /// Why the run cannot go on, if it cannot.
    fn ending(&self) -> Option<SimulationEnd>;

    /// The present state.
    fn state(&self) -> StoryEnd;
}
