//! The classification of automata agrees with their semantics.

use beeline_logic::{
    AutomatonClasses, Buchi, CycleAcceptance, Formula, Fragment, Strength, accepts, parse,
    translate,
};

use crate::random::Dice;

fn automaton(text: &str) -> Buchi {
    translate(&parse(text, &mut Vec::new()).expect("well-formed"))
}

#[test]
fn shapes_are_those_of_the_textbook() {
    let check = |text: &str, shape: Strength| {
        assert_eq!(AutomatonClasses::of(&automaton(text)).shape(), shape, "{text}");
    };
    check("a U b", Strength::Terminal);
    check("<>(a && X b)", Strength::Terminal);
    check("true", Strength::Terminal);
    check("[]a", Strength::Weak);
    check("<>[]a", Strength::Weak);
    check("[]a || <>b", Strength::Weak);
    check("[]<>a", Strength::General);
    check("[](a -> <>b)", Strength::General);
}

#[test]
fn only_what_nothing_satisfies_is_empty() {
    for (text, empty) in [
        ("false", true),
        ("a && !a", true),
        ("[]a && <>!a", true),
        ("[]<>a && <>[]!a", true),
        ("X false", true),
        ("a", false),
        ("[]<>a && []<>!a", false),
    ] {
        assert_eq!(AutomatonClasses::of(&automaton(text)).is_empty(), empty, "{text}");
    }
}

#[test]
fn what_is_true_needs_one_state() {
    for text in ["true", "a || !a", "<>a || []!a", "(a U b) || !(a U b)", "[]a -> a"] {
        let automaton = automaton(text);
        assert_eq!(automaton.states.len(), 1, "{text}\n{automaton}");
        assert!(AutomatonClasses::of(&automaton).accepts_everything(automaton.start), "{text}");
    }
}

#[test]
fn safety_and_guarantee_give_what_they_promise() {
    let mut dice = Dice::new(12);
    let (mut safe, mut reached) = (0, 0);
    for _ in 0..1500 {
        let size = 1 + dice.below(12);
        let formula = dice.formula(size, 2);
        let fragment = Fragment::of(&formula);
        let classes = AutomatonClasses::of(&translate(&formula));
        if fragment.obligation {
            assert_ne!(classes.shape(), Strength::General, "{formula}");
        }
        if fragment.co_safety {
            assert_eq!(classes.shape(), Strength::Terminal, "{formula}\n{}", translate(&formula));
            reached += 1;
        }
        safe += usize::from(fragment.safety);
    }
    assert!(safe > 300 && reached > 300, "{safe} {reached}");
}

#[test]
fn facts_about_states_hold_on_random_words() {
    let mut dice = Dice::new(13);
    for _ in 0..400 {
        let formula = dice.formula(12, 3);
        let automaton = translate(&formula);
        let classes = AutomatonClasses::of(&automaton);
        for (number, state) in automaton.states.iter().enumerate() {
            let number = number as u32;
            for edge in &state.edges {
                assert!(classes.component(edge.to) <= classes.component(number));
            }
            if classes.cycles(number) == CycleAcceptance::Always
                && classes.shape() == Strength::Terminal
            {
                assert!(classes.accepts_everything(number), "{automaton}");
            }
            let from = Buchi { start: number, states: automaton.states.clone() };
            let inside = AutomatonClasses::of(&from);
            for _ in 0..10 {
                let accepted = accepts(&from, &dice.word(3));
                assert!(accepted || !classes.accepts_everything(number), "{automaton}");
                assert!(!(accepted && inside.is_empty()), "{automaton}");
            }
        }
    }
}

#[test]
fn a_deterministic_automaton_has_one_way_for_every_letter() {
    assert!(AutomatonClasses::of(&automaton("a U b")).is_deterministic());
    assert!(AutomatonClasses::of(&automaton("[]<>a")).is_deterministic());
    assert!(AutomatonClasses::of(&automaton("[]a || <>b")).is_deterministic());
    assert!(!AutomatonClasses::of(&automaton("<>[]a")).is_deterministic());
    let persistent = Formula::atom(0).always().eventually();
    assert_eq!(translate(&persistent).states.len(), 2);
}

#[test]
fn formulas_that_cannot_tell_stuttering_are_so_called() {
    let mut dice = Dice::new(6);
    for _ in 0..300 {
        let formula = dice.stutter_invariant(8, 2);
        assert!(Fragment::of(&formula).stutter_invariant, "{formula}");
    }
}
