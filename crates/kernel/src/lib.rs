//! The words of the house: state, step, trail, property, verdict, estimate, and
//! the traits that let rooms talk about them without knowing each other.
//!
//! Nothing here knows Promela, a search algorithm or a terminal. A search sees a
//! [`TransitionSystem`], a [`Property`] and perhaps a [`Heuristic`]; it ends
//! with a [`Verdict`]; and [`replay`](replay::replay) believes none of it until
//! the trail has been executed again.
#![forbid(unsafe_code)]

pub mod acceptance;
mod blind;
pub mod claims;
pub mod cost;
pub mod deadline;
pub mod estimate;
pub mod fault;
pub mod heuristic;
pub mod property;
pub mod reducer;
pub mod registry;
pub mod replay;
pub mod rng;
pub mod sleep_set;
pub mod space;
pub mod spec;
pub mod state;
pub mod step;
pub mod step_preference;
pub mod system;
pub mod trail;
pub mod verdict;
pub mod violation;

#[cfg(test)]
mod toys;

pub use acceptance::{AcceptanceMarks, ClaimComponent, CycleKind};
pub use blind::Blind;
pub use claims::Claims;
pub use cost::Cost;
pub use deadline::Deadline;
pub use estimate::Estimate;
pub use fault::{Fault, FaultKind, SiteId};
pub use heuristic::{ForkHeuristic, Heuristic};
pub use property::Property;
pub use reducer::{CandidateSets, Reducer};
pub use rng::SplitMix64;
pub use sleep_set::SleepSet;
pub use space::{Expander, Expansion, FaultTransition, Space, StepLabel, Successors, Transition};
pub use spec::{Spec, SpecError};
pub use state::StateId;
pub use step::Step;
pub use step_preference::StepPreference;
pub use system::TransitionSystem;
pub use trail::Trail;
pub use verdict::{Stop, Verdict};
pub use violation::Violation;
