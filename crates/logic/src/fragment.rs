//! What the shape of a formula says about its language.
//!
//! All of this is syntactic: a formula that is not in a fragment may be equivalent to
//! one that is. It is asked of the formula as it is after rewriting.
//!
//! Source: the classes are those of Manna and Pnueli's hierarchy; that formulas without X
//! cannot tell stuttering is Lamport's.

use crate::formula::Formula;
use crate::pool::{Pool, Rewriting};

/// The fragments that a formula lies in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fragment {
    /// Whether repeating letters makes no difference: there is no X.
    pub stutter_invariant: bool,
    /// Whether a word that violates it does so after finitely many letters.
    pub safety: bool,
    /// Whether a word that satisfies it does so after finitely many letters.
    pub co_safety: bool,
    /// Whether it is a boolean combination of the two, so that a weak deterministic
    /// automaton exists.
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
