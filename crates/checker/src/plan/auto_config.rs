//! Options of the automatic strategy.

use beeline_model::HeuristicScope;

/// Options of the automatic strategy besides the arguments of `auto`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AutoOptions {
    /// Seed of random searches and of hash functions.
    pub seed: u64,
    /// Threads. With one, the searches take turns, in the same order in every run.
    pub jobs: usize,
    /// Whether trails are shortened.
    pub shorten: bool,
    /// Work of the proof in one thread before several threads take it over, which begin again: a
    /// hundred million take about a second.
    pub large: u64,
}

impl Default for AutoOptions {
    fn default() -> AutoOptions {
        AutoOptions { seed: 1, jobs: 1, shorten: true, large: 100_000_000 }
    }
}

/// The arguments of `auto`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AutoConfig {
    /// The part of the system that heuristics consider.
    pub scope: HeuristicScope,
    /// The start of the greedy searches.
    pub greedy_start: GreedyStart,
    /// Whether a proof on sets of states runs beside the others.
    pub sets: bool,
}

impl AutoConfig {
    /// The configuration without arguments.
    pub const DEFAULT: AutoConfig =
        AutoConfig { scope: HeuristicScope::Whole, greedy_start: GreedyStart::Early, sets: true };
}

/// When the greedy searches of the automatic strategy start.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GreedyStart {
    /// During the first phase, after a head start of breadth-first search.
    Early,
    /// After the first phase, which is breadth-first search alone.
    Late,
}
