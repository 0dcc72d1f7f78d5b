//! Depth-first order: a stack of all successors that were not expanded when they were generated,
//! the first one on top. A state that was expanded in the meantime is dropped when it comes up, so
//! that the order is that of the recursive search.
//!
//! States are stored when they are generated, not when they come up: the stack then holds ids, each
//! transition is hashed once, and the counts are those of any other order. The visited states of a
//! recursive search are the expanded ones here, one bit for each state.
//!
//! Tracking the states on the path takes another bit, and an entry on the stack for each state on
//! the path, below its successors: when it comes up, the state leaves the path.

use beeline_kernel::{SplitMix64, StateId};

use super::FrontierEntry;
use crate::reduction::SuccessorStatus;
use crate::search_tree::SearchTree;
use crate::state_bits::StateBits;

/// Open states with the same parent; the last level is on top of the stack. Four bytes for each
/// open state, and eight for each group of siblings.
#[derive(Clone, Copy, Debug)]
struct Level {
    parent: StateId,
    /// The number of states left. Larger groups take several levels.
    left: u16,
    /// The difference in depth from the previous level. Larger differences are bridged by empty
    /// levels.
    down: u16,
}

/// The open states, and the set of expanded ones.
#[derive(Clone, Debug)]
pub(crate) struct Stack {
    waiting: Vec<StateId>,
    /// The levels; the last one is not empty.
    levels: Vec<Level>,
    /// The depth of the states of the last level.
    depth: u32,
    expanded: StateBits,
    /// The states on the path, if they are tracked.
    on_path: Option<StateBits>,
    limit: u32,
    rng: Option<SplitMix64>,
}

impl Stack {
    /// The initial state is open. With a seed, successors are shuffled.
    pub(super) fn new(initial: StateId, limit: u32, seed: Option<u64>) -> Stack {
        Stack {
            waiting: vec![initial],
            levels: vec![Level { parent: initial, left: 1, down: 0 }],
            depth: 0,
            expanded: StateBits::default(),
            on_path: None,
            limit,
            rng: seed.map(SplitMix64::new),
        }
    }

    /// Tracks the states on the path from now on. Called before the first state is taken.
    pub(super) fn track_path(&mut self) {
        self.on_path = Some(StateBits::default());
    }

    /// The status of a stored state.
    pub(super) fn status(&self, id: StateId) -> SuccessorStatus {
        if self.on_path.as_ref().is_some_and(|path| path.has(id)) {
            SuccessorStatus::OnStack
        } else if self.expanded.has(id) {
            SuccessorStatus::Expanded
        } else {
            SuccessorStatus::Waiting
        }
    }

    /// Whether the order is that of the recursive search, and the path is not tracked.
    pub(super) fn is_plain(&self) -> bool {
        self.rng.is_none() && self.on_path.is_none()
    }

    /// Whether a state was expanded.
    #[inline]
    pub(super) fn has_expanded(&self, id: StateId) -> bool {
        self.expanded.has(id)
    }

    /// Marks a state as expanded that was not pushed.
    #[inline]
    pub(super) fn go_down(&mut self, id: StateId) {
        self.expanded.add(id);
    }

    /// Whether successors of this state are not pushed because of the limit.
    pub(super) fn is_at_limit(&self, turn: FrontierEntry) -> bool {
        turn.depth == self.limit
    }

    #[inline]
    pub(super) fn pop(&mut self, tree: &mut SearchTree) -> Option<FrontierEntry> {
        loop {
            let id = self.waiting.pop()?;
            let level = self.levels.last_mut().expect("an open state belongs to a level");
            level.left -= 1;
            let (parent, depth) = (level.parent, self.depth);
            while let Some(level) = self.levels.pop_if(|level| level.left == 0) {
                self.depth -= u32::from(level.down);
            }
            // The state was expanded on another path, below an earlier sibling; or its successors
            // are done, and it leaves the path. Above the entry of a state on the path are only its
            // successors.
            if self.expanded.has(id) {
                if self.on_path.is_some() {
                    self.leave(id);
                }
                continue;
            }
            self.expanded.add(id);
            if self.on_path.is_some() {
                self.enter(id);
            }
            // It may have been generated first by a state that is not on the stack; the path that
            // counts is the stack.
            tree.set(id, parent);
            return Some(FrontierEntry { id, depth });
        }
    }

    #[inline]
    pub(super) fn push(&mut self, from: FrontierEntry, successors: &[StateId]) {
        // Successors beyond the limit stay stored and unexpanded, unless there is a shorter path.
        if self.is_at_limit(from) {
            self.leave(from.id);
            return;
        }
        let base = self.waiting.len();
        if self.on_path.is_some() {
            self.waiting.push(from.id);
        }
        let first = self.waiting.len();
        for &id in successors {
            if !self.expanded.has(id) {
                self.waiting.push(id);
            }
        }
        self.push_levels(from, self.waiting.len() - base);
        let pushed = &mut self.waiting[first..];
        match &mut self.rng {
            None => pushed.reverse(),
            Some(rng) => rng.shuffle(pushed),
        }
    }

    /// Adds a state to the path, if the path is tracked.
    #[cold]
    fn enter(&mut self, id: StateId) {
        if let Some(path) = &mut self.on_path {
            path.add(id);
        }
    }

    /// Removes a state from the path, if the path is tracked.
    #[cold]
    fn leave(&mut self, id: StateId) {
        if let Some(path) = &mut self.on_path {
            path.take(id);
        }
    }

    /// Adds a level for this many states, or several if they do not fit into one.
    fn push_levels(&mut self, from: FrontierEntry, states: usize) {
        const MOST: u16 = u16::MAX;
        if states == 0 {
            return;
        }
        let depth = from.depth + 1;
        let mut down = depth - self.depth;
        while down > u32::from(MOST) {
            self.levels.push(Level { parent: from.id, left: 0, down: MOST });
            down -= u32::from(MOST);
        }
        let mut states = states;
        let mut down = down as u16;
        while states > 0 {
            let left = states.min(usize::from(MOST));
            self.levels.push(Level { parent: from.id, left: left as u16, down });
            states -= left;
            down = 0;
        }
        self.depth = depth;
    }

    pub(super) fn bytes(&self) -> usize {
        self.waiting.capacity() * size_of::<StateId>()
            + self.levels.capacity() * size_of::<Level>()
            + self.expanded.bytes()
            + self.on_path.as_ref().map_or(0, StateBits::bytes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn id(index: usize) -> StateId {
        StateId::new(index).unwrap()
    }

    /// The next state and its depth.
    fn pop(stack: &mut Stack, tree: &mut SearchTree) -> Option<(usize, u32)> {
        stack.pop(tree).map(|turn| (turn.id.index(), turn.depth))
    }

    #[test]
    fn depths_are_right_below_a_long_line_and_beside_many_siblings() {
        const LINE: usize = 200_000;
        const MANY: usize = 70_000;
        let mut tree = SearchTree::new();
        (0..LINE + MANY + 2).for_each(|_| tree.add(id(0)));
        let mut stack = Stack::new(id(0), u32::MAX, None);
        assert_eq!(pop(&mut stack, &mut tree), Some((0, 0)));
        // State 0 has two successors: state 1, which begins the line, and `last`.
        let last = LINE + MANY + 1;
        stack.push(FrontierEntry { id: id(0), depth: 0 }, &[id(1), id(last)]);
        for at in 1..LINE {
            assert_eq!(pop(&mut stack, &mut tree), Some((at, at as u32)));
            stack.push(FrontierEntry { id: id(at), depth: at as u32 }, &[id(at + 1)]);
        }
        assert_eq!(pop(&mut stack, &mut tree), Some((LINE, LINE as u32)));
        let many: Vec<StateId> = (LINE + 1..last).map(id).collect();
        stack.push(FrontierEntry { id: id(LINE), depth: LINE as u32 }, &many);
        for sibling in &many {
            assert_eq!(pop(&mut stack, &mut tree), Some((sibling.index(), LINE as u32 + 1)));
        }
        assert_eq!(pop(&mut stack, &mut tree), Some((last, 1)));
        assert_eq!(tree.path_to(id(last)), [id(0), id(last)]);
        assert_eq!(tree.path_to(id(last - 1)).len(), LINE + 2);
        assert_eq!(pop(&mut stack, &mut tree), None);
        assert!(stack.levels.is_empty());
    }
}
