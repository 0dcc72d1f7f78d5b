//! Numbers for byte patterns of records: looked up for every process of every state.

use std::collections::HashMap;
use std::ops::Range;

/// The number of recent values: a power of two.
const RECENT: usize = 8;

/// Numbers by the values of some bytes.
#[derive(Clone, Debug)]
pub(super) struct RecordInterner {
    which: Vec<Range<usize>>,
    length: usize,
    /// Eight bytes or fewer, as a number.
    short: HashMap<u64, u32>,
    long: HashMap<Box<[u8]>, u32>,
    recent: [Option<(u64, u32)>; RECENT],
}

impl RecordInterner {
    /// An interner for these bytes.
    pub(super) fn by(which: Vec<Range<usize>>) -> RecordInterner {
        let length = which.iter().map(Range::len).sum();
        let (short, long) = (HashMap::new(), HashMap::new());
        RecordInterner { which, length, short, long, recent: [None; RECENT] }
    }

    /// The number for a record, if it has one.
    #[inline]
    pub(super) fn find(&mut self, record: &[u8]) -> Option<u32> {
        if self.length > size_of::<u64>() {
            return self.long.get(self.bytes(record).as_slice()).copied();
        }
        let value = self.value(record);
        let place = place(value);
        match self.recent[place] {
            Some((known, number)) if known == value => Some(number),
            _ => {
                let number = self.short.get(&value).copied()?;
                self.recent[place] = Some((value, number));
                Some(number)
            }
        }
    }

    /// The number of interned values.
    pub(super) fn len(&self) -> usize {
        self.short.len() + self.long.len()
    }

    /// Gives a record a number.
    pub(super) fn insert(&mut self, record: &[u8], number: u32) {
        if self.length > size_of::<u64>() {
            self.long.insert(self.bytes(record).into(), number);
        } else {
            self.short.insert(self.value(record), number);
        }
    }

    #[inline]
    fn value(&self, record: &[u8]) -> u64 {
        let bytes = self.which.iter().flat_map(|range| &record[range.clone()]);
        bytes.fold(0, |value, &byte| value << 8 | u64::from(byte))
    }

    fn bytes(&self, record: &[u8]) -> Vec<u8> {
        self.which.iter().flat_map(|range| record[range.clone()].iter().copied()).collect()
    }
}

/// The slot of a recent value.
#[inline]
fn place(value: u64) -> usize {
    /// An odd number that spreads small values.
    const SPREAD: u64 = 0x9E37_79B9_7F4A_7C15;
    (value.wrapping_mul(SPREAD) >> (u64::BITS - RECENT.ilog2())) as usize
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn records_are_told_apart_by_their_bytes() {
        for which in [vec![], vec![1..2, 4..5], vec![0..2, 3..4], vec![0..4, 4..12]] {
            let mut interner = RecordInterner::by(which.clone());
            for at in 0..100_u8 {
                let record: Vec<u8> = (0..12).map(|byte| at.wrapping_mul(byte + 1) % 50).collect();
                let said: Vec<u8> =
                    which.iter().flat_map(|bytes| record[bytes.clone()].to_vec()).collect();
                if interner.find(&record).is_none() {
                    interner.insert(&record, u32::from(at));
                }
                let number = interner.find(&record).expect("it has one by now");
                // Every record with the same bytes has the number of the first one.
                let same = (0..=at).find(|&at| {
                    let other: Vec<u8> =
                        (0..12).map(|byte| at.wrapping_mul(byte + 1) % 50).collect();
                    which.iter().flat_map(|bytes| other[bytes.clone()].to_vec()).eq(said.clone())
                });
                assert_eq!(Some(number), same.map(u32::from));
            }
        }
    }
}
