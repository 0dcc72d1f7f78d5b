//! The account of a move: what it printed, which messages it sent and took, whom it
//! started. The states before and after do not tell: a `d_step` may send a message and
//! take it back, and two equal messages look the same.

use super::eval::Asker;
use super::machine::{Machine, Now};
use super::moves::{Move, Outcome};
use super::statements::Offered;
use crate::automata::EdgeId;

/// What a move does besides changing the state.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Account {
    /// What `printf` and `printm` print.
    pub printed: String,
    /// What happens to messages and processes, in order.
    pub deeds: Vec<Deed>,
    /// The edges that are taken inside of a `d_step`, in order.
    pub inside: Vec<EdgeId>,
}

/// Something that a process does.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Deed {
    /// Puts a message into a channel.
    Send(Passed),
    /// Sends a message that is lost, since the channel is full.
    Lose(Passed),
    /// Takes a message out of a channel.
    Take(Passed),
    /// Looks at a message, which stays where it is.
    Look(Passed),
    /// Hands a message over to the partner of the move.
    Meet(Passed),
    /// Starts the process with this number.
    Start(usize),
}

/// A message on its way.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Passed {
    /// The channel, from 0.
    pub channel: usize,
    /// The place in the channel, from 0: the oldest message comes first.
    pub slot: usize,
    /// Its values.
    pub message: Vec<i32>,
}

impl Machine<'_> {
    /// What a move does besides changing the state; `now` is the state that it leaves.
    pub fn account(&self, now: &Now, step: &Move) -> Account {
        for timeout in [false, true] {
            let mut account = Account::default();
            if self.repeat(now, step, timeout, &mut account) {
                return account;
            }
        }
        Account::default()
    }

    /// Executes a move once more, aloud. `false` when it needs a timeout.
    fn repeat(&self, now: &Now, step: &Move, timeout: bool, log: &mut Account) -> bool {
        let find = |pid: usize, id| {
            let automaton = self.automaton(now.process(pid));
            let edges = automaton.edges_from(now.location(pid));
            let edge = edges.iter().find(|edge| edge.id == id);
            (automaton, edge.expect("the move was made with this edge"))
        };
        let (automaton, edge) = find(step.pid, step.edge);
        let asker = Asker { timeout, ..Asker::of(step.pid) };
        let outcome = self.execute_aloud(automaton, edge, now, asker, None, Some(log));
        match (outcome, step.partner) {
            (Outcome::Blocked, _) => false,
            (Outcome::Offer(next, channel, message), Some((pid, id))) => {
                let (automaton, edge) = find(pid, id);
                let asker = Asker { timeout, ..Asker::of(pid) };
                let offered = Some(Offered { channel, message: &message });
                let passed = Passed { channel, slot: 0, message: message.clone() };
                log.deeds.push(Deed::Meet(passed));
                self.execute_aloud(automaton, edge, &next, asker, offered, Some(log));
                true
            }
            _ => true,
        }
    }
}
