//! The end of a story for people: the error and the last state.

use beeline_model::Story;
use beeline_promela::source::SourceMap;

use crate::render::story::state::{brief_state, whole_state};
use crate::render::story::text::{after, ending};

/// How much of the last state is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum StateDetail {
    /// A dozen lines.
    Brief,
    /// Everything.
    Full,
}

/// The end of a story: the error and the last state.
pub(crate) fn end(story: &Story, sources: &SourceMap, detail: StateDetail) -> String {
    let what = match story.end.error {
        Some(wrong) => wrong.to_string(),
        None => "there is no error here".to_owned(),
    };
    let state = match detail {
        StateDetail::Brief => brief_state(&story.end, sources),
        StateDetail::Full => whole_state(&story.end, sources),
    };
    ending(&when(story), &what, &story.end) + &state
}

/// When a story ends, or that it ends in a cycle.
fn when(story: &Story) -> String {
    let after = after(story.length);
    match story.cycle() {
        None => after,
        Some(_) if story.stays() => format!("{after} the last state repeats for ever"),
        Some(0) => format!("{after} the state is the initial state again"),
        Some(start) => format!("{after} the state is the same as after step {start}"),
    }
}
