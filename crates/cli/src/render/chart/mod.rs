//! Message sequence charts: a trail as a drawing, as a page, or as text for other tools.
//!
//! [`layout`] says what goes where; the other files write it in one format each.

mod html;
mod input;
mod label;
mod layout;
mod mermaid;
mod plantuml;
mod sequence;
mod svg;

pub(crate) use html::html;
pub(crate) use input::ChartInput;
pub(crate) use label::shorten;
pub(crate) use mermaid::mermaid;
pub(crate) use plantuml::plantuml;
pub(crate) use svg::{escaped, svg};
