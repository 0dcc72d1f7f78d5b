//! Stability: expressions and channels that no other process can change, and local variables that
//! determine the accesses of an edge.
//!
//! Both follow from the variables that never change ([`ConstantVariables`]).

use std::collections::BTreeSet;

use beeline_engine::automata::{Automaton, Edge, EdgeAction};
use beeline_engine::constants::ConstantVariables;
use beeline_promela::hir::{Access, Expr, ExprKind, LocalId, ProcessId, RecvArg, Root};

/// Whether no other process can change which channel a variable holds.
pub(crate) fn has_stable_channel(
    constants: &ConstantVariables,
    process: ProcessId,
    access: &Access,
) -> bool {
    let is_own = matches!(access.root, Root::Local(_)) && access.path.is_empty();
    let mut is_known = is_own || constants.contains(process, access.root);
    access.visit(&mut |index| is_known &= is_stable(constants, process, index, false));
    is_known
}

/// Whether no other process can change the value of an expression. Without `is_there`, the process
/// itself cannot change it either.
pub(crate) fn is_stable(
    constants: &ConstantVariables,
    process: ProcessId,
    expr: &Expr,
    is_there: bool,
) -> bool {
    !expr.any(|part| match &part.kind {
        ExprKind::Const(_)
        | ExprKind::Mtype { .. }
        | ExprKind::Unary(..)
        | ExprKind::Binary(..)
        | ExprKind::Conditional(..) => false,
        ExprKind::Read(access) => {
            let is_own = is_there && matches!(access.root, Root::Local(_));
            !is_own && !constants.contains(process, access.root)
        }
        _ => true,
    })
}

/// The constant locals of a process type that determine the accesses of one of its edges, or the
/// value that it compares or assigns.
pub(crate) fn constant_deciders(
    constants: &ConstantVariables,
    process: ProcessId,
    automaton: &Automaton,
) -> Vec<usize> {
    let mut found = BTreeSet::new();
    for edge in automaton.all_edges() {
        for step in &edge.steps {
            deciding(&step.action, &mut found);
            step.action.visit(&mut |expr| {
                if let ExprKind::Read(Access { root: Root::Local(id), .. }) = expr.kind {
                    found.insert(id.index());
                }
            });
        }
    }
    found.retain(|&local| constants.contains(process, own(local)));
    found.into_iter().collect()
}

/// The non-constant locals that determine the accesses of the first statement of an edge.
pub(crate) fn local_deciders(
    constants: &ConstantVariables,
    process: ProcessId,
    edge: &Edge,
) -> Vec<usize> {
    let mut found = BTreeSet::new();
    deciding(&edge.steps[0].action, &mut found);
    found.retain(|&local| !constants.contains(process, own(local)));
    found.into_iter().collect()
}

fn own(local: usize) -> Root {
    Root::Local(LocalId(local as u32))
}

/// Adds the locals that select an array element or a channel.
fn deciding(action: &EdgeAction, found: &mut BTreeSet<usize>) {
    let mut note = |access: &Access| {
        if let Root::Local(id) = access.root {
            found.insert(id.index());
        }
    };
    if let EdgeAction::Send { channel, .. } | EdgeAction::Receive { channel, .. } = action {
        note(channel);
        note_indices(channel, &mut note);
    }
    if let EdgeAction::Assign { target, .. } = action {
        note_indices(target, &mut note);
    }
    if let EdgeAction::Receive { args, .. } = action {
        for arg in args {
            if let RecvArg::Store(target) = arg {
                note_indices(target, &mut note);
            }
        }
    }
    action.visit(&mut |expr| match &expr.kind {
        ExprKind::Read(access) => note_indices(access, &mut note),
        ExprKind::Channel(_, channel) | ExprKind::Poll { channel, .. } => {
            note(channel);
            note_indices(channel, &mut note);
        }
        _ => {}
    });
}

/// Reports the variables in the indices of an access.
fn note_indices(access: &Access, note: &mut impl FnMut(&Access)) {
    access.visit(&mut |index| {
        if let ExprKind::Read(inner) = &index.kind {
            note(inner);
        }
    });
}
