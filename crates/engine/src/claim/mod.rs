//! Claims: automata that observe a system and accept its violating runs.
//!
//! A claim moves first: in every state it takes one move whose conditions hold there, then the
//! system takes one step; states inside an atomic sequence do not count. A claim that cannot move
//! rejects the run. A run is a violation if the claim reaches its end or passes accepting states
//! infinitely often. If the system cannot move, it stutters and the claim continues.
//!
//! Claims are never claims (`never.rs`), negated formulas (`formula.rs`), or come from labels:
//! cycles without progress, and cycles through accept labels. [`Product`] is the system with its
//! claim, as a state space.

mod conditions;
mod dump;
mod evaluate;
mod fair;
mod formula;
mod labels;
mod never;
mod persistence;
mod product;
mod undefined_conditions;
mod word;

pub use crate::claim_automaton::{
    Claim, ClaimCondition, ClaimLiteral, ClaimMove, ClaimState, Origin,
};
pub use dump::{ClaimText, dump};
pub use fair::{FairSpace, MOST_FAIR_PROCESSES, fairness_mark};
pub use formula::{AtomizedFormula, ClaimError, is_temporal};
pub use persistence::PersistenceProduct;
pub use product::Product;
pub use word::{ClaimFollower, RunPosition};
