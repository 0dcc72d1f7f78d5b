//! Lassos: paths that end in a cycle.

use beeline_kernel::{AcceptanceMarks, Expansion, Space, StatePath};

/// A stem and the cycle at its end, as stored states.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Lasso {
    /// The states from the initial one up to the cycle, without its first state. Empty if the cycle
    /// contains the initial state.
    pub stem: StatePath,
    /// The states of the cycle in order. The last one leads back to the first; a single state leads
    /// to itself.
    pub cycle: StatePath,
}

impl Lasso {
    /// The number of transitions of stem and cycle.
    pub fn moves(&self) -> usize {
        self.stem.len() + self.cycle.len()
    }

    /// The states of the stem, of the cycle, and the first state of the cycle again: each transition
    /// leads from one of them to the next.
    pub fn closed_path(&self) -> StatePath {
        let mut path = self.stem.clone();
        path.append(&self.cycle);
        path.extend(self.cycle.first());
        path
    }

    /// Whether this is a path of a space from its initial state, and the cycle closes and accepts.
    /// If several transitions lead from one state to the next, the cycle has the marks of all of
    /// them: it can take another one in each round.
    pub fn is_valid<S: Space + ?Sized>(&self, space: &S) -> bool {
        let mut initial = Vec::new();
        let begins = space.initial(&mut initial).is_ok();
        let path = self.closed_path();
        if self.cycle.is_empty() || !begins || path.first() != Some(&initial) {
            return false;
        }
        let mut expander = space.expander();
        let mut expansion = Expansion::default();
        let mut collected = AcceptanceMarks::NONE;
        let (mut pairs, mut at) = (path.pairs(), 0);
        while let Some((state, next)) = pairs.advance() {
            expander.expand_only(state, &mut expansion);
            let ways = || (0..expansion.len()).filter(|&way| expansion.state(way) == next);
            if ways().next().is_none() {
                return false;
            }
            if at >= self.stem.len() {
                collected = ways().fold(collected, |marks, way| marks | marks_of(&expansion, way));
            }
            at += 1;
        }
        collected.is_all()
    }
}

/// The marks that a transition adds to a cycle.
#[inline]
pub(super) fn marks_of(expansion: &Expansion, way: usize) -> AcceptanceMarks {
    let plain = || AcceptanceMarks::leaving(expansion.accepting);
    expansion.marks.get(way).copied().unwrap_or_else(plain)
}
