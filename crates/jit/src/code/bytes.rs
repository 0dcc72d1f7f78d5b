//! Copies and moves of a number of bytes that is known when code is generated: without a loop, by
//! loads and stores of registers.

use cranelift_codegen::ir::{InstBuilder, Type, Value, types};

use super::function::{Function, trusted};

/// Registers from the widest to the narrowest.
const WIDTHS: [Type; 5] = [types::I8X16, types::I64, types::I32, types::I16, types::I8];

/// Offsets and types of registers that cover `count` bytes and no others; the last two may overlap.
fn pieces(count: usize, widths: &[Type]) -> Vec<(usize, Type)> {
    let fits = |ty: &&Type| ty.bytes() as usize <= count;
    let Some(&ty) = widths.iter().find(fits) else { return Vec::new() };
    let last = count - ty.bytes() as usize;
    let before_last = (0..last).step_by(ty.bytes() as usize);
    before_last.chain([last]).map(|at| (at, ty)).collect()
}

impl Function<'_, '_, '_> {
    /// Copies bytes to a place that does not overlap them.
    pub(super) fn copy_bytes(&mut self, from: Value, to: Value, count: usize) {
        for (at, ty) in pieces(count, &WIDTHS) {
            let piece = self.b.ins().load(ty, trusted(), from, at as i32);
            self.b.ins().store(trusted(), piece, to, at as i32);
        }
    }

    /// Moves these bytes, except for the first `by`, down by `by` bytes, and fills the gap at the
    /// end with zeros. All are read before the first is written.
    pub(super) fn shift_bytes(&mut self, base: Value, at: usize, count: usize, by: usize) {
        let pieces_moved = pieces(count - by, &WIDTHS);
        let mut moved = Vec::with_capacity(pieces_moved.len());
        for &(from, ty) in &pieces_moved {
            moved.push(self.b.ins().load(ty, trusted(), base, (at + by + from) as i32));
        }
        for (&(to, _), value) in pieces_moved.iter().zip(moved) {
            self.b.ins().store(trusted(), value, base, (at + to) as i32);
        }
        for (gap, ty) in pieces(by, &WIDTHS[1..]) {
            let zero = self.b.ins().iconst(ty, 0);
            self.b.ins().store(trusted(), zero, base, (at + count - by + gap) as i32);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_cover_all_bytes_and_no_others() {
        for count in 0..100 {
            for widths in [&WIDTHS[..], &WIDTHS[1..]] {
                let mut covered = vec![false; count];
                for (at, ty) in pieces(count, widths) {
                    covered[at..at + ty.bytes() as usize].fill(true);
                }
                assert_eq!(covered, vec![true; count]);
            }
        }
    }
}
