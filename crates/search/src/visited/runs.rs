//! Several runs of one search, each with other hashes: what one run overlooks, the next one
//! overlooks for other reasons.
//!
//! Source: [EMJ05], State Compaction and Incremental Hashing, section 2 (sequential bitstate
//! hashing).

use beeline_kernel::SplitMix64;

use super::Omissions;

/// How often to search, each time with other hash functions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Restarts {
    /// The seed of the hash functions of all runs but the first, which uses those of the set.
    pub seed: u64,
    /// At least one, even if 0 is given.
    pub runs: u32,
}

/// A visited set, and how often to search with it.
#[derive(Clone, Debug)]
pub struct RepeatedSet<V> {
    /// The set, which should be empty.
    pub visited: V,
    /// The runs.
    pub restarts: Restarts,
}

/// Runs under way.
#[derive(Clone, Debug)]
pub(crate) struct RestartSchedule {
    seeds: SplitMix64,
    /// Runs to come after this one.
    left: u32,
    /// What all runs before have overlooked.
    overlooked: Option<Omissions>,
}

impl RestartSchedule {
    /// The first one.
    pub(crate) fn new(again: Restarts) -> RestartSchedule {
        let left = again.runs.saturating_sub(1);
        RestartSchedule { seeds: SplitMix64::new(again.seed), left, overlooked: None }
    }

    /// Ends a run that has overlooked this. If there is another one: its seed.
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

    /// What all of them have overlooked, if the last one has overlooked this.
    pub(crate) fn omissions(&self, now: Omissions) -> Omissions {
        self.overlooked.map_or(now, |before| before.both(now))
    }
}
