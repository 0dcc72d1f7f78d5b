//! Process networks with pairwise synchronisation, as in \[DFP06\] §2.1.
//!
//! [`read`](read()) parses a [`Network`], which prints itself in the same format. [`Composition`]
//! is its state space; [`NetworkReplayer`] is an independent implementation for replaying trails.
//! [`NetworkModel`] implements the contract of all languages. [`generate`] has the network families
//! of the paper.
#![forbid(unsafe_code)]

mod builder;
mod components;
mod composition;
mod error;
pub mod generate;
mod heuristics;
mod layout;
mod model;
mod narrator;
mod network;
mod print;
mod read;
mod replayer;
mod simulation;
mod system;

pub use builder::NetworkBuilder;
pub use components::NetworkComponents;
pub use composition::Composition;
pub use error::NetworkSyntaxError;
pub use heuristics::{
    NETWORK_HEURISTICS, NetworkHeuristicRow, NetworkRequest, build_network_heuristic,
};
pub use layout::NetworkLayout;
pub use model::NetworkModel;
pub use network::{ActionId, LocalTransition, MOST_STATES, Network, NetworkProcess, SharedAction};
pub use read::read;
pub use replayer::{NetworkReplayer, NetworkStep, ReplayedTrail};
