//! Options of the automatic strategy.

use beeline_model::HeuristicScope;

/// What a user decides about the automatic strategy.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AutoOptions {
    /// Of what is random.
    pub seed: u64,
    /// Threads. With one, everything takes turns, in the same order in every run.
    pub jobs: usize,
    /// Whether trails are shortened.
    pub shorten: bool,
}

impl Default for AutoOptions {
    fn default() -> AutoOptions {
        AutoOptions { seed: 1, jobs: 1, shorten: true }
    }
}

/// What the automatic strategy does: arguments of `auto`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AutoConfig {
    /// What heuristics look at.
    pub scope: HeuristicScope,
    /// When they begin.
    pub greedy_start: GreedyStart,
}

impl AutoConfig {
    /// What it does without arguments.
    pub const DEFAULT: AutoConfig =
        AutoConfig { scope: HeuristicScope::Whole, greedy_start: GreedyStart::Early };
}

/// When the directed searches of the automatic strategy begin.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GreedyStart {
    /// As soon as breadth-first search has not settled a very small model.
    Early,
    /// When breadth-first search has had its time.
    Late,
}
