//! Runs a search in slices, and polls the observer between them.

use std::ops::ControlFlow;

use beeline_search::{Outcome, Progress, SliceBudget};

use super::observer::{Observer, SLICE};

/// The end of a run.
pub(crate) struct RunEnd {
    pub(crate) outcome: Outcome,
    pub(crate) peak_bytes: u64,
}

/// Runs a search until it is over, `settled` returns true, or the observer stops it. The length of
/// slices is constant, so both are called at the same points in every run.
pub(crate) fn drive<S: beeline_search::Search + ?Sized>(
    search: &mut S,
    observer: &mut dyn Observer,
    settled: impl FnMut(&S, &mut dyn Observer) -> bool,
) -> RunEnd {
    drive_in_slices(search, observer, |_| SLICE, settled)
}

/// Runs a search until it is over or the observer, which chooses the length of slices, stops it.
pub(crate) fn drive_to_the_end<S: beeline_search::Search + ?Sized>(
    search: &mut S,
    observer: &mut dyn Observer,
) -> RunEnd {
    drive_in_slices(search, observer, |observer| observer.slice(), |_, _| false)
}

fn drive_in_slices<S: beeline_search::Search + ?Sized>(
    search: &mut S,
    observer: &mut dyn Observer,
    slice: impl Fn(&mut dyn Observer) -> u64,
    mut settled: impl FnMut(&S, &mut dyn Observer) -> bool,
) -> RunEnd {
    let mut peak_bytes = 0;
    let outcome = loop {
        let progress = search.advance(SliceBudget::expansions(slice(observer)));
        peak_bytes = peak_bytes.max(search.bytes() as u64);
        let is_settled = settled(search, observer);
        if let Progress::Done(outcome) = progress {
            break outcome;
        }
        if is_settled {
            break Outcome::Found;
        }
        if let ControlFlow::Break(stop) = observer.poll(&search.stats()) {
            break Outcome::Incomplete(stop);
        }
    };
    RunEnd { outcome, peak_bytes }
}
