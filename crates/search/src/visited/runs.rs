//! Several runs of one search with different hash functions, whose omissions are independent.
//!
//! Source: [EMJ05], State Compaction and Incremental Hashing, section 2 (sequential bitstate
//! hashing).

use beeline_kernel::SplitMix64;

use super::Omissions;

/// Number and seeds of the runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Restarts {
    /// Determines the seeds of all runs but the first, which uses the set as it is given.
    pub seed: u64,
    /// At least one, even if 0 is given.
    pub runs: u32,
}

/// A visited set, and the number of runs with it.
#[derive(Clone, Debug)]
pub struct RepeatedSet<V> {
    /// The set, which should be empty.
    pub visited: V,
    /// The runs.
    pub restarts: Restarts,
}

/// The remaining runs, and the omissions of earlier ones.
#[derive(Clone, Debug)]
pub(crate) struct RestartSchedule {
    seeds: SplitMix64,
    /// Runs after the current one.
    left: u32,
    /// Omissions common to all earlier runs.
    overlooked: Option<Omissions>,
}

impl RestartSchedule {
    /// The first run.
    pub(crate) fn new(restarts: Restarts) -> RestartSchedule {
        let left = restarts.runs.saturating_sub(1);
        RestartSchedule { seeds: SplitMix64::new(restarts.seed), left, overlooked: None }
    }

    /// Ends a run with these omissions. Returns the seed of the next one, if there is one.
    pub(crate) fn next(&mut self, overlooked: Omissions) -> Option<u64> {
        if self.left == 0 {
            return None;
        }
        self.left -= 1;
        self.overlooked = Some(self.omissions(overlooked));
        Some(self.seed())
    }

    /// Another seed.
    pub(crate) fn seed(&mut self) -> u64 {
        self.seeds.next_u64()
    }

    /// Omissions common to all runs; `now` are those of the current one.
    pub(crate) fn omissions(&self, now: Omissions) -> Omissions {
        self.overlooked.map_or(now, |before| before.both(now))
    }
}
