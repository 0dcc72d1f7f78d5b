//! The values of variables for which a formula holds in a state: conjuncts that are determined are
//! tested, then the rarest atom binds its variables, and only what is left is enumerated.

use std::collections::HashSet;

use super::atoms::{Atoms, Tuple};
use super::{TaskState, Values};
use crate::task::{ObjectId, SchemaAtom, SchemaFormula, SchemaVariable, Term};

/// A formula that must have a truth value.
type Aim<'t> = (&'t SchemaFormula, bool);

impl<'t> TaskState<'t> {
    /// Whether a formula holds. Variables without a value may have any.
    pub(super) fn holds(
        &self,
        formula: &'t SchemaFormula,
        variables: &'t [SchemaVariable],
        values: &mut Values,
    ) -> bool {
        self.solve(&[(formula, true)], variables, values, &mut |_| true)
    }

    /// Calls `visit` once for all values of these variables for which a formula holds.
    pub(super) fn each(
        &self,
        bound: &[u32],
        formula: &'t SchemaFormula,
        variables: &'t [SchemaVariable],
        values: &mut Values,
        visit: &mut dyn FnMut(&Values),
    ) {
        let mut seen: HashSet<Tuple> = HashSet::new();
        self.solve(&[(formula, true)], variables, values, &mut |values| {
            enumerate(bound, variables, values, &mut |values| {
                let own = bound.iter().filter_map(|&one| values[one as usize]);
                if seen.insert(own.collect()) {
                    visit(values);
                }
                false
            })
        });
    }

    /// Calls `visit` with values for which all aims are reached, until it returns `true`. Returns
    /// whether it did. The values are those of before at the end.
    fn solve(
        &self,
        aims: &[Aim<'t>],
        variables: &'t [SchemaVariable],
        values: &mut Values,
        visit: &mut dyn FnMut(&mut Values) -> bool,
    ) -> bool {
        let mut left: Vec<Aim<'t>> = Vec::with_capacity(aims.len());
        for &aim in aims {
            if !flatten(aim, variables, &mut left) {
                return false;
            }
        }
        let mut is_false = false;
        left.retain(|&(formula, wanted)| {
            if is_false || !is_determined(formula, values, &mut Vec::new()) {
                return true;
            }
            is_false = self.value(formula, variables, values) != wanted;
            false
        });
        if is_false {
            return false;
        }
        if left.is_empty() {
            return visit(values);
        }
        if let Some((at, atom)) = self.rarest(&left, values) {
            left.remove(at);
            let atoms = &self.atoms[atom.predicate.0 as usize];
            let first = atom.terms.first().and_then(|&term| known(term, values));
            for tuple in atoms.with(first) {
                let bound = bind(atom, tuple, variables, values);
                let is_done = bound.is_some() && self.solve(&left, variables, values, visit);
                bound.into_iter().flatten().for_each(|variable| values[variable as usize] = None);
                if is_done {
                    return true;
                }
            }
            return false;
        }
        let (formula, wanted) = left.remove(0);
        match (formula, wanted) {
            (SchemaFormula::And(all), false) | (SchemaFormula::Or(all), true) => {
                all.iter().any(|one| {
                    let mut aims = vec![(one, wanted)];
                    aims.extend_from_slice(&left);
                    self.solve(&aims, variables, values, visit)
                })
            }
            _ => {
                // All values of one of its variables.
                left.insert(0, (formula, wanted));
                let open = open_variable(formula, values, &mut Vec::new());
                let open = open.expect("a formula that is not determined has an open variable");
                let is_done = variables[open as usize].objects.iter().any(|&object| {
                    values[open as usize] = Some(object);
                    self.solve(&left, variables, values, visit)
                });
                values[open as usize] = None;
                is_done
            }
        }
    }

    /// The truth value of a formula whose free variables have values.
    fn value(
        &self,
        formula: &'t SchemaFormula,
        variables: &'t [SchemaVariable],
        values: &mut Values,
    ) -> bool {
        match formula {
            SchemaFormula::And(all) => all.iter().all(|one| self.value(one, variables, values)),
            SchemaFormula::Or(all) => all.iter().any(|one| self.value(one, variables, values)),
            SchemaFormula::Not(inner) => !self.value(inner, variables, values),
            SchemaFormula::Exists(_, inner) => {
                self.solve(&[(inner, true)], variables, values, &mut |_| true)
            }
            SchemaFormula::Forall(_, inner) => {
                !self.solve(&[(inner, false)], variables, values, &mut |_| true)
            }
            SchemaFormula::Atom(atom) => {
                let tuple: Tuple =
                    atom.terms.iter().filter_map(|&term| known(term, values)).collect();
                self.atoms[atom.predicate.0 as usize].has(&tuple)
            }
            SchemaFormula::Same(a, b) => known(*a, values) == known(*b, values),
            SchemaFormula::Compare(comparison, a, b) => {
                match (self.number(a, values), self.number(b, values)) {
                    (Some(a), Some(b)) => comparison.holds(a, b),
                    _ => false,
                }
            }
        }
    }

    /// The wanted atom that the fewest tuples of the state fit.
    fn rarest(&self, aims: &[Aim<'t>], values: &Values) -> Option<(usize, &'t SchemaAtom)> {
        let atoms = aims.iter().enumerate().filter_map(|(at, aim)| match aim {
            (SchemaFormula::Atom(atom), true) => Some((at, atom)),
            _ => None,
        });
        atoms.min_by_key(|(_, atom)| {
            let of: &Atoms = &self.atoms[atom.predicate.0 as usize];
            of.count(atom.terms.first().and_then(|&term| known(term, values)))
        })
    }
}

/// The value of a term, if it has one.
fn known(term: Term, values: &Values) -> Option<ObjectId> {
    match term {
        Term::Object(object) => Some(object),
        Term::Variable(variable) => values[variable as usize],
    }
}

/// Adds the parts of an aim that must all be reached; `false` if one of them cannot be.
fn flatten<'t>(
    (formula, wanted): Aim<'t>,
    variables: &[SchemaVariable],
    aims: &mut Vec<Aim<'t>>,
) -> bool {
    match (formula, wanted) {
        (SchemaFormula::And(all), true) | (SchemaFormula::Or(all), false) => {
            all.iter().all(|one| flatten((one, wanted), variables, aims))
        }
        (SchemaFormula::And(all), false) | (SchemaFormula::Or(all), true) if all.len() < 2 => {
            all.iter().any(|one| flatten((one, wanted), variables, aims))
        }
        (SchemaFormula::Not(inner), _) => flatten((inner, !wanted), variables, aims),
        // Its variables have no values, so that any will do, if there is any.
        (SchemaFormula::Exists(bound, inner), true)
        | (SchemaFormula::Forall(bound, inner), false) => {
            bound.iter().all(|&one| !variables[one as usize].objects.is_empty())
                && flatten((inner, wanted), variables, aims)
        }
        _ => {
            aims.push((formula, wanted));
            true
        }
    }
}

/// Whether all free variables of a formula have values.
fn is_determined(formula: &SchemaFormula, values: &Values, inner: &mut Vec<u32>) -> bool {
    open_variable(formula, values, inner).is_none()
}

/// A free variable of a formula without a value; `bound` are those of quantifiers around it.
fn open_variable(formula: &SchemaFormula, values: &Values, bound: &mut Vec<u32>) -> Option<u32> {
    let open = |variable: u32, bound: &[u32]| {
        (values[variable as usize].is_none() && !bound.contains(&variable)).then_some(variable)
    };
    let of_term = |term: &Term, bound: &[u32]| match term {
        Term::Object(_) => None,
        Term::Variable(variable) => open(*variable, bound),
    };
    match formula {
        SchemaFormula::And(all) | SchemaFormula::Or(all) => {
            all.iter().find_map(|one| open_variable(one, values, bound))
        }
        SchemaFormula::Not(inner) => open_variable(inner, values, bound),
        SchemaFormula::Exists(variables, inner) | SchemaFormula::Forall(variables, inner) => {
            let before = bound.len();
            bound.extend_from_slice(variables);
            let found = open_variable(inner, values, bound);
            bound.truncate(before);
            found
        }
        SchemaFormula::Atom(atom) => atom.terms.iter().find_map(|term| of_term(term, bound)),
        SchemaFormula::Same(a, b) => of_term(a, bound).or_else(|| of_term(b, bound)),
        SchemaFormula::Compare(_, a, b) => {
            let mut terms = Vec::new();
            a.terms(&mut terms);
            b.terms(&mut terms);
            terms.iter().find_map(|term| of_term(term, bound))
        }
    }
}

/// Binds the open variables of an atom to a tuple; `None` if it does not fit, and then nothing is
/// bound.
fn bind(
    atom: &SchemaAtom,
    tuple: &[ObjectId],
    variables: &[SchemaVariable],
    values: &mut Values,
) -> Option<Vec<u32>> {
    let mut bound = Vec::new();
    let fits =
        atom.terms.iter().zip(tuple).all(|(&term, &object)| match (term, known(term, values)) {
            (_, Some(value)) => value == object,
            (Term::Variable(variable), None) => {
                values[variable as usize] = Some(object);
                bound.push(variable);
                variables[variable as usize].objects.contains(&object)
            }
            (Term::Object(_), None) => false,
        });
    if fits {
        return Some(bound);
    }
    bound.into_iter().for_each(|variable| values[variable as usize] = None);
    None
}

/// Calls `visit` with all values of the variables that have none, until it returns `true`.
fn enumerate(
    bound: &[u32],
    variables: &[SchemaVariable],
    values: &mut Values,
    visit: &mut dyn FnMut(&mut Values) -> bool,
) -> bool {
    let Some(at) = bound.iter().position(|&variable| values[variable as usize].is_none()) else {
        return visit(values);
    };
    let open = bound[at] as usize;
    let is_done = variables[open].objects.iter().any(|&object| {
        values[open] = Some(object);
        enumerate(&bound[at + 1..], variables, values, visit)
    });
    values[open] = None;
    is_done
}
