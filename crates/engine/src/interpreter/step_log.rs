//! The log of a move: its output, the messages that it sends and receives, and the processes that
//! it starts. The states before and after do not determine it: a `d_step` may send a message and
//! receive it again, and two equal messages are indistinguishable.

use crate::automata::EdgeId;

/// What a move does besides changing the state.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct StepLog {
    /// What `printf` and `printm` print.
    pub printed: String,
    /// What happens to messages and processes, in order.
    pub effects: Vec<Effect>,
    /// The edges that are taken inside of a `d_step`, in order.
    pub inside: Vec<EdgeId>,
}

/// Something that a process does.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Effect {
    /// Puts a message into a channel.
    Send(MessageTransfer),
    /// Sends a message that is lost, since the channel is full.
    Lose(MessageTransfer),
    /// Takes a message out of a channel.
    Receive(MessageTransfer),
    /// Reads a message without removing it.
    Peek(MessageTransfer),
    /// Hands a message over to the partner of the move.
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
