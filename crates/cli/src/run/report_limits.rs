//! The time that is left for a report when the search is over.

use std::time::Duration;

use beeline_kernel::Deadline;

use crate::run::interrupt::{INTERRUPTED, is_interrupted};

/// A report has this time, even if the search used up its limit or was interrupted.
const LEAST: Duration = Duration::from_millis(250);

/// The time that is left for a report.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ReportLimits {
    /// No limit where there is none.
    pub(crate) time: Option<Duration>,
    /// Whether an interrupt ends the telling of trails. One that ended the search does not.
    can_be_interrupted: bool,
}

impl ReportLimits {
    /// The least time, whatever happens.
    pub(crate) const LEAST: ReportLimits =
        ReportLimits { time: Some(LEAST), can_be_interrupted: false };

    /// What a search left of its limit.
    pub(crate) fn new(left: Option<Duration>) -> ReportLimits {
        if is_interrupted() {
            return ReportLimits::LEAST;
        }
        ReportLimits { time: left.map(|left| left.max(LEAST)), can_be_interrupted: true }
    }

    /// Until when trails are told, from now on.
    pub(crate) fn deadline(self) -> Deadline {
        let deadline = self.time.map_or(Deadline::NEVER, Deadline::after);
        if self.can_be_interrupted { deadline.or_raised(&INTERRUPTED) } else { deadline }
    }
}
