//! Properties that are no property of single states: a claim (a never claim, a formula or labels)
//! takes part, and the state space is the product of the system with it.

use beeline_search::Lasso;

use crate::unsupported::Unsupported;
use crate::violation::{Unconfirmed, Violation};

/// What is known of a claim before its product is explored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ClaimFacts {
    /// Some cycles are violations; otherwise the end of the claim is the only one.
    pub about_cycles: bool,
    /// It matters how many steps there are (`X`), so that none may be merged.
    pub counts_steps: bool,
    /// It is written as a never claim, so that nothing is known of what it counts.
    pub is_never_claim: bool,
}

/// How the product of a system with a claim is built.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ProductOptions {
    /// With partial order reduction of the system.
    pub reduced: bool,
}

/// The claim of a system that is a product.
pub trait ProductClaim: Sync {
    /// What is known of the claim.
    fn facts(&self) -> ClaimFacts;

    /// The violation that a lasso of the product is, replayed. No trail has fewer steps than
    /// `bound`.
    ///
    /// # Errors
    ///
    /// When the replay does not show it.
    fn lasso_witness(&self, lasso: &Lasso, bound: u64) -> Result<Violation, Unconfirmed>;

    /// Why the system is not reduced, where that was asked for.
    fn not_reduced(&self) -> Option<&Unsupported>;

    /// Remarks on a claim that nothing violates, after all states of the product were seen: it
    /// may hold vacuously.
    fn vacuity(&self) -> Vec<String>;
}
