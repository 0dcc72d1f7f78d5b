//! The names inside one process, with SPIN 6's blocks.
//!
//! SPIN numbers the blocks at each level as they open, so a block is a path of
//! numbers, and a name is visible where its path is a prefix of the current one.
//! Of several visible names the one declared last wins.

use std::sync::Arc;

use crate::hir::{LabelId, LocalId};
use crate::source::Span;

/// What a local name stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Local {
    Variable(LocalId),
    /// A label, declared here or only jumped to so far.
    Label,
}

#[derive(Clone, Debug)]
pub(super) struct Entry {
    pub(super) name: Arc<str>,
    pub(super) what: Local,
    pub(super) path: Vec<u32>,
    pub(super) span: Span,
}

/// A `goto` that waits for its label.
#[derive(Clone, Debug)]
pub(super) struct PendingJump {
    pub(super) name: Arc<str>,
    pub(super) span: Span,
    pub(super) path: Vec<u32>,
    pub(super) d_step: u32,
}

#[derive(Debug, Default)]
pub(super) struct Scope {
    entries: Vec<Entry>,
    /// The current block.
    path: Vec<u32>,
    /// Blocks opened so far, by level.
    opened: Vec<u32>,
    /// No statement has been seen yet: declarations describe the initial state.
    pub(super) declarations_are_initial: bool,
    pub(super) jumps: Vec<PendingJump>,
    /// For each label: the `d_step` it stands in, and the inline it came from.
    pub(super) label_places: Vec<(LabelId, u32)>,
}

impl Scope {
    /// Opens a block.
    pub(super) fn enter(&mut self) {
        let level = self.path.len();
        if self.opened.len() == level {
            self.opened.push(0);
        }
        self.opened[level] += 1;
        self.path.push(self.opened[level]);
    }

    /// Closes a block.
    pub(super) fn leave(&mut self) {
        self.path.pop();
    }

    pub(super) fn path(&self) -> &[u32] {
        &self.path
    }

    pub(super) fn find(&self, name: &str) -> Option<&Entry> {
        self.entries
            .iter()
            .rev()
            .find(|entry| &*entry.name == name && self.path.starts_with(&entry.path))
    }

    pub(super) fn add(&mut self, name: Arc<str>, what: Local, span: Span) {
        self.entries.push(Entry { name, what, path: self.path.clone(), span });
    }

    /// Names of variables that can be used here.
    pub(super) fn visible_variables(&self) -> impl Iterator<Item = &str> {
        self.entries
            .iter()
            .filter(|entry| matches!(entry.what, Local::Variable(_)))
            .filter(|entry| self.path.starts_with(&entry.path))
            .map(|entry| &*entry.name)
    }
}
