//! Values that must be constant: sizes, counts, priorities.

use super::{Global, Resolver};
use crate::ast::{ActivePrefix, BinaryOp, Expr, ExprKind, UnaryOp};
use crate::hir::{Init, MOST_PROCESSES, USUAL_PROCESSES};
use beeline_source::diagnostic::Diagnostic;

/// The reason why an expression is not constant.
enum NotConstant {
    DivisionByZero,
    Expression,
}

impl Resolver<'_> {
    /// The value of a constant expression: numbers, mtype constants, `+ - * / %`.
    pub(super) fn constant(&mut self, expr: &Expr, what: &str) -> Option<i32> {
        match self.try_constant(expr) {
            Ok(value) => Some(value),
            Err(NotConstant::DivisionByZero) => {
                self.report(
                    Diagnostic::error("division-by-zero", expr.span, "this divides by zero")
                        .label("no value"),
                );
                None
            }
            Err(NotConstant::Expression) => {
                self.report(
                    Diagnostic::error(
                        "not-a-constant",
                        expr.span,
                        format!("{what} must be a constant"),
                    )
                    .label("its value is not known before the model runs")
                    .help("use a number or a `#define`"),
                );
                None
            }
        }
    }

    fn try_constant(&self, expr: &Expr) -> Result<i32, NotConstant> {
        match &expr.kind {
            ExprKind::Literal(literal) => Ok(literal.value()),
            ExprKind::Var(var) if var.index.is_none() && var.field.is_none() => {
                match self.globals.get(&var.name.name) {
                    Some((Global::Mtype(_, value), _)) => Ok(*value),
                    _ => Err(NotConstant::Expression),
                }
            }
            ExprKind::Unary(UnaryOp::Negate, operand) => {
                self.try_constant(operand).map(i32::wrapping_neg)
            }
            ExprKind::Binary(op, left, right) => {
                let (left, right) = (self.try_constant(left)?, self.try_constant(right)?);
                match op {
                    BinaryOp::Add => Ok(left.wrapping_add(right)),
                    BinaryOp::Subtract => Ok(left.wrapping_sub(right)),
                    BinaryOp::Multiply => Ok(left.wrapping_mul(right)),
                    BinaryOp::Divide | BinaryOp::Modulo if right == 0 => {
                        Err(NotConstant::DivisionByZero)
                    }
                    BinaryOp::Divide => Ok(left.wrapping_div(right)),
                    BinaryOp::Modulo => Ok(left.wrapping_rem(right)),
                    _ => Err(NotConstant::Expression),
                }
            }
            _ => Err(NotConstant::Expression),
        }
    }

    /// A size, for which SPIN also accepts the name of an initialised variable.
    pub(super) fn size(&mut self, expr: &Expr, what: &str) -> Option<i32> {
        if let ExprKind::Var(var) = &expr.kind
            && var.index.is_none()
            && var.field.is_none()
            && let Some((Global::Variable(id), declared)) = self.globals.get(&var.name.name)
        {
            let (variable, declared) = (&self.model.globals[id.index()], *declared);
            let value = match &variable.init {
                Init::Value(value) => value.kind.constant(),
                _ => None,
            };
            let name = var.name.name.clone();
            return match value.filter(|value| *value > 0) {
                Some(value) => {
                    self.report(
                        Diagnostic::warning(
                            "variable-as-size",
                            expr.span,
                            format!("{what} is a variable"),
                        )
                        .label(format!("its initial value {value} is taken"))
                        .related(declared, "declared here")
                        .help(format!("use `#define {name} {value}` for a constant")),
                    );
                    Some(value)
                }
                None => {
                    self.report(
                        Diagnostic::error(
                            "not-a-constant",
                            expr.span,
                            format!("{what} must be a constant"),
                        )
                        .label("this variable has no positive initial value")
                        .related(declared, "declared here")
                        .help("use a number or a `#define`"),
                    );
                    None
                }
            };
        }
        self.constant(expr, what)
    }

    pub(super) fn active_count(&mut self, active: Option<&ActivePrefix>) -> u32 {
        let Some(active) = active else {
            return 0;
        };
        let (value, span) = match &active.count {
            Some(count) => (self.size(count, "the number of processes").unwrap_or(0), count.span),
            None => (1, active.span.0),
        };
        if value <= 0 {
            self.report(
                Diagnostic::warning("no-active-process", span, "no process is started")
                    .label(format!("`active [{value}]` is the same as no `active`")),
            );
            return 0;
        }
        let value = value as usize;
        let before = self.active;
        self.active += value;
        if self.active > MOST_PROCESSES {
            if before <= MOST_PROCESSES {
                self.report(
                    Diagnostic::error(
                        "too-many-processes",
                        span,
                        format!("more processes run than the limit of {MOST_PROCESSES} allows"),
                    )
                    .label(format!("{} processes so far", self.active)),
                );
            }
            return 0;
        }
        if value > USUAL_PROCESSES {
            self.report(
                Diagnostic::warning(
                    "many-processes",
                    span,
                    format!("SPIN runs at most {USUAL_PROCESSES} processes"),
                )
                .label(format!("{value} processes")),
            );
        }
        value as u32
    }

    pub(super) fn priority(&mut self, priority: Option<&Expr>) -> i32 {
        let Some(expr) = priority else {
            return 1;
        };
        let value = self.constant(expr, "a priority").unwrap_or(1);
        if !(1..=255).contains(&value) {
            self.report(
                Diagnostic::error(
                    "priority-out-of-range",
                    expr.span,
                    "a priority is between 1 and 255",
                )
                .label(format!("{value}")),
            );
        }
        value
    }
}
