//! Strata of axioms: a derived predicate that occurs negatively belongs to a lower stratum.
//!
//! Source: [Hel09] for the layers of axioms. A predicate that depends on its own negation has no
//! stratum, which is an error.

use beeline_source::source::Span;

use super::reader::Reader;
use crate::task::SchemaFormula;

impl Reader<'_> {
    /// Assigns strata, or reports the axioms that have none.
    pub(super) fn layer_axioms(&mut self) {
        let count = self.task.predicates.len();
        let mut layer = vec![0u32; count];
        let mut uses: Vec<(usize, usize, bool, Span)> = Vec::new();
        for axiom in &self.task.axioms {
            let head = axiom.head.0 as usize;
            atoms(&axiom.body, true, &mut |predicate, is_positive| {
                if self.task.predicates[predicate].is_derived {
                    uses.push((head, predicate, is_positive, axiom.span));
                }
            });
        }
        // Strata grow at most to the number of predicates; beyond it, there is a cycle.
        let mut is_changed = true;
        while is_changed {
            is_changed = false;
            for &(head, used, is_positive, span) in &uses {
                let least = layer[used] + u32::from(!is_positive);
                if layer[head] < least {
                    layer[head] = least;
                    is_changed = true;
                }
                if layer[head] as usize > count {
                    let name = self.task.predicates[head].name.clone();
                    let message =
                        format!("axioms are not stratified: `{name}` depends on its own negation");
                    return self.error("pddl-strata", span, message);
                }
            }
        }
        for axiom in &mut self.task.axioms {
            axiom.layer = layer[axiom.head.0 as usize];
        }
    }
}

/// Visits the predicates of a formula, and whether they occur positively.
fn atoms(formula: &SchemaFormula, is_positive: bool, visit: &mut impl FnMut(usize, bool)) {
    match formula {
        SchemaFormula::And(all) | SchemaFormula::Or(all) => {
            all.iter().for_each(|one| atoms(one, is_positive, visit));
        }
        SchemaFormula::Not(inner) => atoms(inner, !is_positive, visit),
        SchemaFormula::Forall(_, inner) | SchemaFormula::Exists(_, inner) => {
            atoms(inner, is_positive, visit)
        }
        SchemaFormula::Atom(atom) => visit(atom.predicate.0 as usize, is_positive),
        SchemaFormula::Same(..) | SchemaFormula::Compare(..) => {}
    }
}
