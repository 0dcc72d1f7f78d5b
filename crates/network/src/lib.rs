//! Networks of processes that move alone or in pairs, as \[DFP06\] §2.1 has them.
//!
//! [`read`](read()) makes a [`Network`] of a text, and a network prints itself as one. A
//! [`Composition`] is its state space; [`NetworkReplayer`] is the same once more, as plain as can be, for
//! replaying trails. [`generate`] holds the families of networks that the paper measures.
#![forbid(unsafe_code)]

mod builder;
mod composition;
mod error;
pub mod generate;
mod layout;
mod network;
mod print;
mod read;
mod replayer;
mod trail;

pub use builder::NetworkBuilder;
pub use composition::Composition;
pub use error::NetworkSyntaxError;
pub use layout::NetworkLayout;
pub use network::{ActionId, LocalTransition, MOST_STATES, Network, NetworkProcess, SharedAction};
pub use read::read;
pub use replayer::{NetworkReplayer, NoErrorState};
pub use trail::{StepDescription, lines, steps_along};
