//! Acceptance: which cycles are counterexamples.
//!
//! With Büchi acceptance, a cycle accepts if it passes an accepting state. With generalised
//! acceptance, a cycle accepts if its transitions together bear all marks. Weak fairness is
//! expressed that way: a mark for each process, on transitions where it moves or is disabled.

use std::ops::BitOr;

/// The marks of a transition, as a set. A cycle accepts if its transitions have all marks
/// together. Unused marks are on every transition.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct AcceptanceMarks(pub u64);

impl AcceptanceMarks {
    /// No mark.
    pub const NONE: AcceptanceMarks = AcceptanceMarks(0);
    /// All marks.
    pub const ALL: AcceptanceMarks = AcceptanceMarks(u64::MAX);
    /// The number of marks.
    pub const COUNT: u32 = u64::BITS;

    /// The marks of a transition from an accepting or other state under Büchi acceptance: the
    /// first mark, if accepting, and all unused ones.
    pub fn leaving(accepting: bool) -> AcceptanceMarks {
        if accepting { AcceptanceMarks::ALL } else { AcceptanceMarks::ALL.without(0) }
    }

    /// All marks but one.
    #[must_use]
    pub fn without(self, mark: u32) -> AcceptanceMarks {
        AcceptanceMarks(self.0 & !(1 << mark))
    }

    /// Whether it has this mark.
    pub fn has(self, mark: u32) -> bool {
        self.0 >> mark & 1 == 1
    }

    /// Whether it has all marks.
    pub fn is_all(self) -> bool {
        self == AcceptanceMarks::ALL
    }
}

impl BitOr for AcceptanceMarks {
    type Output = AcceptanceMarks;

    fn bitor(self, other: AcceptanceMarks) -> AcceptanceMarks {
        AcceptanceMarks(self.0 | other.0)
    }
}

/// Which cycles within a component of a claim accept.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum CycleKind {
    /// None, or the component has no cycles.
    Never,
    /// Some, or unknown.
    #[default]
    Sometimes,
    /// All.
    Always,
}

/// The strongly connected component of the claim that a state belongs to. A cycle stays within
/// one component.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct ClaimComponent {
    /// Its number.
    pub number: u32,
    /// Which of its cycles accept.
    pub cycles: CycleKind,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_accepting_state_is_enough_where_nothing_else_is_asked_for() {
        let (yes, no) = (AcceptanceMarks::leaving(true), AcceptanceMarks::leaving(false));
        assert!(yes.is_all() && !no.is_all() && !(no | no).is_all() && (no | yes).is_all());
        assert!(!no.has(0) && no.has(1) && yes.has(0));
    }
}
