//! Derived facts as formulas of the other facts: the bodies of their axioms, with formulas in place of the derived
//! facts in them.
//!
//! This needs axioms that do not depend on each other in a cycle. The formula of a fact is the disjunction of its
//! axioms, as derived facts are false unless an axiom holds.

use beeline_factored::FactorExpr;

use super::builder::{DerivedFacts, ViewBuilder, joined};
use crate::encode::{EncodedTask, StateCondition};

/// Upper bound on the conditions of all formulas, and of all formulas in operators, so that they take little memory.
const MOST_CONDITIONS: usize = 1 << 20;

/// The formulas of derived facts. `None` if axioms depend on each other in a cycle, or if the formulas are too large.
pub(super) fn derived_formulas(task: &EncodedTask) -> Option<Vec<FactorExpr>> {
    let order = axiom_order(task)?;
    let numbers = task.groups.len() as u32;
    let formulas = vec![FactorExpr::Const(0); task.derived.len()];
    let mut builder = ViewBuilder { task, derived: DerivedFacts::Formulas(formulas), numbers };
    // By derived fact: the conditions in its formula.
    let mut sizes = vec![0; task.derived.len()];
    let mut axioms = vec![Vec::new(); task.derived.len()];
    task.axioms.iter().for_each(|axiom| axioms[axiom.head as usize].push(axiom));
    let mut total = 0;
    for fact in order {
        let mut bodies = Vec::new();
        for axiom in &axioms[fact] {
            let size = |one: &StateCondition| match one {
                StateCondition::Derived(used, _) => sizes[*used as usize],
                _ => 1,
            };
            let more: usize = axiom.body.iter().map(size).sum();
            total += more;
            if total > MOST_CONDITIONS {
                return None;
            }
            sizes[fact] += more;
            bodies.push(builder.all(&axiom.body));
        }
        let formula = joined(bodies, FactorExpr::or);
        if let (DerivedFacts::Formulas(formulas), Some(formula)) = (&mut builder.derived, formula) {
            formulas[fact] = formula;
        }
    }
    let used = |conditions: &[StateCondition]| {
        let size = |one: &StateCondition| match one {
            StateCondition::Derived(fact, _) => sizes[*fact as usize],
            _ => 1,
        };
        conditions.iter().map(size).sum::<usize>()
    };
    let of_operators = task.operators.iter().map(|operator| {
        let effects = operator.effects.iter().map(|effect| used(&effect.conditions));
        used(&operator.preconditions) + effects.sum::<usize>()
    });
    let total = of_operators.sum::<usize>() + task.goal.as_deref().map_or(0, used);
    if total > MOST_CONDITIONS {
        return None;
    }
    match builder.derived {
        DerivedFacts::Formulas(formulas) => Some(formulas),
        DerivedFacts::Factors(_) => None,
    }
}

/// The derived facts in an order in which each is behind those that its axioms use.
fn axiom_order(task: &EncodedTask) -> Option<Vec<usize>> {
    let mut users = vec![Vec::new(); task.derived.len()];
    let mut open = vec![0; task.derived.len()];
    for axiom in &task.axioms {
        for condition in &axiom.body {
            if let StateCondition::Derived(used, _) = *condition {
                users[used as usize].push(axiom.head as usize);
                open[axiom.head as usize] += 1;
            }
        }
    }
    let mut order: Vec<usize> = (0..open.len()).filter(|&fact| open[fact] == 0).collect();
    let mut at = 0;
    while let Some(&fact) = order.get(at) {
        at += 1;
        for &user in &users[fact] {
            open[user] -= 1;
            if open[user] == 0 {
                order.push(user);
            }
        }
    }
    (order.len() == open.len()).then_some(order)
}
