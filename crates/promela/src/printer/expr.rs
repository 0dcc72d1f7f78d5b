//! Expressions, with the necessary parentheses only.

use crate::ast::*;

use super::Printer;

/// Binds tighter than every binary operator.
const UNARY: u8 = u8::MAX;

impl Printer {
    /// An expression where any operator is allowed.
    pub(super) fn expr(&mut self, expr: &Expr) {
        self.expr_above(expr, 0);
    }

    /// An expression in parentheses unless its operator has precedence `least` or more. Deep trees
    /// are printed on a growing stack.
    fn expr_above(&mut self, expr: &Expr, least: u8) {
        stacker::maybe_grow(32 * 1024, 1024 * 1024, || match &expr.kind {
            ExprKind::Binary(op, left, right) => {
                let precedence = op.precedence();
                let parenthesised = precedence < least;
                if parenthesised {
                    self.text('(');
                }
                // All binary operators associate to the left.
                self.expr_above(left, precedence);
                self.text(format_args!(" {} ", op.text()));
                self.expr_above(right, precedence + 1);
                if parenthesised {
                    self.text(')');
                }
            }
            ExprKind::Unary(op, operand) => self.unary(*op, operand),
            ExprKind::Quantified(quantifier, operand) => {
                self.text(format_args!("{} ", quantifier.text()));
                // `A [...]` is a bracket, and `A []` an operator: parentheses tell them apart.
                self.text('(');
                self.expr(operand);
                self.text(')');
            }
            ExprKind::Fixpoint { kind, variable, body } => {
                self.text(format_args!("({} {} . ", kind.text(), variable.name));
                self.expr(body);
                self.text(')');
            }
            ExprKind::Modal { modality, actions, operand } => {
                self.actions(*modality, actions);
                self.expr_above(operand, UNARY);
            }
            other => self.primary(other),
        });
    }

    fn unary(&mut self, op: UnaryOp, operand: &Expr) {
        self.text(op.text());
        // `!!` and `--` without a space would be read as one operator.
        let doubled = matches!(&operand.kind, ExprKind::Unary(inner, _) if *inner == op)
            && matches!(op, UnaryOp::Not | UnaryOp::Negate);
        if doubled {
            self.text('(');
            self.expr(operand);
            self.text(')');
            return;
        }
        if op.is_temporal() {
            self.text(' ');
        }
        self.expr_above(operand, UNARY);
    }

    fn primary(&mut self, expr: &ExprKind) {
        match expr {
            ExprKind::Binary(..)
            | ExprKind::Unary(..)
            | ExprKind::Quantified(..)
            | ExprKind::Fixpoint { .. }
            | ExprKind::Modal { .. } => {
                unreachable!("operators are printed with their precedence")
            }
            ExprKind::Literal(literal) => self.literal(*literal),
            ExprKind::Var(var) => self.var_ref(var),
            ExprKind::Conditional(condition, yes, no) => {
                self.text('(');
                self.expr(condition);
                self.text(" -> ");
                self.expr(yes);
                self.text(" : ");
                self.expr(no);
                self.text(')');
            }
            ExprKind::Run { proctype, args, priority } => {
                self.text(format_args!("run {}(", proctype.name));
                self.list(args, Self::expr);
                self.text(')');
                if let Some(priority) = priority {
                    self.text(" priority ");
                    self.expr(priority);
                }
            }
            ExprKind::Channel(query, channel) => {
                self.text(format_args!("{}(", query.text()));
                self.var_ref(channel);
                self.text(')');
            }
            ExprKind::Process(query, process) => {
                self.text(format_args!("{}(", query.text()));
                self.expr(process);
                self.text(')');
            }
            ExprKind::Poll { channel, random, args } => {
                self.var_ref(channel);
                self.text(if *random { "??[" } else { "?[" });
                self.list(args, Self::recv_arg);
                self.text(']');
            }
            ExprKind::Timeout => self.text("timeout"),
            ExprKind::NonProgress => self.text("np_"),
            ExprKind::RemoteLabel { proctype, pid, label } => {
                self.remote_process(proctype, pid.as_deref());
                self.text(format_args!("@{}", label.name));
            }
            ExprKind::RemoteVar { proctype, pid, var } => {
                self.remote_process(proctype, pid.as_deref());
                self.text(':');
                self.var_ref(var);
            }
            ExprKind::Error => self.text("/* error */ 0"),
        }
    }

    /// `<a> ` or `[a] `
    fn actions(&mut self, modality: Modality, actions: &ActionPattern) {
        let (open, close) = match modality {
            Modality::Diamond => ('<', "> "),
            Modality::Box => ('[', "] "),
        };
        self.text(open);
        match actions {
            ActionPattern::Any => {}
            ActionPattern::Process { proctype, pid } => {
                self.remote_process(proctype, pid.as_deref());
            }
            ActionPattern::Label { proctype, pid, label } => {
                self.remote_process(proctype, pid.as_deref());
                self.text(format_args!("@{}", label.name));
            }
            ActionPattern::Send(channel) => self.text(format_args!("{}!", channel.name)),
            ActionPattern::Receive(channel) => self.text(format_args!("{}?", channel.name)),
        }
        self.text(close);
    }

    fn remote_process(&mut self, proctype: &Ident, pid: Option<&Expr>) {
        self.text(&proctype.name);
        if let Some(pid) = pid {
            self.text('[');
            self.expr(pid);
            self.text(']');
        }
    }

    fn literal(&mut self, literal: Literal) {
        match literal {
            // A number that was too large has wrapped; printed as unsigned, it wraps again.
            Literal::Number(value) => self.text(value as u32),
            Literal::Char(byte) => {
                self.text('\'');
                match byte {
                    b'\n' => self.text("\\n"),
                    b'\r' => self.text("\\r"),
                    b'\t' => self.text("\\t"),
                    0x0c => self.text("\\f"),
                    b'\'' | b'\\' => self.text(format_args!("\\{}", char::from(byte))),
                    _ => self.text(char::from(byte)),
                }
                self.text('\'');
            }
            Literal::True => self.text("true"),
            Literal::False => self.text("false"),
            Literal::Skip => self.text("skip"),
        }
    }

    /// `x[e].f`
    pub(super) fn var_ref(&mut self, var: &VarRef) {
        self.text(&var.name.name);
        if let Some(index) = &var.index {
            self.text('[');
            self.expr(index);
            self.text(']');
        }
        if let Some(field) = &var.field {
            self.text('.');
            self.var_ref(field);
        }
    }

    /// A field of a receive or a poll.
    pub(super) fn recv_arg(&mut self, arg: &RecvArg) {
        match arg {
            RecvArg::Var(var) => self.var_ref(var),
            RecvArg::Match(value) => self.expr(value),
            RecvArg::Eval(value) => {
                self.text("eval(");
                self.expr(value);
                self.text(')');
            }
        }
    }
}

/// Whether the text of an expression begins with `P:x`, which at the start of a
/// statement looks like a label.
pub(super) fn begins_like_a_label(expr: &Expr) -> bool {
    let mut first = expr;
    while let ExprKind::Binary(_, left, _) = &first.kind {
        first = left;
    }
    matches!(&first.kind, ExprKind::RemoteVar { pid: None, .. })
}
