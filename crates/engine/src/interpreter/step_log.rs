//! The log of a move: its output, the messages that it sends and receives, and the processes that
//! it starts. The states before and after do not determine it: a `d_step` may send a message and
//! receive it again, and two equal messages are indistinguishable.

use beeline_kernel::FaultKind;

use super::machine::DecodedState;
use crate::automata::{EdgeId, EdgeStep};

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
