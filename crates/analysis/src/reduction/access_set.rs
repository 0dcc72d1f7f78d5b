//! What a step touches: what its outcome depends on, and what it changes.
//!
//! Two steps of different processes that are both possible do not get in each other's way
//! when neither changes what the other reads or changes.

use super::objects::{Bits, Objects};

/// What a step, or several, may touch.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct AccessSet {
    /// What decides whether it stays possible, and what it does.
    pub(super) reads: Bits,
    /// What it changes for others who can move as well.
    pub(super) writes: Bits,
    /// What it changes to a certain value: others who do the same are not in the way, and those
    /// who change it otherwise are among what it reads.
    pub(super) sets: Bits,
    /// What it only adds something to, whatever is there: in which order that is done does not
    /// matter to others who do the same.
    pub(super) adds: Bits,
    /// What it changes for others who cannot move: that may make a step possible which waits
    /// for one of these.
    pub(super) gives: Bits,
    /// Nobody knows what else it touches.
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

    /// It changes this, for everyone.
    pub(super) fn write(&mut self, object: usize) {
        self.writes.insert(object);
        self.gives.insert(object);
    }

    /// It depends on this, too.
    pub(super) fn depend(&mut self, needs: &EnablingSet) {
        self.reads.add(&needs.things);
        self.is_wild |= needs.is_wild;
    }

    /// Adds what others touch. Whether that made a difference.
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

    /// Whether it touches anything that others may touch.
    pub(super) fn is_anything(&self) -> bool {
        self.is_wild
            || [&self.reads, &self.writes, &self.sets, &self.adds].iter().any(|set| !set.is_empty())
    }

    /// Whether it changes what the other depends on, or adds to what the other changes.
    fn disturbs(&self, other: &AccessSet) -> bool {
        self.writes.meets(&other.reads)
            || self.sets.meets(&other.reads)
            || self.adds.meets(&other.reads)
            || self.adds.meets(&other.writes)
    }

    /// Whether it changes any of these things.
    pub(super) fn changes(&self, things: &Bits) -> bool {
        [&self.writes, &self.sets, &self.adds].iter().any(|set| set.meets(things))
    }

    /// Whether the one may get in the way of the other.
    pub(super) fn clashes(&self, other: &AccessSet) -> bool {
        self.is_wild
            || other.is_wild
            || self.writes.meets(&other.writes)
            || self.disturbs(other)
            || other.disturbs(self)
    }
}

/// What a step that is not possible waits for.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct EnablingSet {
    /// One of these has to change.
    pub(super) things: Bits,
    /// Or anything else.
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

    /// Whether what someone touches may help.
    pub(super) fn are_met_by(&self, access_set: &AccessSet) -> bool {
        self.is_wild || access_set.is_wild || self.things.meets(&access_set.gives)
    }
}
