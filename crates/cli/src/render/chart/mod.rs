//! Message sequence charts: what a trail looks like, for the formats that draw it.
//!
//! [`layout`] says what goes where; [`sequence`] has the lines for tools with a layout of their own.

mod input;
pub(crate) mod label;
pub(crate) mod layout;
pub(crate) mod sequence;

pub(crate) use input::ChartInput;
