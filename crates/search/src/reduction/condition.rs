//! The cycle condition C3: when a state may postpone transitions that its successors could postpone
//! again.
//!
//! A transition that is postponed along a whole cycle is ignored, and so are the errors after it.
//! The conditions depend on the status of the chosen successors when a state is expanded.
//!
//! Source: [EMJ05], "Partial Order Reduction": C3stack, C3⁻stack, C3duplicate, C3⁻duplicate.
//! [`CycleCondition::Open`] is weaker than those, and ours.
//!
//! Implications, for the searches in which both conditions make sense:
//!
//! ```text
//! duplicate ⇒ stack      ⇒ stack- ⇒ none
//! duplicate ⇒ duplicate- ⇒ open   ⇒ none
//!                          open   ⇒ stack-
//! ```
//!
//! So `duplicate` keeps the most transitions, and of those that are sound for safety, `stack-` and
//! `open` keep the fewest, `stack-` fewer where there is a stack.

use std::fmt;

/// The status of a successor when its parent is expanded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SuccessorStatus {
    /// It was not generated before.
    New,
    /// It is open, and will be expanded for the first time later.
    Waiting,
    /// It was expanded, and is not on the path of the search.
    Expanded,
    /// It is on the path of a depth-first search, as is the state that is being expanded.
    OnStack,
}

/// The requirement on the chosen successors of a state, so that its other transitions may be
/// postponed.
///
/// "Safety" means deadlocks, faults and violated invariants; "liveness" cycles, for a reduced space
/// that is searched once and as a whole. A search that visits states a second time, and would
/// reduce them anew, needs [`Reduced`](super::Reduced) instead.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum CycleCondition {
    /// No requirement. Sound for deadlocks in every search; sound for all errors if the reducer
    /// guarantees that along each cycle of the model every transition is kept somewhere.
    None,
    /// None is on the stack: C3stack. Sound for safety and liveness, depth-first: the last
    /// transition of a cycle leads back to the stack, so the state before it keeps all transitions.
    Stack,
    /// At least one is not on the stack: C3⁻stack. Sound for safety, depth-first: that one is
    /// left before this state is, and of all states that postpone a transition to one another, the
    /// one that is left first has taken it.
    StackMinus,
    /// None was generated before: C3duplicate. Sound for safety and liveness in every search that
    /// makes one choice for each state: in a cycle, one state was generated first, and the one before
    /// it keeps all transitions.
    Duplicate,
    /// At least one was not generated before: C3⁻duplicate. Sound for safety in every search that
    /// makes one choice for each state.
    DuplicateMinus,
    /// At least one was not expanded before: it is new, or waits. Sound for safety in every
    /// search that makes one choice for each state: that one chooses later, and of all states
    /// that postpone a transition to one another, the one that chooses last has taken it.
    #[default]
    Open,
}

impl CycleCondition {
    /// All of them.
    pub const ALL: [CycleCondition; 6] = [
        CycleCondition::None,
        CycleCondition::Stack,
        CycleCondition::StackMinus,
        CycleCondition::Duplicate,
        CycleCondition::DuplicateMinus,
        CycleCondition::Open,
    ];

    /// The conditions for any search that makes one choice for each state.
    pub const WITHOUT_STACK: [CycleCondition; 4] = [
        CycleCondition::None,
        CycleCondition::Duplicate,
        CycleCondition::DuplicateMinus,
        CycleCondition::Open,
    ];

    /// The conditions for any search that knows whether a state was generated before.
    pub const OF_STATES_MET: [CycleCondition; 3] =
        [CycleCondition::None, CycleCondition::Duplicate, CycleCondition::DuplicateMinus];

    /// Its name.
    pub fn word(self) -> &'static str {
        match self {
            CycleCondition::None => "none",
            CycleCondition::Stack => "stack",
            CycleCondition::StackMinus => "stack-",
            CycleCondition::Duplicate => "duplicate",
            CycleCondition::DuplicateMinus => "duplicate-",
            CycleCondition::Open => "open",
        }
    }

    /// The condition with this name.
    pub fn named(word: &str) -> Option<CycleCondition> {
        Self::ALL.into_iter().find(|condition| condition.word() == word)
    }

    /// Whether it needs the stack of a depth-first search.
    pub fn needs_stack(self) -> bool {
        matches!(self, CycleCondition::Stack | CycleCondition::StackMinus)
    }

    /// Whether it is met by successors with these statuses, which are evaluated lazily.
    #[inline]
    pub(super) fn is_met(self, mut statuses: impl Iterator<Item = SuccessorStatus>) -> bool {
        use SuccessorStatus::{Expanded, New, OnStack, Waiting};
        match self {
            CycleCondition::None => true,
            CycleCondition::Stack => statuses.all(|status| status != OnStack),
            CycleCondition::StackMinus => statuses.any(|status| status != OnStack),
            CycleCondition::Duplicate => statuses.all(|status| status == New),
            CycleCondition::DuplicateMinus => statuses.any(|status| status == New),
            CycleCondition::Open => statuses.any(|status| match status {
                New | Waiting => true,
                Expanded | OnStack => false,
            }),
        }
    }
}

impl fmt::Display for CycleCondition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.word())
    }
}

#[cfg(test)]
mod tests {
    use super::CycleCondition::{Duplicate, DuplicateMinus, None, Open, Stack, StackMinus};
    use super::*;

    /// All sets of one to three successors.
    fn sets() -> impl Iterator<Item = Vec<SuccessorStatus>> {
        const ALL: [SuccessorStatus; 4] = [
            SuccessorStatus::New,
            SuccessorStatus::Waiting,
            SuccessorStatus::Expanded,
            SuccessorStatus::OnStack,
        ];
        let digits = |number: usize| (0..3).map(move |digit| number / 5_usize.pow(digit) % 5);
        let set = move |number| digits(number).filter_map(|d| ALL.get(d).copied()).collect();
        (0..125).map(set).filter(|set: &Vec<SuccessorStatus>| !set.is_empty())
    }

    #[test]
    fn the_hierarchy_is_as_it_is_written_and_no_more() {
        let implied = [
            (Duplicate, Stack),
            (Duplicate, DuplicateMinus),
            (Duplicate, Open),
            (Duplicate, StackMinus),
            (DuplicateMinus, Open),
            (DuplicateMinus, StackMinus),
            (Open, StackMinus),
            (Stack, StackMinus),
        ];
        for one in CycleCondition::ALL {
            for other in CycleCondition::ALL {
                let met = |condition: CycleCondition, set: &[SuccessorStatus]| {
                    condition.is_met(set.iter().copied())
                };
                let implies = sets().all(|set| !met(one, &set) || met(other, &set));
                let expected = one == other || other == None || implied.contains(&(one, other));
                assert_eq!(implies, expected, "{one} implies {other}");
            }
        }
    }

    #[test]
    fn words_are_read_back() {
        for condition in CycleCondition::ALL {
            assert_eq!(CycleCondition::named(condition.word()), Some(condition));
        }
        assert_eq!(CycleCondition::named("stack+"), Option::None);
    }
}
