//! Searches as in HSF-SPIN, with the counters of its papers.
//!
//! Source: \[ELL00\] §4, \[ELL01\] §3, \[EMJ05\]. The searches are those of the crate `search`.
//! Their letters (`option_letters.rs`) and counters (`counting.rs`) are special, and each search is
//! for one kind of error.
//! Deviation: an array index out of bounds, or a message with a wrong number of fields, ends every
//! search, since no state after it is explored; without a proof or a violation, the verdict is
//! *unknown*.

mod counting;
mod option_letters;

use std::fmt;

use beeline_kernel::spec::Spec;
use beeline_kernel::{BoxedHeuristic, FaultKind, Faults, Resources, Space};
use beeline_model::{
    Aim, Certificate, Engine, ErrorKind, HeuristicError, Model, ProductOptions, PropertyKind,
    Reason, System, SystemOptions, Unconfirmed, Unsupported, Verdict, Violation,
};
use beeline_search::{
    BestFirstConfig, ClimbKind, DfsConfig, DirectedAlgorithm, FindingKind, GoalTest, Hit,
    IdaConfig, IdaMemory, Limits, Outcome, Revisit, Search, SearchHeuristics, SearchQuery,
    SearchSetup, SearchTarget, Stats,
};
pub use beeline_search::{SuccessorOrder, Weight};

pub use self::counting::CountingConvention;
pub use self::option_letters::{
    ALGORITHMS, ERRORS, HEURISTICS, HsfAlgorithm, HsfTarget, OptionLetter, find,
};
use crate::observe::{Observer, TERMINAL_FAULTS, drive};
use crate::plan::{FileAccess, Store};
use crate::task::{not_started, search_store};

/// A search as in HSF-SPIN, with its options.
#[derive(Clone, Debug)]
pub struct HsfPlan {
    /// The algorithm.
    pub algorithm: HsfAlgorithm,
    /// The weight w of A\*, in f = g + w·h.
    pub weight: Option<Weight>,
    /// The heuristic.
    pub heuristic: Spec,
    /// The kind of error to search for.
    pub sought: HsfTarget,
    /// The counting convention.
    pub counting: CountingConvention,
    /// The order of successors.
    pub successors: SuccessorOrder,
    /// The engine that computes successors.
    pub engine: Engine,
    /// Memory limit in bytes.
    pub bytes: Option<usize>,
    /// The store, lossless or lossy.
    pub store: Store,
    /// Seed of the hash functions of a lossy store.
    pub seed: u64,
    /// Access to the files that the heuristic names.
    pub files: FileAccess,
}

impl Default for HsfPlan {
    /// The defaults of HSF-SPIN.
    fn default() -> HsfPlan {
        HsfPlan {
            algorithm: ALGORITHMS[0].value,
            weight: None,
            heuristic: Spec::named(HEURISTICS[0].value),
            sought: ERRORS[0].value,
            counting: CountingConvention::default(),
            successors: SuccessorOrder::default(),
            engine: Engine::default(),
            bytes: None,
            store: Store::Exact,
            seed: 1,
            files: FileAccess::default(),
        }
    }
}

/// The result of a search.
#[derive(Clone, Debug)]
pub struct HsfReport {
    /// The verdict: *holds* only after a complete search.
    pub verdict: Verdict,
    /// The counters.
    pub stats: Stats,
    /// Peak memory in bytes.
    pub peak_bytes: u64,
}

/// Why there is no report.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum HsfError {
    /// The heuristic cannot be built.
    Heuristic(HeuristicError),
    /// The search for the end of the never claim is not possible.
    Claim(Unsupported),
    /// A finding that the replay does not show: an internal error.
    Unconfirmed(Unconfirmed),
}

impl fmt::Display for HsfError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            HsfError::Heuristic(error) => error.fmt(f),
            HsfError::Claim(why) => why.fmt(f),
            HsfError::Unconfirmed(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for HsfError {}

/// Searches a model for one kind of error, and ends at the first one.
///
/// # Errors
///
/// When the heuristic or the never claim cannot be used, or when the replay does not show a
/// finding, which is an internal error.
pub fn run(
    model: &dyn Model,
    plan: &HsfPlan,
    observer: &mut dyn Observer,
) -> Result<HsfReport, HsfError> {
    let stepwise = plan.counting == CountingConvention::Y2000;
    let options = SystemOptions { engine: plan.engine, stepwise, ..SystemOptions::default() };
    let mut report = None;
    model.with_system(&[], options, &mut |system| {
        report = Some(match plan.sought {
            HsfTarget::Claim => search_claim(model, system, plan, observer),
            HsfTarget::Deadlock | HsfTarget::Assertion => search_system(system, plan, observer),
        });
    });
    report.expect("a model runs what it is given")
}

/// Searches for the end of the only never claim of the model.
fn search_claim(
    model: &dyn Model,
    system: &dyn System,
    plan: &HsfPlan,
    observer: &mut dyn Observer,
) -> Result<HsfReport, HsfError> {
    let fail = |why: &str| Err(HsfError::Claim(Unsupported::new(why)));
    let properties = model.properties();
    let mut claims = properties.iter().filter(|property| property.kind == PropertyKind::Never);
    let (Some(claim), None) = (claims.next(), claims.next()) else {
        return fail("a search for the never claim needs a model with one never claim");
    };
    // A claim does not observe states inside atomic sequences.
    if plan.counting == CountingConvention::Y2000 {
        return fail("a search for the never claim counts as in 2001");
    }
    let mut report = None;
    let built = system.with_product(claim, ProductOptions::default(), &mut |product| {
        report = Some(search_system(product, plan, observer));
    });
    built.map_err(HsfError::Claim)?;
    report.expect("a product runs what it is given")
}

fn search_system(
    system: &dyn System,
    plan: &HsfPlan,
    observer: &mut dyn Observer,
) -> Result<HsfReport, HsfError> {
    let space = system.space();
    let (files, deadline) = (plan.files.files(), observer.deadline());
    let resources = Resources { files, deadline, ..Resources::default() };
    let aim = Aim::Error(target(plan));
    let heuristic = system.heuristic(&plan.heuristic, aim, resources);
    let heuristic = heuristic.map_err(HsfError::Heuristic)?;
    if let Err(fault) = space.initial(&mut Vec::new()) {
        return Ok(initial_fault(plan, fault.kind, system));
    }
    let mut search = match start(plan, space, heuristic) {
        Ok(search) => search,
        Err(reason) => {
            let (verdict, stats) = (Verdict::Unknown(reason), Stats::default());
            return Ok(HsfReport { verdict, stats, peak_bytes: 0 });
        }
    };
    let ending = drive(&mut *search, observer, |_, _| false);
    let (outcome, peak_bytes) = (ending.outcome, ending.peak_bytes);
    let stats = counting::counted(&*search, plan.algorithm, plan.counting, space, plan.successors);
    let is_about_cycles = system.product_claim().is_some_and(|claim| claim.facts().about_cycles);
    let verdict = match (outcome, search.hits().first()) {
        (_, Some(&hit)) => judge(&*search, hit, plan, system).map_err(HsfError::Unconfirmed)?,
        (Outcome::Incomplete(stop), None) => Verdict::Unknown(Reason::of(stop, search.omissions())),
        _ if is_about_cycles => Verdict::Unknown(Reason::unsupported(
            "the claim does not reach its end; accepting cycles are not searched for",
        )),
        _ => Verdict::Holds,
    };
    Ok(HsfReport { verdict, stats, peak_bytes })
}

/// The target of the search. It includes faults after which no state is explored.
fn target(plan: &HsfPlan) -> SearchTarget {
    let mut unexplored = TERMINAL_FAULTS.to_vec();
    match plan.sought {
        HsfTarget::Deadlock => {
            SearchTarget { faults: Faults::of(&unexplored), ..SearchTarget::DEADLOCK }
        }
        HsfTarget::Assertion => SearchTarget::FAULT,
        HsfTarget::Claim => {
            unexplored.push(FaultKind::Claim);
            SearchTarget { faults: Faults::of(&unexplored), ..SearchTarget::NOTHING }
        }
    }
}

/// Starts the search. `Err` has the reason why it cannot start.
fn start<'a>(
    plan: &HsfPlan,
    space: &'a dyn Space,
    heuristic: BoxedHeuristic<'a>,
) -> Result<Box<dyn Search + 'a>, Reason> {
    let limits = Limits { bytes: plan.bytes, ..Limits::default() };
    let query = SearchQuery { limits, ..SearchQuery::new(target(plan)) };
    let successor_order = plan.successors;
    let best_first = |config| BestFirstConfig { successor_order, ..config };
    let algorithm: Box<dyn DirectedAlgorithm> = match plan.algorithm {
        HsfAlgorithm::AStar => {
            let config = plan.weight.map_or(BestFirstConfig::A_STAR, BestFirstConfig::weighted);
            Box::new(best_first(config))
        }
        HsfAlgorithm::Greedy => Box::new(best_first(BestFirstConfig::GREEDY)),
        HsfAlgorithm::Breadth => Box::new(best_first(BestFirstConfig::DIJKSTRA)),
        HsfAlgorithm::Depth => {
            let branching = successor_order.into();
            Box::new(DfsConfig { revisit: Revisit::Never, branching, ..DfsConfig::default() })
        }
        HsfAlgorithm::IdaStar => {
            let is_lossy = plan.store.is_lossy();
            let memory = if is_lossy { IdaMemory::Path } else { IdaMemory::Table(usize::MAX) };
            Box::new(IdaConfig { memory, goal_test: GoalTest::Generation, successor_order })
        }
        HsfAlgorithm::Climbing => Box::new(ClimbKind::Enforced),
    };
    if let Store::Cache { .. } = plan.store {
        return Err(Reason::unsupported("the store cache is for check and count"));
    }
    let store = search_store(plan.store, plan.seed, query.limits)?;
    let heuristics = SearchHeuristics::only(heuristic);
    let setup = SearchSetup { space, heuristics, query, reduction: None };
    algorithm.start_with(setup, store).map_err(|error| {
        not_started(error).expect("there is no reduction that the search could refuse")
    })
}

/// The verdict of a search with a hit.
fn judge(
    search: &dyn Search,
    hit: Hit,
    plan: &HsfPlan,
    system: &dyn System,
) -> Result<Verdict, Unconfirmed> {
    match hit.kind {
        // A limit of our states, not an error of the model.
        FindingKind::Fault(fault) if fault.kind == FaultKind::Limit => {
            return Ok(Verdict::Unknown(Reason::unsupported(fault.kind.to_string())));
        }
        FindingKind::Fault(fault)
            if plan.sought == HsfTarget::Claim && fault.kind != FaultKind::Claim =>
        {
            let why = format!("the model fails first: {}", fault.kind);
            return Ok(Verdict::Unknown(Reason::unsupported(why)));
        }
        _ => {}
    }
    let is_shortest = search.is_shortest(0);
    let bound = |_| if is_shortest { u64::MAX } else { 0 };
    Ok(Verdict::Violated(vec![system.witness(&search.path(0), hit.kind, &bound)?]))
}

/// The report on a model that fails before its first step.
fn initial_fault(plan: &HsfPlan, kind: FaultKind, system: &dyn System) -> HsfReport {
    let verdict = match plan.sought {
        HsfTarget::Assertion => {
            let (error, trail) = (ErrorKind::Fault(kind), system.empty_trail());
            let length = Certificate::default();
            Verdict::Violated(vec![Violation { error, trail, length, cycle: None }])
        }
        HsfTarget::Deadlock | HsfTarget::Claim => Verdict::Unknown(Reason::unsupported(format!(
            "the model fails before its first step: {kind}"
        ))),
    };
    HsfReport { verdict, stats: Stats { errors: 1, ..Stats::default() }, peak_bytes: 0 }
}
