//! Temporal formulas that are weaker than they look: a formula without a temporal operator is about
//! the initial state only, `[] p -> q` is `([] p) -> q`, and `X` is about the next step of any
//! process.

use super::facts::Facts;
use crate::hir::{BinaryOp, Expr, ExprKind, LtlFormula, UnaryOp};
use beeline_source::diagnostic::Diagnostic;
use beeline_source::source::Span;

pub(super) fn check(facts: &Facts<'_>, found: &mut Vec<Diagnostic>) {
    for formula in &facts.model.formulas {
        if !is_temporal(&formula.formula) {
            found.push(initial_only(facts, formula));
        }
        // One warning per formula.
        let mut has_next = false;
        formula.formula.visit(&mut |expr| match &expr.kind {
            ExprKind::Unary(UnaryOp::Next, _) if !has_next => {
                has_next = true;
                found.push(next(expr));
            }
            ExprKind::Binary(BinaryOp::Implies, left, right) => {
                found.extend(implication(facts, left, right));
            }
            ExprKind::Binary(op, left, right) if !joins_formulas(*op) => {
                found.extend(compared(facts, *op, left, right));
            }
            _ => {}
        });
    }
}

fn is_temporal(formula: &Expr) -> bool {
    formula.any(|expr| match &expr.kind {
        ExprKind::Unary(op, _) => op.is_temporal(),
        ExprKind::Binary(op, ..) => op.is_about_paths(),
        _ => false,
    })
}

/// Whether both operands may be formulas.
fn joins_formulas(op: BinaryOp) -> bool {
    op.is_temporal() || matches!(op, BinaryOp::And | BinaryOp::Or)
}

/// `[] x == 1`, which is `([] x) == 1`.
fn compared(facts: &Facts<'_>, op: BinaryOp, left: &Expr, right: &Expr) -> Option<Diagnostic> {
    let ExprKind::Unary(temporal, operand) = &left.kind else {
        return None;
    };
    if !temporal.is_temporal() {
        return None;
    }
    let (op, temporal) = (op.text(), temporal.text());
    let span = facts.sources.join(left.span, right.span);
    let diagnostic = Diagnostic::warning(
        "ltl-comparison",
        span,
        format!("`{temporal}` binds tighter than `{op}`"),
    )
    .label(format!("read as `({temporal} …) {op} …`"))
    .note("a formula has no number that could be compared or computed with");
    // In `[]<> x == 1`, all the operators are meant to apply to the comparison.
    let mut operand = operand;
    while let ExprKind::Unary(op, inner) = &operand.kind
        && op.is_temporal()
    {
        operand = inner;
    }
    let inner = facts.sources.join(operand.span, right.span);
    let text = facts.sources.text(inner);
    Some(if facts.is_macro_text(inner) || text.contains('\n') {
        diagnostic.help(format!("write `{temporal} (… {op} …)`"))
    } else {
        diagnostic.fix("add parentheses", inner, format!("({text})"))
    })
}

fn initial_only(facts: &Facts<'_>, formula: &LtlFormula) -> Diagnostic {
    let span = formula.formula.span;
    let diagnostic = Diagnostic::warning(
        "ltl-without-operator",
        facts.brief(span),
        "this formula is about the initial state only",
    )
    .label("no temporal operator");
    if facts.is_macro_text(span) {
        return diagnostic.help("write `[] (…)` to require it always, `<> (…)` at some time");
    }
    let always = format!("[] ({})", facts.sources.text(span));
    diagnostic.note("`[] p` requires p in every state, `<> p` in some state of every run").fix(
        "to require it in every state",
        span,
        always,
    )
}

/// `[] p -> q`, where `[] (p -> q)` may be meant.
fn implication(facts: &Facts<'_>, left: &Expr, right: &Expr) -> Option<Diagnostic> {
    let ExprKind::Unary(UnaryOp::Always, operand) = &left.kind else {
        return None;
    };
    // `[]<> p -> q` is a fairness assumption, as intended.
    if is_temporal(operand) {
        return None;
    }
    // A closing parenthesis that is not opened in between shows that `([] p)` is intended.
    let whole = Span { end: left.span.start, ..left.span };
    let (text, _) = facts.between(whole, right.span)?;
    let mut depth = 0;
    for byte in text.bytes() {
        match byte {
            b'(' => depth += 1,
            b')' => depth -= 1,
            _ => {}
        }
        if depth < 0 {
            return None;
        }
    }
    Some(
        Diagnostic::warning(
            "ltl-precedence",
            left.span,
            "`[]` applies only to the part before `->`",
        )
        .label("if this holds for ever, then …")
        .note(
            "`[] p -> q` is read as `([] p) -> q`: it says nothing about runs in which p is \
             false once",
        )
        .help(
            "write `[] (p -> q)` if every p requires q, or `([] p) -> q` to make the meaning \
             explicit",
        ),
    )
}

fn next(expr: &Expr) -> Diagnostic {
    let span = Span { end: expr.span.end.min(expr.span.start + 1), ..expr.span };
    Diagnostic::warning("ltl-next", span, "`X` refers to the next step of any process")
        .label("next")
        .note("steps of unrelated processes count too, and partial order reduction is not possible; SPIN refuses `X` unless compiled with -DNXT")
        .help("use `<>` or `U` if the exact step does not matter")
}
