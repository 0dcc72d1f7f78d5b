//! A small seeded random number generator. The same seed yields the same numbers on every machine
//! and in every version: bug reports refer to generated programs by their seed.
//!
//! The bits are those of splitmix64, which is suitable for neighbouring seeds.

use beeline_kernel::SplitMix64;

/// A source of random numbers.
#[derive(Clone, Debug)]
pub struct Rng(SplitMix64);

impl Rng {
    /// A source that depends on the seed alone.
    pub fn new(seed: u64) -> Self {
        Rng(SplitMix64::new(seed))
    }

    /// The next 64 bits.
    pub fn next_u64(&mut self) -> u64 {
        self.0.next_u64()
    }

    /// A number in `0..bound`; 0 if `bound` is 0. The bias of a small bound is below one in 2^32,
    /// which is negligible.
    pub fn below(&mut self, bound: u32) -> u32 {
        (((self.next_u64() >> 32) * u64::from(bound)) >> 32) as u32
    }

    /// A number in `least..=most`.
    pub fn between(&mut self, least: u32, most: u32) -> u32 {
        least + self.below(most.saturating_sub(least) + 1)
    }

    /// True with probability `times / of`.
    pub fn chance(&mut self, times: u32, of: u32) -> bool {
        self.below(of) < times
    }

    /// True with a probability of `percent` percent.
    pub fn percent(&mut self, percent: u32) -> bool {
        self.chance(percent, 100)
    }

    /// One of the items; `None` if there are none.
    pub fn pick<'a, T>(&mut self, items: &'a [T]) -> Option<&'a T> {
        items.get(self.below(items.len() as u32) as usize)
    }

    /// One of the items, with probabilities proportional to the weights; `None` if all weights are
    /// 0.
    pub fn pick_weighted<T: Copy>(&mut self, items: &[(u32, T)]) -> Option<T> {
        let total = items.iter().map(|&(weight, _)| weight).sum();
        let mut left = self.below(total);
        items.iter().find_map(|&(weight, item)| {
            if left < weight {
                return Some(item);
            }
            left -= weight;
            None
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gives_the_published_sequence_of_splitmix64() {
        let mut rng = Rng::new(1234567);
        assert_eq!(rng.next_u64(), 6457827717110365317);
        assert_eq!(rng.next_u64(), 3203168211198807973);
    }

    #[test]
    fn every_number_below_the_bound_comes_up() {
        let mut rng = Rng::new(1);
        let mut seen = [0u32; 6];
        for _ in 0..6000 {
            seen[rng.below(6) as usize] += 1;
        }
        assert!(seen.iter().all(|&times| (800..1200).contains(&times)), "{seen:?}");
    }

    #[test]
    fn weights_of_zero_are_never_picked() {
        let mut rng = Rng::new(7);
        let items = [(0, 'a'), (3, 'b'), (0, 'c'), (1, 'd')];
        let picks: Vec<_> = (0..400).filter_map(|_| rng.pick_weighted(&items)).collect();
        assert!(picks.iter().all(|pick| "bd".contains(*pick)));
        assert!(picks.iter().filter(|&&pick| pick == 'b').count() > 200);
        assert_eq!(rng.pick_weighted(&[(0, 'a')]), None);
        assert_eq!(rng.pick::<u8>(&[]), None);
    }
}
