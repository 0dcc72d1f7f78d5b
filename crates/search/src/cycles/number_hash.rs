//! A fast hash for tables whose keys are a few numbers, without a random seed.

use std::hash::Hasher;

/// A hash of some numbers.
#[derive(Default)]
pub(super) struct NumberHash(u64);

impl NumberHash {
    #[inline]
    fn mix(&mut self, number: u64) {
        let product = u128::from(self.0 ^ number) * 0x9e37_79b9_7f4a_7c15_f39c_c060_5ced_c835;
        self.0 = product as u64 ^ (product >> 64) as u64;
    }
}

impl Hasher for NumberHash {
    fn write(&mut self, bytes: &[u8]) {
        bytes.iter().for_each(|&byte| self.mix(u64::from(byte)));
    }

    fn write_u8(&mut self, number: u8) {
        self.mix(u64::from(number));
    }

    fn write_u32(&mut self, number: u32) {
        self.mix(u64::from(number) + 1);
    }

    fn write_u64(&mut self, number: u64) {
        self.mix(number);
    }

    fn finish(&self) -> u64 {
        self.0
    }
}
