//! Stories of replayed trails and simulations, for people and for programs.

mod columns;
mod end;
mod json;
mod name;
mod state;
mod text;

pub(crate) use columns::say_columns;
pub(crate) use end::{StateDetail, end};
pub(crate) use json::{CauseObject, StoryObject, TurnObject};
pub(crate) use name::name;
pub(crate) use state::{state, whole_state};
pub(crate) use text::{STAYS, Widths, after, ending, rests, say_steps, step, steps};
