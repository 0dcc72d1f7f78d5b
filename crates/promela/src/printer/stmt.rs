//! Statements: one per line, `->` after a guard, `;` between the others.

use crate::ast::*;

use super::Printer;
use super::expr::begins_like_a_label;

impl Printer {
    /// A statement without a separator after it. Deep trees are printed on a
    /// growing stack.
    pub(super) fn stmt(&mut self, stmt: &Stmt) {
        stacker::maybe_grow(32 * 1024, 1024 * 1024, || self.stmt_kind(&stmt.kind));
    }

    fn stmt_kind(&mut self, stmt: &StmtKind) {
        match stmt {
            StmtKind::Variables(decl) => self.var_decl(decl),
            StmtKind::Exclusive { sends, channels } => {
                self.text(if *sends { "xs " } else { "xr " });
                self.list(channels, Self::var_ref);
            }
            StmtKind::Labelled { label, stmt } => {
                self.text(format_args!("{}:", label.name));
                if let Some(stmt) = stmt {
                    self.text(' ');
                    self.stmt(stmt);
                }
            }
            StmtKind::Unless { body, escape } => {
                self.stmt(body);
                self.text(" unless ");
                self.stmt(escape);
            }
            StmtKind::If(options) => self.options("if", options, "fi"),
            StmtKind::Do(options) => self.options("do", options, "od"),
            StmtKind::For { var, over, body } => self.for_loop(var, over, body),
            StmtKind::Atomic(body) => {
                self.text("atomic ");
                self.block(body);
            }
            StmtKind::DStep(body) => {
                self.text("d_step ");
                self.block(body);
            }
            StmtKind::Block(body) => self.block(body),
            simple => self.simple(simple),
        }
    }

    /// Statements that fit on a line.
    fn simple(&mut self, stmt: &StmtKind) {
        match stmt {
            StmtKind::Assign { target, value } => {
                self.var_ref(target);
                self.text(" = ");
                self.expr(value);
            }
            StmtKind::Step { target, up } => {
                self.var_ref(target);
                self.text(if *up { "++" } else { "--" });
            }
            StmtKind::Send { channel, sorted, args } => self.send(channel, *sorted, args),
            StmtKind::Receive { channel, random, peek, args } => {
                self.var_ref(channel);
                self.text(if *random { "??" } else { "?" });
                if *random && (*peek || matches!(args.first(), Some(RecvArg::Match(_)))) {
                    // gcc reads `??<` and `??-` as trigraphs.
                    self.text(' ');
                }
                if *peek {
                    self.text('<');
                }
                self.list(args, Self::recv_arg);
                if *peek {
                    self.text('>');
                }
            }
            StmtKind::Select { var, from, to } => {
                self.text("select (");
                self.range(var, from, to);
                self.text(')');
            }
            StmtKind::Break => self.text("break"),
            StmtKind::Goto(label) => self.text(format_args!("goto {}", label.name)),
            StmtKind::Else => self.text("else"),
            StmtKind::Assert(condition) => self.applied("assert", &[condition]),
            StmtKind::Print { format, args } => {
                self.text(format_args!("printf({}", format.name));
                for arg in args {
                    self.text(", ");
                    self.expr(arg);
                }
                self.text(')');
            }
            StmtKind::PrintM(value) => self.applied("printm", &[value]),
            StmtKind::SetPriority(process, value) => {
                self.applied("set_priority", &[process, value]);
            }
            StmtKind::Expr(expr) if begins_like_a_label(expr) => {
                self.text('(');
                self.expr(expr);
                self.text(')');
            }
            StmtKind::Expr(expr) => self.expr(expr),
            StmtKind::Call { name, args, result, expansion: _ } => {
                if let Some(result) = result {
                    self.var_ref(result);
                    self.text(" = ");
                }
                self.text(format_args!("{}(", name.name));
                self.list(args, Self::expr);
                self.text(')');
            }
            StmtKind::Return { target: _, value } => {
                self.text("return ");
                self.expr(value);
            }
            _ => self.text("/* error */ skip"),
        }
    }

    fn applied(&mut self, function: &str, args: &[&Expr]) {
        self.text(format_args!("{function}("));
        self.list(args, |p, arg| p.expr(arg));
        self.text(')');
    }

    fn send(&mut self, channel: &VarRef, sorted: bool, args: &[Expr]) {
        self.var_ref(channel);
        self.text(if sorted { "!!" } else { "!" });
        // `q! !x` is not the sorted send `q!!x`.
        if args.first().is_some_and(|arg| super::print_expr(arg).starts_with('!')) {
            self.text(' ');
        }
        self.list(args, Self::expr);
    }

    fn for_loop(&mut self, var: &VarRef, over: &ForRange, body: &Sequence) {
        self.text("for (");
        match over {
            ForRange::Range(from, to) => self.range(var, from, to),
            ForRange::In(array) => {
                self.var_ref(var);
                self.text(" in ");
                self.var_ref(array);
            }
        }
        self.text(") ");
        self.block(body);
    }

    fn range(&mut self, var: &VarRef, from: &Expr, to: &Expr) {
        self.var_ref(var);
        self.text(" : ");
        self.expr(from);
        self.text(" .. ");
        self.expr(to);
    }

    /// `{ … }`, over several lines.
    pub(super) fn block(&mut self, body: &Sequence) {
        self.text('{');
        self.depth += 1;
        self.newline();
        self.sequence(body);
        self.depth -= 1;
        self.newline();
        self.text('}');
    }

    fn sequence(&mut self, body: &[Stmt]) {
        for (at, stmt) in body.iter().enumerate() {
            if at > 0 {
                self.text(';');
                self.newline();
            }
            self.stmt(stmt);
        }
    }

    fn options(&mut self, open: &str, options: &[Sequence], close: &str) {
        self.text(open);
        for option in options {
            self.newline();
            self.text(":: ");
            self.option(option);
        }
        self.newline();
        self.text(close);
    }

    /// `guard -> statement` on one line if both are short, otherwise the statements below the
    /// guard.
    fn option(&mut self, option: &[Stmt]) {
        let Some((first, rest)) = option.split_first() else {
            return;
        };
        self.depth += 1;
        self.stmt(first);
        if !rest.is_empty() {
            self.text(if is_guard(&first.kind) { " ->" } else { ";" });
            match rest {
                [only] if is_short(&first.kind) && is_short(&only.kind) => self.text(' '),
                _ => self.newline(),
            }
            self.sequence(rest);
        }
        self.depth -= 1;
    }
}

/// Whether the statement can block: an arrow separates it from the next statement.
fn is_guard(stmt: &StmtKind) -> bool {
    matches!(stmt, StmtKind::Expr(_) | StmtKind::Receive { .. } | StmtKind::Else)
}

/// Whether the statement never takes more than a line.
fn is_short(stmt: &StmtKind) -> bool {
    match stmt {
        StmtKind::Labelled { stmt, .. } => stmt.as_ref().is_none_or(|stmt| is_short(&stmt.kind)),
        StmtKind::Unless { .. }
        | StmtKind::If(_)
        | StmtKind::Do(_)
        | StmtKind::For { .. }
        | StmtKind::Atomic(_)
        | StmtKind::DStep(_)
        | StmtKind::Block(_) => false,
        _ => true,
    }
}
