//! States by type, which is what they cost and what is left: first a type is drawn, and then
//! a state of that type. So the few states that are deep, or seem near, or are unlike others
//! in some other way, get as much attention as the many that are all alike.
//!
//! Source: [XMHI14].

use std::collections::HashMap;

use beeline_kernel::{SplitMix64, StateId};

use super::bag::Bag;

/// The cost so far, and the estimate.
pub(crate) type Type = (u32, u32);

/// The states, by type.
#[derive(Clone, Debug, Default)]
pub(crate) struct Typed {
    /// None of them is empty.
    bags: Vec<(Type, Bag)>,
    /// Where the bag of a type is.
    places: HashMap<Type, usize>,
    /// Memory inside of the bags.
    inner_bytes: usize,
}

impl Typed {
    /// Puts a state in.
    pub(crate) fn push(&mut self, kind: Type, id: StateId) {
        let at = *self.places.entry(kind).or_insert(self.bags.len());
        if at == self.bags.len() {
            self.bags.push((kind, Bag::default()));
        }
        let bag = &mut self.bags[at].1;
        self.inner_bytes -= bag.bytes();
        bag.push(id);
        self.inner_bytes += bag.bytes();
    }

    /// Takes a state out: each type has the same chance, and each state of a type.
    pub(crate) fn draw(&mut self, rng: &mut SplitMix64) -> Option<StateId> {
        if self.bags.is_empty() {
            return None;
        }
        let at = rng.below(self.bags.len());
        let bag = &mut self.bags[at].1;
        let drawn = bag.draw(rng);
        if bag.is_empty() {
            let (kind, bag) = self.bags.swap_remove(at);
            self.inner_bytes -= bag.bytes();
            self.places.remove(&kind);
            if let Some((moved, _)) = self.bags.get(at) {
                self.places.insert(*moved, at);
            }
        }
        drawn
    }

    /// Memory held, that of the map estimated.
    pub(crate) fn bytes(&self) -> usize {
        let outer = self.bags.capacity() * size_of::<(Type, Bag)>();
        outer + self.places.capacity() * size_of::<(Type, usize)>() + self.inner_bytes
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
