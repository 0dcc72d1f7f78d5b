//! Planning: a plan is a trail that violates the property that the goal is never reached.
//!
//! The strategy finds a plan by greedy search with preferred operators, looks for cheaper ones by
//! weighted A\* with smaller and smaller weights [RW10], and proves the cost by A\* with landmarks:
//! as far as that is cheap compared with the first search, or to the end if an optimal plan is
//! wanted. Each search has the cost of the best plan as a bound.

use std::ops::ControlFlow;

use beeline_kernel::{Cost, Stop};
use beeline_model::{Certificate, Property, Reason, System, Verdict, Violation};
use beeline_search::{
    Outcome, Progress, SearchHeuristics, SearchQuery, SearchSetup, SliceBudget, Stats,
};

use crate::check::check_system;
use crate::context::CheckContext;
use crate::observe::{Event, Observer};
use crate::plan::{DirectedConfig, HeuristicNames, Plan, SetAlgorithm, Strategy, parse_search};
use crate::report::CheckError;
use crate::task::{ActiveReduction, Task, heuristic, not_started, reducing_for_plan, search_store};

/// The first search: a plan, of whatever cost.
const GREEDY: &str =
    "gbfs([hff(costs=one), lmcount(costs=one)], evaluate=lazy, preferred=yes, ties=fifo)";
/// The searches for cheaper plans.
const CHEAPER: [&str; 4] =
    ["astar(hff, w=5)", "astar(hff, w=3)", "astar(hff, w=2)", "astar(hff, w=1)"];
/// The search for a proof.
const PROOF: &str = "astar(lmcut)";
/// The least work of a search that is not run to the end, in approximate nanoseconds.
const LEAST_WORK: u64 = 200_000_000;
/// The work of the searches for cheaper plans together, and of the search for a proof, as a multiple
/// of that of the first one.
const SHARE: u64 = 2;
/// The expansions between two looks at the work.
const PER_LOOK: u64 = 64;

/// What is wanted.
#[derive(Clone, Copy, Debug, Default)]
pub struct PlanningRequest {
    /// Whether the plan must be proved optimal.
    pub optimal: bool,
    /// Whether the search is that of the [`Plan`] instead of the strategy.
    pub own_search: bool,
    /// Whether each action costs 1.
    pub unit_costs: bool,
}

/// The answer.
#[derive(Clone, Debug)]
pub enum PlanningVerdict {
    /// The best plan that was found, with its cost and a lower bound.
    Solved(Violation),
    /// There is no plan.
    Unsolvable,
    /// Neither a plan nor a proof was found.
    Unknown(Reason),
}

/// The result of the search for a plan.
#[derive(Clone, Debug)]
pub struct PlanningReport {
    /// The answer.
    pub verdict: PlanningVerdict,
    /// Why the plan may not be optimal, if the search for a proof was stopped.
    pub stopped: Option<Reason>,
    /// The search that found the plan.
    pub by: Option<String>,
    /// The counters of all searches.
    pub stats: Stats,
    /// Peak memory in bytes.
    pub peak_bytes: u64,
    /// Remarks.
    pub remarks: Vec<String>,
}

/// Searches for a plan.
///
/// # Errors
///
/// When the replay does not confirm a plan, which is an internal error; and when the requested
/// heuristic is not possible.
pub fn find_plan(
    system: &dyn System,
    property: &Property,
    request: PlanningRequest,
    plan: &Plan,
    observer: &mut dyn Observer,
) -> Result<PlanningReport, CheckError> {
    if request.own_search {
        return one_search(system, property, request, plan, observer);
    }
    let target = system.target(property).expect("the property is about single states");
    let task = Task { system, target, all: false };
    let report = PlanningReport {
        verdict: PlanningVerdict::Unknown(Reason::Stopped(Stop::Time)),
        stopped: None,
        by: None,
        stats: Stats::default(),
        peak_bytes: 0,
        remarks: Vec::new(),
    };
    let reducing = reducing_for_plan(system, target, plan)?;
    let (best, bound) = (None, 0);
    let run = PlanningRun { task, property, plan, reducing, observer, report, best, bound };
    run.execute(request)
}

/// Runs the requested search alone.
fn one_search(
    system: &dyn System,
    property: &Property,
    request: PlanningRequest,
    plan: &Plan,
    observer: &mut dyn Observer,
) -> Result<PlanningReport, CheckError> {
    let properties = [property.clone()];
    let context = CheckContext { properties: &properties, system, plan, all: false };
    let mut checked = check_system(&context, observer)?;
    let of_property = checked.properties.pop().expect("each property has a report");
    // Other searches count steps, whatever they cost.
    let counts_costs = match &plan.search.strategy {
        Strategy::Directed(directed) => directed.algorithm.best_first().is_some(),
        Strategy::Symbolic(config) => matches!(config.algorithm, SetAlgorithm::BestFirst(_)),
        _ => false,
    };
    let verdict = match of_property.verdict {
        Verdict::Violated(violations) => {
            let best = violations.into_iter().min_by_key(|one| one.length.steps);
            let mut best = best.expect("a violated property has a violation");
            if !counts_costs && !request.unit_costs {
                best.length = Certificate::new(best.length.steps, 0);
            }
            PlanningVerdict::Solved(best)
        }
        Verdict::Holds => PlanningVerdict::Unsolvable,
        Verdict::Unknown(reason) => PlanningVerdict::Unknown(reason),
    };
    Ok(PlanningReport {
        verdict,
        stopped: None,
        by: of_property.by.or_else(|| Some(plan.search.name.clone())),
        stats: checked.stats,
        peak_bytes: checked.peak_bytes,
        remarks: of_property.remarks,
    })
}

/// The work of searches so far, in approximate nanoseconds: that of the heuristic, and of a state
/// and a transition.
fn work(stats: &Stats) -> u64 {
    stats.effort + 1_000 * stats.expanded + 200 * stats.generated
}

/// How a search of the strategy ended.
enum PhaseEnd {
    /// All states within the bound were explored.
    Complete,
    /// A plan was found.
    Found,
    /// Its share of the work is done.
    Paused,
    /// It was stopped.
    Stopped(Reason),
}

/// The strategy in progress.
struct PlanningRun<'a, 'o> {
    task: Task<'a>,
    property: &'a Property,
    plan: &'a Plan,
    reducing: Option<ActiveReduction<'a>>,
    observer: &'o mut dyn Observer,
    report: PlanningReport,
    best: Option<Violation>,
    /// The proved lower bound on the cost of all plans.
    bound: u64,
}

impl<'a> PlanningRun<'a, '_> {
    fn execute(mut self, request: PlanningRequest) -> Result<PlanningReport, CheckError> {
        match self.run(GREEDY, None)? {
            PhaseEnd::Complete => {
                self.report.verdict = PlanningVerdict::Unsolvable;
                return Ok(self.report);
            }
            PhaseEnd::Stopped(reason) => {
                self.report.verdict = PlanningVerdict::Unknown(reason);
                return Ok(self.report);
            }
            PhaseEnd::Found | PhaseEnd::Paused => {}
        }
        let share = LEAST_WORK.max(SHARE * work(&self.report.stats));
        let mut stopped = None;
        for spec in CHEAPER {
            if self.is_optimal() {
                break;
            }
            match self.run(spec, Some(share / CHEAPER.len() as u64))? {
                PhaseEnd::Stopped(reason) => {
                    stopped = Some(reason);
                    break;
                }
                PhaseEnd::Complete | PhaseEnd::Found | PhaseEnd::Paused => {}
            }
        }
        let most = if request.optimal { None } else { Some(share) };
        while !self.is_optimal() && stopped.is_none() {
            match self.run(PROOF, most)? {
                PhaseEnd::Stopped(reason) => stopped = Some(reason),
                PhaseEnd::Found => {}
                PhaseEnd::Complete | PhaseEnd::Paused => break,
            }
        }
        let mut best = self.best.take().expect("the first search has found a plan");
        best.length = Certificate::new(best.length.steps, self.bound);
        self.report.verdict = PlanningVerdict::Solved(best);
        self.report.stopped = stopped;
        Ok(self.report)
    }

    fn cost(&self) -> Option<u64> {
        self.best.as_ref().map(|best| best.length.steps)
    }

    fn is_optimal(&self) -> bool {
        self.cost().is_some_and(|cost| cost <= self.bound)
    }

    /// Runs a search for a plan that is cheaper than the best one.
    fn run(&mut self, spec: &str, most: Option<u64>) -> Result<PhaseEnd, CheckError> {
        let names = HeuristicNames { listed: vec!["hff", "lmcount", "lmcut"], others: Vec::new() };
        let config = parse_search(spec, self.plan.auto.seed, &names);
        let config = config.expect("the searches of the strategy are well-formed");
        let Strategy::Directed(directed) = config.strategy else {
            unreachable!("the searches of the strategy are directed")
        };
        self.observer.on_event(&Event::Phase(spec));
        let query = SearchQuery {
            limits: self.plan.limits(),
            bound: self.cost().map(|cost| Cost(u32::try_from(cost - 1).unwrap_or(u32::MAX))),
            ..SearchQuery::new(self.task.target)
        };
        let has_bound = query.bound.is_some() && query.limits.depth.is_none();
        let mut initial = Vec::new();
        let is_ready = self.task.space().initial(&mut initial).is_ok();
        let store = self.plan.store.chosen(if is_ready { initial.len() } else { 0 }, false);
        let store = match search_store(store, self.plan.auto.seed, query.limits) {
            Ok(store) => store,
            Err(reason) => return Ok(PhaseEnd::Stopped(reason)),
        };
        let heuristics = self.heuristics(&directed)?;
        let reduction = self.reducing.as_ref().map(ActiveReduction::reduction);
        let setup = SearchSetup { space: self.task.space(), heuristics, query, reduction };
        let mut search = match directed.algorithm.start_with(setup, store) {
            Ok(search) => search,
            Err(error) => return Ok(PhaseEnd::Stopped(not_started(error)?)),
        };
        let before = self.report.stats;
        let end = loop {
            let slice = self.observer.slice();
            if most.is_some_and(|most| work(&search.stats()) >= most) {
                break PhaseEnd::Paused;
            }
            let slice = if most.is_some() { slice.min(PER_LOOK) } else { slice };
            let progress = search.advance(SliceBudget::expansions(slice));
            self.report.peak_bytes = self.report.peak_bytes.max(search.bytes() as u64);
            match progress {
                Progress::Done(Outcome::Complete) => break PhaseEnd::Complete,
                Progress::Done(Outcome::Found) => break PhaseEnd::Found,
                // What is beyond the bound was cut off.
                Progress::Done(Outcome::Incomplete(Stop::Depth)) if has_bound => {
                    break PhaseEnd::Complete;
                }
                Progress::Done(Outcome::Incomplete(stop)) => {
                    break PhaseEnd::Stopped(Reason::Stopped(stop));
                }
                Progress::Paused => {}
            }
            let mut so_far = before;
            so_far.add(&search.stats());
            if let ControlFlow::Break(stop) = self.observer.poll(&so_far) {
                break PhaseEnd::Stopped(Reason::Stopped(stop));
            }
        };
        self.report.stats.add(&search.stats());
        let bound = u64::from(search.lower_bound().0);
        let limit = self.cost().unwrap_or(u64::MAX);
        for (at, hit) in search.hits().into_iter().enumerate() {
            let violation = self.task.witness(&search.path(at), hit.kind, |_| bound)?;
            if self.cost().is_none_or(|cost| violation.length.steps < cost) {
                let (property, violation) = (self.property, &violation);
                self.observer.on_event(&Event::Violated { property, violation, by: spec });
                self.report.by = Some(spec.to_owned());
                self.best = Some(violation.clone());
            }
        }
        // A search with a bound proves nothing beyond it; if it ended without a cheaper plan, its
        // lower bound is the cost of the best one.
        self.bound = self.bound.max(bound.min(limit));
        Ok(end)
    }

    /// Builds the heuristics of a search.
    fn heuristics(
        &mut self,
        directed: &DirectedConfig,
    ) -> Result<SearchHeuristics<'a>, CheckError> {
        let resources = self.plan.resources(self.observer.deadline());
        let (task, remarks) = (&self.task, &mut self.report.remarks);
        let first = heuristic(directed.heuristic.as_ref(), task, resources, remarks)?;
        let mut others = Vec::new();
        for spec in &directed.others {
            others.push(heuristic(spec.as_ref(), task, resources, remarks)?);
        }
        Ok(SearchHeuristics { first, others, tie_breaker: None })
    }
}
