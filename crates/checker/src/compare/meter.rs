//! The limits of a comparison: time and interrupts by the observer, and memory.

use std::ops::ControlFlow;

use beeline_kernel::Stop;
use beeline_search::Stats;

use crate::observe::{Event, Observer};

/// Counts work and memory.
pub(super) struct Meter<'o> {
    observer: &'o mut dyn Observer,
    /// Units of work until the observer is polled.
    left: u64,
    /// The memory limit in bytes.
    limit: usize,
    /// Memory of finished parts.
    held: usize,
    peak: usize,
    /// The counters for the observer.
    pub(super) stats: Stats,
}

impl<'o> Meter<'o> {
    /// No work yet.
    pub(super) fn new(observer: &'o mut dyn Observer, limit: Option<usize>) -> Meter<'o> {
        let limit = limit.unwrap_or(usize::MAX);
        Meter { observer, left: 0, limit, held: 0, peak: 0, stats: Stats::default() }
    }

    /// Tells the observer that a phase begins.
    pub(super) fn begin(&mut self, phase: &str) {
        self.observer.on_event(&Event::Phase(phase));
    }

    /// Counts a unit of work of a part that has this memory.
    ///
    /// # Errors
    ///
    /// When a limit is reached.
    pub(super) fn work(&mut self, bytes: usize) -> Result<(), Stop> {
        let used = self.held.saturating_add(bytes);
        self.peak = self.peak.max(used);
        if used > self.limit {
            return Err(Stop::Memory);
        }
        if self.left > 0 {
            self.left -= 1;
            return Ok(());
        }
        self.left = self.observer.slice();
        self.stats.store_bytes = used as u64;
        match self.observer.poll(&self.stats) {
            ControlFlow::Continue(()) => Ok(()),
            ControlFlow::Break(stop) => Err(stop),
        }
    }

    /// Counts the memory of a finished part.
    pub(super) fn keep(&mut self, bytes: usize) {
        self.held += bytes;
        self.peak = self.peak.max(self.held);
    }

    /// Memory that is left, in bytes.
    pub(super) fn free(&self) -> usize {
        self.limit.saturating_sub(self.held)
    }

    /// Peak memory in bytes.
    pub(super) fn peak(&self) -> usize {
        self.peak
    }
}
