//! An independent check of witnesses: their paths are paths of the model, and a formula with one path
//! quantifier is shown by the states along them.

use beeline_branching::{Witness, WitnessPath};
use beeline_logic::{Atom, Formula, Letters, Word, satisfies};
use beeline_promela::hir::branching::{BranchingExpr, PathQuantifier};

use super::labelling::{Labelling, Values};

impl Labelling<'_> {
    /// The mistake in a witness, if there is one.
    pub(super) fn mistake(
        &self,
        formula: &BranchingExpr,
        holds: bool,
        witness: &Witness,
    ) -> Option<String> {
        let broken = witness.paths.iter().find_map(|path| self.broken(path, Some(0)));
        broken.or_else(|| self.not_shown(formula, holds, witness))
    }

    /// Where a path is not one of the model.
    fn broken(&self, path: &WitnessPath, start: Option<usize>) -> Option<String> {
        let numbers: Option<Vec<usize>> =
            path.states.iter().map(|state| self.graph.numbers.get(state).copied()).collect();
        let Some(numbers) = numbers else { return Some("a state is not reachable".to_owned()) };
        if numbers.first().copied() != start {
            return Some("it does not begin where it should".to_owned());
        }
        let is_step = |from: usize, to: usize| self.graph.steps(from).any(|(_, next)| next == to);
        if let Some(pair) = numbers.windows(2).find(|pair| !is_step(pair[0], pair[1])) {
            return Some(format!("no step leads from {} to {}", pair[0], pair[1]));
        }
        let last = *numbers.last().expect("a path has a state");
        if path.cycle.is_some_and(|cycle| !is_step(last, numbers[cycle])) {
            return Some("its cycle does not close".to_owned());
        }
        if path.rests && !self.graph.dead.has(last) {
            return Some("it does not rest".to_owned());
        }
        path.then.iter().find_map(|next| self.broken(next, Some(last)))
    }

    /// Why the word along a lasso does not show a formula with one path quantifier; finite paths
    /// show reachability, which their end decides.
    fn not_shown(&self, formula: &BranchingExpr, holds: bool, witness: &Witness) -> Option<String> {
        let BranchingExpr::Quantified(quantifier, path) = formula else { return None };
        let is_shown = (*quantifier == PathQuantifier::Exists) == holds;
        if !is_shown || !path.has_path_operator() {
            return Some("no path can show this".to_owned()).filter(|_| !is_shown);
        }
        let line = witness.paths.first()?;
        let end = line.cycle.or(line.rests.then_some(line.states.len() - 1));
        let Some(cycle) = end else { return self.end_not_shown(path, holds, line) };
        let (linear, letters) = self.word_along(path, line);
        let cycle_letters = letters[cycle..].to_vec();
        let word =
            Word::new(letters[..cycle].to_vec(), cycle_letters).expect("a cycle has a state");
        (satisfies(&linear, &word) != holds).then(|| "the lasso does not show it".to_owned())
    }

    /// The path formula over state formulas as atoms, and those that hold along a path.
    fn word_along(&self, path: &BranchingExpr, line: &WitnessPath) -> (Formula, Vec<Letters>) {
        let mut atoms = Vec::new();
        let linear = self.linear(path, &Values::new(), &mut atoms);
        let linear = linear.expect("formulas with witnesses have no fixpoints");
        let letters = |state: &Vec<u8>| {
            let number = self.graph.numbers[state];
            let holding = (0u32..).zip(&atoms).filter(|(_, labels)| labels.has(number));
            holding.map(|(atom, _)| Atom(atom)).collect()
        };
        let letters = line.states.iter().map(letters).collect();
        (linear, letters)
    }

    /// A finite path shows a formula if it does so whatever follows; the extremes are tried.
    fn end_not_shown(
        &self,
        path: &BranchingExpr,
        holds: bool,
        line: &WitnessPath,
    ) -> Option<String> {
        let (linear, letters) = self.word_along(path, line);
        let all = linear.atoms();
        let is_shown = |last: Letters| {
            let word = Word::new(letters.clone(), [last]).expect("a cycle has a state");
            satisfies(&linear, &word) == holds
        };
        let complaint = "the path does not show it, whatever follows";
        (!is_shown(all) || !is_shown(Vec::new())).then(|| complaint.to_owned())
    }
}
