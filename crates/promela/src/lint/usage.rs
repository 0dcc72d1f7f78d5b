//! Reads and writes of each variable, by process.

use std::collections::BTreeSet;

use crate::hir::{
    Access, DeclaredValue, Expr, ExprKind, For, GlobalId, Init, LocalId, Model, Predefined,
    ProcessId, ProcessKind, RecvArg, Root, Stmt, StmtKind,
};
use beeline_source::source::Span;

/// All uses of one variable.
#[derive(Clone, Debug, Default)]
pub(super) struct Uses {
    /// Its value is read: by a condition, a computation, a message, a formula.
    pub(super) reads: Vec<Span>,
    /// Its value is printed.
    pub(super) prints: Vec<Span>,
    /// It is assigned to.
    pub(super) writes: Vec<Span>,
    /// It takes a field of a message.
    pub(super) received: Vec<Span>,
    /// It is read only to compute its own next value, or mentioned by `xr`.
    pub(super) idle: Vec<Span>,
    /// As a channel: the processes that send to it.
    pub(super) sends: Vec<(ProcessId, Span)>,
    /// As a channel: the processes that receive from it.
    pub(super) receives: Vec<(ProcessId, Span)>,
    /// As a channel: queries such as `len`.
    pub(super) queries: Vec<Span>,
    /// The processes with any of these uses, except claims and traces.
    pub(super) processes: BTreeSet<ProcessId>,
}

impl Uses {
    /// Every position that mentions the variable.
    pub(super) fn spans(&self) -> impl Iterator<Item = Span> + '_ {
        let channel = self.sends.iter().chain(&self.receives).map(|&(_, span)| span);
        [&self.reads, &self.prints, &self.writes, &self.received, &self.idle, &self.queries]
            .into_iter()
            .flatten()
            .copied()
            .chain(channel)
    }

    /// Whether nothing mentions it.
    pub(super) fn is_empty(&self) -> bool {
        self.spans().next().is_none()
    }
}

/// The uses of every variable.
pub(super) struct Usage {
    globals: Vec<Uses>,
    locals: Vec<Vec<Uses>>,
    here: Option<ProcessId>,
    /// Whether the process is a claim or a trace: it observes, and changes nothing.
    watching: bool,
}

impl Usage {
    /// Collects all uses.
    pub(super) fn of(model: &Model) -> Self {
        let none = |count: usize| vec![Uses::default(); count];
        let mut usage = Usage {
            globals: none(model.globals.len()),
            locals: model.processes.iter().map(|process| none(process.locals.len())).collect(),
            here: None,
            watching: false,
        };
        model.globals.iter().for_each(|variable| usage.initial(&variable.init));
        for formula in model.formula_exprs() {
            usage.reads(formula);
        }
        for (number, process) in model.processes.iter().enumerate() {
            usage.here = Some(ProcessId(number as u32));
            usage.watching = !matches!(process.kind, ProcessKind::Proctype | ProcessKind::Init);
            process.locals.iter().for_each(|variable| usage.initial(&variable.init));
            if let Some(condition) = &process.provided {
                usage.reads(condition);
            }
            usage.sequence(&process.body);
        }
        for exclusive in &model.exclusives {
            usage.here = Some(exclusive.process);
            usage.add(&exclusive.channel, |uses, span, _| uses.idle.push(span));
        }
        usage
    }

    /// The uses of a global variable.
    pub(super) fn global(&self, id: GlobalId) -> &Uses {
        &self.globals[id.index()]
    }

    /// The uses of a local variable.
    pub(super) fn local(&self, process: ProcessId, id: LocalId) -> &Uses {
        &self.locals[process.index()][id.index()]
    }

    /// Records a use of the variable itself, and reads of its indices.
    fn add(&mut self, access: &Access, add: impl FnOnce(&mut Uses, Span, ProcessId)) {
        self.indices(access);
        let here = self.here;
        let uses = match access.root {
            Root::Global(id) => &mut self.globals[id.index()],
            Root::Local(id) => match here {
                Some(process) => &mut self.locals[process.index()][id.index()],
                None => return,
            },
            Root::Predefined(_) => return,
        };
        let process = here.unwrap_or(ProcessId(u32::MAX));
        add(uses, access.span, process);
        if here.is_some() && !self.watching {
            uses.processes.insert(process);
        }
    }

    fn indices(&mut self, access: &Access) {
        if let Some(index) = &access.index {
            self.reads(index);
        }
        access.path.iter().filter_map(|step| step.index.as_ref()).for_each(|i| self.reads(i));
    }

    fn reads(&mut self, expr: &Expr) {
        self.expression(expr, |uses, span, _| uses.reads.push(span));
    }

    /// Records every variable of an expression.
    fn expression(&mut self, expr: &Expr, add: fn(&mut Uses, Span, ProcessId)) {
        match &expr.kind {
            ExprKind::Read(access) => self.add(access, add),
            ExprKind::Unary(_, operand) | ExprKind::Process(_, operand) => {
                self.expression(operand, add);
            }
            ExprKind::Binary(_, left, right) => {
                self.expression(left, add);
                self.expression(right, add);
            }
            ExprKind::Conditional(condition, yes, no) => {
                [condition, yes, no].into_iter().for_each(|part| self.expression(part, add));
            }
            ExprKind::Run { args, .. } => args.iter().for_each(|arg| self.reads(arg)),
            ExprKind::Channel(_, access) => {
                self.add(access, |uses, span, _| uses.queries.push(span));
            }
            ExprKind::Poll { channel, args, .. } => {
                self.add(channel, |uses, span, _| uses.queries.push(span));
                for arg in args {
                    match arg {
                        RecvArg::Store(access) => {
                            self.add(access, |uses, span, _| uses.idle.push(span));
                        }
                        RecvArg::Match(value) | RecvArg::Eval(value) => self.reads(value),
                    }
                }
            }
            ExprKind::RemoteLabel { pid, .. } => {
                pid.iter().for_each(|pid| self.reads(pid));
            }
            ExprKind::RemoteVar { process, pid, var } => {
                pid.iter().for_each(|pid| self.reads(pid));
                let here = self.here.replace(*process);
                self.add(var, add);
                self.here = here;
            }
            ExprKind::Const(_)
            | ExprKind::Mtype { .. }
            | ExprKind::Timeout
            | ExprKind::NonProgress => {}
        }
    }

    fn initial(&mut self, init: &Init) {
        match init {
            Init::Value(value) => self.reads(value),
            Init::List(values) => values.iter().for_each(|value| self.reads(value)),
            Init::Zero | Init::Channel(_) => {}
        }
    }

    fn sequence(&mut self, steps: &[Stmt]) {
        steps.iter().for_each(|step| self.statement(step));
    }

    fn statement(&mut self, stmt: &Stmt) {
        let write = |uses: &mut Uses, span, _| uses.writes.push(span);
        match &stmt.kind {
            StmtKind::Declare { value, .. } => match value {
                Some(DeclaredValue::Value(value)) => self.reads(value),
                Some(DeclaredValue::List(values)) => values.iter().for_each(|v| self.reads(v)),
                None => {}
            },
            StmtKind::Labelled { stmt, .. } => self.statement(stmt),
            StmtKind::Unless { body, escape } => {
                self.statement(body);
                self.statement(escape);
            }
            StmtKind::Assign { target, value } => self.assign(target, value),
            StmtKind::Send { channel, args, .. } => {
                self.channel(channel, |uses, span, by| uses.sends.push((by, span)));
                args.iter().for_each(|arg| self.reads(arg));
            }
            StmtKind::Receive { channel, args, .. } => {
                self.channel(channel, |uses, span, by| uses.receives.push((by, span)));
                for arg in args {
                    match arg {
                        RecvArg::Store(access) => {
                            self.add(access, |uses, span, _| uses.received.push(span));
                        }
                        RecvArg::Match(value) | RecvArg::Eval(value) => self.reads(value),
                    }
                }
            }
            StmtKind::If(options) | StmtKind::Do(options) => {
                options.iter().for_each(|option| self.sequence(option));
            }
            StmtKind::For { over, body } => {
                match over {
                    For::Range { var, from, to } => {
                        self.add(var, |uses, span, _| uses.reads.push(span));
                        self.reads(from);
                        self.reads(to);
                    }
                    For::Channel { fields, channel, .. } => {
                        self.channel(channel, |uses, span, by| uses.receives.push((by, span)));
                        self.channel(channel, |uses, span, by| uses.sends.push((by, span)));
                        fields.iter().for_each(|field| self.add(field, write));
                    }
                }
                self.sequence(body);
            }
            StmtKind::Select { var, from, to, .. } => {
                self.add(var, write);
                self.reads(from);
                self.reads(to);
            }
            StmtKind::Break | StmtKind::Goto(_) | StmtKind::Else => {}
            StmtKind::Atomic(body) | StmtKind::DStep(body) | StmtKind::Block(body) => {
                self.sequence(body);
            }
            StmtKind::Assert(expr) | StmtKind::Guard(expr) => self.reads(expr),
            StmtKind::Print { args, .. } => {
                args.iter().for_each(|arg| self.print(arg));
            }
            StmtKind::PrintM(expr) => self.print(expr),
            StmtKind::SetPriority(process, priority) => {
                self.reads(process);
                self.reads(priority);
            }
        }
    }

    fn print(&mut self, expr: &Expr) {
        self.expression(expr, |uses, span, _| uses.prints.push(span));
    }

    /// A trace names channels but does not use them.
    fn channel(&mut self, channel: &Access, add: fn(&mut Uses, Span, ProcessId)) {
        if self.watching {
            self.add(channel, |uses, span, _| uses.queries.push(span));
        } else {
            self.add(channel, add);
        }
    }

    /// `x = x + 1` reads `x` only to compute its next value.
    fn assign(&mut self, target: &Access, value: &Expr) {
        let own = |access: &Access| access.root == target.root;
        let only_own = !matches!(target.root, Root::Predefined(Predefined::Scratch))
            && match &value.kind {
                ExprKind::Binary(_, left, right) => {
                    let is_own =
                        |e: &Expr| matches!(&e.kind, ExprKind::Read(access) if own(access));
                    (is_own(left) && right.kind.constant().is_some())
                        || (is_own(right) && left.kind.constant().is_some())
                }
                _ => false,
            };
        if only_own {
            self.expression(value, |uses, span, _| uses.idle.push(span));
        } else {
            self.reads(value);
        }
        self.add(target, |uses, span, _| uses.writes.push(span));
    }
}
