//! The layout of states: the values of factors in as few bits as they need, then numbers.

use crate::encode::EncodedTask;
use crate::task::NumberRange;

/// Where a factor is.
#[derive(Clone, Copy, Debug)]
struct FactorPlace {
    byte: u32,
    shift: u8,
    /// 0 for a factor of two bytes.
    mask: u8,
}

/// The layout of states.
#[derive(Clone, Debug)]
pub(crate) struct PlanningLayout {
    places: Vec<FactorPlace>,
    /// The first byte of numeric fluents.
    numbers: usize,
    fluents: usize,
    range: NumberRange,
}

impl PlanningLayout {
    /// Places factors: the large ones first, so that none crosses a byte.
    pub(crate) fn new(task: &EncodedTask) -> PlanningLayout {
        let bits = |at: usize| u32::BITS - (task.groups[at].size().max(2) - 1).leading_zeros();
        let mut order: Vec<usize> = (0..task.groups.len()).collect();
        order.sort_by_key(|&at| std::cmp::Reverse(bits(at)));
        let mut places = vec![FactorPlace { byte: 0, shift: 0, mask: 0 }; order.len()];
        // By the number of free bits: the bytes that have as many.
        let mut free: [Vec<u32>; 8] = std::array::from_fn(|_| Vec::new());
        let mut bytes = 0u32;
        for at in order {
            let bits = bits(at);
            if bits > 8 {
                places[at] = FactorPlace { byte: bytes, shift: 0, mask: 0 };
                bytes += 2;
                continue;
            }
            let fit = (bits as usize..8).find(|&count| !free[count].is_empty());
            let (byte, left) = match fit {
                Some(count) => (free[count].pop().expect("it is not empty"), count as u32),
                None => {
                    bytes += 1;
                    (bytes - 1, 8)
                }
            };
            let mask = ((1u32 << bits) - 1) as u8;
            places[at] = FactorPlace { byte, shift: (8 - left) as u8, mask };
            if left > bits {
                free[(left - bits) as usize].push(byte);
            }
        }
        let (numbers, fluents) = (bytes as usize, task.numbers.len());
        PlanningLayout { places, numbers, fluents, range: task.range }
    }

    /// The value of a factor.
    #[inline]
    pub(crate) fn get(&self, state: &[u8], factor: u32) -> u32 {
        let FactorPlace { byte, shift, mask } = self.places[factor as usize];
        let at = byte as usize;
        if mask == 0 {
            return u32::from(u16::from_le_bytes([state[at], state[at + 1]]));
        }
        u32::from((state[at] >> shift) & mask)
    }

    /// Sets the value of a factor.
    #[inline]
    pub(crate) fn set(&self, state: &mut [u8], factor: u32, value: u32) {
        let FactorPlace { byte, shift, mask } = self.places[factor as usize];
        let at = byte as usize;
        if mask == 0 {
            state[at..at + 2].copy_from_slice(&(value as u16).to_le_bytes());
            return;
        }
        state[at] = (state[at] & !(mask << shift)) | ((value as u8) << shift);
    }

    /// The value of a numeric fluent.
    #[inline]
    pub(crate) fn number(&self, state: &[u8], fluent: u32) -> i64 {
        let at = self.numbers + 4 * fluent as usize;
        let bytes = [state[at], state[at + 1], state[at + 2], state[at + 3]];
        i64::from(i32::from_le_bytes(bytes))
    }

    /// Sets the value of a numeric fluent; `false` if it does not fit.
    #[inline]
    pub(crate) fn set_number(&self, state: &mut [u8], fluent: u32, value: i64) -> bool {
        let at = self.numbers + 4 * fluent as usize;
        if !self.range.contains(value) {
            return false;
        }
        state[at..at + 4].copy_from_slice(&(value as i32).to_le_bytes());
        true
    }

    /// The length of states.
    pub(crate) fn bytes(&self) -> usize {
        (self.numbers + 4 * self.fluents).max(1)
    }
}
