//! The choice of a reduction for each stored state: one byte each.
//!
//! A state that is expanded again, on a cheaper path, keeps its choice. So there is a single
//! reduced space, independent of costs.

use beeline_kernel::StateId;

/// The transitions that are kept of a state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Choice {
    /// All.
    All,
    /// The proposed set of this number.
    Set(u8),
}

const ALL: u8 = 1;
const FIRST: u8 = 2;

/// The number of sets that a byte distinguishes. Further proposals are ignored.
pub(super) const SETS: usize = (u8::MAX - FIRST) as usize;

/// The choices, by state.
#[derive(Clone, Debug, Default)]
pub struct ChosenSets(Vec<u8>);

impl ChosenSets {
    /// The choice for a state, if it was made.
    #[inline]
    pub(crate) fn of(&self, id: StateId) -> Option<Choice> {
        match self.0.get(id.index()).copied().unwrap_or(0) {
            0 => None,
            ALL => Some(Choice::All),
            set => Some(Choice::Set(set - FIRST)),
        }
    }

    /// Records a choice.
    #[inline]
    pub(crate) fn note(&mut self, id: StateId, choice: Choice) {
        if id.index() >= self.0.len() {
            self.0.resize(id.index() + 1, 0);
        }
        self.0[id.index()] = match choice {
            Choice::All => ALL,
            Choice::Set(number) => FIRST + number,
        };
    }

    /// Memory held.
    #[inline]
    pub(crate) fn bytes(&self) -> usize {
        self.0.capacity()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn choices_are_remembered() {
        let id = |index| StateId::new(index).expect("a small number");
        let mut made = ChosenSets::default();
        let choices = [Choice::All, Choice::Set(0), Choice::Set(SETS as u8 - 1)];
        for (at, &choice) in choices.iter().enumerate() {
            assert_eq!(made.of(id(2 * at)), None);
            made.note(id(2 * at), choice);
        }
        for (at, &choice) in choices.iter().enumerate() {
            assert_eq!(made.of(id(2 * at)), Some(choice));
            assert_eq!(made.of(id(2 * at + 1)), None);
        }
    }
}
