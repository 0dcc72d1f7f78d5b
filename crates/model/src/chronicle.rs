//! A trail in full: its story, every message from its sender to its receiver, the lives
//! of processes, and every state on the way. This is what pictures are drawn from.
//!
//! States are told by what differs from the one before, since there can be thousands.

use crate::message::{Message, MessageRole};
use crate::story::{ProcessPosition, Story};

/// A trail, told in full.
#[derive(Clone, Debug)]
pub struct Chronicle {
    /// Who did what, and how it ended.
    pub story: Story,
    /// The initial state.
    pub initial: StateDelta,
    /// For each step of the story what else there is to know.
    pub step_details: Vec<StepDetails>,
    /// Every message, in the order in which they were sent.
    pub messages: Vec<Message>,
}

/// What a step does besides what the story tells.
#[derive(Clone, Debug, Default)]
pub struct StepDetails {
    /// The first statement of the step, without those that were merged with it.
    pub first: String,
    /// The others.
    pub merged: Vec<String>,
    /// What it does with messages, in order.
    pub parts: Vec<MessageRole>,
    /// The processes that it starts.
    pub started: Vec<usize>,
    /// The process that ends with it.
    pub ended: Option<usize>,
    /// What differs from the state before.
    pub delta: StateDelta,
}

/// How a state differs from the one before.
#[derive(Clone, Debug, Default)]
pub struct StateDelta {
    /// Values that are new or different, by name.
    pub values: Vec<(String, String)>,
    /// Names that are gone.
    pub gone: Vec<String>,
    /// Where the processes are that moved or are new.
    pub processes: Vec<ProcessPosition>,
}
