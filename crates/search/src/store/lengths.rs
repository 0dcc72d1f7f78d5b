//! The lengths of all states, in few bytes if neighbours are equally long.
//!
//! States are numbered in the order of insertion, and few steps create processes: most states have
//! the length of the previous one. A uniform group of neighbours has one length; in a mixed group,
//! each state has its own.

use super::chunked_vec::ChunkedVec;
use super::pair_table::Extras;

/// States in a group.
const GROUP: usize = 64;
/// The `first` of a uniform group.
const UNIFORM: u32 = u32::MAX;

/// States with consecutive numbers.
#[derive(Clone, Copy, Debug)]
struct Group {
    /// The length of all, if uniform.
    length: u32,
    /// The start of its lengths in `mixed`, or [`UNIFORM`].
    first: u32,
}

/// An append-only sequence of lengths.
#[derive(Clone, Debug)]
pub(crate) struct Lengths {
    groups: ChunkedVec<Group>,
    mixed: ChunkedVec<u32>,
    len: usize,
    longest: u32,
}

impl Lengths {
    /// No lengths.
    pub(crate) fn new() -> Lengths {
        Lengths { groups: ChunkedVec::new(), mixed: ChunkedVec::new(), len: 0, longest: 0 }
    }

    /// An upper bound on the memory that a [`push`](Lengths::push) allocates.
    #[inline]
    pub(crate) fn growth(&self) -> usize {
        self.groups.growth() + self.mixed.growth_by(GROUP)
    }

    /// Adds a length.
    pub(crate) fn push(&mut self, length: u32) {
        let within = self.len % GROUP;
        self.len += 1;
        self.longest = self.longest.max(length);
        if within == 0 {
            self.groups.push(Group { length, first: UNIFORM });
            return;
        }
        let at = self.groups.len() - 1;
        let group = self.groups.at(at);
        if group.first == UNIFORM {
            if group.length == length {
                return;
            }
            let first = self.mixed.len() as u32;
            self.groups.set(at, Group { first, ..group });
            (0..within).for_each(|_| self.mixed.push(group.length));
        }
        self.mixed.push(length);
    }

    /// The length at this index.
    #[inline]
    pub(crate) fn at(&self, index: usize) -> u32 {
        let group = self.groups.at(index / GROUP);
        if group.first == UNIFORM {
            group.length
        } else {
            self.mixed.at(group.first as usize + index % GROUP)
        }
    }

    /// The greatest length.
    pub(crate) fn longest(&self) -> usize {
        self.longest as usize
    }

    /// Memory held.
    #[inline]
    pub(crate) fn bytes(&self) -> usize {
        self.groups.bytes() + self.mixed.bytes()
    }
}

/// The length of a state distinguishes its root from equal roots.
impl Extras for Lengths {
    #[inline]
    fn extra(&self, number: usize) -> u32 {
        self.at(number)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(expected: &[u32]) -> Lengths {
        let mut lengths = Lengths::new();
        for (index, &length) in expected.iter().enumerate() {
            let most = lengths.bytes() + lengths.growth();
            lengths.push(length);
            assert!(lengths.bytes() <= most);
            assert_eq!(lengths.at(index), length);
        }
        assert!(expected.iter().enumerate().all(|(at, &length)| lengths.at(at) == length));
        lengths
    }

    #[test]
    fn keeps_every_length() {
        check(&[]);
        check(&[7; 1000]);
        check(&(0..5000).collect::<Vec<u32>>());
        check(&(0..5000).map(|n| n / 100 % 3).collect::<Vec<u32>>());
        check(&(0..5000).map(|n| u32::from(n % 64 == 63)).collect::<Vec<u32>>());
    }

    #[test]
    fn equal_lengths_cost_next_to_nothing() {
        assert!(check(&[40; 100_000]).bytes() <= 100_000 / 4);
    }
}
