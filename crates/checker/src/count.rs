//! Counting: the whole reachable state space, whatever it contains.

use beeline_kernel::{FaultKind, Space, Stop};
use beeline_promela::hir::Model;
use beeline_search::{
    AfterHit, CompactStore, ExactStore, Exploration, ExplorationOrder, Omissions, Outcome, Search,
    SearchQuery, SearchTarget, StateStore, Stats,
};

use crate::check::CheckError;
use crate::engine::Engine;
use crate::lossy::{caching, through_all};
use crate::observer::Observer;
use crate::reduction::{ActiveReduction, reducing, reducing_lossy};
use crate::run::{Plan, drive};
use crate::stores::Store;

/// What a count found.
#[derive(Clone, Debug)]
pub struct CountReport {
    /// What kept the count from being complete.
    pub stopped: Option<Stop>,
    /// The model fails before its first step, so there is nothing to count.
    pub initial_fault: Option<FaultKind>,
    /// What the store has probably overlooked, if it is one that may: then the counts are
    /// lower bounds.
    pub omissions: Option<Omissions>,
    /// The counts.
    pub stats: Stats,
    /// The most memory that was held.
    pub peak_bytes: u64,
    /// Who computed the successors.
    pub engine: Engine,
    /// What states were kept in.
    pub store: Store,
    /// What else there is to say.
    pub remark: Option<String>,
}

impl CountReport {
    /// What can be said when a count had to be left: what was counted so far.
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

/// Counts the states of a model without errors. With a reduction, those that are left when
/// deadlocks are all that matters.
///
/// # Errors
///
/// When a reduction cannot be had as it was asked for.
pub fn count(
    model: &Model,
    plan: &Plan,
    observer: &mut dyn Observer,
) -> Result<CountReport, CheckError> {
    let machine = plan.semantics.machine(model, plan.automata());
    let (space, engine) = plan.engine.space(&machine);
    let mut initial = Vec::new();
    let alive = space.initial(&mut initial);
    let store = plan.store.chosen(initial.len());
    let report = CountReport {
        stopped: None,
        omissions: None,
        initial_fault: alive.err().map(|fault| fault.kind),
        stats: Stats { errors: u64::from(alive.is_err()), ..Stats::default() },
        peak_bytes: 0,
        engine,
        store,
        remark: None,
    };
    let targets = [SearchTarget::DEADLOCK];
    let (reducing, remark) = if store.forgets() {
        reducing_lossy(&machine, &targets, plan, (store, ExplorationOrder::Depth))?
    } else {
        reducing(&machine, &targets, plan)?
    };
    let (reducing, report) = (reducing.as_ref(), CountReport { remark, ..report });
    count_with(&*space, reducing, report, plan, observer)
}

/// Counts the states of a space that begins without a fault.
pub(crate) fn count_space(
    space: &dyn Space,
    store: Store,
    plan: &Plan,
    observer: &mut dyn Observer,
) -> Result<CountReport, CheckError> {
    let report = CountReport {
        stopped: None,
        omissions: None,
        initial_fault: None,
        stats: Stats::default(),
        peak_bytes: 0,
        engine: Engine::Interpreter,
        store,
        remark: None,
    };
    count_with(space, None, report, plan, observer)
}

fn count_with(
    space: &dyn Space,
    reducing: Option<&ActiveReduction<'_>>,
    report: CountReport,
    plan: &Plan,
    observer: &mut dyn Observer,
) -> Result<CountReport, CheckError> {
    match report.store {
        Store::Compact => count_in::<CompactStore>(space, reducing, report, plan, observer),
        _ if report.initial_fault.is_some() => Ok(report),
        Store::HashCompact { .. } | Store::Bitstate { .. } => {
            Ok(count_lossily(space, reducing, report, plan, observer))
        }
        Store::Exact | Store::Auto => {
            count_in::<ExactStore>(space, reducing, report, plan, observer)
        }
        Store::Cache { states, bytes } => {
            Ok(count_in_cache(space, (states, bytes), report, plan, observer))
        }
    }
}

fn count_in<T: StateStore>(
    space: &dyn Space,
    reducing: Option<&ActiveReduction<'_>>,
    report: CountReport,
    plan: &Plan,
    observer: &mut dyn Observer,
) -> Result<CountReport, CheckError> {
    let Ok(mut exploration) = Exploration::<T>::with_store(space, plan.exploration()) else {
        return Ok(report);
    };
    if let Some(reducing) = reducing {
        exploration = reducing.reduced(exploration, space)?;
    }
    let ending = drive(&mut exploration, observer, |_, _| false);
    let stopped = match ending.outcome {
        Outcome::Incomplete(stop) => Some(stop),
        Outcome::Complete | Outcome::Found => None,
    };
    let (stats, peak_bytes) = (exploration.stats(), ending.peak_bytes);
    Ok(CountReport { stopped, stats, peak_bytes, ..report })
}

/// Counts depth-first, whatever was asked for.
fn count_lossily(
    space: &dyn Space,
    reducing: Option<&ActiveReduction<'_>>,
    report: CountReport,
    plan: &Plan,
    observer: &mut dyn Observer,
) -> CountReport {
    let Ok(mut search) = through_all(space, plan, report.store, ExplorationOrder::Depth, reducing)
    else {
        return CountReport { stopped: Some(Stop::Memory), ..report };
    };
    let ending = drive(&mut *search, observer, |_, _| false);
    let stopped = match ending.outcome {
        Outcome::Incomplete(stop) => stop,
        Outcome::Complete | Outcome::Found => Stop::LossyStore,
    };
    let omissions = search.omissions().filter(|_| stopped == Stop::LossyStore);
    let (stats, peak_bytes) = (search.stats(), ending.peak_bytes);
    CountReport { stopped: Some(stopped), omissions, stats, peak_bytes, ..report }
}

/// Counts depth-first, until a state has to be forgotten: it would be counted twice.
fn count_in_cache(
    space: &dyn Space,
    (states, bytes): (Option<usize>, Option<usize>),
    report: CountReport,
    plan: &Plan,
    observer: &mut dyn Observer,
) -> CountReport {
    let limits = plan.limits();
    let query = SearchQuery {
        after_hit: AfterHit::Continue,
        limits,
        ..SearchQuery::new(SearchTarget::ANYTHING)
    };
    let Ok(mut search) = caching(space, states, bytes, query) else {
        return CountReport { stopped: Some(Stop::Memory), ..report };
    };
    let ending = drive(&mut search, observer, |search, _| search.forgotten() > 0);
    let stopped = match ending.outcome {
        _ if search.forgotten() > 0 => Some(Stop::Memory),
        Outcome::Incomplete(stop) => Some(stop),
        Outcome::Complete | Outcome::Found => None,
    };
    let (stats, peak_bytes) = (search.stats(), ending.peak_bytes);
    CountReport { stopped, stats, peak_bytes, ..report }
}
