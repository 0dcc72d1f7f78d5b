//! Promela expressions over factors.
//!
//! An expression that the factors do not determine has any of its possible values. Where an
//! expression may have no value, the condition is recorded: such steps fail.

use std::collections::BTreeMap;

use beeline_engine::automata::label_location;
use beeline_factored::{
    AssignmentTarget, Binary, Element, FactorExpr, FactorId, IntWidth, Interval, Unary,
};
use beeline_kernel::FaultKind;
use beeline_promela::hir;
use beeline_promela::hir::{
    Access, BinaryOp, ChannelQuery, ExprKind, Predefined, ProcessId, ProcessQuery, RecvArg, Root,
    Type, UnaryOp,
};

use super::builder::{Builder, MaybeInstance, Stored};
use super::instances::ChannelInstance;
use crate::operators::operator;

impl Builder<'_> {
    /// An expression that starts no process.
    pub(super) fn expr(&mut self, expr: &hir::Expr, instance: MaybeInstance) -> FactorExpr {
        match &expr.kind {
            ExprKind::Const(value) | ExprKind::Mtype { value, .. } => FactorExpr::Const(*value),
            ExprKind::Read(access) => self.read(access, instance),
            ExprKind::Unary(op, operand) => {
                let operand = self.expr(operand, instance);
                match op {
                    UnaryOp::Not => operand.negated(),
                    UnaryOp::Negate => FactorExpr::Unary(Unary::Negate, Box::new(operand)),
                    UnaryOp::BitNot => FactorExpr::Unary(Unary::BitNot, Box::new(operand)),
                    UnaryOp::Always | UnaryOp::Eventually | UnaryOp::Next => {
                        unreachable!("temporal operators stand in formulas only")
                    }
                }
            }
            ExprKind::Binary(op, left, right) => self.binary(*op, left, right, instance),
            ExprKind::Conditional(condition, yes, no) => {
                let condition = self.expr(condition, instance);
                let yes = self.when(&condition.clone(), |b| b.expr(yes, instance));
                let no = self.when(&condition.clone().negated(), |b| b.expr(no, instance));
                FactorExpr::Conditional(Box::new(condition), Box::new(yes), Box::new(no))
            }
            ExprKind::Channel(query, access) => self.query(*query, access, instance),
            ExprKind::Poll { channel, random, args } => self.poll(channel, *random, args, instance),
            ExprKind::Process(ProcessQuery::PcValue, pid) => self.pc_value(pid, instance),
            ExprKind::Process(ProcessQuery::Priority, pid) => {
                self.expr(pid, instance);
                FactorExpr::Any(IntWidth::Bits(8).interval())
            }
            ExprKind::Process(ProcessQuery::Enabled, pid) => {
                self.expr(pid, instance);
                self.fail(FaultKind::Circular, FactorExpr::Any(Interval::TRUTH));
                FactorExpr::Any(Interval::TRUTH)
            }
            ExprKind::Timeout => self.timeout.clone(),
            ExprKind::NonProgress => FactorExpr::Any(Interval::TRUTH),
            ExprKind::RemoteLabel { process, pid, label } => {
                let target = label_location(self.machine.automaton(*process), *label);
                let at = target.map_or(-1, |location| location.0 as i32);
                self.remote(
                    *process,
                    pid.as_deref(),
                    instance,
                    Interval::TRUTH,
                    |builder, member| {
                        FactorExpr::Factor(builder.instances.processes[member].location).equals(at)
                    },
                )
            }
            ExprKind::RemoteVar { process, pid, var } => {
                self.remote(*process, pid.as_deref(), instance, Interval::ALL, |builder, member| {
                    builder.read(var, Some(member))
                })
            }
            ExprKind::Run { .. } => FactorExpr::Any(Interval::ALL),
        }
    }

    /// Translates an expression that is evaluated only under a condition.
    pub(super) fn when<T>(&mut self, condition: &FactorExpr, of: impl FnOnce(&mut Self) -> T) -> T {
        let before = self.failing.len();
        let made = of(self);
        for cause in &mut self.failing[before..] {
            let when = std::mem::replace(&mut cause.when, FactorExpr::TRUE);
            cause.when = condition.clone().and(when);
        }
        made
    }

    fn binary(
        &mut self,
        op: BinaryOp,
        left: &hir::Expr,
        right: &hir::Expr,
        instance: MaybeInstance,
    ) -> FactorExpr {
        let a = self.expr(left, instance);
        match op {
            BinaryOp::And => {
                let b = self.when(&a.clone(), |builder| builder.expr(right, instance));
                return a.and(b);
            }
            BinaryOp::Or => {
                let b = self.when(&a.clone().negated(), |builder| builder.expr(right, instance));
                return a.or(b);
            }
            _ => {}
        }
        let b = self.expr(right, instance);
        if matches!(op, BinaryOp::Divide | BinaryOp::Modulo) {
            self.fail(FaultKind::Division, b.clone().equals(0));
        }
        let op = operator(op).expect("temporal operators occur in formulas only");
        if op.is_reversed { b.binary(op.op, a) } else { a.binary(op.op, b) }
    }

    /// The value of a variable.
    pub(super) fn read(&mut self, access: &Access, instance: MaybeInstance) -> FactorExpr {
        if let Root::Predefined(predefined) = access.root {
            return self.predefined(predefined, instance);
        }
        match self.stored(access, instance).place {
            AssignmentTarget::Factor(factor) => FactorExpr::Factor(factor),
            AssignmentTarget::Element(element) => FactorExpr::Element(element),
        }
    }

    fn predefined(&self, predefined: Predefined, instance: MaybeInstance) -> FactorExpr {
        let most = self.machine.layout().frame.most_processes as i64;
        let any = FactorExpr::Any(Interval { least: 0, greatest: most });
        match predefined {
            Predefined::Pid => match instance {
                None => FactorExpr::Const(0),
                Some(member) => self.instances.processes[member]
                    .pid
                    .map_or(any, |pid| FactorExpr::Const(pid as i32)),
            },
            Predefined::NrPr => {
                if self.instances.has_summaries() {
                    return any;
                }
                let there = |member: &super::instances::ProcessInstance| {
                    FactorExpr::Const(0).binary(Binary::Less, FactorExpr::Factor(member.location))
                };
                let processes = self.instances.processes.iter().map(there);
                processes
                    .reduce(|sum, one| sum.binary(Binary::Add, one))
                    .unwrap_or(FactorExpr::Const(0))
            }
            Predefined::Last => any,
            Predefined::Priority => FactorExpr::Any(IntWidth::Bits(8).interval()),
            Predefined::Scratch => FactorExpr::Const(0),
        }
    }

    /// The position of the value of a variable.
    pub(super) fn stored(&mut self, access: &Access, instance: MaybeInstance) -> Stored {
        let model = self.machine.model();
        let (mut first, variable) = match access.root {
            Root::Global(id) => {
                (self.globals.0 + self.spans.globals[id.index()], &model.globals[id.index()])
            }
            Root::Local(id) => {
                let member = instance.expect("only process instances have variables");
                let member = &self.instances.processes[member];
                let offset = self.spans.locals[member.process.index()][id.index()];
                (member.locals.0 + offset, &model.process(member.process).locals[id.index()])
            }
            Root::Predefined(_) => unreachable!("predefined variables have no place"),
        };
        let (mut ty, mut length) = (variable.ty, variable.length);
        // Each index with its stride and its number of elements.
        let mut rows = Vec::new();
        self.row(access.index.as_deref(), ty, length, instance, &mut rows);
        for field in &access.path {
            let Type::Struct(id) = ty else {
                unreachable!("the resolver checked that only structures have fields")
            };
            first += self.spans.structs[id.index()].fields[field.field as usize];
            let declared = &model.structs[id.index()].fields[field.field as usize];
            (ty, length) = (declared.ty, declared.length);
            self.row(field.index.as_ref(), ty, length, instance, &mut rows);
        }
        let scalar = self.machine.layout().element(ty, length);
        Stored { place: place(first, rows), scalar }
    }

    fn row(
        &mut self,
        index: Option<&hir::Expr>,
        ty: Type,
        length: Option<u32>,
        instance: MaybeInstance,
        rows: &mut Vec<Row>,
    ) {
        let (Some(index), Some(count)) = (index, length) else { return };
        let index = self.expr(index, instance);
        let inside = FactorExpr::Const(-1)
            .binary(Binary::Less, index.clone())
            .and(index.clone().binary(Binary::Less, FactorExpr::Const(count as i32)));
        self.fail(FaultKind::Index, inside.negated());
        rows.push(Row { index, stride: self.spans.size(ty), count });
    }

    /// The channels that a variable may hold.
    pub(super) fn channels(&mut self, access: &Access, instance: MaybeInstance) -> Vec<usize> {
        let known = self.known_channels(access, instance);
        (0..self.instances.queues.len())
            .filter(|&at| {
                known.as_ref().is_none_or(|known| known.contains(&self.instances.queues[at].value))
            })
            .collect()
    }

    /// The channel numbers that a constant variable may hold; `None` if it is not constant.
    fn known_channels(&mut self, access: &Access, instance: MaybeInstance) -> Option<Vec<i32>> {
        let process = match instance {
            Some(member) => self.instances.processes[member].process,
            None => ProcessId(0),
        };
        if !self.constants.contains(process, access.root) {
            return None;
        }
        let before = self.failing.len();
        let elements: Vec<FactorId> = self.stored(access, instance).place.factors().collect();
        self.failing.truncate(before);
        let (first, initial) = match access.root {
            Root::Global(_) => (self.globals, &self.first_globals),
            Root::Local(id) => {
                let member = &self.instances.processes[instance?];
                let is_other = self.instances.shifts() && !member.is_first;
                let is_param = id.0 < self.machine.model().process(process).params;
                // The arguments may differ from those of the static creation.
                let may_differ = is_param && !member.knows_params;
                if is_other || self.instances.is_recreated(instance?) || may_differ {
                    return None;
                }
                (member.locals, member.initial.as_ref()?)
            }
            Root::Predefined(_) => return None,
        };
        Some(elements.iter().map(|factor| initial[(factor.0 - first.0) as usize]).collect())
    }

    /// A value that depends on the channel that a variable holds.
    pub(super) fn by_channel(
        &mut self,
        access: &Access,
        instance: MaybeInstance,
        unknown: FactorExpr,
        mut of: impl FnMut(&mut Self, &ChannelInstance) -> FactorExpr,
    ) -> FactorExpr {
        let value = self.read(access, instance);
        let channels = self.channels(access, instance);
        let missing = self.missing(access, instance, &value);
        self.fail(FaultKind::NoChannel, missing);
        let mut made = None;
        for at in channels {
            let queue = self.instances.queues[at].clone();
            let held = self.is_held(&value, &queue);
            let one = if self.is_exact() {
                self.when(&held, |builder| of(builder, &queue))
            } else {
                of(self, &queue)
            };
            made = Some(match made {
                None => one,
                Some(others) => {
                    FactorExpr::Conditional(Box::new(held), Box::new(one), Box::new(others))
                }
            });
        }
        made.unwrap_or(unknown)
    }

    /// The condition under which a variable holds no channel: it was never assigned, or the process
    /// that owned the channel has ended.
    pub(super) fn missing(
        &mut self,
        access: &Access,
        instance: MaybeInstance,
        value: &FactorExpr,
    ) -> FactorExpr {
        let known = self.known_channels(access, instance);
        let mut missing = match &known {
            Some(known) if !known.contains(&0) => FactorExpr::Const(0),
            _ => value.clone().equals(0),
        };
        // By number: whether all processes that may own the channel have ended.
        let mut gone: BTreeMap<i32, FactorExpr> = BTreeMap::new();
        for at in self.channels(access, instance) {
            let queue = &self.instances.queues[at];
            let is_gone = match queue.owner {
                None => FactorExpr::Const(0),
                own if own == instance => FactorExpr::Const(0),
                Some(_) if queue.is_summary() => FactorExpr::Any(Interval::TRUTH),
                Some(owner) => {
                    FactorExpr::Factor(self.instances.processes[owner].location).equals(0)
                }
            };
            let before = gone.remove(&queue.value).unwrap_or(FactorExpr::TRUE);
            gone.insert(queue.value, before.and(is_gone));
        }
        for (number, gone) in gone {
            if gone != FactorExpr::Const(0) {
                missing = missing.or(value.clone().equals(number).and(gone));
            }
        }
        missing
    }

    /// Whether a variable with this value holds a channel. Channels of different processes may have
    /// the same number, one after the other.
    pub(super) fn is_held(&self, value: &FactorExpr, queue: &ChannelInstance) -> FactorExpr {
        let held = value.clone().equals(queue.value);
        let alike = self.instances.queues.iter().filter(|other| other.value == queue.value);
        match queue.owner {
            Some(owner) if alike.count() > 1 => {
                let location = self.instances.processes[owner].location;
                held.and(FactorExpr::Factor(location).equals(0).negated())
            }
            _ => held,
        }
    }

    /// Whether a variable surely holds this channel and no other.
    pub(super) fn holds_one(&mut self, access: &Access, instance: MaybeInstance) -> bool {
        let known = self.known_channels(access, instance);
        known.is_some_and(|known| known.len() == 1 && !known.contains(&0))
    }

    fn query(
        &mut self,
        query: ChannelQuery,
        access: &Access,
        instance: MaybeInstance,
    ) -> FactorExpr {
        let unknown = FactorExpr::Any(IntWidth::Bits(8).interval());
        self.by_channel(access, instance, unknown, |_, queue| {
            let length = FactorExpr::Factor(queue.length);
            let capacity = queue.capacity.max(1) as i32;
            match query {
                ChannelQuery::Len => length,
                ChannelQuery::Full => length.equals(capacity),
                ChannelQuery::NFull => length.equals(capacity).negated(),
                ChannelQuery::Empty => length.equals(0),
                ChannelQuery::NEmpty => length.equals(0).negated(),
            }
        })
    }

    fn poll(
        &mut self,
        access: &Access,
        random: bool,
        args: &[RecvArg],
        instance: MaybeInstance,
    ) -> FactorExpr {
        let made = self.by_channel(access, instance, FactorExpr::Const(0), |builder, queue| {
            builder.receivable(queue, random, args, instance)
        });
        if self.is_exact() {
            return made;
        }
        let value = self.read(access, instance);
        for at in self.channels(access, instance) {
            let queue = &self.instances.queues[at];
            if args.len() > queue.fields.len() && queue.capacity > 0 {
                let filled =
                    FactorExpr::Const(0).binary(Binary::Less, FactorExpr::Factor(queue.length));
                self.fail(FaultKind::Fields, value.clone().equals(queue.value).and(filled));
            }
        }
        made
    }

    /// Whether a message can be received from a channel that holds messages.
    pub(super) fn receivable(
        &mut self,
        queue: &ChannelInstance,
        random: bool,
        args: &[RecvArg],
        instance: MaybeInstance,
    ) -> FactorExpr {
        let slots = if random { queue.capacity } else { queue.capacity.min(1) };
        if self.is_exact() {
            return self.receivable_exactly(queue, slots, args, instance);
        }
        let each = (0..slots).map(|slot| {
            let there = FactorExpr::Const(slot as i32)
                .binary(Binary::Less, FactorExpr::Factor(queue.length));
            self.matched(queue, slot, args, instance).into_iter().fold(there, FactorExpr::and)
        });
        let each: Vec<FactorExpr> = each.collect();
        each.into_iter().reduce(FactorExpr::or).unwrap_or(FactorExpr::Const(0))
    }

    /// The condition for a message to match a receive.
    pub(super) fn matched(
        &mut self,
        queue: &ChannelInstance,
        slot: usize,
        args: &[RecvArg],
        instance: MaybeInstance,
    ) -> Vec<FactorExpr> {
        let mut all = Vec::new();
        for (field, arg) in args.iter().enumerate() {
            let (RecvArg::Match(value) | RecvArg::Eval(value)) = arg else { continue };
            let value = self.expr(value, instance);
            all.push(if field < queue.fields.len() {
                FactorExpr::Factor(queue.slot(slot, field)).binary(Binary::Equal, value)
            } else {
                FactorExpr::Const(0)
            });
        }
        all
    }

    fn pc_value(&mut self, pid: &hir::Expr, instance: MaybeInstance) -> FactorExpr {
        let pid = self.expr(pid, instance);
        let locations = Interval { least: 0, greatest: i64::from(u16::MAX) };
        let mut made = if self.instances.has_summaries() {
            FactorExpr::Any(locations)
        } else {
            FactorExpr::Const(0)
        };
        for member in &self.instances.processes {
            let Some(number) = member.pid else { continue };
            let there =
                FactorExpr::Const(0).binary(Binary::Less, FactorExpr::Factor(member.location));
            made = FactorExpr::Conditional(
                Box::new(pid.clone().equals(number as i32).and(there)),
                Box::new(FactorExpr::Factor(member.location)),
                Box::new(made),
            );
        }
        made
    }

    /// An expression about another process: the one with this number, or the first of its type; 0
    /// if there is none.
    fn remote(
        &mut self,
        process: ProcessId,
        pid: Option<&hir::Expr>,
        instance: MaybeInstance,
        values: Interval,
        mut of: impl FnMut(&mut Self, usize) -> FactorExpr,
    ) -> FactorExpr {
        let pid = pid.map(|pid| self.expr(pid, instance));
        if self.instances.summary(process).is_some() {
            return FactorExpr::Any(values);
        }
        let mut made = FactorExpr::Const(0);
        let mut all: Vec<usize> = (0..self.instances.processes.len()).collect();
        all.sort_by_key(|&at| self.instances.processes[at].pid);
        for at in all.into_iter().rev() {
            let member = self.instances.processes[at].clone();
            let Some(number) = member.pid.filter(|_| member.process == process) else { continue };
            let there =
                FactorExpr::Const(0).binary(Binary::Less, FactorExpr::Factor(member.location));
            let meant = match &pid {
                Some(pid) => pid.clone().equals(number as i32).and(there),
                None => there,
            };
            let value = self.when(&meant.clone(), |builder| of(builder, at));
            made = match meant {
                FactorExpr::Const(0) => made,
                meant => FactorExpr::Conditional(Box::new(meant), Box::new(value), Box::new(made)),
            };
        }
        made
    }
}

/// An index into an array.
struct Row {
    index: FactorExpr,
    stride: u32,
    count: u32,
}

/// The target of some indices, relative to the first factor.
fn place(mut first: u32, rows: Vec<Row>) -> AssignmentTarget {
    let mut left = Vec::new();
    for row in rows {
        match row.index {
            FactorExpr::Const(index) if (0..row.count as i32).contains(&index) => {
                first += index as u32 * row.stride;
            }
            _ => left.push(row),
        }
    }
    let first = FactorId(first);
    match left.len() {
        0 => AssignmentTarget::Factor(first),
        1 => {
            let Row { index, stride, count } = left.remove(0);
            AssignmentTarget::Element(Element { first, stride, count, index: Box::new(index) })
        }
        _ => {
            // Several indices are combined into one, in units of factors.
            let count = left.iter().map(|row| (row.count - 1) * row.stride).sum::<u32>() + 1;
            let index = left
                .into_iter()
                .map(|row| row.index.binary(Binary::Multiply, FactorExpr::Const(row.stride as i32)))
                .reduce(|sum, one| sum.binary(Binary::Add, one))
                .expect("there are several");
            AssignmentTarget::Element(Element { first, stride: 1, count, index: Box::new(index) })
        }
    }
}
