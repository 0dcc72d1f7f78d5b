//! Random programs, for comparisons with SPIN and between our own components.
//!
//! [`program`] makes a syntax tree from a seed and a [`Config`]; the printer of `beeline_promela`
//! turns it into text. A program is well formed: names are declared before use and never shadow,
//! messages fit their channels, labels are where SPIN allows them, no statement blocks inside
//! `d_step`. Its state space is finite and small: variables stay within bounds, loops inside
//! indivisible sequences terminate, and processes start a bounded number of others.
//!
//! [`features`] lists the features that a program uses, so that a campaign can report its coverage.

mod build;
mod census;
mod channel;
mod claim;
mod config;
mod control;
mod decl;
mod expr;
mod feature;
mod generator;
mod inline;
mod label;
mod local_constants;
mod loops;
mod parts;
mod paths;
mod process;
mod scope;

mod shape;
mod spawn;
mod stmt;
mod syntax;
#[cfg(test)]
mod tests;

use beeline_promela::ast::Program;

pub use census::features;
pub use config::{Config, Form};
pub use feature::Feature;

use generator::Generator;

/// The program of a seed: always the same for the same configuration.
pub fn program(seed: u64, config: &Config) -> Program {
    match config.form {
        Form::Runnable => runnable(Generator::new(seed, config)),
        Form::AnySyntax => syntax::program(seed, config),
    }
}

/// A well-formed program.
fn runnable(mut generator: Generator<'_>) -> Program {
    let mut units = Vec::new();
    generator.globals(&mut units);
    generator.inline_definitions(&mut units);
    generator.processes(&mut units);
    generator.claims(&mut units);
    Program { units: units.into_iter().map(build::node).collect() }
}
