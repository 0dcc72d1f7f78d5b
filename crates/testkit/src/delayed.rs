//! Random delays: a space whose expansions take longer by chance, so that threads meet in orders
//! that a machine of few cores seldom has.

use std::sync::atomic::{AtomicU64, Ordering};

use beeline_kernel::{Expander, Expansion, Fault, SleepSet, Space, SplitMix64, StepLabel};

/// The numbers of threads that searches in threads are compared with.
pub const THREADS: [usize; 6] = [1, 2, 3, 4, 8, 16];

/// The seeds of delays, for each number of threads.
pub const SEEDS: u64 = 100;

/// All pairs of a number of threads and a seed.
pub const ALL_RUNS: usize = SEEDS as usize * THREADS.len();

/// How a search in threads is run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DelayedRun {
    /// The number of threads, the calling one included.
    pub threads: usize,
    /// The seed of the delays.
    pub seed: u64,
}

/// `count` of the pairs of [`THREADS`] and [`SEEDS`]: different ones for each item, such that all
/// pairs occur as often over many items. Those of an item have all numbers of threads if there are
/// six.
pub fn runs(item: usize, count: usize) -> impl Iterator<Item = DelayedRun> {
    let count = count.min(ALL_RUNS);
    (item * count..(item + 1) * count).map(|run| DelayedRun {
        threads: THREADS[run % THREADS.len()],
        seed: (run / THREADS.len()) as u64 % SEEDS,
    })
}

/// A space with delays.
pub struct Delayed<'a> {
    space: &'a dyn Space,
    seed: AtomicU64,
    /// One of this many expansions is delayed.
    one_in: usize,
}

impl<'a> Delayed<'a> {
    /// Delays expansions of this space. The seed says which, and how many of them.
    pub fn new(space: &'a dyn Space, seed: u64) -> Delayed<'a> {
        let one_in = [3, 10, 30, 100, 300][seed as usize % 5];
        Delayed { space, seed: AtomicU64::new(seed << 32), one_in }
    }

    /// Other delays for each thread.
    fn delays(&self) -> Delays {
        let seed = self.seed.fetch_add(1, Ordering::Relaxed);
        Delays { rng: SplitMix64::new(seed), one_in: self.one_in }
    }
}

impl Space for Delayed<'_> {
    fn initial(&self, state: &mut Vec<u8>) -> Result<(), Fault> {
        self.space.initial(state)
    }

    fn expand(&self, state: &[u8], expansion: &mut Expansion) {
        self.delays().wait();
        self.space.expand(state, expansion);
    }

    fn has_coverage(&self) -> bool {
        self.space.has_coverage()
    }

    fn expander(&self) -> Box<dyn Expander + '_> {
        Box::new(DelayedExpander { expander: self.space.expander(), delays: self.delays() })
    }
}

/// The delays of one thread.
struct Delays {
    rng: SplitMix64,
    one_in: usize,
}

impl Delays {
    /// Gives other threads a turn, or spends a moment, or does nothing.
    fn wait(&mut self) {
        if self.rng.below(self.one_in) > 0 {
            return;
        }
        match self.rng.below(4) {
            turns @ 1..=3 => (0..turns).for_each(|_| std::thread::yield_now()),
            _ => (0..self.rng.below(2_000)).for_each(|_| std::hint::spin_loop()),
        }
    }
}

struct DelayedExpander<'a> {
    expander: Box<dyn Expander + 'a>,
    delays: Delays,
}

impl Expander for DelayedExpander<'_> {
    fn expand(&mut self, state: &[u8], expansion: &mut Expansion) {
        self.delays.wait();
        self.expander.expand(state, expansion);
    }

    fn expand_only(&mut self, state: &[u8], expansion: &mut Expansion) {
        self.delays.wait();
        self.expander.expand_only(state, expansion);
    }

    fn expand_except(&mut self, state: &[u8], except: SleepSet, expansion: &mut Expansion) {
        self.delays.wait();
        self.expander.expand_except(state, except, expansion);
    }

    fn commuting_with(
        &mut self,
        state: &[u8],
        transition: StepLabel,
        others: SleepSet,
    ) -> Option<SleepSet> {
        self.delays.wait();
        self.expander.commuting_with(state, transition, others)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_pairs_occur_equally_often() {
        for (items, count) in [(1, ALL_RUNS), (100, 6), (600, 1), (200, 9)] {
            let mut times = [[0; SEEDS as usize]; THREADS.len()];
            for run in (0..items).flat_map(|item| runs(item, count)) {
                let threads = THREADS.iter().position(|&threads| threads == run.threads);
                times[threads.expect("it is one of them")][run.seed as usize] += 1;
            }
            let expected = items * count / ALL_RUNS;
            assert!(times.iter().flatten().all(|&times| times == expected), "{times:?}");
        }
    }

    #[test]
    fn six_runs_have_all_numbers_of_threads() {
        let threads: Vec<usize> = runs(7, 6).map(|run| run.threads).collect();
        assert_eq!(threads, THREADS);
    }
}
