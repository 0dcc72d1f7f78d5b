//! Supports: the levels that an operation considers, and what it does with their values.

use super::cache::Tag;
use super::forest::Forest;

/// What a relation does with the value of a level.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum LevelAccess {
    /// Reads it and keeps it: one value in the relation.
    Read,
    /// Replaces it, whatever it was: one value in the relation, the new one.
    Write,
    /// Reads and replaces it: two values in the relation, the old one first.
    Both,
}

/// A level of a support.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SupportLevel {
    /// The position in the vectors of states.
    pub level: u32,
    /// What is done with the value.
    pub access: LevelAccess,
    /// If present, projections keep only these values, which ascend.
    pub allowed: Option<Vec<i32>>,
}

impl SupportLevel {
    /// A level with all values.
    pub fn new(level: u32, access: LevelAccess) -> SupportLevel {
        SupportLevel { level, access, allowed: None }
    }
}

/// Some levels, in ascending order, with their accesses. Short vectors have values for these levels
/// only. Other levels keep their values.
#[derive(Clone, Debug)]
pub struct Support {
    pub(crate) levels: Vec<SupportLevel>,
    /// The first of eight tags of the operation cache.
    tags: Tag,
}

/// Operations that depend on a support.
#[derive(Clone, Copy)]
pub(crate) enum SupportOperation {
    Project,
    Join,
    AntiJoin,
    Image,
    Preimage,
    Fire,
}

impl Support {
    /// A support of levels in ascending order.
    pub fn new(forest: &mut Forest, levels: Vec<SupportLevel>) -> Support {
        debug_assert!(levels.is_sorted_by(|a, b| a.level < b.level), "levels ascend");
        Support { levels, tags: forest.fresh_tags() }
    }

    /// Its levels.
    pub fn levels(&self) -> &[SupportLevel] {
        &self.levels
    }

    #[inline]
    pub(crate) fn tag(&self, operation: SupportOperation) -> Tag {
        self.tags + operation as Tag
    }
}
