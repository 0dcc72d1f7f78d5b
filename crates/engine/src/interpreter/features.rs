//! The features that a model uses, found in one pass over all statements.

use beeline_promela::hir::{
    Access, Expr, ExprKind, For, Model, Predefined, ProcessQuery, RecvArg, Root, SelectForm, Stmt,
    StmtKind, Type,
};

/// The features that a model uses.
pub(super) struct ModelFeatures {
    /// `_last`.
    pub(super) last: bool,
    /// Priorities other than the default, or a statement that reads one.
    pub(super) priorities: bool,
    /// By global: whether it is only assigned and printed. SPIN drops the values of such variables,
    /// unless they are channels or structures.
    pub(super) unread: Vec<bool>,
}

impl ModelFeatures {
    pub(super) fn of(model: &Model) -> ModelFeatures {
        let plain = |ty| !matches!(ty, Type::Chan | Type::Struct(_));
        let mut uses = ModelFeatures {
            last: false,
            priorities: false,
            unread: model.globals.iter().map(|variable| plain(variable.ty)).collect(),
        };
        for formula in model.formula_exprs() {
            uses.expr(formula);
        }
        for process in &model.processes {
            uses.priorities |= process.priority != 1;
            if let Some(provided) = &process.provided {
                uses.expr(provided);
            }
            process.body.iter().for_each(|stmt| stmt.visit(&mut |stmt| uses.stmt(stmt)));
            for local in &process.locals {
                if let beeline_promela::hir::Init::Value(value) = &local.init {
                    uses.expr(value);
                }
            }
        }
        uses
    }

    fn expr(&mut self, expr: &Expr) {
        expr.visit(&mut |expr| match &expr.kind {
            ExprKind::Read(access) => self.access(access),
            ExprKind::Process(ProcessQuery::Priority, _) => self.priorities = true,
            ExprKind::Run { priority: Some(_), .. } => self.priorities = true,
            ExprKind::Poll { args, .. } => args.iter().for_each(|arg| self.received(arg)),
            _ => {}
        });
    }

    fn access(&mut self, access: &Access) {
        match access.root {
            Root::Global(id) => self.unread[id.index()] = false,
            Root::Predefined(Predefined::Last) => self.last = true,
            Root::Predefined(Predefined::Priority) => self.priorities = true,
            Root::Local(_) | Root::Predefined(_) => {}
        }
    }

    fn indices(&mut self, access: &Access) {
        access.visit(&mut |expr| {
            if let ExprKind::Read(access) = &expr.kind {
                self.access(access);
            }
        });
    }

    /// A received value counts as a use, as in SPIN.
    fn received(&mut self, arg: &RecvArg) {
        if let RecvArg::Store(access) = arg {
            self.access(access);
        }
    }

    fn receive_arg(&mut self, arg: &RecvArg) {
        self.received(arg);
        arg.visit(&mut |expr| {
            if let ExprKind::Read(access) = &expr.kind {
                self.access(access);
            }
        });
    }

    /// The features of a statement itself, without nested statements.
    fn stmt(&mut self, stmt: &Stmt) {
        match &stmt.kind {
            StmtKind::Print { .. } | StmtKind::PrintM(_) => {}
            StmtKind::Assign { target, value } => {
                if target.root == Root::Predefined(Predefined::Priority) {
                    self.priorities = true;
                }
                self.indices(target);
                // Incrementing and decrementing is no use of a counter that is never read.
                if !stmt.is_step() {
                    self.expr(value);
                }
            }
            StmtKind::Receive { channel, args, .. } => {
                self.indices(channel);
                args.iter().for_each(|arg| self.receive_arg(arg));
            }
            StmtKind::SetPriority(process, priority) => {
                self.priorities = true;
                self.expr(process);
                self.expr(priority);
            }
            StmtKind::For { over: For::Range { var, from, to }, .. } => {
                self.access(var);
                self.expr(from);
                self.expr(to);
            }
            StmtKind::Select { var, from, to, form } => {
                // As a choice between assignments, it only assigns.
                match form {
                    SelectForm::Options => self.indices(var),
                    SelectForm::Counting | SelectForm::General => self.access(var),
                }
                self.expr(from);
                self.expr(to);
            }
            StmtKind::For { over: For::Channel { .. }, .. }
            | StmtKind::Labelled { .. }
            | StmtKind::Unless { .. }
            | StmtKind::If(_)
            | StmtKind::Do(_)
            | StmtKind::Atomic(_)
            | StmtKind::DStep(_)
            | StmtKind::Block(_) => {}
            StmtKind::Declare { .. }
            | StmtKind::Send { .. }
            | StmtKind::Assert(_)
            | StmtKind::Guard(_)
            | StmtKind::Break
            | StmtKind::Goto(_)
            | StmtKind::Else => {
                let mut found = Vec::new();
                stmt.visit_own_exprs(&mut |expr| found.push(expr.clone()));
                found.iter().for_each(|expr| self.expr(expr));
            }
        }
    }
}
