//! The contract between languages and the checker.
//!
//! A language (Promela, process networks) is a crate that implements [`Model`]; the checker and
//! everything above it know a model through this contract alone.
//!
//! - A [`Model`] has a name, [properties](Property), and prepares a [`System`] for some of them.
//! - A [`System`] is the transition system of the model as searches see it: its
//!   [`Space`](beeline_kernel::Space), what violates each property, its heuristics, and the
//!   replay that turns a path of states into a [`Violation`] with a [`Trail`].
//! - A check ends with a [`Verdict`] for each property: *holds*, *violated*, or *unknown* with a
//!   [`Reason`].
//!
//! Trails are presented as a [`Story`] or, with messages and states, as a [`Chronicle`].
//!
//! Features that only some languages offer are optional capabilities: methods that return `None` or
//! [`Unsupported`] and never panic.
#![forbid(unsafe_code)]

mod about;
mod branching;
mod chronicle;
mod cost;
mod coverage;
mod editor;
mod heuristic;
mod message;
mod model;
mod options;
mod product;
mod property;
mod reduction;
mod simulation;
mod states;
mod story;
mod symbolic;
mod system;
mod unsupported;
mod verdict;
mod violation;

pub use about::{About, fingerprint};
pub use beeline_kernel::{Trail, TrailError, TrailLine};
pub use branching::{BranchingProblem, MuSteps, StateAtom, TemporalFormula};
pub use chronicle::{Chronicle, StateDelta, StatementKind, StepDetails};
pub use cost::CostedSpace;
pub use coverage::{Coverage, CoverageSpace, ProcessCoverage, UnreachedStatement};
pub use editor::{Followed, FollowedLasso, TrailEditor, same_error};
pub use heuristic::{Aim, HeuristicError, HeuristicScope};
pub use message::{Message, MessageFate, MessageRole};
pub use model::{FollowError, FollowedTrail, Model, StoryRequest, StoryStates, Subject};
pub use options::{Engine, Fairness, SystemOptions};
pub use product::{ClaimFacts, Persistence, ProductClaim, ProductOptions};
pub use property::{Property, PropertyKind, UnknownProperty};
pub use reduction::Independence;
pub use simulation::{Simulation, SimulationEnd, SimulationError};
pub use states::{ProcessState, StateValue, WholeState};
pub use story::{
    Cause, OverflowRemark, ProcessPosition, ProcessStep, StepTeller, Story, StoryEnd, StoryStep,
    ToldSteps, ValueChange,
};
pub use symbolic::{AbstractionRequest, SymbolicProblem};
pub use system::{RunBranching, System};
pub use unsupported::Unsupported;
pub use verdict::{Reason, Verdict};
pub use violation::{Certificate, CycleError, ErrorKind, Unconfirmed, Violation};
