//! Messages of a story: the sender of each, and what became of it.

/// A message of a story.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Message {
    /// The name of the channel.
    pub channel: String,
    /// Its values, as they are written in a model.
    pub text: String,
    /// Who sent it.
    pub sender: usize,
    /// In which step, from 0.
    pub sent: usize,
    /// What became of it.
    pub fate: MessageFate,
}

/// What became of a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MessageFate {
    /// Nobody took it: it is still in its channel, or went down with it.
    Waits,
    /// The channel was full, and messages may be lost.
    Lost,
    /// Somebody took it out of its channel.
    Taken {
        /// In which step, from 0.
        step: usize,
        /// Who.
        pid: usize,
    },
    /// Sender and receiver met: it was in no channel at any time.
    Met {
        /// The receiver.
        pid: usize,
    },
}

/// The part that a step plays in the life of a message, which is named by its number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MessageRole {
    /// Sends it.
    Sends(usize),
    /// Takes it out of its channel.
    Takes(usize),
    /// Looks at it and leaves it where it is.
    Looks(usize),
}
