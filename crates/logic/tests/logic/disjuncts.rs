//! Formulas that are divided: disjunctions, and conjunctions of independent parts.

use std::time::{Duration, Instant};

use beeline_logic::{
    AutomatonClasses, AutomatonTooLarge, Formula, accepts, is_satisfiable_within, satisfies,
    translate, translate_disjuncts, translate_within,
};

use crate::random::Dice;

#[test]
fn the_union_accepts_what_the_automaton_of_the_whole_accepts() {
    let mut dice = Dice::new(77);
    for number in 0..1_500 {
        let atoms = 1 + number % 4;
        let mut part = || {
            let size = 1 + dice.below(8);
            dice.formula(size, atoms)
        };
        let formula = part().and(part()).and(part()).not();
        let whole = translate(&formula);
        let union = translate_disjuncts(&formula, usize::MAX).expect("there is no limit");
        for _ in 0..20 {
            let word = dice.word(atoms);
            let truth = satisfies(&formula, &word);
            assert_eq!(accepts(&whole, &word), truth, "{formula}\non {word:?}\n{whole}");
            assert_eq!(accepts(&union, &word), truth, "{formula}\non {word:?}\n{union}");
        }
    }
}

#[test]
fn a_formula_is_satisfiable_if_its_automaton_has_a_word() {
    let mut dice = Dice::new(78);
    for number in 0..2_000 {
        let atoms = 1 + number % 5;
        let size = 1 + dice.below(20);
        let formula = dice.formula(size, atoms);
        let empty = AutomatonClasses::of(&translate(&formula)).is_empty();
        assert_eq!(is_satisfiable_within(&formula, usize::MAX), Ok(!empty), "{formula}");
    }
}

/// Twelve conjuncts with two atoms each.
fn twelve(conjunct: impl Fn(Formula, Formula) -> Formula) -> Formula {
    let each = (0..12).map(|at| conjunct(Formula::atom(2 * at), Formula::atom(2 * at + 1)));
    each.reduce(Formula::and).expect("twelve")
}

#[test]
fn twelve_conjuncts_take_no_time() {
    let start = Instant::now();
    let answer = |a: Formula, b: Formula| a.implies(b.eventually()).always();
    let persistent = |a: Formula, b: Formula| answer(a, b).eventually();
    let fair = |a: Formula, b: Formula| a.eventually().always().implies(b.eventually().always());
    let order = |a: Formula, b: Formula| a.not().until(b);
    let all = [twelve(answer), twelve(persistent), twelve(fair), twelve(order)];
    let mut dice = Dice::new(79);
    for formula in all {
        let violations = translate_within(&formula.clone().not(), 200_000).expect("small");
        assert!(violations.states.len() <= 12 * 4 + 1, "{}", violations.states.len());
        assert_eq!(is_satisfiable_within(&formula, 20_000), Ok(true));
        let contradiction = formula.clone().and(Formula::atom(0).and(Formula::atom(0).not()));
        assert_eq!(is_satisfiable_within(&contradiction, 20_000), Ok(false));
        for _ in 0..20 {
            let word = dice.word(24);
            assert_eq!(accepts(&violations, &word), !satisfies(&formula, &word));
        }
    }
    assert!(start.elapsed() < Duration::from_secs(5), "{:?}", start.elapsed());
}

#[test]
fn parts_with_common_atoms_are_not_divided() {
    let (a, b, c) = (Formula::atom(0), Formula::atom(1), Formula::atom(2));
    let chained = a.clone().iff(b.clone()).and(b.iff(c.clone())).and(a.iff(c.not()));
    assert_eq!(is_satisfiable_within(&chained, usize::MAX), Ok(false));
    let all = (0..24).map(|n| Formula::atom(n).until(Formula::atom((n + 1) % 24)));
    let all = all.reduce(Formula::and).expect("some");
    assert_eq!(is_satisfiable_within(&all, 100), Err(AutomatonTooLarge));
}
