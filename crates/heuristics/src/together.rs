//! What several heuristics say together about steps.

use beeline_kernel::{Advice, Expansion, Heuristic};

/// The advice of all of them.
pub(crate) fn advise_together(
    each: &mut [Box<dyn Heuristic + '_>],
    state: &[u8],
    successors: &Expansion,
    advice: &mut Vec<Advice>,
) {
    advice.clear();
    let mut one = Vec::new();
    for heuristic in each {
        heuristic.advise(state, successors, &mut one);
        Advice::join_all(advice, &one);
    }
}

#[cfg(test)]
mod tests {
    use beeline_kernel::{Advice, Blind, Claims, Cost, Estimate, Expansion, Heuristic};

    use crate::{Maximum, Total, Weighted};

    /// Prefers the way to its own state, and has no use for others.
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

        fn advise(&mut self, _: &[u8], successors: &Expansion, advice: &mut Vec<Advice>) {
            let prefers = |state: &[u8]| state == [self.0];
            let of = |state| if prefers(state) { Advice::Preferred } else { Advice::Useless };
            advice.clear();
            advice.extend(successors.states().map(of));
        }

        fn fork(&self) -> Box<dyn Heuristic + '_> {
            Box::new(Towards(self.0))
        }
    }

    #[test]
    fn combinations_pass_advice_on() {
        let mut successors = Expansion::default();
        (1..4).for_each(|to| successors.push(&[to]));
        let both = || -> Vec<Box<dyn Heuristic>> {
            vec![Box::new(Blind), Box::new(Towards(1)), Box::new(Towards(3))]
        };
        let mut advice = Vec::new();
        let expected = [Advice::Preferred, Advice::Useless, Advice::Preferred];
        Maximum::new(both()).advise(&[0], &successors, &mut advice);
        assert_eq!(advice, expected);
        Total::new(both()).advise(&[0], &successors, &mut advice);
        assert_eq!(advice, expected);
        Weighted::new(Box::new(Towards(2)), 3.0).advise(&[0], &successors, &mut advice);
        assert_eq!(advice, [Advice::Useless, Advice::Preferred, Advice::Useless]);
        Weighted::new(Box::new(Blind), 3.0).advise(&[0], &successors, &mut advice);
        assert!(advice.is_empty());
    }
}
