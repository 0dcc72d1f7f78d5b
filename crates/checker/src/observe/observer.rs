//! The observer of a run: the caller implements it with clock, interrupts and progress bar, and
//! receives events.

use std::ops::ControlFlow;

use beeline_kernel::{Deadline, Stop};
use beeline_search::Stats;

use beeline_model::{Property, Violation};

/// Expansions between two polls: mostly a few milliseconds.
pub(crate) const SLICE: u64 = 256;

/// Observes a run between slices.
pub trait Observer {
    /// Expansions until the next poll, for searches whose result does not depend on this number.
    fn slice(&mut self) -> u64 {
        SLICE
    }

    /// Receives the counters so far, and may stop the run.
    fn poll(&mut self, stats: &Stats) -> ControlFlow<Stop>;

    /// The time at which it will stop the run, if known: for work that is not divided into slices.
    fn deadline(&self) -> Deadline {
        Deadline::NEVER
    }

    /// Receives an event as soon as it occurs.
    fn on_event(&mut self, _event: &Event<'_>) {}
}

/// An event of a run.
#[derive(Clone, Copy, Debug)]
pub enum Event<'a> {
    /// A property is violated.
    Violated {
        /// The property.
        property: &'a Property,
        /// The violation.
        violation: &'a Violation,
        /// The search that found it.
        by: &'a str,
    },
    /// A property holds.
    Holds {
        /// The property.
        property: &'a Property,
    },
    /// There is a better trail to a known violation.
    Shortened {
        /// The violated property; `None` for the improvement of a given trail.
        property: Option<&'a Property>,
        /// The better trail.
        violation: &'a Violation,
        /// The method that found it.
        by: &'a str,
    },
    /// The strategy begins a phase, which may be a single search.
    Phase(&'a str),
    /// A note on the course of the search, such as a change of the store.
    Notice(&'a str),
}

/// An observer that ignores events and never stops a run.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoObserver;

impl Observer for NoObserver {
    fn poll(&mut self, _: &Stats) -> ControlFlow<Stop> {
        ControlFlow::Continue(())
    }
}

impl<F: FnMut(&Stats) -> ControlFlow<Stop>> Observer for F {
    fn poll(&mut self, stats: &Stats) -> ControlFlow<Stop> {
        self(stats)
    }
}
