//! What `check` does with news: a trail is on disk, and a person who reads along hears of
//! it, as soon as it is found.

use std::ops::ControlFlow;
use std::sync::Mutex;

use beeline_checker::{News, Property, Stats, Violation, Watch};
use beeline_kernel::{Deadline, Stop};

use crate::trail::{self, Places};
use crate::watch;

/// Writes trails while the search goes on.
pub(super) struct AtOnce<'a> {
    pub(super) clock: watch::Watch,
    /// Where trails go, if anywhere.
    places: Option<&'a Places>,
    /// The properties that are violated, in the order found.
    violated: Vec<String>,
    /// All violations, for whoever has to finish this.
    known: &'a Known,
}

/// Violations with the names of the properties, the latest last.
pub(super) type Known = Mutex<Vec<(String, Violation)>>;

impl<'a> AtOnce<'a> {
    pub(super) fn new(
        clock: watch::Watch,
        places: Option<&'a Places>,
        known: &'a Known,
    ) -> AtOnce<'a> {
        AtOnce { clock, places, violated: Vec::new(), known }
    }

    fn write(&mut self, property: &Property, violation: &Violation) {
        self.clock.note(&property.name, format!("violated, {} steps", violation.steps));
        if let Ok(mut all) = self.known.lock() {
            all.push((property.name.clone(), violation.clone()));
        }
        let known = self.violated.iter().position(|name| *name == property.name);
        let at = known.unwrap_or_else(|| {
            self.violated.push(property.name.clone());
            self.violated.len() - 1
        });
        if let Some(places) = self.places {
            // Whatever is in the way will be named at the end, when it is written again.
            let _ = trail::write(&places.file(at + 1), &violation.trail);
        }
    }
}

impl Watch for AtOnce<'_> {
    fn look(&mut self, stats: &Stats) -> ControlFlow<Stop> {
        self.clock.look(stats)
    }

    fn slice(&mut self) -> u64 {
        self.clock.slice()
    }

    fn deadline(&self) -> Deadline {
        self.clock.deadline()
    }

    fn hear(&mut self, news: &News<'_>) {
        match *news {
            News::Violated { property, violation, by } => {
                self.write(property, violation);
                let length = super::length(violation);
                self.clock.say(&format!("{}: violated, {length}, found by {by}", property.name));
            }
            News::Better { property, violation, by } => {
                if let Some(property) = property {
                    self.write(property, violation);
                }
                let name = property.map_or("trail", |property| &property.name);
                self.clock.say(&format!("{name}: {} steps, by {by}", violation.steps));
            }
            News::Change(text) => self.clock.say(text),
        }
    }
}
