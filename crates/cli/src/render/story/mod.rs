//! Stories of replayed trails and simulations, for people and for programs.

mod columns;
mod json;
mod name;
mod text;

pub(crate) use columns::say_columns;
pub(crate) use json::{CauseObject, StoryObject, TurnObject};
pub(crate) use name::name;
pub(crate) use text::{
    Widths, after, end, ending, rests, say_steps, state, step, steps, whole_state,
};
