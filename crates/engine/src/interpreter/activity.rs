//! Who could move in a state, found without moving anyone.
//!
//! The same answer as [`moves`](super::moves) gives, but nothing is executed and
//! nothing copied. Whether one process alone may move is left aside: the question is
//! what each could do by itself.

use beeline_promela::hir::{Expr, ExprKind, RecvArg};

use super::eval::Asker;
use super::machine::{Machine, Now};
use super::moves::Move;
use crate::automata::{Action, Automaton, Edge, EdgeId};

/// A send that waits for someone to receive.
#[derive(Clone, Copy)]
struct Offer<'a> {
    channel: usize,
    args: &'a [Expr],
    sender: Asker,
}

impl Machine<'_> {
    /// Whether a process could move; with `timeout`, when nobody could otherwise. Both
    /// sides of a rendezvous could, and so could one whose move would fail.
    pub fn is_active(&self, now: &Now, pid: usize, timeout: bool) -> bool {
        let asker = Asker { timeout, ..Asker::of(pid) };
        match self.provided(now, asker) {
            Ok(true) => {}
            Ok(false) => return false,
            Err(_) => return true,
        }
        if self.has_priorities && self.is_outranked(now, asker) {
            return false;
        }
        let automaton = self.automaton(now.process(pid));
        let edges = automaton.edges_from(now.location(pid));
        edges.iter().any(|edge| self.is_executable(automaton, edge, now, asker))
    }

    /// The first move of a process, tried on its own.
    pub fn first_move(&self, now: &Now, pid: usize) -> Option<Move> {
        let mut moves = Vec::new();
        self.process_moves(now, pid, false, &mut moves);
        moves.into_iter().next()
    }

    /// Whether a message waits in a channel that a receive of a process would take.
    pub fn would_take(
        &self,
        channel: usize,
        random: bool,
        args: &[RecvArg],
        now: &Now,
        pid: usize,
    ) -> bool {
        self.has_message(channel, random, args, now, Asker::of(pid))
    }

    fn is_executable(&self, automaton: &Automaton, edge: &Edge, now: &Now, asker: Asker) -> bool {
        match &edge.steps[0].action {
            Action::DStep => entries(automaton, edge.id).any(|first| {
                let action = &first.steps[0].action;
                // Nobody can meet a process inside of a d_step; trying to is a fault.
                matches!(action, Action::Send { .. } if self.is_offer(action, now, asker))
                    || self.can_execute(action, now, asker)
            }),
            action => self.can_execute(action, now, asker),
        }
    }

    fn can_execute(&self, action: &Action, now: &Now, asker: Asker) -> bool {
        match action {
            Action::Guard(Expr { kind: ExprKind::Run { .. }, .. }) => {
                now.process_count() < self.layout.frame.most_processes
            }
            Action::Guard(condition) => self.eval(condition, now, asker) != Ok(0),
            Action::Send { channel, args, .. } => {
                let Ok(Some(channel)) = self.channel_of(channel, now, asker) else { return true };
                let capacity = self.channel_layout(now, channel).capacity;
                if capacity > 0 {
                    return self.loses_messages || now.channel_length(channel) < capacity;
                }
                let offer = Offer { channel, args, sender: asker };
                (0..now.process_count())
                    .any(|other| other != asker.pid && self.would_receive(now, other, offer))
            }
            Action::Receive { channel, random, peek, args } => {
                let Ok(Some(channel)) = self.channel_of(channel, now, asker) else { return true };
                if self.channel_layout(now, channel).capacity > 0 {
                    return self.has_message(channel, *random, args, now, asker);
                }
                !peek
                    && (0..now.process_count()).any(|other| {
                        other != asker.pid && self.would_send(now, other, channel, args, asker)
                    })
            }
            Action::End => asker.pid + 1 == now.process_count(),
            _ => true,
        }
    }

    /// Whether this is a send by rendezvous.
    fn is_offer(&self, action: &Action, now: &Now, asker: Asker) -> bool {
        let Action::Send { channel, .. } = action else { return false };
        let channel = self.channel_of(channel, now, asker);
        matches!(channel, Ok(Some(channel)) if self.channel_layout(now, channel).capacity == 0)
    }

    /// Whether a message waits that a receive would take.
    fn has_message(
        &self,
        channel: usize,
        random: bool,
        args: &[RecvArg],
        now: &Now,
        asker: Asker,
    ) -> bool {
        let layout = self.channel_layout(now, channel);
        let length = now.channel_length(channel);
        let first = now.messages_at(channel);
        let candidates = if random { length } else { length.min(1) };
        (0..candidates).any(|slot| {
            let mut at = first + slot * layout.message;
            let mut fields = layout.fields.iter();
            args.iter().all(|arg| {
                let field = fields.next().map(|field| {
                    at += field.size();
                    field.read(&now.bytes, at - field.size())
                });
                self.accepts(arg, field, now, asker)
            })
        })
    }

    /// Whether a field of a receive takes this value. A fault is a move, too.
    fn accepts(&self, arg: &RecvArg, value: Option<i32>, now: &Now, asker: Asker) -> bool {
        match arg {
            RecvArg::Store(_) => true,
            RecvArg::Match(wanted) | RecvArg::Eval(wanted) => {
                self.eval(wanted, now, asker).map_or(true, |wanted| value == Some(wanted))
            }
        }
    }

    /// Whether a process would take an offered message where it stands.
    fn would_receive(&self, now: &Now, pid: usize, offer: Offer<'_>) -> bool {
        let asker = Asker { pid, ..offer.sender };
        let automaton = self.automaton(now.process(pid));
        let takes = |action: &Action| match action {
            Action::Receive { channel, peek: false, args, .. } => {
                self.channel_of(channel, now, asker).map_or(true, |at| at == Some(offer.channel))
                    && self.meets(offer, args, now, asker)
            }
            _ => false,
        };
        let mut edges = automaton.edges_from(now.location(pid)).iter();
        edges.any(|edge| match &edge.steps[0].action {
            Action::DStep => entries(automaton, edge.id).any(|first| takes(&first.steps[0].action)),
            action => takes(action),
        }) && self.provided(now, asker) == Ok(true)
    }

    /// Whether a process offers a message, where it stands, that a receive takes.
    fn would_send(
        &self,
        now: &Now,
        pid: usize,
        wanted: usize,
        args: &[RecvArg],
        receiver: Asker,
    ) -> bool {
        let sender = Asker { pid, ..receiver };
        let automaton = self.automaton(now.process(pid));
        let mut edges = automaton.edges_from(now.location(pid)).iter();
        edges.any(|edge| match &edge.steps[0].action {
            Action::Send { channel, args: sent, .. } => {
                self.channel_of(channel, now, sender) == Ok(Some(wanted))
                    && self.meets(
                        Offer { channel: wanted, args: sent, sender },
                        args,
                        now,
                        receiver,
                    )
            }
            _ => false,
        }) && self.provided(now, sender) == Ok(true)
            && !(self.has_priorities && self.is_outranked(now, sender))
    }

    /// Whether an offered message is one that the receiver waits for.
    fn meets(&self, offer: Offer<'_>, args: &[RecvArg], now: &Now, receiver: Asker) -> bool {
        let fields = &self.channel_layout(now, offer.channel).fields;
        args.iter().enumerate().all(|(at, arg)| {
            let sent = offer.args.get(at).map_or(Ok(0), |sent| self.eval(sent, now, offer.sender));
            let Ok(sent) = sent else { return true };
            let value = fields.get(at).map(|field| field.truncate(sent));
            self.accepts(arg, value, now, receiver)
        })
    }
}

/// The edges by which a `d_step` begins.
fn entries(automaton: &Automaton, edge: EdgeId) -> impl Iterator<Item = &Edge> {
    let inside = automaton.d_steps.iter().find(|inside| inside.edge == edge);
    inside
        .into_iter()
        .flat_map(|inside| inside.edges.iter().filter(move |first| first.from == inside.entry))
}
