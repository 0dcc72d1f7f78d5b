//! Visitors for expressions and statements.

use super::{Access, DeclaredValue, Expr, ExprKind, For, RecvArg, Stmt, StmtKind};

impl Expr {
    /// Calls `visit` on this expression and on all its subexpressions, including indices of
    /// variables and fields of messages, outermost first.
    pub fn visit(&self, visit: &mut impl FnMut(&Expr)) {
        visit(self);
        match &self.kind {
            ExprKind::Const(_)
            | ExprKind::Mtype { .. }
            | ExprKind::Timeout
            | ExprKind::NonProgress => {}
            ExprKind::Read(access) | ExprKind::Channel(_, access) => access.visit(visit),
            ExprKind::Unary(_, operand) | ExprKind::Process(_, operand) => operand.visit(visit),
            ExprKind::Binary(_, left, right) => {
                left.visit(visit);
                right.visit(visit);
            }
            ExprKind::Conditional(condition, yes, no) => {
                condition.visit(visit);
                yes.visit(visit);
                no.visit(visit);
            }
            ExprKind::Run { args, .. } => args.iter().for_each(|arg| arg.visit(visit)),
            ExprKind::Poll { channel, args, .. } => {
                channel.visit(visit);
                args.iter().for_each(|arg| arg.visit(visit));
            }
            ExprKind::RemoteLabel { pid, .. } => {
                if let Some(pid) = pid {
                    pid.visit(visit);
                }
            }
            ExprKind::RemoteVar { pid, var, .. } => {
                if let Some(pid) = pid {
                    pid.visit(visit);
                }
                var.visit(visit);
            }
        }
    }

    /// Whether `test` holds for this expression or a subexpression.
    pub fn any(&self, mut test: impl FnMut(&Expr) -> bool) -> bool {
        let mut found = false;
        self.visit(&mut |expr| found |= test(expr));
        found
    }
}

impl Access {
    /// Calls `visit` on the indices and their subexpressions.
    pub fn visit(&self, visit: &mut impl FnMut(&Expr)) {
        if let Some(index) = &self.index {
            index.visit(visit);
        }
        for field in &self.path {
            if let Some(index) = &field.index {
                index.visit(visit);
            }
        }
    }
}

impl RecvArg {
    /// Calls `visit` on the expressions of the field.
    pub fn visit(&self, visit: &mut impl FnMut(&Expr)) {
        match self {
            RecvArg::Store(access) => access.visit(visit),
            RecvArg::Match(value) | RecvArg::Eval(value) => value.visit(visit),
        }
    }
}

impl Stmt {
    /// Whether this is `x++` or `x--`: only there the span of the value is the span of the
    /// assignment.
    pub fn is_step(&self) -> bool {
        matches!(&self.kind, StmtKind::Assign { value, .. } if value.span == self.span)
    }

    /// Calls `visit` on this statement and on those inside it, outermost first.
    pub fn visit(&self, visit: &mut impl FnMut(&Stmt)) {
        visit(self);
        match &self.kind {
            StmtKind::Labelled { stmt, .. } => stmt.visit(visit),
            StmtKind::Unless { body, escape } => {
                body.visit(visit);
                escape.visit(visit);
            }
            StmtKind::If(options) | StmtKind::Do(options) => {
                options.iter().flatten().for_each(|stmt| stmt.visit(visit));
            }
            StmtKind::For { body, .. }
            | StmtKind::Atomic(body)
            | StmtKind::DStep(body)
            | StmtKind::Block(body) => body.iter().for_each(|stmt| stmt.visit(visit)),
            StmtKind::Declare { .. }
            | StmtKind::Assign { .. }
            | StmtKind::Send { .. }
            | StmtKind::Receive { .. }
            | StmtKind::Select { .. }
            | StmtKind::Break
            | StmtKind::Goto(_)
            | StmtKind::Else
            | StmtKind::Assert(_)
            | StmtKind::Print { .. }
            | StmtKind::PrintM(_)
            | StmtKind::Guard(_)
            | StmtKind::SetPriority(..) => {}
        }
    }

    /// Calls `visit` on every expression of this statement, and not of those inside it.
    pub fn visit_own_exprs(&self, visit: &mut impl FnMut(&Expr)) {
        match &self.kind {
            StmtKind::Declare { value, .. } => match value {
                Some(DeclaredValue::Value(value)) => value.visit(visit),
                Some(DeclaredValue::List(values)) => values.iter().for_each(|v| v.visit(visit)),
                None => {}
            },
            StmtKind::Assign { target, value } => {
                target.visit(visit);
                value.visit(visit);
            }
            StmtKind::Send { channel, args, .. } => {
                channel.visit(visit);
                args.iter().for_each(|arg| arg.visit(visit));
            }
            StmtKind::Receive { channel, args, .. } => {
                channel.visit(visit);
                args.iter().for_each(|arg| arg.visit(visit));
            }
            StmtKind::For { over: For::Range { var, from, to, .. }, .. }
            | StmtKind::Select { var, from, to, .. } => {
                var.visit(visit);
                from.visit(visit);
                to.visit(visit);
            }
            StmtKind::For { over: For::Channel { fields, channel, .. }, .. } => {
                fields.iter().for_each(|field| field.visit(visit));
                channel.visit(visit);
            }
            StmtKind::Assert(expr) | StmtKind::PrintM(expr) | StmtKind::Guard(expr) => {
                expr.visit(visit);
            }
            StmtKind::Print { args, .. } => args.iter().for_each(|arg| arg.visit(visit)),
            StmtKind::SetPriority(process, priority) => {
                process.visit(visit);
                priority.visit(visit);
            }
            StmtKind::Labelled { .. }
            | StmtKind::Unless { .. }
            | StmtKind::If(_)
            | StmtKind::Do(_)
            | StmtKind::Break
            | StmtKind::Goto(_)
            | StmtKind::Else
            | StmtKind::Atomic(_)
            | StmtKind::DStep(_)
            | StmtKind::Block(_) => {}
        }
    }

    /// Calls `visit` on every expression of this statement and of those inside it.
    pub fn visit_exprs(&self, visit: &mut impl FnMut(&Expr)) {
        self.visit(&mut |stmt| stmt.visit_own_exprs(visit));
    }
}
