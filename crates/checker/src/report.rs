//! Reports as plain data: the results of checks, counts and improvements.

use std::fmt;

use beeline_kernel::{FaultKind, Stop};
use beeline_model::{
    Engine, FollowError, HeuristicError, Property, Reason, Trail, TrailError, Unconfirmed, Verdict,
    Violation,
};
use beeline_search::{Omissions, Outcome, Refusal, Stats};

use crate::plan::{Plan, Store};

/// A property with its verdict.
#[derive(Clone, Debug)]
pub struct PropertyReport {
    /// The property.
    pub property: Property,
    /// The verdict.
    pub verdict: Verdict,
    /// The heuristic that was used for it, if any.
    pub heuristic: Option<String>,
    /// The search that found the violation, if several ran.
    pub by: Option<String>,
    /// For an unknown verdict: the nearest miss.
    pub nearest: Option<NearestMiss>,
    /// Remarks on the verdict.
    pub remarks: Vec<String>,
    /// Runs that show why a formula of branching time holds, or that show its violation together.
    pub witness: Vec<WitnessTrail>,
    /// The effort of a search on sets of states, if there was one.
    pub sets: Option<SetEffort>,
}

/// The effort of a search on sets of states.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SetEffort {
    /// Sets that were taken for expansion; the set of the goal at the end counts as well.
    pub sets: usize,
    /// States that were expanded, each as often as it was: a decimal number.
    pub states: String,
    /// The nodes of the largest set that was expanded.
    pub largest: usize,
}

/// A run of a witness, and those that continue it.
#[derive(Clone, Debug)]
pub struct WitnessTrail {
    /// The replayed trail, from the initial state.
    pub trail: Trail,
    /// Its steps.
    pub steps: u64,
    /// The number of steps of the cycle, if there is one.
    pub cycle: Option<u64>,
    /// Whether it ends in a state without steps, which repeats for ever.
    pub rests: bool,
    /// Runs that go on from its end.
    pub then: Vec<WitnessTrail>,
}

impl PropertyReport {
    /// A verdict without heuristic, finder and remarks.
    pub(crate) fn new(property: &Property, verdict: Verdict) -> PropertyReport {
        let property = property.clone();
        let (heuristic, by, nearest, remarks) = (None, None, None, Vec::new());
        let (witness, sets) = (Vec::new(), None);
        PropertyReport { property, verdict, heuristic, by, nearest, remarks, witness, sets }
    }
}

/// The state that a search without a violation estimated closest to an error.
#[derive(Clone, Debug)]
pub struct NearestMiss {
    /// The estimated number of steps from the state to an error.
    pub estimate: u32,
    /// The heuristic.
    pub heuristic: String,
    /// The number of steps to the state.
    pub steps: u64,
    /// The trail to the state.
    pub trail: Trail,
}

/// The result of the search for one property.
pub(crate) struct SearchReport {
    pub(crate) verdict: Verdict,
    pub(crate) stats: Stats,
    pub(crate) peak_bytes: u64,
    /// The heuristic that was used.
    pub(crate) heuristic: Option<String>,
    /// For an unknown verdict: the nearest miss.
    pub(crate) nearest: Option<NearestMiss>,
    /// The search that found the violation, if several ran.
    pub(crate) by: Option<String>,
    /// Remarks on the verdict.
    pub(crate) remarks: Vec<String>,
    /// The effort of a search on sets of states, if there was one.
    pub(crate) sets: Option<SetEffort>,
}

impl SearchReport {
    /// A verdict with empty counters and without remarks.
    pub(crate) fn of(verdict: Verdict) -> SearchReport {
        let (stats, remarks) = (Stats::default(), Vec::new());
        let (heuristic, nearest, by, sets) = (None, None, None, None);
        SearchReport { verdict, stats, peak_bytes: 0, heuristic, nearest, by, remarks, sets }
    }

    /// An unknown verdict.
    pub(crate) fn unknown(reason: Reason) -> SearchReport {
        SearchReport::of(Verdict::Unknown(reason))
    }

    /// An unknown verdict, since the request is not supported.
    pub(crate) fn unsupported(why: impl Into<String>) -> SearchReport {
        SearchReport::unknown(Reason::unsupported(why))
    }

    /// Converts to the report on a property.
    pub(crate) fn for_property(self, property: &Property) -> PropertyReport {
        let SearchReport { verdict, heuristic, nearest, by, remarks, sets, .. } = self;
        let (property, witness) = (property.clone(), Vec::new());
        PropertyReport { property, verdict, heuristic, by, nearest, remarks, witness, sets }
    }
}

/// The result of a check.
#[derive(Clone, Debug, Default)]
pub struct CheckReport {
    /// In the order of the request.
    pub properties: Vec<PropertyReport>,
    /// The counters.
    pub stats: Stats,
    /// Peak memory in bytes.
    pub peak_bytes: u64,
    /// The engine that computed successors.
    pub engine: Engine,
    /// The store.
    pub store: Store,
}

impl CheckReport {
    /// Adds the properties of another report, and its counters.
    pub(crate) fn append(&mut self, other: CheckReport) {
        if self.properties.is_empty() {
            *self = other;
            return;
        }
        self.properties.extend(other.properties);
        self.stats.add(&other.stats);
        self.peak_bytes = self.peak_bytes.max(other.peak_bytes);
    }

    /// The report on an interrupted check. `known` has the violations until then, each with the
    /// name of its property; all other properties are unknown.
    pub fn interrupted(
        properties: &[Property],
        plan: &Plan,
        known: &[(String, Violation)],
        stats: Stats,
        stop: Stop,
    ) -> CheckReport {
        let report = |property: &Property| {
            let found = known.iter().rev().find(|(name, _)| *name == property.name);
            let verdict = match found {
                Some((_, violation)) => Verdict::Violated(vec![violation.clone()]),
                None => Verdict::Unknown(Reason::StoppedInside(stop)),
            };
            PropertyReport::new(property, verdict)
        };
        CheckReport {
            properties: properties.iter().map(report).collect(),
            stats,
            peak_bytes: stats.store_bytes,
            engine: plan.engine,
            store: plan.store,
        }
    }
}

/// Why there is no report.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CheckError {
    /// A finding that the replay does not show: an internal error.
    Unconfirmed(Unconfirmed),
    /// The requested heuristic cannot be built: a user error.
    Heuristic(HeuristicError),
    /// The requested reduction is not possible: a user error.
    Reduction(String),
}

impl fmt::Display for CheckError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            CheckError::Unconfirmed(error) => error.fmt(f),
            CheckError::Heuristic(error) => error.fmt(f),
            CheckError::Reduction(why) => f.write_str(why),
        }
    }
}

impl std::error::Error for CheckError {}

impl From<Unconfirmed> for CheckError {
    fn from(error: Unconfirmed) -> CheckError {
        CheckError::Unconfirmed(error)
    }
}

impl From<HeuristicError> for CheckError {
    fn from(error: HeuristicError) -> CheckError {
        CheckError::Heuristic(error)
    }
}

impl From<Refusal> for CheckError {
    fn from(refusal: Refusal) -> CheckError {
        CheckError::Reduction(refusal.to_string())
    }
}

/// The result of a count.
#[derive(Clone, Debug)]
pub struct CountReport {
    /// The reason if the count is incomplete.
    pub stopped: Option<Stop>,
    /// The model fails before its first step, so there is nothing to count.
    pub initial_fault: Option<FaultKind>,
    /// The estimated omissions of a lossy store; the counts are lower bounds then.
    pub omissions: Option<Omissions>,
    /// The counts.
    pub stats: Stats,
    /// Peak memory in bytes.
    pub peak_bytes: u64,
    /// The engine that computed successors.
    pub engine: Engine,
    /// The store.
    pub store: Store,
    /// A remark on the count.
    pub remark: Option<String>,
}

impl CountReport {
    /// The report on an interrupted count.
    pub fn interrupted(plan: &Plan, stop: Stop, stats: Stats) -> CountReport {
        CountReport {
            stopped: Some(stop),
            initial_fault: None,
            omissions: None,
            stats,
            peak_bytes: stats.store_bytes,
            engine: plan.engine,
            store: plan.store,
            remark: None,
        }
    }
}

/// One improvement of a trail.
#[derive(Clone, Debug)]
pub struct Improvement {
    /// The method that found it.
    pub by: String,
    /// The steps of the improved trail.
    pub steps: u64,
    /// The counters of the searches until then; elimination and filter are not counted.
    pub stats: Stats,
}

/// The result of an improvement.
#[derive(Clone, Debug)]
pub struct Improved {
    /// The steps of the given trail.
    pub given: u64,
    /// The best trail with its certificate of length. It may be the given one.
    pub violation: Violation,
    /// The improvements, in order.
    pub log: Vec<Improvement>,
    /// The outcome of the search for shorter trails.
    pub outcome: Outcome,
    /// The counters.
    pub stats: Stats,
    /// Peak memory in bytes.
    pub peak_bytes: u64,
}

/// Why a trail cannot be improved.
#[derive(Clone, Debug)]
pub enum ImproveError {
    /// It is not a trail of this model.
    Trail(TrailError),
    /// It leads to no error.
    NoError,
    /// Its cycle does not close, or is of another kind.
    Cycle,
    /// A search failed: a user error or an internal one.
    Check(CheckError),
}

impl fmt::Display for ImproveError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ImproveError::Trail(error) => error.fmt(f),
            ImproveError::NoError => f.write_str("it leads to no error"),
            ImproveError::Cycle => f.write_str("its cycle does not close"),
            ImproveError::Check(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for ImproveError {}

impl From<FollowError> for ImproveError {
    fn from(error: FollowError) -> ImproveError {
        match error {
            FollowError::Trail(error) => ImproveError::Trail(error),
            FollowError::NoError => ImproveError::NoError,
            FollowError::Cycle => ImproveError::Cycle,
        }
    }
}

impl From<CheckError> for ImproveError {
    fn from(error: CheckError) -> ImproveError {
        ImproveError::Check(error)
    }
}

impl From<Unconfirmed> for ImproveError {
    fn from(error: Unconfirmed) -> ImproveError {
        ImproveError::Check(error.into())
    }
}
