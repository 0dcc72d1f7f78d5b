//! Shared objects: the numbered objects that steps of different processes can both access.
//!
//! Global variables count by their bytes in a state, so that array elements and fields are separate
//! objects, and each byte by its possible values: a step that sets another value does not enable a
//! step that waits for one. A channel is two objects: its *tail*, where messages are sent, and its
//! *head*, where they are received. An enabled send and an enabled receive are independent.

use std::ops::Range;

use beeline_engine::interpreter::Machine;

/// The greatest number of channels and processes with objects of their own.
pub(super) const MOST: usize = 256;

/// Distinguished values of a byte, if there are not too many bytes: small ones, the largest one,
/// and all others together.
const VALUES: usize = 16;
const LARGEST: usize = VALUES - 2;
const MOST_TOLD_APART: usize = 1 << 12;

/// The numbering of shared objects.
#[derive(Clone, Copy, Debug)]
pub(super) struct Objects {
    /// Bytes of the header and the globals.
    bytes: usize,
    /// Objects for each byte.
    values: usize,
}

impl Objects {
    pub(super) fn of(machine: &Machine<'_>) -> Objects {
        let bytes = machine.layout().variables;
        let values = if bytes * VALUES <= MOST_TOLD_APART { VALUES } else { 1 };
        Objects { bytes, values }
    }

    /// An empty set.
    pub(super) fn none(self) -> Bits {
        Bits(vec![0; self.count().div_ceil(64)])
    }

    fn count(self) -> usize {
        self.nr_pr() + 1 + MOST
    }

    /// The bytes of the header and the global variables.
    pub(super) fn variables(self) -> Range<usize> {
        0..self.bytes * self.values
    }

    /// Changes of a byte, to any value.
    pub(super) fn byte(self, at: usize) -> Range<usize> {
        at * self.values..(at + 1) * self.values
    }

    /// The change of a byte to some value.
    pub(super) fn value(self, at: usize, value: i32) -> Option<usize> {
        let kind = match usize::try_from(value).ok()? {
            small if small < LARGEST => small,
            255 => LARGEST,
            _ => return None,
        };
        (self.values == VALUES).then(|| self.byte(at).start + kind)
    }

    /// The distinguished values of a byte.
    pub(super) fn distinguished() -> impl Iterator<Item = i32> {
        (0..LARGEST as i32).chain([255])
    }

    /// The object for sends to a channel; channels are numbered from 0. Channels beyond the limit
    /// share the last one.
    pub(super) fn tail(self, channel: usize) -> usize {
        self.variables().end + 2 * channel.min(MOST - 1)
    }

    /// The object for receives from a channel.
    pub(super) fn head(self, channel: usize) -> usize {
        self.tail(channel) + 1
    }

    /// Both ends of all channels.
    pub(super) fn channels(self) -> Range<usize> {
        self.variables().end..self.variables().end + 2 * MOST
    }

    /// The end of a process.
    pub(super) fn death(self, pid: usize) -> usize {
        self.channels().end + pid.min(MOST - 1)
    }

    /// The end of any process.
    pub(super) fn deaths(self) -> Range<usize> {
        self.channels().end..self.channels().end + MOST
    }

    /// The creation of processes: their numbers.
    pub(super) fn births(self) -> usize {
        self.deaths().end
    }

    /// `_nr_pr`.
    pub(super) fn nr_pr(self) -> usize {
        self.births() + 1
    }

    /// That a process reaches a location where it receives in a rendezvous, for each rendezvous
    /// whose tail is in the set.
    pub(super) fn arrivals(self, tails: &Bits) -> Bits {
        let mut found = self.none();
        let channels = (0..MOST).filter(|&channel| tails.contains(self.tail(channel)));
        channels.for_each(|channel| found.insert(self.all_arrivals().start + channel));
        found
    }

    /// That a process reaches a location where it receives in any rendezvous.
    pub(super) fn all_arrivals(self) -> Range<usize> {
        let first = self.nr_pr() + 1;
        first..first + MOST
    }
}

/// A set of objects.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub(super) struct Bits(Vec<u64>);

impl Bits {
    pub(super) fn insert(&mut self, object: usize) {
        self.0[object / 64] |= 1 << (object % 64);
    }

    pub(super) fn contains(&self, object: usize) -> bool {
        self.0[object / 64] >> (object % 64) & 1 == 1
    }

    pub(super) fn remove(&mut self, object: usize) {
        self.0[object / 64] &= !(1 << (object % 64));
    }

    pub(super) fn insert_all(&mut self, objects: Range<usize>) {
        objects.for_each(|object| self.insert(object));
    }

    /// Adds another set; returns whether this made a difference.
    pub(super) fn add(&mut self, other: &Bits) -> bool {
        let mut grown = 0;
        for (word, more) in self.0.iter_mut().zip(&other.0) {
            grown |= more & !*word;
            *word |= more;
        }
        grown != 0
    }

    pub(super) fn meets(&self, other: &Bits) -> bool {
        self.0.iter().zip(&other.0).any(|(one, two)| one & two != 0)
    }
}

impl Bits {
    pub(super) fn is_empty(&self) -> bool {
        self.0.iter().all(|&word| word == 0)
    }
}
