//! Encodings of states: packed if a packing fits, otherwise raw, that is in full.
//!
//! There is one [`Packing`] for each length of states. A state has one encoding at a time, so equal
//! states have equal encodings.

use super::super::hash::StateHash;
use super::packing::Packing;

/// The format of raw states.
pub(super) const RAW: u16 = u16::MAX;
/// Multiplier that separates the hashes of different formats.
const SPREAD: u64 = 0x9e37_79b9_7f4a_7c15;

/// A state in the form in which it is stored and compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Encoding<'a> {
    /// The number of its packing, or [`RAW`].
    pub(super) format: u16,
    pub(super) bytes: &'a [u8],
}

impl AsRef<[u8]> for Encoding<'_> {
    fn as_ref(&self) -> &[u8] {
        self.bytes
    }
}

/// A packing for each length of states.
#[derive(Clone, Debug, Default)]
pub(super) struct Encoder {
    packings: Vec<Packing>,
    /// The format for each length, ordered by length.
    formats: Vec<FormatOfLength>,
    /// Memory that the packings hold beside themselves.
    held: usize,
}

#[derive(Clone, Copy, Debug)]
struct FormatOfLength {
    length: usize,
    format: u16,
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

    /// The hash of the state that is packed at the beginning of these bytes.
    pub(super) fn hash<H: StateHash>(&self, bytes: &[u8], format: u16) -> u64 {
        spread(self.packings[usize::from(format)].hash::<H>(bytes), format)
    }

    /// Writes the state that is packed at the beginning of these bytes, replacing what is in
    /// `state`.
    #[inline]
    pub(super) fn decode(&self, bytes: &[u8], format: u16, state: &mut Vec<u8>) {
        self.packings[usize::from(format)].unpack(bytes, state);
    }

    /// The format of packed states of this length.
    #[inline]
    fn format(&self, length: usize) -> Option<u16> {
        match *self.formats {
            [only] => (only.length == length).then_some(only.format),
            _ => {
                let at = self.formats.binary_search_by_key(&length, |one| one.length).ok()?;
                Some(self.formats[at].format)
            }
        }
    }

    /// Learns to pack these states. The encodings of other states may change.
    pub(super) fn learn<'s>(&mut self, states: impl Iterator<Item = &'s [u8]>) {
        for state in states {
            if let Some(format) = self.format(state.len()) {
                self.packings[usize::from(format)].widen(state);
            } else if self.packings.len() < usize::from(RAW) {
                let (length, format) = (state.len(), self.packings.len() as u16);
                let at = self.formats.partition_point(|one| one.length < length);
                self.formats.insert(at, FormatOfLength { length, format });
                let packing = Packing::of(state);
                self.held += packing.held();
                self.packings.push(packing);
            }
        }
    }

    /// The length of the longest packed state.
    pub(super) fn longest(&self) -> usize {
        self.packings.iter().map(Packing::packed).max().unwrap_or(0)
    }

    /// Whether there are several packings.
    pub(super) fn are_many(&self) -> bool {
        self.packings.len() > 1
    }

    /// Memory held.
    #[inline]
    pub(super) fn bytes(&self) -> usize {
        self.held
            + self.packings.capacity() * size_of::<Packing>()
            + self.formats.capacity() * size_of::<FormatOfLength>()
    }
}

#[inline]
fn spread(hash: u64, format: u16) -> u64 {
    hash ^ u64::from(format).wrapping_mul(SPREAD)
}
