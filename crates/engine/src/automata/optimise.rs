//! The optimisations that SPIN applies to automata: statement merging and resetting of dead
//! variables, if the options request them and the model allows them.

use beeline_promela::hir::{Expr, ExprKind, Model};

use super::elements::Elements;
use super::flow::Flow;
use super::globality::Globality;
use super::graph::AutomataOptions;
use super::{dead_variables, merge};

impl AutomataOptions {
    /// The options that remain for a model. SPIN disables both if some process reads another one's
    /// variables, and merging if some process has a `provided` clause, since then every step may be
    /// observable.
    #[must_use]
    pub fn allowed_by(self, model: &Model) -> AutomataOptions {
        if looks_at_other_variables(model) {
            return AutomataOptions::PLAIN;
        }
        let provided = model.processes.iter().any(|process| process.provided.is_some());
        AutomataOptions { merge: self.merge && !provided, ..self }
    }
}

/// Runs the optimisations that are requested and allowed.
pub(super) fn optimise(elements: &mut Elements, model: &Model, options: AutomataOptions) {
    let options = options.allowed_by(model);
    let globality = Globality::new(model);
    for number in 0..elements.bodies.len() {
        let body = elements.bodies[number].clone();
        let mut flow = Flow::default();
        flow.add_sequence(elements, body.sequence);
        if options.reset_dead {
            dead_variables::find_dead(elements, &flow, model.process(body.process));
        }
        if options.merge {
            merge::merge(elements, &flow, &globality, body.process);
            let first = elements.sequence(body.sequence).first;
            let start = elements.follow_skips(first, elements.get(first).status, None);
            elements.get_mut(start).merge.ways_in = 1;
        }
    }
    for element in &mut elements.elements {
        element.status.done = false;
        if !options.merge {
            // No element is merged, so all elements stay reachable.
            element.merge.ways_in = 1;
        }
    }
}

fn looks_at_other_variables(model: &Model) -> bool {
    let mut found = false;
    for_each_expr(model, &mut |expr| found |= matches!(expr.kind, ExprKind::RemoteVar { .. }));
    found
}

/// Calls `visit` on every expression of the model, nested ones included.
fn for_each_expr(model: &Model, visit: &mut impl FnMut(&Expr)) {
    for formula in model.formula_exprs() {
        formula.visit(visit);
    }
    for process in &model.processes {
        if let Some(provided) = &process.provided {
            provided.visit(visit);
        }
        for stmt in &process.body {
            stmt.visit_exprs(visit);
        }
    }
}
