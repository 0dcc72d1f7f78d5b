//! A program under construction: its declarations, its scope, and the rest of its budget.

use super::config::Config;
use super::feature::Feature;
use super::parts::{Inline, Role, Runnable, Target, Watched};
use super::scope::{MtypeSet, Record, Signature, Var};
use crate::rng::Rng;

/// A program under construction.
pub(super) struct Generator<'c> {
    pub(super) rng: Rng,
    pub(super) config: &'c Config,
    pub(super) mtypes: Vec<MtypeSet>,
    pub(super) records: Vec<Record>,
    pub(super) signatures: Vec<Signature>,
    /// The variables in scope: globals, then locals.
    pub(super) vars: Vec<Var>,
    /// The rest of the size of a state.
    pub(super) bits_left: u32,
    /// The number of processes.
    pub(super) process_count: u32,
    pub(super) inlines: Vec<Inline>,
    pub(super) runnables: Vec<Runnable>,
    pub(super) watched: Vec<Watched>,
    /// The roles of each process for the channels of each signature.
    pub(super) all_roles: Vec<Vec<Role>>,
    /// The roles of the current process.
    pub(super) roles: Vec<Role>,
    /// Targets of jumps in the current process.
    pub(super) labels: Vec<Target>,
    /// Labels with a meaning in the current process.
    pub(super) labels_of_process: u32,
    /// Loop counters around the current statement.
    pub(super) counters_in_use: u32,
    /// Loop counters that the current process has to declare.
    pub(super) counters_declared: u32,
    /// Whether the current process may start others.
    pub(super) spawning: bool,
    /// The number of processes that it may start.
    pub(super) spawn_budget: u32,
    /// The first letter of local variables. Another one inside an inline, since its variables
    /// become those of its caller.
    pub(super) local_prefix: &'static str,
    /// Whether expressions may not depend on the process that evaluates them.
    pub(super) pure_globals: bool,
}

impl<'c> Generator<'c> {
    pub(super) fn new(seed: u64, config: &'c Config) -> Self {
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

    pub(super) fn weight(&self, feature: Feature) -> u32 {
        self.config.weight(feature)
    }

    /// Whether to use a feature now, with its weight as a percentage.
    pub(super) fn chosen(&mut self, feature: Feature) -> bool {
        let weight = self.weight(feature);
        self.rng.percent(weight)
    }
}
