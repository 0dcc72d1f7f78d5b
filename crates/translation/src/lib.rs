//! Factored systems as planning tasks, and plans as runs of factored systems. The crate names no
//! modelling language.
//!
//! [`translate`] makes a [`FiniteTask`] of a system and its errors: each error is a goal, each
//! operator an action. [`domain_text`] and [`problem_text`] print it in PDDL, [`sas_text`] in the format
//! of Fast Downward's translator. [`run_plan`] executes a plan on the system. A [`QueueModel`] is a
//! system whose processes only send and receive, which [`queue_domain_text`] and
//! [`queue_problem_text`] print with processes and queues as objects.
//!
//! Source: \[EMJ05\], the section on planning: a model checking problem is a planning problem whose
//! goal is the error.
#![forbid(unsafe_code)]

mod cases;
mod checks;
mod evaluate;
mod factored_error;
mod names;
mod pddl;
mod plan;
mod queue_model;
mod queue_pddl;
mod reach;
mod sas;
mod step;
mod task;
mod translate;
mod unfit;

pub use factored_error::FactoredError;
pub use pddl::{domain_text, problem_text};
pub use plan::{FactoredRun, PlanMistake, run_plan};
pub use queue_model::{QueueMisfit, QueueModel};
pub use queue_pddl::{is_queue_plan, queue_domain_text, queue_problem_text, run_queue_plan};
pub use sas::sas_text;
pub use task::{ConditionalEffect, Fact, FiniteAction, FiniteTask, FiniteVariable};
pub use translate::{ActionForm, Translation, translate};
pub use unfit::Unfit;
