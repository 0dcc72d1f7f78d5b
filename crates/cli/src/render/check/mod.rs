//! The result of a check, for people and for programs.

mod advice;
mod coverage;
mod json;
mod judged;
mod outcome;
mod statistics;
mod text;
mod trail;
mod witness;
mod witness_page;

pub(crate) use json::json;
pub(crate) use judged::{Judged, exit as judged_exit};
pub(crate) use outcome::{CheckOutcome, ShownViolation};
pub(crate) use text::text;
pub(crate) use trail::{SHOWN_STEPS, length, trail};
pub(crate) use witness_page::witness_page;
