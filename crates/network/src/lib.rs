//! Networks of processes that move alone or in pairs, as \[DFP06\] §2.1 has them.
//!
//! [`read`](read()) makes a [`Network`] of a text, and a network prints itself as one. A
//! [`Composition`] is its state space; a [`NetworkReplayer`] executes it once more, as plainly as
//! possible, to replay trails. [`NetworkModel`] implements the contract of all languages.
//! [`generate`] holds the families of networks that the paper measures.
#![forbid(unsafe_code)]

mod builder;
mod components;
mod composition;
mod error;
pub mod generate;
mod heuristics;
mod layout;
mod model;
mod network;
mod print;
mod read;
mod replayer;
mod system;

pub use builder::NetworkBuilder;
pub use components::NetworkComponents;
pub use composition::Composition;
pub use error::NetworkSyntaxError;
pub use heuristics::{NETWORK_HEURISTICS, NetworkHeuristicRow, build_network_heuristic};
pub use layout::NetworkLayout;
pub use model::NetworkModel;
pub use network::{ActionId, LocalTransition, MOST_STATES, Network, NetworkProcess, SharedAction};
pub use read::read;
pub use replayer::{NetworkReplayer, NetworkStep, ReplayedTrail};
