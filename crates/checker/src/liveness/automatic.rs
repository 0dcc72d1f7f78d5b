//! The automatic strategy for properties that accepting cycles violate.
//!
//! The first phase, the search for the shortest lasso, decides small models with a proof or with a
//! shortest lasso. For other models, an exhaustive search explores all states, in turns with a
//! directed search for a lasso: the search for persistence where the claim has this form, or else
//! improved nested depth-first search (with fairness, the search by components). A violation is
//! reported at once and then shortened: in the two phases of [ELL01] §4.4, in turns with the search
//! for the shortest lasso.
//!
//! With more than two threads, a parallel nested search ([`cycle_threads`](super::cycle_threads))
//! interrupts the exhaustive one when that takes long. If it finds no cycle, the property holds.
//! Otherwise the exhaustive search goes on with one thread, so that the reported lasso does not
//! depend on the threads.
//!
//! Promises: *holds* only when every reachable state of the product, or of the system where that is
//! enough, was explored. All runs give the same verdicts and lassos, for any number of threads,
//! since turns are measured in expansions and work, not in time.

use std::ops::ControlFlow;

use beeline_kernel::{Space, Stop};
use beeline_search::{
    BestFirstConfig, CycleRule, CycleSearch, DirectedLasso, Lasso, LassoImprovement, Limits,
    Outcome, Progress, Search as _, SearchQuery, ShortestLasso, SliceBudget, Stats,
};

use beeline_model::{Persistence, Property, Verdict, Violation};

use super::cycle_threads::{self, in_threads, may_use_threads};
use super::cycles::{confirmed, lasso_witness, start, start_persistence};
use crate::observe::{Event, FaultRecorder, Observer, without_violation};
use crate::plan::{CycleAlgorithm, Plan, Store};
use crate::report::{CheckError, Improvement, SearchReport};
use crate::task::{Task, towards_states, usual_heuristic};
use crate::work::work;

/// Expansions between two polls of the observer.
const LOOK: u64 = 1024;
/// Expansions of the first phase, and its work, which is less for long states: some tenths of a
/// second.
const SPRINT: u64 = 200_000;
const SPRINT_WORK: u64 = 80_000_000;
/// Expansions in a turn of the exhaustive search, and of the directed one.
const PROOF_TURN: u64 = 65_536;
const HUNT_TURN: u64 = 8_192;
/// Expansions of each of the two searches for a shorter lasso: in all, and in a turn.
const SHORTENING: u64 = 3_000_000;
const SHORTENING_TURN: u64 = 16_384;

/// The name of the search for persistence.
const PERSISTENCE: &str = "persistence";

/// A violation with the search that found it.
struct FoundViolation {
    violation: Violation,
    /// `None` if the claim has ended.
    lasso: Option<Lasso>,
    by: String,
}

/// State shared by all searches for a property.
struct Run<'a, 'w> {
    task: &'a Task<'a>,
    /// `None` for the improvement of a given trail.
    property: Option<&'a Property>,
    plan: &'a Plan,
    observer: &'w mut dyn Observer,
    /// Counters of the searches that are over.
    past: Stats,
    peak_bytes: u64,
    /// The improvements so far.
    log: Vec<Improvement>,
    /// The length of a given trail: only shorter trails are reported.
    given: u64,
    /// Whether several threads may have taken part in the proof.
    used_threads: bool,
}

/// The end of a turn.
enum TurnEnd {
    Paused,
    Over(Outcome),
    /// The observer stopped the run.
    Stopped(Stop),
}

/// Checks a property that accepting cycles violate.
pub(crate) fn check_cycles(
    task: &Task<'_>,
    property: &Property,
    plan: &Plan,
    observer: &mut dyn Observer,
) -> Result<SearchReport, CheckError> {
    let recorder = FaultRecorder::new(task.space());
    let persistence = persistence(task, plan);
    let system = persistence.as_deref().map(|system| FaultRecorder::new(system.space()));
    let mut run = Run::new(task, Some(property), plan, observer);
    let alone = system.as_ref().zip(persistence.as_deref());
    let alone = alone.map(|(space, persistence)| SystemAlone { space, persistence });
    let (found, outcome) = run.find(&recorder, alone)?;
    let met = |kind| recorder.met(kind) || system.as_ref().is_some_and(|system| system.met(kind));
    let (verdict, by) = match found {
        Some(found) => (Verdict::Violated(vec![found.violation]), Some(found.by)),
        None => (without_violation(met, outcome), None),
    };
    let Run { past, peak_bytes, used_threads, .. } = run;
    let remarks = used_threads.then(|| cycle_threads::REMARK.to_owned()).into_iter().collect();
    Ok(SearchReport { stats: past, peak_bytes, by, remarks, ..SearchReport::of(verdict) })
}

/// The system without the states of its claim, where the claim waits for a condition to hold for
/// ever.
#[derive(Clone, Copy)]
struct SystemAlone<'a> {
    space: &'a dyn Space,
    persistence: &'a dyn Persistence,
}

/// The system alone, if its claim has this form. A limited depth is one of the product.
fn persistence<'a>(task: &Task<'a>, plan: &Plan) -> Option<Box<dyn Persistence + 'a>> {
    let claim = task.system.product_claim()?;
    plan.limits().depth.is_none().then(|| claim.persistence())?
}

/// The result of the improvement of a given lasso.
pub(super) struct Shortened {
    /// The steps of the given trail, or of its lasso if that is shorter.
    pub(super) given: u64,
    pub(super) violation: Violation,
    pub(super) log: Vec<Improvement>,
    pub(super) stats: Stats,
    pub(super) peak_bytes: u64,
}

/// Shortens a lasso until it is proved shortest or the observer stops the search. `told` is the
/// length of its trail, which may be shorter than the lasso: the claim may repeat some steps.
pub(super) fn shorten(
    task: &Task<'_>,
    lasso: Lasso,
    told: u64,
    plan: &Plan,
    observer: &mut dyn Observer,
) -> Result<Shortened, CheckError> {
    let mut run = Run::new(task, None, plan, observer);
    let violation = lasso_witness(task, &lasso, 0)?;
    let given = violation.length.steps.min(told);
    run.given = given;
    let shortest = ShortestLasso::new(task.space(), Some(lasso.clone()), run.query(2));
    let shortest = shortest.expect("the lasso begins with the initial state");
    let found = FoundViolation { violation, lasso: Some(lasso), by: String::new() };
    let found = run.shorten(found, shortest, task.space(), u64::MAX)?;
    let Run { past, peak_bytes, log, .. } = run;
    Ok(Shortened { given, violation: found.violation, log, stats: past, peak_bytes })
}

impl<'a, 'w> Run<'a, 'w> {
    fn new(
        task: &'a Task<'a>,
        property: Option<&'a Property>,
        plan: &'a Plan,
        observer: &'w mut dyn Observer,
    ) -> Self {
        let (past, log) = (Stats::default(), Vec::new());
        Run {
            task,
            property,
            plan,
            observer,
            past,
            peak_bytes: 0,
            log,
            given: u64::MAX,
            used_threads: false,
        }
    }

    fn query(&self, share: usize) -> SearchQuery<'a> {
        let bytes = self.plan.bytes.map(|bytes| bytes / share);
        let limits = Limits { bytes, ..self.plan.limits() };
        SearchQuery { limits, ..SearchQuery::new(self.task.target) }
    }

    /// Advances a search by this number of expansions.
    fn turn<S: CycleSearch + ?Sized>(&mut self, search: &mut S, more: u64) -> TurnEnd {
        for _ in 0..more.div_ceil(LOOK) {
            let progress = search.advance(SliceBudget::expansions(LOOK));
            self.peak_bytes = self.peak_bytes.max(search.bytes() as u64);
            if let Progress::Done(outcome) = progress {
                return TurnEnd::Over(outcome);
            }
            let mut stats = self.past;
            stats.add(&search.stats());
            if let ControlFlow::Break(stop) = self.observer.poll(&stats) {
                return TurnEnd::Stopped(stop);
            }
        }
        TurnEnd::Paused
    }

    /// The first phase.
    fn sprint(&mut self, search: &mut ShortestLasso<'_>) -> TurnEnd {
        loop {
            let ended = self.turn(search, LOOK);
            let stats = search.stats();
            let goes_on = stats.expanded < SPRINT && work(&stats) < SPRINT_WORK;
            if !goes_on || !matches!(ended, TurnEnd::Paused) {
                return ended;
            }
        }
    }

    /// The violation that a search has found, replayed and reported.
    fn take(
        &mut self,
        search: &dyn CycleSearch,
        by: &str,
    ) -> Result<Option<FoundViolation>, CheckError> {
        let found = confirmed(search, self.task, |path| path)?;
        Ok(found.map(|(violation, lasso)| self.announced(violation, lasso, by)))
    }

    /// The violation that a search of the system alone has found.
    fn take_persistence(
        &mut self,
        search: &dyn CycleSearch,
        persistence: &dyn Persistence,
    ) -> Result<Option<FoundViolation>, CheckError> {
        let Some(lasso) = search.lasso() else { return Ok(None) };
        let lasso = persistence.product_lasso(&lasso);
        let violation = lasso_witness(self.task, &lasso, 0)?;
        Ok(Some(self.announced(violation, Some(lasso), PERSISTENCE)))
    }

    /// Reports a violation.
    fn announced(
        &mut self,
        violation: Violation,
        lasso: Option<Lasso>,
        by: &str,
    ) -> FoundViolation {
        if let Some(property) = self.property {
            self.observer.on_event(&Event::Violated { property, violation: &violation, by });
        }
        FoundViolation { violation, lasso, by: by.to_owned() }
    }

    /// Searches for a violation and shortens it.
    fn find(
        &mut self,
        space: &dyn Space,
        alone: Option<SystemAlone<'_>>,
    ) -> Result<(Option<FoundViolation>, Outcome), CheckError> {
        let Ok(mut sprint) = ShortestLasso::new(space, None, self.query(2)) else {
            return Ok((None, Outcome::Incomplete(Stop::IncompleteMethod)));
        };
        let ended = self.sprint(&mut sprint);
        if let Some(found) = self.take(&sprint, "shortest lasso")? {
            let is_over = matches!(ended, TurnEnd::Over(_) | TurnEnd::Stopped(_));
            if is_over {
                self.past.add(&sprint.stats());
                return Ok((Some(found), Outcome::Found));
            }
            let found = self.shorten(found, sprint, space, SHORTENING)?;
            return Ok((Some(found), Outcome::Found));
        }
        self.past.add(&sprint.stats());
        drop(sprint);
        match ended {
            TurnEnd::Over(Outcome::Complete) => return Ok((None, Outcome::Complete)),
            TurnEnd::Stopped(stop) => return Ok((None, Outcome::Incomplete(stop))),
            _ => {}
        }
        let (found, outcome) = self.search(space, alone)?;
        let Some(found) = found else { return Ok((None, outcome)) };
        if !self.plan.auto.shorten || matches!(outcome, Outcome::Incomplete(_)) {
            return Ok((Some(found), outcome));
        }
        let known = found.lasso.clone();
        let shortest = ShortestLasso::new(space, known, self.query(2));
        let shortest = shortest.expect("it began before");
        Ok((Some(self.shorten(found, shortest, space, SHORTENING)?), outcome))
    }

    /// The length of the initial state, an estimate for all states.
    fn state_bytes(&self, space: &dyn Space) -> usize {
        let mut initial = Vec::new();
        space.initial(&mut initial).map_or(0, |()| initial.len())
    }

    /// Runs the exhaustive search and the directed one in turns.
    fn search(
        &mut self,
        space: &dyn Space,
        alone: Option<SystemAlone<'_>>,
    ) -> Result<(Option<FoundViolation>, Outcome), CheckError> {
        let algorithm = CycleAlgorithm::usual(self.plan.fairness);
        let name = match algorithm {
            _ if alone.is_some() => PERSISTENCE,
            CycleAlgorithm::Components => "scc",
            CycleAlgorithm::Nested | CycleAlgorithm::Improved | CycleAlgorithm::Parallel => "indfs",
        };
        let start = |store, query| match alone {
            Some(alone) => start_persistence(alone.space, store, query),
            None => start(space, algorithm, store, query),
        };
        let initial_fault = "it began before";
        let store = self.plan.store.chosen(self.state_bytes(space), false);
        let mut proof = start(store, self.query(2)).expect(initial_fault);
        let mut may_compact = self.plan.store == Store::Auto;
        let guide = usual_heuristic(self.task)?;
        let hunter = format!("directed lasso ({})", guide.name());
        let back = towards_states(self.task.system);
        let mut directed_search =
            DirectedLasso::new(space, guide, back, BestFirstConfig::GREEDY, self.query(4))
                .expect(initial_fault);
        let mut hunts = true;
        let mut waits_for_threads = may_use_threads(self.plan);
        let mut ended = None;
        while ended.is_none() {
            if waits_for_threads && work(&self.past) + work(&proof.stats()) >= self.plan.auto.large
            {
                waits_for_threads = false;
                match self.search_in_threads(space, alone) {
                    TurnEnd::Over(Outcome::Complete) => {
                        ended = Some((None, Outcome::Complete));
                        break;
                    }
                    TurnEnd::Stopped(stop) => {
                        ended = Some((None, Outcome::Incomplete(stop)));
                        break;
                    }
                    // There is a cycle, or a limit ended the search: one thread goes on.
                    TurnEnd::Over(_) | TurnEnd::Paused => {}
                }
            }
            ended = match self.turn(&mut *proof, PROOF_TURN) {
                TurnEnd::Paused => None,
                TurnEnd::Over(Outcome::Incomplete(Stop::Memory)) if may_compact => {
                    may_compact = false;
                    let stats = proof.stats();
                    self.past.add(&stats);
                    let news = format!(
                        "memory: after {} states, {name} starts again with the compact store",
                        stats.stored
                    );
                    self.observer.on_event(&Event::Notice(&news));
                    drop(proof);
                    proof = start(Store::Compact, self.query(2)).expect(initial_fault);
                    None
                }
                TurnEnd::Over(outcome) => {
                    let found = match alone {
                        Some(alone) => self.take_persistence(&*proof, alone.persistence)?,
                        None => self.take(&*proof, name)?,
                    };
                    Some((found, outcome))
                }
                TurnEnd::Stopped(stop) => Some((None, Outcome::Incomplete(stop))),
            };
            if ended.is_some() || !hunts {
                continue;
            }
            match self.turn(&mut directed_search, HUNT_TURN) {
                TurnEnd::Paused => {}
                TurnEnd::Over(Outcome::Found) => {
                    ended = Some((self.take(&directed_search, &hunter)?, Outcome::Found));
                }
                // Out of memory, or complete: the exhaustive search gives the verdict.
                TurnEnd::Over(_) => hunts = false,
                TurnEnd::Stopped(stop) => ended = Some((None, Outcome::Incomplete(stop))),
            }
        }
        self.past.add(&proof.stats());
        self.past.add(&directed_search.stats());
        Ok(ended.expect("the loop ends with it"))
    }

    /// Searches for a cycle with all threads, to the end.
    fn search_in_threads(&mut self, space: &dyn Space, alone: Option<SystemAlone<'_>>) -> TurnEnd {
        let (space, rule) = match alone {
            Some(alone) => (alone.space, CycleRule::Persistent),
            None => (space, CycleRule::Components),
        };
        self.used_threads = true;
        let (query, plan) = (self.query(4), self.plan);
        in_threads(space, rule, query, plan, |search| {
            let ended = loop {
                match self.turn(search, PROOF_TURN) {
                    TurnEnd::Paused => {}
                    ended => break ended,
                }
            };
            self.past.add(&search.stats());
            ended
        })
    }

    /// Searches for shorter lassos, with up to `most` expansions each: from the known lasso, and
    /// for the shortest one.
    fn shorten(
        &mut self,
        mut found: FoundViolation,
        mut shortest: ShortestLasso<'_>,
        space: &dyn Space,
        most: u64,
    ) -> Result<FoundViolation, CheckError> {
        if !self.plan.auto.shorten {
            self.past.add(&shortest.stats());
            return Ok(found);
        }
        let around = found.lasso.clone().and_then(|lasso| {
            let back = towards_states(self.task.system);
            LassoImprovement::new(space, lasso, back, self.query(4)).ok().flatten()
        });
        let (mut around, mut left) = (around, most);
        while left > 0 && !found.violation.is_shortest() {
            left = left.saturating_sub(SHORTENING_TURN);
            let mut is_over = false;
            if let Some(search) = &mut around {
                let turn = self.turn(search, SHORTENING_TURN);
                let lasso = search.lasso();
                self.improve(&mut found, lasso, "two phases")?;
                match turn {
                    TurnEnd::Paused => {}
                    TurnEnd::Over(_) => {
                        self.past.add(&search.stats());
                        around = None;
                    }
                    TurnEnd::Stopped(_) => is_over = true,
                }
            }
            if !is_over {
                let turn = self.turn(&mut shortest, SHORTENING_TURN);
                is_over = !matches!(turn, TurnEnd::Paused);
                self.improve(&mut found, shortest.lasso(), "shortest lasso")?;
                self.take_hit(&mut found, &shortest)?;
                let bound = u64::from(shortest.lower_bound().0);
                found.violation.length.raise(bound);
            }
            if is_over {
                break;
            }
        }
        self.past.add(&shortest.stats());
        if let Some(search) = &around {
            self.past.add(&search.stats());
        }
        Ok(found)
    }

    /// Replaces the violation by that of a shorter lasso.
    fn improve(
        &mut self,
        found: &mut FoundViolation,
        lasso: Option<Lasso>,
        by: &str,
    ) -> Result<(), CheckError> {
        // The replay counts the steps of the lasso.
        let Some(lasso) = lasso.filter(|lasso| found.lasso.as_ref() != Some(lasso)) else {
            return Ok(());
        };
        let violation = lasso_witness(self.task, &lasso, found.violation.length.lower_bound)?;
        if violation.length.steps < found.violation.length.steps {
            self.report(&violation, by);
            (found.violation, found.lasso) = (violation, Some(lasso));
        }
        Ok(())
    }

    /// Replaces the violation by a path to the end of the claim, if it is shorter.
    fn take_hit(
        &mut self,
        found: &mut FoundViolation,
        search: &dyn CycleSearch,
    ) -> Result<(), CheckError> {
        let Some(hit) = search.hits().first().copied() else { return Ok(()) };
        let cost = hit.cost.map_or(u64::MAX, |cost| u64::from(cost.0));
        if cost < found.violation.length.steps {
            let known = found.violation.length.lower_bound;
            let path = search.path(0);
            let violation = self.task.witness(&path, hit.kind, |_| known)?;
            self.report(&violation, "shortest lasso");
            (found.violation, found.lasso) = (violation, None);
        }
        Ok(())
    }

    fn report(&mut self, violation: &Violation, by: &str) {
        if violation.length.steps >= self.given {
            return;
        }
        self.observer.on_event(&Event::Shortened { property: self.property, violation, by });
        let (steps, stats) = (violation.length.steps, self.past);
        self.log.push(Improvement { by: by.to_owned(), steps, stats });
    }
}
