//! What a heuristic says about a step, beside what it says about states.

/// Advice about a step from a state. The order is the order of hope.
///
/// It is for direction only: no search leaves a step out because of it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum StepPreference {
    /// An error is as near without this step as with it.
    Useless,
    /// Nothing is known.
    #[default]
    Plain,
    /// The step is one of those that seem to lead to an error.
    Preferred,
}

impl StepPreference {
    /// What two say together: one who prefers the step is heard, then one who calls it
    /// useless, for both know something about it.
    #[must_use]
    pub fn combined(self, other: StepPreference) -> StepPreference {
        match (self, other) {
            (StepPreference::Plain, preference) | (preference, StepPreference::Plain) => preference,
            (one, two) => one.max(two),
        }
    }

    /// Joins what someone says about several steps to what was said before. Who has nothing to
    /// say says nothing.
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
