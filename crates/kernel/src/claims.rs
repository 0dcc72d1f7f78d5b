//! What a heuristic promises. A report says *shortest* only when the promises
//! and the algorithm together allow it.

/// The promises of a heuristic. Tests hold it to them on small models, against
/// true distances.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Claims {
    /// Never more than the true distance, so A\* finds a cheapest trail.
    pub admissible: bool,
    /// Never falls by more than a step costs, so A\* never reopens a state.
    pub consistent: bool,
    /// A dead end is one: no error is reachable from there, so leaving it out
    /// cannot turn a violated property into one that holds.
    pub safe: bool,
}

impl Claims {
    /// No promise at all: good for direction, for nothing else.
    pub const NONE: Claims = Claims { admissible: false, consistent: false, safe: false };

    /// Every promise, as the blind heuristic (zero everywhere) keeps it.
    pub const ALL: Claims = Claims { admissible: true, consistent: true, safe: true };
}
