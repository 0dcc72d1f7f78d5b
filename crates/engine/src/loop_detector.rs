//! Detects a repeated state along a path: an atomic sequence or a `d_step` that repeats a state
//! never ends.

use std::collections::HashMap;
use std::hash::{BuildHasher, RandomState};

/// The first states are compared directly: most sequences are shorter.
const FEW: usize = 16;

/// The states of a path in a depth-first traversal, which advances and backtracks.
#[derive(Debug, Default)]
pub struct LoopDetector {
    /// Hashes of the states after the first few,
    hashes: Vec<u64>,
    /// and how many of them have each.
    counts: HashMap<u64, u32>,
    hasher: RandomState,
}

impl LoopDetector {
    /// Starts a new path.
    pub fn clear(&mut self) {
        self.hashes.clear();
        self.counts.clear();
    }

    /// Adds a state with this number of predecessors on the path; later states are removed. Returns
    /// whether it equals one of its predecessors, which `before` returns.
    pub fn returns<'a>(
        &mut self,
        depth: usize,
        state: &[u8],
        before: impl Fn(usize) -> &'a [u8],
    ) -> bool {
        let Some(behind) = depth.checked_sub(FEW) else {
            return (0..depth).any(|at| before(at) == state);
        };
        for hash in self.hashes.drain(behind.min(self.hashes.len())..) {
            let count = self.counts.get_mut(&hash).expect("it was counted");
            *count -= 1;
            if *count == 0 {
                self.counts.remove(&hash);
            }
        }
        let hash = self.hasher.hash_one(state);
        let is_likely = self.counts.contains_key(&hash);
        *self.counts.entry(hash).or_default() += 1;
        self.hashes.push(hash);
        let most = if is_likely { depth } else { FEW };
        (0..most).any(|at| before(at) == state)
    }
}

#[cfg(test)]
mod tests {
    use beeline_kernel::SplitMix64;

    use super::*;

    /// A path through few different states that backtracks to random lengths.
    #[test]
    fn what_was_there_is_seen_and_nothing_else() {
        for states in [3, 30, 300] {
            let mut rng = SplitMix64::new(states as u64);
            let (mut path, mut loop_detector) = (Vec::<Vec<u8>>::new(), LoopDetector::default());
            let mut seen = [0, 0];
            for _ in 0..5_000 {
                if rng.below(4) == 0 {
                    path.truncate(rng.below(path.len() + 1));
                }
                let state = (rng.below(states) as u32).to_le_bytes().to_vec();
                let returns = loop_detector.returns(path.len(), &state, |at| &path[at]);
                assert_eq!(returns, path.contains(&state));
                seen[usize::from(returns)] += 1;
                path.push(state);
                if path.len() > 100 {
                    path.clear();
                    loop_detector.clear();
                }
            }
            assert!(seen.iter().all(|&often| often > 10), "{states}: {seen:?}");
        }
    }
}
