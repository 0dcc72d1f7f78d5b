//! Edges that exclude others of their location: `else` waits for all earlier ones, and an escape of
//! `unless` excludes the edges that it interrupts.

use beeline_engine::automata::{Edge, EdgeAction};

use super::builder::Detail;

/// Whether an edge cannot be taken where an earlier edge of the same location is executable.
pub(super) fn excludes(earlier: &Edge, edge: &Edge, detail: Detail) -> bool {
    let is_escaped = earlier.escape.is_some() && earlier.escape != edge.escape;
    is_else(edge) || detail == Detail::Exact && is_escaped
}

fn is_else(edge: &Edge) -> bool {
    matches!(edge.steps[0].action, EdgeAction::Else)
}
