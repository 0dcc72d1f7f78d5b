//! Why a trail is not evidence.

use std::error::Error;
use std::fmt;

use crate::{Fault, Step};

/// What is wrong with a trail. `depth` counts the steps executed before.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ReplayError {
    /// The next step cannot be executed where the trail wants it to be.
    NotEnabled {
        /// Steps before it.
        depth: usize,
        /// The step.
        step: Step,
        /// How many other steps could be executed there.
        alternatives: usize,
    },
    /// A step failed in a way that ends the execution, and either more steps
    /// follow or the property does not mind.
    Faulted {
        /// Steps before it.
        depth: usize,
        /// The failure.
        fault: Fault,
    },
    /// The cycle leads somewhere else than back to its beginning.
    OpenCycle {
        /// Steps before the cycle.
        start: usize,
        /// Steps after it.
        end: usize,
    },
    /// Every step could be executed, but the property is not violated.
    NotViolated {
        /// The length of the trail.
        depth: usize,
    },
}

impl fmt::Display for ReplayError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ReplayError::NotEnabled { depth, step, alternatives } => {
                let step = step.0;
                write!(f, "step {step:#x} is not enabled after {depth} steps")?;
                write!(f, "; enabled there: {alternatives}")
            }
            ReplayError::Faulted { depth, fault } => {
                write!(f, "execution ends after {depth} steps: {}", fault.kind)
            }
            ReplayError::OpenCycle { start, end } => {
                write!(f, "no cycle: the states after {start} and {end} steps differ")
            }
            ReplayError::NotViolated { depth } => {
                write!(f, "the property is not violated after all {depth} steps")
            }
        }
    }
}

impl Error for ReplayError {}
