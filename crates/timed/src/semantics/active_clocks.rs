//! The active clocks of locations: those that are compared before they are reset. The values of the
//! others do not count, and are not stored.
//!
//! Source: \[DY96\].

use super::bounds::ClockBounds;

/// Clocks in a word of a set.
const WORD: usize = u64::BITS as usize;

/// The active clocks of all locations.
#[derive(Clone, Debug)]
pub struct ActiveClocks {
    /// Words of a set.
    words: usize,
    /// Those that are active everywhere.
    everywhere: Box<[u64]>,
    /// By process: the sets of its locations, one after the other.
    local: Vec<Box<[u64]>>,
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
        let of_process = |process: usize| {
            let locations = 0..bounds.locations(process);
            let sets = locations.flat_map(|at| set(&mut bounds.local(process, at)));
            sets.collect()
        };
        let local = (0..bounds.processes()).map(of_process).collect();
        ActiveClocks { words, everywhere, local }
    }

    /// Adds those of these locations to a list, in ascending order.
    pub fn add(&self, locations: &[u32], list: &mut Vec<u32>) {
        for word in 0..self.words {
            let sets = self.local.iter().zip(locations);
            let mut set = sets.fold(self.everywhere[word], |set, (process, &location)| {
                set | process[location as usize * self.words + word]
            });
            while set != 0 {
                list.push(word as u32 * u64::BITS + set.trailing_zeros());
                set &= set - 1;
            }
        }
    }
}
