//! Messages in factors: conditions and effects of sends and receives.

use beeline_factored::{Assignment, AssignmentTarget, Binary, Element, FactorExpr, Instruction};
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
    fn used(&mut self, access: &Access, instance: usize) -> (Vec<usize>, bool) {
        let queues = self.channels(access, Some(instance));
        let value = self.read(access, Some(instance));
        let missing = self.missing(access, Some(instance), &value);
        self.failing.push(missing);
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
        self.failing.push(held.chain(there).fold(FactorExpr::TRUE, FactorExpr::and));
    }

    /// The alternatives of a send.
    pub(super) fn send(
        &mut self,
        channel: &Access,
        sorted: bool,
        args: &[hir::Expr],
        instance: usize,
    ) -> Vec<Alternative<'a>> {
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
                ways.push(Alternative { actions, rendezvous });
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
                    actions.extend(if self.is_exact() {
                        exact_insertion(&queue, slot, &message)
                    } else {
                        insertion(&queue, slot, &message)
                    });
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
        let (queues, alone) = self.used(channel, instance);
        let mut ways = Vec::new();
        for at in queues {
            let queue = self.instances.queues[at].clone();
            let actions = self.holding(channel, instance, &queue, alone);
            if queue.capacity == 0 {
                if !peek {
                    let rendezvous = Some(Rendezvous::Take { queue: at, args });
                    ways.push(Alternative { actions, rendezvous });
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
            let mut earlier: Vec<Instruction> = Vec::new();
            for slot in 0..slots {
                let mut actions = actions.clone();
                actions.extend(earlier.iter().cloned());
                let there = FactorExpr::Const(slot as i32)
                    .binary(Binary::Less, FactorExpr::Factor(queue.length));
                actions.push(Instruction::Require(there));
                let matched = self.matched(&queue, slot, args, Some(instance));
                if self.is_exact() {
                    // The first message that matches is taken.
                    let differs = matched.iter().cloned().reduce(FactorExpr::and);
                    let differs = differs.map_or(FactorExpr::Const(0), FactorExpr::negated);
                    earlier.push(Instruction::Require(differs));
                }
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
            return self.deliver_at_once(message, args, instance);
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

    /// Stores the fields of a message, all of which are known before. Not exact where an index
    /// depends on an earlier field or on channels.
    fn deliver_at_once(
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
                self.system.precision.lose(reason);
            }
            all.extend(stored);
        }
        if all.is_empty() { Vec::new() } else { vec![Instruction::Set(all)] }
    }
}

/// Whether an index depends on channels, which the receive changes itself.
fn asks_channels(access: &Access) -> bool {
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
fn append(queue: &ChannelInstance, message: Vec<FactorExpr>) -> Instruction {
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
fn removal(queue: &ChannelInstance, slot: usize) -> Instruction {
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

/// Inserts a message before the first larger one, if that is in this slot.
fn exact_insertion(
    queue: &ChannelInstance,
    slot: usize,
    message: &[FactorExpr],
) -> Vec<Instruction> {
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
fn shifted(queue: &ChannelInstance, slot: usize, message: &[FactorExpr]) -> Instruction {
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
