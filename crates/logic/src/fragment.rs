//! Syntactic fragments of formulas.
//!
//! The test is syntactic: a formula outside of a fragment may be equivalent to one inside. It
//! applies to the rewritten formula.
//!
//! Source: \[MP90\] for the hierarchy of properties; \[Lam83\] for stutter invariance of formulas
//! without X.

use crate::formula::Formula;
use crate::pool::{Pool, Rewriting};

/// The fragments of a formula.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fragment {
    /// Stutter-invariant: there is no X.
    pub stutter_invariant: bool,
    /// Safety: every violating word has a bad prefix.
    pub safety: bool,
    /// Co-safety: every satisfying word has a good prefix.
    pub co_safety: bool,
    /// Obligation: a boolean combination of both, so that a weak deterministic automaton exists.
    pub obligation: bool,
}

impl Fragment {
    /// The fragments of a formula.
    #[must_use]
    pub fn of(formula: &Formula) -> Self {
        let mut pool = Pool::new();
        let root = pool.read(formula, Rewriting::Full);
        let facts = pool.facts(root);
        Self {
            stutter_invariant: !facts.has_next,
            safety: facts.safety,
            co_safety: facts.guarantee,
            obligation: facts.obligation,
        }
    }
}
