//! The factored view of a machine ([`beeline_factored`]): processes, variables and channels as
//! factors, edges as steps over them.
//!
//! It allows all that the machine allows, and more where it does not look: who has exclusive
//! control, priorities, whether `timeout` is true, what an escape shuts out. A process whose
//! number cannot be known beforehand is part of a crowd (`instances.rs`).

mod action_sequences;
mod build;
mod channels;
mod creation;
mod expressions;
mod goals;
mod instances;
mod read;
mod spans;
mod static_creation;
mod steps;

use std::error::Error;
use std::fmt;
use std::sync::Arc;

use beeline_factored::{FactorReader, Ranges, System};
use beeline_promela::hir::Expr;

use beeline_engine::interpreter::Machine;

/// What is looked for.
#[derive(Clone, Debug)]
pub enum FactoredGoal {
    /// Nothing: the system has no goals.
    Nothing,
    /// A state where nobody can move, although somebody should.
    Deadlock,
    /// A step that fails.
    Faults,
    /// A state where this is false, or has no value.
    Violation(Expr),
    /// What the machine's claim says must not happen.
    Claim,
    /// This very state.
    State(Vec<u8>),
}

/// The view: the system, the values that its factors can have, and how states are read.
#[derive(Clone)]
pub struct FactoredView {
    /// The system.
    pub system: Arc<System>,
    /// What values factors have in reachable states.
    pub ranges: Ranges,
    /// How states of the machine are read as values of factors.
    pub reading: Arc<dyn FactorReader>,
}

/// Why there is no factored view of a model.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FactoringError {
    /// It has no initial state.
    NoStart,
    /// It would have too many factors.
    TooManyFactors,
    /// It would have too many steps.
    TooManySteps,
    /// Processes that are there from the start, with channels of their own, end, and others of
    /// their type are started later.
    ChannelsComeAgain,
}

impl fmt::Display for FactoringError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            FactoringError::NoStart => "the model has no initial state",
            FactoringError::TooManyFactors => {
                "the model has too many variables, channels and processes"
            }
            FactoringError::TooManySteps => {
                "the model has too many combinations of processes and channels"
            }
            FactoringError::ChannelsComeAgain => {
                "its first processes end and are started again, with channels of their own"
            }
        })
    }
}

impl Error for FactoringError {}

impl FactoredView {
    /// The view of a machine.
    ///
    /// # Errors
    ///
    /// When it would be too large.
    pub fn of(
        machine: &Machine<'_>,
        sought: &FactoredGoal,
    ) -> Result<FactoredView, FactoringError> {
        build::Builder::new(machine)?.finish(sought)
    }

    /// As text.
    pub fn dump(&self) -> String {
        beeline_factored::dump(&self.system, &self.ranges)
    }
}
