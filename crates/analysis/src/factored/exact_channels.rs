//! Messages in exact systems: the first message that matches is taken, messages are sorted by all
//! fields, and expressions are evaluated, and may fail, in the order of the interpreter.

use beeline_factored::{Assignment, AssignmentTarget, Binary, Deviation, FactorExpr, Instruction};
use beeline_kernel::FaultKind;
use beeline_promela::hir::{self, Access, RecvArg};

use super::action_sequences::{Alternative, Rendezvous};
use super::builder::{Builder, MaybeInstance};
use super::channels::{append, asks_channels, removal, shifted};
use super::instances::ChannelInstance;

impl<'a> Builder<'a> {
    /// The channels that a statement may use, each with the condition that the variable holds it.
    fn held(&mut self, access: &Access, instance: usize) -> Vec<(usize, FactorExpr)> {
        let (queues, is_alone) = self.used(access, instance);
        if is_alone {
            return queues.into_iter().map(|at| (at, FactorExpr::TRUE)).collect();
        }
        let value = self.read_again(access, instance);
        let held = |at: usize| (at, self.is_held(&value, &self.instances.queues[at]));
        queues.into_iter().map(held).collect()
    }

    /// A variable whose faults are known.
    fn read_again(&mut self, access: &Access, instance: usize) -> FactorExpr {
        let before = self.failing.len();
        let value = self.read(access, Some(instance));
        self.failing.truncate(before);
        value
    }

    /// The alternatives of a send.
    pub(super) fn send_exactly(
        &mut self,
        channel: &Access,
        sorted: bool,
        args: &[hir::Expr],
        instance: usize,
    ) -> Vec<Alternative<'a>> {
        let mut ways = Vec::new();
        for (at, held) in self.held(channel, instance) {
            let queue = self.instances.queues[at].clone();
            let channel = Some(queue.value);
            let full = FactorExpr::Const(queue.capacity as i32);
            let room = match queue.capacity {
                0 => FactorExpr::TRUE,
                _ => FactorExpr::Factor(queue.length).binary(Binary::Less, full),
            };
            if self.machine.loses_messages() && queue.capacity > 0 {
                let is_lost = held.clone().and(room.clone().negated());
                ways.push(Alternative { channel, ..Alternative::of(require(is_lost)) });
            }
            let is_sent = held.and(room);
            if args.len() != queue.fields.len() {
                self.fail(FaultKind::Fields, is_sent);
                continue;
            }
            let mut message = Vec::new();
            for (arg, &scalar) in args.iter().zip(&queue.fields) {
                let value = self.when(&is_sent, |builder| builder.expr(arg, Some(instance)));
                message.push(self.cut(value, scalar));
            }
            let mut actions = require(is_sent);
            if queue.capacity == 0 {
                let rendezvous = Some(Rendezvous::Offer { queue: at, message });
                ways.push(Alternative { actions, rendezvous, channel });
            } else if !sorted {
                actions.push(append(&queue, message));
                ways.push(Alternative { channel, ..Alternative::of(actions) });
            } else {
                for slot in 0..queue.capacity {
                    let mut actions = actions.clone();
                    actions.extend(insertion(&queue, slot, &message));
                    ways.push(Alternative { channel, ..Alternative::of(actions) });
                }
            }
        }
        ways
    }

    /// The alternatives of a receive.
    pub(super) fn receive_exactly(
        &mut self,
        channel: &Access,
        random: bool,
        peek: bool,
        args: &'a [RecvArg],
        instance: usize,
    ) -> Vec<Alternative<'a>> {
        let mut ways = Vec::new();
        for (at, held) in self.held(channel, instance) {
            let queue = self.instances.queues[at].clone();
            let channel = Some(queue.value);
            if queue.capacity == 0 {
                if !peek {
                    let rendezvous = Some(Rendezvous::Take { queue: at, args });
                    ways.push(Alternative { actions: require(held), rendezvous, channel });
                }
                continue;
            }
            let slots = if random { queue.capacity } else { 1 };
            // Whether no earlier message matches.
            let mut is_reached = held;
            for slot in 0..slots {
                let there = FactorExpr::Const(slot as i32)
                    .binary(Binary::Less, FactorExpr::Factor(queue.length));
                let is_here = is_reached.clone().and(there);
                let message: Vec<FactorExpr> = (0..queue.fields.len())
                    .map(|field| FactorExpr::Factor(queue.slot(slot, field)))
                    .collect();
                let matched = self.matches(&message, args, Some(instance), &is_here);
                let is_taken = is_here.and(matched.clone());
                is_reached = is_reached.and(matched.negated());
                if args.len() != queue.fields.len() {
                    self.fail(FaultKind::Fields, is_taken);
                    continue;
                }
                let delivered = self.when(&is_taken, |b| b.deliver(&message, args, Some(instance)));
                let mut actions = require(is_taken);
                actions.extend(delivered);
                if !peek {
                    actions.push(removal(&queue, slot));
                }
                ways.push(Alternative { channel, ..Alternative::of(actions) });
            }
        }
        ways
    }

    /// Whether a message can be received from a channel that holds messages. More fields than the
    /// message has are a fault.
    pub(super) fn receivable_exactly(
        &mut self,
        queue: &ChannelInstance,
        slots: usize,
        args: &[RecvArg],
        instance: MaybeInstance,
    ) -> FactorExpr {
        let mut is_reached = FactorExpr::TRUE;
        let mut receivable = FactorExpr::Const(0);
        for slot in 0..slots {
            let there = FactorExpr::Const(slot as i32)
                .binary(Binary::Less, FactorExpr::Factor(queue.length));
            let is_here = is_reached.clone().and(there);
            let message: Vec<FactorExpr> = (0..queue.fields.len())
                .map(|field| FactorExpr::Factor(queue.slot(slot, field)))
                .collect();
            let matched = self.matches(&message, args, instance, &is_here);
            let is_taken = is_here.and(matched.clone());
            if args.len() > queue.fields.len() {
                self.fail(FaultKind::Fields, is_taken.clone());
            }
            receivable = receivable.or(is_taken);
            is_reached = is_reached.and(matched.negated());
        }
        receivable
    }

    /// The condition for a message to match a receive. Fields are compared in order, where
    /// `is_reached`.
    pub(super) fn matches(
        &mut self,
        message: &[FactorExpr],
        args: &[RecvArg],
        instance: MaybeInstance,
        is_reached: &FactorExpr,
    ) -> FactorExpr {
        let mut matched = FactorExpr::TRUE;
        for (arg, there) in args.iter().zip(message) {
            let (RecvArg::Match(value) | RecvArg::Eval(value)) = arg else { continue };
            let is_compared = is_reached.clone().and(matched.clone());
            let value = self.when(&is_compared, |builder| builder.expr(value, instance));
            matched = matched.and(there.clone().binary(Binary::Equal, value));
        }
        matched
    }

    /// Stores the fields of a message, all of which are known before. Not exact where an index
    /// depends on an earlier field or on channels.
    pub(super) fn deliver_exactly(
        &mut self,
        message: &[FactorExpr],
        args: &[RecvArg],
        instance: MaybeInstance,
    ) -> Vec<Instruction> {
        let mut all: Vec<Assignment> = Vec::new();
        for (arg, value) in args.iter().zip(message) {
            let RecvArg::Store(target) = arg else { continue };
            let Some(Instruction::Set(stored)) = self.store(target, value.clone(), instance) else {
                continue;
            };
            let earlier: Vec<_> = all.iter().flat_map(|one| one.place.factors()).collect();
            let mut depends = asks_channels(target);
            for one in &stored {
                if let AssignmentTarget::Element(element) = &one.place {
                    element.index.factors(&mut |factor| depends |= earlier.contains(&factor));
                }
            }
            if depends {
                let reason = "an index that depends on the message that is received";
                self.system.precision.lose(reason, Deviation::OtherSteps);
            }
            all.extend(stored);
        }
        if all.is_empty() { Vec::new() } else { vec![Instruction::Set(all)] }
    }
}

/// A condition as an instruction.
fn require(condition: FactorExpr) -> Vec<Instruction> {
    match condition {
        FactorExpr::Const(value) if value != 0 => Vec::new(),
        condition => vec![Instruction::Require(condition)],
    }
}

/// Inserts a message before the first larger one, if that is in this slot.
fn insertion(queue: &ChannelInstance, slot: usize, message: &[FactorExpr]) -> Vec<Instruction> {
    let at = |slot: usize| -> Vec<FactorExpr> {
        (0..message.len()).map(|field| FactorExpr::Factor(queue.slot(slot, field))).collect()
    };
    let length = FactorExpr::Factor(queue.length);
    let here = FactorExpr::Const(slot as i32);
    let is_last = length.clone().binary(Binary::Equal, here.clone());
    let mut actions = vec![
        Instruction::Require(here.binary(Binary::LessEqual, length)),
        Instruction::Require(is_last.or(is_less(message, &at(slot)))),
    ];
    for before in 0..slot {
        actions.push(Instruction::Require(is_less(message, &at(before)).negated()));
    }
    actions.push(shifted(queue, slot, message));
    actions
}

/// Whether a message is less than another: fields are compared in order.
fn is_less(message: &[FactorExpr], other: &[FactorExpr]) -> FactorExpr {
    let fields = message.iter().zip(other).rev();
    fields.fold(FactorExpr::Const(0), |rest, (one, two)| {
        let less = one.clone().binary(Binary::Less, two.clone());
        less.or(one.clone().binary(Binary::Equal, two.clone()).and(rest))
    })
}
