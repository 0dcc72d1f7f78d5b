//! Message sequence charts of trails, for the formats that draw them.
//!
//! [`layout`] computes positions; [`sequence`] has the lines for tools with a layout of their own.

mod input;
pub(crate) mod label;
pub(crate) mod layout;
pub(crate) mod sequence;

pub(crate) use input::ChartInput;
