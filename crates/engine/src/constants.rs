//! Variables that never change after their process, or the model, has begun.
//!
//! Where an index or a channel depends on nothing else, it is known for each process: `fork[_pid]`
//! is one fork, and a channel that was passed as a parameter is one channel.

use std::collections::BTreeSet;

use beeline_promela::hir::{Access, Expr, ExprKind, Model, Predefined, ProcessId, RecvArg, Root};

use crate::automata::{Automaton, Edge, EdgeAction};

/// Which variables never change.
#[derive(Clone, Debug)]
pub struct ConstantVariables {
    globals: Vec<bool>,
    /// By process type.
    locals: Vec<Vec<bool>>,
}

impl ConstantVariables {
    /// Finds them. There is an automaton for each process type.
    pub(crate) fn of(model: &Model, automata: &[Automaton]) -> ConstantVariables {
        let mut constants = ConstantVariables {
            globals: vec![true; model.globals.len()],
            locals: model.processes.iter().map(|p| vec![true; p.locals.len()]).collect(),
        };
        for (process, automaton) in automata.iter().enumerate() {
            automaton.all_edges().for_each(|edge| constants.note(process, edge));
        }
        constants
    }

    /// Takes note of what an edge changes.
    fn note(&mut self, process: usize, edge: &Edge) {
        for step in &edge.steps {
            match &step.action {
                EdgeAction::Assign { target, .. } => self.changes(process, target.root),
                EdgeAction::Declare { var, .. } => self.changes(process, Root::Local(*var)),
                EdgeAction::Receive { args, .. } => {
                    for arg in args {
                        if let RecvArg::Store(target) = arg {
                            self.changes(process, target.root);
                        }
                    }
                }
                _ => {}
            }
        }
    }

    fn changes(&mut self, process: usize, root: Root) {
        match root {
            Root::Global(id) => self.globals[id.index()] = false,
            Root::Local(id) => self.locals[process][id.index()] = false,
            Root::Predefined(_) => {}
        }
    }

    /// The locals of a process type that never change, and on which it depends what some edge
    /// of it touches, or which value it compares or assigns.
    pub(crate) fn constant_deciders(
        &self,
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
        found.retain(|&local| self.locals[process.index()][local]);
        found.into_iter().collect()
    }

    /// The other locals on which it depends what an edge touches at its begin.
    pub(crate) fn local_deciders(&self, process: ProcessId, edge: &Edge) -> Vec<usize> {
        let mut found = BTreeSet::new();
        deciding(&edge.steps[0].action, &mut found);
        found.retain(|&local| !self.locals[process.index()][local]);
        found.into_iter().collect()
    }

    /// Whether a variable never changes.
    pub fn contains(&self, process: ProcessId, root: Root) -> bool {
        match root {
            Root::Global(id) => self.globals[id.index()],
            Root::Local(id) => self.locals[process.index()][id.index()],
            Root::Predefined(predefined) => predefined == Predefined::Pid,
        }
    }

    /// Whether nobody else can change which channel a variable holds.
    pub(crate) fn has_stable_channel(&self, process: ProcessId, access: &Access) -> bool {
        let is_own = matches!(access.root, Root::Local(_)) && access.path.is_empty();
        let mut is_known = is_own || self.contains(process, access.root);
        access.visit(&mut |index| is_known &= self.is_stable(process, index, false));
        is_known
    }

    /// Whether nobody else can change the value of an expression, nor, unless it is there to
    /// evaluate it, the process itself.
    pub(crate) fn is_stable(&self, process: ProcessId, expr: &Expr, is_there: bool) -> bool {
        !expr.any(|part| match &part.kind {
            ExprKind::Const(_)
            | ExprKind::Mtype { .. }
            | ExprKind::Unary(..)
            | ExprKind::Binary(..)
            | ExprKind::Conditional(..) => false,
            ExprKind::Read(access) => {
                let is_own = is_there && matches!(access.root, Root::Local(_));
                !is_own && !self.contains(process, access.root)
            }
            _ => true,
        })
    }
}

/// Adds the locals that tell which element of an array, or which channel, is meant.
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

/// Tells of the variables in the indices of an access.
fn note_indices(access: &Access, note: &mut impl FnMut(&Access)) {
    access.visit(&mut |index| {
        if let ExprKind::Read(inner) = &index.kind {
            note(inner);
        }
    });
}
