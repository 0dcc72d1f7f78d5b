//! Statements.

use std::collections::HashSet;

use super::{Resolver, branching};
use crate::ast::{self, ForRange, RecvArg as AstRecvArg, Sequence, StmtKind as Ast, VarRef};
use crate::hir::{
    Access, BinaryOp, Exclusive, Expr, ExprKind, For, Init, Predefined, ProcessKind, RecvArg, Role,
    Root, SelectForm, Stmt, StmtKind, Type, Variable,
};
use beeline_source::diagnostic::Diagnostic;
use beeline_source::source::Span;

impl Resolver<'_> {
    pub(super) fn sequence(&mut self, steps: &Sequence) -> Vec<Stmt> {
        let mut resolved = Vec::new();
        for step in steps {
            self.step(step, &mut resolved);
        }
        resolved
    }

    fn step(&mut self, step: &ast::Stmt, into: &mut Vec<Stmt>) {
        match &step.kind {
            Ast::Variables(decl) => self.local_variables(decl, step.span, into),
            Ast::Exclusive { sends, channels } => {
                for channel in channels {
                    if let Some(channel) = self.channel(channel) {
                        let process = self.current;
                        self.model.exclusives.push(Exclusive { sends: *sends, channel, process });
                    }
                }
            }
            _ => {
                if let Some(stmt) = self.stmt(step) {
                    into.push(stmt);
                }
                self.scope.declarations_are_initial = false;
            }
        }
    }

    /// A block's statements in a scope of their own.
    fn block(&mut self, steps: &Sequence) -> Vec<Stmt> {
        self.scope.enter();
        self.scope.declarations_are_initial = false;
        let resolved = self.sequence(steps);
        self.scope.leave();
        resolved
    }

    fn stmt(&mut self, stmt: &ast::Stmt) -> Option<Stmt> {
        let kind = stacker::maybe_grow(128 * 1024, 4 * 1024 * 1024, || self.stmt_kind(stmt))?;
        self.statements += branching::weight(&kind);
        Some(Stmt { kind, span: stmt.span })
    }

    /// `None` if the statement has no effect or an error was reported.
    fn stmt_kind(&mut self, stmt: &ast::Stmt) -> Option<StmtKind> {
        self.check_event(stmt);
        let span = stmt.span;
        Some(match &stmt.kind {
            Ast::Variables(_) | Ast::Exclusive { .. } | Ast::Error => return None,
            Ast::Labelled { label, stmt } => return self.labelled(label, stmt.as_deref(), span),
            Ast::Unless { body, escape } => return self.unless(body, escape, span),
            Ast::Assign { target, value } => return self.assign(target, value),
            Ast::Return { target, value } => return self.assign(target, value),
            Ast::Step { target, up } => return self.increment(target, *up, span),
            Ast::Send { channel, sorted, args } => {
                let access = self.channel(channel);
                let args = self.message(args);
                let channel = access?;
                self.check_message(&channel, args.len(), span, "sent");
                StmtKind::Send { channel, sorted: *sorted, args }
            }
            Ast::Receive { channel, random, peek, args } => {
                let access = self.channel(channel);
                let args = self.received(args);
                let channel = access?;
                self.check_message(&channel, args.len(), span, "received");
                StmtKind::Receive { channel, random: *random, peek: *peek, args }
            }
            Ast::If(options) => StmtKind::If(self.choice(options, span)),
            Ast::Do(options) => {
                self.loops += 1;
                let resolved = self.options(options);
                self.loops -= 1;
                self.charge_choice(&resolved, span);
                StmtKind::Do(resolved)
            }
            Ast::For { var, over, body } => return self.for_loop(var, over, body, span),
            Ast::Select { var, from, to } => return self.select(var, from, to),
            Ast::Break => return self.break_loop(span),
            Ast::Goto(label) => StmtKind::Goto(self.jump(label)),
            Ast::Else => StmtKind::Else,
            Ast::Atomic(body) => {
                self.check_first_label(body, "atomic");
                StmtKind::Atomic(self.block(body))
            }
            Ast::DStep(body) => {
                self.check_first_label(body, "d_step");
                StmtKind::DStep(self.d_step(body))
            }
            Ast::Block(body) => {
                self.check_first_label(body, "block");
                StmtKind::Block(self.block(body))
            }
            Ast::Assert(condition) => StmtKind::Assert(self.condition(condition)),
            Ast::Print { format, args } => {
                let args = args.iter().map(|arg| self.value(arg)).collect();
                StmtKind::Print { format: format.name.clone(), args }
            }
            Ast::PrintM(value) => StmtKind::PrintM(self.value(value)),
            Ast::SetPriority(process, priority) => {
                StmtKind::SetPriority(self.value(process), self.value(priority))
            }
            Ast::Expr(condition) => StmtKind::Guard(self.condition(condition)),
            Ast::Call { expansion, .. } => {
                self.inline_depth += 1;
                let expanded = self.stmt(expansion);
                self.inline_depth -= 1;
                expanded?.kind
            }
        })
    }

    fn labelled(
        &mut self,
        label: &ast::Ident,
        inner: Option<&ast::Stmt>,
        span: Span,
    ) -> Option<StmtKind> {
        // SPIN's parser declares the label after it has read the statement.
        let labelled = match inner {
            Some(inner) => self.stmt(inner)?,
            None => Stmt { kind: StmtKind::Guard(one(span)), span },
        };
        let label = self.declare_label(label);
        Some(StmtKind::Labelled { label, stmt: Box::new(labelled) })
    }

    fn unless(&mut self, body: &ast::Stmt, escape: &ast::Stmt, span: Span) -> Option<StmtKind> {
        self.check_unless(body, escape, span);
        let before = self.statements;
        let body = self.stmt(body);
        let covered = self.statements - before;
        let escape = self.stmt(escape)?;
        self.charge_escape(&escape, covered, span);
        Some(StmtKind::Unless { body: Box::new(body?), escape: Box::new(escape) })
    }

    /// `x++` or `x--`.
    fn increment(&mut self, target: &VarRef, up: bool, span: Span) -> Option<StmtKind> {
        let (access, ty) = self.target(target)?;
        if ty == Type::Chan {
            self.report(
                Diagnostic::error(
                    "channel-arithmetic",
                    span,
                    "arithmetic on channels is not possible",
                )
                .label("a channel"),
            );
        }
        let op = if up { BinaryOp::Add } else { BinaryOp::Subtract };
        let read = Expr { kind: ExprKind::Read(access.clone()), span };
        let kind = ExprKind::Binary(op, Box::new(read), Box::new(one(span)));
        Some(StmtKind::Assign { target: access, value: Expr { kind, span } })
    }

    fn choice(&mut self, options: &[Sequence], span: Span) -> Vec<Vec<Stmt>> {
        let options = self.options(options);
        self.charge_choice(&options, span);
        options
    }

    fn break_loop(&mut self, span: Span) -> Option<StmtKind> {
        if self.loops > 0 {
            return Some(StmtKind::Break);
        }
        self.report(
            Diagnostic::error(
                "break-outside-loop",
                span,
                "`break` leaves a loop, but there is none",
            )
            .label("not inside `do` or `for`")
            .help("use `goto` to jump elsewhere"),
        );
        None
    }

    fn d_step(&mut self, body: &Sequence) -> Vec<Stmt> {
        let outer = self.d_step;
        let loops = self.loops;
        if outer == 0 {
            self.d_steps += 1;
            self.d_step = self.d_steps;
            // A `break` cannot leave a d_step.
            self.loops = 0;
        }
        let body = self.block(body);
        self.d_step = outer;
        self.loops = loops;
        body
    }

    fn options(&mut self, options: &[Sequence]) -> Vec<Vec<Stmt>> {
        let begins_with_else = |option: &Sequence| {
            option.first().filter(|step| matches!(step.kind, Ast::Else)).map(|s| s.span)
        };
        let mut elses = options.iter().filter_map(begins_with_else);
        if let (Some(first), Some(second)) = (elses.next(), elses.next()) {
            self.report(
                Diagnostic::error("duplicate-else", second, "a selection has one `else` at most")
                    .label("second `else`")
                    .related(first, "first `else`"),
            );
        }
        self.scope.declarations_are_initial = false;
        options.iter().map(|option| self.sequence(option)).collect()
    }

    /// A variable that is assigned to.
    fn target(&mut self, var: &VarRef) -> Option<(Access, Type)> {
        let (access, ty) = self.scalar(var)?;
        if let Root::Predefined(predefined) = access.root
            && !matches!(predefined, Predefined::Scratch | Predefined::Priority)
        {
            self.report(
                Diagnostic::error(
                    "assignment-to-predefined",
                    var.span.0,
                    format!("`{}` is set by the system and cannot be assigned", predefined.name()),
                )
                .label("read only"),
            );
        }
        Some((access, ty))
    }

    fn assign(&mut self, target: &VarRef, value: &ast::Expr) -> Option<StmtKind> {
        let resolved = self.target(target);
        let value = self.condition(value);
        let (target, ty) = resolved?;
        if target.path.is_empty() {
            self.check_assignable(ty, &value, target.span);
        }
        Some(StmtKind::Assign { target, value })
    }

    fn received(&mut self, args: &[AstRecvArg]) -> Vec<RecvArg> {
        let args = self.recv_args(args);
        let mut seen: HashSet<Root> = HashSet::new();
        let mut twice = None;
        for arg in &args {
            let RecvArg::Store(access) = arg else {
                continue;
            };
            let plain = access.path.is_empty() && access.index.is_none();
            if !plain || access.root == Root::Predefined(Predefined::Scratch) {
                continue;
            }
            if !seen.insert(access.root) {
                twice = Some(access.span);
            }
        }
        if let Some(span) = twice.filter(|_| self.d_step == 0) {
            self.report(
                Diagnostic::error(
                    "variable-received-twice",
                    span,
                    "a variable can take only one field of a message",
                )
                .label("takes a second field")
                .help("use `_` for a field that is not needed"),
            );
        }
        args
    }

    fn for_loop(
        &mut self,
        var: &VarRef,
        over: &ForRange,
        body: &Sequence,
        span: Span,
    ) -> Option<StmtKind> {
        let resolved = self.access(var);
        let over = match over {
            ForRange::Range(from, to) => {
                let from = self.value(from);
                let to = self.value(to);
                if let (Some(first), Some(last)) = (from.kind.constant(), to.kind.constant())
                    && first > last
                {
                    self.report(
                        Diagnostic::error(
                            "empty-range",
                            from.span.to(to.span),
                            "the first value is larger than the last",
                        )
                        .label(format!("from {first} down to {last}"))
                        .help("`for` counts up; swap the bounds or use a `do` loop"),
                    );
                }
                resolved.map(|resolved| {
                    self.check_loop_variable(
                        &resolved.access,
                        resolved.ty,
                        resolved.whole_array,
                        var,
                    );
                    For::Range { var: resolved.access, from, to }
                })
            }
            ForRange::In(collection) => self.for_in(var, resolved, collection, span),
        };
        self.loops += 1;
        let body = self.block(body);
        self.loops -= 1;
        Some(StmtKind::For { over: over?, body })
    }

    fn check_loop_variable(&mut self, access: &Access, ty: Type, array: Option<u32>, var: &VarRef) {
        let plain = access.path.is_empty() && access.index.is_none() && array.is_none();
        if !plain
            || matches!(ty, Type::Chan | Type::Struct(_))
            || matches!(access.root, Root::Predefined(_))
        {
            self.report(
                Diagnostic::error(
                    "bad-loop-variable",
                    var.span.0,
                    "the loop variable must be a plain variable",
                )
                .label("not an element, a field, a channel or a structure"),
            );
        }
    }

    /// `for (x in y)`: the indices of an array, or the messages of a channel.
    fn for_in(
        &mut self,
        var: &VarRef,
        resolved: Option<super::access::Resolved>,
        collection: &VarRef,
        span: Span,
    ) -> Option<For> {
        let over = self.access(collection)?;
        let resolved = resolved?;
        if let Some(length) = over.whole_array {
            self.check_loop_variable(&resolved.access, resolved.ty, resolved.whole_array, var);
            let from = Expr { kind: ExprKind::Const(0), span };
            let to = Expr { kind: ExprKind::Const(length as i32 - 1), span };
            return Some(For::Range { var: resolved.access, from, to });
        }
        let channel = match self.declaration(over.access.root).map(|variable| &variable.init) {
            Some(Init::Channel(channel)) if over.ty == Type::Chan => Some(channel.clone()),
            _ => None,
        };
        let (Type::Struct(id), Some(channel)) = (resolved.ty, channel) else {
            self.report(
                Diagnostic::error("bad-for-in", collection.span.0, "`for … in` runs over an array or over the messages of a channel")
                    .label("neither")
                    .note("over an array the variable takes the indices; over a channel it must be a structure of the channel's type"),
            );
            return None;
        };
        if channel.fields != [Type::Struct(id)] || channel.capacity == 0 {
            self.report(
                Diagnostic::error(
                    "bad-for-in",
                    collection.span.0,
                    "the messages of this channel do not fit the variable",
                )
                .label("must be a buffered channel of exactly that structure")
                .related(var.span.0, "the variable"),
            );
            return None;
        }
        let ty = if channel.capacity > 255 { Type::Short } else { Type::Byte };
        let counter = self.hidden_counter(ty, span);
        let fields = self.leaves(resolved, id);
        Some(For::Channel { counter, fields, channel: over.access })
    }

    fn hidden_counter(&mut self, ty: Type, span: Span) -> crate::hir::LocalId {
        let name = ast::Ident { name: "_f0r_t3mp".into(), span };
        let process = self.process.as_mut().expect("loops stand inside a process");
        let id = crate::hir::LocalId(process.locals.len() as u32);
        process.locals.push(Variable {
            name,
            ty,
            length: None,
            init: Init::Zero,
            visibility: None,
            role: Role::Local,
        });
        id
    }

    fn select(&mut self, var: &VarRef, from: &ast::Expr, to: &ast::Expr) -> Option<StmtKind> {
        let plain_number = |expr: &ast::Expr| match expr.kind {
            ast::ExprKind::Literal(ast::Literal::Number(value)) => Some(value),
            _ => None,
        };
        let plain_name = var.index.is_none()
            && var.field.is_none()
            && var.name.name.bytes().all(|byte| byte.is_ascii_alphanumeric());
        let form = match (plain_number(from), plain_number(to)) {
            (Some(first), Some(last)) if plain_name && self.inline_depth == 0 => {
                if i64::from(last) - i64::from(first) <= 32 {
                    SelectForm::Options
                } else {
                    SelectForm::Counting
                }
            }
            _ => SelectForm::General,
        };
        let resolved = self.access(var);
        let from = self.value(from);
        let to = self.value(to);
        if let (Some(first), Some(last)) = (from.kind.constant(), to.kind.constant())
            && first > last
        {
            self.report(
                Diagnostic::error(
                    "empty-range",
                    from.span.to(to.span),
                    "the first value is larger than the last",
                )
                .label(format!("nothing between {first} and {last}"))
                .help("swap the bounds"),
            );
        }
        let resolved = resolved?;
        self.check_loop_variable(&resolved.access, resolved.ty, resolved.whole_array, var);
        Some(StmtKind::Select { var: resolved.access, from, to, form })
    }

    /// Whether this is inside `trace` or `notrace`, where `_` matches any value.
    pub(super) fn in_trace(&self) -> bool {
        self.process
            .as_ref()
            .is_some_and(|p| matches!(p.kind, ProcessKind::Trace | ProcessKind::Notrace))
    }

    /// Checks that a trace has only sends, receives and control flow.
    fn check_event(&mut self, stmt: &ast::Stmt) {
        if !self.in_trace() {
            return;
        }
        let event = match &stmt.kind {
            Ast::Send { sorted, .. } => !sorted,
            Ast::Receive { random, peek, .. } => !random && !peek,
            Ast::If(_) | Ast::Do(_) | Ast::For { .. } | Ast::Select { .. } => true,
            Ast::Break | Ast::Goto(_) | Ast::Labelled { .. } | Ast::Error => true,
            Ast::Variables(_) | Ast::Exclusive { .. } | Ast::Unless { .. } => true,
            _ => false,
        };
        if !event {
            self.report(
                Diagnostic::error(
                    "not-an-event",
                    stmt.span,
                    "a trace consists of sends and receives",
                )
                .label("not an event")
                .note("allowed are `q!x`, `q?x`, `if`, `do`, `goto`, `break` and labels"),
            );
        }
    }

    /// Reports a label at the beginning of a block: the block itself has that position.
    fn check_first_label(&mut self, body: &Sequence, what: &str) {
        let Some(Ast::Labelled { label, stmt }) = body.first().map(|step| &step.kind) else {
            return;
        };
        // The first element of a loop is its entry, which has no label.
        if matches!(stmt.as_ref().map(|stmt| &stmt.kind), Some(Ast::Do(_) | Ast::For { .. })) {
            return;
        }
        self.report(
            Diagnostic::error(
                "misplaced-label",
                label.span,
                format!(
                    "a label cannot be the first thing inside {} {what}",
                    if what == "atomic" { "an" } else { "a" }
                ),
            )
            .label("this label")
            .note(format!(
                "the first statement of {} {what} is where the {what} itself begins",
                if what == "atomic" { "an" } else { "a" }
            ))
            .help(format!("put `{}:` before the {what}", label.name)),
        );
    }

    fn check_unless(&mut self, body: &ast::Stmt, escape: &ast::Stmt, span: Span) {
        if self.d_step != 0 {
            self.report(
                Diagnostic::warning(
                    "unless-in-d_step",
                    span,
                    "`unless` has no effect inside a d_step",
                )
                .label("the escape is never taken")
                .help("use `atomic` instead of `d_step`"),
            );
        }
        if let Ast::Labelled { label, stmt } = &body.kind {
            let block = matches!(
                stmt.as_ref().map(|stmt| &stmt.kind),
                Some(
                    Ast::Block(_) | Ast::Atomic(_) | Ast::DStep(_) | Ast::Call { .. } | Ast::Do(_)
                )
            );
            if !block {
                self.report(
                    Diagnostic::error(
                        "misplaced-label",
                        label.span,
                        "this label would mark the `unless` and its first statement at once",
                    )
                    .label("this label")
                    .help(format!("write `{}: {{ … unless … }}`", label.name)),
                );
            }
        }
        if let Ast::Labelled { label, stmt } = &escape.kind
            && !matches!(stmt.as_ref().map(|stmt| &stmt.kind), Some(Ast::Do(_)))
        {
            self.report(
                Diagnostic::error(
                    "misplaced-label",
                    label.span,
                    "an escape cannot begin with a label",
                )
                .label("this label")
                .note("an escape can start from many places, so there is no one place to jump to")
                .help("put the label on the second statement of the escape"),
            );
        }
    }
}

/// The number 1, which is also `skip`.
fn one(span: Span) -> Expr {
    Expr { kind: ExprKind::Const(1), span }
}
