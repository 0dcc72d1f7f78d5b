//! Ultimately periodic words, and the semantics of formulas and automata on them.
//!
//! The semantics is independent of the translation: a formula is evaluated at each position of the
//! word; an automaton is searched for an accepting cycle in its product with the word.

use std::collections::HashMap;
use std::sync::Arc;

use crate::buchi::Buchi;
use crate::formula::{Atom, Formula};

/// A letter: the atoms that hold, sorted.
pub type Letters = Vec<Atom>;

/// The word `stem · cycle · cycle · …`. Long words have few different letters, so each of these is
/// kept once.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Word {
    /// The different letters, in the order of their first positions.
    letters: Vec<Letters>,
    /// The number of the letter at each position of stem and cycle.
    positions: Vec<u32>,
    /// The number of positions before the cycle.
    stem: usize,
}

impl Word {
    /// The word; `None` if the cycle is empty.
    #[must_use]
    pub fn new(
        stem: impl IntoIterator<Item = Letters>,
        cycle: impl IntoIterator<Item = Letters>,
    ) -> Option<Self> {
        let mut word = Self { letters: Vec::new(), positions: Vec::new(), stem: 0 };
        let mut numbers = HashMap::new();
        stem.into_iter().for_each(|letters| word.push(letters, &mut numbers));
        word.stem = word.positions.len();
        cycle.into_iter().for_each(|letters| word.push(letters, &mut numbers));
        (word.stem < word.positions.len()).then_some(word)
    }

    fn push(&mut self, mut letters: Letters, numbers: &mut HashMap<Letters, u32>) {
        letters.sort_unstable();
        letters.dedup();
        let number = numbers.get(&letters).copied().unwrap_or_else(|| {
            let new = self.letters.len() as u32;
            numbers.insert(letters.clone(), new);
            self.letters.push(letters);
            new
        });
        self.positions.push(number);
    }

    fn positions(&self) -> usize {
        self.positions.len()
    }

    fn after(&self, position: usize) -> usize {
        if position + 1 < self.positions() { position + 1 } else { self.stem }
    }

    fn holds(&self, atom: Atom, position: usize) -> bool {
        self.letters[self.positions[position] as usize].binary_search(&atom).is_ok()
    }
}

/// Whether the word satisfies the formula.
#[must_use]
pub fn satisfies(formula: &Formula, word: &Word) -> bool {
    let count = word.positions();
    let mut known: HashMap<*const Formula, Vec<bool>> = HashMap::new();
    for part in formula.parts() {
        let of = |operand: &Arc<Formula>| &known[&Arc::as_ptr(operand)];
        let each = |truth: &dyn Fn(usize) -> bool| (0..count).map(truth).collect::<Vec<bool>>();
        let truth = match part {
            Formula::True => each(&|_| true),
            Formula::False => each(&|_| false),
            Formula::Atom(atom) => each(&|at| word.holds(*atom, at)),
            Formula::Not(one) => each(&|at| !of(one)[at]),
            Formula::And(one, two) => each(&|at| of(one)[at] && of(two)[at]),
            Formula::Or(one, two) => each(&|at| of(one)[at] || of(two)[at]),
            Formula::Next(one) => each(&|at| of(one)[word.after(at)]),
            // The least fixpoint of `t = two || (one && X t)`, the greatest of its dual.
            Formula::Until(one, two) => {
                let (one, two) = (of(one), of(two));
                settle(word, false, |at, next| two[at] || (one[at] && next))
            }
            Formula::Release(one, two) => {
                let (one, two) = (of(one), of(two));
                settle(word, true, |at, next| two[at] && (one[at] || next))
            }
        };
        known.insert(std::ptr::from_ref(part), truth);
    }
    known[&std::ptr::from_ref(formula)][0]
}

/// The fixpoint iteration from `begin` at all positions.
fn settle(word: &Word, begin: bool, step: impl Fn(usize, bool) -> bool) -> Vec<bool> {
    let mut truth = vec![begin; word.positions()];
    // One round propagates values around the cycle, the second one into the stem.
    for _ in 0..2 {
        for at in (0..truth.len()).rev() {
            truth[at] = step(at, truth[word.after(at)]);
        }
    }
    truth
}

/// Whether the automaton accepts the word.
#[must_use]
pub fn accepts(automaton: &Buchi, word: &Word) -> bool {
    let count = word.positions();
    let node = |state: u32, at: usize| state as usize * count + at;
    let next = |node: usize| {
        let (state, at) = (node / count, node % count);
        let edges = automaton.states[state].edges.iter();
        let fits = edges.filter(|edge| edge.guard.holds(|atom| word.holds(atom, at)));
        fits.map(|edge| edge.to as usize * count + word.after(at)).collect::<Vec<_>>()
    };
    let reached = |from: Vec<usize>| {
        let mut seen = vec![false; automaton.states.len() * count];
        let mut waiting = from;
        while let Some(node) = waiting.pop() {
            if !std::mem::replace(&mut seen[node], true) {
                waiting.extend(next(node));
            }
        }
        seen
    };
    let first = reached(vec![node(automaton.start, 0)]);
    // An accepting product state on a cycle.
    (0..first.len())
        .filter(|&node| first[node] && automaton.states[node / count].accepting)
        .any(|node| reached(next(node))[node])
}
