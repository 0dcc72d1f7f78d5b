//! Expressions of Promela over factors.
//!
//! What cannot be told from the factors is any of its possible values. Where an expression may
//! have no value, the condition for that is noted: such steps fail.

use beeline_factored::{Binary, Element, Expr, FactorId, Interval, Place, Unary, Width};
use beeline_promela::hir;
use beeline_promela::hir::{
    Access, BinaryOp, ChannelQuery, ExprKind, Predefined, ProcessId, ProcessQuery, RecvArg, Root,
    Type, UnaryOp,
};

use super::build::Builder;
use super::crew::Queue;
use crate::automata::label_location;
use crate::layout::Scalar;

/// Whose expression it is: a member of the crew, or nobody's.
pub(super) type Who = Option<usize>;

/// A single value's place, and how it is stored.
pub(super) struct Stored {
    pub(super) place: Place,
    pub(super) scalar: Scalar,
}

/// How wide values are stored; none where nothing is cut.
pub(super) fn width(scalar: Scalar) -> Option<Width> {
    match scalar {
        Scalar::Bit => Some(Width::Bits(1)),
        Scalar::Byte => Some(Width::Bits(8)),
        Scalar::Short => Some(Width::Short),
        Scalar::Int => None,
        Scalar::Unsigned(bits) if bits < 32 => Some(Width::Bits(bits)),
        Scalar::Unsigned(_) => None,
    }
}

impl Builder<'_> {
    /// An expression that starts no process.
    pub(super) fn expr(&mut self, expr: &hir::Expr, who: Who) -> Expr {
        match &expr.kind {
            ExprKind::Const(value) | ExprKind::Mtype { value, .. } => Expr::Const(*value),
            ExprKind::Read(access) => self.read(access, who),
            ExprKind::Unary(op, operand) => {
                let operand = self.expr(operand, who);
                match op {
                    UnaryOp::Not => operand.negated(),
                    UnaryOp::Negate => Expr::Unary(Unary::Negate, Box::new(operand)),
                    UnaryOp::BitNot => Expr::Unary(Unary::BitNot, Box::new(operand)),
                    UnaryOp::Always | UnaryOp::Eventually | UnaryOp::Next => {
                        unreachable!("temporal operators stand in formulas only")
                    }
                }
            }
            ExprKind::Binary(op, left, right) => self.binary(*op, left, right, who),
            ExprKind::Conditional(condition, yes, no) => {
                let condition = self.expr(condition, who);
                let yes = self.when(&condition.clone(), |b| b.expr(yes, who));
                let no = self.when(&condition.clone().negated(), |b| b.expr(no, who));
                Expr::Conditional(Box::new(condition), Box::new(yes), Box::new(no))
            }
            ExprKind::Channel(query, access) => self.query(*query, access, who),
            ExprKind::Poll { channel, random, args } => self.poll(channel, *random, args, who),
            ExprKind::Process(ProcessQuery::PcValue, pid) => self.pc_value(pid, who),
            ExprKind::Process(ProcessQuery::Priority, pid) => {
                self.expr(pid, who);
                Expr::Any(Width::Bits(8).interval())
            }
            ExprKind::Process(ProcessQuery::Enabled, pid) => {
                self.expr(pid, who);
                self.failing.push(Expr::Any(Interval::TRUTH));
                Expr::Any(Interval::TRUTH)
            }
            ExprKind::Timeout => self.timeout.clone(),
            ExprKind::NonProgress => Expr::Any(Interval::TRUTH),
            ExprKind::RemoteLabel { process, pid, label } => {
                let target = label_location(self.machine.automaton(*process), *label);
                let at = target.map_or(-1, |location| location.0 as i32);
                self.remote(*process, pid.as_deref(), who, Interval::TRUTH, |builder, member| {
                    Expr::Factor(builder.crew.members[member].location).equals(at)
                })
            }
            ExprKind::RemoteVar { process, pid, var } => {
                self.remote(*process, pid.as_deref(), who, Interval::ALL, |builder, member| {
                    builder.read(var, Some(member))
                })
            }
            ExprKind::Run { .. } => Expr::Any(Interval::ALL),
        }
    }

    /// Translates with what may have no value depending on a condition.
    fn when(&mut self, condition: &Expr, of: impl FnOnce(&mut Self) -> Expr) -> Expr {
        let before = self.failing.len();
        let made = of(self);
        for failing in &mut self.failing[before..] {
            let cause = std::mem::replace(failing, Expr::TRUE);
            *failing = condition.clone().and(cause);
        }
        made
    }

    fn binary(&mut self, op: BinaryOp, left: &hir::Expr, right: &hir::Expr, who: Who) -> Expr {
        let a = self.expr(left, who);
        match op {
            BinaryOp::And => {
                let b = self.when(&a.clone(), |builder| builder.expr(right, who));
                return a.and(b);
            }
            BinaryOp::Or => {
                let b = self.when(&a.clone().negated(), |builder| builder.expr(right, who));
                return a.or(b);
            }
            _ => {}
        }
        let b = self.expr(right, who);
        let op = match op {
            BinaryOp::Add => Binary::Add,
            BinaryOp::Subtract => Binary::Subtract,
            BinaryOp::Multiply => Binary::Multiply,
            BinaryOp::Divide | BinaryOp::Modulo => {
                self.failing.push(b.clone().equals(0));
                if op == BinaryOp::Divide { Binary::Divide } else { Binary::Modulo }
            }
            BinaryOp::BitAnd => Binary::BitAnd,
            BinaryOp::BitXor => Binary::BitXor,
            BinaryOp::BitOr => Binary::BitOr,
            BinaryOp::ShiftLeft => Binary::ShiftLeft,
            BinaryOp::ShiftRight => Binary::ShiftRight,
            BinaryOp::Less => Binary::Less,
            BinaryOp::LessEqual => Binary::LessEqual,
            BinaryOp::Greater => return b.binary(Binary::Less, a),
            BinaryOp::GreaterEqual => return b.binary(Binary::LessEqual, a),
            BinaryOp::Equal => Binary::Equal,
            BinaryOp::NotEqual => Binary::NotEqual,
            BinaryOp::And | BinaryOp::Or => unreachable!("both are treated above"),
            BinaryOp::Implies
            | BinaryOp::Equivalent
            | BinaryOp::Until
            | BinaryOp::WeakUntil
            | BinaryOp::Release => unreachable!("temporal operators stand in formulas only"),
        };
        a.binary(op, b)
    }

    /// The value of a variable.
    pub(super) fn read(&mut self, access: &Access, who: Who) -> Expr {
        if let Root::Predefined(predefined) = access.root {
            return self.predefined(predefined, who);
        }
        match self.stored(access, who).place {
            Place::Factor(factor) => Expr::Factor(factor),
            Place::Element(element) => Expr::Element(element),
        }
    }

    fn predefined(&self, predefined: Predefined, who: Who) -> Expr {
        let most = self.machine.layout().frame.most_processes as i64;
        let any = Expr::Any(Interval { least: 0, greatest: most });
        match predefined {
            Predefined::Pid => match who {
                None => Expr::Const(0),
                Some(member) => {
                    self.crew.members[member].pid.map_or(any, |pid| Expr::Const(pid as i32))
                }
            },
            Predefined::NrPr => {
                if self.crew.has_crowds() {
                    return any;
                }
                let there = |member: &super::crew::Member| {
                    Expr::Const(0).binary(Binary::Less, Expr::Factor(member.location))
                };
                let members = self.crew.members.iter().map(there);
                members.reduce(|sum, one| sum.binary(Binary::Add, one)).unwrap_or(Expr::Const(0))
            }
            Predefined::Last => any,
            Predefined::Priority => Expr::Any(Width::Bits(8).interval()),
            Predefined::Scratch => Expr::Const(0),
        }
    }

    /// Where the value of a variable is.
    pub(super) fn stored(&mut self, access: &Access, who: Who) -> Stored {
        let model = self.machine.model();
        let (mut first, variable) = match access.root {
            Root::Global(id) => {
                (self.globals.0 + self.spans.globals[id.index()], &model.globals[id.index()])
            }
            Root::Local(id) => {
                let member = who.expect("only members of the crew have variables");
                let member = &self.crew.members[member];
                let offset = self.spans.locals[member.process.index()][id.index()];
                (member.locals.0 + offset, &model.process(member.process).locals[id.index()])
            }
            Root::Predefined(_) => unreachable!("predefined variables have no place"),
        };
        let (mut ty, mut length) = (variable.ty, variable.length);
        // Each index with how far the next element is, and how many there are.
        let mut rows = Vec::new();
        self.row(access.index.as_deref(), ty, length, who, &mut rows);
        for field in &access.path {
            let Type::Struct(id) = ty else {
                unreachable!("the resolver checked that only structures have fields")
            };
            first += self.spans.structs[id.index()].fields[field.field as usize];
            let declared = &model.structs[id.index()].fields[field.field as usize];
            (ty, length) = (declared.ty, declared.length);
            self.row(field.index.as_ref(), ty, length, who, &mut rows);
        }
        let scalar = self.machine.layout().element(ty, length);
        Stored { place: place(first, rows), scalar }
    }

    fn row(
        &mut self,
        index: Option<&hir::Expr>,
        ty: Type,
        length: Option<u32>,
        who: Who,
        rows: &mut Vec<Row>,
    ) {
        let (Some(index), Some(count)) = (index, length) else { return };
        let index = self.expr(index, who);
        let inside = Expr::Const(-1)
            .binary(Binary::Less, index.clone())
            .and(index.clone().binary(Binary::Less, Expr::Const(count as i32)));
        self.failing.push(inside.negated());
        rows.push(Row { index, stride: self.spans.size(ty), count });
    }

    /// The channels that a variable may hold.
    pub(super) fn channels(&self, access: &Access, who: Who) -> Vec<usize> {
        let known = self.known_channels(access, who);
        (0..self.crew.queues.len())
            .filter(|&at| {
                known.as_ref().is_none_or(|known| known.contains(&self.crew.queues[at].value))
            })
            .collect()
    }

    /// The numbers that a variable may hold which never changes; none if it may.
    fn known_channels(&self, access: &Access, who: Who) -> Option<Vec<i32>> {
        let process = match who {
            Some(member) => self.crew.members[member].process,
            None => ProcessId(0),
        };
        if !self.constants.contains(process, access.root) {
            return None;
        }
        match access.root {
            Root::Global(id) => {
                let first = self.spans.globals[id.index()] as usize;
                let size = self.spans.variable(&self.machine.model().globals[id.index()]) as usize;
                Some(self.first_globals[first..first + size].to_vec())
            }
            Root::Local(id) => {
                let member = &self.crew.members[who?];
                let is_other = self.crew.shifts() && !member.is_first;
                if is_other || self.crew.is_reborn(who?) {
                    return None;
                }
                let born = member.born.as_ref()?;
                let first = self.spans.locals[process.index()][id.index()] as usize;
                let local = &self.machine.model().process(process).locals[id.index()];
                let size = self.spans.variable(local) as usize;
                let is_param = id.0 < self.machine.model().process(process).params;
                if is_param && !member.knows_params {
                    // What is passed may differ from what was passed in the plan.
                    return None;
                }
                Some(born[first..first + size].to_vec())
            }
            Root::Predefined(_) => None,
        }
    }

    /// A value that depends on which channel a variable holds.
    pub(super) fn by_channel(
        &mut self,
        access: &Access,
        who: Who,
        unknown: Expr,
        mut of: impl FnMut(&mut Self, &Queue) -> Expr,
    ) -> Expr {
        let value = self.read(access, who);
        let channels = self.channels(access, who);
        let missing = self.missing(access, who, &value);
        self.failing.push(missing);
        let mut made = None;
        for at in channels {
            let queue = self.crew.queues[at].clone();
            let one = of(self, &queue);
            made = Some(match made {
                None => one,
                Some(others) => Expr::Conditional(
                    Box::new(value.clone().equals(queue.value)),
                    Box::new(one),
                    Box::new(others),
                ),
            });
        }
        made.unwrap_or(unknown)
    }

    /// When a variable holds no channel: it never got one, or the process is gone whose it was.
    pub(super) fn missing(&self, access: &Access, who: Who, value: &Expr) -> Expr {
        let known = self.known_channels(access, who);
        let mut missing = match &known {
            Some(known) if !known.contains(&0) => Expr::Const(0),
            _ => value.clone().equals(0),
        };
        for at in self.channels(access, who) {
            let queue = &self.crew.queues[at];
            let Some(owner) = queue.owner.filter(|&owner| Some(owner) != who) else { continue };
            let gone = match self.crew.members[owner].pid.filter(|_| !queue.is_crowd()) {
                Some(_) => Expr::Factor(self.crew.members[owner].location).equals(0),
                None => Expr::Any(Interval::TRUTH),
            };
            missing = missing.or(value.clone().equals(queue.value).and(gone));
        }
        missing
    }

    /// Whether a variable surely holds this channel and no other.
    pub(super) fn holds_one(&self, access: &Access, who: Who) -> bool {
        let known = self.known_channels(access, who);
        known.is_some_and(|known| known.len() == 1 && !known.contains(&0))
    }

    fn query(&mut self, query: ChannelQuery, access: &Access, who: Who) -> Expr {
        let unknown = Expr::Any(Width::Bits(8).interval());
        self.by_channel(access, who, unknown, |_, queue| {
            let length = Expr::Factor(queue.length);
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

    fn poll(&mut self, access: &Access, random: bool, args: &[RecvArg], who: Who) -> Expr {
        let made = self.by_channel(access, who, Expr::Const(0), |builder, queue| {
            builder.receivable(queue, random, args, who)
        });
        let value = self.read(access, who);
        for at in self.channels(access, who) {
            let queue = &self.crew.queues[at];
            if args.len() > queue.fields.len() && queue.capacity > 0 {
                let filled = Expr::Const(0).binary(Binary::Less, Expr::Factor(queue.length));
                self.failing.push(value.clone().equals(queue.value).and(filled));
            }
        }
        made
    }

    /// Whether a message can be received from a channel that holds messages.
    pub(super) fn receivable(
        &mut self,
        queue: &Queue,
        random: bool,
        args: &[RecvArg],
        who: Who,
    ) -> Expr {
        let slots = if random { queue.capacity } else { queue.capacity.min(1) };
        let each = (0..slots).map(|slot| {
            let there = Expr::Const(slot as i32).binary(Binary::Less, Expr::Factor(queue.length));
            self.matched(queue, slot, args, who).into_iter().fold(there, Expr::and)
        });
        let each: Vec<Expr> = each.collect();
        each.into_iter().reduce(Expr::or).unwrap_or(Expr::Const(0))
    }

    /// What has to be true for a message to be the one that is waited for.
    pub(super) fn matched(
        &mut self,
        queue: &Queue,
        slot: usize,
        args: &[RecvArg],
        who: Who,
    ) -> Vec<Expr> {
        let mut all = Vec::new();
        for (field, arg) in args.iter().enumerate() {
            let (RecvArg::Match(value) | RecvArg::Eval(value)) = arg else { continue };
            let value = self.expr(value, who);
            all.push(if field < queue.fields.len() {
                Expr::Factor(queue.slot(slot, field)).binary(Binary::Equal, value)
            } else {
                Expr::Const(0)
            });
        }
        all
    }

    fn pc_value(&mut self, pid: &hir::Expr, who: Who) -> Expr {
        let pid = self.expr(pid, who);
        let locations = Interval { least: 0, greatest: i64::from(u16::MAX) };
        let mut made = if self.crew.has_crowds() { Expr::Any(locations) } else { Expr::Const(0) };
        for member in &self.crew.members {
            let Some(number) = member.pid else { continue };
            let there = Expr::Const(0).binary(Binary::Less, Expr::Factor(member.location));
            made = Expr::Conditional(
                Box::new(pid.clone().equals(number as i32).and(there)),
                Box::new(Expr::Factor(member.location)),
                Box::new(made),
            );
        }
        made
    }

    /// What is asked of another process: of the one with this number, or of the first of its
    /// type; 0 if there is none.
    fn remote(
        &mut self,
        process: ProcessId,
        pid: Option<&hir::Expr>,
        who: Who,
        values: Interval,
        mut of: impl FnMut(&mut Self, usize) -> Expr,
    ) -> Expr {
        let pid = pid.map(|pid| self.expr(pid, who));
        if self.crew.crowd(process).is_some() {
            return Expr::Any(values);
        }
        let mut made = Expr::Const(0);
        for at in (0..self.crew.members.len()).rev() {
            let member = self.crew.members[at].clone();
            let Some(number) = member.pid.filter(|_| member.process == process) else { continue };
            let there = Expr::Const(0).binary(Binary::Less, Expr::Factor(member.location));
            let meant = match &pid {
                Some(pid) => pid.clone().equals(number as i32).and(there),
                None => there,
            };
            let value = self.when(&meant.clone(), |builder| of(builder, at));
            made = match meant {
                Expr::Const(0) => made,
                meant => Expr::Conditional(Box::new(meant), Box::new(value), Box::new(made)),
            };
        }
        made
    }
}

/// An index into an array.
struct Row {
    index: Expr,
    stride: u32,
    count: u32,
}

/// The place that indices lead to from the first factor.
fn place(mut first: u32, rows: Vec<Row>) -> Place {
    let mut left = Vec::new();
    for row in rows {
        match row.index {
            Expr::Const(index) if (0..row.count as i32).contains(&index) => {
                first += index as u32 * row.stride;
            }
            _ => left.push(row),
        }
    }
    let first = FactorId(first);
    match left.len() {
        0 => Place::Factor(first),
        1 => {
            let Row { index, stride, count } = left.remove(0);
            Place::Element(Element { first, stride, count, index: Box::new(index) })
        }
        _ => {
            // Several indices as one, counted in factors.
            let count = left.iter().map(|row| (row.count - 1) * row.stride).sum::<u32>() + 1;
            let index = left
                .into_iter()
                .map(|row| row.index.binary(Binary::Multiply, Expr::Const(row.stride as i32)))
                .reduce(|sum, one| sum.binary(Binary::Add, one))
                .expect("there are several");
            Place::Element(Element { first, stride: 1, count, index: Box::new(index) })
        }
    }
}
