//! Typed buckets: states by type, that is cost and estimate. First a type is drawn, then a state of
//! that type. So rare types, such as deep states or states with small estimates, are expanded as
//! often as frequent ones.
//!
//! Source: [XMHI14].

use std::collections::HashMap;

use beeline_kernel::{SplitMix64, StateId};

use super::random_pool::RandomPool;

/// The cost so far, and the estimate.
pub(crate) type NodeType = (u32, u32);

/// The states, by type.
#[derive(Clone, Debug, Default)]
pub(crate) struct Typed {
    /// None of the pools is empty.
    pools: Vec<(NodeType, RandomPool)>,
    /// The position of the pool of a type.
    places: HashMap<NodeType, usize>,
    /// Memory inside the pools.
    inner_bytes: usize,
}

impl Typed {
    /// Adds a state.
    pub(crate) fn push(&mut self, kind: NodeType, id: StateId) {
        let at = *self.places.entry(kind).or_insert(self.pools.len());
        if at == self.pools.len() {
            self.pools.push((kind, RandomPool::default()));
        }
        let pool = &mut self.pools[at].1;
        self.inner_bytes -= pool.bytes();
        pool.push(id);
        self.inner_bytes += pool.bytes();
    }

    /// Removes a state: each type has the same probability, and each state of a type.
    pub(crate) fn draw(&mut self, rng: &mut SplitMix64) -> Option<StateId> {
        if self.pools.is_empty() {
            return None;
        }
        let at = rng.below(self.pools.len());
        let pool = &mut self.pools[at].1;
        let drawn = pool.draw(rng);
        if pool.is_empty() {
            let (kind, pool) = self.pools.swap_remove(at);
            self.inner_bytes -= pool.bytes();
            self.places.remove(&kind);
            if let Some((moved, _)) = self.pools.get(at) {
                self.places.insert(*moved, at);
            }
        }
        drawn
    }

    /// Memory held, that of the map estimated.
    pub(crate) fn bytes(&self) -> usize {
        let outer = self.pools.capacity() * size_of::<(NodeType, RandomPool)>();
        outer + self.places.capacity() * size_of::<(NodeType, usize)>() + self.inner_bytes
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn id(index: usize) -> StateId {
        StateId::new(index).expect("a small number")
    }

    #[test]
    fn all_that_go_in_come_out_once() {
        let mut rng = SplitMix64::new(5);
        let (mut typed, mut inside) = (Typed::default(), vec![false; 10_000]);
        let mut next = 0;
        for _ in 0..30_000 {
            if next < inside.len() && rng.below(2) == 0 {
                typed.push((rng.below(9) as u32, rng.below(9) as u32), id(next));
                inside[next] = true;
                next += 1;
            } else if let Some(drawn) = typed.draw(&mut rng) {
                assert!(std::mem::take(&mut inside[drawn.index()]));
            }
        }
        while let Some(drawn) = typed.draw(&mut rng) {
            assert!(std::mem::take(&mut inside[drawn.index()]));
        }
        assert!(next > 5_000 && inside.iter().all(|&is_inside| !is_inside));
        assert_eq!((typed.inner_bytes, typed.places.len()), (0, 0));
    }

    #[test]
    fn a_rare_type_comes_as_often_as_a_common_one() {
        let mut rng = SplitMix64::new(1);
        let rare = (0..200).filter(|_| {
            let mut typed = Typed::default();
            (0..1000).for_each(|n| typed.push((1, 1), id(n)));
            typed.push((7, 1), id(1000));
            typed.draw(&mut rng) == Some(id(1000))
        });
        assert!((70..130).contains(&rare.count()));
    }
}
