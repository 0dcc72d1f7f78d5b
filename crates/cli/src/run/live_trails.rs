//! Trails while a search runs: each is written to its file and announced on the terminal.

use std::ops::ControlFlow;
use std::sync::Mutex;
use std::time::{Duration, Instant};

use beeline_checker::{Event, Observer, Stats};
use beeline_kernel::{Deadline, Stop};
use beeline_model::{Property, Violation};

use crate::model::trail;
use crate::model::trail_paths::{TrailPaths, TrailPlace};
use crate::render::check::length;
use crate::run::progress::ProgressObserver;

/// Shorter trails are written during at most one part in this many of the time: a long trail may
/// become shorter hundreds of times. All are written at the end.
const WRITING_SHARE: u32 = 20;

/// Writes trails while the search runs.
pub(crate) struct LiveTrails<'a> {
    pub(crate) clock: ProgressObserver,
    /// The files of the trails, if any are written.
    places: Option<&'a TrailPaths>,
    /// The properties that are violated, in the order found.
    violated: Vec<String>,
    /// When a shorter trail may be written again.
    next_write: Instant,
    /// The latest violation of each property, for the watchdog.
    known: &'a FoundViolations,
    /// Whether the search stops some time after a violation, and when the latest one was found or
    /// its trail became shorter.
    stops_after_violation: bool,
    latest: Option<Duration>,
}

/// The least time that a search goes on after a violation without finding anything new.
const LEAST_PATIENCE: Duration = Duration::from_secs(10);

/// Whether a search that found something at the moment `latest` has gone on long enough since: as
/// long as it took so far, and at least [`LEAST_PATIENCE`]. Returns the seconds since.
fn is_long_after(latest: Duration, now: Duration) -> Option<u32> {
    let since = now.saturating_sub(latest);
    (since >= latest.max(LEAST_PATIENCE)).then_some(since.as_secs() as u32)
}

/// Violations with the names of the properties: the latest of each.
pub(crate) type FoundViolations = Mutex<Vec<(String, Violation)>>;

impl<'a> LiveTrails<'a> {
    pub(crate) fn new(
        clock: ProgressObserver,
        places: Option<&'a TrailPaths>,
        known: &'a FoundViolations,
        stops_after_violation: bool,
    ) -> LiveTrails<'a> {
        let (violated, next_write, latest) = (Vec::new(), Instant::now(), None);
        LiveTrails { clock, places, violated, next_write, known, stops_after_violation, latest }
    }

    fn write(&mut self, property: &Property, violation: &Violation) {
        self.clock.note(&property.name, format!("violated, {} steps", violation.length.steps));
        if let Ok(mut all) = self.known.lock() {
            match all.iter_mut().find(|(name, _)| *name == property.name) {
                Some((_, latest)) => *latest = violation.clone(),
                None => all.push((property.name.clone(), violation.clone())),
            }
        }
        let known = self.violated.iter().position(|name| *name == property.name);
        let at = known.unwrap_or_else(|| {
            self.violated.push(property.name.clone());
            self.violated.len() - 1
        });
        if let Some(places) = self.places
            && (known.is_none() || Instant::now() >= self.next_write)
        {
            let start = Instant::now();
            let place = TrailPlace { property: &property.name, number: 1, is_first: at == 0 };
            let (file, copy) = places.of_trail(place);
            // A failure is reported at the end, when the trail is written again.
            for file in std::iter::once(file).chain(copy) {
                let _ = trail::write(&file, &violation.trail);
            }
            self.next_write = start + WRITING_SHARE * start.elapsed();
        }
    }
}

impl Observer for LiveTrails<'_> {
    fn poll(&mut self, stats: &Stats) -> ControlFlow<Stop> {
        self.clock.poll(stats)?;
        let latest = self.latest.filter(|_| self.stops_after_violation);
        let waited = latest.and_then(|latest| is_long_after(latest, self.clock.elapsed()));
        waited.map_or(ControlFlow::Continue(()), |seconds| {
            ControlFlow::Break(Stop::AfterViolation(seconds))
        })
    }

    fn slice(&mut self) -> u64 {
        self.clock.slice()
    }

    fn deadline(&self) -> Deadline {
        self.clock.deadline()
    }

    fn on_event(&mut self, event: &Event<'_>) {
        if matches!(event, Event::Violated { .. } | Event::Shortened { .. }) {
            self.latest = Some(self.clock.elapsed());
        }
        match *event {
            Event::Violated { property, violation, by } => {
                self.write(property, violation);
                let length = length(violation);
                let verdict = match property.kind {
                    kind if kind.asks_for_witness() => "holds",
                    _ => "violated",
                };
                self.clock.say(&format!("{}: {verdict}, {length}, found by {by}", property.name));
            }
            Event::Shortened { property, violation, by } => {
                if let Some(property) = property {
                    self.write(property, violation);
                }
                let name = property.map_or("trail", |property| &property.name);
                self.clock.say(&format!("{name}: {} steps, by {by}", violation.length.steps));
            }
            Event::Holds { property } => self.clock.note(&property.name, "holds".to_owned()),
            Event::Phase(phase) => self.clock.begin(phase),
            Event::Notice(text) => self.clock.say(text),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_search_goes_on_after_a_violation_as_long_as_it_took_so_far() {
        let check = |latest, now, expected| {
            let [latest, now] = [latest, now].map(Duration::from_secs);
            assert_eq!(is_long_after(latest, now), expected);
        };
        check(0, 9, None);
        check(0, 10, Some(10));
        check(3, 12, None);
        check(3, 13, Some(10));
        check(60, 119, None);
        check(60, 120, Some(60));
    }
}
