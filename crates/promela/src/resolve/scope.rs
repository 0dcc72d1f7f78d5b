//! The names inside one process, with SPIN 6's blocks.
//!
//! SPIN numbers the blocks at each level as they open. A name is visible in its block and in the
//! blocks inside it; of several visible declarations of a name, the last one counts. A block is
//! entered once, so its names are dropped at its end.

use std::collections::HashMap;
use std::sync::Arc;

use crate::hir::{Block, LabelId, LocalId};
use beeline_source::source::Span;

/// The meaning of a local name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Local {
    Variable(LocalId),
    /// A label, declared or only jumped to so far.
    Label,
}

#[derive(Clone, Debug)]
pub(super) struct Entry {
    pub(super) name: Arc<str>,
    pub(super) what: Local,
    pub(super) block: Block,
    pub(super) span: Span,
    /// The older entry of the same name.
    hidden: Option<usize>,
}

/// A `goto` whose target is not resolved yet.
#[derive(Clone, Debug)]
pub(super) struct PendingJump {
    pub(super) name: Arc<str>,
    pub(super) span: Span,
    pub(super) block: Block,
    pub(super) d_step: u32,
}

#[derive(Debug, Default)]
pub(super) struct Scope {
    /// The visible entries, oldest first.
    entries: Vec<Entry>,
    /// The newest entry of each name.
    newest: HashMap<Arc<str>, usize>,
    /// The open blocks, each with the number of entries before it.
    open: Vec<(Block, usize)>,
    /// For each level, the blocks opened so far, by the number of the block around them.
    opened: Vec<Vec<u32>>,
    /// No statement has been seen yet: declarations describe the initial state.
    pub(super) declarations_are_initial: bool,
    pub(super) jumps: Vec<PendingJump>,
    pub(super) labels: Labels,
}

impl Scope {
    /// Opens a block.
    pub(super) fn enter(&mut self) {
        let around = self.block();
        let level = around.level as usize;
        if self.opened.len() == level {
            self.opened.push(Vec::new());
        }
        self.opened[level].push(around.number);
        let number = self.opened[level].len() as u32;
        self.open.push((Block { level: around.level + 1, number }, self.entries.len()));
    }

    /// Closes a block.
    pub(super) fn leave(&mut self) {
        let Some((_, before)) = self.open.pop() else {
            return;
        };
        for entry in self.entries.drain(before..).rev() {
            match entry.hidden {
                Some(older) => self.newest.insert(entry.name, older),
                None => self.newest.remove(&entry.name),
            };
        }
    }

    /// The current block.
    pub(super) fn block(&self) -> Block {
        self.open.last().map_or(Block::default(), |&(block, _)| block)
    }

    /// The block around a block; `None` outside all of them.
    pub(super) fn around(&self, block: Block) -> Option<Block> {
        let level = block.level.checked_sub(1)?;
        let number = self.opened[level as usize][block.number as usize - 1];
        Some(Block { level, number })
    }

    pub(super) fn find(&self, name: &str) -> Option<&Entry> {
        self.newest.get(name).map(|&at| &self.entries[at])
    }

    pub(super) fn add(&mut self, name: Arc<str>, what: Local, span: Span) {
        let hidden = self.newest.insert(name.clone(), self.entries.len());
        let block = self.block();
        self.entries.push(Entry { name, what, block, span, hidden });
    }

    /// Names of variables that can be used here.
    pub(super) fn visible_variables(&self) -> impl Iterator<Item = &str> {
        self.entries
            .iter()
            .filter(|entry| matches!(entry.what, Local::Variable(_)))
            .map(|entry| &*entry.name)
    }
}

/// The labels of a process, by name and block.
#[derive(Debug, Default)]
pub(super) struct Labels {
    /// The oldest and the newest of a name in a block.
    in_block: HashMap<(Arc<str>, Block), (LabelId, LabelId)>,
    /// The newest of a name.
    newest: HashMap<Arc<str>, LabelId>,
    /// For each label, its `d_step`.
    d_steps: Vec<u32>,
}

impl Labels {
    /// Adds the next label. Returns an older one of the same name in the same block.
    pub(super) fn add(&mut self, name: &Arc<str>, block: Block, d_step: u32) -> Option<LabelId> {
        let id = LabelId(self.d_steps.len() as u32);
        self.d_steps.push(d_step);
        self.newest.insert(name.clone(), id);
        let mut twin = None;
        self.in_block
            .entry((name.clone(), block))
            .and_modify(|(oldest, newest)| {
                twin = Some(*oldest);
                *newest = id;
            })
            .or_insert((id, id));
        twin
    }

    /// The `d_step` of a label, 0 for none.
    pub(super) fn d_step(&self, label: LabelId) -> u32 {
        self.d_steps[label.index()]
    }

    /// The target of a jump: the newest label of its block; else the oldest one of the blocks
    /// around it; else the newest anywhere.
    pub(super) fn find(&self, jump: &PendingJump, scope: &Scope) -> Option<LabelId> {
        let anywhere = *self.newest.get(&jump.name)?;
        let mut key = (jump.name.clone(), jump.block);
        if let Some(&(_, newest)) = self.in_block.get(&key) {
            return Some(newest);
        }
        let mut oldest: Option<LabelId> = None;
        while let Some(around) = scope.around(key.1) {
            key.1 = around;
            if let Some(&(first, _)) = self.in_block.get(&key) {
                oldest = Some(oldest.map_or(first, |known| known.min(first)));
            }
        }
        Some(oldest.unwrap_or(anywhere))
    }
}
