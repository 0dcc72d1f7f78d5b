//! Tables from the values of a variable to values of a cell, both of them sets of bits.

use super::relaxed_state::RelaxedState;

/// No value, or no alternative.
pub(super) const NOTHING: u16 = u16::MAX;

/// A table from the bits of a variable to those of a cell.
#[derive(Clone, Debug)]
pub(super) struct BitTable {
    pub(super) var: u32,
    pub(super) cell: u32,
    /// By bit of the variable: the bit of the cell, or [`NOTHING`].
    pub(super) table: Box<[u16]>,
    /// By word of the variable: mask of the bits that are moved by `shift`.
    moved: Box<[u64]>,
    shift: i32,
    /// All mapped bits are moved by `shift` within one word.
    is_short: bool,
    /// The flow with the same table, if any.
    pub(super) flow: Option<u32>,
}

impl BitTable {
    pub(super) fn new(var: u32, cell: u32, table: Vec<u16>, words: u32) -> BitTable {
        let shift_of =
            |bit: usize| (table[bit] != NOTHING).then(|| i32::from(table[bit]) - bit as i32);
        let mut all: Vec<i32> = (0..table.len()).filter_map(shift_of).collect();
        all.sort_unstable();
        let longest = all.chunk_by(|a, b| a == b).max_by_key(|run| run.len());
        let shift = longest.map_or(0, |run| run[0]);
        let mut moved = vec![0; table.len().div_ceil(64)];
        for bit in (0..table.len()).filter(|&bit| shift_of(bit) == Some(shift)) {
            moved[bit / 64] |= 1 << (bit % 64);
        }
        let is_moved = all.iter().all(|&one| one == shift);
        let is_short = moved.len() == 1 && words == 1 && is_moved;
        let (table, moved) = (table.into(), moved.into());
        BitTable { var, cell, table, moved, shift, is_short, flow: None }
    }

    /// Adds the image of one word of the variable.
    #[inline]
    pub(super) fn add(&self, word: u32, now: u64, relaxed: &mut RelaxedState) {
        let moved = now & self.moved[word as usize];
        if self.is_short {
            let made = if self.shift < 0 { moved >> -self.shift } else { moved << self.shift };
            relaxed.add_bits(self.cell, 0, made);
            return;
        }
        if moved != 0 {
            let last = relaxed.cells.get(self.cell).words as i32 - 1;
            let from = word as i32 * 64 + self.shift;
            let (to, by) = (from.div_euclid(64), from.rem_euclid(64));
            if (0..=last).contains(&to) {
                relaxed.add_bits(self.cell, to as u32, moved << by);
            }
            if by != 0 && (-1..last).contains(&to) {
                relaxed.add_bits(self.cell, (to + 1) as u32, moved >> (64 - by));
            }
        }
        let mut left = now & !self.moved[word as usize];
        while left != 0 {
            let to = self.table[(word * 64 + left.trailing_zeros()) as usize];
            if to != NOTHING {
                relaxed.add_bits(self.cell, u32::from(to) / 64, 1 << (to % 64));
            }
            left &= left - 1;
        }
    }
}
