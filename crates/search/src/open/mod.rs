//! The states that wait, the best first: a bucket for each rank.
//!
//! Ranks are small whole numbers, so that both putting a state in and taking the best one
//! out take the same few operations however many wait. A state whose rank has become
//! better is put in again; the old entry stays behind, and whoever takes it out sees that
//! the state has another rank now.
//!
//! Source: [ELL00] §3.1 (buckets of doubly linked lists; ours are stacks or queues of
//! numbers, which are a quarter of the size and never unlinked).

mod alternation;
mod bag;
mod lowest;
mod shelf;
mod typed;

use std::collections::VecDeque;

use beeline_kernel::StateId;

use shelf::Shelf;

pub(crate) use alternation::Alternation;
pub(crate) use bag::Bag;

/// Which of the states with equal ranks comes first.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Arrival {
    /// The one that came last.
    #[default]
    LastFirst,
    /// The one that came first.
    FirstFirst,
}

/// The rank of a state: less is better.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Rank {
    /// What comes first.
    pub f: u64,
    /// Decides between states with equal `f`; always 0 where only the arrival does.
    pub second: u32,
}

impl Rank {
    /// For states that are expanded when there is nothing else left.
    pub const LAST: Rank = Rank { f: u64::MAX, second: 0 };
}

/// States of one rank.
type Pile = VecDeque<StateId>;

/// An emptied bucket keeps the room for so many states; the rest is given back.
const KEPT: usize = 64;

/// The buckets, one for each `f`, or for each `f` and second.
#[derive(Clone, Debug)]
enum Buckets {
    Single(Shelf<Pile>),
    Double(Shelf<Shelf<Pile>>),
}

/// Empty shelves that take more bytes than this are given back, but for the last few: each number
/// has one of its own, and those that are filled again are filled soon.
const LARGE: usize = 1024;
const SPARE: usize = 16;

/// Gives the memory of an empty shelf back, and tells how much that is.
fn give_back(shelf: &mut Shelf<Pile>) -> usize {
    let piles = shelf.near().iter().map(VecDeque::capacity).sum::<usize>();
    let bytes = shelf.bytes() + piles * size_of::<StateId>();
    *shelf = Shelf::default();
    bytes
}

/// The waiting states.
#[derive(Clone, Debug)]
pub struct Open {
    buckets: Buckets,
    arrival: Arrival,
    len: usize,
    /// Memory inside of the outer buckets.
    inner_bytes: usize,
    /// The large shelves that ran empty last.
    spare: VecDeque<u64>,
}

impl Open {
    /// Nobody waits. `seconds` says whether ranks have a second part.
    pub fn new(arrival: Arrival, seconds: bool) -> Open {
        let buckets = if seconds {
            Buckets::Double(Shelf::default())
        } else {
            Buckets::Single(Shelf::default())
        };
        Open { buckets, arrival, len: 0, inner_bytes: 0, spare: VecDeque::new() }
    }

    /// Puts a state in.
    #[inline]
    pub fn push(&mut self, rank: Rank, id: StateId) {
        self.len += 1;
        match &mut self.buckets {
            Buckets::Single(shelf) => put(shelf.fill(rank.f), id, &mut self.inner_bytes),
            Buckets::Double(shelves) => {
                let shelf = shelves.fill(rank.f);
                let before = shelf.bytes();
                put(shelf.fill(u64::from(rank.second)), id, &mut self.inner_bytes);
                self.inner_bytes += shelf.bytes();
                self.inner_bytes -= before;
            }
        }
    }

    /// Takes the best one out, with the rank it was put in with.
    #[inline]
    pub fn pop(&mut self) -> Option<(Rank, StateId)> {
        let (arrival, bytes) = (self.arrival, &mut self.inner_bytes);
        let popped = match &mut self.buckets {
            Buckets::Single(shelf) => {
                let (f, id) = take(shelf, arrival, bytes)?;
                (Rank { f, second: 0 }, id)
            }
            Buckets::Double(shelves) => {
                let (f, shelf) = shelves.first()?;
                let before = shelf.bytes();
                let (second, id) = take(shelf, arrival, bytes).expect("a filled one is not empty");
                *bytes = *bytes + shelf.bytes() - before;
                if shelf.first_number().is_none() {
                    if Shelf::<Pile>::is_far(f) {
                        *bytes -= give_back(shelf);
                    } else if shelf.bytes() > LARGE && !self.spare.contains(&f) {
                        self.spare.push_back(f);
                    }
                    shelves.emptied(f);
                    if self.spare.len() > SPARE
                        && let Some(oldest) = self.spare.pop_front()
                        && let Some(shelf) = shelves.near_mut(oldest)
                        && shelf.first_number().is_none()
                    {
                        *bytes -= give_back(shelf);
                    }
                }
                (Rank { f, second: second as u32 }, id)
            }
        };
        self.len -= 1;
        Some(popped)
    }

    /// The one that would be taken out now, if that is easily told.
    #[inline]
    pub fn peek(&self) -> Option<StateId> {
        let Buckets::Single(shelf) = &self.buckets else { return None };
        let pile = shelf.nearest()?;
        match self.arrival {
            Arrival::LastFirst => pile.back().copied(),
            Arrival::FirstFirst => pile.front().copied(),
        }
    }

    /// The `f` of the best one. An entry that was left behind counts, too.
    #[inline]
    pub fn least(&self) -> Option<u64> {
        match &self.buckets {
            Buckets::Single(shelf) => shelf.first_number(),
            Buckets::Double(shelves) => shelves.first_number(),
        }
    }

    /// Memory held.
    #[inline]
    pub fn bytes(&self) -> usize {
        let outer = match &self.buckets {
            Buckets::Single(shelf) => shelf.bytes(),
            Buckets::Double(shelves) => shelves.bytes(),
        };
        outer + self.inner_bytes
    }
}

/// Puts a state on a pile, and counts the memory.
#[inline]
fn put(pile: &mut Pile, id: StateId, bytes: &mut usize) {
    let before = pile.capacity();
    pile.push_back(id);
    *bytes += (pile.capacity() - before) * size_of::<StateId>();
}

/// Takes a state from the first pile of a shelf.
#[inline]
fn take(shelf: &mut Shelf<Pile>, arrival: Arrival, bytes: &mut usize) -> Option<(u64, StateId)> {
    let (number, pile) = shelf.first()?;
    let id = match arrival {
        Arrival::LastFirst => pile.pop_back(),
        Arrival::FirstFirst => pile.pop_front(),
    }
    .expect("a filled one is not empty");
    if pile.is_empty() {
        let before = pile.capacity();
        // One that lies far away goes with its memory.
        pile.shrink_to(if Shelf::<Pile>::is_far(number) { 0 } else { KEPT });
        *bytes -= (before - pile.capacity()) * size_of::<StateId>();
        shelf.emptied(number);
    }
    Some((number, id))
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use beeline_kernel::SplitMix64;

    use super::*;

    fn id(index: usize) -> StateId {
        StateId::new(index).unwrap()
    }

    /// Against a sorted map from rank and arrival to states.
    fn check(arrival: Arrival, seconds: bool, ranks: &[u64]) {
        let mut rng = SplitMix64::new(9);
        let mut open = Open::new(arrival, seconds);
        let mut model = BTreeMap::new();
        for number in 0..20_000_i64 {
            if rng.below(5) < 3 {
                let f = ranks[rng.below(ranks.len())];
                let second = if seconds { rng.below(4) as u32 * 100_000 } else { 0 };
                let rank = Rank { f, second };
                open.push(rank, id(number as usize));
                let place = if arrival == Arrival::LastFirst { -number } else { number };
                model.insert((rank, place), id(number as usize));
            } else {
                let expected = model.pop_first().map(|((rank, _), id)| (rank, id));
                assert_eq!(open.pop(), expected);
            }
            assert_eq!(open.len, model.len());
            assert_eq!(open.least(), model.keys().next().map(|(rank, _)| rank.f));
        }
        while let Some(((rank, _), id)) = model.pop_first() {
            assert_eq!(open.pop(), Some((rank, id)));
        }
        assert_eq!(open.pop(), None);
    }

    #[test]
    fn the_best_comes_first_and_ties_go_by_arrival() {
        let spread: Vec<u64> = (0..50).map(|n| n * n * n * n).collect();
        let far = [0, 7, 1 << 18, (1 << 18) - 1, 1 << 40, u64::MAX];
        for arrival in [Arrival::LastFirst, Arrival::FirstFirst] {
            for seconds in [false, true] {
                check(arrival, seconds, &[1, 2, 3]);
                check(arrival, seconds, &spread);
                check(arrival, seconds, &far);
            }
        }
    }

    #[test]
    fn memory_is_counted_and_given_back() {
        for seconds in [false, true] {
            let mut open = Open::new(Arrival::LastFirst, seconds);
            let rank = |n: usize| Rank { f: (n % 10) as u64, second: (n % 3) as u32 };
            let rank = |n| Rank { second: if seconds { rank(n).second } else { 0 }, ..rank(n) };
            (0..100_000).for_each(|n| open.push(rank(n), id(n)));
            assert!((400_000..2_000_000).contains(&open.bytes()), "{}", open.bytes());
            while open.pop().is_some() {}
            assert!(open.bytes() < 50_000, "{}", open.bytes());
        }
    }

    /// Work that must not depend on how many wait: the words read and written by the tree
    /// of bits are fixed by its height, and a pile moves its states only when it doubles.
    #[test]
    fn ten_million_states_take_as_few_moves_each_as_ten_thousand() {
        let moves = |states: usize| {
            let (mut open, mut moved) = (Open::new(Arrival::FirstFirst, false), 0);
            for n in 0..states {
                let before = open.inner_bytes;
                open.push(Rank { f: (n % 1000) as u64 * 200, second: 0 }, id(n));
                // Whatever a pile held before it grew was moved.
                moved += if open.inner_bytes > before { states / 1000 } else { 0 };
            }
            let mut last = 0;
            while let Some((rank, _)) = open.pop() {
                assert!(rank.f >= last);
                last = rank.f;
            }
            moved / states
        };
        assert!(moves(10_000) <= 32);
        assert!(moves(10_000_000) <= 32);
    }
}
