//! Networks of processes that move alone or in pairs, as \[DFP06\] §2.1 has them.
//!
//! [`read`](read()) makes a [`Network`] of a text, and a network prints itself as one. A
//! [`Composition`] is its state space; [`Executed`] is the same once more, as plain as can be, for
//! replaying trails. [`generate`] holds the families of networks that the paper measures.
#![forbid(unsafe_code)]

mod builder;
mod composition;
mod executed;
pub mod generate;
mod layout;
mod mistake;
mod network;
mod print;
mod read;
mod trail;

pub use builder::Builder;
pub use composition::Composition;
pub use executed::{Executed, NeverError};
pub use layout::Layout;
pub use mistake::Mistake;
pub use network::{Action, ActionId, MOST_STATES, Network, Process, Transition};
pub use read::read;
pub use trail::{Line, lines, steps_along};
