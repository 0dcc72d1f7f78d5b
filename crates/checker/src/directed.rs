//! Directed search for one property: which heuristic, which algorithm, and what came of it.

use std::cell::RefCell;

use beeline_engine::interpreter::{CostModel, Machine, WeightedSpace};
use beeline_heuristics::{
    BoxedHeuristic, BuildError, GoalKind, HeuristicGoal, Resources, build_with,
};
use beeline_kernel::spec::Spec;
use beeline_kernel::{Claims, Cost, Estimate, Fault, Heuristic, Space};
use beeline_search::{
    AfterHit, Beam, BestFirst, DepthFirst, ExactTable, FindingKind, FrontierSearch, HillClimbing,
    IdaStar, Outcome, Reduction, Refusal, Search, SearchQuery, SearchTarget, StateStore, Stats,
};

use crate::check::{CheckError, Verdict, without_violation_after};
use crate::claims::end_witness;
use crate::fault_recorder::FaultRecorder;
use crate::improve::filter_verdict;
use crate::lossy::{self, reason};
use crate::nearest::NearestMiss;
use crate::observer::{Event, Observer};
use crate::property::Property;
use crate::reduction::{ActiveReduction, reducing, refused};
use crate::run::{Plan, drive_to_completion};
use crate::searches::{DirectedAlgorithm, DirectedConfig};
use crate::witness::{Violation, confirm, moves_along, witness};

/// What is to be found where.
pub(crate) struct Task<'a> {
    pub(crate) machine: &'a Machine<'a>,
    /// Its states, or those of its product with a claim.
    pub(crate) space: &'a dyn Space,
    pub(crate) target: SearchTarget,
    /// What heuristics are told; `None` where none knows what to do.
    pub(crate) goal: Option<HeuristicGoal>,
    /// Whether to go on behind the first violation.
    pub(crate) all: bool,
}

/// A heuristic that counts steps, on states of a space that counts something else. Unless
/// steps have a price there, what it says is good for direction only.
#[derive(Clone)]
pub(crate) struct CostAdapter<'a> {
    pub(crate) heuristic: BoxedHeuristic<'a>,
    pub(crate) priced: &'a WeightedSpace<'a>,
    pub(crate) per_step: u32,
}

impl Heuristic for CostAdapter<'_> {
    fn name(&self) -> &str {
        self.heuristic.name()
    }

    fn claims(&self) -> Claims {
        let claims = self.heuristic.claims();
        // Nothing is less than zero.
        let keeps = self.per_step > 0 || self.heuristic.name() == "blind";
        let Claims { admissible, consistent, .. } = claims;
        Claims { admissible: keeps && admissible, consistent: keeps && consistent, ..claims }
    }

    fn estimate(&mut self, state: &[u8]) -> Estimate {
        match self.heuristic.estimate(self.priced.system(state)) {
            Estimate::Finite(h) => Estimate::Finite(Cost(h.0.saturating_mul(self.per_step.max(1)))),
            Estimate::DeadEnd => Estimate::DeadEnd,
        }
    }
}

/// Why there is nothing to search.
pub(crate) const INITIAL_FAULT: &str = "the model fails before its first step";

/// What came of a property.
pub(crate) struct SearchReport {
    pub(crate) verdict: Verdict,
    pub(crate) stats: Stats,
    pub(crate) peak_bytes: u64,
    /// The heuristic that was used.
    pub(crate) heuristic: Option<String>,
    /// How near it came, where it found nothing.
    pub(crate) nearest: Option<NearestMiss>,
    /// The search that found a violation, where several were at work.
    pub(crate) by: Option<String>,
    /// What else there is to say.
    pub(crate) remarks: Vec<String>,
}

impl SearchReport {
    /// An answer, and nothing else.
    pub(crate) fn of(verdict: Verdict) -> SearchReport {
        let (stats, remarks) = (Stats::default(), Vec::new());
        SearchReport {
            verdict,
            stats,
            peak_bytes: 0,
            heuristic: None,
            nearest: None,
            by: None,
            remarks,
        }
    }

    pub(crate) fn unknown(why: &str) -> SearchReport {
        SearchReport::of(Verdict::Unknown(why.to_owned()))
    }

    pub(crate) fn initial_fault() -> SearchReport {
        SearchReport::unknown(INITIAL_FAULT)
    }

    /// Tells of a violation at once: others may not be settled yet.
    pub(crate) fn tell(&self, property: &Property, plan: &Plan, observer: &mut dyn Observer) {
        if let Verdict::Violated(violations) = &self.verdict
            && let Some(violation) = violations.first()
        {
            observer.on_event(&Event::Violated { property, violation, by: &plan.search.name });
        }
    }
}

impl Task<'_> {
    /// The violation at the end of a path, confirmed.
    pub(crate) fn witness(
        &self,
        path: &[Vec<u8>],
        found: FindingKind,
        plan: &Plan,
        bound: impl Fn(u64) -> u64,
    ) -> Result<Violation, CheckError> {
        let merged = plan.automata().allowed_by(self.machine.model()).merge;
        match self.goal {
            Some(HeuristicGoal::Claim) => end_witness(self.machine, path, found, merged, bound),
            _ => witness(self.machine, path, found, merged, bound),
        }
    }
}

/// The heuristic that is used for a kind of error when nobody asks for another. Which one
/// is best is told by `docs/book/quality.md`.
pub fn default_heuristic(goal: GoalKind) -> &'static str {
    match goal {
        GoalKind::Deadlock => "deadlock-formula",
        GoalKind::Assertions | GoalKind::Invariant => "formula",
        GoalKind::Claim => "claim-distance",
        GoalKind::State => "hamming",
    }
}

/// A heuristic that never says more than the truth, for proving that a trail is shortest.
pub(crate) fn admissible_heuristic<'a>(task: &Task<'a>) -> BoxedHeuristic<'a> {
    let text = match task.goal.as_ref().map(HeuristicGoal::kind) {
        Some(GoalKind::Deadlock) => "dangerous-states(half)",
        Some(GoalKind::Assertions) => "assertion-distance",
        Some(GoalKind::Claim) => "claim-distance",
        _ => "blind",
    };
    let spec = Spec::parse(text).expect("it is written as a spec is");
    let built = task.goal.as_ref().map(|goal| beeline_heuristics::build(&spec, task.machine, goal));
    match built {
        Some(Ok(built)) if built.claims().admissible => built,
        _ => Box::new(beeline_kernel::Blind),
    }
}

/// Builds the heuristic that was asked for, or the usual one where that is not made for
/// this goal or this model. Without a goal, nobody knows where to go. Where it is the model, or
/// where the heuristic has something to say about itself, someone should hear of it: `remarks`
/// says so.
pub(crate) fn heuristic<'a>(
    asked: Option<&Spec>,
    task: &Task<'a>,
    resources: Resources<'_>,
    remarks: &mut Vec<String>,
) -> Result<BoxedHeuristic<'a>, CheckError> {
    let told = RefCell::new(Vec::new());
    let tell = |remark: String| told.borrow_mut().push(remark);
    let resources = Resources { tell: &tell, ..resources };
    let build = |spec: &Spec, goal| build_with(spec, task.machine, goal, resources);
    let failed = |error: BuildError| CheckError::Heuristic(error.to_string());
    let Some(goal) = &task.goal else {
        return Ok(Box::new(beeline_kernel::Blind));
    };
    let usual = Spec::named(default_heuristic(goal.kind()));
    let built = match build(asked.unwrap_or(&usual), goal) {
        Err(BuildError::Goal { .. }) => build(&usual, goal).map_err(failed),
        Err(BuildError::NoView { name, cause }) => {
            let usual_name = &usual.name;
            remarks.push(format!(
                "heuristic `{name}` is not for this model ({cause}): `{usual_name}` takes its place"
            ));
            build(&usual, goal).map_err(failed)
        }
        built => built.map_err(failed),
    };
    remarks.append(&mut told.take());
    built
}

/// The usual heuristic for a task.
pub(crate) fn default_heuristic_for<'a>(task: &Task<'a>) -> Result<BoxedHeuristic<'a>, CheckError> {
    heuristic(None, task, Resources::default(), &mut Vec::new())
}

/// Searches for the target of a task.
pub(crate) fn directed_search<T: StateStore>(
    task: &Task<'_>,
    directed: &DirectedConfig,
    plan: &Plan,
    observer: &mut dyn Observer,
) -> Result<SearchReport, CheckError> {
    let priced = directed.price.map(|price| WeightedSpace::new(task.machine, price));
    if priced.is_some() && matches!(task.goal, Some(HeuristicGoal::Claim)) {
        return Ok(SearchReport::unknown(
            "with a claim, a trail costs its steps: leave out `cost`",
        ));
    }
    let recorder =
        FaultRecorder::new(priced.as_ref().map_or(task.space, |priced| priced as &dyn Space));
    let mut remarks = Vec::new();
    let resources = plan.resources(observer);
    let mut build = |spec: Option<&Spec>| -> Result<BoxedHeuristic<'_>, CheckError> {
        let heuristic = heuristic(spec, task, resources, &mut remarks)?;
        Ok(match &priced {
            Some(priced) => {
                let per_step = directed.price.map_or(0, CostModel::per_step);
                Box::new(CostAdapter { heuristic, priced, per_step })
            }
            None => heuristic,
        })
    };
    let first = build(directed.heuristic.as_ref())?;
    let others = directed.others.iter().map(|spec| build(spec.as_ref()));
    let others = others.collect::<Result<Vec<_>, _>>()?;
    let second = match &directed.second {
        Some(spec) => Some(build(Some(spec))?),
        None => None,
    };
    let name = Some(first.name().to_owned());
    let heuristics = Heuristics { first, others, second };
    let names = Some(heuristics.names());
    let query = SearchQuery {
        after_hit: if task.all { AfterHit::Continue } else { AfterHit::Stop },
        limits: plan.limits(),
        ..SearchQuery::new(task.target)
    };
    let (reducing, remark) = reducing(task.machine, &[task.target], plan)?;
    if reducing.is_some() {
        let excluded = if plan.store.is_lossy() {
            Some("with a store that may overlook states, directed searches see all they meet")
        } else if priced.is_some() || matches!(task.goal, Some(HeuristicGoal::Claim)) {
            Some("with claims and `cost`, directed searches see all states")
        } else {
            None
        };
        if let Some(why) = excluded {
            return Err(CheckError::Reduction(format!("{why}: leave out --reduce")));
        }
    }
    let (algorithm, store) = (directed.algorithm, (plan.store, plan.auto.seed));
    let begun = if plan.store.is_lossy() {
        lossy::start(&recorder, algorithm, heuristics, store, query)
    } else {
        let reduction = reducing.as_ref().map(ActiveReduction::reduction);
        match start_reduced::<T>(&recorder, algorithm, heuristics, query, reduction) {
            Err(StartError::Refusal(refusal)) => return Err(refused(refusal)),
            begun => begun.map_err(|_| INITIAL_FAULT.to_owned()),
        }
    };
    let mut search = match begun {
        Ok(search) => search,
        Err(why) => return Ok(SearchReport::unknown(&why)),
    };
    let ending = drive_to_completion(&mut *search, observer);
    let (stats, peak_bytes, bound) = (search.stats(), ending.peak_bytes, search.lower_bound());
    let mut violations = Vec::new();
    for (at, hit) in search.hits().into_iter().enumerate() {
        let path = search.path(at);
        violations.push(match &priced {
            // Nothing was found out about steps.
            Some(priced) => witness_with_cost(task, priced, &path, hit.kind, plan)?,
            None => task.witness(&path, hit.kind, plan, |_| u64::from(bound.0))?,
        });
    }
    let mut verdict = if violations.is_empty() {
        // Where it was told to stop at what it looks for, it did not find any.
        let outcome =
            if ending.outcome == Outcome::Found { Outcome::Complete } else { ending.outcome };
        match (outcome, search.omissions()) {
            (Outcome::Incomplete(stop), omissions) => Verdict::Unknown(reason(stop, omissions)),
            (outcome, _) => without_violation_after(|kind| recorder.met(kind), outcome),
        }
    } else {
        Verdict::Violated(violations)
    };
    let is_open = matches!(verdict, Verdict::Unknown(_)) && priced.is_none();
    let nearest = name.as_ref().filter(|_| is_open);
    let nearest = nearest.and_then(|name| NearestMiss::of(&*search, name, task, plan));
    let filtered =
        reducing.as_ref().and_then(|_| filter_verdict(task.machine, task.target, &mut verdict));
    remarks.extend(remark.into_iter().chain(filtered));
    Ok(SearchReport {
        stats,
        peak_bytes,
        heuristic: names,
        nearest,
        remarks,
        ..SearchReport::of(verdict)
    })
}

/// The violation at the end of a path of states that count something else than steps.
pub(crate) fn witness_with_cost(
    task: &Task<'_>,
    priced: &WeightedSpace<'_>,
    path: &[Vec<u8>],
    found: FindingKind,
    plan: &Plan,
) -> Result<Violation, CheckError> {
    let merged = plan.automata().allowed_by(task.machine.model()).merge;
    let moves = moves_along(path, found, |from, to| priced.moves_to(from, to))?;
    let last = priced.system(path.last().expect("a path has its end"));
    confirm(task.machine, moves, last, found, merged, |_| 0)
}

/// The heuristics of a search.
pub(crate) struct Heuristics<'a> {
    pub(crate) first: BoxedHeuristic<'a>,
    /// More of them, each with a list of its own.
    pub(crate) others: Vec<BoxedHeuristic<'a>>,
    /// What decides between equals.
    pub(crate) second: Option<BoxedHeuristic<'a>>,
}

impl<'a> Heuristics<'a> {
    /// A single one.
    pub(crate) fn only(first: BoxedHeuristic<'a>) -> Heuristics<'a> {
        Heuristics { first, others: Vec::new(), second: None }
    }

    /// What leads the search.
    fn names(&self) -> String {
        let others = self.others.iter().map(|other| other.name());
        std::iter::once(self.first.name()).chain(others).collect::<Vec<_>>().join(", ")
    }
}

/// Why a search does not begin.
#[derive(Debug)]
enum StartError {
    /// The model fails before its first step.
    Fault(Fault),
    /// It does not take the reduction.
    Refusal(Refusal),
}

impl From<Fault> for StartError {
    fn from(fault: Fault) -> StartError {
        StartError::Fault(fault)
    }
}

impl From<Refusal> for StartError {
    fn from(refusal: Refusal) -> StartError {
        StartError::Refusal(refusal)
    }
}

/// A search by an algorithm, about to begin, of all states.
pub(crate) fn start<'a, T: StateStore + 'a>(
    space: &'a dyn Space,
    algorithm: DirectedAlgorithm,
    heuristics: Heuristics<'a>,
    query: SearchQuery<'a>,
) -> Result<Box<dyn Search + 'a>, Fault> {
    start_reduced::<T>(space, algorithm, heuristics, query, None).map_err(|why| match why {
        StartError::Fault(fault) => fault,
        StartError::Refusal(_) => unreachable!("there is no reduction that it could refuse"),
    })
}

/// The same with a reduction, if there is one.
fn start_reduced<'a, T: StateStore + 'a>(
    space: &'a dyn Space,
    algorithm: DirectedAlgorithm,
    heuristics: Heuristics<'a>,
    query: SearchQuery<'a>,
    reduction: Option<Reduction<'a>>,
) -> Result<Box<dyn Search + 'a>, StartError> {
    let Heuristics { first, others, second } = heuristics;
    Ok(match algorithm {
        DirectedAlgorithm::BestFirst(method) => {
            let mut search = BestFirst::<T>::with_store(space, first, method, query)?;
            if let Some(second) = second {
                search = search.with_tie_breaker(second);
            }
            if !others.is_empty() {
                search = search.with_heuristics(others);
            }
            if let Some(reduction) = reduction {
                search = search.with_reduction(reduction)?;
            }
            Box::new(search)
        }
        DirectedAlgorithm::Ida(deepening) => {
            let mut search = IdaStar::<ExactTable<T>>::with_store(space, first, deepening, query)?;
            if let Some(reduction) = reduction {
                search = search.with_reduction(reduction)?;
            }
            Box::new(search)
        }
        DirectedAlgorithm::DepthFirst(dive) => {
            let mut search = DepthFirst::<T>::with_store(space, first, dive, query)?;
            if let Some(reduction) = reduction {
                search = search.with_reduction(reduction)?;
            }
            Box::new(search)
        }
        _ if reduction.is_some() => return Err(Refusal::NoReduction.into()),
        DirectedAlgorithm::Beam(width) => {
            Box::new(Beam::<T>::with_store(space, first, width, query)?)
        }
        DirectedAlgorithm::HillClimbing(climb) => {
            Box::new(HillClimbing::<T>::with_store(space, first, climb, query)?)
        }
        DirectedAlgorithm::Frontier => Box::new(FrontierSearch::<T>::with_store(space, query)?),
    })
}
