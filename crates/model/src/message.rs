//! Messages of a story, with their senders and fates.

/// A message of a story.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Message {
    /// The name of the channel.
    pub channel: String,
    /// Its values, as they are written in a model.
    pub text: String,
    /// The process that sent it.
    pub sender: usize,
    /// The step that sent it, from 0.
    pub sent: usize,
    /// Its fate.
    pub fate: MessageFate,
}

/// The fate of a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MessageFate {
    /// Never received: it is still in its channel, or its channel no longer exists.
    Waits,
    /// The channel was full, and messages may be lost.
    Lost,
    /// Received from the channel.
    Taken {
        /// The step that received it, from 0.
        step: usize,
        /// The receiver.
        pid: usize,
    },
    /// Passed on in a rendezvous.
    Met {
        /// The receiver.
        pid: usize,
    },
}

/// Operation of a step on a message, which is given by its number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MessageRole {
    /// Sends it.
    Sends(usize),
    /// Takes it out of its channel.
    Takes(usize),
    /// Reads it and leaves it in its channel.
    Looks(usize),
}
