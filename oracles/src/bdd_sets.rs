//! Sets of vectors, their images and counts, as binary decision diagrams.

use std::collections::hash_map::RandomState;

use oxidd::bdd::{BDDFunction, BDDManagerRef};
use oxidd::util::SatCountCache;
use oxidd::util::num::Natural;
use oxidd::{
    BooleanFunction, BooleanFunctionQuant, BooleanOperator, FunctionSubst, Manager, ManagerRef,
    Subst, VarNo,
};

const MEMORY: &str = "the diagram has room for its nodes";

/// A manager for sets of vectors with one length.
pub struct BddSets {
    manager: BDDManagerRef,
    bits: usize,
    length: usize,
    /// The bits of the values before a step, by position.
    now: Vec<BDDFunction>,
    /// The bits of the values after it.
    next: Vec<BDDFunction>,
}

/// Steps: a relation between the values before and some values after.
pub struct BitRelation {
    pairs: BDDFunction,
    /// The conjunctions of the bits that change, before and after.
    cubes: [BDDFunction; 2],
    /// Values after become values before, and conversely.
    renamed: [Subst<BDDFunction>; 2],
}

impl BddSets {
    /// For vectors of this length; values have this number of bits.
    pub fn new(length: usize, bits: usize) -> BddSets {
        BddSets::with_capacity(length, bits, 1 << 21)
    }

    /// With room for this number of nodes.
    pub fn with_capacity(length: usize, bits: usize, nodes: usize) -> BddSets {
        let manager = oxidd::bdd::new_manager(nodes, nodes / 2, 1);
        let variables = (2 * length * bits) as VarNo;
        let (now, next) = manager.with_manager_exclusive(|manager| {
            manager.add_vars(variables);
            let at = |first: VarNo| -> Vec<BDDFunction> {
                let all = (first..variables).step_by(2);
                all.map(|number| BDDFunction::var(manager, number).expect(MEMORY)).collect()
            };
            (at(0), at(1))
        });
        BddSets { manager, bits, length, now, next }
    }

    /// The empty set.
    pub fn empty(&self) -> BDDFunction {
        self.manager.with_manager_shared(|manager| BDDFunction::f(manager))
    }

    /// All vectors.
    pub fn all(&self) -> BDDFunction {
        self.manager.with_manager_shared(|manager| BDDFunction::t(manager))
    }

    fn bits_of(&self, bits: &[BDDFunction], position: usize, value: i32) -> BDDFunction {
        let mut all = self.all();
        for bit in 0..self.bits {
            let literal = &bits[position * self.bits + bit];
            let is_set = value >> bit & 1 == 1;
            let literal = if is_set { literal.clone() } else { literal.not().expect(MEMORY) };
            all = all.and(&literal).expect(MEMORY);
        }
        all
    }

    /// The vectors with this value at a position.
    pub fn value(&self, position: usize, value: i32) -> BDDFunction {
        self.bits_of(&self.now, position, value)
    }

    /// The pairs with this value at a position after the step.
    pub fn next_value(&self, position: usize, value: i32) -> BDDFunction {
        self.bits_of(&self.next, position, value)
    }

    /// The pairs with a value after the step that another position has before it.
    pub fn next_copy(&self, position: usize, other: usize) -> BDDFunction {
        let mut all = self.all();
        for bit in 0..self.bits {
            let next = &self.next[position * self.bits + bit];
            let same = next.equiv(&self.now[other * self.bits + bit]).expect(MEMORY);
            all = all.and(&same).expect(MEMORY);
        }
        all
    }

    /// A set of one vector.
    pub fn singleton(&self, vector: &[i32]) -> BDDFunction {
        let values = vector.iter().enumerate();
        values.fold(self.all(), |all, (position, &value)| {
            all.and(&self.value(position, value)).expect(MEMORY)
        })
    }

    /// These vectors.
    pub fn from_vectors<'v>(&self, vectors: impl IntoIterator<Item = &'v [i32]>) -> BDDFunction {
        let all = vectors.into_iter();
        all.fold(self.empty(), |all, vector| all.or(&self.singleton(vector)).expect(MEMORY))
    }

    /// The number of vectors of a set.
    pub fn count(&self, set: &BDDFunction) -> String {
        let bits = (self.length * self.bits) as u32;
        let mut cache = SatCountCache::<Natural, RandomState>::default();
        // The bits after a step are free.
        (set.sat_count(2 * bits, &mut cache) >> bits).to_string()
    }

    /// A relation that changes the values at these positions.
    pub fn relation(&self, pairs: BDDFunction, changed: &[usize]) -> BitRelation {
        let bits = |position: &usize| position * self.bits..(position + 1) * self.bits;
        let places: Vec<usize> = changed.iter().flat_map(bits).collect();
        let of = |all: &[BDDFunction]| -> Vec<BDDFunction> {
            places.iter().map(|&place| all[place].clone()).collect()
        };
        let numbers = |first: usize| -> Vec<VarNo> {
            places.iter().map(|&place| (2 * place + first) as VarNo).collect()
        };
        let [now, next] = [of(&self.now), of(&self.next)];
        let cube = |literals: &[BDDFunction]| {
            literals.iter().fold(self.all(), |all, one| all.and(one).expect(MEMORY))
        };
        let cubes = [cube(&now), cube(&next)];
        let renamed = [Subst::new(numbers(1), now), Subst::new(numbers(0), next)];
        BitRelation { pairs, cubes, renamed }
    }

    /// The vectors after a step.
    pub fn image(&self, set: &BDDFunction, relation: &BitRelation) -> BDDFunction {
        let BitRelation { pairs, cubes: [now, _], renamed: [to_now, _] } = relation;
        let after = set.apply_exists(BooleanOperator::And, pairs, now).expect(MEMORY);
        after.substitute(to_now).expect(MEMORY)
    }

    /// The vectors before a step.
    pub fn preimage(&self, set: &BDDFunction, relation: &BitRelation) -> BDDFunction {
        let BitRelation { pairs, cubes: [_, next], renamed: [_, to_next] } = relation;
        let after = set.substitute(to_next).expect(MEMORY);
        after.apply_exists(BooleanOperator::And, pairs, next).expect(MEMORY)
    }

    /// The vectors that steps lead to, after any number of them: one relation after the other, each
    /// also on what the previous ones have added.
    pub fn reachable(&self, initial: &BDDFunction, relations: &[BitRelation]) -> BDDFunction {
        let mut all = initial.clone();
        loop {
            let before = all.clone();
            for relation in relations {
                all = all.or(&self.image(&all, relation)).expect(MEMORY);
            }
            if all == before {
                return all;
            }
        }
    }

    /// The vectors of a set from which one of these steps is possible.
    pub fn enabled(&self, set: &BDDFunction, relations: &[BitRelation]) -> BDDFunction {
        let mut all = self.empty();
        for relation in relations {
            let any = self.preimage(&self.all(), relation);
            all = all.or(&any).expect(MEMORY);
        }
        all.and(set).expect(MEMORY)
    }
}
