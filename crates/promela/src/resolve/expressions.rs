//! Expressions and formulas.

use super::{Global, Remote, Resolver};
use crate::ast::{self, BinaryOp, ChannelQuery, ExprKind as Ast, Ident, UnaryOp, VarRef};
use crate::hir::{Access, Expr, ExprKind, LabelId, LocalId, Predefined, ProcessId, Root, Type};
use beeline_source::diagnostic::{Diagnostic, MOST_CANDIDATES, did_you_mean};
use beeline_source::source::Span;

/// Whether `full`, `empty`, `nfull` and `nempty` are allowed here. They may be operands of `&&` and
/// `||` only, because partial order reduction depends on their plain form.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Probes {
    Allowed,
    Forbidden,
}

impl Resolver<'_> {
    /// An expression whose value is computed with: no channel probes.
    pub(super) fn value(&mut self, expr: &ast::Expr) -> Expr {
        self.expr(expr, Probes::Forbidden)
    }

    /// A condition, an assigned value or a formula: channel probes are allowed.
    pub(super) fn condition(&mut self, expr: &ast::Expr) -> Expr {
        self.expr(expr, Probes::Allowed)
    }

    fn expr(&mut self, expr: &ast::Expr, probes: Probes) -> Expr {
        // Trees are at most as deep as the parser allows; frames here are larger than there.
        stacker::maybe_grow(128 * 1024, 4 * 1024 * 1024, || {
            let kind = self.expr_kind(expr, probes).unwrap_or(ExprKind::Const(0));
            Expr { kind, span: expr.span }
        })
    }

    fn boxed(&mut self, expr: &ast::Expr) -> Box<Expr> {
        Box::new(self.value(expr))
    }

    /// `None` when an error was reported.
    fn expr_kind(&mut self, expr: &ast::Expr, probes: Probes) -> Option<ExprKind> {
        Some(match &expr.kind {
            Ast::Literal(literal) => ExprKind::Const(literal.value()),
            Ast::Var(var) => return self.read(var),
            Ast::Unary(op, operand) => {
                if op.is_temporal() {
                    ExprKind::Unary(*op, Box::new(self.expr(operand, Probes::Forbidden)))
                } else {
                    self.check_negated_probe(*op, operand, expr.span);
                    ExprKind::Unary(*op, self.boxed(operand))
                }
            }
            Ast::Binary(op, left, right) => {
                let inner = match op {
                    BinaryOp::And | BinaryOp::Or => probes,
                    _ => Probes::Forbidden,
                };
                let left = self.expr(left, inner);
                let right = self.expr(right, inner);
                ExprKind::Binary(*op, Box::new(left), Box::new(right))
            }
            Ast::Conditional(condition, yes, no) => {
                let condition = self.boxed(condition);
                let yes = self.boxed(yes);
                ExprKind::Conditional(condition, yes, self.boxed(no))
            }
            Ast::Run { proctype, args, priority } => {
                return self.run(proctype, args, priority.as_deref(), expr.span);
            }
            Ast::Channel(query, var) => {
                if *query != ChannelQuery::Len && probes == Probes::Forbidden {
                    self.report_probe(*query, expr.span);
                }
                ExprKind::Channel(*query, self.channel(var)?)
            }
            Ast::Process(query, pid) => ExprKind::Process(*query, self.boxed(pid)),
            Ast::Poll { channel, random, args } => {
                let access = self.channel(channel);
                let args = self.recv_args(args);
                let channel = access?;
                self.check_message(&channel, args.len(), expr.span, "polled");
                ExprKind::Poll { channel, random: *random, args }
            }
            Ast::Timeout => ExprKind::Timeout,
            Ast::NonProgress => ExprKind::NonProgress,
            Ast::RemoteLabel { proctype, pid, label } => {
                let pid = pid.as_ref().map(|pid| self.boxed(pid));
                let process = self.remote_process(proctype)?;
                let label = self.remote_label(process, proctype, label)?;
                ExprKind::RemoteLabel { process, pid, label }
            }
            Ast::RemoteVar { proctype, pid, var } => {
                let pid = pid.as_ref().map(|pid| self.boxed(pid));
                let process = self.remote_process(proctype)?;
                let var = self.remote_var(process, var)?;
                ExprKind::RemoteVar { process, pid, var }
            }
            Ast::Quantified(..) | Ast::Fixpoint { .. } | Ast::Modal { .. } => {
                self.report_formula_as_number(expr.span);
                return None;
            }
            Ast::Error => return None,
        })
    }

    fn read(&mut self, var: &VarRef) -> Option<ExprKind> {
        if var.index.is_none()
            && var.field.is_none()
            && let Some(&(Global::Mtype(set, value), _)) = self.globals.get(&var.name.name)
        {
            return Some(ExprKind::Mtype { set, value });
        }
        let (access, _) = self.scalar(var)?;
        if access.root == Root::Predefined(Predefined::Scratch) && !self.in_trace() {
            self.report(
                Diagnostic::error(
                    "read-of-scratch",
                    var.span.0,
                    "`_` discards its value and cannot be read",
                )
                .label("nothing to read")
                .help("use a variable of your own"),
            );
            return None;
        }
        Some(ExprKind::Read(access))
    }

    fn report_probe(&mut self, query: ChannelQuery, span: Span) {
        let text = query.text();
        self.report(
            Diagnostic::error(
                "probe-in-expression",
                span,
                format!("`{text}` may only be joined by `&&` and `||`"),
            )
            .label("part of a larger expression")
            .help("compare `len(q)` instead"),
        );
    }

    /// Reports `!full(q)`: it has its own operator, `nfull`.
    fn check_negated_probe(&mut self, op: UnaryOp, operand: &ast::Expr, span: Span) {
        let (UnaryOp::Not, Ast::Channel(query, channel)) = (op, &operand.kind) else {
            return;
        };
        let opposite = match query {
            ChannelQuery::Full => "nfull",
            ChannelQuery::Empty => "nempty",
            ChannelQuery::NFull => "full",
            ChannelQuery::NEmpty => "empty",
            ChannelQuery::Len => return,
        };
        let name = &channel.name.name;
        self.report(
            Diagnostic::error(
                "negated-probe",
                span,
                format!("`{}` cannot be negated", query.text()),
            )
            .label("`!` before a channel test")
            .fix(format!("use `{opposite}`"), span, format!("{opposite}({name})")),
        );
    }

    fn run(
        &mut self,
        proctype: &Ident,
        args: &[ast::Expr],
        priority: Option<&ast::Expr>,
        span: Span,
    ) -> Option<ExprKind> {
        if self.d_step != 0 {
            self.report(
                Diagnostic::error("run-in-d_step", span, "`run` cannot stand inside a d_step")
                    .label("starts a process")
                    .help("use `atomic` instead of `d_step`"),
            );
        }
        let args = self.message(args);
        let priority = priority.map(|priority| self.priority(Some(priority)));
        let Some(&process) = self.proctypes.get(&proctype.name) else {
            self.unknown_proctype(proctype);
            return None;
        };
        Some(ExprKind::Run { process, args, priority })
    }

    pub(super) fn unknown_proctype(&mut self, proctype: &Ident) {
        if self.diagnostics.is_forgiven(&proctype.name) {
            return;
        }
        let mut names: Vec<&str> = Vec::new();
        // A model with this many names is generated, and generators make no typing errors.
        if self.proctypes.len() < MOST_CANDIDATES && !self.diagnostics.is_full() {
            names.extend(self.proctypes.keys().map(|name| &**name));
        }
        names.sort_unstable();
        let close = did_you_mean(&proctype.name, names.iter().copied()).map(str::to_owned);
        let diagnostic = Diagnostic::error(
            "unknown-proctype",
            proctype.span,
            format!("there is no proctype `{}`", proctype.name),
        )
        .label("unknown proctype");
        let diagnostic = match close {
            Some(close) => diagnostic.fix(format!("did you mean `{close}`?"), proctype.span, close),
            None => diagnostic.help(format!("define it: `proctype {}() {{ … }}`", proctype.name)),
        };
        self.report(diagnostic);
    }

    /// A proctype of a remote reference; it must be declared above.
    pub(super) fn remote_process(&mut self, proctype: &Ident) -> Option<ProcessId> {
        match self.globals.get(&proctype.name) {
            Some((Global::Proctype(id), _)) if id.index() < self.model.processes.len() => Some(*id),
            Some((Global::Proctype(_), span)) => {
                let declared = *span;
                self.report(
                    Diagnostic::error(
                        "remote-to-self",
                        proctype.span,
                        "a remote reference must refer to another proctype",
                    )
                    .label("this is the same proctype")
                    .related(declared, "declared here"),
                );
                None
            }
            _ if self.proctypes.contains_key(&proctype.name) => {
                self.report(
                    Diagnostic::error("proctype-below", proctype.span, format!("proctype `{}` is declared further down", proctype.name))
                        .label("not known yet")
                        .help("move this below the proctype; a remote reference needs its labels and variables"),
                );
                None
            }
            _ => {
                self.unknown_proctype(proctype);
                None
            }
        }
    }

    /// The names of a process that a remote reference may use.
    fn remote(&mut self, id: ProcessId) -> &Remote {
        self.remotes.entry(id).or_insert_with(|| {
            let process = self.model.process(id);
            let mut remote = Remote::default();
            for (number, label) in process.labels.iter().enumerate() {
                remote.labels.entry(label.name.name.clone()).or_insert(LabelId(number as u32));
            }
            for (number, local) in process.locals.iter().enumerate() {
                remote.locals.entry(local.name.name.clone()).or_insert(LocalId(number as u32));
            }
            remote
        })
    }

    pub(super) fn remote_label(
        &mut self,
        process: ProcessId,
        owner: &Ident,
        label: &Ident,
    ) -> Option<LabelId> {
        if let Some(&found) = self.remote(process).labels.get(&label.name) {
            return Some(found);
        }
        let full = self.diagnostics.is_full();
        let labels = if full { &[] } else { &*self.model.process(process).labels };
        let close =
            did_you_mean(&label.name, labels.iter().map(|l| &*l.name.name)).map(str::to_owned);
        let diagnostic = Diagnostic::error(
            "unknown-label",
            label.span,
            format!("proctype `{}` has no label `{}`", owner.name, label.name),
        )
        .label("no such label");
        let diagnostic = match close {
            Some(close) => diagnostic.fix(format!("did you mean `{close}`?"), label.span, close),
            None => {
                let owner = self.model.process(process).name.span;
                diagnostic
                    .related(owner, "the proctype")
                    .help(format!("put `{}:` before a statement of that proctype", label.name))
            }
        };
        self.report(diagnostic);
        None
    }

    fn remote_var(&mut self, process: ProcessId, var: &VarRef) -> Option<Access> {
        let Some(&id) = self.remote(process).locals.get(&var.name.name) else {
            let owner = self.model.process(process).name.clone();
            let full = self.diagnostics.is_full();
            let locals = if full { &[] } else { &*self.model.process(process).locals };
            let close = did_you_mean(&var.name.name, locals.iter().map(|l| &*l.name.name))
                .map(str::to_owned);
            let diagnostic = Diagnostic::error(
                "unknown-remote-variable",
                var.name.span,
                format!("proctype `{}` has no variable `{}`", owner.name, var.name.name),
            )
            .label("no such variable")
            .related(owner.span, "the proctype");
            let diagnostic = match close {
                Some(close) => {
                    diagnostic.fix(format!("did you mean `{close}`?"), var.name.span, close)
                }
                None => diagnostic,
            };
            self.report(diagnostic);
            return None;
        };
        let length = self.model.process(process).locals[id.index()].length;
        let index = match (&var.index, length) {
            (Some(index), _) => Some(self.boxed(index)),
            (None, Some(length)) => {
                self.report(
                    Diagnostic::error(
                        "missing-index",
                        var.name.span,
                        format!("`{}` is an array of {length}", var.name.name),
                    )
                    .label("which element?")
                    .fix("for example", var.name.span.after(), "[0]"),
                );
                None
            }
            (None, None) => None,
        };
        if let Some(field) = &var.field {
            self.report(
                Diagnostic::error(
                    "remote-field",
                    field.name.span,
                    "a remote reference cannot name a field of a structure",
                )
                .label("field of a remote variable")
                .help("copy the field into a variable of its own, or make the structure global"),
            );
        }
        let root = Root::Local(id);
        Some(Access { root, index, path: Vec::new(), span: var.span.0 })
    }

    /// Checks whether a value may be stored in a variable of this type. As in SPIN, the fields of
    /// structures are not checked.
    pub(super) fn check_assignable(&mut self, ty: Type, value: &Expr, target: Span) {
        match (ty, &value.kind) {
            (Type::Chan, ExprKind::Const(_) | ExprKind::Mtype { .. }) => self.report(
                Diagnostic::error("constant-for-channel", value.span, "a number is not a channel")
                    .label("assigned to a channel")
                    .related(target, "the channel"),
            ),
            (Type::Mtype(Some(wanted)), ExprKind::Mtype { set, .. }) if wanted != *set => {
                let name = |id: crate::hir::MtypeId| {
                    self.model.mtypes[id.index()].name.clone().unwrap_or_else(|| "mtype".into())
                };
                let (wanted, given) = (name(wanted), name(*set));
                self.report(
                    Diagnostic::error(
                        "mtype-mismatch",
                        value.span,
                        format!("a constant of `{given}` is assigned to a variable of `{wanted}`"),
                    )
                    .label(format!("not a `{wanted}`"))
                    .related(target, "the variable"),
                );
            }
            _ => self.check_channel_arithmetic(value),
        }
    }

    /// Channels can be passed on, but arithmetic on them is an error.
    fn check_channel_arithmetic(&mut self, value: &Expr) {
        let ExprKind::Binary(_, left, right) = &value.kind else {
            return;
        };
        let operands = [left, right];
        let channel = operands.into_iter().find(|operand| match &operand.kind {
            ExprKind::Read(access) if access.path.is_empty() => {
                self.declaration(access.root).is_some_and(|variable| variable.ty == Type::Chan)
            }
            _ => false,
        });
        if let Some(channel) = channel {
            let at = channel.span;
            self.report(
                Diagnostic::error(
                    "channel-arithmetic",
                    at,
                    "arithmetic on channels is not possible",
                )
                .label("a channel")
                .help("to use what a channel holds, receive it: `q?x`; to count, `len(q)`"),
            );
        }
    }
}
