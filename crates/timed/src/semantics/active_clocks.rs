//! The active clocks of locations: those that are compared before they are reset. The values of the
//! others do not count, and are not stored.
//!
//! Source: \[DY96\].

use super::bounds::ClockBounds;
use super::value_bounds::{BoundTable, Selection};
use crate::network::memory::Memory;

/// Clocks in a word of a set.
const WORD: usize = u64::BITS as usize;

/// The active clocks of all locations.
#[derive(Clone, Debug)]
pub struct ActiveClocks {
    /// Words of a set.
    words: usize,
    /// Those that are active everywhere.
    everywhere: Box<[u64]>,
    /// By process: its tables. A clock is active if it is in the sets of all of them.
    local: Vec<Vec<ActiveTable>>,
}

/// The active clocks of a process.
#[derive(Clone, Debug)]
struct ActiveTable {
    /// The bounds of these clocks, of which the rows count.
    table: Selection,
    /// The sets, one after the other.
    sets: Box<[u64]>,
}

impl ActiveClocks {
    /// Those for which there are bounds.
    pub(super) fn new(bounds: &ClockBounds) -> ActiveClocks {
        let words = bounds.clocks().div_ceil(WORD);
        let set = |clocks: &mut dyn Iterator<Item = u32>| {
            let mut set = vec![0; words];
            clocks.for_each(|clock| set[clock as usize / WORD] |= 1 << (clock as usize % WORD));
            set
        };
        let everywhere = set(&mut bounds.everywhere()).into();
        let of_table = |one: &BoundTable| ActiveTable {
            table: one.selection,
            sets: one
                .bounds
                .iter()
                .flat_map(|row| set(&mut row.iter().map(|&(clock, _)| clock)))
                .collect(),
        };
        let of_process = |tables: &Vec<BoundTable>| tables.iter().map(of_table).collect();
        let local = bounds.tables().iter().map(of_process).collect();
        ActiveClocks { words, everywhere, local }
    }

    /// Adds those of the discrete state in memory to a list, in ascending order.
    pub fn add(&self, memory: &Memory<'_>, list: &mut Vec<u32>) {
        for word in 0..self.words {
            let mut set = self.everywhere[word];
            for (tables, &location) in self.local.iter().zip(&memory.locations) {
                let mut its = u64::MAX;
                for one in tables {
                    let row = one.table.row(location, &memory.variables);
                    its &= one.sets[row * self.words + word];
                }
                set |= its;
            }
            while set != 0 {
                list.push(word as u32 * u64::BITS + set.trailing_zeros());
                set &= set - 1;
            }
        }
    }
}
