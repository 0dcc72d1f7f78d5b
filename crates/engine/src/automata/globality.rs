//! Whether a statement accesses objects that other processes can observe.
//!
//! SPIN's rule, which determines what may be merged: indices are ignored (only the variable
//! counts), a channel is private if one process claims it with `xr` or `xs`, and `run` is harmless
//! if the new process starts with values that no other process can change.

use beeline_promela::hir::{
    Access, ChannelQuery, DeclaredValue, Expr, ExprKind, GlobalId, Init, LocalId, Model,
    Predefined, ProcessId, ProcessKind, ProcessQuery, RecvArg, Root, Stmt, StmtKind, Visibility,
};

use super::action::EdgeAction;

/// Globality of the statements of a model.
pub(super) struct Globality {
    global_is_local: Vec<bool>,
    /// Roots claimed by `xr` and by `xs`; a local one with its process.
    receives: Vec<(Option<ProcessId>, Root)>,
    sends: Vec<(Option<ProcessId>, Root)>,
    /// By process: whether its `run` is visible to others.
    unsafe_run: Vec<bool>,
}

impl Globality {
    pub(super) fn new(model: &Model) -> Self {
        let claimed = |sends: bool| {
            let claims = model.exclusives.iter().filter(|claim| claim.sends == sends);
            claims
                .map(|claim| {
                    let owner =
                        matches!(claim.channel.root, Root::Local(_)).then_some(claim.process);
                    (owner, claim.channel.root)
                })
                .collect()
        };
        Globality {
            global_is_local: model
                .globals
                .iter()
                .map(|variable| variable.visibility == Some(Visibility::Local))
                .collect(),
            receives: claimed(false),
            sends: claimed(true),
            unsafe_run: model
                .processes
                .iter()
                .map(|process| {
                    process.kind == ProcessKind::Proctype && starts_from_outside(process)
                })
                .collect(),
        }
    }

    /// Whether the action of a statement of `process` is visible to others.
    pub(super) fn action(&self, action: &EdgeAction, process: ProcessId) -> bool {
        let expr = |e: &Expr| self.expr(e, process);
        match action {
            EdgeAction::Move(_) | EdgeAction::Else | EdgeAction::End | EdgeAction::DStep => false,
            EdgeAction::Guard(condition)
            | EdgeAction::Assert(condition)
            | EdgeAction::PrintM(condition) => expr(condition),
            EdgeAction::Assign { target, value } => self.access(target) || expr(value),
            EdgeAction::Declare { value, .. } => match value {
                Some(beeline_promela::hir::DeclaredValue::Value(value)) => expr(value),
                _ => false,
            },
            EdgeAction::Send { channel, args, .. } => {
                args.iter().any(expr) || !self.claimed(&self.sends, channel, process)
            }
            EdgeAction::Receive { channel, args, .. } => {
                self.message(args, process) || !self.claimed(&self.receives, channel, process)
            }
            EdgeAction::Print { args, .. } => args.iter().any(expr),
            EdgeAction::SetPriority(..) => true,
        }
    }

    fn message(&self, args: &[RecvArg], process: ProcessId) -> bool {
        args.iter().any(|arg| match arg {
            RecvArg::Match(_) => false,
            RecvArg::Eval(value) => self.expr(value, process),
            RecvArg::Store(access) => self.access(access),
        })
    }

    fn claimed(
        &self,
        claims: &[(Option<ProcessId>, Root)],
        channel: &Access,
        process: ProcessId,
    ) -> bool {
        let owner = matches!(channel.root, Root::Local(_)).then_some(process);
        claims.contains(&(owner, channel.root))
    }

    fn access(&self, access: &Access) -> bool {
        match access.root {
            Root::Local(LocalId(_)) => false,
            Root::Global(GlobalId(id)) => !self.global_is_local[id as usize],
            Root::Predefined(predefined) => {
                matches!(predefined, Predefined::NrPr | Predefined::Last)
            }
        }
    }

    fn expr(&self, expr: &Expr, process: ProcessId) -> bool {
        let both = |channel: &Access| {
            self.claimed(&self.receives, channel, process)
                && self.claimed(&self.sends, channel, process)
        };
        match &expr.kind {
            ExprKind::Const(_) | ExprKind::Mtype { .. } => false,
            ExprKind::Read(access) => self.access(access),
            ExprKind::Unary(_, operand) => self.expr(operand, process),
            ExprKind::Binary(_, left, right) => {
                self.expr(left, process) || self.expr(right, process)
            }
            ExprKind::Conditional(condition, yes, no) => {
                [condition, yes, no].into_iter().any(|part| self.expr(part, process))
            }
            ExprKind::Run { process: started, .. } => self.unsafe_run[started.index()],
            ExprKind::Channel(query, channel) => match query {
                ChannelQuery::Len => !both(channel),
                ChannelQuery::Full | ChannelQuery::NEmpty => {
                    !self.claimed(&self.receives, channel, process)
                }
                ChannelQuery::Empty | ChannelQuery::NFull => {
                    !self.claimed(&self.sends, channel, process)
                }
            },
            ExprKind::Poll { channel, args, .. } => self.message(args, process) || !both(channel),
            ExprKind::Process(
                ProcessQuery::Enabled | ProcessQuery::PcValue | ProcessQuery::Priority,
                _,
            )
            | ExprKind::Timeout
            | ExprKind::NonProgress
            | ExprKind::RemoteLabel { .. }
            | ExprKind::RemoteVar { .. } => true,
        }
    }
}

/// Whether the last initialised variable of a proctype depends on anything but its own variables.
/// (SPIN considers only the last one.)
fn starts_from_outside(process: &beeline_promela::hir::Process) -> bool {
    let mut outside: Vec<Option<bool>> = process
        .locals
        .iter()
        .map(|local| match &local.init {
            Init::Zero => None,
            Init::Value(value) => Some(!own_value(value)),
            Init::List(_) | Init::Channel(_) => Some(true),
        })
        .collect();
    declared_values(&process.body, &mut |var, own| outside[var.index()] = Some(!own));
    outside.into_iter().flatten().next_back().unwrap_or(false)
}

fn own_value(value: &Expr) -> bool {
    match &value.kind {
        ExprKind::Read(access) => matches!(access.root, Root::Local(_)),
        kind => kind.constant().is_some(),
    }
}

fn declared_values(body: &[Stmt], found: &mut impl FnMut(LocalId, bool)) {
    let mut note = |stmt: &Stmt| {
        if let StmtKind::Declare { var, value: Some(value) } = &stmt.kind {
            let own = matches!(value, DeclaredValue::Value(value) if own_value(value));
            found(*var, own);
        }
    };
    body.iter().for_each(|stmt| stmt.visit(&mut note));
}
