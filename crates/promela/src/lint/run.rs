//! `run` with more or fewer arguments than the proctype has parameters. Missing ones are 0, which
//! is rarely intended.

use super::facts::Facts;
use super::types::flatten;
use super::walk::expressions;
use crate::hir::ExprKind;
use beeline_source::diagnostic::Diagnostic;

pub(super) fn check(facts: &Facts<'_>, found: &mut Vec<Diagnostic>) {
    expressions(facts.model, |expr, _| {
        let ExprKind::Run { process, args, .. } = &expr.kind else {
            return;
        };
        let process = facts.model.process(*process);
        let mut wanted = Vec::new();
        for param in process.locals.iter().take(process.params as usize) {
            if flatten(facts.model, param.ty, &mut wanted).is_none() {
                return;
            }
        }
        let (wanted, given) = (wanted.len(), args.len());
        if wanted == given {
            return;
        }
        let name = &process.name.name;
        let s = if wanted == 1 { "" } else { "s" };
        let diagnostic = Diagnostic::error(
            "run-arguments",
            expr.span,
            format!("proctype `{name}` has {wanted} parameter{s}, {given} given"),
        )
        .related(process.name.span, "declared here");
        found.push(if given < wanted {
            diagnostic.label("some are missing").help("give a value for each parameter")
        } else {
            diagnostic.label("too many arguments").help("remove those that have no parameter")
        });
    });
}
