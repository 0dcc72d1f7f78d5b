//! Source texts of models, places in them, and diagnostics about them, for every language.
#![forbid(unsafe_code)]

pub mod diagnostic;
pub mod expect;
pub mod source;
