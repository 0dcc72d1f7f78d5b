//! The planning domain definition language (PDDL).
//!
//! [`read`](read()) reads a domain and a problem into a [`PlanningTask`].
#![forbid(unsafe_code)]

mod axiom_evaluator;
mod encode;
mod ground;
mod layout;
mod number_bounds;
mod orbit_system;
mod promela;
mod read;
mod replay;
mod sas;
#[cfg(test)]
mod small_space;
mod space;
mod stubborn;
mod successor_generator;
mod symmetry;
mod syntax;
mod system;
mod task;
mod view;

pub use ground::{GroundError, GroundFact, GroundTask, ground};
pub use orbit_system::OrbitSystem;
pub use promela::{PromelaError, promela_text};
pub use read::{PlanningRead, PlanningText, read};
pub use replay::{PlanFault, PlanStep, ReplayedPlan, read_plan, replay};
pub use sas::{SasError, SasTask, read_sas, replay_sas};
pub use system::{PlanningSizes, PlanningSystem};
pub use task::{
    ActionSchema, Arithmetic, Axiom, Change, Fluent, FunctionId, Metric, NumberRange,
    NumericChange, NumericComparison, NumericExpr, NumericFunction, ObjectId, ObjectType,
    PlanningObject, PlanningPredicate, PlanningTask, PredicateId, SchemaAtom, SchemaEffect,
    SchemaFormula, SchemaVariable, Term, TypeId,
};
