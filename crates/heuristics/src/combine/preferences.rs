//! Step preferences of several heuristics, combined.

use beeline_kernel::{Expansion, Heuristic, StepPreference};

/// The joined preferences of all heuristics.
pub(crate) fn combine_preferences(
    each: &mut [Box<dyn Heuristic + '_>],
    state: &[u8],
    successors: &Expansion,
    preferences: &mut Vec<StepPreference>,
) {
    preferences.clear();
    let mut one = Vec::new();
    for heuristic in each {
        heuristic.step_preferences(state, successors, &mut one);
        StepPreference::combine_all(preferences, &one);
    }
}

#[cfg(test)]
mod tests {
    use beeline_kernel::{Blind, Claims, Cost, Estimate, Expansion, Heuristic, StepPreference};

    use crate::{Max, Sum, Weighted};

    /// Prefers the transition to one state; others are useless.
    #[derive(Clone)]
    struct Towards(u8);

    impl Heuristic for Towards {
        fn name(&self) -> &str {
            "towards"
        }

        fn claims(&self) -> Claims {
            Claims::NONE
        }

        fn estimate(&mut self, _: &[u8]) -> Estimate {
            Estimate::Finite(Cost(1))
        }

        fn step_preferences(
            &mut self,
            _: &[u8],
            successors: &Expansion,
            preferences: &mut Vec<StepPreference>,
        ) {
            let prefers = |state: &[u8]| state == [self.0];
            let of = |state| {
                if prefers(state) { StepPreference::Preferred } else { StepPreference::Useless }
            };
            preferences.clear();
            preferences.extend(successors.states().map(of));
        }
    }

    #[test]
    fn combinations_pass_advice_on() {
        let mut successors = Expansion::default();
        (1..4).for_each(|to| successors.push(&[to]));
        let both = || -> Vec<Box<dyn Heuristic>> {
            vec![Box::new(Blind), Box::new(Towards(1)), Box::new(Towards(3))]
        };
        let mut preferences = Vec::new();
        let expected =
            [StepPreference::Preferred, StepPreference::Useless, StepPreference::Preferred];
        Max::new(both()).step_preferences(&[0], &successors, &mut preferences);
        assert_eq!(preferences, expected);
        Sum::new(both()).step_preferences(&[0], &successors, &mut preferences);
        assert_eq!(preferences, expected);
        Weighted::new(Box::new(Towards(2)), 3.0).step_preferences(
            &[0],
            &successors,
            &mut preferences,
        );
        assert_eq!(
            preferences,
            [StepPreference::Useless, StepPreference::Preferred, StepPreference::Useless]
        );
        Weighted::new(Box::new(Blind), 3.0).step_preferences(&[0], &successors, &mut preferences);
        assert!(preferences.is_empty());
    }
}
