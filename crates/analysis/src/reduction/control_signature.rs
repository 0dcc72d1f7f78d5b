//! Control signatures: the part of a state that determines which sets are stubborn. States with
//! other values of variables often have the same one.

/// The local states of all processes, their enabled edges, and the outcomes of tests.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct ControlSignature {
    /// By process: its local state,
    pub(super) places: Vec<u32>,
    /// the enabled edges there, as bits,
    pub(super) possible: Vec<u64>,
    /// and the number of their transitions.
    pub(super) ways: Vec<u32>,
    /// The outcomes of tests, as bits, in the order of processes.
    pub(super) outcomes: Vec<u64>,
}

impl ControlSignature {
    /// Its slot in a table of this size, a power of two.
    pub(super) fn slot(&self, slots: usize) -> usize {
        /// An odd number that spreads small values.
        const SPREAD: u64 = 0x9E37_79B9_7F4A_7C15;
        let mix = |mixed: u64, part: u64| (mixed.rotate_left(5) ^ part).wrapping_mul(SPREAD);
        let processes = self.places.iter().zip(&self.possible);
        let mixed = processes.fold(0, |mixed, (&place, &possible)| {
            mix(mixed, u64::from(place) ^ possible.rotate_left(32))
        });
        let mixed = self.outcomes.iter().fold(mixed, |mixed, &part| mix(mixed, part));
        (mixed >> (u64::BITS - slots.ilog2())) as usize
    }
}
