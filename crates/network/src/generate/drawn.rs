//! Random networks with a reachable error: networks are drawn until one has an error.
//!
//! [DFP06] §6 excludes systems without error paths. A greedy search with a limit of states decides;
//! a system without a result is excluded, too.

use std::fmt;

use beeline_kernel::Resources;
use beeline_kernel::spec::Spec;
use beeline_search::{
    BestFirst, BestFirstConfig, Limits, Outcome, Search, SearchQuery, SearchTarget,
};

use super::random::random;
use crate::components::NetworkComponents;
use crate::composition::Composition;
use crate::heuristics::build_network_heuristic;
use crate::network::Network;
use crate::system::ERROR;

/// State limit of the search for an error.
const STATES: usize = 1_000_000;
/// The greatest number of drawn systems.
const DRAWS: u64 = 1_000;

/// No network with an error was drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DrawError {
    /// The requested number of processes.
    pub processes: usize,
}

impl fmt::Display for DrawError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "none of {DRAWS} networks of {} processes has an error", self.processes)
    }
}

impl std::error::Error for DrawError {}

/// A random network of this many processes, at least two, in which an error is reachable. It
/// depends on the seed only.
///
/// # Errors
///
/// When a thousand draws yield none.
pub fn draw_random(processes: usize, seed: u64) -> Result<Network, DrawError> {
    // The draws of neighbouring seeds are disjoint.
    let draw = |at: u64| random(processes, seed.wrapping_mul(DRAWS).wrapping_add(at));
    (0..DRAWS).map(draw).find(has_error).ok_or(DrawError { processes })
}

fn has_error(network: &Network) -> bool {
    let (space, factored) = (Composition::new(network), NetworkComponents::new(network));
    let spec = Spec::parse("dpa(n=100)").expect("it is written as a spec is");
    let heuristic = build_network_heuristic(&spec, &factored, Resources::default())
        .expect("there is such a heuristic");
    let limits = Limits { states: Some(STATES), ..Limits::default() };
    let query = SearchQuery { limits, ..SearchQuery::new(SearchTarget::invariant(ERROR)) };
    let search = BestFirst::new(&space, heuristic, BestFirstConfig::GREEDY, query);
    search.expect("a network always begins").finish() == Outcome::Found
}
