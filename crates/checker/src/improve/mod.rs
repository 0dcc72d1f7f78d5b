//! Trail improvement: a shorter trail to the same error, or to one like it.
//!
//! Source: [ELL01] §4.3; [EMJ05], Trail Improvement. First, steps that are not needed are
//! left out (`eliminate.rs`, or `filter.rs` where that is asked for). Then several searches take turns, each of which hears what
//! the others found: A\* towards the very state at the end, by the Hamming distance
//! (full-state), A\* towards states with the same locations, by the FSM distance
//! (partial-state), A\* and greedy search towards any such error, a look around the trail,
//! and divide and conquer. In the end A\* with an admissible heuristic proves what is
//! shortest. None of them looks at anything that is as far away as the trail is long.
//!
//! What is a like error: another deadlock; the same fault at the same statement; the same
//! invariant broken elsewhere; the same claim.

mod core;
mod eliminate;
mod filter;
mod given_trail;
mod group_by_process;
mod methods;
mod readable;
mod steps;

use std::fmt;

use beeline_engine::claim::Product;
use beeline_engine::interpreter::Machine;
use beeline_engine::trail::{TrailError, TrailFile};
use beeline_heuristics::{HeuristicGoal, Resources};
use beeline_kernel::spec::Spec;
use beeline_kernel::{Cost, FaultKind, Space};
use beeline_promela::hir::Model;
use beeline_search::{
    AfterHit, BestFirst, ExactStore, FindingKind, GoalHeuristics, KnownPath, Neighbourhood,
    Outcome, PathImprover, Portfolio, Search, SearchQuery, SearchTarget, SegmentSearch, Stats,
};

use crate::check::CheckError;
use crate::claims::{improve_lasso, with_claim_of};
use crate::directed::Task;
use crate::observer::{Event, Observer};
use crate::run::{Plan, drive};
use crate::semantics::SemanticsOptions;
use crate::witness::Violation;

pub use core::causal_core;
pub(crate) use filter::filter_verdict;
use given_trail::GivenTrail;
pub(crate) use group_by_process::grouped_by_process;
pub use methods::ImproveMethod;
use methods::PlannedSearch;

/// What is wanted, and what may be used up for it.
#[derive(Clone, Copy, Debug)]
pub struct ImproveOptions<'a> {
    /// How states are computed, and the memory for them.
    pub plan: &'a Plan,
    /// Of trails with equally many steps, one with few context switches is preferred.
    pub few_switches: bool,
    /// By which means; all of them where none is named.
    pub by: &'a [ImproveMethod],
}

/// A step on the way to the best trail.
#[derive(Clone, Debug)]
pub struct Improvement {
    /// Who made it.
    pub by: String,
    /// The steps that were left.
    pub steps: u64,
    /// What had been done by then, without what elimination tried.
    pub stats: Stats,
}

/// What came of an attempt to improve a trail.
#[derive(Clone, Debug)]
pub struct Improved {
    /// How many steps the trail had that was given.
    pub given: u64,
    /// The best trail, and what is known about shorter ones. It may be the one given.
    pub violation: Violation,
    /// Who found better ones, and how many steps they had, in order.
    pub log: Vec<Improvement>,
    /// Why it ended.
    pub outcome: Outcome,
    /// What was done for it.
    pub stats: Stats,
    /// The most memory that was held.
    pub peak_bytes: u64,
}

/// Why a trail cannot be improved.
#[derive(Clone, Debug)]
pub enum ImproveError {
    /// It is not a trail of this model.
    Trail(TrailError),
    /// It leads to no error.
    NoError,
    /// Its cycle does not close, or it is one of an other kind.
    Cycle,
    /// Something that was found could not be confirmed: a bug of ours.
    Check(CheckError),
}

impl fmt::Display for ImproveError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ImproveError::Trail(error) => error.fmt(f),
            ImproveError::NoError => f.write_str("it leads to no error"),
            ImproveError::Cycle => f.write_str("its cycle does not come back to where it began"),
            ImproveError::Check(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for ImproveError {}

/// Looks for shorter trails than the one given, and tells of each at once, until one is
/// proved to be shortest or the watch has had enough.
///
/// # Errors
///
/// When there is nothing to improve.
pub fn improve(
    model: &Model,
    trail: &TrailFile,
    wish: &ImproveOptions<'_>,
    observer: &mut dyn Observer,
) -> Result<Improved, ImproveError> {
    // A trail tells by itself how the automata were built.
    let plan = Plan { plain: !trail.merged, ..wish.plan.clone() };
    if trail.cycle_start.is_some() {
        return improve_lasso(model, trail, &plan, observer);
    }
    let machine = machine_of(model, trail, plan.semantics);
    let given = given_trail::follow(&machine, trail, SearchTarget::ANYTHING)
        .map_err(ImproveError::Trail)?;
    let given = given.ok_or(ImproveError::NoError)?;
    let (system, _) = plan.engine.space(&machine);
    let product = Product::new(&machine, &*system);
    let space: &dyn Space = product.as_ref().map_or(&*system, |product| product);
    let goal = Some(goal(given.found, &machine));
    let task = Task { machine: &machine, space, target: like(given.found), goal, all: false };
    let confirm = |route: &KnownPath, bound: Cost| {
        task.witness(&route.states, route.kind, &plan, |_| u64::from(bound.0))
            .map_err(ImproveError::Check)
    };
    let route = KnownPath::new(&mut *space.expander(), given.states.clone(), given.found);
    let mut route = route.ok_or(ImproveError::NoError)?;
    let mut log = Vec::new();
    let steps = given.steps as u64;
    let filtered =
        wish.by.contains(&ImproveMethod::Filter).then(|| filter::filter(&machine, trail, &given));
    let filtered = filtered.flatten();
    let (trail, given) = filtered.as_ref().map_or((trail, &given), |(trail, given)| (trail, given));
    if filtered.is_some() {
        let shorter = KnownPath::new(&mut *space.expander(), given.states.clone(), given.found);
        route = shorter.ok_or(ImproveError::NoError)?;
        let violation = &confirm(&route, Cost::ZERO)?;
        log.push(improvement("filter", violation, Stats::default()));
        observer.on_event(&Event::Shortened { property: None, violation, by: "filter" });
    }
    let eliminates = wish.by.is_empty() || wish.by.contains(&ImproveMethod::Elimination);
    let shorter = if eliminates { without_needless(&task, trail, given, &route) } else { None };
    if let Some(shorter) = shorter {
        let violation = &confirm(&shorter, Cost::ZERO)?;
        log.push(improvement("elimination", violation, Stats::default()));
        observer.on_event(&Event::Shortened { property: None, violation, by: "elimination" });
        route = shorter;
    }
    let resources = plan.resources(observer);
    let search = shortening(&task, route, &plan, wish.by, resources);
    let mut search = search.map_err(ImproveError::Check)?;
    let mut failed = None;
    let mut best = search.best_path().cost();
    let ending = drive(&mut search, observer, |search, observer| {
        if search.best_path().cost() < best {
            best = search.best_path().cost();
            let by = search.finder().unwrap_or_default();
            match confirm(search.best_path(), Cost::ZERO) {
                Ok(violation) => {
                    log.push(improvement(by, &violation, search.stats()));
                    observer.on_event(&Event::Shortened {
                        property: None,
                        violation: &violation,
                        by,
                    });
                }
                Err(error) => failed = Some(error),
            }
        }
        failed.is_some()
    });
    if let Some(error) = failed {
        return Err(error);
    }
    let mut violation = confirm(search.best_path(), search.lower_bound())?;
    if let Some(trail) = grouped_by_process(&machine, &violation.trail, task.target) {
        violation.trail = trail;
        observer.on_event(&Event::Shortened {
            property: None,
            violation: &violation,
            by: "untangling",
        });
    }
    if wish.few_switches && machine.claim().is_none() {
        let readable = readable::with_few_switches(&task, &violation, &plan, observer);
        if let Some(better) = readable.map_err(ImproveError::Check)? {
            let by = "fewer context switches";
            log.push(improvement(by, &better, search.stats()));
            observer.on_event(&Event::Shortened { property: None, violation: &better, by });
            violation = better;
        }
    }
    Ok(Improved {
        given: steps,
        violation,
        log,
        outcome: ending.outcome,
        stats: search.stats(),
        peak_bytes: ending.peak_bytes,
    })
}

fn improvement(by: &str, violation: &Violation, stats: Stats) -> Improvement {
    Improvement { by: by.to_owned(), steps: violation.steps, stats }
}

/// A shorter way than this one, by leaving out steps of its trail that are not needed.
pub(crate) fn trimmed(task: &Task<'_>, trail: &TrailFile, route: &KnownPath) -> Option<KnownPath> {
    let can_be = can_be_trimmed(trail);
    let given = can_be.then(|| given_trail::follow(task.machine, trail, task.target).ok())???;
    without_needless(task, trail, &given, route)
}

/// Those of a claim are not tried, nor those of a trail so long that there is no patience
/// for executing it a few times.
fn can_be_trimmed(trail: &TrailFile) -> bool {
    trail.claim.is_none() && trail.lines.len() <= eliminate::STEP_LIMIT / 4
}

/// The same for a trail that has been followed already.
fn without_needless(
    task: &Task<'_>,
    trail: &TrailFile,
    given: &GivenTrail,
    route: &KnownPath,
) -> Option<KnownPath> {
    if !can_be_trimmed(trail) {
        return None;
    }
    let (states, found) = eliminate::eliminate(task.machine, task.target, given)?;
    let shorter = KnownPath::new(&mut *task.space.expander(), states, found)?;
    (shorter.cost() < route.cost()).then_some(shorter)
}

/// The machine that a trail was made with, watching over all invariants of the model.
fn machine_of<'m>(model: &'m Model, trail: &TrailFile, semantics: SemanticsOptions) -> Machine<'m> {
    let plan = Plan { plain: !trail.merged, ..Plan::default() };
    with_claim_of(trail, semantics.machine(model, plan.automata()))
}

/// What counts as the same error.
fn like(found: FindingKind) -> SearchTarget {
    match found {
        FindingKind::Deadlock => SearchTarget::DEADLOCK,
        FindingKind::Invariant(number) => SearchTarget::invariant(number),
        // A claim comes to its end by any of its edges.
        FindingKind::Fault(fault) if fault.kind == FaultKind::Claim => {
            SearchTarget { site: None, ..SearchTarget::fault(fault) }
        }
        FindingKind::Fault(fault) => SearchTarget::fault(fault),
    }
}

fn goal(found: FindingKind, machine: &Machine<'_>) -> HeuristicGoal {
    let invariant = |number: u32| machine.invariants()[number as usize].clone();
    match found {
        _ if machine.claim().is_some() => HeuristicGoal::Claim,
        FindingKind::Deadlock => HeuristicGoal::Deadlock,
        FindingKind::Invariant(number) => HeuristicGoal::Invariant(invariant(number)),
        FindingKind::Fault(_) => HeuristicGoal::Assertions,
    }
}

/// What leads to a state that is known: the Hamming distance.
pub(crate) fn compass<'a>(machine: &'a Machine<'a>) -> GoalHeuristics<'a> {
    Box::new(move |state| {
        let goal = HeuristicGoal::State(state.to_vec());
        beeline_heuristics::build(&Spec::named("hamming"), machine, &goal)
            .unwrap_or_else(|_| Box::new(beeline_kernel::Blind))
    })
}

/// Searches for a shorter way than this one, about to begin: by these means, or by all if
/// none is named.
pub(crate) fn shortening<'a>(
    task: &Task<'a>,
    route: KnownPath,
    plan: &Plan,
    by: &[ImproveMethod],
    resources: Resources<'_>,
) -> Result<Portfolio<'a>, CheckError> {
    let &Task { machine, space, target, .. } = task;
    let limits = plan.limits();
    let bytes = limits.bytes.unwrap_or(usize::MAX);
    let query = SearchQuery {
        after_hit: AfterHit::Shorten,
        bound: Some(Cost(route.cost().0.saturating_sub(1))),
        limits,
        ..SearchQuery::new(target)
    };
    let is_wanted = |means| by.is_empty() || by.contains(&means);
    let mut members: Vec<(String, Box<dyn PathImprover + 'a>)> = Vec::new();
    if is_wanted(ImproveMethod::Neighbourhood) {
        let around = Neighbourhood::<ExactStore>::new(space, route.clone(), query);
        members.push((ImproveMethod::Neighbourhood.to_string(), Box::new(around)));
    }
    let end = route.states.last().expect("a path has its end");
    for PlannedSearch { name, method, heuristic } in
        methods::planned_searches(by, task, end, resources)?
    {
        let search = BestFirst::<ExactStore>::with_store(space, heuristic, method, query);
        members.extend(search.map(|search| (name, Box::new(search) as Box<_>)));
    }
    if is_wanted(ImproveMethod::Segments) {
        let segments = SegmentSearch::new(space, compass(machine), route.clone(), bytes);
        members.push((ImproveMethod::Segments.to_string(), Box::new(segments)));
    }
    Ok(Portfolio::new(space, members, route, bytes))
}
