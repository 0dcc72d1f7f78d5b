//! The vocabulary of all crates: state, transition, trail, estimate, claim, cost; and the traits
//! between a state space, a search and a heuristic.
//!
//! Nothing here depends on a language, a search algorithm or a terminal. A search uses a [`Space`]
//! and perhaps a [`Heuristic`] and a [`Reducer`]; its result becomes a [`Trail`], which is replayed
//! before it is reported.
#![forbid(unsafe_code)]

pub mod acceptance;
mod blind;
pub mod claims;
pub mod cost;
pub mod deadline;
pub mod estimate;
pub mod fault;
pub mod files;
pub mod heuristic;
pub mod reducer;
pub mod registry;
pub mod resources;
pub mod rng;
pub mod sleep_set;
pub mod space;
pub mod spec;
pub mod state;
pub mod state_path;
pub mod step_preference;
pub mod stop;
pub mod trail;

pub use acceptance::{AcceptanceMarks, ClaimComponent, CycleKind};
pub use blind::Blind;
pub use claims::Claims;
pub use cost::{Cost, CostModel, STEP_COST};
pub use deadline::Deadline;
pub use estimate::Estimate;
pub use fault::{Fault, FaultKind, Faults, SiteId};
pub use files::{Files, NoFiles};
pub use heuristic::{BoxedHeuristic, ForkHeuristic, Heuristic};
pub use reducer::{CandidateSets, Preserve, Proposals, Reducer};
pub use resources::Resources;
pub use rng::SplitMix64;
pub use sleep_set::SleepSet;
pub use space::{
    Expander, Expansion, ExpansionEnd, FaultTransition, Space, StepLabel, Successors, Transition,
    expand_each,
};
pub use spec::{Spec, SpecError};
pub use state::StateId;
pub use state_path::{StateCursor, StatePairs, StatePath, StatePathIter};
pub use step_preference::StepPreference;
pub use stop::Stop;
pub use trail::{EdgeId, StepMismatch, Trail, TrailError, TrailLine};
