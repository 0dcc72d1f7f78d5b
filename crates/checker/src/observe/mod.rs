//! Running searches in slices, with an observer in between.

mod fault_recorder;
mod observer;
mod run;

pub(crate) use fault_recorder::{FaultRecorder, TERMINAL_FAULTS, without_violation};
pub use observer::{Event, NoObserver, Observer};
pub(crate) use run::{RunEnd, drive, drive_to_the_end};
