//! States in the encoding in which they are kept and compared: packed where that is possible, and
//! otherwise raw, which is as they are.
//!
//! There is a [`Packing`] for each length of states. Each state has one encoding at a time, so
//! equal states have equal encodings.

use super::super::hash::StateHash;
use super::packing::Packing;

/// The format of raw states.
pub(super) const RAW: u16 = u16::MAX;
/// Lets encodings of different formats have different hashes.
const SPREAD: u64 = 0x9e37_79b9_7f4a_7c15;

/// A state in the encoding in which it is kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Encoding<'a> {
    /// Which packing made it, or [`RAW`].
    pub(super) format: u16,
    pub(super) bytes: &'a [u8],
}

/// A packing for each length of states.
#[derive(Clone, Debug, Default)]
pub(super) struct Encoder {
    packings: Vec<Packing>,
    /// Lengths and which packings are theirs, ordered.
    lengths: Vec<(usize, u16)>,
    /// What the packings hold beside themselves.
    held: usize,
}

impl Encoder {
    /// The encoding of a state and its hash, written into a buffer that is longer than the state by
    /// [`SPARE`](super::packing::SPARE) bytes.
    #[inline]
    pub(super) fn encode<'b, H: StateHash>(
        &self,
        state: &[u8],
        buffer: &'b mut [u8],
    ) -> (Encoding<'b>, u64) {
        if let Some(format) = self.format(state.len()) {
            let packing = &self.packings[usize::from(format)];
            if let Some(hash) = packing.pack::<H>(state, buffer) {
                let encoding = Encoding { format, bytes: &buffer[..packing.packed()] };
                return (encoding, spread(hash, format));
            }
        }
        let raw = &mut buffer[..state.len()];
        raw.copy_from_slice(state);
        (Encoding { format: RAW, bytes: raw }, H::hash(state))
    }

    /// The hash of the state that is packed at this place.
    pub(super) fn hash<H: StateHash>(&self, bytes: &[u8], at: usize, format: u16) -> u64 {
        spread(self.packings[usize::from(format)].hash::<H>(&bytes[at..]), format)
    }

    /// Writes the state that is packed at this place, replacing what is in `state`.
    #[inline]
    pub(super) fn unpack(&self, bytes: &[u8], at: usize, format: u16, state: &mut Vec<u8>) {
        self.packings[usize::from(format)].unpack(bytes, at, state);
    }

    /// The format of states of this length that can be packed.
    #[inline]
    fn format(&self, length: usize) -> Option<u16> {
        match *self.lengths {
            [(only, format)] => (only == length).then_some(format),
            _ => {
                let at = self.lengths.binary_search_by_key(&length, |&(length, _)| length).ok()?;
                Some(self.lengths[at].1)
            }
        }
    }

    /// Learns to pack these states. Others may have other encodings from now on.
    pub(super) fn learn<'s>(&mut self, states: impl Iterator<Item = &'s [u8]>) {
        for state in states {
            if let Some(format) = self.format(state.len()) {
                self.packings[usize::from(format)].widen(state);
            } else if self.packings.len() < usize::from(RAW) {
                let at = self.lengths.partition_point(|&(length, _)| length < state.len());
                self.lengths.insert(at, (state.len(), self.packings.len() as u16));
                let packing = Packing::of(state);
                self.held += packing.held();
                self.packings.push(packing);
            }
        }
    }

    /// The most bytes that a packed state has.
    pub(super) fn longest(&self) -> usize {
        self.packings.iter().map(Packing::packed).max().unwrap_or(0)
    }

    /// Whether there is more than one.
    pub(super) fn are_many(&self) -> bool {
        self.packings.len() > 1
    }

    /// Memory held.
    #[inline]
    pub(super) fn bytes(&self) -> usize {
        self.held
            + self.packings.capacity() * size_of::<Packing>()
            + self.lengths.capacity() * size_of::<(usize, u16)>()
    }
}

#[inline]
fn spread(hash: u64, format: u16) -> u64 {
    hash ^ u64::from(format).wrapping_mul(SPREAD)
}
