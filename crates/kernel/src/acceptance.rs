//! Which cycles must not be: what a state space says about going round for ever.
//!
//! A cycle must not be if it passes an accepting state (Büchi acceptance), or, where that
//! is not enough, if its moves together bear all marks there are (generalised acceptance,
//! with which weak fairness is expressed: each process moves, or cannot).

use std::ops::BitOr;

/// What a move adds to a cycle, as a set. A cycle whose moves have all of them together
/// must not be. Marks that nobody uses are on every move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct AcceptanceMarks(pub u64);

impl AcceptanceMarks {
    /// No mark.
    pub const NONE: AcceptanceMarks = AcceptanceMarks(0);
    /// All marks.
    pub const ALL: AcceptanceMarks = AcceptanceMarks(u64::MAX);
    /// How many there are.
    pub const COUNT: u32 = u64::BITS;

    /// The marks of a move out of a state that is accepting or not, where that is all there
    /// is: the first one, and those nobody uses.
    pub fn leaving(accepting: bool) -> AcceptanceMarks {
        if accepting { AcceptanceMarks::ALL } else { AcceptanceMarks::ALL.without(0) }
    }

    /// All but one.
    #[must_use]
    pub fn without(self, mark: u32) -> AcceptanceMarks {
        AcceptanceMarks(self.0 & !(1 << mark))
    }

    /// Whether it has this one.
    pub fn has(self, mark: u32) -> bool {
        self.0 >> mark & 1 == 1
    }

    /// Whether nothing is missing.
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

/// Cycles within a component of a claim.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum CycleKind {
    /// None of them passes an accepting state, or there are no cycles.
    Never,
    /// It depends on the cycle.
    #[default]
    Sometimes,
    /// Each of them passes one.
    Always,
}

/// The strongly connected component of a claim that a state belongs to. A cycle of states
/// stays within one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct ClaimComponent {
    /// Its number.
    pub number: u32,
    /// What its cycles are like.
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
