//! Checking and counting process networks: the same searches and stores as for Promela, with
//! heuristics of their own.
//!
//! There is one property: that not all processes are in error states at once. *Violated* needs a
//! trail that leads to such a state when it is executed again; *holds* needs every reachable
//! state to have been explored, but for those from which an abstraction proves that there is no
//! error; everything else is *unknown*, with the reason.

mod auto;
mod draw;
mod factored;
mod heuristics;
mod search;

pub use draw::{DrawError, draw_random};
pub use factored::FactoredNetwork;
pub use heuristics::{NETWORK_HEURISTICS, NetworkHeuristicRow, build_network_heuristic};

pub(crate) use heuristics::is_network_heuristic;

use beeline_kernel::replay::replay;
use beeline_kernel::{Space, Trail};
use beeline_network::{
    Composition, Network, NetworkReplayer, NoErrorState, StepDescription, lines, steps_along,
};
use beeline_search::{CompactStore, ExactStore, FindingKind, Stats};

use crate::check::CheckError;
use crate::count::{CountReport, count_space};
use crate::observer::Observer;
use crate::reduction::ReductionChoice;
use crate::run::Plan;
use crate::stores::Store;

/// The answer to whether an error can be reached.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NetworkVerdict {
    /// It cannot.
    Holds,
    /// It can, like this.
    Violated(NetworkTrail),
    /// Neither was established, for this reason.
    Unknown(String),
}

/// The way to an error.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NetworkTrail {
    /// The steps in words. Those of processes that begin are among them.
    pub lines: Vec<StepDescription>,
    /// How many steps there are, beginnings left aside.
    pub steps: u64,
    /// No trail has fewer steps than this.
    pub lower_bound: u64,
}

impl NetworkTrail {
    /// Whether it is proved that no trail is shorter.
    pub fn is_shortest(&self) -> bool {
        self.steps <= self.lower_bound
    }
}

/// What a check of a network found.
#[derive(Clone, Debug)]
pub struct NetworkReport {
    /// The answer.
    pub verdict: NetworkVerdict,
    /// What was done for it.
    pub stats: Stats,
    /// The most memory that was held.
    pub peak_bytes: u64,
    /// What states were kept in.
    pub store: Store,
    /// The heuristic that was used, if any.
    pub heuristic: Option<String>,
    /// What else there is to say.
    pub remarks: Vec<String>,
}

/// Checks a network.
///
/// # Errors
///
/// When a trail cannot be confirmed, which is a bug of ours; and when the heuristic or the
/// reduction that was asked for cannot be had.
pub fn check_network(
    network: &Network,
    plan: &Plan,
    observer: &mut dyn Observer,
) -> Result<NetworkReport, CheckError> {
    refuse_reduction(plan)?;
    let space = Composition::new(network);
    let store = plan.store.chosen(initial_bytes(&space));
    let errand = search::NetworkSearch { network, space: &space, plan, store };
    match store {
        Store::Compact => errand.run::<CompactStore>(observer),
        _ => errand.run::<ExactStore>(observer),
    }
}

/// Counts the states of a network.
///
/// # Errors
///
/// When a reduction is asked for: there is none for networks.
pub fn count_network(
    network: &Network,
    plan: &Plan,
    observer: &mut dyn Observer,
) -> Result<CountReport, CheckError> {
    refuse_reduction(plan)?;
    let space = Composition::new(network);
    let store = plan.store.chosen(initial_bytes(&space));
    count_space(&space, store, plan, observer)
}

fn refuse_reduction(plan: &Plan) -> Result<(), CheckError> {
    match plan.reduce {
        ReductionChoice::Auto | ReductionChoice::Off => Ok(()),
        ReductionChoice::Stubborn { .. } => {
            Err(CheckError::Reduction("networks are not reduced: leave out --reduce".to_owned()))
        }
    }
}

fn initial_bytes(space: &Composition<'_>) -> usize {
    let mut initial = Vec::new();
    space.initial(&mut initial).expect("a network always begins");
    initial.len()
}

/// The trail along a path of states, executed again. The bound is made of its steps.
fn confirm(
    network: &Network,
    path: &[Vec<u8>],
    bound: impl FnOnce(u64) -> u64,
) -> Result<NetworkTrail, CheckError> {
    let finding = FindingKind::Invariant(0);
    let unconfirmed = |why: String| CheckError::Unconfirmed { finding, why };
    let system = NetworkReplayer::new(network);
    let steps = steps_along(&system, path);
    let steps = steps.ok_or_else(|| unconfirmed("a state does not follow".to_owned()))?;
    let trail = Trail::path(steps);
    let replayed = replay(&system, &NoErrorState::new(network), &trail);
    let replayed = replayed.map_err(|error| unconfirmed(error.to_string()))?;
    let steps = u64::from(replayed.cost.0);
    Ok(NetworkTrail { lines: lines(&system, &trail), steps, lower_bound: bound(steps).min(steps) })
}
