//! Lints: warnings about models that have a meaning, but perhaps not the intended one. A rule with
//! many false alarms on real models is refined or dropped.
//!
//! Each file has one rule, which reads `Facts` and adds findings; a new rule is
//! a new file and an entry in `RULES`.

mod arithmetic;
mod atomic;
mod channels;
mod claims;
mod comparisons;
mod d_step;
mod duplicates;
mod elses;
mod extensions;
mod facts;
mod fit;
mod flow;
mod formulas;
mod guards;
mod inits;
mod intervals;
mod labels;
mod loop_labels;
mod loops;
mod mentions;
mod mtypes;
mod precedence;
mod printf;
mod rendezvous;
mod run;
mod types;
mod unreachable;
mod unused;
mod usage;
mod variables;
mod visibility;
mod walk;

use std::collections::HashSet;

use crate::ast::Program;
use crate::hir::Model;
use beeline_source::diagnostic::{Diagnostic, Diagnostics};
use beeline_source::source::SourceMap;
use facts::Facts;
use mentions::Mentions;
use usage::Usage;

type Rule = fn(&Facts<'_>, &mut Vec<Diagnostic>);

/// Every rule. Findings are sorted by place, so the order does not matter.
const RULES: &[Rule] = &[
    arithmetic::check,
    atomic::check,
    channels::check,
    claims::check,
    comparisons::check,
    d_step::check,
    duplicates::check,
    elses::check,
    extensions::check,
    fit::check,
    formulas::check,
    guards::check,
    inits::check,
    labels::check,
    loop_labels::check,
    loops::check,
    mtypes::check,
    precedence::check,
    printf::check,
    rendezvous::check,
    run::check,
    unreachable::check,
    unused::check,
    variables::check,
    visibility::check,
];

/// Runs all rules on a model without errors.
pub fn lint(program: &Program, model: &Model, sources: &SourceMap, diagnostics: &mut Diagnostics) {
    let usage = Usage::of(model);
    let facts = Facts { program, model, sources, usage, mentions: Mentions::of(sources) };
    let mut found = Vec::new();
    for rule in RULES {
        rule(&facts, &mut found);
    }
    found.sort_by_key(|finding| (finding.span.file, finding.span.start, finding.code));
    // Each call of an inline repeats its findings: one is kept.
    let mut seen = HashSet::new();
    for finding in found {
        if seen.insert((finding.code, finding.span.file, finding.span.start)) {
            diagnostics.push(finding);
        }
    }
}
