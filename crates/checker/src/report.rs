//! Reports as plain data: what came of a check, of each property, and of a count.

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
    /// The search that found it violated, where several were at work.
    pub by: Option<String>,
    /// Where it is unknown: how near a search came.
    pub nearest: Option<NearestMiss>,
    /// What else there is to say about the verdict.
    pub remarks: Vec<String>,
}

impl PropertyReport {
    /// A verdict, and nothing else to say.
    pub(crate) fn new(property: &Property, verdict: Verdict) -> PropertyReport {
        let property = property.clone();
        let (heuristic, by, nearest, remarks) = (None, None, None, Vec::new());
        PropertyReport { property, verdict, heuristic, by, nearest, remarks }
    }
}

/// How near a search came to an error that it did not find.
#[derive(Clone, Debug)]
pub struct NearestMiss {
    /// The number of steps that were left, as the heuristic estimates.
    pub estimate: u32,
    /// The heuristic.
    pub heuristic: String,
    /// The number of steps to the state.
    pub steps: u64,
    /// The trail to it.
    pub trail: Trail,
}

/// What came of the search for one property.
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
    /// A verdict, and nothing else.
    pub(crate) fn of(verdict: Verdict) -> SearchReport {
        let (stats, remarks) = (Stats::default(), Vec::new());
        let (heuristic, nearest, by) = (None, None, None);
        SearchReport { verdict, stats, peak_bytes: 0, heuristic, nearest, by, remarks }
    }

    /// Nothing was established.
    pub(crate) fn unknown(reason: Reason) -> SearchReport {
        SearchReport::of(Verdict::Unknown(reason))
    }

    /// Nothing was established, since the request cannot be met.
    pub(crate) fn unsupported(why: impl Into<String>) -> SearchReport {
        SearchReport::unknown(Reason::unsupported(why))
    }

    /// As the report on its property.
    pub(crate) fn for_property(self, property: &Property) -> PropertyReport {
        let SearchReport { verdict, heuristic, nearest, by, remarks, .. } = self;
        PropertyReport { property: property.clone(), verdict, heuristic, by, nearest, remarks }
    }
}

/// What a check found.
#[derive(Clone, Debug, Default)]
pub struct CheckReport {
    /// In the order asked for.
    pub properties: Vec<PropertyReport>,
    /// What was done for it.
    pub stats: Stats,
    /// The most memory that was held.
    pub peak_bytes: u64,
    /// What computed the successors.
    pub engine: Engine,
    /// What states were kept in.
    pub store: Store,
}

impl CheckReport {
    /// The report on a check that was interrupted: the violations that were known by then,
    /// each with the name of its property, and that all else is unknown.
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
    /// The search found something that the replay does not show: a bug of ours.
    Unconfirmed(Unconfirmed),
    /// A heuristic cannot be had as it was asked for; no failure of ours.
    Heuristic(HeuristicError),
    /// A reduction cannot be had as it was asked for; no failure of ours.
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

/// What a count found.
#[derive(Clone, Debug)]
pub struct CountReport {
    /// What kept the count from being complete.
    pub stopped: Option<Stop>,
    /// The model fails before its first step, so there is nothing to count.
    pub initial_fault: Option<FaultKind>,
    /// The states that the store has probably overlooked, if it may: then the counts are
    /// lower bounds.
    pub omissions: Option<Omissions>,
    /// The counts.
    pub stats: Stats,
    /// The most memory that was held.
    pub peak_bytes: u64,
    /// What computed the successors.
    pub engine: Engine,
    /// What states were kept in.
    pub store: Store,
    /// What else there is to say.
    pub remark: Option<String>,
}

impl CountReport {
    /// The report on a count that was interrupted.
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
