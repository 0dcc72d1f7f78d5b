//! Planning: a plan is a trail that violates the property that the goal is never reached.
//!
//! The strategy finds a plan by two greedy searches in turns, one with preferred operators and one
//! on the space that stubborn sets leave, looks for cheaper ones by weighted A\* with smaller and
//! smaller weights [RW10], and proves the cost by A\* with landmarks and A\* with the cheaper h^max in
//! turns: as far as that is cheap compared with the first search, or to the end if an optimal plan is
//! wanted. Each search has the cost of the best plan as a bound. If an optimal plan is wanted and
//! the first searches find none soon, they and those for a proof take turns. Of the searches that take
//! turns, the one whose lower bound would reach the cost first gets the longer ones.

use std::cell::OnceCell;
use std::ops::ControlFlow;

use beeline_kernel::{Cost, Deadline, Stop};
use beeline_model::{Certificate, Property, Reason, System, Verdict, Violation};
use beeline_search::{
    Outcome, Progress, Search, SearchHeuristics, SearchQuery, SearchSetup, SliceBudget, Stats,
};

use crate::check::check_system;
use crate::context::CheckContext;
use crate::observe::{Event, Observer};
use crate::plan::{DirectedConfig, HeuristicNames, Plan, SetAlgorithm, Strategy, parse_search};
use crate::report::CheckError;
use crate::task::{ActiveReduction, Task, heuristic, not_started, reducing_for_plan, search_store};

/// The first searches, in turns: a plan, of whatever cost. Pruning what preferred operators are chosen
/// from can be harmful.
const GREEDY: [PhaseSearch; 2] = [
    PhaseSearch {
        spec: "gbfs([hff(costs=one), lmcount(costs=one)], evaluate=lazy, preferred=yes, ties=fifo)",
        space: PhaseSpace::Whole,
    },
    PhaseSearch { spec: "gbfs(hff(costs=one))", space: PhaseSpace::Reduced },
];
/// The searches for cheaper plans.
const CHEAPER: [&str; 4] =
    ["astar(hff, w=5)", "astar(hff, w=3)", "astar(hff, w=2)", "astar(hff, w=1)"];
/// The searches for a proof, in turns.
const PROOF: [PhaseSearch; 2] = [
    PhaseSearch { spec: "astar(lmcut)", space: PhaseSpace::Orbits },
    PhaseSearch { spec: "astar(hmax)", space: PhaseSpace::Orbits },
];
/// The work of a turn, in approximate nanoseconds.
const TURN: u64 = 250_000_000;
/// The turns of the search that is expected to end first, for one of another search.
const LEAD: u64 = 4;
/// The part of the work of a search before which its lower bound is compared with that now.
const PAST: u64 = 4;
/// The least work of a search that is not run to the end, in approximate nanoseconds.
const LEAST_WORK: u64 = 200_000_000;
/// The work of the searches for cheaper plans together, and of those for a proof, is that of the
/// first ones divided by this.
const SHARE: u64 = 2;
/// The work of the first searches before those for a proof begin, if an optimal plan is wanted.
const GREEDY_WORK: u64 = 2_000_000_000;
/// The expansions between two looks at the work.
const PER_LOOK: u64 = 64;

/// The use of symmetries.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum SymmetryChoice {
    /// In the searches of the strategy for cheaper plans and for proofs.
    #[default]
    Auto,
    /// In no search.
    Off,
    /// In a requested search, too.
    On,
}

/// Builds the system with one state for several symmetric ones, if there are symmetries.
pub type UpToSymmetry<'a> = dyn Fn(Deadline) -> Option<Box<dyn System + 'a>> + 'a;

/// A planning task.
#[derive(Clone, Copy)]
pub struct PlanningProblem<'a, 's> {
    /// The task.
    pub system: &'a dyn System,
    /// The property that the goal is never reached.
    pub property: &'a Property,
    /// The task up to symmetry.
    pub up_to_symmetry: &'a UpToSymmetry<'s>,
}

/// What is wanted.
#[derive(Clone, Copy, Debug, Default)]
pub struct PlanningRequest {
    /// Whether the plan must be proved optimal.
    pub optimal: bool,
    /// Whether the search is that of the [`Plan`] instead of the strategy.
    pub own_search: bool,
    /// Whether each action costs 1.
    pub unit_costs: bool,
    /// The use of symmetries.
    pub symmetry: SymmetryChoice,
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
    problem: PlanningProblem<'_, '_>,
    request: PlanningRequest,
    plan: &Plan,
    observer: &mut dyn Observer,
) -> Result<PlanningReport, CheckError> {
    let PlanningProblem { system, property, up_to_symmetry } = problem;
    if request.own_search {
        let orbits = match request.symmetry {
            SymmetryChoice::On => up_to_symmetry(observer.deadline()),
            SymmetryChoice::Auto | SymmetryChoice::Off => None,
        };
        let system = orbits.as_deref().unwrap_or(system);
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
    let found = OnceCell::new();
    let orbits = |deadline| {
        let is_used = request.symmetry != SymmetryChoice::Off;
        found.get_or_init(|| if is_used { up_to_symmetry(deadline) } else { None }).as_deref()
    };
    let (best, bound) = (None, 0);
    let reducing = reducing.as_ref();
    let orbits = &orbits;
    let run = PlanningRun { task, orbits, property, plan, reducing, observer, report, best, bound };
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

/// A search of the strategy.
#[derive(Clone, Copy, Debug)]
struct PhaseSearch {
    spec: &'static str,
    space: PhaseSpace,
}

/// The space of a search of the strategy.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum PhaseSpace {
    /// That of the task.
    Whole,
    /// What stubborn sets leave of it.
    Reduced,
    /// The same with one state for several symmetric ones.
    Orbits,
}

/// A search that takes turns with others.
struct Contender<'a> {
    spec: &'static str,
    /// Where its paths are.
    task: Task<'a>,
    search: Box<dyn Search + 'a>,
    /// The work that it may do before its turn ends.
    until: u64,
    /// The greatest lower bound that it has proved.
    bound: u64,
    /// Its work and this bound after each turn.
    history: Vec<(u64, u64)>,
}

impl Contender<'_> {
    /// The logarithm of the work at which the lower bound reaches a cost, if each further unit of it
    /// takes the same multiple of the work before.
    fn expected_work(&self, cost: u64) -> f64 {
        let Some(&(work, bound)) = self.history.last() else { return 0.0 };
        let before = self.history.iter().rev().find(|one| one.0 <= work / PAST);
        let gained = bound.saturating_sub(before.map_or(0, |one| one.1));
        let left = cost.saturating_sub(bound);
        if left == 0 {
            return 0.0;
        }
        (work as f64).ln() + (PAST as f64).ln() * left as f64 / gained as f64
    }
}

/// What becomes of searches that take turns when one of them has found a plan.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum AfterPlan {
    /// They end.
    End,
    /// The others go on until the plan is proved optimal.
    Prove,
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
    /// The task up to symmetry, which is built when it is needed.
    orbits: &'o dyn Fn(Deadline) -> Option<&'a dyn System>,
    property: &'a Property,
    plan: &'a Plan,
    reducing: Option<&'a ActiveReduction<'a>>,
    observer: &'o mut dyn Observer,
    report: PlanningReport,
    best: Option<Violation>,
    /// The proved lower bound on the cost of all plans.
    bound: u64,
}

impl<'a> PlanningRun<'a, '_> {
    fn execute(mut self, request: PlanningRequest) -> Result<PlanningReport, CheckError> {
        let patience = request.optimal.then_some(GREEDY_WORK);
        let mut end = self.race(&GREEDY, patience, AfterPlan::End)?;
        if matches!(end, PhaseEnd::Paused) {
            let all = [&GREEDY[..], &PROOF[..]].concat();
            end = self.race(&all, None, AfterPlan::Prove)?;
        }
        let mut stopped = None;
        match end {
            PhaseEnd::Complete if self.best.is_none() => {
                self.report.verdict = PlanningVerdict::Unsolvable;
                return Ok(self.report);
            }
            PhaseEnd::Stopped(reason) if self.best.is_none() => {
                self.report.verdict = PlanningVerdict::Unknown(reason);
                return Ok(self.report);
            }
            PhaseEnd::Stopped(reason) => stopped = Some(reason),
            PhaseEnd::Complete | PhaseEnd::Found | PhaseEnd::Paused => {}
        }
        let share = LEAST_WORK.max(work(&self.report.stats) / SHARE);
        for spec in CHEAPER {
            if self.is_optimal() || stopped.is_some() {
                break;
            }
            let cheaper = [PhaseSearch { spec, space: PhaseSpace::Orbits }];
            match self.race(&cheaper, Some(share / CHEAPER.len() as u64), AfterPlan::End)? {
                PhaseEnd::Stopped(reason) => {
                    stopped = Some(reason);
                    break;
                }
                PhaseEnd::Complete | PhaseEnd::Found | PhaseEnd::Paused => {}
            }
        }
        let most = if request.optimal { None } else { Some(share) };
        while !self.is_optimal() && stopped.is_none() {
            match self.race(&PROOF, most, AfterPlan::End)? {
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

    /// Runs searches for a plan that is cheaper than the best one, in turns, until one of them ends
    /// or they have done this work together.
    fn race(
        &mut self,
        phase: &[PhaseSearch],
        most: Option<u64>,
        after: AfterPlan,
    ) -> Result<PhaseEnd, CheckError> {
        let mut contenders: Vec<Contender<'a>> = Vec::new();
        let mut stopped = None;
        for one in phase {
            match self.start(*one, phase.len())? {
                Ok(contender) => contenders.push(contender),
                Err(reason) => stopped = Some(reason),
            }
        }
        let mut at = 0;
        let end = loop {
            if contenders.is_empty() {
                return Ok(PhaseEnd::Stopped(stopped.expect("no search has ended otherwise")));
            }
            at %= contenders.len();
            let done: u64 = contenders.iter().map(|one| work(&one.search.stats())).sum();
            if most.is_some_and(|most| done >= most) {
                break PhaseEnd::Paused;
            }
            let turns = if self.leader(&contenders) == Some(at) { LEAD } else { 1 };
            let left = most.map_or(u64::MAX, |most| most - done);
            contenders[at].until += left.min(turns * TURN);
            match self.turn(&mut contenders, at, most.is_some()) {
                PhaseEnd::Paused => {
                    let one = &mut contenders[at];
                    one.bound = u64::from(one.search.lower_bound().0);
                    one.history.push((work(&one.search.stats()), one.bound));
                    // A search without a bound on costs does not end by itself.
                    if self.cost().is_some_and(|cost| one.bound >= cost) {
                        break PhaseEnd::Complete;
                    }
                    at += 1;
                }
                PhaseEnd::Found if after == AfterPlan::Prove => {
                    let one = contenders.remove(at);
                    self.finish(&one)?;
                    if self.is_optimal() || contenders.is_empty() {
                        break PhaseEnd::Found;
                    }
                }
                // The others may still find something.
                PhaseEnd::Stopped(reason @ Reason::Stopped(Stop::Memory))
                    if contenders.len() > 1 =>
                {
                    let one = contenders.remove(at);
                    self.finish(&one)?;
                    drop(one);
                    stopped = Some(reason);
                }
                end => break end,
            }
        };
        for one in &contenders {
            self.finish(one)?;
        }
        Ok(end)
    }

    /// The search that is expected to prove a cost first: the one of the best plan, or without a plan
    /// one that is greater than all lower bounds.
    fn leader(&self, contenders: &[Contender<'a>]) -> Option<usize> {
        let greatest = contenders.iter().map(|one| one.bound).max()?;
        let cost = self.cost().unwrap_or(greatest + 1);
        let expected = contenders.iter().map(|one| one.expected_work(cost)).enumerate();
        // Searches that prove no bound have none to lead.
        let expected = expected.filter(|one| contenders[one.0].bound > 0);
        expected.min_by(|a, b| a.1.total_cmp(&b.1)).map(|one| one.0)
    }

    /// Starts a search that has its share of the memory.
    fn start(
        &mut self,
        phase: PhaseSearch,
        shares: usize,
    ) -> Result<Result<Contender<'a>, Reason>, CheckError> {
        let task = self.task_in(phase.space);
        let listed = vec!["hff", "lmcount", "lmcut", "hmax"];
        let names = HeuristicNames { listed, others: Vec::new() };
        let config = parse_search(phase.spec, self.plan.auto.seed, &names);
        let config = config.expect("the searches of the strategy are well-formed");
        let Strategy::Directed(directed) = config.strategy else {
            unreachable!("the searches of the strategy are directed")
        };
        self.observer.on_event(&Event::Phase(phase.spec));
        let mut limits = self.plan.limits();
        limits.bytes = limits.bytes.map(|bytes| bytes / shares);
        let query = SearchQuery {
            limits,
            bound: self.cost().map(|cost| Cost(u32::try_from(cost - 1).unwrap_or(u32::MAX))),
            ..SearchQuery::new(task.target)
        };
        let mut initial = Vec::new();
        let is_ready = task.space().initial(&mut initial).is_ok();
        let store = self.plan.store.chosen(if is_ready { initial.len() } else { 0 }, false);
        let store = match search_store(store, self.plan.auto.seed, query.limits) {
            Ok(store) => store,
            Err(reason) => return Ok(Err(reason)),
        };
        let heuristics = self.heuristics(task, &directed)?;
        let reducing = self.reducing.filter(|_| phase.space != PhaseSpace::Whole);
        let reduction = reducing.map(ActiveReduction::reduction);
        let setup = SearchSetup { space: task.space(), heuristics, query, reduction };
        let spec = phase.spec;
        Ok(match directed.algorithm.start_with(setup, store) {
            Ok(search) => {
                Ok(Contender { spec, task, search, until: 0, bound: 0, history: Vec::new() })
            }
            Err(error) => Err(not_started(error)?),
        })
    }

    /// The task with this space.
    fn task_in(&mut self, space: PhaseSpace) -> Task<'a> {
        let orbits = match space {
            PhaseSpace::Whole | PhaseSpace::Reduced => None,
            PhaseSpace::Orbits => (self.orbits)(self.observer.deadline()),
        };
        Task { system: orbits.unwrap_or(self.task.system), ..self.task }
    }

    /// Advances a search until its turn is over.
    fn turn(&mut self, contenders: &mut [Contender<'a>], at: usize, is_short: bool) -> PhaseEnd {
        let mut others = self.report.stats;
        let mut other_bytes = 0;
        for (_, one) in contenders.iter().enumerate().filter(|&(other, _)| other != at) {
            others.add(&one.search.stats());
            other_bytes += one.search.bytes() as u64;
        }
        let has_bound = self.best.is_some() && self.plan.limits().depth.is_none();
        let one = &mut contenders[at];
        loop {
            let slice = self.observer.slice();
            if work(&one.search.stats()) >= one.until {
                return PhaseEnd::Paused;
            }
            let slice = if is_short { slice.min(PER_LOOK) } else { slice };
            let progress = one.search.advance(SliceBudget::expansions(slice));
            let bytes = other_bytes + one.search.bytes() as u64;
            self.report.peak_bytes = self.report.peak_bytes.max(bytes);
            match progress {
                Progress::Done(Outcome::Complete) => return PhaseEnd::Complete,
                Progress::Done(Outcome::Found) => return PhaseEnd::Found,
                // What is beyond the bound was cut off.
                Progress::Done(Outcome::Incomplete(Stop::Depth)) if has_bound => {
                    return PhaseEnd::Complete;
                }
                Progress::Done(Outcome::Incomplete(stop)) => {
                    return PhaseEnd::Stopped(Reason::Stopped(stop));
                }
                Progress::Paused => {}
            }
            let mut so_far = others;
            so_far.add(&one.search.stats());
            if let ControlFlow::Break(stop) = self.observer.poll(&so_far) {
                return PhaseEnd::Stopped(Reason::Stopped(stop));
            }
        }
    }

    /// Takes over the counters, the plans and the lower bound of a search.
    fn finish(&mut self, of: &Contender<'a>) -> Result<(), CheckError> {
        let Contender { spec, task, search, .. } = of;
        self.report.stats.add(&search.stats());
        let bound = u64::from(search.lower_bound().0);
        let limit = self.cost().unwrap_or(u64::MAX);
        for (at, hit) in search.hits().into_iter().enumerate() {
            let violation = task.witness(&search.path(at), hit.kind, |_| bound)?;
            if self.cost().is_none_or(|cost| violation.length.steps < cost) {
                let (property, violation) = (self.property, &violation);
                self.observer.on_event(&Event::Violated { property, violation, by: spec });
                self.report.by = Some((*spec).to_owned());
                self.best = Some(violation.clone());
            }
        }
        // A search with a bound proves nothing beyond it; if it ended without a cheaper plan, its
        // lower bound is the cost of the best one.
        self.bound = self.bound.max(bound.min(limit));
        Ok(())
    }

    /// Builds the heuristics of a search.
    fn heuristics(
        &mut self,
        task: Task<'a>,
        directed: &DirectedConfig,
    ) -> Result<SearchHeuristics<'a>, CheckError> {
        let resources = self.plan.resources(self.observer.deadline());
        let remarks = &mut self.report.remarks;
        let first = heuristic(directed.heuristic.as_ref(), &task, resources, remarks)?;
        let mut others = Vec::new();
        for spec in &directed.others {
            others.push(heuristic(spec.as_ref(), &task, resources, remarks)?);
        }
        Ok(SearchHeuristics { first, others, tie_breaker: None })
    }
}
