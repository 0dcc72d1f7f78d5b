//! The result of `test`, for people and for programs.

mod json;
mod junit;
mod outcome;
mod text;

pub(crate) use json::json;
pub(crate) use junit::junit;
pub(crate) use outcome::{TestOutcome, TestResult, TestedModel, TestedProperty};
pub(crate) use text::text;
