//! Packed forms: there is a [`Packing`] for each length of states.
//!
//! A state with bits that its packing does not know is raw. When packings get wider, all
//! forms are made anew.

use super::forms::{Form, Forming, Lengths, RAW, spread};
use super::hash::StateHash;
use super::packing::Packing;

/// A packing for each length of states.
#[derive(Clone, Debug, Default)]
pub(crate) struct Packed {
    lengths: Lengths,
    /// By shape.
    packings: Vec<Packing>,
    /// What the packings hold beside themselves.
    held: usize,
}

impl Forming for Packed {
    const CHANGES: bool = true;

    #[inline]
    fn form<'b, H: StateHash>(&self, state: &'b [u8], buffer: &'b mut [u8]) -> (Form<'b>, u64) {
        if let Some(shape) = self.lengths.shape(state.len()) {
            let packing = &self.packings[usize::from(shape)];
            if let Some(hash) = packing.pack::<H>(state, buffer) {
                let form = Form { shape, bytes: &buffer[..packing.packed()] };
                return (form, spread(hash, shape));
            }
        }
        let raw = &mut buffer[..state.len()];
        raw.copy_from_slice(state);
        (Form { shape: RAW, bytes: raw }, H::hash(state))
    }

    #[inline]
    fn state<'b>(
        &self,
        bytes: &'b [u8],
        at: usize,
        shape: u16,
        buffer: &'b mut Vec<u8>,
    ) -> &'b [u8] {
        self.packings[usize::from(shape)].unpack(bytes, at, buffer);
        buffer
    }

    fn learn<'s>(&mut self, states: impl Iterator<Item = &'s [u8]>) {
        for state in states {
            if let Some(shape) = self.lengths.shape(state.len()) {
                self.packings[usize::from(shape)].widen(state);
            } else if self.lengths.add(state.len()).is_some() {
                let packing = Packing::of(state);
                self.held += packing.held();
                self.packings.push(packing);
            }
        }
    }

    fn longest(&self) -> usize {
        self.packings.iter().map(Packing::packed).max().unwrap_or(0)
    }

    #[inline]
    fn bytes(&self) -> usize {
        self.held + self.packings.capacity() * size_of::<Packing>() + self.lengths.bytes()
    }
}
