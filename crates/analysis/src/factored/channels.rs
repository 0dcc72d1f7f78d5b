//! Messages in factors: conditions and effects of sends and receives.

use beeline_factored::{Assignment, AssignmentTarget, Binary, Element, FactorExpr, Instruction};
use beeline_kernel::FaultKind;
use beeline_promela::hir::{self, Access, ExprKind, RecvArg};

use super::action_sequences::{Alternative, Rendezvous, set_by};
use super::builder::{Builder, MaybeInstance, assign};
use super::instances::ChannelInstance;

impl<'a> Builder<'a> {
    /// The condition that a variable holds a channel; none if it can hold no other one.
    fn holding(
        &mut self,
        access: &Access,
        instance: usize,
        queue: &ChannelInstance,
        alone: bool,
    ) -> Vec<Instruction> {
        if alone {
            return Vec::new();
        }
        let value = self.read(access, Some(instance));
        vec![Instruction::Require(value.equals(queue.value))]
    }

    /// The channels that a statement may use; holding none is a fault.
    pub(super) fn used(&mut self, access: &Access, instance: usize) -> (Vec<usize>, bool) {
        let queues = self.channels(access, Some(instance));
        let value = self.read(access, Some(instance));
        let missing = self.missing(access, Some(instance), &value);
        self.fail(FaultKind::NoChannel, missing);
        let alone = queues.len() == 1 && self.holds_one(access, Some(instance));
        (queues, alone)
    }

    /// A message with a wrong number of fields is a fault when it is used: if the channel has room
    /// for it, or a message.
    fn misfit(&mut self, holding: &[Instruction], there: Option<FactorExpr>) {
        let held = holding.iter().filter_map(|action| match action {
            Instruction::Require(condition) => Some(condition.clone()),
            _ => None,
        });
        let there = held.chain(there).fold(FactorExpr::TRUE, FactorExpr::and);
        self.fail(FaultKind::Fields, there);
    }

    /// The alternatives of a send.
    pub(super) fn send(
        &mut self,
        channel: &Access,
        sorted: bool,
        args: &[hir::Expr],
        instance: usize,
    ) -> Vec<Alternative<'a>> {
        if self.is_exact() {
            return self.send_exactly(channel, sorted, args, instance);
        }
        let (queues, alone) = self.used(channel, instance);
        let values: Vec<FactorExpr> =
            args.iter().map(|arg| self.expr(arg, Some(instance))).collect();
        let mut ways = Vec::new();
        for at in queues {
            let queue = self.instances.queues[at].clone();
            let mut actions = self.holding(channel, instance, &queue, alone);
            if args.len() != queue.fields.len() {
                let length = FactorExpr::Factor(queue.length);
                let room = length.binary(Binary::Less, FactorExpr::Const(queue.capacity as i32));
                self.misfit(&actions, (queue.capacity > 0).then_some(room));
                continue;
            }
            let message: Vec<FactorExpr> = (queue.fields.iter().enumerate())
                .map(|(field, &scalar)| self.cut(values[field].clone(), scalar))
                .collect();
            if queue.capacity == 0 {
                let rendezvous = Some(Rendezvous::Offer { queue: at, message });
                ways.push(Alternative { actions, rendezvous, channel: None });
                continue;
            }
            let length = FactorExpr::Factor(queue.length);
            let room = length.binary(Binary::Less, FactorExpr::Const(queue.capacity as i32));
            if self.machine.loses_messages() {
                let mut lost = actions.clone();
                lost.push(Instruction::Require(room.clone().negated()));
                ways.push(Alternative::of(lost));
            }
            actions.push(Instruction::Require(room));
            if !sorted {
                actions.push(append(&queue, message));
                ways.push(Alternative::of(actions));
            } else {
                for slot in 0..queue.capacity {
                    let mut actions = actions.clone();
                    actions.extend(insertion(&queue, slot, &message));
                    ways.push(Alternative::of(actions));
                }
            }
        }
        ways
    }

    /// The alternatives of a receive.
    pub(super) fn receive(
        &mut self,
        channel: &Access,
        random: bool,
        peek: bool,
        args: &'a [RecvArg],
        instance: usize,
    ) -> Vec<Alternative<'a>> {
        if self.is_exact() {
            return self.receive_exactly(channel, random, peek, args, instance);
        }
        let (queues, alone) = self.used(channel, instance);
        let mut ways = Vec::new();
        for at in queues {
            let queue = self.instances.queues[at].clone();
            let actions = self.holding(channel, instance, &queue, alone);
            if queue.capacity == 0 {
                if !peek {
                    let rendezvous = Some(Rendezvous::Take { queue: at, args });
                    ways.push(Alternative { actions, rendezvous, channel: None });
                }
                continue;
            }
            if args.len() != queue.fields.len() {
                let filled =
                    FactorExpr::Const(0).binary(Binary::Less, FactorExpr::Factor(queue.length));
                self.misfit(&actions, Some(filled));
                continue;
            }
            let slots = if random { queue.capacity } else { 1 };
            for slot in 0..slots {
                let mut actions = actions.clone();
                let there = FactorExpr::Const(slot as i32)
                    .binary(Binary::Less, FactorExpr::Factor(queue.length));
                actions.push(Instruction::Require(there));
                let matched = self.matched(&queue, slot, args, Some(instance));
                actions.extend(matched.into_iter().map(Instruction::Require));
                let message: Vec<FactorExpr> = (0..queue.fields.len())
                    .map(|field| FactorExpr::Factor(queue.slot(slot, field)))
                    .collect();
                actions.extend(self.deliver(&message, args, Some(instance)));
                if !peek {
                    actions.push(removal(&queue, slot));
                }
                ways.push(Alternative::of(actions));
            }
        }
        ways
    }

    /// Stores the fields of a message in the receiver's variables, one after the other.
    pub(super) fn deliver(
        &mut self,
        message: &[FactorExpr],
        args: &[RecvArg],
        instance: MaybeInstance,
    ) -> Vec<Instruction> {
        if self.is_exact() {
            return self.deliver_exactly(message, args, instance);
        }
        let mut actions: Vec<Instruction> = Vec::new();
        for (at, arg) in args.iter().enumerate() {
            let RecvArg::Store(target) = arg else { continue };
            let mut value = message.get(at).cloned().unwrap_or(FactorExpr::Const(0));
            // The message is evaluated before any field is stored.
            let stored = set_by(&actions);
            let mut changed = false;
            value.factors(&mut |factor| changed |= stored.contains(&factor));
            if changed {
                value = FactorExpr::Any(beeline_factored::Interval::ALL);
            }
            let Some(action) = self.store(target, value, instance) else { continue };
            actions.push(if asks_channels(target) { anywhere(action) } else { action });
        }
        actions
    }
}

/// Whether an index depends on channels, which the receive changes itself.
pub(super) fn asks_channels(access: &Access) -> bool {
    let mut asks = false;
    access.visit(&mut |index| {
        asks |=
            index.any(|part| matches!(part.kind, ExprKind::Channel(..) | ExprKind::Poll { .. }));
    });
    asks
}

/// The same assignment with an arbitrary index.
fn anywhere(action: Instruction) -> Instruction {
    match action {
        Instruction::Set(mut all) => {
            for one in &mut all {
                if let AssignmentTarget::Element(element) = &mut one.place {
                    let greatest = i64::from(element.count) - 1;
                    let row = beeline_factored::Interval { least: 0, greatest };
                    *element.index = FactorExpr::Any(row);
                }
            }
            Instruction::Set(all)
        }
        other => other,
    }
}

/// Appends a message to a channel.
pub(super) fn append(queue: &ChannelInstance, message: Vec<FactorExpr>) -> Instruction {
    let mut all: Vec<Assignment> = Vec::new();
    for (field, value) in message.into_iter().enumerate() {
        let place = AssignmentTarget::Element(Element {
            first: queue.slot(0, field),
            stride: queue.fields.len() as u32,
            count: queue.capacity as u32,
            index: Box::new(FactorExpr::Factor(queue.length)),
        });
        all.push(Assignment { place, value });
    }
    all.push(longer(queue, 1));
    Instruction::Set(all)
}

fn longer(queue: &ChannelInstance, by: i32) -> Assignment {
    assign(
        queue.length,
        FactorExpr::Factor(queue.length).binary(Binary::Add, FactorExpr::Const(by)),
    )
}

/// Removes a message and closes the gap; slots after the last message hold zeros.
pub(super) fn removal(queue: &ChannelInstance, slot: usize) -> Instruction {
    let mut all = vec![longer(queue, -1)];
    for at in slot..queue.capacity {
        for field in 0..queue.fields.len() {
            let next = if at + 1 < queue.capacity {
                FactorExpr::Factor(queue.slot(at + 1, field))
            } else {
                FactorExpr::Const(0)
            };
            all.push(assign(queue.slot(at, field), next));
        }
    }
    Instruction::Set(all)
}

/// Inserts a message before the first one whose first field is larger, if that is in this slot.
fn insertion(queue: &ChannelInstance, slot: usize, message: &[FactorExpr]) -> Vec<Instruction> {
    let length = FactorExpr::Factor(queue.length);
    let here = FactorExpr::Const(slot as i32);
    let mut actions =
        vec![Instruction::Require(here.clone().binary(Binary::LessEqual, length.clone()))];
    // Messages are compared field by field; only the first field is considered here.
    if let Some(first) = message.first() {
        let at = |slot| FactorExpr::Factor(queue.slot(slot, 0));
        let larger = first.clone().binary(Binary::LessEqual, at(slot));
        actions.push(Instruction::Require(length.binary(Binary::Equal, here).or(larger)));
        if let Some(before) = slot.checked_sub(1) {
            actions.push(Instruction::Require(at(before).binary(Binary::LessEqual, first.clone())));
        }
    }
    actions.push(shifted(queue, slot, message));
    actions
}

/// Puts a message into a slot; the others from there on move up.
pub(super) fn shifted(queue: &ChannelInstance, slot: usize, message: &[FactorExpr]) -> Instruction {
    let mut all = vec![longer(queue, 1)];
    for at in slot..queue.capacity {
        for (field, value) in message.iter().enumerate() {
            let value = if at == slot {
                value.clone()
            } else {
                FactorExpr::Factor(queue.slot(at - 1, field))
            };
            all.push(assign(queue.slot(at, field), value));
        }
    }
    Instruction::Set(all)
}
