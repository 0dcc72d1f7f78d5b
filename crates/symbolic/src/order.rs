//! The order of the levels: factors that operators use together should be near to each other.
//!
//! Source: FORCE of Aloul, Markov and Sakallah, "FORCE: a fast and easy-to-implement variable-
//! ordering heuristic", GLSVLSI 2003. Each operator pulls its factors to their centre of gravity.
//! Deviation: there is no sifting. A level has a whole value and not a bit of it, so that a factor is
//! a group already; but relations and what they have learned belong to levels, and an exchange of
//! two levels would have to rebuild them all. Saturation needs the order before the first state.
//! Promise: the total span of the supports is never greater than in the declared order.

use beeline_factored::{FactorId, Ranges};

/// Rounds without improvement before it ends.
const PATIENCE: usize = 6;

/// Which factor is at which level. Factors of a single value have no level.
#[derive(Clone, Debug)]
pub(crate) struct LevelOrder {
    factors: Vec<FactorId>,
    levels: Vec<Option<u32>>,
}

impl LevelOrder {
    /// An order of the factors that have more than one value.
    pub(crate) fn new(supports: &[Vec<FactorId>], count: usize, ranges: &Ranges) -> LevelOrder {
        let all = (0..count as u32).map(FactorId);
        let declared = all.filter(|&factor| ranges.get(factor).single().is_none()).collect();
        LevelOrder::given(force(declared, supports, count), count)
    }

    /// These factors in this order.
    pub(crate) fn given(factors: Vec<FactorId>, count: usize) -> LevelOrder {
        let mut levels = vec![None; count];
        for (level, factor) in factors.iter().enumerate() {
            levels[factor.index()] = Some(level as u32);
        }
        LevelOrder { factors, levels }
    }

    /// The factors by level.
    pub(crate) fn factors(&self) -> &[FactorId] {
        &self.factors
    }

    /// The level of a factor that has one.
    pub(crate) fn level(&self, factor: FactorId) -> Option<u32> {
        self.levels[factor.index()]
    }
}

fn force(declared: Vec<FactorId>, supports: &[Vec<FactorId>], count: usize) -> Vec<FactorId> {
    let mut place = vec![0; count];
    let mut best_span = span(&declared, supports, &mut place);
    let (mut best, mut order) = (declared.clone(), declared);
    let mut patience = PATIENCE;
    let mut pulls = vec![(0.0, 0u32); count];
    while patience > 0 {
        pulls.fill((0.0, 0));
        for support in supports.iter().filter(|support| !support.is_empty()) {
            let sum: usize = support.iter().map(|factor| place[factor.index()]).sum();
            let centre = sum as f64 / support.len() as f64;
            for factor in support {
                let (pull, number) = &mut pulls[factor.index()];
                *pull += centre;
                *number += 1;
            }
        }
        let target = |factor: &FactorId| match pulls[factor.index()] {
            (_, 0) => place[factor.index()] as f64,
            (pull, number) => pull / f64::from(number),
        };
        // The sort is stable, so ties keep their order.
        order.sort_by(|a, b| target(a).total_cmp(&target(b)));
        let new_span = span(&order, supports, &mut place);
        if new_span < best_span {
            best_span = new_span;
            best.clone_from(&order);
            patience = PATIENCE;
        } else {
            patience -= 1;
        }
    }
    best
}

/// The sum of the distances between the first and the last factor of each support; `place` becomes
/// the position of each factor.
fn span(order: &[FactorId], supports: &[Vec<FactorId>], place: &mut [usize]) -> usize {
    for (at, factor) in order.iter().enumerate() {
        place[factor.index()] = at;
    }
    let one = |support: &Vec<FactorId>| {
        let places = || support.iter().map(|factor| place[factor.index()]);
        places().max().unwrap_or(0) - places().min().unwrap_or(0)
    };
    supports.iter().map(one).sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use beeline_kernel::SplitMix64;

    fn total(order: &[FactorId], supports: &[Vec<FactorId>], count: usize) -> usize {
        span(order, supports, &mut vec![0; count])
    }

    #[test]
    fn a_shuffled_chain_gets_a_small_span() {
        let mut rng = SplitMix64::new(1);
        let mut names: Vec<u32> = (0..60).collect();
        rng.shuffle(&mut names);
        let supports: Vec<Vec<FactorId>> =
            names.windows(2).map(|pair| pair.iter().map(|&at| FactorId(at)).collect()).collect();
        let declared: Vec<FactorId> = (0..60).map(FactorId).collect();
        let before = total(&declared, &supports, 60);
        let after = total(&force(declared, &supports, 60), &supports, 60);
        assert!(after * 3 < before, "{after} of {before}");
    }

    #[test]
    fn the_declared_order_is_never_made_worse() {
        for seed in 0..200 {
            let mut rng = SplitMix64::new(seed);
            let count = 2 + rng.below(20);
            let mut support =
                || (0..1 + rng.below(4)).map(|_| FactorId(rng.below(count) as u32)).collect();
            let supports: Vec<Vec<FactorId>> = (0..15).map(|_| support()).collect();
            let declared: Vec<FactorId> = (0..count as u32).map(FactorId).collect();
            let before = total(&declared, &supports, count);
            let made = force(declared.clone(), &supports, count);
            assert!(total(&made, &supports, count) <= before);
            let mut sorted = made;
            sorted.sort();
            assert_eq!(sorted, declared);
        }
    }
}
