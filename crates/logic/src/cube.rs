//! Cubes (conjunctions of literals), and whether several cubes cover one.
//!
//! Covering is decided by Shannon expansion, as usual for sums of products. That is exponential at
//! worst, so it is abandoned after some splits; guards of formulas rarely need that many.

use crate::bits::Bits;

/// Upper bound on the splits of one test.
const EFFORT: usize = 100;

/// A conjunction of literals that do not contradict each other.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Cube {
    pub(crate) positive: Bits,
    pub(crate) negative: Bits,
}

impl Cube {
    pub(crate) fn literal(atom: usize, positive: bool) -> Self {
        let mut cube = Self::default();
        if positive {
            cube.positive.insert(atom)
        } else {
            cube.negative.insert(atom)
        }
        cube
    }

    /// The conjunction, unless both contradict each other.
    pub(crate) fn and(&self, other: &Self) -> Option<Self> {
        self.meets(other).then(|| Self {
            positive: self.positive.union(&other.positive),
            negative: self.negative.union(&other.negative),
        })
    }

    /// Whether some letter satisfies both.
    pub(crate) fn meets(&self, other: &Self) -> bool {
        !self.positive.intersects(&other.negative) && !self.negative.intersects(&other.positive)
    }

    /// Whether every letter of the other cube is one of this cube.
    pub(crate) fn covers(&self, other: &Self) -> bool {
        self.positive.is_subset(&other.positive) && self.negative.is_subset(&other.negative)
    }

    /// Whether a letter, given by the atoms that hold, satisfies the cube.
    pub(crate) fn holds(&self, letter: &Bits) -> bool {
        self.positive.is_subset(letter) && !self.negative.intersects(letter)
    }

    /// The literals: atoms with their sign.
    pub(crate) fn literals(&self) -> impl Iterator<Item = (usize, bool)> {
        let positive = self.positive.iter().map(|atom| (atom, true));
        positive.chain(self.negative.iter().map(|atom| (atom, false)))
    }

    /// The cube with one literal less.
    pub(crate) fn without(&self, atom: usize) -> Self {
        let mut cube = self.clone();
        cube.positive.remove(atom);
        cube.negative.remove(atom);
        cube
    }

    /// Its atoms.
    pub(crate) fn atoms(&self) -> Bits {
        self.positive.union(&self.negative)
    }

    fn with(&self, atom: usize, positive: bool) -> Self {
        let mut cube = self.clone();
        if positive {
            cube.positive.insert(atom)
        } else {
            cube.negative.insert(atom)
        }
        cube
    }

    /// Whether other cubes together cover this one. After [`EFFORT`] splits the result is `false`:
    /// then an automaton may be larger than necessary.
    pub(crate) fn is_covered<'a>(&self, others: impl Iterator<Item = &'a Cube>) -> bool {
        self.is_covered_within(others, &mut { EFFORT })
    }

    fn is_covered_within<'a>(
        &self,
        others: impl Iterator<Item = &'a Cube>,
        effort: &mut usize,
    ) -> bool {
        let mut near = Vec::new();
        for other in others {
            if other.covers(self) {
                return true;
            }
            if other.meets(self) {
                near.push(other);
            }
        }
        near.len() > 1 && self.is_split_among(&near, effort)
    }

    /// The test if no single cube covers this one.
    fn is_split_among(&self, near: &[&Cube], effort: &mut usize) -> bool {
        let union = |side: fn(&Cube) -> &Bits| {
            near.iter().fold(Bits::default(), |all, cube| all.union(side(cube)))
        };
        let contested = union(|cube| &cube.positive).intersection(&union(|cube| &cube.negative));
        let known = self.atoms();
        // A cube with an uncontested literal does not help: where the literal is false, the others
        // have to suffice.
        let helps = |cube: &&&Cube| cube.atoms().difference(&known).is_subset(&contested);
        let kept: Vec<&Cube> = near.iter().filter(helps).copied().collect();
        if kept.len() < near.len() {
            return self.is_covered_within(kept.into_iter(), effort);
        }
        let Some(atom) = contested.difference(&known).iter().next() else { return false };
        if *effort == 0 {
            return false;
        }
        *effort -= 1;
        [true, false]
            .into_iter()
            .all(|sign| self.with(atom, sign).is_covered_within(near.iter().copied(), effort))
    }
}

/// An equivalent set of few, short cubes, by greedy search.
pub(crate) fn fewer(mut cubes: Vec<Cube>) -> Vec<Cube> {
    for at in 0..cubes.len() {
        for atom in cubes[at].atoms().iter().collect::<Vec<_>>() {
            let larger = cubes[at].without(atom);
            if larger.is_covered(cubes.iter()) {
                cubes[at] = larger;
            }
        }
    }
    let mut at = cubes.len();
    while at > 0 {
        at -= 1;
        let cube = cubes.swap_remove(at);
        if !cube.is_covered(cubes.iter()) {
            cubes.push(cube);
            let last = cubes.len() - 1;
            cubes.swap(at, last);
        }
    }
    cubes.sort_unstable();
    cubes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn opposite_guards_become_true() {
        let (yes, no) = (Cube::literal(0, true), Cube::literal(0, false));
        assert_eq!(fewer(vec![yes.clone(), no.clone()]), [Cube::default()]);
        let other = Cube::literal(1, true);
        let both = no.and(&other).expect("different atoms");
        assert_eq!(fewer(vec![yes.clone(), both]), [yes, other]);
    }
}
