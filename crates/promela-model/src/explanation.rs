//! Why a state or a step is wrong: the parts of a condition that are false, and the operand that
//! makes a statement fail, with their values.

use beeline_engine::automata::EdgeAction;
use beeline_engine::interpreter::{FailedStatement, Truncation};
use beeline_kernel::FaultKind;
use beeline_model::Cause;
use beeline_promela::hir::print::Printer;
use beeline_promela::hir::{Access, BinaryOp, Expr, ExprKind, UnaryOp};

use crate::failing_part::{FailingPart, failing_part};
use crate::names::StateScope;
use crate::one_line::one_line;
use crate::statement_text::StatementTexts;

/// What there is to say about an error.
#[derive(Clone, Debug, Default)]
pub(crate) struct Explanation {
    pub(crate) detail: Option<String>,
    pub(crate) causes: Vec<Cause>,
}

impl From<String> for Explanation {
    fn from(detail: String) -> Explanation {
        Explanation { detail: Some(detail), causes: Vec::new() }
    }
}

/// Explains conditions and statements in a state.
pub(crate) struct Explainer<'a, 'm> {
    pub(crate) scope: StateScope<'a>,
    pub(crate) texts: &'a StatementTexts<'m>,
}

impl Explainer<'_, '_> {
    /// The conjuncts of a condition that are false. A condition without conjuncts is its own cause.
    pub(crate) fn false_parts(&self, condition: &Expr) -> Vec<Cause> {
        let mut causes = Vec::new();
        self.wrong(condition, true, &mut causes);
        if let [cause] = &mut causes[..] {
            cause.is_whole = cause.part == self.text(condition);
        }
        causes
    }

    /// The parts of a formula that are false in the state where the formula became false. Parts
    /// that are about one state count if every state must satisfy them: those under `[]`, and the
    /// operands of `U` and `W`, of which one must be true until the other is.
    pub(crate) fn false_parts_of_formula(&self, formula: &Expr) -> Vec<Cause> {
        let mut causes = match &formula.kind {
            _ if !is_temporal(formula) => self.false_parts(formula),
            ExprKind::Binary(BinaryOp::Until | BinaryOp::WeakUntil, one, other) => {
                self.both_false(one, other)
            }
            _ => self.always_false(formula, false),
        };
        causes.iter_mut().for_each(|cause| cause.is_whole = false);
        causes
    }

    /// The parts of conditions that a claim waited for, each with its truth.
    pub(crate) fn unwanted(&self, conditions: &[(&Expr, bool)]) -> Vec<Cause> {
        let mut causes = Vec::new();
        conditions.iter().for_each(|(condition, is)| self.wrong(condition, !is, &mut causes));
        causes
    }

    fn always_false(&self, formula: &Expr, is_always: bool) -> Vec<Cause> {
        match &formula.kind {
            ExprKind::Unary(UnaryOp::Always, body) => self.always_false(body, true),
            ExprKind::Binary(BinaryOp::And, one, other) => {
                let mut causes = self.always_false(one, is_always);
                causes.extend(self.always_false(other, is_always));
                causes
            }
            ExprKind::Binary(BinaryOp::Until | BinaryOp::WeakUntil, one, other) if is_always => {
                self.both_false(one, other)
            }
            _ if is_always && !is_temporal(formula) => self.false_parts(formula),
            _ => Vec::new(),
        }
    }

    /// The false parts of two conditions about one state, if both conditions are false.
    fn both_false(&self, one: &Expr, other: &Expr) -> Vec<Cause> {
        if is_temporal(one) || is_temporal(other) {
            return Vec::new();
        }
        let (mut causes, others) = (self.false_parts(one), self.false_parts(other));
        if causes.is_empty() || others.is_empty() {
            return Vec::new();
        }
        causes.extend(others);
        causes
    }

    /// What makes a statement fail.
    pub(crate) fn failed(&self, failed: &FailedStatement) -> Explanation {
        if let EdgeAction::Assert(condition) = failed.step.written()
            && failed.fault == FaultKind::Assertion
        {
            let causes = self.false_parts(condition);
            let process = self.scope.process().expect("a process executes the statement");
            let text = self.texts.text(&failed.step, process);
            let values = self.scope.values(condition);
            let detail = if values.is_empty() { text } else { format!("{text} with {values}") };
            return Explanation { detail: Some(detail), causes };
        }
        if failed.fault == FaultKind::Overflow {
            return self.overflow(failed).map(Explanation::from).unwrap_or_default();
        }
        let cause = failing_part(&self.scope, failed.step.written(), failed.fault);
        let cause = cause.map(|part| self.fault(&part));
        Explanation {
            detail: cause.as_ref().map(|cause| cause.text.clone()),
            causes: cause.into_iter().collect(),
        }
    }

    /// The statement that stores a value out of the range of its type.
    fn overflow(&self, failed: &FailedStatement) -> Option<String> {
        let FailedStatement { step, pid, state, .. } = failed;
        let Truncation { value, stored } = self.scope.machine.truncation(step, state, *pid)?;
        let text = self.texts.text(step, self.scope.process()?);
        Some(format!("`{text}`: {value} does not fit, {stored} is stored"))
    }

    /// The truth of a condition about one state; `None` if it has no value. Implication and
    /// equivalence are operators of formulas, which the machine does not evaluate.
    fn truth(&self, condition: &Expr) -> Option<bool> {
        let both = |one, other| Some((self.truth(one)?, self.truth(other)?));
        match &condition.kind {
            ExprKind::Unary(UnaryOp::Not, inner) => self.truth(inner).map(|truth| !truth),
            ExprKind::Binary(BinaryOp::And, one, other) => match self.truth(one)? {
                true => self.truth(other),
                false => Some(false),
            },
            ExprKind::Binary(BinaryOp::Or, one, other) => match self.truth(one)? {
                true => Some(true),
                false => self.truth(other),
            },
            ExprKind::Binary(BinaryOp::Implies, one, other) => {
                both(one, other).map(|(one, other)| !one || other)
            }
            ExprKind::Binary(BinaryOp::Equivalent, one, other) => {
                both(one, other).map(|(one, other)| one == other)
            }
            _ if condition.any(is_of_formulas) => None,
            _ => self.scope.value(condition).map(|value| value != 0),
        }
    }

    /// Adds the parts of a condition that prevent it from having the expected value.
    fn wrong(&self, condition: &Expr, expected: bool, causes: &mut Vec<Cause>) {
        match (&condition.kind, expected) {
            (ExprKind::Unary(UnaryOp::Not, inner), _) => self.wrong(inner, !expected, causes),
            (ExprKind::Binary(BinaryOp::And, one, other), true)
            | (ExprKind::Binary(BinaryOp::Or, one, other), false) => {
                self.wrong(one, expected, causes);
                self.wrong(other, expected, causes);
            }
            (ExprKind::Binary(BinaryOp::Implies, one, other), true) => {
                if self.truth(one) == Some(true) && self.truth(other) == Some(false) {
                    self.wrong(one, false, causes);
                    self.wrong(other, true, causes);
                }
            }
            _ => {
                if self.truth(condition) == Some(!expected) {
                    causes.push(self.unexpected(condition, !expected));
                }
            }
        }
    }

    fn unexpected(&self, part: &Expr, value: bool) -> Cause {
        let (part, values) = (self.text(part), self.scope.pairs(part));
        let shown: Vec<String> =
            values.iter().map(|(name, value)| format!("{name} = {value}")).collect();
        let colon = if shown.is_empty() { "" } else { ": " };
        let text = format!("{part} is {value}{colon}{}", shown.join(", "));
        Cause { part, text, values, is_whole: false }
    }

    fn fault(&self, part: &FailingPart<'_>) -> Cause {
        let printer = Printer::new(self.scope.machine.model(), self.scope.process());
        let access = |access: &Access| printer.access(access);
        let (part, text, values) = match part {
            FailingPart::Index { access: variable, index, value, size } => {
                let name = access(variable);
                let text = format!("{name}: index {value}, size {size}");
                (name, text, self.scope.pairs(index))
            }
            FailingPart::Divisor(divisor) => {
                let name = self.text(divisor);
                let text = format!("the divisor {name} is 0");
                (name, text, self.scope.pairs(divisor))
            }
            FailingPart::NoChannel(channel) => {
                let name = access(channel);
                let text = format!("{name} holds no channel");
                (name, text, Vec::new())
            }
            FailingPart::Fields { channel, given, declared } => {
                let name = access(channel);
                let text = format!("{name}: the message has {given}, the channel {declared}");
                (name, text, Vec::new())
            }
        };
        let shown = values.iter().filter(|(name, _)| *name != part);
        let shown: Vec<String> = shown.map(|(name, value)| format!("{name} = {value}")).collect();
        let text = if shown.is_empty() { text } else { format!("{text} ({})", shown.join(", ")) };
        Cause { part, text, values, is_whole: true }
    }

    /// An expression as it is written, unless it is in a macro or an inline.
    fn text(&self, expr: &Expr) -> String {
        let printer = Printer::new(self.scope.machine.model(), self.scope.process());
        let plain = expr.span.expansion.is_none();
        let written = plain.then(|| one_line(self.texts.sources().text(expr.span))).flatten();
        written.filter(|text| !text.is_empty()).unwrap_or_else(|| printer.expr(expr))
    }
}

/// Whether an operator occurs in formulas only.
fn is_of_formulas(part: &Expr) -> bool {
    matches!(part.kind, ExprKind::Binary(BinaryOp::Implies | BinaryOp::Equivalent, ..))
}

/// Whether a formula is about more than one state.
fn is_temporal(formula: &Expr) -> bool {
    formula.any(|part| match part.kind {
        ExprKind::Unary(op, _) => op.is_temporal(),
        ExprKind::Binary(op, ..) => op.is_about_paths(),
        _ => false,
    })
}
