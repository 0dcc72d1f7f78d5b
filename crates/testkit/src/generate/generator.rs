//! A program under construction: what is declared, what is in scope, and what is left of its budget.

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
    /// What is in scope: globals, then locals.
    pub(super) vars: Vec<Var>,
    /// What is left of the size of a state.
    pub(super) bits_left: u32,
    /// How many processes there will be.
    pub(super) process_count: u32,
    pub(super) inlines: Vec<Inline>,
    pub(super) runnables: Vec<Runnable>,
    pub(super) watched: Vec<Watched>,
    /// What each process does with the channels of each signature.
    pub(super) all_roles: Vec<Vec<Role>>,
    /// The same for the process at hand.
    pub(super) roles: Vec<Role>,
    /// Targets of jumps in the process at hand.
    pub(super) labels: Vec<Target>,
    /// Labels with a meaning in the process at hand.
    pub(super) labels_of_process: u32,
    /// Loop counters around the statement at hand.
    pub(super) counters_in_use: u32,
    /// Loop counters the process at hand has to declare.
    pub(super) counters_declared: u32,
    /// Whether the process at hand may start others.
    pub(super) spawning: bool,
    /// How many processes it may start.
    pub(super) spawn_budget: u32,
    /// The first letter of local variables. Another one within an inline, since its variables
    /// become those of its caller.
    pub(super) local_prefix: &'static str,
    /// Expressions may not depend on the process that evaluates them.
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

    /// Whether to use a feature now, its weight taken as a percentage.
    pub(super) fn chosen(&mut self, feature: Feature) -> bool {
        let weight = self.weight(feature);
        self.rng.percent(weight)
    }
}
