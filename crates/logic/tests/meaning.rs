//! Automata accept exactly the words that satisfy their formulas.
//!
//! Each formula and its negation are translated, and both automata are asked about
//! random words whose truth is known without any translation.

mod literature;
mod random;

use beeline_logic::{Formula, accepts, satisfies, translate};
use random::Dice;

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
    for number in 0..3200 {
        let atoms = 1 + number % 4;
        let size = 1 + dice.below(25);
        let formula = dice.formula(size, atoms);
        check(&formula, atoms, 20, &mut dice);
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
