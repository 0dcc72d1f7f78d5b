//! The textual form of relaxed states: the layers of a state, until a goal is reached.
//!
//! ```text
//! a {0, 1}, b {0}, c {}
//! ```

use super::cells::{CellShape, WIDE};
use super::compiled_relaxation::Relaxation;
use super::relaxed_state::RelaxedState;

impl Relaxation<'_> {
    /// One line per layer, with the values of the named cells. Empty if the state cannot be read.
    pub fn dump(&self, state: &[u8], cells: &[(&str, beeline_factored::FactorId)]) -> Vec<String> {
        let mut layers = self.layers();
        let mut lines = Vec::new();
        if !layers.begin(self.reading.as_ref(), state) {
            return lines;
        }
        loop {
            let line = cells.iter().map(|(name, factor)| {
                let cell = self.compiled.cells.cell_of(*factor);
                format!("{name} {}", values(&layers.relaxed, cell))
            });
            lines.push(line.collect::<Vec<_>>().join(", "));
            if layers.grow().is_some() {
                return lines;
            }
        }
    }
}

fn values(relaxed: &RelaxedState, cell: u32) -> String {
    let of = relaxed.cells.get(cell);
    let words = &relaxed.now[of.first as usize..(of.first + of.words) as usize];
    if let (CellShape::List(_), Some(hull)) = (of.shape, relaxed.hull(cell))
        && words[0] & WIDE != 0
    {
        return format!("{}..{}", hull.least, hull.greatest);
    }
    let there = |bit: &u32| words[(bit / 64) as usize] & 1 << (bit % 64) != 0;
    let mut all: Vec<i32> = (0..of.words * 64)
        .filter(there)
        .map(|bit| match of.shape {
            CellShape::Bits => of.value(bit),
            CellShape::List(list) => relaxed.listed(list, bit),
        })
        .collect();
    all.sort_unstable();
    let all: Vec<String> = all.iter().map(i32::to_string).collect();
    format!("{{{}}}", all.join(", "))
}
