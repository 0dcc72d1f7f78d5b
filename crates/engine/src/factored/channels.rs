//! Messages in factors: what sending and receiving ask and do.

use beeline_factored::{Action, Assignment, Binary, Element, Expr, Place};
use beeline_promela::hir::{self, Access, ExprKind, RecvArg};

use super::build::{Builder, assign};
use super::crew::Queue;
use super::exprs::Who;
use super::lines::{Meeting, Way, set_by};

impl<'a> Builder<'a> {
    /// What has to be true of a variable for it to hold a channel; nothing if it can hold no
    /// other one.
    fn holding(&mut self, access: &Access, who: usize, queue: &Queue, alone: bool) -> Vec<Action> {
        if alone {
            return Vec::new();
        }
        let value = self.read(access, Some(who));
        vec![Action::Require(value.equals(queue.value))]
    }

    /// The channels that a statement may use; that there may be none is a failure.
    fn used(&mut self, access: &Access, who: usize) -> (Vec<usize>, bool) {
        let queues = self.channels(access, Some(who));
        let value = self.read(access, Some(who));
        let missing = self.missing(access, Some(who), &value);
        self.failing.push(missing);
        let alone = queues.len() == 1 && self.holds_one(access, Some(who));
        (queues, alone)
    }

    /// A message with more fields than the channel carries, or fewer, is a failure where it is
    /// used, if there is room for it, or one there.
    fn misfit(&mut self, holding: &[Action], there: Option<Expr>) {
        let held = holding.iter().filter_map(|action| match action {
            Action::Require(condition) => Some(condition.clone()),
            _ => None,
        });
        self.failing.push(held.chain(there).fold(Expr::TRUE, Expr::and));
    }

    /// The ways in which a message can be sent.
    pub(super) fn send(
        &mut self,
        channel: &Access,
        sorted: bool,
        args: &[hir::Expr],
        who: usize,
    ) -> Vec<Way<'a>> {
        let (queues, alone) = self.used(channel, who);
        let values: Vec<Expr> = args.iter().map(|arg| self.expr(arg, Some(who))).collect();
        let mut ways = Vec::new();
        for at in queues {
            let queue = self.crew.queues[at].clone();
            let mut actions = self.holding(channel, who, &queue, alone);
            if args.len() != queue.fields.len() {
                let length = Expr::Factor(queue.length);
                let room = length.binary(Binary::Less, Expr::Const(queue.capacity as i32));
                self.misfit(&actions, (queue.capacity > 0).then_some(room));
                continue;
            }
            let message: Vec<Expr> = (queue.fields.iter().enumerate())
                .map(|(field, &scalar)| self.cut(values[field].clone(), scalar))
                .collect();
            if queue.capacity == 0 {
                let meeting = Some(Meeting::Offer { queue: at, message });
                ways.push(Way { actions, meeting });
                continue;
            }
            let length = Expr::Factor(queue.length);
            let room = length.clone().binary(Binary::Less, Expr::Const(queue.capacity as i32));
            if self.machine.loses_messages() {
                let mut lost = actions.clone();
                lost.push(Action::Require(room.clone().negated()));
                ways.push(Way::of(lost));
            }
            actions.push(Action::Require(room));
            if !sorted {
                let mut all: Vec<Assignment> = Vec::new();
                for (field, value) in message.into_iter().enumerate() {
                    let place = Place::Element(Element {
                        first: queue.slot(0, field),
                        stride: queue.fields.len() as u32,
                        count: queue.capacity as u32,
                        index: Box::new(length.clone()),
                    });
                    all.push(Assignment { place, value });
                }
                all.push(longer(&queue, 1));
                actions.push(Action::Set(all));
                ways.push(Way::of(actions));
            } else {
                for slot in 0..queue.capacity {
                    let mut actions = actions.clone();
                    actions.extend(insertion(&queue, slot, &message));
                    ways.push(Way::of(actions));
                }
            }
        }
        ways
    }

    /// The ways in which a message can be received.
    pub(super) fn receive(
        &mut self,
        channel: &Access,
        random: bool,
        peek: bool,
        args: &'a [RecvArg],
        who: usize,
    ) -> Vec<Way<'a>> {
        let (queues, alone) = self.used(channel, who);
        let mut ways = Vec::new();
        for at in queues {
            let queue = self.crew.queues[at].clone();
            let actions = self.holding(channel, who, &queue, alone);
            if queue.capacity == 0 {
                if !peek {
                    let meeting = Some(Meeting::Take { queue: at, args });
                    ways.push(Way { actions, meeting });
                }
                continue;
            }
            if args.len() != queue.fields.len() {
                let filled = Expr::Const(0).binary(Binary::Less, Expr::Factor(queue.length));
                self.misfit(&actions, Some(filled));
                continue;
            }
            let slots = if random { queue.capacity } else { 1 };
            for slot in 0..slots {
                let mut actions = actions.clone();
                let there =
                    Expr::Const(slot as i32).binary(Binary::Less, Expr::Factor(queue.length));
                actions.push(Action::Require(there));
                let matched = self.matched(&queue, slot, args, Some(who));
                actions.extend(matched.into_iter().map(Action::Require));
                let message: Vec<Expr> = (0..queue.fields.len())
                    .map(|field| Expr::Factor(queue.slot(slot, field)))
                    .collect();
                actions.extend(self.deliver(&message, args, Some(who)));
                if !peek {
                    actions.push(removal(&queue, slot));
                }
                ways.push(Way::of(actions));
            }
        }
        ways
    }

    /// Stores the fields of a message in the receiver's variables, one after the other.
    pub(super) fn deliver(&mut self, message: &[Expr], args: &[RecvArg], who: Who) -> Vec<Action> {
        let mut actions: Vec<Action> = Vec::new();
        for (at, arg) in args.iter().enumerate() {
            let RecvArg::Store(target) = arg else { continue };
            let mut value = message.get(at).cloned().unwrap_or(Expr::Const(0));
            // A message is made before anything is stored.
            let stored = set_by(&actions);
            let mut changed = false;
            value.factors(&mut |factor| changed |= stored.contains(&factor));
            if changed {
                value = Expr::Any(beeline_factored::Interval::ALL);
            }
            let Some(action) = self.store(target, value, who) else { continue };
            actions.push(if asks_channels(target) { anywhere(action) } else { action });
        }
        actions
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

/// The same with any index.
fn anywhere(action: Action) -> Action {
    match action {
        Action::Set(mut all) => {
            for one in &mut all {
                if let Place::Element(element) = &mut one.place {
                    let greatest = i64::from(element.count) - 1;
                    let row = beeline_factored::Interval { least: 0, greatest };
                    *element.index = Expr::Any(row);
                }
            }
            Action::Set(all)
        }
        other => other,
    }
}

fn longer(queue: &Queue, by: i32) -> Assignment {
    assign(queue.length, Expr::Factor(queue.length).binary(Binary::Add, Expr::Const(by)))
}

/// Takes a message out and closes the gap; places behind the last message hold zeros.
fn removal(queue: &Queue, slot: usize) -> Action {
    let mut all = vec![longer(queue, -1)];
    for at in slot..queue.capacity {
        for field in 0..queue.fields.len() {
            let next = if at + 1 < queue.capacity {
                Expr::Factor(queue.slot(at + 1, field))
            } else {
                Expr::Const(0)
            };
            all.push(assign(queue.slot(at, field), next));
        }
    }
    Action::Set(all)
}

/// Puts a message in before the first larger one, if that is at this place.
fn insertion(queue: &Queue, slot: usize, message: &[Expr]) -> Vec<Action> {
    let length = Expr::Factor(queue.length);
    let here = Expr::Const(slot as i32);
    let mut actions = vec![Action::Require(here.clone().binary(Binary::LessEqual, length.clone()))];
    // Messages are compared field by field; the first one tells most.
    if let Some(first) = message.first() {
        let at = |slot| Expr::Factor(queue.slot(slot, 0));
        let larger = first.clone().binary(Binary::LessEqual, at(slot));
        actions.push(Action::Require(length.binary(Binary::Equal, here).or(larger)));
        if let Some(before) = slot.checked_sub(1) {
            actions.push(Action::Require(at(before).binary(Binary::LessEqual, first.clone())));
        }
    }
    let mut all = vec![longer(queue, 1)];
    for at in slot..queue.capacity {
        for (field, value) in message.iter().enumerate() {
            let value =
                if at == slot { value.clone() } else { Expr::Factor(queue.slot(at - 1, field)) };
            all.push(assign(queue.slot(at, field), value));
        }
    }
    actions.push(Action::Set(all));
    actions
}
