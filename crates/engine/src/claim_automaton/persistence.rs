//! Claims that wait, and from some state on see one condition for ever, as those of `[]<> p` and of
//! progress labels do.
//!
//! Source: the persistence properties of [MP90].

use super::{Claim, ClaimMove};

/// The two states of such a claim.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct PersistenceClaim {
    /// The initial state, where the claim can always stay.
    pub(crate) before: u32,
    /// The accepting state, where it stays as long as the condition holds.
    pub(crate) within: u32,
}

impl Claim {
    /// The two states, if the claim has this form: it accepts exactly the runs that satisfy a
    /// condition of single states from some state on.
    pub(crate) fn persistence(&self) -> Option<PersistenceClaim> {
        let before = &self.states[self.start as usize];
        if before.accepting || self.counts_labels {
            return None;
        }
        let stays = |step: &&ClaimMove| step.to == self.start;
        let (staying, entering): (Vec<_>, Vec<_>) = before.moves.iter().partition(stays);
        let within = entering.first()?.to;
        let inside = &self.states[within as usize];
        // A state inside satisfies a condition under which the claim enters.
        let enters = |inner: &ClaimMove| {
            let holds = |step: &&ClaimMove| step.when.iter().all(|one| inner.when.contains(one));
            entering.iter().any(holds)
        };
        let is_persistence = staying.iter().any(|step| step.when.is_empty())
            && entering.iter().all(|step| step.to == within)
            && inside.accepting
            && inside.moves.iter().all(|step| step.to == within && enters(step))
            && before.moves.iter().chain(&inside.moves).all(|step| !step.violated);
        is_persistence.then_some(PersistenceClaim { before: self.start, within })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::claim_automaton::{ClaimCondition, ClaimLiteral};

    #[test]
    fn progress_is_persistence_and_acceptance_is_not() {
        let states = PersistenceClaim { before: 0, within: 1 };
        assert_eq!(Claim::progress().persistence(), Some(states));
        assert_eq!(Claim::acceptance().persistence(), None);
    }

    #[test]
    fn a_claim_that_may_enter_too_late_or_leave_is_none() {
        let other = ClaimLiteral { condition: ClaimCondition::Holds(0), is: true };
        let mut late = Claim::progress();
        late.states[0].moves[0].when.push(other);
        assert_eq!(late.persistence(), None);
        let mut leaves = Claim::progress();
        let back = ClaimMove { to: 0, ..leaves.states[1].moves[0].clone() };
        leaves.states[1].moves.push(back);
        assert_eq!(leaves.persistence(), None);
        let mut early = Claim::progress();
        early.states[0].moves[0].when.clear();
        assert!(early.persistence().is_some());
    }
}
