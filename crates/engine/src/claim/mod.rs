//! Claims: automata that watch a system and say what must not happen.
//!
//! A claim moves first: in every state it takes one move whose conditions are true there,
//! then the system takes one step; states inside of an atomic sequence do not count. A
//! claim that cannot move gives up on that run. One that comes to its end has seen what
//! must not happen, and so has one that passes an accepting place again and again. When
//! the system can do nothing any more, it stays where it is and the claim goes on.
//!
//! Where a claim comes from has a file for each: written by hand (`never.rs`), a formula
//! (`formula.rs`), or no words at all (`labels.rs`): cycles without progress, and cycles
//! through accept labels. [`Product`] is the system with its claim, as a state space.

mod conditions;
mod dump;
mod evaluate;
mod fair;
mod formula;
mod labels;
mod never;
mod product;
mod undefined_conditions;
mod word;

pub use crate::claim_automaton::{
    Claim, ClaimCondition, ClaimLiteral, ClaimMove, ClaimState, Origin,
};
pub use dump::{ClaimText, dump};
pub use fair::FairSpace;
pub use formula::{AtomizedFormula, ClaimError, is_temporal};
pub use product::Product;
pub use word::RunPosition;
