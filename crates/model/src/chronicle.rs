//! A trail in full: its story, every message with sender and receiver, process starts and ends, and
//! every state. Charts are drawn from this.
//!
//! States are given as differences from the previous state, since there can be thousands.

use crate::message::{Message, MessageRole};
use crate::story::{ProcessPosition, Story};

/// A trail in full.
#[derive(Clone, Debug)]
pub struct Chronicle {
    /// The steps and the end of the trail.
    pub story: Story,
    /// The initial state.
    pub initial: StateDelta,
    /// Further details of each step of the story.
    pub step_details: Vec<StepDetails>,
    /// All messages, in the order of sending.
    pub messages: Vec<Message>,
}

/// Details of a step that the story leaves out.
#[derive(Clone, Debug, Default)]
pub struct StepDetails {
    /// The first statement of the step, without those that were merged with it.
    pub first: String,
    /// What that statement does.
    pub kind: StatementKind,
    /// The merged statements, except for jumps.
    pub merged: Vec<String>,
    /// Its operations on messages, in order.
    pub parts: Vec<MessageRole>,
    /// The processes that it starts.
    pub started: Vec<usize>,
    /// The process that ends with it.
    pub ended: Option<usize>,
    /// Difference from the state before the step.
    pub delta: StateDelta,
}

/// What a statement does, as far as charts show it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum StatementKind {
    /// It only determines the next location.
    Jump,
    /// It prints.
    Print,
    /// It is a block that is executed in one step.
    Block,
    /// Anything else.
    #[default]
    Other,
}

/// Difference of a state from the previous one.
#[derive(Clone, Debug, Default)]
pub struct StateDelta {
    /// Values that are new or different, by name.
    pub values: Vec<(String, String)>,
    /// Names that no longer exist.
    pub gone: Vec<String>,
    /// Positions of the processes that moved or are new.
    pub processes: Vec<ProcessPosition>,
}
