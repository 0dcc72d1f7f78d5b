//! Options of a parallel exploration.

use std::sync::atomic::AtomicBool;

use crate::finding::StopCondition;
use crate::limits::Limits;

/// Options of a parallel exploration.
#[derive(Clone, Copy, Debug)]
pub struct ParallelOptions<'a> {
    /// The number of threads, the calling one included; at least one.
    pub threads: usize,
    /// The condition that ends the exploration when a level is complete.
    pub until: StopCondition,
    /// Limits on depth, states and memory.
    pub limits: Limits,
    /// Set to stop the exploration from another thread.
    pub stop: Option<&'a AtomicBool>,
}
