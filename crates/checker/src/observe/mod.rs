//! Runs searches in slices, and polls an observer between them.

mod announce;
mod fault_recorder;
mod observer;
mod run;

pub(crate) use announce::announce_proof;
pub(crate) use fault_recorder::{FaultRecorder, TERMINAL_FAULTS, without_violation};
pub use observer::{Event, NoObserver, Observer};
pub(crate) use run::{RunEnd, drive, drive_to_the_end};
