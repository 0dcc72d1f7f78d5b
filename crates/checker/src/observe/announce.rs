//! Announcement of proofs.

use beeline_model::Verdict;

use super::observer::{Event, Observer};
use crate::report::PropertyReport;

/// Tells the observer that a property holds, if it does.
pub(crate) fn announce_proof(report: &PropertyReport, observer: &mut dyn Observer) {
    if matches!(report.verdict, Verdict::Holds) {
        observer.on_event(&Event::Holds { property: &report.property });
    }
}
