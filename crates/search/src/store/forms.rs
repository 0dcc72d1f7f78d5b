//! The forms in which states are kept and compared.
//!
//! Each state has one form at a time, so equal states have equal forms. States of one length
//! that are formed in the same way have the same shape, and forms of the same length.

use super::hash::StateHash;

/// The shape of states that are kept as they are, behind their length.
pub(crate) const RAW: u16 = u16::MAX;
/// Lets forms of different shapes have different hashes.
const SPREAD: u64 = 0x9e37_79b9_7f4a_7c15;

/// A state in the form in which it is kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Form<'a> {
    pub(crate) shape: u16,
    pub(crate) bytes: &'a [u8],
}

/// How states are formed.
pub trait Forming: Clone + Default {
    /// Whether a form is something else than the state, so that it has to be written down.
    const CHANGES: bool;

    /// The form of a state and its hash, perhaps written into a buffer that is longer than the
    /// state by `SPARE` bytes.
    fn form<'b, H: StateHash>(&self, state: &'b [u8], buffer: &'b mut [u8]) -> (Form<'b>, u64);

    /// The state whose form, which is not raw, is at this place; perhaps written into a buffer.
    fn state<'b>(
        &self,
        bytes: &'b [u8],
        at: usize,
        shape: u16,
        buffer: &'b mut Vec<u8>,
    ) -> &'b [u8];

    /// Learns to form states that are raw. If forms are something else than states, others may
    /// have other forms from now on.
    fn learn<'s>(&mut self, states: impl Iterator<Item = &'s [u8]>);

    /// The most bytes that a form has which is not raw.
    fn longest(&self) -> usize;

    /// Memory held.
    fn bytes(&self) -> usize;
}

/// The hash of a state with this shape, if that of its form is this one.
#[inline]
pub(crate) fn spread(hash: u64, shape: u16) -> u64 {
    hash ^ u64::from(shape).wrapping_mul(SPREAD)
}

/// Lengths of states, each of which has a shape.
#[derive(Clone, Debug, Default)]
pub(crate) struct Lengths {
    /// By shape.
    lengths: Vec<usize>,
    /// Lengths and their shapes, ordered.
    ordered: Vec<(usize, u16)>,
}

impl Lengths {
    /// The shape of a length.
    #[inline]
    pub(crate) fn shape(&self, length: usize) -> Option<u16> {
        match *self.ordered {
            [(only, shape)] => (only == length).then_some(shape),
            _ => {
                let at = self.ordered.binary_search_by_key(&length, |&(length, _)| length).ok()?;
                Some(self.ordered[at].1)
            }
        }
    }

    /// The length of a shape.
    #[inline]
    pub(crate) fn of(&self, shape: u16) -> usize {
        self.lengths[usize::from(shape)]
    }

    /// Gives a length that has none a shape, while there are any.
    pub(crate) fn add(&mut self, length: usize) -> Option<u16> {
        let shape = u16::try_from(self.lengths.len()).ok().filter(|&shape| shape != RAW)?;
        let at = self.ordered.partition_point(|&(other, _)| other < length);
        self.ordered.insert(at, (length, shape));
        self.lengths.push(length);
        Some(shape)
    }

    /// The longest.
    pub(crate) fn longest(&self) -> usize {
        self.ordered.last().map_or(0, |&(length, _)| length)
    }

    /// Memory held.
    #[inline]
    pub(crate) fn bytes(&self) -> usize {
        self.lengths.capacity() * size_of::<usize>()
            + self.ordered.capacity() * size_of::<(usize, u16)>()
    }
}

/// The form of a state is the state.
#[derive(Clone, Debug, Default)]
pub struct Whole(Lengths);

impl Forming for Whole {
    const CHANGES: bool = false;

    #[inline]
    fn form<'b, H: StateHash>(&self, state: &'b [u8], _: &'b mut [u8]) -> (Form<'b>, u64) {
        let shape = self.0.shape(state.len()).unwrap_or(RAW);
        (Form { shape, bytes: state }, H::hash(state))
    }

    #[inline]
    fn state<'b>(&self, bytes: &'b [u8], at: usize, shape: u16, _: &'b mut Vec<u8>) -> &'b [u8] {
        &bytes[at..at + self.0.of(shape)]
    }

    fn learn<'s>(&mut self, states: impl Iterator<Item = &'s [u8]>) {
        for state in states {
            if self.0.shape(state.len()).is_none() {
                self.0.add(state.len());
            }
        }
    }

    fn longest(&self) -> usize {
        self.0.longest()
    }

    #[inline]
    fn bytes(&self) -> usize {
        self.0.bytes()
    }
}
