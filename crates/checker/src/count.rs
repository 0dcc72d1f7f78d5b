//! Counting: explores all reachable states; errors do not end the exploration.

use beeline_kernel::{Space, Stop};
use beeline_model::{Model, System};
use beeline_search::{
    AfterHit, CompactStore, CoveringStore, ExactStore, Exploration, ExplorationOptions,
    ExplorationOrder, Outcome, Search, SearchQuery, SearchTarget, StateStore, Stats,
};

use crate::observe::{Observer, drive};
use crate::plan::{Plan, Store};
use crate::report::{CheckError, CountReport};
use crate::safety::{caching, explore_in_threads, reduced_in_threads, through_all};
use crate::task::{ActiveReduction, reducing, reducing_lossy};

/// Counts the reachable states of a model; with a reduction, those of the space that is reduced for
/// deadlocks.
///
/// # Errors
///
/// When the requested reduction is unsound, or the search refuses it.
pub fn count(
    model: &dyn Model,
    plan: &Plan,
    observer: &mut dyn Observer,
) -> Result<CountReport, CheckError> {
    let mut report = None;
    model.with_system(&[], plan.system_options(), &mut |system| {
        report = Some(count_system(system, plan, observer));
    });
    report.expect("a model runs what it is given")
}

fn count_system(
    system: &dyn System,
    plan: &Plan,
    observer: &mut dyn Observer,
) -> Result<CountReport, CheckError> {
    let mut initial = Vec::new();
    let alive = system.space().initial(&mut initial);
    let store = plan.store.chosen(initial.len(), system.space().has_coverage());
    let report = CountReport {
        stopped: None,
        omissions: None,
        initial_fault: alive.err().map(|fault| fault.kind),
        stats: Stats { errors: u64::from(alive.is_err()), ..Stats::default() },
        peak_bytes: 0,
        engine: system.engine(),
        store,
        remark: None,
    };
    let targets = [SearchTarget::DEADLOCK];
    let (reducing, remark) = if store.forgets() {
        reducing_lossy(system, &targets, plan, (store, ExplorationOrder::Depth))?
    } else {
        reducing(system, &targets, plan)?
    };
    let (reducing, report) = (reducing.as_ref(), CountReport { remark, ..report });
    count_with(system.space(), reducing, report, plan, observer)
}

fn count_with(
    space: &dyn Space,
    reducing: Option<&ActiveReduction<'_>>,
    report: CountReport,
    plan: &Plan,
    observer: &mut dyn Observer,
) -> Result<CountReport, CheckError> {
    match report.store {
        _ if report.initial_fault.is_some() => Ok(report),
        Store::HashCompact { .. } | Store::Bitstate { .. } => {
            Ok(count_lossily(space, reducing, report, plan, observer))
        }
        Store::Compact => match count_in_threads(space, reducing, &report, plan, observer) {
            Some(counted) => Ok(counted),
            None => count_in::<CompactStore>(space, reducing, report, plan, observer),
        },
        Store::Exact | Store::Auto => {
            match count_in_threads(space, reducing, &report, plan, observer) {
                Some(counted) => Ok(counted),
                None => count_in::<ExactStore>(space, reducing, report, plan, observer),
            }
        }
        Store::Covering => count_in::<CoveringStore>(space, reducing, report, plan, observer),
        Store::Cache { states, bytes } => {
            Ok(count_in_cache(space, (states, bytes), report, plan, observer))
        }
    }
}

/// Counts in threads. `None` if there is one thread, or store or reduction have no variant for more.
fn count_in_threads(
    space: &dyn Space,
    reducing: Option<&ActiveReduction<'_>>,
    report: &CountReport,
    plan: &Plan,
    observer: &mut dyn Observer,
) -> Option<CountReport> {
    let options = plan.in_parallel()?;
    let counted = |search: &mut dyn Search| counted(search, report.clone(), observer);
    let explored = match reducing {
        None => explore_in_threads(space, report.store, options, plan, counted)?.ok(),
        Some(reducing) => reduced_in_threads(space, report.store, options, reducing, counted)?.ok(),
    };
    // Without an initial state, there is nothing to count.
    Some(explored.unwrap_or_else(|| report.clone()))
}

fn count_in<T: StateStore>(
    space: &dyn Space,
    reducing: Option<&ActiveReduction<'_>>,
    report: CountReport,
    plan: &Plan,
    observer: &mut dyn Observer,
) -> Result<CountReport, CheckError> {
    let options = ExplorationOptions { any_paths: true, ..plan.exploration() };
    let Ok(mut exploration) = Exploration::<T>::with_store(space, options) else {
        return Ok(report);
    };
    if let Some(reducing) = reducing {
        exploration = reducing.reduced(exploration, space)?;
    }
    Ok(counted(&mut exploration, report, observer))
}

/// Runs a search of all states to its end.
fn counted(
    search: &mut dyn Search,
    report: CountReport,
    observer: &mut dyn Observer,
) -> CountReport {
    let ending = drive(search, observer, |_, _| false);
    let stopped = match ending.outcome {
        Outcome::Incomplete(stop) => Some(stop),
        Outcome::Complete | Outcome::Found => None,
    };
    let (stats, peak_bytes) = (search.stats(), ending.peak_bytes);
    CountReport { stopped, stats, peak_bytes, ..report }
}

/// Counts depth-first, whatever the order of the plan.
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

/// Counts depth-first until the cache removes a state, which would be counted again.
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
