//! Several lists of the states that wait, which take turns: each state is in all of them, or
//! in some, and whichever list has had the fewest turns lets its best one go.
//!
//! A list may be given turns ahead. Entries of states that have had their turn elsewhere stay
//! behind, and whoever takes one out passes it over: that is no turn.
//!
//! Source: [RW10] (LAMA), after Fast Downward.

use beeline_kernel::{SplitMix64, StateId};

use super::typed::{NodeType, Typed};
use super::{BucketOpenList, QueueOrder, Rank};

/// The order of a list, and which states are in it.
#[derive(Clone, Debug)]
enum Queue {
    /// All states, by the estimates of the heuristic of this number.
    All(usize, BucketOpenList),
    /// Those behind preferred steps, likewise.
    Preferred(usize, BucketOpenList),
    /// All states, by type.
    Typed(Typed),
}

/// A list.
#[derive(Clone, Debug)]
struct List {
    queue: Queue,
    /// How many turns it has had, less those it was given ahead.
    turns: i64,
}

/// The lists.
#[derive(Clone, Debug, Default)]
pub(crate) struct AlternationOpenList {
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

    /// Adds a list of those behind preferred steps.
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

    /// Puts a state into all lists where it belongs. `rank` is what a heuristic makes of it.
    pub(crate) fn push(
        &mut self,
        id: StateId,
        is_preferred: bool,
        kind: NodeType,
        rank: impl Fn(usize) -> Rank,
    ) {
        for list in &mut self.lists {
            match &mut list.queue {
                Queue::All(of, open) => open.push(rank(*of), id),
                Queue::Preferred(of, open) if is_preferred => open.push(rank(*of), id),
                Queue::Preferred(..) => {}
                Queue::Typed(typed) => typed.push(kind, id),
            }
        }
    }

    /// Takes a state out of the list whose turn it is. Those that are over are passed over.
    pub(crate) fn pop(
        &mut self,
        rng: &mut SplitMix64,
        is_closed: impl Fn(StateId) -> bool,
    ) -> Option<StateId> {
        // A list that turns out to be empty is not asked again in this turn.
        let mut asked = None;
        loop {
            let places = self.lists.iter().enumerate().map(|(at, list)| (list.turns, at));
            let turn = places.filter(|&turn| asked.is_none_or(|asked| turn > asked)).min()?;
            let list = &mut self.lists[turn.1];
            while let Some(id) = list.queue.pop(rng) {
                if !is_closed(id) {
                    list.turns += 1;
                    return Some(id);
                }
            }
            asked = Some(turn);
        }
    }

    /// Gives turns ahead to the lists of states behind preferred steps.
    pub(crate) fn boost(&mut self, turns: u32) {
        for list in &mut self.lists {
            if let Queue::Preferred(..) = list.queue {
                list.turns = list.turns.saturating_sub(i64::from(turns));
            }
        }
    }

    /// Memory held.
    pub(crate) fn bytes(&self) -> usize {
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

    fn id(index: usize) -> StateId {
        StateId::new(index).expect("a small number")
    }

    /// Two heuristics that want opposite things, and preferred lists if `boost` is given. The
    /// states are 0 to 9; 3 and 4 are preferred.
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
            lists.push(id(n), [3, 4].contains(&n), (0, 0), |of| Rank { f: f[of], tie: 0 });
        }
        lists.boost(boost.unwrap_or(0));
        let over = RefCell::new(BTreeSet::new());
        let mut rng = SplitMix64::new(1);
        let next = || {
            let next = lists.pop(&mut rng, |id| over.borrow().contains(&id.index()))?;
            over.borrow_mut().insert(next.index());
            Some(next.index())
        };
        std::iter::from_fn(next).collect()
    }

    #[test]
    fn lists_take_turns_and_no_state_comes_twice() {
        assert_eq!(order(None), [0, 9, 1, 8, 2, 7, 3, 6, 4, 5]);
        // Those who prefer have their turn, too, as long as there is someone left.
        assert_eq!(order(Some(0)), [0, 3, 9, 4, 1, 8, 2, 7, 5, 6]);
        assert_eq!(order(Some(1000)), [3, 4, 0, 9, 1, 8, 2, 7, 5, 6]);
    }
}
