//! Expressions.

use beeline_engine::automata::label_location;
use beeline_engine::frame::PROCESSES;
use beeline_kernel::FaultKind;
use beeline_promela::hir::{
    BinaryOp, ChannelQuery, Expr, ExprKind, ProcessId, ProcessQuery, UnaryOp,
};
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{Block, BlockArg, InstBuilder, Value};

use super::channels::Channel;
use super::function::{Function, Helper, INT, Owner};
use crate::context::{CIRCULAR, at};

impl Function<'_, '_, '_> {
    /// The value of an expression without side effects.
    pub(super) fn eval(&mut self, expr: &Expr, owner: Owner) -> Value {
        match &expr.kind {
            ExprKind::Const(value) | ExprKind::Mtype { value, .. } => self.int(*value),
            ExprKind::Read(access) => self.read(access, owner),
            ExprKind::Unary(op, operand) => {
                let value = self.eval(operand, owner);
                match op {
                    UnaryOp::Not => {
                        let is_zero = self.compare(IntCC::Equal, value, 0);
                        self.b.ins().uextend(INT, is_zero)
                    }
                    UnaryOp::Negate => self.b.ins().ineg(value),
                    UnaryOp::BitNot => self.b.ins().bnot(value),
                    UnaryOp::Always | UnaryOp::Eventually | UnaryOp::Next => {
                        unreachable!("temporal operators stand in formulas only")
                    }
                }
            }
            ExprKind::Binary(BinaryOp::And | BinaryOp::Or, ..) | ExprKind::Poll { .. } => {
                self.truth(expr, owner)
            }
            ExprKind::Binary(op, left, right) => self.binary(*op, left, right, owner),
            ExprKind::Conditional(condition, yes, no) => {
                self.conditional(condition, yes, no, owner)
            }
            ExprKind::Channel(query, access) => {
                let channel = self.channel(access, owner);
                self.channel_query(*query, channel)
            }
            ExprKind::Process(ProcessQuery::PcValue, pid) => {
                let pid = self.eval(pid, owner);
                self.pc_value(pid)
            }
            ExprKind::Process(ProcessQuery::Priority, pid) => {
                let pid = self.eval(pid, owner);
                self.priority_of(pid)
            }
            ExprKind::Process(ProcessQuery::Enabled, pid) => {
                let pid = self.eval(pid, owner);
                let args = [self.context, self.state, pid];
                let answer = self.call(Helper::Enabled, &args).expect("enabled answers");
                let is_circular = self.compare(IntCC::Equal, answer, CIRCULAR as i32);
                self.fail_if(is_circular, FaultKind::Circular);
                answer
            }
            ExprKind::Timeout => self.context_int(at::TIMEOUT),
            ExprKind::NonProgress => self.int(0),
            ExprKind::RemoteLabel { process, pid, label } => {
                let target = label_location(self.machine().automaton(*process), *label);
                self.remote(*process, pid.as_deref(), owner, |this, there| {
                    let location = this.written_location(there.record);
                    let frame = this.machine().layout().frame;
                    match target {
                        Some(target) => {
                            // The process has that type, so its tag is known as well.
                            let written = frame.written_location(process.index(), target.0);
                            let same = this.compare(IntCC::Equal, location, written as i32);
                            this.b.ins().uextend(INT, same)
                        }
                        None => this.int(0),
                    }
                })
            }
            ExprKind::RemoteVar { process, pid, var } => {
                self.remote(*process, pid.as_deref(), owner, |this, there| this.read(var, there))
            }
            ExprKind::Run { .. } => unreachable!("`run` is executed, not evaluated"),
        }
    }

    /// `(condition -> yes : no)`
    fn conditional(&mut self, condition: &Expr, yes: &Expr, no: &Expr, owner: Owner) -> Value {
        let (when, unless, done) = (self.block(), self.block(), self.block());
        let result = self.b.append_block_param(done, INT);
        self.condition(condition, owner, when, unless);
        for (block, expr) in [(when, yes), (unless, no)] {
            self.enter(block);
            let value = self.eval(expr, owner);
            self.b.ins().jump(done, &[BlockArg::Value(value)]);
        }
        self.enter(done);
        result
    }

    /// `pc_value(pid)`: the location of a process; 0 if there is no such process.
    fn pc_value(&mut self, pid: Value) -> Value {
        self.about_process(pid, |this, record| this.location(record))
    }

    /// A value of the process with this number, by its record; 0 if there is no such process.
    pub(super) fn about_process(
        &mut self,
        pid: Value,
        look: impl FnOnce(&mut Self, Value) -> Value,
    ) -> Value {
        let (found, done) = (self.block(), self.block());
        let result = self.b.append_block_param(done, INT);
        let zero = self.int(0);
        let alive = self.is_alive(pid);
        self.b.ins().brif(alive, found, &[], done, &[BlockArg::Value(zero)]);
        self.enter(found);
        let record = self.record_of(pid);
        let value = look(self, record);
        self.b.ins().jump(done, &[BlockArg::Value(value)]);
        self.enter(done);
        result
    }

    /// 1 or 0.
    fn truth(&mut self, expr: &Expr, owner: Owner) -> Value {
        let (yes, no, done) = (self.block(), self.block(), self.block());
        let result = self.b.append_block_param(done, INT);
        self.condition(expr, owner, yes, no);
        for (block, value) in [(yes, 1), (no, 0)] {
            self.enter(block);
            let value = self.int(value);
            self.b.ins().jump(done, &[BlockArg::Value(value)]);
        }
        self.enter(done);
        result
    }

    /// Branches on whether an expression is true.
    pub(super) fn condition(&mut self, expr: &Expr, owner: Owner, yes: Block, no: Block) {
        match &expr.kind {
            ExprKind::Unary(UnaryOp::Not, operand) => self.condition(operand, owner, no, yes),
            ExprKind::Binary(BinaryOp::And, left, right) => {
                let more = self.block();
                self.condition(left, owner, more, no);
                self.enter(more);
                self.condition(right, owner, yes, no);
            }
            ExprKind::Binary(BinaryOp::Or, left, right) => {
                let more = self.block();
                self.condition(left, owner, yes, more);
                self.enter(more);
                self.condition(right, owner, yes, no);
            }
            ExprKind::Poll { channel, random, args } => {
                let channel = self.channel(channel, owner);
                self.by_shape(channel, |this, shape| {
                    if shape.capacity == 0 {
                        this.go(no);
                    } else {
                        this.find(shape, channel.record, *random, args, owner, no);
                        this.go(yes);
                    }
                });
            }
            _ => {
                let value = self.eval(expr, owner);
                self.branch(value, yes, no);
            }
        }
    }

    fn binary(&mut self, op: BinaryOp, left: &Expr, right: &Expr, owner: Owner) -> Value {
        let a = self.eval(left, owner);
        let b = self.eval(right, owner);
        let how = match op {
            BinaryOp::Add => return self.b.ins().iadd(a, b),
            BinaryOp::Subtract => return self.b.ins().isub(a, b),
            BinaryOp::Multiply => return self.b.ins().imul(a, b),
            BinaryOp::Divide | BinaryOp::Modulo => {
                return self.divide(op, a, b, right.kind.constant());
            }
            BinaryOp::BitAnd => return self.b.ins().band(a, b),
            BinaryOp::BitXor => return self.b.ins().bxor(a, b),
            BinaryOp::BitOr => return self.b.ins().bor(a, b),
            BinaryOp::ShiftLeft => return self.b.ins().ishl(a, b),
            BinaryOp::ShiftRight => return self.b.ins().sshr(a, b),
            BinaryOp::Less => IntCC::SignedLessThan,
            BinaryOp::LessEqual => IntCC::SignedLessThanOrEqual,
            BinaryOp::Greater => IntCC::SignedGreaterThan,
            BinaryOp::GreaterEqual => IntCC::SignedGreaterThanOrEqual,
            BinaryOp::Equal => IntCC::Equal,
            BinaryOp::NotEqual => IntCC::NotEqual,
            BinaryOp::And | BinaryOp::Or => unreachable!("these branch"),
            BinaryOp::Implies
            | BinaryOp::Equivalent
            | BinaryOp::Until
            | BinaryOp::WeakUntil
            | BinaryOp::Release => unreachable!("temporal operators stand in formulas only"),
        };
        let result = self.b.ins().icmp(how, a, b);
        self.b.ins().uextend(INT, result)
    }

    /// Division and remainder, which wrap around on overflow.
    fn divide(&mut self, op: BinaryOp, a: Value, b: Value, constant: Option<i32>) -> Value {
        let plain = matches!(constant, Some(value) if value != 0 && value != -1);
        let mut by = b;
        let mut negates = None;
        if !plain {
            let is_zero = self.compare(IntCC::Equal, b, 0);
            self.fail_if(is_zero, FaultKind::Division);
            let minus = self.compare(IntCC::Equal, b, -1);
            let one = self.int(1);
            by = self.b.ins().select(minus, one, b);
            negates = Some(minus);
        }
        if op == BinaryOp::Modulo {
            return self.b.ins().srem(a, by);
        }
        let quotient = self.b.ins().sdiv(a, by);
        match negates {
            Some(minus) => {
                let negated = self.b.ins().ineg(a);
                self.b.ins().select(minus, negated, quotient)
            }
            None => quotient,
        }
    }

    fn channel_query(&mut self, query: ChannelQuery, channel: Channel) -> Value {
        let done = self.block();
        let result = self.b.append_block_param(done, INT);
        self.by_shape(channel, |this, shape| {
            // A rendezvous has room for the message that is being passed on.
            let capacity = shape.capacity.max(1) as i32;
            let length = if shape.capacity == 0 {
                this.int(0)
            } else {
                let base = this.add(this.state, channel.record);
                this.length(base)
            };
            let (how, than) = match query {
                ChannelQuery::Len => {
                    this.b.ins().jump(done, &[BlockArg::Value(length)]);
                    return;
                }
                ChannelQuery::Empty => (IntCC::Equal, 0),
                ChannelQuery::NEmpty => (IntCC::NotEqual, 0),
                ChannelQuery::Full => (IntCC::Equal, capacity),
                ChannelQuery::NFull => (IntCC::NotEqual, capacity),
            };
            let answer = this.compare(how, length, than);
            let answer = this.b.ins().uextend(INT, answer);
            this.b.ins().jump(done, &[BlockArg::Value(answer)]);
        });
        self.enter(done);
        result
    }

    pub(super) fn is_alive(&mut self, pid: Value) -> Value {
        let count = self.number(PROCESSES);
        self.b.ins().icmp(IntCC::UnsignedLessThan, pid, count)
    }

    pub(super) fn record_of(&mut self, pid: Value) -> Value {
        let record = self.context_entry(at::PROCESSES, pid);
        self.wide(record)
    }

    /// A value of another process; 0 when there is no such process.
    fn remote(
        &mut self,
        process: ProcessId,
        pid: Option<&Expr>,
        owner: Owner,
        look: impl FnOnce(&mut Self, Owner) -> Value,
    ) -> Value {
        let (alive, found, done) = (self.block(), self.block(), self.block());
        let result = self.b.append_block_param(done, INT);
        let pid = match pid {
            Some(pid) => self.eval(pid, owner),
            None => {
                let wanted = self.int(process.0 as i32);
                let args = [self.context, self.state, wanted];
                self.call(Helper::FirstOf, &args).expect("first_of returns it")
            }
        };
        let zero = self.int(0);
        let is_alive = self.is_alive(pid);
        self.b.ins().brif(is_alive, alive, &[], done, &[BlockArg::Value(zero)]);
        self.enter(alive);
        let record = self.record_of(pid);
        let kind = self.context_entry(at::TYPES, pid);
        let right = self.compare(IntCC::Equal, kind, process.index() as i32);
        self.b.ins().brif(right, found, &[], done, &[BlockArg::Value(zero)]);
        self.enter(found);
        let value = look(self, Owner { process, pid, record });
        self.b.ins().jump(done, &[BlockArg::Value(value)]);
        self.enter(done);
        result
    }
}
