//! Symbolic reachability of factored systems: sets of states as list decision diagrams.
//!
//! Source: `[EMJ05]`, "Symbolic Search". [`SymbolicSystem`] is the façade: reachable states, image
//! and preimage of steps of the model, deadlocks, and the states where an expression is true.
//! Everything is exact for the system that is given; whether that is exact for the model, its
//! [`Precision`](beeline_factored::Precision) tells.
//!
//! Why not the diagrams of a library: values of factors are known only when they are reached, so a
//! number of bits per factor would be a guess; saturation works inside of single nodes; relations
//! are learned from projections; and limits must hold in the middle of operations. With 250
//! philosophers of 3 bits each, chaining takes 2.4 s of CPU time here, 3.0 s with the binary diagrams
//! of OxiDD 0.13 and 1.9 s with the list diagrams of `merc_ldd` 2.0; saturation takes 0.01 s. On a
//! leader election without local steps it is 0.5 s here, 2.3 s with OxiDD and 0.9 s with `merc_ldd`.
//! `oracles/` compares them, and tests sets, images and counts against OxiDD.
#![forbid(unsafe_code)]

mod array_index;
mod control;
mod costed_step;
mod costs;
mod group;
mod ldd;
mod limits;
mod local_operator;
mod macro_operator;
mod order;
mod partition;
mod reachability;
mod relation;
mod search;
mod specialise;
mod states_where;
mod step;
mod step_set;
mod system;
mod variant;

pub use control::ControlSets;
pub use costed_step::CostedSets;
pub use costs::StepCosts;
pub use ldd::{BigUint, DividedSet, Forest, LevelAccess, Set, Support, SupportLevel, WeightTable};
pub use limits::{DiagramLimits, Limit, SymbolicError};
pub use reachability::{Layers, ReachedStates, Statistics, SymbolicStrategy};
pub use search::{
    BackwardLayers, BucketChoice, BuildAbstraction, ComponentSum, EstimateKind, EstimateRelation,
    EstimatedErrors, FactorDistances, LargestEstimate, PatternDistances, PatternGoal,
    SymbolicEstimate, SymbolicGoal, SymbolicOutcome, SymbolicPath, SymbolicRanking,
    SymbolicSearchStatistics, TruthDistances, ZeroEstimate, applicable_condition,
    deadlock_condition,
};
pub use step_set::StepSet;
pub use system::SymbolicSystem;
