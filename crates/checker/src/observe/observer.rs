//! Whoever looks on while something runs: this is where clocks, Ctrl-C and progress bars
//! come in, and where news go.

use std::ops::ControlFlow;

use beeline_kernel::{Deadline, Stop};
use beeline_search::Stats;

use beeline_model::{Property, Violation};

/// Expansions between two looks: mostly a few milliseconds.
pub(crate) const SLICE: u64 = 256;

/// Looks on between slices.
pub trait Observer {
    /// How many expansions there should be until the next look, where nothing but how soon it can
    /// put an end to something depends on that.
    fn slice(&mut self) -> u64 {
        SLICE
    }

    /// Looks at what was done so far, and may put an end to it.
    fn poll(&mut self, stats: &Stats) -> ControlFlow<Stop>;

    /// When it will put an end to it, as far as that is known: for what cannot be looked at
    /// between slices.
    fn deadline(&self) -> Deadline {
        Deadline::NEVER
    }

    /// Hears what is new, at once.
    fn on_event(&mut self, _event: &Event<'_>) {}
}

/// What is new.
#[derive(Clone, Copy, Debug)]
pub enum Event<'a> {
    /// A property is violated.
    Violated {
        /// Which one.
        property: &'a Property,
        /// How.
        violation: &'a Violation,
        /// Who found it.
        by: &'a str,
    },
    /// There is a better trail to what was found.
    Shortened {
        /// What is violated, where that is known.
        property: Option<&'a Property>,
        /// The better trail.
        violation: &'a Violation,
        /// Who found it.
        by: &'a str,
    },
    /// It goes on in another way, for this reason.
    Notice(&'a str),
}

/// Nobody.
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
