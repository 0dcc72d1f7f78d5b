//! The path to a state of a level, found backwards without stored parents.
//!
//! In a level, the predecessor of a state is the one that differs from it in the fewest bytes and,
//! among these, the least one. So the path does not depend on the threads. States are compared with
//! the successor first, and expanded in the order of their differences until a predecessor is
//! found: since a transition changes few bytes, few states are expanded.

use beeline_kernel::{Expander, Expansion, StatePath};

use super::level::RecordRange;
use crate::store::shared::{RecordId, SharedStore};

/// Differences of more bytes than this are not told apart.
const MOST: usize = 255;

/// The path from the only state of the first level to a successor of the last of these levels, or
/// to that state itself if there are no levels. `None` if there is no such path.
pub(super) fn path_to(
    id: RecordId,
    levels: &[Vec<RecordRange>],
    store: &SharedStore,
    expander: &mut dyn Expander,
) -> Option<StatePath> {
    let mut backwards = vec![id];
    let mut state = store.state(id);
    for level in levels.iter().rev() {
        let predecessor = predecessor(state, level, store, expander)?;
        state = store.state(predecessor);
        backwards.push(predecessor);
    }
    let mut path = StatePath::new();
    backwards.iter().rev().for_each(|&id| path.push(store.state(id)));
    Some(path)
}

/// The nearest predecessor of a state in a level.
fn predecessor(
    state: &[u8],
    level: &[RecordRange],
    store: &SharedStore,
    expander: &mut dyn Expander,
) -> Option<RecordId> {
    let mut by_difference = vec![Vec::new(); MOST + 1];
    for &RecordRange { first, count } in level {
        for (id, other) in store.records(first, count) {
            by_difference[difference(state, other)].push(id);
        }
    }
    let mut expansion = Expansion::default();
    by_difference.iter().find_map(|candidates| {
        let is_predecessor = |&&id: &&RecordId| {
            expander.expand_only(store.state(id), &mut expansion);
            expansion.states().any(|successor| successor == state)
        };
        candidates.iter().filter(is_predecessor).min_by_key(|&&id| store.state(id)).copied()
    })
}

/// The number of bytes in which states differ, at most [`MOST`].
#[inline]
fn difference(a: &[u8], b: &[u8]) -> usize {
    let differing = a.iter().zip(b).filter(|(a, b)| a != b).count();
    (differing + a.len().abs_diff(b.len())).min(MOST)
}
