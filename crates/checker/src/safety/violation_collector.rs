//! The violations that a search of all states finds. Each is replayed and reported at once, so that
//! an interrupted search loses none.

use beeline_model::{Property, System, Verdict, Violation};
use beeline_search::{Search, SearchTarget};

use crate::context::CheckContext;
use crate::observe::{Event, Observer};
use crate::report::CheckError;

/// Collects the violations of some properties.
pub(crate) struct ViolationCollector<'a, B> {
    system: &'a dyn System,
    /// The name of the search.
    by: &'a str,
    /// Whether to collect more than one violation of a property.
    all: bool,
    /// From the moves of a path: a lower bound on the steps of any trail.
    bound: B,
    properties: Vec<TrackedProperty<'a>>,
    /// Number of hits that were processed.
    seen: usize,
    unconfirmed: Option<CheckError>,
}

/// A property with its target and the violations found.
struct TrackedProperty<'a> {
    property: &'a Property,
    target: SearchTarget,
    violations: Vec<Violation>,
}

impl<'a, B: Fn(u64) -> u64> ViolationCollector<'a, B> {
    /// A collector for the properties that single states and steps violate.
    pub(crate) fn new(context: &CheckContext<'a>, bound: B) -> ViolationCollector<'a, B> {
        let &CheckContext { properties, system, plan, all } = context;
        let tracked = |property| {
            let target = system.target(property)?;
            Some(TrackedProperty { property, target, violations: Vec::new() })
        };
        ViolationCollector {
            system,
            by: &plan.search.name,
            all,
            bound,
            properties: properties.iter().filter_map(tracked).collect(),
            seen: 0,
            unconfirmed: None,
        }
    }

    /// Processes the hits since the last call. Returns whether the search may end.
    pub(crate) fn collect(
        &mut self,
        search: &(impl Search + ?Sized),
        observer: &mut dyn Observer,
    ) -> bool {
        let hits = search.hits();
        for (at, hit) in hits.iter().enumerate().skip(self.seen) {
            let concerned = self.properties.iter_mut().filter(|tracked| {
                tracked.target.includes(hit.kind) && (self.all || tracked.violations.is_empty())
            });
            for tracked in concerned {
                let path = search.path(at);
                match self.system.witness(&path, hit.kind, &self.bound) {
                    Ok(violation) => {
                        tracked.violations.push(violation);
                        if let [violation] = &tracked.violations[..] {
                            let (property, by) = (tracked.property, self.by);
                            observer.on_event(&Event::Violated { property, violation, by });
                        }
                    }
                    Err(error) => {
                        self.unconfirmed = Some(error.into());
                        return true;
                    }
                }
            }
        }
        self.seen = hits.len();
        let is_known = |tracked: &TrackedProperty<'_>| !tracked.violations.is_empty();
        self.properties.is_empty() || !self.all && self.properties.iter().all(is_known)
    }

    /// The verdicts on these properties, in their order: `None` without a violation.
    pub(crate) fn verdicts(self) -> Result<impl Iterator<Item = Option<Verdict>>, CheckError> {
        let verdict = |TrackedProperty { violations, .. }: TrackedProperty<'_>| {
            (!violations.is_empty()).then_some(Verdict::Violated(violations))
        };
        match self.unconfirmed {
            Some(error) => Err(error),
            None => Ok(self.properties.into_iter().map(verdict)),
        }
    }
}
