//! Preferences of a heuristic among the steps of a state.

/// Rating of a step by a heuristic, from worst to best.
///
/// It only orders steps: no search prunes a step because of it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum StepPreference {
    /// The step brings no error nearer.
    Useless,
    /// No rating.
    #[default]
    Plain,
    /// The step seems to lead to an error (a preferred operator in planning).
    Preferred,
}

impl StepPreference {
    /// Combines two ratings: preferred wins over useless, and useless over plain.
    #[must_use]
    pub fn combined(self, other: StepPreference) -> StepPreference {
        match (self, other) {
            (StepPreference::Plain, preference) | (preference, StepPreference::Plain) => preference,
            (one, two) => one.max(two),
        }
    }

    /// Combines the ratings of several steps with `others`. An empty list rates nothing.
    pub fn combine_all(all: &mut Vec<StepPreference>, others: &[StepPreference]) {
        if all.is_empty() {
            all.extend_from_slice(others);
        } else {
            all.iter_mut().zip(others).for_each(|(one, &other)| *one = one.combined(other));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::StepPreference::{Plain, Preferred, Useless};
    use super::*;

    #[test]
    fn who_knows_something_is_heard() {
        for (one, two, both) in [
            (Plain, Plain, Plain),
            (Plain, Useless, Useless),
            (Plain, Preferred, Preferred),
            (Useless, Useless, Useless),
            (Useless, Preferred, Preferred),
            (Preferred, Preferred, Preferred),
        ] {
            assert_eq!((one.combined(two), two.combined(one)), (both, both));
        }
        let mut all = Vec::new();
        StepPreference::combine_all(&mut all, &[]);
        assert!(all.is_empty());
        StepPreference::combine_all(&mut all, &[Plain, Useless]);
        StepPreference::combine_all(&mut all, &[]);
        StepPreference::combine_all(&mut all, &[Preferred, Plain]);
        assert_eq!(all, [Preferred, Useless]);
    }
}
