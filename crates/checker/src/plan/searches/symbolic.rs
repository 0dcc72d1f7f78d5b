//! Searches on sets of states: their arguments.

use beeline_kernel::registry::{ArgumentError, ArgumentRow, Arguments};
use beeline_symbolic::{BucketChoice, EstimateKind, SymbolicRanking};

/// A search on sets of states.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SetSearchConfig {
    /// The algorithm.
    pub algorithm: SetAlgorithm,
    /// The estimate of best-first searches.
    pub estimate: EstimateKind,
}

/// The algorithms on sets of states.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SetAlgorithm {
    /// Layers from the initial state.
    Forward,
    /// Layers from the errors, within the reachable states.
    Backward,
    /// Layers from both, within the reachable states.
    Bidirectional,
    /// The sets of the least rank first.
    BestFirst(SymbolicRanking),
}

pub(super) const DIRECTION: ArgumentRow = ArgumentRow::new(
    "direction",
    "forward, backward, both",
    "from the initial state, from the errors among the reachable states, or from both",
);
pub(super) const ESTIMATE: ArgumentRow = ArgumentRow::new(
    "h",
    "pattern, dpa, fsm, hamming, formula, blind",
    "the estimate as sets: the sum of distances in projections on the locations of some processes, \
     the distance in a merge-and-shrink abstraction, the sum of the distances of all locations, the number of other values, the distance of the condition \
     from being true, or 0",
);
pub(super) const SET_WEIGHT: ArgumentRow =
    ArgumentRow::new("w", "1, or a whole number", "f = g + w·h");
pub(super) const BUCKETS: ArgumentRow = ArgumentRow::new(
    "buckets",
    "f, gh",
    "what is expanded together: all states of the least f, or those with the same g and h \
     (gh-search)",
);

/// The largest weight.
const MOST_WEIGHT: usize = 1_000;

/// Breadth-first search.
pub(super) fn breadth_first(arguments: &Arguments<'_>) -> Result<SetSearchConfig, ArgumentError> {
    let directions = [
        ("forward", SetAlgorithm::Forward),
        ("backward", SetAlgorithm::Backward),
        ("both", SetAlgorithm::Bidirectional),
    ];
    let algorithm = arguments.choice(DIRECTION.name, &directions)?;
    Ok(SetSearchConfig { algorithm, estimate: EstimateKind::Zero })
}

/// Dijkstra's algorithm.
pub(super) fn dijkstra() -> SetSearchConfig {
    let algorithm = SetAlgorithm::BestFirst(SymbolicRanking::DIJKSTRA);
    SetSearchConfig { algorithm, estimate: EstimateKind::Zero }
}

/// BDD-A* and gh-search.
pub(super) fn a_star(arguments: &Arguments<'_>) -> Result<SetSearchConfig, ArgumentError> {
    let weight = arguments.count(SET_WEIGHT.name, 0, MOST_WEIGHT)?.unwrap_or(1);
    let buckets = [("f", BucketChoice::Rank), ("gh", BucketChoice::LeastCost)];
    let choice = arguments.choice(BUCKETS.name, &buckets)?;
    let ranking = SymbolicRanking { choice, ..SymbolicRanking::weighted(weight as u64) };
    best_first(arguments, ranking)
}

/// Greedy best-first search.
pub(super) fn greedy(arguments: &Arguments<'_>) -> Result<SetSearchConfig, ArgumentError> {
    best_first(arguments, SymbolicRanking::GREEDY)
}

fn best_first(
    arguments: &Arguments<'_>,
    ranking: SymbolicRanking,
) -> Result<SetSearchConfig, ArgumentError> {
    let estimates = [
        ("pattern", EstimateKind::Pattern),
        ("dpa", EstimateKind::Abstraction),
        ("fsm", EstimateKind::Fsm),
        ("hamming", EstimateKind::Hamming),
        ("formula", EstimateKind::Formula),
        ("blind", EstimateKind::Zero),
    ];
    let estimate = arguments.choice(ESTIMATE.name, &estimates)?;
    Ok(SetSearchConfig { algorithm: SetAlgorithm::BestFirst(ranking), estimate })
}

impl SetSearchConfig {
    /// Whether it finds trails with the fewest steps.
    pub(crate) fn is_optimal(self) -> bool {
        let is_admissible = matches!(
            self.estimate,
            EstimateKind::Zero | EstimateKind::Pattern | EstimateKind::Abstraction
        );
        match self.algorithm {
            SetAlgorithm::BestFirst(ranking) => {
                ranking.h == 0 || is_admissible && ranking.h <= ranking.g
            }
            _ => false,
        }
    }

    /// Whether the reachable states are computed first.
    pub(crate) fn needs_reachable(self) -> bool {
        match self.algorithm {
            SetAlgorithm::Forward => false,
            SetAlgorithm::Backward | SetAlgorithm::Bidirectional => true,
            SetAlgorithm::BestFirst(_) => {
                !matches!(self.estimate, EstimateKind::Zero | EstimateKind::Formula)
            }
        }
    }
}
