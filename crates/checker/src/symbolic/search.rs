//! Searches on sets of states, for each property on its own.
//!
//! Source: [EMJ05], "Symbolic Search". The factored system must be exact. A path of sets becomes a
//! path of the model, step by step, and is replayed like every trail.

use beeline_factored::{CascadingTables, ErrorValues, FactorId};
use beeline_kernel::Deadline;
use beeline_model::{AbstractionRequest, Property, Reason, SymbolicProblem, Verdict, Violation};
use beeline_search::{SearchTarget, Stats};
use beeline_symbolic::{
    BuildAbstraction, ControlSets, CostedSets, EstimatedErrors, StepCosts, SymbolicError,
    SymbolicOutcome, SymbolicPath, SymbolicSearchStatistics, SymbolicStrategy, SymbolicSystem,
};

use crate::context::CheckContext;
use crate::observe::{Observer, announce_proof};
use crate::plan::{ReductionChoice, SetAlgorithm, SetSearchConfig};
use crate::report::{CheckError, CheckReport, SearchReport, SetEffort};
use crate::safety::announce;
use crate::symbolic::concrete_path::{concrete_path, not_a_path};
use crate::symbolic::precision::{excess, refuse_excess, refuse_inexact};
use crate::symbolic::target_errors::{TargetErrors, terminal_fault};
use crate::symbolic::watched::{MakeLimits, watched};

/// Reason why a property with a claim is not checked.
const NOT_FOR_CLAIMS: &str = "searches on sets find deadlocks, run-time errors, failed assertions \
                              and violated invariants: use another search, or --property 'ctl: A (…)'";

/// What needs an exact view.
const SUBJECT: &str = "searches on sets of states";

/// Checks properties, one after the other.
pub(crate) fn check_on_sets(
    context: &CheckContext<'_>,
    config: SetSearchConfig,
    observer: &mut dyn Observer,
) -> Result<CheckReport, CheckError> {
    let &CheckContext { properties, system, plan, .. } = context;
    if !matches!(plan.reduce, ReductionChoice::Auto | ReductionChoice::Off) {
        let why = "searches on sets of states cannot be reduced: leave out --reduce";
        return Err(CheckError::Reduction(why.to_owned()));
    }
    let problem = system.symbolic_problem();
    let problem = problem.and_then(|problem| {
        refuse_inexact(&problem.view.system, SUBJECT)?;
        Ok(problem)
    });
    let mut report = CheckReport::default();
    for property in properties {
        let found = match (&problem, system.target(property)) {
            (_, None) => SearchReport::unsupported(NOT_FOR_CLAIMS),
            (Err(why), _) => SearchReport::unknown(Reason::Unsupported(why.clone())),
            (Ok(problem), Some(target)) => {
                let found = SetSearch { context, problem, config, target }.run(observer)?;
                announce(&found.verdict, property, plan, observer);
                found
            }
        };
        add(&mut report, found, property, observer);
    }
    Ok(report)
}

fn add(
    report: &mut CheckReport,
    found: SearchReport,
    property: &Property,
    observer: &mut dyn Observer,
) {
    report.stats.add(&found.stats);
    report.peak_bytes = report.peak_bytes.max(found.peak_bytes);
    let found = found.for_property(property);
    announce_proof(&found, observer);
    report.properties.push(found);
}

/// The search for the errors of a target.
struct SetSearch<'s> {
    context: &'s CheckContext<'s>,
    problem: &'s SymbolicProblem,
    config: SetSearchConfig,
    target: SearchTarget,
}

/// The end of a search.
enum SetSearchEnd {
    Found(SymbolicPath),
    /// All states are known: none is an error, or nothing is known.
    Absent(Verdict),
}

impl SetSearch<'_> {
    fn run(&self, observer: &mut dyn Observer) -> Result<SearchReport, CheckError> {
        let Some(errors) = TargetErrors::new(self.problem, self.target) else {
            let why = "sets of states do not show the errors of this property: use another search";
            return Ok(SearchReport::unsupported(why));
        };
        let view = &self.problem.view;
        let costs = match self.config.algorithm {
            SetAlgorithm::BestFirst(_) => StepCosts::operators(&view.system, |one| one.cost),
            _ => StepCosts::steps(),
        };
        let (name, bytes) = (&self.context.plan.search.name, self.context.plan.bytes);
        let (searched, peak_bytes) = watched(name, bytes, observer, |limits| {
            let mut symbolic =
                SymbolicSystem::with_costs(&view.system, &view.ranges, limits(), costs);
            let searched = self.search(&mut symbolic, errors, limits);
            (searched, symbolic.forest().bytes() as u64)
        });
        let (end, statistics) = match searched {
            Ok(searched) => searched,
            Err(SymbolicError::Limit(limit)) => {
                let reason = Reason::Stopped(limit.stop());
                return Ok(SearchReport { peak_bytes, ..SearchReport::unknown(reason) });
            }
            Err(error) => return Ok(SearchReport::unsupported(error.to_string())),
        };
        let verdict = match end {
            SetSearchEnd::Found(path) => Verdict::Violated(vec![self.violation(&path)?]),
            SetSearchEnd::Absent(verdict) => verdict,
        };
        let sets = effort(&statistics);
        let expanded = statistics.expanded.to_u64().unwrap_or(u64::MAX);
        let stats = Stats { stored: expanded, expanded, ..Stats::default() };
        Ok(SearchReport { stats, peak_bytes, sets, ..SearchReport::of(verdict) })
    }

    fn search(
        &self,
        symbolic: &mut SymbolicSystem<'_>,
        errors: TargetErrors<'_>,
        limits: &MakeLimits<'_>,
    ) -> Result<(SetSearchEnd, SymbolicSearchStatistics), SymbolicError> {
        let mut reached = None;
        let mut states: CostedSets = Vec::new();
        let system = &self.problem.view.system;
        if self.config.needs_reachable() || system.excess.is_some() {
            let all = symbolic.reachable(SymbolicStrategy::Auto)?.states;
            if let Some(excess) = excess(symbolic, system, &all.free)? {
                let why = Reason::Unsupported(refuse_excess(excess, SUBJECT));
                let none = SymbolicSearchStatistics::default();
                return Ok((SetSearchEnd::Absent(Verdict::Unknown(why)), none));
            }
            states = errors.goal().find(symbolic, &all.free)?;
            reached = Some(all);
        }
        let SymbolicOutcome { path, statistics } = match (&reached, self.config.algorithm) {
            (Some(_), _) if states.is_empty() => {
                SymbolicOutcome { path: None, statistics: SymbolicSearchStatistics::default() }
            }
            (Some(within), SetAlgorithm::Backward | SetAlgorithm::Bidirectional) => {
                self.within(symbolic, errors, &states, within)?
            }
            (_, SetAlgorithm::BestFirst(ranking)) => {
                let (states, condition) = (&states, &errors.condition());
                let abstraction: &BuildAbstraction<'_> =
                    &|order, errors| self.abstraction(order, errors);
                let errors_of = EstimatedErrors { states, condition, abstraction };
                let mut estimate = symbolic.estimate(self.config.estimate, errors_of, limits)?;
                symbolic.best_first(&mut errors.goal(), &mut *estimate, ranking)?
            }
            _ => symbolic.breadth_first(&mut errors.goal())?,
        };
        let end = match path {
            Some(path) => SetSearchEnd::Found(path),
            None => SetSearchEnd::Absent(self.without_path(symbolic, reached)?),
        };
        Ok((end, statistics))
    }

    /// A merge-and-shrink abstraction towards these errors.
    fn abstraction(&self, order: &[FactorId], errors: &mut ErrorValues<'_>) -> CascadingTables {
        let view = &self.problem.view;
        let bytes = self.context.plan.bytes.unwrap_or(usize::MAX);
        let deadline = Deadline::NEVER;
        let mut errors = |factors: &[FactorId]| errors(factors);
        let request = AbstractionRequest { view, order, errors: &mut errors, bytes, deadline };
        self.context.system.abstraction(request)
    }

    /// Backward or bidirectional search within the reachable states.
    fn within(
        &self,
        symbolic: &mut SymbolicSystem<'_>,
        errors: TargetErrors<'_>,
        states: &CostedSets,
        within: &ControlSets,
    ) -> Result<SymbolicOutcome, SymbolicError> {
        let mut goal = symbolic.forest().empty();
        for (_, part) in states {
            goal = symbolic.forest().union(&goal, part)?;
        }
        let mut outcome = match self.config.algorithm {
            SetAlgorithm::Backward => symbolic.backward(&goal, within)?,
            _ => symbolic.bidirectional(&goal, within)?,
        };
        if let Some(path) = &mut outcome.path {
            path.cost += u64::from(errors.is_step());
        }
        Ok(outcome)
    }

    /// The verdict after a search without a path: all states are known, but none after a terminal
    /// fault.
    fn without_path(
        &self,
        symbolic: &mut SymbolicSystem<'_>,
        reached: Option<ControlSets>,
    ) -> Result<Verdict, SymbolicError> {
        let reached = match reached {
            Some(reached) => reached,
            None => symbolic.reachable(SymbolicStrategy::Auto)?.states,
        };
        let met = terminal_fault(symbolic, self.problem, &reached.free)?;
        Ok(met.map_or(Verdict::Holds, |kind| Verdict::Unknown(Reason::NothingAfter(kind))))
    }

    /// The violation at the end of a path, replayed.
    fn violation(&self, path: &SymbolicPath) -> Result<Violation, CheckError> {
        let space = self.context.system.space();
        let found = concrete_path(space, &self.problem.view, &path.states, self.target);
        let (states, kind) = found.ok_or_else(not_a_path)?;
        let config = self.config;
        let bound = |moves: u64| match config.algorithm {
            SetAlgorithm::BestFirst(_) if config.is_optimal() => path.cost,
            SetAlgorithm::BestFirst(_) => moves.min(1),
            _ => moves,
        };
        Ok(self.context.task(self.target).witness(&states, kind, bound)?)
    }
}

/// The effort of a search; nothing if the reachable states alone decided.
fn effort(statistics: &SymbolicSearchStatistics) -> Option<SetEffort> {
    let &SymbolicSearchStatistics { iterations, largest_frontier, .. } = statistics;
    let states = statistics.expanded.to_string();
    (iterations > 0).then_some(SetEffort { sets: iterations, states, largest: largest_frontier })
}
