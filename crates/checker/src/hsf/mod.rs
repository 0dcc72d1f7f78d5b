//! Searching as HSF-SPIN did, and counting as its papers count.
//!
//! Source: \[ELL00\] §4, \[ELL01\] §3, \[EMJ05\]. The searches are those of everyone else; what
//! is special here are the letters that name them (`letters.rs`), what is counted
//! (`counting.rs`), and that a search is for one kind of error.
//! Deviation: an array index out of bounds, or a message with a wrong number of fields, ends
//! every search, since nothing behind it is explored; and a verdict is *unknown* where it was
//! not established.

mod counting;
mod option_letters;
mod trail;

use std::fmt;

use beeline_engine::automata;
use beeline_engine::claim::{Claim, Product};
use beeline_engine::interpreter::{Machine, Stepwise};
use beeline_engine::trail::Trail;
use beeline_heuristics::{BoxedHeuristic, BuildError, HeuristicGoal, Resources, build_with};
use beeline_kernel::spec::Spec;
use beeline_kernel::{Fault, FaultKind, Space};
use beeline_promela::hir::{Model, ProcessId, ProcessKind};
use beeline_search::{
    BestFirstConfig, ClimbKind, CompactStore, DfsConfig, ExactStore, Faults, GoalTest, Hit,
    IdaConfig, IdaMemory, Limits, Outcome, Revisit, Search, SearchQuery, SearchTarget, StateStore,
    Stats,
};
pub use beeline_search::{SuccessorOrder, Weight};

pub use self::counting::CountingConvention;
pub use self::option_letters::{
    ALGORITHMS, ERRORS, HEURISTICS, HsfAlgorithm, HsfTarget, OptionLetter, find,
};
use self::trail::TrailRecorder;
use crate::check::CheckError;
use crate::directed::{self, Heuristics, INITIAL_FAULT};
use crate::engine::Engine;
use crate::fault_recorder::TERMINAL_FAULTS;
use crate::files::FileAccess;
use crate::lossy;
use crate::observer::Observer;
use crate::run::drive;
use crate::searches::DirectedAlgorithm as Modern;
use crate::semantics::SemanticsOptions;
use crate::stores::Store;
use crate::witness::ErrorKind;

/// What to run.
#[derive(Clone, Debug)]
pub struct HsfPlan {
    /// The algorithm.
    pub algorithm: HsfAlgorithm,
    /// What A\* multiplies estimates with.
    pub weight: Option<Weight>,
    /// The heuristic.
    pub heuristic: Spec,
    /// What to look for.
    pub sought: HsfTarget,
    /// How to count.
    pub counting: CountingConvention,
    /// The order of successors.
    pub successors: SuccessorOrder,
    /// How the model is understood.
    pub semantics: SemanticsOptions,
    /// Who computes successors.
    pub engine: Engine,
    /// Memory to use at most.
    pub bytes: Option<usize>,
    /// What states are kept in: in full, or in a store that may overlook some.
    pub store: Store,
    /// Of the hash functions of such a store.
    pub seed: u64,
    /// Files that the heuristic names.
    pub files: FileAccess,
}

impl Default for HsfPlan {
    /// What HSF-SPIN did when it was told nothing.
    fn default() -> HsfPlan {
        HsfPlan {
            algorithm: ALGORITHMS[0].value,
            weight: None,
            heuristic: Spec::named(HEURISTICS[0].value),
            sought: ERRORS[0].value,
            counting: CountingConvention::default(),
            successors: SuccessorOrder::default(),
            semantics: SemanticsOptions::default(),
            engine: Engine::default(),
            bytes: None,
            store: Store::Exact,
            seed: 1,
            files: FileAccess::default(),
        }
    }
}

/// What came of it.
#[derive(Clone, Debug)]
pub struct HsfReport {
    /// The verdict.
    pub ending: HsfOutcome,
    /// The counters.
    pub stats: Stats,
    /// The most memory that was held.
    pub peak_bytes: u64,
}

/// How a search ended.
#[derive(Clone, Debug)]
pub enum HsfOutcome {
    /// With an error.
    Found(HsfViolation),
    /// With nothing, and every state was covered.
    Nothing,
    /// Neither was established, for this reason.
    Unknown(String),
}

/// An error, with the way there.
#[derive(Clone, Debug)]
pub struct HsfViolation {
    /// What is wrong.
    pub error: ErrorKind,
    /// The trail. It was replayed.
    pub trail: Trail,
    /// Its length.
    pub steps: u64,
    /// Whether it is proved that there is no shorter one.
    pub is_shortest: bool,
}

/// Why there is no report.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum HsfError {
    /// The heuristic cannot be built.
    Heuristic(BuildError),
    /// The never claim cannot be searched for.
    Claim(String),
    /// A failure of ours.
    Check(CheckError),
}

impl fmt::Display for HsfError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            HsfError::Heuristic(error) => error.fmt(f),
            HsfError::Claim(why) => f.write_str(why),
            HsfError::Check(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for HsfError {}

/// Searches a model without errors for one kind of error, until the first.
///
/// # Errors
///
/// When the heuristic or the never claim cannot be used, or when an error that was found
/// cannot be confirmed, which is a bug of ours.
pub fn run(
    model: &Model,
    plan: &HsfPlan,
    observer: &mut dyn Observer,
) -> Result<HsfReport, HsfError> {
    let options = automata::AutomataOptions::OPTIMISED;
    let machine = plan.semantics.machine(model, options);
    let machine = match plan.sought {
        HsfTarget::Claim => {
            let claim = claim_of(&machine, plan)?;
            machine.watched_by(claim)
        }
        HsfTarget::Deadlock | HsfTarget::Assertion => machine,
    };
    let system: Box<dyn Space + '_> = match plan.counting {
        CountingConvention::Y2000 => Box::new(Stepwise(&machine)),
        CountingConvention::Y2001 => plan.engine.space(&machine).0,
    };
    let product = Product::new(&machine, &*system);
    let space: &dyn Space = product.as_ref().map_or(&*system, |product| product);
    let goal = match plan.sought {
        HsfTarget::Claim => HeuristicGoal::Claim,
        HsfTarget::Assertion => HeuristicGoal::Assertions,
        HsfTarget::Deadlock => HeuristicGoal::Deadlock,
    };
    let (files, deadline) = (plan.files.files(), observer.deadline());
    let resources = Resources { files, deadline, ..Resources::default() };
    let heuristic = build_with(&plan.heuristic, &machine, &goal, resources);
    let heuristic = heuristic.map_err(HsfError::Heuristic)?;
    let merged = options.allowed_by(model).merge;
    if let Err(fault) = space.initial(&mut Vec::new()) {
        return Ok(initial_fault(plan, fault, merged));
    }
    let mut search = match start(plan, space, heuristic) {
        Ok(search) => search,
        Err(why) => {
            let (ending, stats) = (HsfOutcome::Unknown(why), Stats::default());
            return Ok(HsfReport { ending, stats, peak_bytes: 0 });
        }
    };
    let ending = drive(&mut *search, observer, |_, _| false);
    let (outcome, peak_bytes) = (ending.outcome, ending.peak_bytes);
    let stats = counting::counted(&*search, plan.algorithm, plan.counting, space, plan.successors);
    let recorder = TrailRecorder { machine: &machine, counting: plan.counting, merged };
    let ending = match (outcome, search.hits().first()) {
        (_, Some(&hit)) => judge(&*search, hit, plan, &recorder).map_err(HsfError::Check)?,
        (Outcome::Incomplete(stop), None) => {
            HsfOutcome::Unknown(lossy::reason(stop, search.omissions()))
        }
        _ if machine.claim().is_some_and(Claim::is_about_cycles) => HsfOutcome::Unknown(
            "the claim never comes to its end; accepting cycles are not looked for".to_owned(),
        ),
        _ => HsfOutcome::Nothing,
    };
    Ok(HsfReport { ending, stats, peak_bytes })
}

/// The only never claim of the model, if a search can follow it.
fn claim_of(machine: &Machine<'_>, plan: &HsfPlan) -> Result<Claim, HsfError> {
    let fail = |why: &str| Err(HsfError::Claim(why.to_owned()));
    let processes = machine.model().processes.iter().enumerate();
    let claims: Vec<usize> = processes
        .filter(|(_, process)| process.kind == ProcessKind::Never)
        .map(|(number, _)| number)
        .collect();
    let [number] = claims[..] else {
        return fail("a search for the never claim needs a model with one never claim");
    };
    // A claim does not look at states inside of atomic sequences.
    if plan.counting == CountingConvention::Y2000 {
        return fail("a search for the never claim counts as in 2001");
    }
    let claim = ProcessId(number as u32);
    match machine.claim_obstacle(claim) {
        Some(obstacle) => fail(obstacle),
        None => Ok(machine.never_claim(claim)),
    }
}

/// The search, about to begin. `Err` says why it cannot.
fn start<'a>(
    plan: &HsfPlan,
    space: &'a dyn Space,
    heuristic: BoxedHeuristic<'a>,
) -> Result<Box<dyn Search + 'a>, String> {
    // Nothing is explored behind these, so they must not go unnoticed.
    let mut blind_spots = TERMINAL_FAULTS.map(|(kind, _)| kind).to_vec();
    let target = match plan.sought {
        HsfTarget::Deadlock => {
            SearchTarget { faults: Faults::of(&blind_spots), ..SearchTarget::DEADLOCK }
        }
        HsfTarget::Assertion => SearchTarget::FAULT,
        HsfTarget::Claim => {
            blind_spots.push(FaultKind::Claim);
            SearchTarget { faults: Faults::of(&blind_spots), ..SearchTarget::NOTHING }
        }
    };
    let limits = Limits { bytes: plan.bytes, ..Limits::default() };
    let query = SearchQuery { limits, ..SearchQuery::new(target) };
    let successors = plan.successors;
    let algorithm = match plan.algorithm {
        HsfAlgorithm::AStar => {
            let method = plan.weight.map_or(BestFirstConfig::A_STAR, BestFirstConfig::weighted);
            Modern::BestFirst(BestFirstConfig { successor_order: successors, ..method })
        }
        HsfAlgorithm::Greedy => Modern::BestFirst(BestFirstConfig {
            successor_order: successors,
            ..BestFirstConfig::GREEDY
        }),
        HsfAlgorithm::Breadth => Modern::BestFirst(BestFirstConfig {
            successor_order: successors,
            ..BestFirstConfig::DIJKSTRA
        }),
        HsfAlgorithm::Depth => {
            let branching = successors.into();
            Modern::DepthFirst(DfsConfig {
                revisit: Revisit::Never,
                branching,
                ..DfsConfig::default()
            })
        }
        HsfAlgorithm::IdaStar => {
            let is_lossy = plan.store.is_lossy();
            let memory = if is_lossy { IdaMemory::Path } else { IdaMemory::Table(usize::MAX) };
            Modern::Ida(IdaConfig {
                memory,
                goal_test: GoalTest::Generation,
                successor_order: successors,
            })
        }
        HsfAlgorithm::Climbing => Modern::HillClimbing(ClimbKind::Enforced),
    };
    match plan.store {
        store if store.is_lossy() => {
            lossy::start(space, algorithm, Heuristics::only(heuristic), (store, plan.seed), query)
        }
        Store::Cache { .. } => Err("the store cache is for check and count".to_owned()),
        Store::Compact => start_in::<CompactStore>(space, algorithm, heuristic, query),
        _ => start_in::<ExactStore>(space, algorithm, heuristic, query),
    }
}

fn start_in<'a, T: StateStore + 'a>(
    space: &'a dyn Space,
    algorithm: Modern,
    heuristic: BoxedHeuristic<'a>,
    query: SearchQuery<'a>,
) -> Result<Box<dyn Search + 'a>, String> {
    let search = directed::start::<T>(space, algorithm, Heuristics::only(heuristic), query);
    search.map_err(|_| INITIAL_FAULT.to_owned())
}

/// What a hit means.
fn judge(
    search: &dyn Search,
    hit: Hit,
    plan: &HsfPlan,
    recorder: &TrailRecorder<'_>,
) -> Result<HsfOutcome, CheckError> {
    use beeline_search::FindingKind::Fault;
    match hit.kind {
        // The model would go on; it is our states that have no room.
        Fault(fault) if fault.kind == FaultKind::Limit => {
            return Ok(HsfOutcome::Unknown(fault.kind.to_string()));
        }
        Fault(fault) if plan.sought == HsfTarget::Claim && fault.kind != FaultKind::Claim => {
            return Ok(HsfOutcome::Unknown(format!("the model fails first: {}", fault.kind)));
        }
        _ => {}
    }
    let (trail, steps, error) = recorder.trail(&search.path(0), hit.kind)?;
    Ok(HsfOutcome::Found(HsfViolation { error, trail, steps, is_shortest: search.is_shortest(0) }))
}

/// The report on a model that fails before its first step.
fn initial_fault(plan: &HsfPlan, fault: Fault, merged: bool) -> HsfReport {
    let ending = match plan.sought {
        HsfTarget::Assertion => {
            let trail = Trail { merged, ..Trail::default() };
            let error = ErrorKind::Fault(fault.kind);
            HsfOutcome::Found(HsfViolation { error, trail, steps: 0, is_shortest: true })
        }
        HsfTarget::Deadlock | HsfTarget::Claim => {
            HsfOutcome::Unknown(format!("the model fails before its first step: {}", fault.kind))
        }
    };
    HsfReport { ending, stats: Stats { errors: 1, ..Stats::default() }, peak_bytes: 0 }
}
