//! `lint` accepts a corpus model exactly when SPIN does.
//!
//! The remaining differences are listed, with their reasons, in `tests/differences/acceptance.tsv`;
//! `UPDATE_EXPECT=1` rewrites it.

use beeline_promela::Frontend;
use beeline_promela::diagnostic::Severity;
use beeline_promela::hir::{ExprKind, UnaryOp};
use beeline_testkit::corpus::{self, Entry};
use beeline_testkit::model;
use expect_test::expect_file;

/// Whether every error is about embedded C, which counts as accepted on both sides.
fn only_embedded_c(front: &Frontend) -> bool {
    let mut errors = front.diagnostics.iter().filter(|d| d.severity == Severity::Error).peekable();
    errors.peek().is_some() && errors.all(|error| error.code == "embedded-c")
}

/// Why the results for a model differ; `None` when unknown.
fn reason(entry: &Entry, front: &Frontend) -> Option<&'static str> {
    let next = |expr: &beeline_promela::hir::Expr| {
        expr.any(|expr| matches!(expr.kind, ExprKind::Unary(UnaryOp::Next, _)))
    };
    let uses_next = front.hir.formulas.iter().any(|formula| next(&formula.formula));
    if !entry.spin_accepts && uses_next {
        return Some(
            "ltl operator X: SPIN must be compiled with -DNXT to take it, Beeline always does",
        );
    }
    None
}

#[test]
fn agrees_with_spin_on_the_corpus() {
    let Some(corpus) = corpus::corpus_or_skip("acceptance of the corpus") else {
        return;
    };
    let mut table = String::from("model\tSPIN\tBeeline\treason\n");
    let mut differ = 0;
    for entry in &corpus.entries {
        let front = model::read(&entry.file).expect("corpus files can be read");
        let accepted = !front.diagnostics.has_errors() || only_embedded_c(&front);
        if accepted == entry.spin_accepts {
            continue;
        }
        differ += 1;
        let word = |accepts: bool| if accepts { "accepts" } else { "rejects" };
        let why = reason(entry, &front).map(str::to_owned).unwrap_or_else(|| {
            format!("UNEXPLAINED: {}", model::first_error(&front).unwrap_or_default())
        });
        let (spin, ours) = (word(entry.spin_accepts), word(accepted));
        table += &format!("{}\t{spin}\t{ours}\t{why}\n", entry.name);
    }
    assert!(corpus.entries.len() >= 461, "the corpus has shrunk to {}", corpus.entries.len());
    expect_file!["../differences/acceptance.tsv"].assert_eq(&table);
    assert!(differ * 50 <= corpus.entries.len(), "more than 2 % differ:\n{table}");
    assert!(!table.contains("UNEXPLAINED"), "{table}");
}
