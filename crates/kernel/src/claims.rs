//! Guarantees of a heuristic. A report says *shortest* only if these and the algorithm allow it.

/// The guarantees of a heuristic. Tests check them on small models, against true distances.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Claims {
    /// Never greater than the true distance, so that A\* finds a cheapest trail.
    pub admissible: bool,
    /// Never decreasing by more than the cost of a step, so that A\* never reopens a state.
    pub consistent: bool,
    /// Dead ends are correct: no error is reachable from them, so that pruning them cannot turn a
    /// violated property into one that holds.
    pub safe: bool,
}

impl Claims {
    /// No guarantee: the estimates can only order states.
    pub const NONE: Claims = Claims { admissible: false, consistent: false, safe: false };

    /// All guarantees, as of the blind heuristic (zero everywhere).
    pub const ALL: Claims = Claims { admissible: true, consistent: true, safe: true };
}
