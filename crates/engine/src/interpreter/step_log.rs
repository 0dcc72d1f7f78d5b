//! The account of a move: what it printed, which messages it sent and took, whom it
//! started. The states before and after do not tell: a `d_step` may send a message and
//! take it back, and two equal messages look the same.

use super::eval::EvalContext;
use super::machine::{DecodedState, Machine};
use super::moves::{EdgeOutcome, Move};
use super::statements::Offered;
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
    /// Looks at a message, which stays where it is.
    Peek(MessageTransfer),
    /// Hands a message over to the partner of the move.
    Rendezvous(MessageTransfer),
    /// Starts the process with this number.
    Start(usize),
}

/// A message on its way.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MessageTransfer {
    /// The channel, from 0.
    pub channel: usize,
    /// The place in the channel, from 0: the oldest message comes first.
    pub slot: usize,
    /// Its values.
    pub message: Vec<i32>,
}

impl Machine<'_> {
    /// What a move does besides changing the state; `now` is the state that it leaves.
    pub fn step_log(&self, now: &DecodedState, step: &Move) -> StepLog {
        for timeout in [false, true] {
            let mut step_log = StepLog::default();
            if self.repeat(now, step, timeout, &mut step_log) {
                return step_log;
            }
        }
        StepLog::default()
    }

    /// Executes a move once more, aloud. `false` when it needs a timeout.
    fn repeat(&self, now: &DecodedState, step: &Move, timeout: bool, log: &mut StepLog) -> bool {
        let find = |pid: usize, id| {
            let automaton = self.automaton(now.process(pid));
            let edges = automaton.edges_from(now.location(pid));
            let edge = edges.iter().find(|edge| edge.id == id);
            (automaton, edge.expect("the move was made with this edge"))
        };
        let (automaton, edge) = find(step.pid, step.edge);
        let context = EvalContext { timeout, ..EvalContext::of(step.pid) };
        let outcome = self.execute_logged(automaton, edge, now, context, None, Some(log));
        match (outcome, step.partner) {
            (EdgeOutcome::Blocked, _) => false,
            (EdgeOutcome::Offer(next, channel, message), Some((pid, id))) => {
                let (automaton, edge) = find(pid, id);
                let context = EvalContext { timeout, ..EvalContext::of(pid) };
                let offered = Some(Offered { channel, message: &message });
                let passed = MessageTransfer { channel, slot: 0, message: message.clone() };
                log.effects.push(Effect::Rendezvous(passed));
                self.execute_logged(automaton, edge, &next, context, offered, Some(log));
                true
            }
            _ => true,
        }
    }
}
