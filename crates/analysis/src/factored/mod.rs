//! The factored view of a machine ([`beeline_factored`]): processes, variables and channels as
//! factors, edges as steps over them.
//!
//! It allows all that the machine allows, and more where it does not look: who has exclusive
//! control, priorities, whether `timeout` is true, what an escape shuts out. A process whose
//! number cannot be known beforehand is part of a crowd (`instances.rs`).

mod action_sequences;
mod build;
mod builder;
mod channels;
mod creation;
mod expressions;
mod goals;
mod instances;
mod read;
mod spans;
mod starts;
mod static_creation;
mod steps;
mod view;

use beeline_engine::interpreter::Machine;

pub use view::{FactoredGoal, FactoredView, FactoringError};

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
        builder::Builder::new(machine)?.finish(sought)
    }

    /// As text.
    pub fn dump(&self) -> String {
        beeline_factored::dump(&self.system, &self.ranges)
    }
}
