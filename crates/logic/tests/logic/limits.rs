//! Deep, wide and expensive formulas: no stack overflow, and bounded time.

use beeline_logic::{
    AutomatonTooLarge, Formula, Word, accepts, parse, satisfies, translate, translate_within,
};

use crate::random::Dice;

fn check(formula: &Formula, atoms: usize) {
    let automaton = translate(formula);
    let mut dice = Dice::new(9);
    for _ in 0..10 {
        let word = dice.word(atoms);
        assert_eq!(accepts(&automaton, &word), satisfies(formula, &word));
    }
}

fn nest(depth: u32, step: impl Fn(u32, Formula) -> Formula) -> Formula {
    (0..depth).fold(Formula::atom(0), |inner, level| step(level, inner))
}

#[test]
fn a_thousand_unary_operators_do_no_harm() {
    check(&nest(1000, |_, inner| inner.not()), 1);
    check(&nest(1000, |_, inner| inner.next()), 1);
    check(&nest(1000, |_, inner| inner.eventually()), 1);
    check(&nest(1001, |n, inner| if n % 2 == 0 { inner.eventually() } else { inner.always() }), 1);
    check(&nest(1000, |n, inner| if n % 2 == 0 { inner.next() } else { inner.not() }), 1);
}

#[test]
fn a_thousand_binary_operators_do_no_harm() {
    let other = |level: u32| Formula::atom(1 + level % 2);
    check(&nest(1000, |n, inner| other(n).and(inner)), 3);
    check(&nest(1000, |n, inner| inner.or(other(n))), 3);
    check(&nest(1000, |n, inner| other(n).implies(inner)), 3);
    check(&nest(1000, |n, inner| other(n).iff(inner)), 3);
    check(&nest(1000, |_, inner| Formula::atom(1).until(inner)), 3);
    check(&nest(1000, |n, inner| other(n).and(inner.next())), 3);
    check(&nest(300, |n, inner| other(n).until(inner)), 3);
    check(&nest(300, |n, inner| other(n).release(inner)), 3);
}

#[test]
fn two_hundred_atoms_do_no_harm() {
    check(&(0..200).map(Formula::atom).fold(Formula::True, Formula::and).always(), 200);
    check(&(0..200).map(Formula::atom).fold(Formula::False, Formula::or).eventually(), 200);
    check(
        &(0..200).rev().map(Formula::atom).reduce(|right, left| left.until(right)).expect("some"),
        200,
    );
}

#[test]
fn formulas_with_twenty_atoms_are_translated() {
    let each = || (0..20).map(Formula::atom);
    check(&each().fold(Formula::True, Formula::and).always().eventually(), 20);
    check(&each().map(Formula::always).fold(Formula::False, Formula::or), 20);
    check(&each().rev().reduce(|right, left| left.until(right)).expect("some"), 20);
    check(&each().fold(Formula::False, |all, atom| all.or(atom.always().eventually())), 20);
    // Many conjunctions of three literals.
    let mut dice = Dice::new(4);
    let cubes = (0..300).map(|_| {
        let mut literal = || {
            let atom = Formula::atom(dice.below(20) as u32);
            if dice.below(2) == 0 { atom } else { atom.not() }
        };
        literal().and(literal()).and(literal())
    });
    check(&cubes.fold(Formula::False, Formula::or).always(), 20);
}

#[test]
fn recurrences_stay_small() {
    for count in 1..=6 {
        let each = (0..count).map(|atom| Formula::atom(atom).eventually().always());
        let automaton = translate(&each.fold(Formula::True, Formula::and));
        assert!(automaton.states.len() <= count as usize + 1, "{automaton}");
    }
}

#[test]
fn what_would_be_too_large_is_refused() {
    let parity = (0..24).map(Formula::atom).reduce(Formula::iff).expect("some");
    assert_eq!(translate_within(&parity, 1000), Err(AutomatonTooLarge));
    let all = (0..24).map(|n| Formula::atom(n).eventually()).fold(Formula::True, Formula::and);
    assert_eq!(translate_within(&all, 1000), Err(AutomatonTooLarge));
    assert!(translate_within(&Formula::atom(0).eventually(), 1000).is_ok());
}

#[test]
fn texts_that_are_nested_too_deeply_are_refused() {
    let deep = "(".repeat(100_000);
    assert!(parse(&deep, &mut Vec::new()).is_err());
    let fine = format!("{}a{}", "!(".repeat(900), ")".repeat(900));
    assert!(parse(&fine, &mut Vec::new()).is_ok());
}

#[test]
fn a_word_needs_a_cycle() {
    assert_eq!(Word::new(vec![Vec::new()], Vec::new()), None);
}
