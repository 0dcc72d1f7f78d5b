//! Explores a model breadth-first, and observes its states.

use beeline_kernel::{Expansion, FaultKind, Space, StateId, Stop};
use beeline_model::Reason;
use beeline_search::{ExactStore, Inserted, StateSet as _, StoreLimits};

use super::meter::Meter;
use super::observed_graph::ObservedGraph;
use super::report::Observation;
use crate::observe::TERMINAL_FAULTS;

/// The reachable states of a model.
pub(super) struct ExploredModel {
    pub(super) graph: ObservedGraph,
    /// The states, with the numbers of the graph.
    pub(super) store: ExactStore,
}

/// Explores all states. `observed` has the numbers of the invariants that are observed.
///
/// # Errors
///
/// When a limit is reached, or a step fails so that the run cannot go on.
pub(super) fn explore(
    space: &dyn Space,
    observed: &[u32],
    meter: &mut Meter<'_>,
) -> Result<ExploredModel, Reason> {
    let mut state = Vec::new();
    space.initial(&mut state).map_err(|_| Reason::InitialFault)?;
    let mut store = ExactStore::new(StoreLimits { bytes: meter.free(), states: usize::MAX });
    number(store.insert(&state)).map_err(Reason::Stopped)?;
    let mut graph = ObservedGraph::default();
    let (mut expander, mut expansion) = (space.expander(), Expansion::default());
    while let Some(id) = StateId::new(graph.len()).filter(|id| id.index() < store.len()) {
        store.load(id, &mut state);
        expander.expand_only(&state, &mut expansion);
        let mut faults = expansion.faults.iter().map(|failure| failure.fault.kind);
        if let Some(kind) = faults.find(|&kind| ends_run(kind)) {
            return Err(Reason::NothingAfter(kind));
        }
        let successors = expansion.states().map(|next| number(store.insert(next)));
        let successors = successors.collect::<Result<Vec<u32>, Stop>>().map_err(Reason::Stopped)?;
        graph.push(observation(&expansion, observed), successors);
        meter.stats.stored = store.len() as u64;
        meter.work(store.bytes() + graph.bytes()).map_err(Reason::Stopped)?;
    }
    meter.keep(store.bytes() + graph.bytes());
    Ok(ExploredModel { graph, store })
}

/// The number of a stored state.
fn number(inserted: Inserted) -> Result<u32, Stop> {
    match inserted {
        Inserted::New(id) | Inserted::Old(id) => Ok(id.index() as u32),
        Inserted::Covered | Inserted::Full => Err(Stop::Memory),
    }
}

/// Whether no state follows a fault.
fn ends_run(kind: FaultKind) -> bool {
    !kind.is_survivable() || TERMINAL_FAULTS.contains(&kind)
}

/// The observation of an expanded state.
fn observation(expansion: &Expansion, observed: &[u32]) -> Observation {
    if observed.is_empty() {
        return Observation(u64::from(expansion.is_empty()));
    }
    let is_true = |number: &u32| !expansion.violated_invariants.contains(number);
    let bits = observed.iter().enumerate().map(|(at, number)| u64::from(is_true(number)) << at);
    Observation(bits.sum())
}
