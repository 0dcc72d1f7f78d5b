//! Random programs, for comparing ourselves with SPIN and with ourselves.
//!
//! [`program`] makes a syntax tree from a seed and a [`Config`]; the printer of
//! `beeline_promela` makes text of it. A program is well formed: names are
//! declared before use and never shadow, messages fit their channels, labels
//! stand where SPIN allows them, nothing blocks inside `d_step`. Its state space
//! is finite and small: variables keep to bounds, loops inside indivisible
//! sequences end, and processes start a bounded number of others.
//!
//! [`features`] tells which features a program uses, so that a campaign can
//! say what it covered.

mod build;
mod census;
mod channel;
mod claim;
mod config;
mod control;
mod decl;
mod expr;
mod feature;
mod inline;
mod label;
mod loops;
mod process;
mod scope;
mod settled;
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

use crate::rng::Rng;

/// The program of a seed: always the same for the same configuration.
pub fn program(seed: u64, config: &Config) -> Program {
    match config.form {
        Form::Runnable => Generator::new(seed, config).program(),
        Form::AnySyntax => syntax::program(seed, config),
    }
}

/// A program under construction.
struct Generator<'c> {
    rng: Rng,
    config: &'c Config,
    mtypes: Vec<scope::MtypeSet>,
    records: Vec<scope::Record>,
    signatures: Vec<scope::Signature>,
    /// What is in scope: globals, then locals.
    vars: Vec<scope::Var>,
    /// What is left of the size of a state.
    bits_left: u32,
    /// How many processes there will be.
    process_count: u32,
    inlines: Vec<inline::Inline>,
    runnables: Vec<spawn::Runnable>,
    watched: Vec<process::Watched>,
    /// What each process does with the channels of each signature.
    all_roles: Vec<Vec<channel::Role>>,
    /// The same for the process at hand.
    roles: Vec<channel::Role>,
    /// Targets of jumps in the process at hand.
    labels: Vec<label::Target>,
    /// Labels with a meaning in the process at hand.
    labels_of_process: u32,
    /// Loop counters around the statement at hand.
    counters_in_use: u32,
    /// Loop counters the process at hand has to declare.
    counters_declared: u32,
    /// The process at hand may start others,
    spawning: bool,
    /// and so many.
    spawn_budget: u32,
    /// What the names of local variables begin with: within an inline another
    /// letter, since it lands among the variables of its caller.
    local_prefix: &'static str,
    /// Expressions may not depend on the process that evaluates them.
    pure_globals: bool,
}

impl<'c> Generator<'c> {
    fn new(seed: u64, config: &'c Config) -> Self {
        Generator {
            rng: Rng::new(seed),
            config,
            mtypes: Vec::new(),
            records: Vec::new(),
            signatures: Vec::new(),
            vars: Vec::new(),
            bits_left: config.bits,
            process_count: 0,
            inlines: Vec::new(),
            runnables: Vec::new(),
            watched: Vec::new(),
            all_roles: Vec::new(),
            roles: Vec::new(),
            labels: Vec::new(),
            labels_of_process: 0,
            counters_in_use: 0,
            counters_declared: 0,
            spawning: false,
            spawn_budget: 0,
            local_prefix: "l",
            pure_globals: false,
        }
    }

    fn program(mut self) -> Program {
        let mut units = Vec::new();
        self.globals(&mut units);
        self.inline_definitions(&mut units);
        self.processes(&mut units);
        self.claims(&mut units);
        Program { units: units.into_iter().map(build::node).collect() }
    }

    fn weight(&self, feature: Feature) -> u32 {
        self.config.weight(feature)
    }

    /// Whether to use a feature now, its weight taken as a percentage.
    fn chosen(&mut self, feature: Feature) -> bool {
        let weight = self.weight(feature);
        self.rng.percent(weight)
    }
}
