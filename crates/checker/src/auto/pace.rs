//! The pace of the searches beside proofs that have threads of their own.
//!
//! The same amount of work takes some searches several times as long as others, so that their
//! shares of the work do not bound their time. A proof never pauses: what it does during a turn of
//! the others tells how long the turn took, without a clock.

/// The others are busy for at most this fraction of the time, so that a check takes less than twice
/// the processor time of its proof, also where two threads slow each other down since they share a
/// cache or a core. The preparation of heuristics and of the proof on sets counts as busy.
const BUSY: (u64, u64) = (1, 3);
/// They need not wait before they have been busy for as long as a proof takes for this work.
const BURST: u64 = 10_000_000;

/// The time that the searches beside the proofs have taken, in work of the proofs.
#[derive(Debug, Default)]
pub(super) struct Pace {
    busy: u64,
}

impl Pace {
    /// Whether the searches may take another turn, after the proofs have done this much work.
    pub(super) fn may_go_on(&self, proved: u64) -> bool {
        let (most, of) = BUSY;
        self.busy <= BURST + proved / of * most
    }

    /// Records a turn, by the work of the proofs before and after it.
    pub(super) fn record(&mut self, before: u64, after: u64) {
        self.busy += after.saturating_sub(before);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn turns_wait_for_the_proofs() {
        let mut pace = Pace::default();
        let mut proved = 0;
        let mut turns = 0;
        for _ in 0..3_000 {
            // Whether it is a turn or a pause, the proof goes on.
            let before = proved;
            proved += 1_000_000;
            if pace.may_go_on(before) {
                pace.record(before, proved);
                turns += 1;
            }
        }
        assert!((1_000..1_050).contains(&turns), "{turns}");
    }
}
