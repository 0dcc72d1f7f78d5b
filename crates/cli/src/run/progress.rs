//! Observing a search: time limit, interrupts, and a line of progress.

use std::io::Write;
use std::ops::ControlFlow;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use beeline_checker::{Observer, Stats};
use beeline_kernel::{Deadline, Stop};
use beeline_model::Property;

use crate::args::exploring::Exploring;
use crate::args::report::ProgressChoice;
use crate::base::numbers::{self, count, rate, size};
use crate::run::interrupt::{INTERRUPTED, catch_interrupts, is_interrupted};
use crate::run::report_limits::ReportLimits;
use crate::run::status_line::{HINT, StatusLine};
use crate::run::watchdog::is_short_of_memory;

/// The time between two lines of progress.
const INTERVAL: Duration = Duration::from_millis(500);

/// The target time between two polls.
const GLANCE: Duration = Duration::from_millis(5);
/// The most expansions between two polls.
const LONGEST_SLICE: u64 = 1024;

/// An observer that stops a search at its time limit or an interrupt, and shows progress.
pub(crate) struct ProgressObserver {
    start: Instant,
    limit: Option<Duration>,
    status: StatusLine,
    last: Duration,
    /// The start of the current slice, and its expansions.
    slice: (Duration, u64),
    /// For each decided property its result.
    known: Vec<(String, String)>,
    /// The names of the properties that are checked.
    properties: Vec<String>,
    /// The current phase of the search.
    phase: String,
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
        let status = StatusLine::new(shown, quiet);
        catch_interrupts();
        let start = Instant::now();
        let (last, slice) = (Duration::ZERO, (Duration::ZERO, 1));
        ProgressObserver {
            start,
            limit,
            status,
            last,
            slice,
            known: Vec::new(),
            properties: Vec::new(),
            phase: String::new(),
            latest: LatestStats::default(),
        }
    }

    /// A handle to the statistics of the last poll.
    pub(crate) fn latest(&self) -> LatestStats {
        self.latest.clone()
    }

    /// The time so far.
    pub(crate) fn elapsed(&self) -> Duration {
        self.start.elapsed()
    }

    /// Seconds so far.
    pub(crate) fn seconds(&self) -> f64 {
        self.elapsed().as_secs_f64()
    }

    /// What the search leaves of its limits for the report on it.
    pub(crate) fn left_for_report(&self) -> ReportLimits {
        ReportLimits::new(self.left())
    }

    fn left(&self) -> Option<Duration> {
        self.limit.map(|limit| limit.saturating_sub(self.start.elapsed()))
    }

    fn show(&self, stats: &Stats, elapsed: Duration) {
        self.status.show(&self.line(stats, elapsed));
    }

    /// The phase, the counters, the results so far, and the open properties.
    fn line(&self, stats: &Stats, elapsed: Duration) -> String {
        let phase = if self.phase.is_empty() { "" } else { &format!("{}: ", self.phase) };
        let estimate = stats.h_min.map(|h| format!(", best estimate {h}")).unwrap_or_default();
        let (stored, depth) = (count(stats.stored), count(stats.depth));
        let rate = rate(stats.stored, elapsed.as_secs_f64());
        let (time, memory) = (numbers::elapsed(elapsed.as_secs_f64()), size(stats.store_bytes));
        let known: Vec<String> =
            self.known.iter().map(|(name, what)| format!("; {name}: {what}")).collect();
        let is_known = |name: &String| self.known.iter().any(|(known, _)| known == name);
        let open: Vec<&str> =
            self.properties.iter().filter(|name| !is_known(name)).map(String::as_str).collect();
        let open =
            if open.is_empty() { String::new() } else { format!("; open: {}", open.join(", ")) };
        format!(
            "{phase}{stored} states, {rate}/s, depth {depth}, {memory}, \
             {time}{estimate}{}{open}; {HINT}",
            known.concat()
        )
    }

    /// Sets the properties that are checked, for the list of the open ones.
    pub(crate) fn set_properties(&mut self, properties: &[Property]) {
        self.properties = properties.iter().map(|property| property.name.clone()).collect();
    }

    /// Records the result of a property, for later lines.
    pub(crate) fn note(&mut self, property: &str, what: String) {
        match self.known.iter_mut().find(|(name, _)| name == property) {
            Some((_, known)) => *known = what,
            None => self.known.push((property.to_owned(), what)),
        }
    }

    /// Records the phase of the search, for later lines.
    pub(crate) fn begin(&mut self, phase: &str) {
        self.phase = phase.to_owned();
    }

    /// Prints a line at once, if progress is shown.
    pub(crate) fn say(&mut self, text: &str) {
        if self.status.shows {
            self.finish();
            self.last = self.start.elapsed();
            let _ = writeln!(std::io::stderr(), "{text}");
        }
    }

    /// Clears the line of progress.
    pub(crate) fn finish(&self) {
        if !self.last.is_zero() {
            self.status.clear();
        }
    }
}

impl Observer for ProgressObserver {
    /// Adapts to the time of expansions: from less than a microsecond to a second each.
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
        if self.status.shows && elapsed >= self.last + INTERVAL {
            self.last = elapsed;
            self.show(stats, elapsed);
        }
        if is_interrupted() {
            return ControlFlow::Break(Stop::Interrupted);
        }
        match self.limit {
            _ if is_short_of_memory() => ControlFlow::Break(Stop::Memory),
            Some(limit) if elapsed >= limit => ControlFlow::Break(Stop::Time),
            _ => ControlFlow::Continue(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use beeline_model::PropertyKind;

    #[test]
    fn a_line_has_the_phase_the_counters_and_the_open_properties() {
        let mut observer = ProgressObserver::within(None, ProgressChoice::Never, true);
        let kinds = [PropertyKind::Deadlock, PropertyKind::Assertions, PropertyKind::Progress];
        observer.set_properties(&kinds.map(Property::of_kind));
        observer.begin("breadth-first search");
        observer.note("deadlock", "violated, 8 steps".to_owned());
        let stats =
            Stats { stored: 1_500_000, depth: 12, store_bytes: 40 << 20, ..Stats::default() };
        assert_eq!(
            observer.line(&stats, Duration::from_secs(2)),
            "breadth-first search: 1,500,000 states, 750,000/s, depth 12, 40 MiB, 2.0 s; \
             deadlock: violated, 8 steps; open: assertions, progress; Ctrl-C stops and reports"
        );
    }
}
