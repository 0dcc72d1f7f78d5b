//! Texts for people, data for programs, charts and the formats of other programs. Everything here
//! is a function from data to text.

pub(crate) mod automata;
pub(crate) mod chart;
pub(crate) mod check;
pub(crate) mod compare;
pub(crate) mod diagnostics;
pub(crate) mod dumped;
pub(crate) mod explain;
pub(crate) mod export;
pub(crate) mod formats;
pub(crate) mod import_plan;
pub(crate) mod improve;
pub(crate) mod page_colors;
pub(crate) mod plan;
pub(crate) mod state_graph;
pub(crate) mod story;
pub(crate) mod test;
pub(crate) mod tokens;
