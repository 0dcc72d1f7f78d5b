//! Several open lists in alternation: the list with the fewest turns so far provides the next
//! state. Each state is in all lists, or in all but those of preferred successors.
//!
//! A list may get turns in advance. Entries of states that another list has provided are skipped;
//! skipping does not count as a turn.
//!
//! Source: [RW10] (LAMA); the interface is that of Fast Downward [Hel06].

use beeline_kernel::{SplitMix64, StateId};

use super::typed::Typed;
use super::{BucketOpenList, Candidate, OpenEntry, OpenList, QueueOrder};

/// The order of a list, and its states.
#[derive(Clone, Debug)]
enum Queue {
    /// All states, by the estimates of the heuristic of this number.
    All(usize, BucketOpenList),
    /// States that preferred steps reach, likewise.
    Preferred(usize, BucketOpenList),
    /// All states, by type.
    Typed(Typed),
}

/// One of the lists.
#[derive(Clone, Debug)]
struct List {
    queue: Queue,
    /// Its turns so far, less those in advance.
    turns: i64,
}

/// The lists.
#[derive(Clone, Debug, Default)]
pub struct AlternationOpenList {
    lists: Vec<List>,
}

impl AlternationOpenList {
    fn add(&mut self, queue: Queue) {
        self.lists.push(List { queue, turns: 0 });
    }

    /// Adds a list of all states by the estimates of a heuristic.
    pub(crate) fn add_all(&mut self, heuristic: usize, queue_order: QueueOrder, has_ties: bool) {
        self.add(Queue::All(heuristic, BucketOpenList::new(queue_order, has_ties)));
    }

    /// Adds a list of states that preferred steps reach.
    pub(crate) fn add_preferred(
        &mut self,
        heuristic: usize,
        queue_order: QueueOrder,
        has_ties: bool,
    ) {
        self.add(Queue::Preferred(heuristic, BucketOpenList::new(queue_order, has_ties)));
    }

    /// Adds a list of all states by type.
    pub(crate) fn add_typed(&mut self) {
        self.add(Queue::Typed(Typed::default()));
    }
}

impl OpenList for AlternationOpenList {
    fn push(&mut self, id: StateId, candidate: &impl Candidate) {
        for list in &mut self.lists {
            match &mut list.queue {
                Queue::All(of, open) => open.push(candidate.rank(*of), id),
                Queue::Preferred(of, open) if candidate.is_preferred() => {
                    open.push(candidate.rank(*of), id);
                }
                Queue::Preferred(..) => {}
                Queue::Typed(typed) => typed.push(candidate.node_type(), id),
            }
        }
    }

    fn pop(
        &mut self,
        rng: &mut SplitMix64,
        is_closed: impl Fn(StateId) -> bool,
    ) -> Option<OpenEntry> {
        // A list that turned out to be empty is not tried again for this entry.
        let mut asked = None;
        loop {
            let places = self.lists.iter().enumerate().map(|(at, list)| (list.turns, at));
            let turn = places.filter(|&turn| asked.is_none_or(|asked| turn > asked)).min()?;
            let list = &mut self.lists[turn.1];
            while let Some(id) = list.queue.pop(rng) {
                if !is_closed(id) {
                    list.turns += 1;
                    return Some(OpenEntry { id, rank: None });
                }
            }
            asked = Some(turn);
        }
    }

    fn peek(&self) -> Option<StateId> {
        None
    }

    fn least_f(&self) -> Option<u64> {
        None
    }

    fn boost_preferred(&mut self, turns: u32) {
        for list in &mut self.lists {
            if let Queue::Preferred(..) = list.queue {
                list.turns = list.turns.saturating_sub(i64::from(turns));
            }
        }
    }

    fn bytes(&self) -> usize {
        let bytes = |list: &List| match &list.queue {
            Queue::All(_, open) | Queue::Preferred(_, open) => open.bytes(),
            Queue::Typed(typed) => typed.bytes(),
        };
        self.lists.iter().map(bytes).sum()
    }
}

impl Queue {
    fn pop(&mut self, rng: &mut SplitMix64) -> Option<StateId> {
        match self {
            Queue::All(_, open) | Queue::Preferred(_, open) => open.pop().map(|(_, id)| id),
            Queue::Typed(typed) => typed.draw(rng),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::cell::RefCell;
    use std::collections::BTreeSet;

    use super::*;
    use crate::open_list::{NodeType, Rank};

    /// A state with a rank by each of two heuristics.
    struct Ranked {
        f: [u64; 2],
        is_preferred: bool,
    }

    impl Candidate for Ranked {
        fn rank(&self, heuristic: usize) -> Rank {
            Rank { f: self.f[heuristic], tie: 0 }
        }

        fn node_type(&self) -> NodeType {
            (0, 0)
        }

        fn is_preferred(&self) -> bool {
            self.is_preferred
        }
    }

    fn id(index: usize) -> StateId {
        StateId::new(index).expect("a small number")
    }

    /// Two heuristics with opposite orders, and preferred lists if `boost` is given. The states are
    /// 0 to 9; 3 and 4 are preferred.
    fn order(boost: Option<u32>) -> Vec<usize> {
        let mut lists = AlternationOpenList::default();
        for heuristic in 0..2 {
            lists.add_all(heuristic, QueueOrder::Fifo, false);
            if boost.is_some() {
                lists.add_preferred(heuristic, QueueOrder::Fifo, false);
            }
        }
        for n in 0..10 {
            let f = [n as u64, 9 - n as u64];
            lists.push(id(n), &Ranked { f, is_preferred: [3, 4].contains(&n) });
        }
        lists.boost_preferred(boost.unwrap_or(0));
        let over = RefCell::new(BTreeSet::new());
        let mut rng = SplitMix64::new(1);
        let next = || {
            let next = lists.pop(&mut rng, |id| over.borrow().contains(&id.index()))?.id;
            over.borrow_mut().insert(next.index());
            Some(next.index())
        };
        std::iter::from_fn(next).collect()
    }

    #[test]
    fn lists_take_turns_and_no_state_comes_twice() {
        assert_eq!(order(None), [0, 9, 1, 8, 2, 7, 3, 6, 4, 5]);
        // The preferred lists have their turns, too, as long as they are not empty.
        assert_eq!(order(Some(0)), [0, 3, 9, 4, 1, 8, 2, 7, 5, 6]);
        assert_eq!(order(Some(1000)), [3, 4, 0, 9, 1, 8, 2, 7, 5, 6]);
    }
}
