//! The open list of a search in rounds: groups of states that were opened in one round with one
//! rank.
//!
//! A group is a set: how threads have divided the work does not show. So whatever is taken for the
//! next round consists of whole groups, and a group that is too large is divided by hashes of its
//! states, sixteen parts at a time, which depends on the states alone.

use std::collections::{BTreeMap, VecDeque};

use crate::best_first_config::QueueOrder;
use crate::open_list::Rank;
use crate::store::shared::nodes::NodeId;

/// Bits of the hash by which a group is divided at once.
const SPLIT_BITS: u32 = 4;

/// An open state, with its cost when it was opened. If the state has another status now, the entry
/// is outdated.
#[derive(Clone, Copy, Debug)]
pub(super) struct OpenNode {
    pub(super) id: NodeId,
    pub(super) g: u32,
    pub(super) hash: u32,
}

/// States of one rank that were opened in one round, as far as they have a common prefix of hashes.
#[derive(Debug)]
struct Group {
    states: Vec<OpenNode>,
    /// The length of the common prefix.
    prefix: u32,
}

impl Group {
    /// The parts by the next bits of the hash, the last one first.
    fn parts(self) -> impl Iterator<Item = Group> {
        let prefix = self.prefix + SPLIT_BITS;
        let mut parts: Vec<Vec<OpenNode>> = vec![Vec::new(); 1 << SPLIT_BITS];
        for state in self.states {
            let part = state.hash << self.prefix >> (u32::BITS - SPLIT_BITS);
            parts[part as usize].push(state);
        }
        let parts = parts.into_iter().rev().filter(|states| !states.is_empty());
        parts.map(move |states| Group { states, prefix })
    }
}

/// The states of new groups, by rank.
pub(super) type Opened = Vec<(Rank, Vec<OpenNode>)>;

/// The open states, in the order of their expansion.
#[derive(Debug)]
pub(super) struct OpenGroups {
    groups: BTreeMap<Rank, VecDeque<Group>>,
    order: QueueOrder,
    len: usize,
}

impl OpenGroups {
    /// No states.
    pub(super) fn new(order: QueueOrder) -> OpenGroups {
        OpenGroups { groups: BTreeMap::new(), order, len: 0 }
    }

    /// Opens the states of a round.
    pub(super) fn open(&mut self, opened: impl Iterator<Item = Opened>) {
        let mut new: BTreeMap<Rank, Vec<OpenNode>> = BTreeMap::new();
        for (rank, states) in opened.flatten() {
            self.len += states.len();
            match new.get_mut(&rank) {
                Some(group) => group.extend_from_slice(&states),
                None => {
                    new.insert(rank, states);
                }
            }
        }
        for (rank, states) in new {
            let groups = self.groups.entry(rank).or_default();
            groups.push_back(Group { states, prefix: 0 });
        }
    }

    /// The least `f` of any entry, outdated ones included.
    pub(super) fn least_f(&self) -> Option<u64> {
        self.groups.first_key_value().map(|(rank, _)| rank.f)
    }

    /// The number of entries.
    pub(super) fn len(&self) -> usize {
        self.len
    }

    /// Takes the best groups: about as many states as `most`, and at least one; all with the least
    /// `f`, unless it `mixes` them.
    pub(super) fn take(&mut self, most: usize, mixes: bool) -> Vec<OpenNode> {
        let mut taken = Vec::new();
        let Some(least) = self.least_f() else { return taken };
        while taken.len() < most.max(1)
            && let Some(mut entry) = self.groups.first_entry()
            && (mixes || entry.key().f == least)
        {
            let (order, groups) = (self.order, entry.get_mut());
            let next = match order {
                QueueOrder::Lifo => groups.pop_back(),
                QueueOrder::Fifo => groups.pop_front(),
            };
            let Some(group) = next else {
                entry.remove();
                continue;
            };
            let room = most.max(1) - taken.len();
            if group.states.len() <= room {
                taken.extend_from_slice(&group.states);
            } else if group.prefix < u32::BITS {
                for part in group.parts() {
                    match order {
                        QueueOrder::Lifo => groups.push_back(part),
                        QueueOrder::Fifo => groups.push_front(part),
                    }
                }
            } else {
                // States with equal hashes cannot be divided.
                taken.extend_from_slice(&group.states);
            }
        }
        self.len -= taken.len();
        taken
    }

    /// Removes all states.
    pub(super) fn clear(&mut self) {
        self.groups.clear();
        self.len = 0;
    }

    /// Memory held, about.
    pub(super) fn bytes(&self) -> usize {
        self.len * size_of::<OpenNode>()
    }
}

#[cfg(test)]
mod tests {
    use beeline_kernel::SplitMix64;

    use super::*;

    fn node(n: u64) -> OpenNode {
        let hash = SplitMix64::new(n).next_u64() as u32;
        OpenNode { id: NodeId::of_number(n + 1), g: n as u32, hash }
    }

    fn rank(f: u64) -> Rank {
        Rank { f, tie: 0 }
    }

    fn ids(mut taken: Vec<OpenNode>) -> Vec<u32> {
        taken.sort_by_key(|one| one.g);
        taken.into_iter().map(|one| one.g).collect()
    }

    #[test]
    fn what_is_taken_does_not_depend_on_the_division_of_work() {
        let states = || (0..1_000).map(node);
        let whole = vec![vec![(rank(3), states().collect::<Vec<_>>())]];
        let in_pieces: Vec<Opened> = (0..7)
            .map(|part| vec![(rank(3), states().filter(|one| one.g % 7 == part).collect())])
            .collect();
        for order in [QueueOrder::Lifo, QueueOrder::Fifo] {
            let (mut one, mut other) = (OpenGroups::new(order), OpenGroups::new(order));
            one.open(whole.clone().into_iter());
            other.open(in_pieces.iter().rev().cloned());
            for most in [1, 1, 5, 64, 3, 500, 2_000] {
                let taken = ids(one.take(most, false));
                assert_eq!(taken, ids(other.take(most, false)));
                assert!((1..=most).contains(&taken.len()), "{} of {most}", taken.len());
            }
            assert!(one.take(9, false).is_empty() && one.len() == 0);
        }
    }

    #[test]
    fn the_best_are_taken_first_and_the_last_opened_if_asked() {
        let group = |from: u64, to: u64| (from..to).map(node).collect::<Vec<_>>();
        for (order, first) in [(QueueOrder::Lifo, 20), (QueueOrder::Fifo, 0)] {
            let mut open = OpenGroups::new(order);
            open.open([vec![(rank(5), group(0, 10)), (rank(7), group(10, 20))]].into_iter());
            open.open([vec![(rank(5), group(20, 30))]].into_iter());
            assert_eq!((open.least_f(), open.len()), (Some(5), 30));
            assert_eq!(ids(open.take(10, false)), Vec::from_iter(first..first + 10));
            assert_eq!(open.take(100, false).len(), 10);
            assert_eq!(ids(open.take(100, true)), Vec::from_iter(10..20));
        }
        let mut open = OpenGroups::new(QueueOrder::Lifo);
        open.open([vec![(rank(5), group(0, 3)), (rank(7), group(10, 20))]].into_iter());
        assert_eq!(open.take(13, true).len(), 13);
    }
}
