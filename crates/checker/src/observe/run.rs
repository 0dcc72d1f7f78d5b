//! Running an exploration in slices, with someone watching in between.

use std::ops::ControlFlow;

use beeline_search::{Outcome, Progress, SliceBudget};

use super::observer::{Observer, SLICE};

/// How a run ended.
pub(crate) struct RunEnd {
    pub(crate) outcome: Outcome,
    pub(crate) peak_bytes: u64,
}

/// Goes on until the search is over, `settled` says that there is nothing left to find
/// out, or the watch has had enough. It is asked at the same moments in every run.
pub(crate) fn drive<S: beeline_search::Search + ?Sized>(
    search: &mut S,
    observer: &mut dyn Observer,
    settled: impl FnMut(&S, &mut dyn Observer) -> bool,
) -> RunEnd {
    drive_in_slices(search, observer, |_| SLICE, settled)
}

/// Goes on until the search is over, or the watch has had enough, which it can say at any moment.
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
