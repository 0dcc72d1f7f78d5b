//! Checking of models: plans, strategies and reports. The crate names no language.
//!
//! [`check`] decides the properties of a [`Model`](beeline_model::Model) and replays each violation
//! before it is reported; [`count`] explores a whole state space; [`improve`] shortens a trail;
//! [`coverage`] records the statements that are executed; [`compare`] decides whether one model
//! simulates another; [`hsf`] searches and counts as HSF-SPIN did. A [`Plan`] has the options. The
//! crate uses no terminal, no file, no clock and no JSON.
//!
//! Each module imports only earlier ones of this list: plan, report, work, observe, task, context,
//! shorten, safety, symbolic, liveness, auto, check.
#![forbid(unsafe_code)]

mod auto;
mod branching;
mod check;
mod compare;
mod context;
mod count;
mod coverage;
mod exchange;
mod expectation;
pub mod hsf;
mod improve;
mod liveness;
mod observe;
mod overflow;
mod plan;
mod planning;
mod report;
mod safety;
mod shorten;
mod symbolic;
mod task;
mod unfair;
mod work;

pub use beeline_search::{Backoff, CycleCondition, ExplorationOrder, Omissions, Stats};
pub use beeline_symbolic::SymbolicStrategy;
pub use check::check;
pub use compare::{
    CompareError, CompareOptions, CompareReport, ComparedRun, Difference, Observation, Related,
    Relation, Side, StepMatching, compare,
};
pub use count::count;
pub use coverage::coverage;
pub use exchange::{
    ExchangeError, ExportedTask, ImportedPlan, export_queues, export_task, import_plan,
};
pub use expectation::{Comparison, Expectation, kind_of};
pub use improve::{ImproveOptions, improve};
pub use observe::{Event, NoObserver, Observer};
pub use plan::{
    AutoConfig, AutoOptions, CycleAlgorithm, CycleProviso, DirectedConfig, FileAccess, GreedyStart,
    HeuristicNames, Plan, PlanError, REDUCTIONS, ReductionChoice, ReductionRow, SEARCHES, STORES,
    SearchConfig, SearchRow, SetAlgorithm, SetSearchConfig, Store, StoreRow, Strategy, find_search,
    find_store, parse_reduction, parse_search, parse_store,
};
pub use planning::{
    PlanningProblem, PlanningReport, PlanningRequest, PlanningVerdict, SymmetryChoice,
    UpToSymmetry, find_plan,
};
pub use report::{
    CheckError, CheckReport, CountReport, ImproveError, Improved, Improvement, NearestMiss,
    PropertyReport, SetEffort, WitnessTrail,
};
pub use shorten::ImproveMethod;
pub use symbolic::{CountStop, SymbolicCount, SymbolicOptions, count_symbolically};
