//! The run of a property: open, proved, or violated with a trail that may still become shorter.

use beeline_kernel::{Cost, Resources, StatePath};
use beeline_model::{Property, Violation};
use beeline_search::{FindingKind, KnownPath, Portfolio, Search, Stats};

use crate::observe::{Event, Observer};
use crate::plan::Plan;
use crate::report::CheckError;
use crate::shorten::{shortening, without_needless};
use crate::task::Task;
use crate::work::{advance, work};

/// A property with the state of its check.
pub(super) struct PropertyRun<'a> {
    /// Its number among the requested properties.
    pub(super) number: usize,
    pub(super) property: &'a Property,
    pub(super) task: Task<'a>,
    pub(super) found: Option<FoundViolation<'a>>,
    /// Whether it is proved, while others may still be open.
    pub(super) holds: bool,
}

/// A violation with the search for a shorter trail.
pub(super) struct FoundViolation<'a> {
    pub(super) violation: Violation,
    /// The search that found it.
    pub(super) by: String,
    /// Its path, while breadth-first search may still find a shorter one.
    waiting: Option<(StatePath, FindingKind)>,
    shortening: Option<Portfolio<'a>>,
    /// Counters of the search for a shorter trail.
    pub(super) stats: Stats,
    /// Work left for this search.
    left: u64,
}

impl FoundViolation<'_> {
    /// Whether the search for a shorter trail continues.
    pub(super) fn is_shortening(&self) -> bool {
        self.shortening.is_some()
    }

    pub(super) fn bytes(&self) -> usize {
        self.shortening.as_ref().map_or(0, Search::bytes)
    }

    /// Ends the search for a shorter trail, and keeps its lower bound.
    pub(super) fn stop_shortening(&mut self) {
        if let Some(search) = self.shortening.take() {
            self.stats = search.stats();
            self.raise(u64::from(search.lower_bound().0));
        }
    }

    /// Reorders the steps of its trail for fewer context switches.
    pub(super) fn group_by_process(&mut self, task: &Task<'_>) {
        let editor = task.system.editor();
        let untangled = editor.and_then(|one| one.untangle(&self.violation.trail, task.target));
        if let Some(trail) = untangled {
            self.violation.trail = trail;
        }
    }

    /// Raises the lower bound on the steps of any trail.
    pub(super) fn raise(&mut self, bound: u64) {
        self.violation.length.raise(bound);
    }
}

/// The path to a violation, as a search found it.
pub(super) struct FoundPath<'s> {
    pub(super) path: StatePath,
    pub(super) kind: FindingKind,
    pub(super) by: &'s str,
    pub(super) bound: LengthBound,
}

/// A lower bound on the length of any trail to a violation.
#[derive(Clone, Copy)]
pub(super) enum LengthBound {
    /// No path has fewer moves.
    FewestMoves,
    /// No trail has fewer steps.
    Steps(u64),
}

impl LengthBound {
    /// The bound in steps, for a path with this number of moves.
    fn least(self, moves: u64) -> u64 {
        match self {
            LengthBound::FewestMoves => moves,
            LengthBound::Steps(steps) => steps,
        }
    }
}

/// Whether and when to shorten a trail.
#[derive(Clone, Copy)]
pub(super) enum ShorteningPolicy {
    No,
    /// After the first phase, since breadth-first search may still find a shorter one.
    Later,
    Now(ShorteningBudget),
}

/// Work and memory for a shorter trail.
#[derive(Clone, Copy)]
pub(super) struct ShorteningBudget {
    pub(super) work: u64,
    pub(super) bytes: usize,
}

impl<'a> PropertyRun<'a> {
    /// An open property.
    pub(super) fn new(number: usize, property: &'a Property, task: Task<'a>) -> PropertyRun<'a> {
        PropertyRun { number, property, task, found: None, holds: false }
    }

    /// Whether it is neither violated nor proved.
    pub(super) fn is_open(&self) -> bool {
        self.found.is_none() && !self.holds
    }

    /// Whether breadth-first search may still find a shorter path to its violation.
    pub(super) fn is_waiting(&self) -> bool {
        self.found.as_ref().is_some_and(|found| found.waiting.is_some())
    }

    /// Records a violation, reports it if it is the first or a shorter one, and starts the search
    /// for a shorter trail if the policy says so.
    pub(super) fn violate(
        &mut self,
        found_path: FoundPath<'_>,
        shortening: ShorteningPolicy,
        plan: &Plan,
        observer: &mut dyn Observer,
    ) -> Result<(), CheckError> {
        let FoundPath { path, kind, by, bound } = found_path;
        let violation = self.task.witness(&path, kind, |moves| bound.least(moves))?;
        let property = self.property;
        let waiting = Some((path, kind)).filter(|_| !violation.is_shortest());
        match &mut self.found {
            None => {
                observer.on_event(&Event::Violated { property, violation: &violation, by });
                self.found = Some(FoundViolation {
                    violation,
                    by: by.to_owned(),
                    waiting,
                    shortening: None,
                    stats: Stats::default(),
                    left: 0,
                });
            }
            Some(found) if violation.length.steps < found.violation.length.steps => {
                let property = Some(property);
                observer.on_event(&Event::Shortened { property, violation: &violation, by });
                (found.violation, found.waiting) = (violation, waiting);
            }
            Some(found) => found.raise(violation.length.lower_bound),
        }
        match shortening {
            ShorteningPolicy::No => self.stop_waiting(None, plan, observer),
            ShorteningPolicy::Later => Ok(()),
            ShorteningPolicy::Now(budget) => self.stop_waiting(Some(budget), plan, observer),
        }
    }

    /// Stops waiting for breadth-first search, and starts the search for a shorter trail if there
    /// is a budget.
    pub(super) fn stop_waiting(
        &mut self,
        budget: Option<ShorteningBudget>,
        plan: &Plan,
        observer: &mut dyn Observer,
    ) -> Result<(), CheckError> {
        let Some(mut found) = self.found.take() else { return Ok(()) };
        let waiting = found.waiting.take().filter(|_| !found.violation.is_shortest());
        if let (Some((path, kind)), Some(ShorteningBudget { work, bytes })) = (waiting, budget) {
            let route = KnownPath::new(&mut *self.task.space().expander(), path, kind);
            let mut route = route.expect("the path was confirmed");
            if let Some(shorter) = without_needless(&self.task, &found.violation.trail, &route) {
                route = shorter;
                self.improve(&mut found, &route, "elimination", observer)?;
            }
            let plan = Plan { bytes: Some(bytes), ..plan.clone() };
            found.shortening =
                Some(shortening(&self.task, route, &plan, &[], Resources::default())?);
            found.left = work;
        }
        self.found = Some(found);
        Ok(())
    }

    fn improve(
        &self,
        found: &mut FoundViolation<'_>,
        route: &KnownPath,
        by: &str,
        observer: &mut dyn Observer,
    ) -> Result<(), CheckError> {
        let known = found.violation.length.lower_bound;
        let better = self.task.witness(&route.states, route.kind, |_| known)?;
        observer.on_event(&Event::Shortened {
            property: Some(self.property),
            violation: &better,
            by,
        });
        found.violation = better;
        Ok(())
    }

    /// Advances the search for a shorter trail, and ends it when the trail is proved shortest or
    /// the budget is used up.
    pub(super) fn shorten(
        &mut self,
        more: u64,
        observer: &mut dyn Observer,
    ) -> Result<(), CheckError> {
        let Some(mut found) = self.found.take() else { return Ok(()) };
        if let Some(mut search) = found.shortening.take() {
            let (before, known) = (search.best_path().cost(), work(&search.stats()));
            let outcome = advance(&mut search, more.min(found.left), |_| false);
            found.left = found.left.saturating_sub(work(&search.stats()) - known);
            found.stats = search.stats();
            if search.best_path().cost() < before {
                let by = search.finder().unwrap_or_default().to_owned();
                self.improve(&mut found, search.best_path(), &by, observer)?;
            }
            let is_proved =
                Cost(found.violation.length.lower_bound as u32) >= search.best_path().cost();
            found.shortening = Some(search);
            if outcome.is_some() || found.left == 0 || is_proved {
                found.stop_shortening();
            }
        }
        self.found = Some(found);
        Ok(())
    }
}
