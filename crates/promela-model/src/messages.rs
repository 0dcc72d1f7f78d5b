//! Messages of a run, with senders and fates.
//!
//! A state shows the contents of a channel, not the origin of each message. For each channel, this
//! module keeps a queue with the numbers of its messages in the same order, so that each receive is
//! matched to its send, despite sorted sends, random receives and receives that leave the message.

use beeline_engine::interpreter::MessageTransfer;
use beeline_model::{Message, MessageFate, MessageRole};

/// All messages so far, and those that each channel holds.
#[derive(Default)]
pub(crate) struct Messages {
    pub(crate) all: Vec<Message>,
    /// By channel: numbers of messages, oldest first.
    queues: Vec<Vec<usize>>,
}

impl Messages {
    /// A message that enters no channel: lost, or passed on in a rendezvous.
    pub(crate) fn pass(&mut self, message: Message) -> MessageRole {
        self.all.push(message);
        MessageRole::Sends(self.all.len() - 1)
    }

    /// A message that is sent into a channel.
    pub(crate) fn send(&mut self, passed: &MessageTransfer, message: Message) -> MessageRole {
        let number = self.all.len();
        let queue = self.queue(passed.channel);
        queue.insert(passed.slot.min(queue.len()), number);
        self.pass(message)
    }

    /// A message that is received; `None` if its send is unknown.
    pub(crate) fn take(
        &mut self,
        passed: &MessageTransfer,
        step: usize,
        pid: usize,
    ) -> Option<MessageRole> {
        let queue = self.queue(passed.channel);
        let number = (passed.slot < queue.len()).then(|| queue.remove(passed.slot))?;
        self.all[number].fate = MessageFate::Taken { step, pid };
        Some(MessageRole::Takes(number))
    }

    /// A message that is read and left in its channel.
    pub(crate) fn look(&mut self, passed: &MessageTransfer) -> Option<MessageRole> {
        self.queue(passed.channel).get(passed.slot).copied().map(MessageRole::Looks)
    }

    /// Removes channels that no longer exist, so that their numbers can be used again.
    pub(crate) fn keep(&mut self, channels: usize) {
        self.queues.truncate(channels);
    }

    fn queue(&mut self, channel: usize) -> &mut Vec<usize> {
        if self.queues.len() <= channel {
            self.queues.resize(channel + 1, Vec::new());
        }
        &mut self.queues[channel]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(channel: usize, slot: usize) -> MessageTransfer {
        MessageTransfer { channel, slot, message: Vec::new() }
    }

    fn message(sent: usize) -> Message {
        let (channel, text) = ("q".to_owned(), String::new());
        Message { channel, text, sender: 0, sent, fate: MessageFate::Waits }
    }

    #[test]
    fn the_oldest_message_leaves_first() {
        let mut messages = Messages::default();
        assert_eq!(messages.send(&at(0, 0), message(0)), MessageRole::Sends(0));
        assert_eq!(messages.send(&at(0, 1), message(1)), MessageRole::Sends(1));
        assert_eq!(messages.take(&at(0, 0), 2, 5), Some(MessageRole::Takes(0)));
        assert_eq!(messages.all[0].fate, MessageFate::Taken { step: 2, pid: 5 });
        assert_eq!(messages.all[1].fate, MessageFate::Waits);
    }

    #[test]
    fn a_sorted_send_goes_before_larger_ones_and_a_receive_may_take_from_the_middle() {
        let mut messages = Messages::default();
        messages.send(&at(3, 0), message(0));
        messages.send(&at(3, 1), message(1));
        messages.send(&at(3, 0), message(2)); // now 2, 0, 1
        assert_eq!(messages.take(&at(3, 1), 3, 1), Some(MessageRole::Takes(0)));
        assert_eq!(messages.take(&at(3, 0), 4, 1), Some(MessageRole::Takes(2)));
        assert_eq!(messages.take(&at(3, 0), 5, 1), Some(MessageRole::Takes(1)));
        assert_eq!(messages.take(&at(3, 0), 6, 1), None);
    }

    #[test]
    fn a_look_takes_nothing() {
        let mut messages = Messages::default();
        messages.send(&at(0, 0), message(0));
        assert_eq!(messages.look(&at(0, 0)), Some(MessageRole::Looks(0)));
        assert_eq!(messages.all[0].fate, MessageFate::Waits);
        assert_eq!(messages.take(&at(0, 0), 2, 0), Some(MessageRole::Takes(0)));
    }

    #[test]
    fn a_channel_with_the_number_of_one_that_is_gone_is_another_channel() {
        let mut messages = Messages::default();
        messages.send(&at(0, 0), message(0));
        messages.send(&at(1, 0), message(1));
        messages.keep(1);
        assert_eq!(messages.look(&at(1, 0)), None);
        assert_eq!(messages.look(&at(0, 0)), Some(MessageRole::Looks(0)));
    }
}
