//! Backoff: when to stop using a reducer that prunes too little.

/// When to use the reducer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Backoff {
    /// For every state.
    #[default]
    Always,
    /// As long as it pays: after a trial of some states, only if enough transitions were pruned.
    /// Full expansions are always sound, so the reduction may end at any time.
    WhenItPays,
    /// The same after a tenth of the states, where a state takes long.
    WhenItPaysSoon,
}

/// States of the trial: those that have at least two transitions.
const TRIAL: u64 = 10_000;
/// Those of a short trial.
const SHORT_TRIAL: u64 = 1_000;
/// It pays if at least one in this many transitions was pruned.
const SHARE: u64 = 20;

/// The results of the trial so far.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct BackoffTrial {
    states: u64,
    ways: u64,
    cut: u64,
}

impl BackoffTrial {
    /// Counts a state with `ways` transitions, of which `cut` were pruned.
    #[inline]
    pub(super) fn note(&mut self, ways: usize, cut: usize) {
        self.states += 1;
        self.ways += ways as u64;
        self.cut += cut as u64;
    }

    /// Whether the trial has just ended without success.
    #[inline]
    pub(super) fn has_failed(&self, backoff: Backoff) -> bool {
        let states = match backoff {
            Backoff::Always => return false,
            Backoff::WhenItPays => TRIAL,
            Backoff::WhenItPaysSoon => SHORT_TRIAL,
        };
        self.states == states && self.cut * SHARE < self.ways
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_trial_fails_when_few_ways_were_cut() {
        let failed_at = |every: u64, backoff: Backoff| {
            let mut trial = BackoffTrial::default();
            (1..=3 * TRIAL).find(|n| {
                trial.note(2, usize::from(n % every == 0));
                trial.has_failed(backoff)
            })
        };
        for (backoff, end) in [
            (Backoff::Always, None),
            (Backoff::WhenItPays, Some(TRIAL)),
            (Backoff::WhenItPaysSoon, Some(SHORT_TRIAL)),
        ] {
            assert_eq!(failed_at(10, backoff), None);
            assert_eq!(failed_at(11, backoff), end);
            assert_eq!(failed_at(u64::MAX, backoff), end);
        }
    }
}
