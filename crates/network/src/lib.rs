//! Process networks with pairwise synchronisation, as in \[DFP06\] §2.1.
//!
//! [`read`](read()) parses a [`Network`], which prints itself in the same format. [`Composition`]
//! is its state space; [`NetworkReplayer`] is an independent implementation for replaying trails.
//! [`generate`] has the network families of the paper.
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
