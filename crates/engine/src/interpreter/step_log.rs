//! The log of a move: its output, the messages that it sends and receives, and the processes that
//! it starts. The states before and after do not determine it: a `d_step` may send a message and
//! receive it again, and two equal messages are indistinguishable.

use beeline_kernel::FaultKind;

use super::machine::DecodedState;
use crate::automata::{EdgeId, EdgeStep, Location};

/// The effects of a move besides the new state.
#[derive(Clone, Debug, Default)]
pub struct StepLog {
    /// Output of `printf` and `printm`.
    pub printed: String,
    /// Effects on messages and processes, in order.
    pub effects: Vec<Effect>,
    /// The edges that are executed inside a `d_step`, in order.
    pub inside: Vec<EdgeId>,
    /// The statement that fails, if one does.
    pub failed: Option<FailedStatement>,
    /// The position in a `d_step` that blocks, if one does.
    pub blocked: Option<BlockedSequence>,
    /// The event that violates a trace assertion, if one does.
    pub trace: Option<TraceEvent>,
}

/// A statement that fails, inside a step or at its beginning.
#[derive(Clone, Debug)]
pub struct FailedStatement {
    /// The statement.
    pub step: EdgeStep,
    /// The process that executes it.
    pub pid: usize,
    /// The state in which it fails.
    pub state: DecodedState,
    /// How it fails.
    pub fault: FaultKind,
}

/// A `d_step` that cannot be executed to its end.
#[derive(Clone, Debug)]
pub struct BlockedSequence {
    /// The process that executes it.
    pub pid: usize,
    /// The state in the middle of the sequence.
    pub state: DecodedState,
    /// Why it cannot continue there.
    pub reason: BlockReason,
}

/// Why a `d_step` cannot continue.
#[derive(Clone, Debug)]
pub enum BlockReason {
    /// None of these statements is executable.
    Disabled(Vec<EdgeStep>),
    /// This statement offers a message of a rendezvous, for which a `d_step` does not wait.
    Rendezvous(EdgeStep),
    /// The sequence repeats a state for ever.
    Endless,
}

/// A message that was sent or received, and violates a trace assertion.
#[derive(Clone, Debug)]
pub struct TraceEvent {
    /// Whether it was sent.
    pub is_sent: bool,
    /// The channel, from 0.
    pub channel: usize,
    /// The values of the message.
    pub message: Vec<i32>,
    /// The location of the trace assertion before the event.
    pub before: Location,
}

/// An effect of a step.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Effect {
    /// Sends a message into a channel.
    Send(MessageTransfer),
    /// Sends a message that is lost, since the channel is full.
    Lose(MessageTransfer),
    /// Receives a message from a channel.
    Receive(MessageTransfer),
    /// Reads a message without removing it.
    Peek(MessageTransfer),
    /// Passes a message on to the partner of the move.
    Rendezvous(MessageTransfer),
    /// Starts the process with this number.
    Start(usize),
}

/// A message with its channel.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MessageTransfer {
    /// The channel, from 0.
    pub channel: usize,
    /// The slot in the channel, from 0: the oldest message is first.
    pub slot: usize,
    /// Its values.
    pub message: Vec<i32>,
}
