//! Parts of a program that are remembered while the rest is generated.

use std::sync::Arc;

use beeline_promela::ast::Sequence;

use super::scope::Var;

/// A defined inline.
#[derive(Clone, Debug)]
pub(super) struct Inline {
    pub(super) name: Arc<str>,
    pub(super) params: Vec<Var>,
    pub(super) body: Sequence,
    /// Whether it may stand in a `d_step`.
    pub(super) never_blocks: bool,
}

/// A proctype that is started by `run`.
#[derive(Clone, Debug)]
pub(super) struct Runnable {
    pub(super) name: Arc<str>,
    pub(super) params: Vec<Var>,
    /// Processes that come to life when it runs, itself included.
    pub(super) cost: u32,
    pub(super) started: bool,
}

/// What a claim may say about a process.
#[derive(Clone, Debug)]
pub(super) struct Watched {
    pub(super) proctype: Arc<str>,
    pub(super) labels: Vec<Arc<str>>,
    pub(super) locals: Vec<Var>,
}

/// What a process does with a channel.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Role {
    pub(super) sends: bool,
    pub(super) receives: bool,
}

/// A label that may be jumped to.
#[derive(Clone, Debug)]
pub(super) struct Target {
    pub(super) name: Arc<str>,
    /// Some statement bears it.
    pub(super) placed: bool,
    /// Some jump leads to it.
    pub(super) wanted: bool,
}
