//! Dependencies of a per-process term. The term is recomputed only if one of them has changed.

use beeline_analysis::blocking::has_rendezvous;
use beeline_engine::automata::EdgeAction;
use beeline_engine::interpreter::Machine;
use beeline_promela::hir::{Access, Expr, ExprKind, Predefined, RecvArg, Root};

use crate::incremental::state_diff::global_bit;

/// What a term reads besides the record of its process.
#[derive(Clone, Debug, Default)]
pub(crate) struct Dependencies {
    /// Global variables as bits; see [`global_bit`].
    pub(crate) globals: u64,
    /// Contents of the channels that these variables hold.
    pub(crate) channels: Vec<Access>,
    /// The whole state, for instance other processes.
    pub(crate) anything: bool,
}

impl Dependencies {
    /// Adds the dependencies of an action's executability.
    pub(crate) fn add_action(&mut self, machine: &Machine<'_>, action: &EdgeAction) {
        match action {
            EdgeAction::Guard(Expr { kind: ExprKind::Run { .. }, .. }) => {}
            EdgeAction::Guard(condition) => self.add(condition),
            EdgeAction::Send { channel, args, .. } => {
                self.add_channel(channel);
                self.anything |= has_rendezvous(machine);
                args.iter().for_each(|arg| self.add(arg));
            }
            EdgeAction::Receive { channel, args, .. } => {
                self.add_channel(channel);
                self.anything |= has_rendezvous(machine);
                args.iter().for_each(|arg| self.add_field(arg));
            }
            _ => {}
        }
    }

    /// Adds the dependencies of an expression's value.
    pub(crate) fn add(&mut self, expr: &Expr) {
        expr.visit(&mut |part| match &part.kind {
            ExprKind::Read(access) => self.add_root(access),
            ExprKind::Channel(_, access) => self.add_channel(access),
            ExprKind::Poll { channel, args, .. } => {
                self.add_channel(channel);
                args.iter().for_each(|arg| self.add_field(arg));
            }
            ExprKind::Process(..)
            | ExprKind::RemoteLabel { .. }
            | ExprKind::RemoteVar { .. }
            | ExprKind::Run { .. } => self.anything = true,
            _ => {}
        });
    }

    fn add_field(&mut self, field: &RecvArg) {
        match field {
            RecvArg::Store(_) => {}
            RecvArg::Match(value) | RecvArg::Eval(value) => self.add(value),
        }
    }

    pub(crate) fn add_channel(&mut self, access: &Access) {
        self.add_root(access);
        if !self.channels.iter().any(|known| is_same(known, access)) {
            self.channels.push(access.clone());
        }
    }

    fn add_root(&mut self, access: &Access) {
        match access.root {
            Root::Global(id) => self.globals |= global_bit(id.index()),
            Root::Local(_) | Root::Predefined(Predefined::Pid | Predefined::Scratch) => {}
            Root::Predefined(_) => self.anything = true,
        }
        access.visit(&mut |index| self.add(index));
    }
}

/// Whether two accesses are syntactically equal; `false` if unsure.
fn is_same(one: &Access, two: &Access) -> bool {
    let same_index = match (one.index.as_deref(), two.index.as_deref()) {
        (None, None) => true,
        (Some(one), Some(two)) => match (&one.kind, &two.kind) {
            (ExprKind::Const(one), ExprKind::Const(two)) => one == two,
            (ExprKind::Read(one), ExprKind::Read(two)) => is_same(one, two),
            _ => false,
        },
        _ => false,
    };
    one.root == two.root && same_index && one.path.is_empty() && two.path.is_empty()
}
