//! Observing a search: time limit, interrupts, and a line of progress.

use std::io::{IsTerminal, Write};
use std::ops::ControlFlow;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use beeline_checker::{Observer, Stats};
use beeline_kernel::{Deadline, Stop};

use crate::args::exploring::Exploring;
use crate::args::report::ProgressChoice;
use crate::run::interrupt::{INTERRUPTED, catch_interrupts, is_interrupted};
use crate::run::report_limits::ReportLimits;

/// Between two lines of progress.
const INTERVAL: Duration = Duration::from_millis(500);

/// The target time between two polls.
const GLANCE: Duration = Duration::from_millis(5);
/// The most expansions between two polls.
const LONGEST_SLICE: u64 = 1024;

/// An observer that stops a search at its time limit or an interrupt, and shows progress.
pub(crate) struct ProgressObserver {
    start: Instant,
    limit: Option<Duration>,
    shows: bool,
    in_place: bool,
    last: Duration,
    /// When the present slice began, and how many expansions it has.
    slice: (Duration, u64),
    /// What is known of each property that is not open any more.
    known: Vec<(String, String)>,
    latest: LatestStats,
}

/// The statistics of the last poll, for the watchdog.
#[derive(Clone, Debug, Default)]
pub(crate) struct LatestStats(Arc<Mutex<Stats>>);

impl LatestStats {
    /// The statistics.
    pub(crate) fn stats(&self) -> Stats {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn note(&self, stats: &Stats) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = *stats;
    }
}

impl ProgressObserver {
    /// Starts the clock. From now on, Ctrl-C ends the search and not the process.
    pub(crate) fn start(options: &Exploring, quiet: bool) -> ProgressObserver {
        ProgressObserver::within(options.time, options.progress, quiet)
    }

    /// The same, for searches with other options.
    pub(crate) fn within(
        limit: Option<Duration>,
        shown: ProgressChoice,
        quiet: bool,
    ) -> ProgressObserver {
        let in_place = std::io::stderr().is_terminal();
        let shows = match shown {
            ProgressChoice::Auto => in_place && !quiet,
            ProgressChoice::Always => true,
            ProgressChoice::Never => false,
        };
        catch_interrupts();
        let start = Instant::now();
        let (last, slice) = (Duration::ZERO, (Duration::ZERO, 1));
        let (known, latest) = (Vec::new(), LatestStats::default());
        ProgressObserver { start, limit, shows, in_place, last, slice, known, latest }
    }

    /// A handle to the statistics of the last poll.
    pub(crate) fn latest(&self) -> LatestStats {
        self.latest.clone()
    }

    /// Seconds so far.
    pub(crate) fn seconds(&self) -> f64 {
        self.start.elapsed().as_secs_f64()
    }

    /// What the search leaves of its limits for the report on it.
    pub(crate) fn left_for_report(&self) -> ReportLimits {
        ReportLimits::new(self.left())
    }

    fn left(&self) -> Option<Duration> {
        self.limit.map(|limit| limit.saturating_sub(self.start.elapsed()))
    }

    fn show(&self, stats: &Stats, elapsed: Duration) {
        let rate = stats.stored as f64 / elapsed.as_secs_f64();
        let (stored, depth) = (stats.stored, stats.depth);
        let estimate = stats.h_min.map(|h| format!(", best estimate {h}")).unwrap_or_default();
        let memory = stats.store_bytes >> 20;
        let known: Vec<String> =
            self.known.iter().map(|(name, what)| format!("; {name}: {what}")).collect();
        let line = format!(
            "{stored} states, {rate:.0} per second, depth {depth}, {memory} MB{estimate}{}",
            known.concat()
        );
        // A closed standard error is no reason to stop.
        let _ = if self.in_place {
            write!(std::io::stderr(), "\r\x1b[K{line}")
        } else {
            writeln!(std::io::stderr(), "{line}")
        };
    }

    /// Remembers what is known of a property, for the lines to come.
    pub(crate) fn note(&mut self, property: &str, what: String) {
        match self.known.iter_mut().find(|(name, _)| name == property) {
            Some((_, known)) => *known = what,
            None => self.known.push((property.to_owned(), what)),
        }
    }

    /// Prints a line at once, if progress is shown.
    pub(crate) fn say(&mut self, text: &str) {
        if self.shows {
            self.finish();
            self.last = self.start.elapsed();
            let _ = writeln!(std::io::stderr(), "{text}");
        }
    }

    /// Clears the line of progress.
    pub(crate) fn finish(&self) {
        if self.in_place && !self.last.is_zero() {
            let _ = write!(std::io::stderr(), "\r\x1b[K");
        }
    }
}

impl Observer for ProgressObserver {
    /// Adapts to the time that expansions take: from less than a microsecond to a second each.
    fn slice(&mut self) -> u64 {
        let now = self.start.elapsed();
        let (begun, slice) = self.slice;
        let next = match now - begun {
            short if short < GLANCE => (2 * slice).min(LONGEST_SLICE),
            long if long > 2 * GLANCE => (slice / 2).max(1),
            _ => slice,
        };
        self.slice = (now, next);
        next
    }

    fn deadline(&self) -> Deadline {
        self.left().map_or(Deadline::NEVER, Deadline::after).or_raised(&INTERRUPTED)
    }

    fn poll(&mut self, stats: &Stats) -> ControlFlow<Stop> {
        let elapsed = self.start.elapsed();
        self.latest.note(stats);
        if self.shows && elapsed >= self.last + INTERVAL {
            self.last = elapsed;
            self.show(stats, elapsed);
        }
        if is_interrupted() {
            return ControlFlow::Break(Stop::Interrupted);
        }
        match self.limit {
            Some(limit) if elapsed >= limit => ControlFlow::Break(Stop::Time),
            _ => ControlFlow::Continue(()),
        }
    }
}
