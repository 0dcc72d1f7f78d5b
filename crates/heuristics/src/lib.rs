//! Heuristics: estimates of how far the nearest error is, one file each.
//!
//! A heuristic is built from the engine's `Machine` and a [`Goal`], by its constructor or
//! by name through [`build`]; [`HEURISTICS`] lists all of them. Each says what it claims,
//! and a test holds it to that on hundreds of small models, against true distances
//! (`testkit/tests/estimates.rs`).
//!
//! A distance counts steps: an atomic sequence is as many as it has edges, a rendezvous
//! is one step of two processes, statements that are merged are one.
#![forbid(unsafe_code)]

pub mod abstraction;
mod active;
mod active_2000;
mod assertion_distance;
mod blocking;
mod claim_distance;
mod combine;
mod danger;
mod dangerous;
mod dangerous_queues;
mod dangerous_states;
mod deadlock_formula;
mod difference;
mod distances;
mod error;
mod faults;
mod files;
mod formula;
mod fsm;
mod fsm_state;
mod full_queues;
mod goal;
mod hamming;
mod joint_danger;
mod maximum;
mod nonempty_queues;
mod opened;
pub mod pattern;
mod per_channel;
mod per_process;
mod ranges;
mod reads;
mod ready;
mod registry;
pub mod relaxation;
mod request;
mod resources;
mod together;
mod total;
mod truth;
mod value;
mod weighted;
mod words;

pub use active::Active;
pub use active_2000::Active2000;
pub use assertion_distance::{AssertionDistance, Sites};
pub use claim_distance::ClaimDistance;
pub use combine::Combine;
pub use danger::Measure;
pub use dangerous::Dangerous;
pub use dangerous_queues::DangerousQueues;
pub use dangerous_states::DangerousStates;
pub use deadlock_formula::DeadlockFormula;
pub use error::BuildError;
pub use files::{Files, NoFiles};
pub use formula::Formula;
pub use fsm::Fsm;
pub use fsm_state::FsmState;
pub use full_queues::FullQueues;
pub use goal::{Goal, GoalKind};
pub use hamming::{Hamming, Unit};
pub use joint_danger::{JointDanger, LARGEST_GROUP};
pub use maximum::Maximum;
pub use nonempty_queues::NonemptyQueues;
pub use registry::{ArgumentRow, Built, HEURISTICS, Row, build, build_with, find};
pub use request::Request;
pub use resources::Resources;
pub use total::Total;
pub use weighted::Weighted;
