//! Searching as HSF-SPIN did, and counting as its papers count.
//!
//! Source: \[ELL00\] §4, \[ELL01\] §3, \[EMJ05\]. The searches are those of everyone else; what
//! is special here are the letters that name them (`letters.rs`), what is counted
//! (`counting.rs`), and that a search is for one kind of error.
//! Deviation: an array index out of bounds, or a message with a wrong number of fields, ends
//! every search, since nothing behind it is explored; and a verdict is *unknown* where it was
//! not established.

mod counting;
mod letters;
mod way;

use std::fmt;

use beeline_engine::automata;
use beeline_engine::claim::{Claim, Product};
use beeline_engine::interpreter::{Machine, Stepwise};
use beeline_engine::trail::TrailFile;
use beeline_heuristics::{BuildError, Built, Goal, Resources, build_with};
use beeline_kernel::spec::Spec;
use beeline_kernel::{Fault, FaultKind, Space};
use beeline_promela::hir::{Model, ProcessId, ProcessKind};
use beeline_search::{
    Climb, CompactStore, Deepening, Dive, ExactStore, Faults, Hit, Limits, Memory, Method, Outcome,
    Quest, Revisit, Search, StateStore, Stats, Target, Test,
};
pub use beeline_search::{Successors, Weight};

pub use self::counting::Counting;
pub use self::letters::{ALGORITHMS, Algorithm, ERRORS, HEURISTICS, Letter, Sought, find};
use self::way::Way;
use crate::check::CheckError;
use crate::directed::{self, Heuristics, STILLBORN};
use crate::engine::Engine;
use crate::files::FileAccess;
use crate::lossy;
use crate::noting::LAST;
use crate::rules::Rules;
use crate::run::drive;
use crate::searches::Algorithm as Modern;
use crate::stores::Store;
use crate::watch::Watch;
use crate::witness::Wrong;

/// What to run.
#[derive(Clone, Debug)]
pub struct Plan {
    /// The algorithm.
    pub algorithm: Algorithm,
    /// What A\* multiplies estimates with.
    pub weight: Option<Weight>,
    /// The heuristic.
    pub heuristic: Spec,
    /// What to look for.
    pub sought: Sought,
    /// How to count.
    pub counting: Counting,
    /// The order of successors.
    pub successors: Successors,
    /// How the model is understood.
    pub rules: Rules,
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

impl Default for Plan {
    /// What HSF-SPIN did when it was told nothing.
    fn default() -> Plan {
        Plan {
            algorithm: ALGORITHMS[0].value,
            weight: None,
            heuristic: Spec::named(HEURISTICS[0].value),
            sought: ERRORS[0].value,
            counting: Counting::default(),
            successors: Successors::default(),
            rules: Rules::default(),
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
pub struct Report {
    /// The verdict.
    pub ending: Ending,
    /// The counters.
    pub stats: Stats,
    /// The most memory that was held.
    pub peak_bytes: u64,
}

/// How a search ended.
#[derive(Clone, Debug)]
pub enum Ending {
    /// With an error.
    Found(Found),
    /// With nothing, and every state was covered.
    Nothing,
    /// Neither was established, for this reason.
    Unknown(String),
}

/// An error, with the way there.
#[derive(Clone, Debug)]
pub struct Found {
    /// What is wrong.
    pub wrong: Wrong,
    /// The trail. It was replayed.
    pub trail: TrailFile,
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
pub fn run(model: &Model, plan: &Plan, watch: &mut dyn Watch) -> Result<Report, HsfError> {
    let options = automata::Options::OPTIMISED;
    let machine = plan.rules.machine(model, options);
    let machine = match plan.sought {
        Sought::Claim => {
            let claim = claim_of(&machine, plan)?;
            machine.watched_by(claim)
        }
        Sought::Deadlock | Sought::Assertion => machine,
    };
    let system: Box<dyn Space + '_> = match plan.counting {
        Counting::Y2000 => Box::new(Stepwise(&machine)),
        Counting::Y2001 => plan.engine.space(&machine).0,
    };
    let product = Product::new(&machine, &*system);
    let space: &dyn Space = product.as_ref().map_or(&*system, |product| product);
    let goal = match plan.sought {
        Sought::Claim => Goal::Claim,
        Sought::Assertion => Goal::Assertions,
        Sought::Deadlock => Goal::Deadlock,
    };
    let (files, deadline) = (plan.files.files(), watch.deadline());
    let resources = Resources { files, deadline, ..Resources::default() };
    let heuristic = build_with(&plan.heuristic, &machine, &goal, resources);
    let heuristic = heuristic.map_err(HsfError::Heuristic)?;
    let merged = options.allowed_by(model).merge;
    if let Err(fault) = space.initial(&mut Vec::new()) {
        return Ok(stillborn(plan, fault, merged));
    }
    let mut search = match start(plan, space, heuristic) {
        Ok(search) => search,
        Err(why) => {
            let (ending, stats) = (Ending::Unknown(why), Stats::default());
            return Ok(Report { ending, stats, peak_bytes: 0 });
        }
    };
    let ending = drive(&mut *search, watch, |_, _| false);
    let (outcome, peak_bytes) = (ending.outcome, ending.peak_bytes);
    let stats = counting::counted(&*search, plan.algorithm, plan.counting, space, plan.successors);
    let way = Way { machine: &machine, counting: plan.counting, merged };
    let ending = match (outcome, search.hits().first()) {
        (_, Some(&hit)) => judge(&*search, hit, plan, &way).map_err(HsfError::Check)?,
        (Outcome::Incomplete(stop), None) => {
            Ending::Unknown(lossy::reason(stop, search.omissions()))
        }
        _ if machine.claim().is_some_and(Claim::is_about_cycles) => Ending::Unknown(
            "the claim never comes to its end; accepting cycles are not looked for".to_owned(),
        ),
        _ => Ending::Nothing,
    };
    Ok(Report { ending, stats, peak_bytes })
}

/// The only never claim of the model, if a search can follow it.
fn claim_of(machine: &Machine<'_>, plan: &Plan) -> Result<Claim, HsfError> {
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
    if plan.counting == Counting::Y2000 {
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
    plan: &Plan,
    space: &'a dyn Space,
    heuristic: Built<'a>,
) -> Result<Box<dyn Search + 'a>, String> {
    // Nothing is explored behind these, so they must not go unnoticed.
    let mut blind_spots = LAST.map(|(kind, _)| kind).to_vec();
    let target = match plan.sought {
        Sought::Deadlock => Target { faults: Faults::of(&blind_spots), ..Target::DEADLOCK },
        Sought::Assertion => Target::FAULT,
        Sought::Claim => {
            blind_spots.push(FaultKind::Claim);
            Target { faults: Faults::of(&blind_spots), ..Target::NOTHING }
        }
    };
    let limits = Limits { bytes: plan.bytes, ..Limits::default() };
    let quest = Quest { limits, ..Quest::new(target) };
    let successors = plan.successors;
    let algorithm = match plan.algorithm {
        Algorithm::AStar => {
            let method = plan.weight.map_or(Method::A_STAR, Method::weighted);
            Modern::BestFirst(Method { successors, ..method })
        }
        Algorithm::Greedy => Modern::BestFirst(Method { successors, ..Method::GREEDY }),
        Algorithm::Breadth => Modern::BestFirst(Method { successors, ..Method::DIJKSTRA }),
        Algorithm::Depth => {
            let branching = successors.into();
            Modern::DepthFirst(Dive { revisit: Revisit::Never, branching, ..Dive::default() })
        }
        Algorithm::IdaStar => {
            let is_lossy = plan.store.is_lossy();
            let memory = if is_lossy { Memory::Path } else { Memory::Table(usize::MAX) };
            Modern::Ida(Deepening { memory, test: Test::Generation, successors })
        }
        Algorithm::Climbing => Modern::HillClimbing(Climb::Enforced),
    };
    match plan.store {
        store if store.is_lossy() => {
            lossy::start(space, algorithm, Heuristics::only(heuristic), (store, plan.seed), quest)
        }
        Store::Cache { .. } => Err("the store cache is for check and count".to_owned()),
        Store::Compact => start_in::<CompactStore>(space, algorithm, heuristic, quest),
        _ => start_in::<ExactStore>(space, algorithm, heuristic, quest),
    }
}

fn start_in<'a, T: StateStore + 'a>(
    space: &'a dyn Space,
    algorithm: Modern,
    heuristic: Built<'a>,
    quest: Quest<'a>,
) -> Result<Box<dyn Search + 'a>, String> {
    let search = directed::start::<T>(space, algorithm, Heuristics::only(heuristic), quest);
    search.map_err(|_| STILLBORN.to_owned())
}

/// What a hit means.
fn judge(search: &dyn Search, hit: Hit, plan: &Plan, way: &Way<'_>) -> Result<Ending, CheckError> {
    use beeline_search::FindingKind::Fault;
    match hit.kind {
        // The model would go on; it is our states that have no room.
        Fault(fault) if fault.kind == FaultKind::Limit => {
            return Ok(Ending::Unknown(fault.kind.to_string()));
        }
        Fault(fault) if plan.sought == Sought::Claim && fault.kind != FaultKind::Claim => {
            return Ok(Ending::Unknown(format!("the model fails first: {}", fault.kind)));
        }
        _ => {}
    }
    let (trail, steps, wrong) = way.trail(&search.path(0), hit.kind)?;
    Ok(Ending::Found(Found { wrong, trail, steps, is_shortest: search.is_shortest(0) }))
}

/// The report on a model that fails before its first step.
fn stillborn(plan: &Plan, fault: Fault, merged: bool) -> Report {
    let ending = match plan.sought {
        Sought::Assertion => {
            let trail = TrailFile { merged, ..TrailFile::default() };
            let wrong = Wrong::Fault(fault.kind);
            Ending::Found(Found { wrong, trail, steps: 0, is_shortest: true })
        }
        Sought::Deadlock | Sought::Claim => {
            Ending::Unknown(format!("the model fails before its first step: {}", fault.kind))
        }
    };
    Report { ending, stats: Stats { errors: 1, ..Stats::default() }, peak_bytes: 0 }
}
