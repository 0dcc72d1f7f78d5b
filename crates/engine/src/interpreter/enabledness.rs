//! Enabledness: which processes can move in a state, without executing a move.
//!
//! The result is that of [`moves`](super::moves), but nothing is executed or copied. Exclusive
//! control is ignored: each process is considered by itself.

use beeline_promela::hir::{Expr, ExprKind, RecvArg};

use super::eval::EvalContext;
use super::machine::{DecodedState, Machine};
use super::moves::Move;
use crate::automata::{Automaton, Edge, EdgeAction, EdgeId};

/// A send that needs a receiver.
#[derive(Clone, Copy)]
struct Offer<'a> {
    channel: usize,
    args: &'a [Expr],
    sender: EvalContext,
}

impl Machine<'_> {
    /// Whether a process can move; with `timeout`, if no process can otherwise. Both sides of a
    /// rendezvous can, and so can a process whose move fails.
    pub fn is_enabled(&self, now: &DecodedState, pid: usize, timeout: bool) -> bool {
        let context = EvalContext { timeout, ..EvalContext::of(pid) };
        match self.provided(now, context) {
            Ok(true) => {}
            Ok(false) => return false,
            Err(_) => return true,
        }
        if self.has_priorities && self.is_outranked(now, context) {
            return false;
        }
        let automaton = self.automaton(now.process(pid));
        let edges = automaton.edges_from(now.location(pid));
        edges.iter().any(|edge| self.is_executable(automaton, edge, now, context))
    }

    /// The first move of a process by itself.
    pub fn first_move(&self, now: &DecodedState, pid: usize) -> Option<Move> {
        let mut moves = Vec::new();
        self.process_moves(now, pid, false, &mut moves);
        moves.into_iter().next()
    }

    /// Whether a channel holds a message that a receive of a process would accept.
    pub fn would_take(
        &self,
        channel: usize,
        random: bool,
        args: &[RecvArg],
        now: &DecodedState,
        pid: usize,
    ) -> bool {
        self.has_message(channel, random, args, now, EvalContext::of(pid))
    }

    fn is_executable(
        &self,
        automaton: &Automaton,
        edge: &Edge,
        now: &DecodedState,
        context: EvalContext,
    ) -> bool {
        match &edge.steps[0].action {
            EdgeAction::DStep => entries(automaton, edge.id).any(|first| {
                let action = &first.steps[0].action;
                // A process inside a d_step cannot take part in a rendezvous; an attempt is a
                // fault.
                matches!(action, EdgeAction::Send { .. } if self.is_offer(action, now, context))
                    || self.can_execute(action, now, context)
            }),
            action => self.can_execute(action, now, context),
        }
    }

    fn can_execute(&self, action: &EdgeAction, now: &DecodedState, context: EvalContext) -> bool {
        match action {
            EdgeAction::Guard(Expr { kind: ExprKind::Run { .. }, .. }) => {
                now.process_count() < self.layout.frame.most_processes
            }
            EdgeAction::Guard(condition) => self.eval(condition, now, context) != Ok(0),
            EdgeAction::Send { channel, args, .. } => {
                let Ok(Some(channel)) = self.channel_of(channel, now, context) else { return true };
                let capacity = self.channel_layout(now, channel).capacity;
                if capacity > 0 {
                    return self.loses_messages || now.channel_length(channel) < capacity;
                }
                let offer = Offer { channel, args, sender: context };
                (0..now.process_count())
                    .any(|other| other != context.pid && self.would_receive(now, other, offer))
            }
            EdgeAction::Receive { channel, random, peek, args } => {
                let Ok(Some(channel)) = self.channel_of(channel, now, context) else { return true };
                if self.channel_layout(now, channel).capacity > 0 {
                    return self.has_message(channel, *random, args, now, context);
                }
                !peek
                    && (0..now.process_count()).any(|other| {
                        other != context.pid && self.would_send(now, other, channel, args, context)
                    })
            }
            EdgeAction::End => context.pid + 1 == now.process_count(),
            _ => true,
        }
    }

    /// Whether this is a send by rendezvous.
    fn is_offer(&self, action: &EdgeAction, now: &DecodedState, context: EvalContext) -> bool {
        let EdgeAction::Send { channel, .. } = action else { return false };
        let channel = self.channel_of(channel, now, context);
        matches!(channel, Ok(Some(channel)) if self.channel_layout(now, channel).capacity == 0)
    }

    /// Whether there is a message that a receive would accept.
    fn has_message(
        &self,
        channel: usize,
        random: bool,
        args: &[RecvArg],
        now: &DecodedState,
        context: EvalContext,
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
                self.accepts(arg, field, now, context)
            })
        })
    }

    /// Whether a field of a receive accepts this value. A fault counts as a move, too.
    fn accepts(
        &self,
        arg: &RecvArg,
        value: Option<i32>,
        now: &DecodedState,
        context: EvalContext,
    ) -> bool {
        match arg {
            RecvArg::Store(_) => true,
            RecvArg::Match(wanted) | RecvArg::Eval(wanted) => {
                self.eval(wanted, now, context).map_or(true, |wanted| value == Some(wanted))
            }
        }
    }

    /// Whether a process would accept an offered message at its location.
    fn would_receive(&self, now: &DecodedState, pid: usize, offer: Offer<'_>) -> bool {
        let context = EvalContext { pid, ..offer.sender };
        let automaton = self.automaton(now.process(pid));
        let takes = |action: &EdgeAction| match action {
            EdgeAction::Receive { channel, peek: false, args, .. } => {
                self.channel_of(channel, now, context).map_or(true, |at| at == Some(offer.channel))
                    && self.meets(offer, args, now, context)
            }
            _ => false,
        };
        let mut edges = automaton.edges_from(now.location(pid)).iter();
        edges.any(|edge| match &edge.steps[0].action {
            EdgeAction::DStep => {
                entries(automaton, edge.id).any(|first| takes(&first.steps[0].action))
            }
            action => takes(action),
        }) && self.provided(now, context) == Ok(true)
    }

    /// Whether a process offers a message, at its location, that a receive accepts.
    fn would_send(
        &self,
        now: &DecodedState,
        pid: usize,
        wanted: usize,
        args: &[RecvArg],
        receiver: EvalContext,
    ) -> bool {
        let sender = EvalContext { pid, ..receiver };
        let automaton = self.automaton(now.process(pid));
        let mut edges = automaton.edges_from(now.location(pid)).iter();
        edges.any(|edge| match &edge.steps[0].action {
            EdgeAction::Send { channel, args: sent, .. } => {
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

    /// Whether the receiver accepts an offered message.
    fn meets(
        &self,
        offer: Offer<'_>,
        args: &[RecvArg],
        now: &DecodedState,
        receiver: EvalContext,
    ) -> bool {
        let fields = &self.channel_layout(now, offer.channel).fields;
        args.iter().enumerate().all(|(at, arg)| {
            let sent = offer.args.get(at).map_or(Ok(0), |sent| self.eval(sent, now, offer.sender));
            let Ok(sent) = sent else { return true };
            let value = fields.get(at).map(|field| field.truncate(sent));
            self.accepts(arg, value, now, receiver)
        })
    }
}

/// The first edges of a `d_step`.
fn entries(automaton: &Automaton, edge: EdgeId) -> impl Iterator<Item = &Edge> {
    let inside = automaton.d_steps.iter().find(|inside| inside.edge == edge);
    inside
        .into_iter()
        .flat_map(|inside| inside.edges.iter().filter(move |first| first.from == inside.entry))
}
