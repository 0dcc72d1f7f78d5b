//! What a search through all states finds, confirmed and told at once: whatever becomes of the
//! search, nothing is lost that was known by then.

use beeline_model::{Property, System, Verdict, Violation};
use beeline_search::{Search, SearchTarget};

use crate::context::CheckContext;
use crate::observe::{Event, Observer};
use crate::report::CheckError;

/// What speaks against some properties.
pub(crate) struct ViolationCollector<'a, B> {
    system: &'a dyn System,
    /// Who looks for it.
    by: &'a str,
    /// Whether more than one violation of a property is wanted.
    all: bool,
    /// How few steps a trail can have, from how many moves there are on the way that was found.
    bound: B,
    properties: Vec<TrackedProperty<'a>>,
    /// So many hits were looked at.
    seen: usize,
    unconfirmed: Option<CheckError>,
}

/// A property, what violates it, and how that was seen to happen.
struct TrackedProperty<'a> {
    property: &'a Property,
    target: SearchTarget,
    violations: Vec<Violation>,
}

impl<'a, B: Fn(u64) -> u64> ViolationCollector<'a, B> {
    /// Nothing yet, against those properties that single states and steps violate.
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

    /// Looks at what was found since it looked last. Says whether there is nothing left to look
    /// for.
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

    /// The answer to each of these properties, in their order: `None` where nothing was found.
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
