//! Trails as soon as they are found: each is written to its file and announced on the terminal.

use std::ops::ControlFlow;
use std::sync::Mutex;
use std::time::Instant;

use beeline_checker::{Event, Observer, Stats};
use beeline_kernel::{Deadline, Stop};
use beeline_model::{Property, Violation};

use crate::model::trail;
use crate::model::trail_paths::TrailPaths;
use crate::render::check::length;
use crate::run::progress::ProgressObserver;

/// Shorter trails are written during at most one part in this many of the time: a long trail may
/// become shorter hundreds of times. All are written at the end.
const WRITING_SHARE: u32 = 20;

/// Writes trails while the search goes on.
pub(crate) struct LiveTrails<'a> {
    pub(crate) clock: ProgressObserver,
    /// The files of the trails, unless none are written.
    places: Option<&'a TrailPaths>,
    /// The properties that are violated, in the order found.
    violated: Vec<String>,
    /// When a shorter trail may be written again.
    next_write: Instant,
    /// The latest violation of each property, for the watchdog.
    known: &'a FoundViolations,
}

/// Violations with the names of the properties: the latest of each.
pub(crate) type FoundViolations = Mutex<Vec<(String, Violation)>>;

impl<'a> LiveTrails<'a> {
    pub(crate) fn new(
        clock: ProgressObserver,
        places: Option<&'a TrailPaths>,
        known: &'a FoundViolations,
    ) -> LiveTrails<'a> {
        LiveTrails { clock, places, violated: Vec::new(), next_write: Instant::now(), known }
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
            // A failure is reported at the end, when the trail is written again.
            let _ = trail::write(&places.file(at + 1), &violation.trail);
            self.next_write = start + WRITING_SHARE * start.elapsed();
        }
    }
}

impl Observer for LiveTrails<'_> {
    fn poll(&mut self, stats: &Stats) -> ControlFlow<Stop> {
        self.clock.poll(stats)
    }

    fn slice(&mut self) -> u64 {
        self.clock.slice()
    }

    fn deadline(&self) -> Deadline {
        self.clock.deadline()
    }

    fn on_event(&mut self, event: &Event<'_>) {
        match *event {
            Event::Violated { property, violation, by } => {
                self.write(property, violation);
                let length = length(violation);
                self.clock.say(&format!("{}: violated, {length}, found by {by}", property.name));
            }
            Event::Shortened { property, violation, by } => {
                if let Some(property) = property {
                    self.write(property, violation);
                }
                let name = property.map_or("trail", |property| &property.name);
                self.clock.say(&format!("{name}: {} steps, by {by}", violation.length.steps));
            }
            Event::Notice(text) => self.clock.say(text),
        }
    }
}
