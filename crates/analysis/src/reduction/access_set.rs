//! Access sets: the shared objects that a step reads and writes.
//!
//! Two enabled steps of different processes are independent if neither writes what the other reads
//! or writes.

use super::objects::{Bits, Objects};

/// The accesses of one or several steps.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct AccessSet {
    /// Objects that determine whether it stays enabled, and its effect.
    pub(super) reads: Bits,
    /// Objects that it changes for enabled steps of other processes.
    pub(super) writes: Bits,
    /// Objects that it sets to a known value: steps that set the same value are independent of it,
    /// and all other writes of them are among `reads`.
    pub(super) sets: Bits,
    /// Objects that it only increments or decrements: such steps commute with each other.
    pub(super) adds: Bits,
    /// Objects that it changes for disabled steps: it may enable a step that waits for one of
    /// these.
    pub(super) gives: Bits,
    /// Whether it may access anything.
    pub(super) is_wild: bool,
}

impl AccessSet {
    pub(super) fn nothing(objects: Objects) -> AccessSet {
        let none = objects.none();
        AccessSet {
            reads: none.clone(),
            writes: none.clone(),
            sets: none.clone(),
            adds: none.clone(),
            gives: none,
            is_wild: false,
        }
    }

    /// Adds an object that it changes for enabled and disabled steps.
    pub(super) fn write(&mut self, object: usize) {
        self.writes.insert(object);
        self.gives.insert(object);
    }

    /// Adds objects that it depends on.
    pub(super) fn depend(&mut self, needs: &EnablingSet) {
        self.reads.add(&needs.things);
        self.is_wild |= needs.is_wild;
    }

    /// Adds another access set; returns whether this made a difference.
    pub(super) fn add(&mut self, other: &AccessSet) -> bool {
        let wilder = other.is_wild && !self.is_wild;
        self.is_wild |= other.is_wild;
        self.reads.add(&other.reads)
            | self.writes.add(&other.writes)
            | self.sets.add(&other.sets)
            | self.adds.add(&other.adds)
            | self.gives.add(&other.gives)
            | wilder
    }

    /// Whether it accesses shared objects.
    pub(super) fn is_anything(&self) -> bool {
        self.is_wild
            || [&self.reads, &self.writes, &self.sets, &self.adds].iter().any(|set| !set.is_empty())
    }

    /// Whether it writes what the other reads, or adds to what the other writes.
    fn disturbs(&self, other: &AccessSet) -> bool {
        self.writes.meets(&other.reads)
            || self.sets.meets(&other.reads)
            || self.adds.meets(&other.reads)
            || self.adds.meets(&other.writes)
    }

    /// Whether it changes any of these objects.
    pub(super) fn changes(&self, things: &Bits) -> bool {
        [&self.writes, &self.sets, &self.adds].iter().any(|set| set.meets(things))
    }

    /// Whether the two are dependent.
    pub(super) fn clashes(&self, other: &AccessSet) -> bool {
        self.is_wild
            || other.is_wild
            || self.writes.meets(&other.writes)
            || self.disturbs(other)
            || other.disturbs(self)
    }
}

/// The objects that may enable a disabled step.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct EnablingSet {
    /// One of these has to change.
    pub(super) things: Bits,
    /// Whether any other change may enable it.
    pub(super) is_wild: bool,
}

impl EnablingSet {
    pub(super) fn nothing(objects: Objects) -> EnablingSet {
        EnablingSet { things: objects.none(), is_wild: false }
    }

    pub(super) fn add(&mut self, other: &EnablingSet) {
        self.add_things(&other.things);
        self.is_wild |= other.is_wild;
    }

    pub(super) fn add_things(&mut self, things: &Bits) {
        self.things.add(things);
    }

    /// Whether a step with this access set may enable it.
    pub(super) fn are_met_by(&self, access_set: &AccessSet) -> bool {
        self.is_wild || access_set.is_wild || self.things.meets(&access_set.gives)
    }
}
