//! Extraction and deposit of bits under a mask: one instruction (BMI2) where the processor has it,
//! otherwise a few for each run of ones in the mask.
//!
//! A function that uses such an instruction can be inlined only into functions that may use it,
//! too. So a whole [`BitTask`] runs with one implementation of [`BitExtract`].
#![allow(unsafe_code, reason = "BMI2 instructions run only where the processor has them")]

/// Bit extraction and deposit.
pub(super) trait BitExtract {
    /// The bits of a word under a mask, moved to the lower end (`pext`).
    fn extract(word: u64, mask: u64) -> u64;

    /// The lowest bits of a word, moved to the ones of a mask (`pdep`).
    fn deposit(word: u64, mask: u64) -> u64;
}

/// A computation that extracts or deposits bits.
pub(super) trait BitTask {
    /// Its result.
    type Result;

    /// Runs it. Implementations must be `#[inline(always)]`.
    fn run<G: BitExtract>(self) -> Self::Result;
}

/// Runs a task with the fastest implementation for this processor.
#[inline]
pub(super) fn run<T: BitTask>(task: T) -> T::Result {
    #[cfg(target_arch = "x86_64")]
    if std::arch::is_x86_feature_detected!("bmi2") {
        // SAFETY: the processor has BMI2.
        return unsafe { run_with_bmi2(task) };
    }
    task.run::<Portable>()
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "bmi2")]
fn run_with_bmi2<T: BitTask>(task: T) -> T::Result {
    task.run::<Bmi2>()
}

/// BMI2 instructions. Only for tasks that run where the processor has them.
#[cfg(target_arch = "x86_64")]
struct Bmi2;

#[cfg(target_arch = "x86_64")]
impl BitExtract for Bmi2 {
    #[inline(always)]
    fn extract(word: u64, mask: u64) -> u64 {
        // SAFETY: the type is private to this file, and used only where BMI2 was detected.
        unsafe { std::arch::x86_64::_pext_u64(word, mask) }
    }

    #[inline(always)]
    fn deposit(word: u64, mask: u64) -> u64 {
        // SAFETY: as above.
        unsafe { std::arch::x86_64::_pdep_u64(word, mask) }
    }
}

/// One run of ones after the other.
struct Portable;

impl BitExtract for Portable {
    #[inline(always)]
    fn extract(word: u64, mask: u64) -> u64 {
        let (mut extracted, mut count) = (0, 0);
        for (start, length) in runs(mask) {
            extracted |= (word >> start & lowest(length)) << count;
            count += length;
        }
        extracted
    }

    #[inline(always)]
    fn deposit(word: u64, mask: u64) -> u64 {
        let (mut deposited, mut count) = (0, 0);
        for (start, length) in runs(mask) {
            deposited |= (word >> count & lowest(length)) << start;
            count += length;
        }
        deposited
    }
}

/// The runs of ones in a mask: start and length of each.
#[inline]
fn runs(mask: u64) -> impl Iterator<Item = (u32, u32)> {
    let mut rest = mask;
    std::iter::from_fn(move || {
        if rest == 0 {
            return None;
        }
        let start = rest.trailing_zeros();
        let length = (rest >> start).trailing_ones();
        rest &= !(lowest(length) << start);
        Some((start, length))
    })
}

/// A mask of `length` ones at the lower end; at least one.
#[inline]
fn lowest(length: u32) -> u64 {
    u64::MAX >> (u64::BITS - length)
}

#[cfg(test)]
mod tests {
    use beeline_kernel::SplitMix64;

    use super::*;

    struct Both(u64, u64);

    impl BitTask for Both {
        type Result = (u64, u64);

        #[inline(always)]
        fn run<G: BitExtract>(self) -> (u64, u64) {
            (G::extract(self.0, self.1), G::deposit(self.0, self.1))
        }
    }

    /// Bit by bit.
    fn plainly(word: u64, mask: u64) -> (u64, u64) {
        let places = (0..64).filter(|at| mask >> at & 1 == 1);
        places.enumerate().fold((0, 0), |(extracted, deposited), (n, at)| {
            (extracted | (word >> at & 1) << n, deposited | (word >> n & 1) << at)
        })
    }

    #[test]
    fn all_ways_agree() {
        let mut rng = SplitMix64::new(1);
        let mut masks = vec![0, 1, u64::MAX, 1 << 63, u64::MAX >> 1, u64::MAX << 1];
        masks.extend((0..1000).map(|n| match n % 3 {
            0 => rng.next_u64(),
            1 => rng.next_u64() & rng.next_u64() & rng.next_u64(),
            _ => rng.next_u64() | rng.next_u64() | rng.next_u64(),
        }));
        for mask in masks {
            let word = rng.next_u64();
            let expected = plainly(word, mask);
            assert_eq!(run(Both(word, mask)), expected, "{word:x} {mask:x}");
            assert_eq!(Both(word, mask).run::<Portable>(), expected, "{word:x} {mask:x}");
        }
    }
}
