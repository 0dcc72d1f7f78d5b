//! Constant variables: they never change after their process, or the model, is initialised.
//!
//! An index or a channel that depends only on constants is known for each process: `fork[_pid]` is
//! one fork, and a channel passed as a parameter is one channel.

use beeline_promela::hir::{Model, Predefined, ProcessId, RecvArg, Root};

use crate::automata::{Automaton, Edge, EdgeAction};

/// The variables that never change.
#[derive(Clone, Debug)]
pub struct ConstantVariables {
    globals: Vec<bool>,
    /// By process type.
    locals: Vec<Vec<bool>>,
}

impl ConstantVariables {
    /// Finds the constant variables. There is an automaton for each process type.
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

    /// Removes the variables that an edge changes.
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

    /// Whether a variable never changes.
    pub fn contains(&self, process: ProcessId, root: Root) -> bool {
        match root {
            Root::Global(id) => self.globals[id.index()],
            Root::Local(id) => self.locals[process.index()][id.index()],
            Root::Predefined(predefined) => predefined == Predefined::Pid,
        }
    }
}
