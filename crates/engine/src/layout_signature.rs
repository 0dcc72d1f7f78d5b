//! Layout signatures: the length of a state and selected bits, such as the tags of its records,
//! which determine where its records are.
//!
//! Successive states mostly have the same signature. Comparing it is faster than decoding the state
//! again.

/// The bytes that are compared at once.
type Block = [u8; 16];

/// A length, and selected bits.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct LayoutSignature {
    length: usize,
    /// The bits of whole blocks, and of the last block, which may overlap with the previous one.
    blocks: Vec<Marked>,
    last: Marked,
}

/// Selected bits of a block, with their mask.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
struct Marked {
    bits: [u64; 2],
    mask: [u64; 2],
}

impl LayoutSignature {
    /// The signature of a state in the bits that are set in a mask of the same length.
    pub fn of(state: &[u8], mask: &[u8]) -> LayoutSignature {
        assert_eq!(state.len(), mask.len(), "every bit is marked or not");
        let blocks = state.as_chunks().0.iter().zip(mask.as_chunks().0);
        LayoutSignature {
            length: state.len(),
            blocks: blocks.map(|(&block, &mask)| Marked::of(block, mask)).collect(),
            last: Marked::of(last_block(state), last_block(mask)),
        }
    }

    /// Whether a state has this signature.
    #[inline]
    pub fn matches(&self, state: &[u8]) -> bool {
        if self.length != state.len() {
            return false;
        }
        let blocks = state.as_chunks().0.iter().zip(&self.blocks);
        let last = self.last.difference(last_block(state));
        blocks.fold(last, |before, (&block, marked)| before | marked.difference(block)) == 0
    }
}

impl Marked {
    /// The selected bits of a block.
    fn of(block: Block, mask: Block) -> Marked {
        let (block, mask) = (words(block), words(mask));
        Marked { bits: [block[0] & mask[0], block[1] & mask[1]], mask }
    }

    /// Not 0 if a block differs in the selected bits.
    #[inline]
    fn difference(&self, block: Block) -> u64 {
        let block = words(block);
        let [first, second] = [0, 1].map(|word| (block[word] & self.mask[word]) ^ self.bits[word]);
        first | second
    }
}

#[inline]
fn words(block: Block) -> [u64; 2] {
    let whole = u128::from_ne_bytes(block);
    [whole as u64, (whole >> 64) as u64]
}

/// The last block of a state, padded with zeros if the state is shorter.
#[inline]
fn last_block(state: &[u8]) -> Block {
    state.last_chunk().copied().unwrap_or_else(|| {
        let mut block = Block::default();
        block[..state.len()].copy_from_slice(state);
        block
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marked_bits_count_and_no_others() {
        for length in 0..70_usize {
            let state: Vec<u8> = (0..length).map(|at| at as u8).collect();
            let mask: Vec<u8> = (0..length).map(|at| if at % 3 == 1 { 0x0f } else { 0 }).collect();
            let signature = LayoutSignature::of(&state, &mask);
            assert!(signature.matches(&state));
            assert!(!signature.matches(&[state.as_slice(), &[0]].concat()));
            for (at, bit) in (0..length).flat_map(|at| [0x01, 0x80].map(|bit| (at, bit))) {
                let mut other = state.clone();
                other[at] ^= bit;
                assert_eq!(signature.matches(&other), mask[at] & bit == 0, "{length} {at} {bit}");
            }
        }
    }
}
