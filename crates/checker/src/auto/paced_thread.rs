//! Computations that take turns with the strategy: each has a thread of its own, and waits at its
//! polls for a reply. Only one thread runs at a time, so that computations can be paced, and every
//! run is the same.

use std::ops::ControlFlow;
use std::sync::mpsc::{Receiver, Sender, TryRecvError, channel};
use std::thread::{Builder, Scope};

use beeline_kernel::Stop;

/// The answer of the strategy to a poll.
pub(super) type Reply = ControlFlow<Stop>;

/// A message of a computation to the strategy: with what it has done at a poll, or with news.
pub(super) enum Message<P, N> {
    /// It waits for a reply.
    Polled(P),
    News(N),
    /// It is over. Nothing follows.
    Over,
}

/// The end of a computation: inside of its thread.
pub(super) struct Pacing<P, N> {
    pub(super) teller: Teller<P, N>,
    replies: Receiver<Reply>,
}

/// Tells the strategy news.
pub(super) struct Teller<P, N> {
    messages: Sender<Message<P, N>>,
}

impl<P, N> Clone for Teller<P, N> {
    fn clone(&self) -> Teller<P, N> {
        Teller { messages: self.messages.clone() }
    }
}

impl<P, N> Pacing<P, N> {
    /// Waits for a reply. Where the strategy is gone, there is nothing left to compute.
    pub(super) fn poll(&self, done: P) -> Reply {
        let is_sent = self.teller.messages.send(Message::Polled(done)).is_ok();
        let reply = is_sent.then(|| self.replies.recv().ok()).flatten();
        reply.unwrap_or(ControlFlow::Break(Stop::Interrupted))
    }
}

impl<P, N> Teller<P, N> {
    /// Tells the strategy something, if it is still there.
    pub(super) fn tell(&self, news: N) {
        let _ = self.messages.send(Message::News(news));
    }
}

/// The end of the strategy.
pub(super) struct PacedThread<P, N> {
    messages: Receiver<Message<P, N>>,
    replies: Sender<Reply>,
}

impl<P: Default + Send, N: Send> PacedThread<P, N> {
    /// Starts a thread, which waits for its first reply. `stack` is the size of its stack, if that
    /// is not the usual one.
    pub(super) fn start<'scope>(
        scope: &'scope Scope<'scope, '_>,
        stack: Option<usize>,
        compute: impl FnOnce(Reply, Pacing<P, N>) + Send + 'scope,
    ) -> PacedThread<P, N>
    where
        P: 'scope,
        N: 'scope,
    {
        let (messages, received) = channel();
        let (replies, answers) = channel();
        let last = messages.clone();
        let run = move || {
            let first = answers.recv().unwrap_or(ControlFlow::Break(Stop::Interrupted));
            compute(first, Pacing { teller: Teller { messages }, replies: answers });
            // Where the strategy is gone, there is no reader any more.
            let _ = last.send(Message::Over);
        };
        let builder = stack.into_iter().fold(Builder::new(), Builder::stack_size);
        builder.spawn_scoped(scope, run).expect("a thread can be started");
        PacedThread { messages: received, replies }
    }
}

impl<P, N> PacedThread<P, N> {
    /// Replies to a poll.
    pub(super) fn reply(&self, reply: Reply) {
        // A computation that is over reads nothing.
        let _ = self.replies.send(reply);
    }

    /// The next message.
    pub(super) fn next(&self) -> Message<P, N> {
        self.messages.recv().unwrap_or(Message::Over)
    }

    /// The next message, if it has been sent.
    pub(super) fn next_sent(&self) -> Option<Message<P, N>> {
        match self.messages.try_recv() {
            Ok(message) => Some(message),
            Err(TryRecvError::Empty) => None,
            Err(TryRecvError::Disconnected) => Some(Message::Over),
        }
    }
}
