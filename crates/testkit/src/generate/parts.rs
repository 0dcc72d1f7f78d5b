//! Parts of a program that are recorded while the rest is generated.

use std::sync::Arc;

use beeline_promela::ast::Sequence;

use super::scope::Var;

/// A defined inline.
#[derive(Clone, Debug)]
pub(super) struct Inline {
    pub(super) name: Arc<str>,
    pub(super) params: Vec<Var>,
    pub(super) body: Sequence,
    /// Whether it may occur in a `d_step`.
    pub(super) never_blocks: bool,
}

/// A proctype that is started by `run`.
#[derive(Clone, Debug)]
pub(super) struct Runnable {
    pub(super) name: Arc<str>,
    pub(super) params: Vec<Var>,
    /// Processes that its `run` creates, including itself.
    pub(super) cost: u32,
    pub(super) started: bool,
}

/// The parts of a process that a claim may refer to.
#[derive(Clone, Debug)]
pub(super) struct Watched {
    pub(super) proctype: Arc<str>,
    pub(super) labels: Vec<Arc<str>>,
    pub(super) locals: Vec<Var>,
}

/// The role of a process for a channel.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Role {
    pub(super) sends: bool,
    pub(super) receives: bool,
}

/// A label that can be a target of jumps.
#[derive(Clone, Debug)]
pub(super) struct Target {
    pub(super) name: Arc<str>,
    /// Whether some statement has it.
    pub(super) placed: bool,
    /// Whether some jump leads to it.
    pub(super) wanted: bool,
}
