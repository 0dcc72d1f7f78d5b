//! Colours of the states of a depth-first search: half a byte each.
//!
//! Source of the colours: [SE05].

use beeline_kernel::StateId;

/// The status of a state in the search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Colour {
    /// Not entered yet.
    White,
    /// On the path from the initial state to the current one.
    Cyan,
    /// Left.
    Blue,
    /// Left, and not needed any more.
    Red,
}

const COLOUR: u8 = 0b0011;
const SEED: u8 = 0b0100;
const BITS: usize = 4;

/// A colour for each state, and whether it is a seed. Unknown states are white.
#[derive(Clone, Debug, Default)]
pub(super) struct Colours {
    /// Two states in each byte.
    pairs: Vec<u8>,
}

impl Colours {
    /// The colour of a state.
    #[inline]
    pub(super) fn of(&self, id: StateId) -> Colour {
        match self.half(id) & COLOUR {
            0 => Colour::White,
            1 => Colour::Cyan,
            2 => Colour::Blue,
            _ => Colour::Red,
        }
    }

    /// Sets the colour of a state.
    #[inline]
    pub(super) fn paint(&mut self, id: StateId, colour: Colour) {
        let (pair, shift) = self.place(id);
        *pair = *pair & !(COLOUR << shift) | (colour as u8) << shift;
    }

    /// Whether a state is a seed.
    #[inline]
    pub(super) fn is_seed(&self, id: StateId) -> bool {
        self.half(id) & SEED != 0
    }

    /// Makes a state a seed.
    #[inline]
    pub(super) fn plant(&mut self, id: StateId) {
        let (pair, shift) = self.place(id);
        *pair |= SEED << shift;
    }

    /// Memory held.
    pub(super) fn bytes(&self) -> usize {
        self.pairs.capacity()
    }

    #[inline]
    fn half(&self, id: StateId) -> u8 {
        let pair = self.pairs.get(id.index() / 2).copied().unwrap_or(0);
        pair >> (id.index() % 2 * BITS)
    }

    #[inline]
    fn place(&mut self, id: StateId) -> (&mut u8, usize) {
        let at = id.index() / 2;
        if at >= self.pairs.len() {
            self.pairs.resize(at + 1, 0);
        }
        (&mut self.pairs[at], id.index() % 2 * BITS)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn neighbours_do_not_rub_off() {
        let ids = [0, 1, 2, 3, 1000].map(|index| StateId::new(index).expect("a small number"));
        let mut colours = Colours::default();
        assert!(ids.iter().all(|&id| colours.of(id) == Colour::White && !colours.is_seed(id)));
        colours.plant(ids[1]);
        colours.paint(ids[1], Colour::Red);
        colours.paint(ids[0], Colour::Cyan);
        colours.paint(ids[4], Colour::Blue);
        colours.paint(ids[1], Colour::Blue);
        let expected = [Colour::Cyan, Colour::Blue, Colour::White, Colour::White, Colour::Blue];
        assert_eq!(ids.map(|id| colours.of(id)), expected);
        assert_eq!(ids.map(|id| colours.is_seed(id)), [false, true, false, false, false]);
    }
}
