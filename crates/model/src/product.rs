//! Properties of runs rather than of single states: a claim (a never claim, a formula or labels)
//! observes the system, and the state space is the product of both.

use beeline_kernel::Space;
use beeline_search::Lasso;

use crate::unsupported::Unsupported;
use crate::violation::{Unconfirmed, Violation};

/// What is known of a claim before its product is explored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ClaimFacts {
    /// Accepting cycles are violations; otherwise only the end of the claim is.
    pub about_cycles: bool,
    /// The claim can count steps (`X`), so that steps must not be merged.
    pub counts_steps: bool,
    /// It is written as a never claim, so that it is unknown whether it counts steps.
    pub is_never_claim: bool,
}

/// How the product of a system with a claim is built.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ProductOptions {
    /// Apply partial order reduction to the system.
    pub reduced: bool,
}

/// The claim of a system that is a product.
pub trait ProductClaim: Sync {
    /// What is known of the claim.
    fn facts(&self) -> ClaimFacts;

    /// The violation of a lasso of the product, replayed. No trail has fewer steps than `bound`.
    ///
    /// # Errors
    ///
    /// When the replay does not show the violation.
    fn lasso_witness(&self, lasso: &Lasso, bound: u64) -> Result<Violation, Unconfirmed>;

    /// The system alone, if the claim waits for a condition to hold for ever.
    fn persistence(&self) -> Option<Box<dyn Persistence + '_>> {
        None
    }

    /// Why a requested reduction was not applied.
    fn not_reduced(&self) -> Option<&Unsupported>;

    /// Remarks on a claim without violations, once all states of the product were explored: it may
    /// hold vacuously.
    fn vacuity(&self) -> Vec<String>;
}

/// A system whose claim waits for a condition to hold for ever, without the states of the claim.
pub trait Persistence: Sync {
    /// The system. A state accepts where the condition holds, and a cycle violates the property if
    /// all its states accept.
    fn space(&self) -> &dyn Space;

    /// The lasso of the product that belongs to a lasso of the system.
    fn product_lasso(&self, lasso: &Lasso) -> Lasso;
}
