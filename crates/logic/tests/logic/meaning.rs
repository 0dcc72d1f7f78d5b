//! Automata accept exactly the words that satisfy their formulas.
//!
//! Each formula and its negation are translated, and both automata are evaluated on random words.
//! The semantics of formulas (`word.rs`) gives the expected result without any translation.

use beeline_logic::{
    Atom, AutomatonClasses, Buchi, Formula, Letters, Word, accepts, satisfies, translate,
};
use beeline_test_size::portion;

use crate::literature;
use crate::random::Dice;

fn check(formula: &Formula, atoms: usize, words: usize, dice: &mut Dice) {
    let (yes, no) = (translate(formula), translate(&formula.clone().not()));
    for _ in 0..words {
        let word = dice.word(atoms);
        let truth = satisfies(formula, &word);
        assert_eq!(accepts(&yes, &word), truth, "{formula}\non {word:?}\n{yes}");
        assert_eq!(accepts(&no, &word), !truth, "not {formula}\non {word:?}\n{no}");
    }
}

#[test]
fn automata_of_random_formulas_accept_what_satisfies_them() {
    let mut dice = Dice::new(1);
    for number in 0..portion(3200) {
        let atoms = 1 + number % 4;
        let size = 1 + dice.below(25);
        let formula = dice.formula(size, atoms);
        check(&formula, atoms, 20, &mut dice);
    }
}

/// All words over one atom whose stem and cycle have up to three letters.
fn short_words() -> Vec<Word> {
    let parts: Vec<Vec<Letters>> = (0..4)
        .flat_map(|length| (0..1 << length).map(move |bits| (length, bits)))
        .map(|(length, bits)| {
            (0..length).map(|at| if bits >> at & 1 == 1 { vec![Atom(0)] } else { vec![] }).collect()
        })
        .collect();
    let pairs = parts.iter().flat_map(|stem| parts.iter().map(move |cycle| (stem, cycle)));
    pairs.filter_map(|(stem, cycle)| Word::new(stem.clone(), cycle.clone())).collect()
}

#[test]
fn automata_are_right_about_all_short_words_over_one_atom() {
    let words = short_words();
    assert_eq!(words.len(), 15 * 14);
    let mut dice = Dice::new(21);
    for _ in 0..600 {
        let size = 1 + dice.below(12);
        let formula = dice.formula(size, 1);
        let automaton = translate(&formula);
        for word in &words {
            let truth = satisfies(&formula, word);
            assert_eq!(accepts(&automaton, word), truth, "{formula}\non {word:?}\n{automaton}");
        }
    }
}

/// Whether two automata accept a common word: some pair of states lies on a cycle through
/// pairs that accept on the left, and through pairs that accept on the right.
fn meet(one: &Buchi, two: &Buchi) -> bool {
    let width = two.states.len();
    let next = |node: usize| {
        let (left, right) = (&one.states[node / width], &two.states[node % width]);
        let pairs = left.edges.iter().flat_map(|a| right.edges.iter().map(move |b| (a, b)));
        let fitting = pairs.filter(|(a, b)| a.guard.meets(&b.guard));
        fitting.map(|(a, b)| a.to as usize * width + b.to as usize).collect::<Vec<_>>()
    };
    let reached = |from: Vec<usize>| {
        let mut seen = vec![false; one.states.len() * width];
        let mut waiting = from;
        while let Some(node) = waiting.pop() {
            if !std::mem::replace(&mut seen[node], true) {
                waiting.extend(next(node));
            }
        }
        seen
    };
    let first = reached(vec![one.start as usize * width + two.start as usize]);
    (0..first.len()).filter(|&node| first[node] && one.states[node / width].accepting).any(|node| {
        let after = reached(next(node));
        let mut others = (0..after.len()).filter(|&other| after[other]);
        others.any(|other| two.states[other % width].accepting && reached(next(other))[node])
    })
}

#[test]
fn a_formula_and_its_negation_have_no_word_in_common() {
    let mut dice = Dice::new(22);
    for number in 0..500 {
        let size = 1 + dice.below(14);
        let formula = dice.formula(size, 1 + number % 3);
        let (yes, no) = (translate(&formula), translate(&formula.clone().not()));
        if yes.states.len() * no.states.len() <= 150 {
            assert!(!meet(&yes, &no), "{formula}\n{yes}\n{no}");
        }
        assert_eq!(meet(&yes, &yes), !AutomatonClasses::of(&yes).is_empty(), "{formula}");
    }
}

#[test]
fn an_automaton_is_the_same_every_time() {
    let mut dice = Dice::new(23);
    for _ in 0..300 {
        let formula = dice.formula(18, 3);
        assert_eq!(translate(&formula), translate(&formula), "{formula}");
    }
}

#[test]
fn automata_of_the_literature_accept_what_satisfies_them() {
    let mut dice = Dice::new(2);
    let all = literature::all();
    assert_eq!(all.len(), 55 + 27 + 12);
    for (_, _, formula) in all {
        let atoms = formula.atoms().len();
        check(&formula, atoms, 150, &mut dice);
    }
}

#[test]
fn automata_of_families_accept_what_satisfies_them() {
    let mut dice = Dice::new(3);
    for size in 1..=6 {
        let each = || (0..size).map(Formula::atom);
        let recurrent = each().map(|atom| atom.eventually().always());
        let persistent = each().map(|atom| atom.always().eventually());
        let reached = each().map(Formula::eventually);
        let families = [
            recurrent.clone().fold(Formula::True, Formula::and),
            recurrent.fold(Formula::False, Formula::or),
            persistent.clone().fold(Formula::True, Formula::and),
            persistent.fold(Formula::False, Formula::or),
            reached.fold(Formula::True, Formula::and),
            each().reduce(Formula::until).expect("not empty"),
            each().rev().reduce(|right, left| left.until(right)).expect("not empty"),
            each().reduce(Formula::release).expect("not empty"),
            each().rev().reduce(|right, left| left.release(right)).expect("not empty"),
        ];
        for formula in families {
            check(&formula, size as usize, 40, &mut dice);
        }
    }
}
