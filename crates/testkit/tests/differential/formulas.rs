//! Automata of formulas against those of SPIN and lbt: they accept the same words, and
//! ours are not larger.
//!
//! `docs/book/formulas.md` has the sizes; `UPDATE_EXPECT=1` rewrites it. The installed SPIN does
//! not support X, so formulas with X are compared with lbt only.

use std::fmt::Write as _;
use std::time::Duration;

use beeline_logic::{Buchi, Formula, accepts, never, parse, satisfies, translate};
use beeline_testkit::need::Need;
use beeline_testkit::spin;
use expect_test::expect_file;

use crate::claims::{self, Theirs};
use crate::literature;
use crate::random::Dice;

/// Time limit of another program for a formula.
const LIMIT: Duration = Duration::from_secs(60);

/// Formulas for which SPIN needs more than half a minute; they are skipped.
const TOO_SLOW: &[&str] = &[
    literature::PATTERNS[10],
    literature::PATTERNS[12],
    literature::PATTERNS[13],
    literature::PATTERNS[14],
    literature::ETESSAMI_HOLZMANN[9],
];

fn ready(test: &str) -> bool {
    let lbt = Need::Lbt.is_here_or_skip(test);
    spin::available_or_skip(test) && lbt
}

/// The automaton, compared on random words; `None` if it was not computed in time.
fn compared(formula: &Formula, theirs: Result<Theirs, spin::OracleError>) -> Option<Theirs> {
    let theirs = match theirs {
        Ok(theirs) => theirs,
        Err(spin::OracleError::Timeout(program, _)) => {
            println!("SKIPPED by {program}, too slow: {formula}");
            return None;
        }
        Err(error) => panic!("{formula}: {error}"),
    };
    let mut dice = Dice::new(7);
    let atoms = formula.atoms().last().map_or(1, |atom| atom.0 as usize + 1);
    for _ in 0..30 {
        let word = dice.word(atoms);
        let truth = satisfies(formula, &word);
        assert_eq!(accepts(&theirs.automaton, &word), truth, "{formula} on {word:?}");
    }
    Some(theirs)
}

#[derive(Default)]
struct Sizes {
    formulas: usize,
    ours: (usize, usize),
    theirs: (usize, usize),
}

impl Sizes {
    fn add(&mut self, ours: &Buchi, theirs: &Theirs) {
        self.formulas += 1;
        self.ours.0 += ours.states.len();
        self.ours.1 += ours.joined();
        self.theirs.0 += theirs.states;
        self.theirs.1 += theirs.edges;
    }

    fn is_not_larger(&self) -> bool {
        self.ours.0 <= self.theirs.0 && self.ours.1 <= self.theirs.1
    }
}

fn size(states: usize, edges: usize) -> String {
    format!("{states} / {edges}")
}

/// Sums for one set, against one program.
fn total(text: &mut String, set: &str, program: &str, sizes: &Sizes) {
    let (ours, theirs) = (size(sizes.ours.0, sizes.ours.1), size(sizes.theirs.0, sizes.theirs.1));
    let _ = writeln!(text, "| {set} | {program} | {} | {ours} | {theirs} |", sizes.formulas);
    assert!(sizes.is_not_larger(), "{set}, {program}: {ours} is more than {theirs}");
}

#[test]
fn automata_accept_what_those_of_spin_and_lbt_accept_and_are_not_larger() {
    if !ready("automata_accept_what_those_of_spin_and_lbt_accept_and_are_not_larger") {
        return;
    }
    let mut totals = String::new();
    let mut rows = String::new();
    for set in ["patterns", "Somenzi-Bloem", "Etessami-Holzmann"] {
        let (mut with_spin, mut with_lbt) = (Sizes::default(), Sizes::default());
        for (_, text, formula) in literature::all().into_iter().filter(|(name, ..)| *name == set) {
            let ours = translate(&formula);
            let asked = !text.contains('X') && !TOO_SLOW.contains(&text);
            let theirs = asked.then(|| claims::spin(&formula, LIMIT));
            let spins = theirs.and_then(|theirs| compared(&formula, theirs));
            let lbts = compared(&formula, claims::lbt(&formula, LIMIT));
            let show = |theirs: &Option<Theirs>| {
                theirs.as_ref().map_or_else(|| "–".to_owned(), |one| size(one.states, one.edges))
            };
            let own = size(ours.states.len(), ours.joined());
            let (spin, lbt) = (show(&spins), show(&lbts));
            let _ = writeln!(rows, "| `{}` | {own} | {spin} | {lbt} |", text.replace('|', "\\|"));
            spins.iter().for_each(|theirs| with_spin.add(&ours, theirs));
            lbts.iter().for_each(|theirs| with_lbt.add(&ours, theirs));
        }
        total(&mut totals, set, "SPIN", &with_spin);
        total(&mut totals, set, "lbt", &with_lbt);
    }
    let (mut with_spin, mut with_lbt) = (Sizes::default(), Sizes::default());
    let mut dice = Dice::new(11);
    for number in 0..400 {
        let size = 1 + dice.below(12);
        let formula = dice.stutter_invariant(size, 1 + number % 3);
        let ours = translate(&formula);
        let spins = compared(&formula, claims::spin(&formula, LIMIT));
        spins.iter().for_each(|theirs| with_spin.add(&ours, theirs));
        let formula = dice.formula(size, 1 + number % 3);
        let lbts = compared(&formula, claims::lbt(&formula, LIMIT));
        lbts.iter().for_each(|theirs| with_lbt.add(&translate(&formula), theirs));
    }
    total(&mut totals, "random", "SPIN", &with_spin);
    total(&mut totals, "random", "lbt", &with_lbt);
    let page = format!(
        "# Automata of formulas, measured\n\n\
         Numbers of states and edges of the automata that Beeline, SPIN and lbt compute for formulas. Edges\n\
         between the same states count once, as SPIN prints them with `||`. The installed SPIN does\n\
         not support X; lbt's automata have several sets of accepting states, and would be\n\
         larger with one. Five formulas take SPIN more than half a minute each, and are left out.\n\
         Random formulas have up to 12 operators and atoms. A test writes this\n\
         page: `crates/testkit/tests/differential/formulas.rs`.\n\n\
         ## Sums\n\n\
         | formulas | compared with | number | Beeline | other tool |\n|---|---|---|---|---|\n{totals}\n\
         ## Each formula\n\n\
         | formula | Beeline | SPIN | lbt |\n|---|---|---|---|\n{rows}"
    );
    expect_file!["../../../../docs/book/formulas.md"].assert_eq(&page);
}

#[test]
fn spin_reads_the_never_claims_that_are_printed() {
    if !spin::available_or_skip("spin_reads_the_never_claims_that_are_printed") {
        return;
    }
    let mut dice = Dice::new(5);
    let scratch = spin::Scratch::new().expect("a directory can be made");
    let mut formulas: Vec<Formula> = (0..40).map(|_| dice.stutter_invariant(9, 3)).collect();
    for text in ["true", "false", "[]<>a", "a U b", "<>[]a", "[](a -> <>b)", "a && <>b"] {
        formulas.push(parse(text, &mut Vec::new()).expect("well-formed"));
    }
    for (number, formula) in formulas.iter().enumerate() {
        let automaton = translate(formula);
        let claim = never::never(&automaton, &formula.to_string(), &|atom| format!("p{}", atom.0));
        let theirs = claims::read_claim(&claim);
        for _ in 0..20 {
            let word = dice.word(3);
            assert_eq!(accepts(&theirs.automaton, &word), satisfies(formula, &word), "{claim}");
        }
        let model = scratch.path().join(format!("m{number}.pml"));
        let text = format!("bool p0, p1, p2;\nactive proctype P() {{ p0 = 1 }}\n{claim}");
        std::fs::write(&model, text).expect("the directory can be written to");
        let answer = spin::accepts(&model, &[]).expect("SPIN runs");
        assert!(answer.accepted, "{}\n{claim}", answer.message);
    }
}
