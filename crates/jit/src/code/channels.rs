//! Channels: sends, receives, polls.
//!
//! The channel is known at compile time if it has a name, and at run time otherwise. If the
//! channels of a model differ in shape, there is code for each shape.

use beeline_engine::automata::Location;
use beeline_engine::frame::RecordKind;
use beeline_engine::layout::ChannelLayout;
use beeline_kernel::FaultKind;
use beeline_promela::hir::{Access, Expr, RecvArg};
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{Block, BlockArg, InstBuilder, Value};

use super::function::{Function, Helper, INT, Owner, POINTER};
use crate::context::at;

/// A channel.
#[derive(Clone, Copy)]
pub(super) struct Channel {
    /// Its number, from 1.
    pub(super) number: Value,
    /// The offset of its record.
    pub(super) record: Value,
    /// Its kind, if it is known.
    pub(super) kind: Option<RecordKind>,
}

/// A message in a channel.
#[derive(Clone, Copy)]
pub(super) struct MessageSlot {
    /// Its slot.
    slot: Value,
    /// Its offset in the state.
    message: Value,
}

/// The sender's part of a rendezvous.
#[derive(Clone, Copy)]
pub(super) struct Offer {
    /// The location of the sender afterwards.
    pub(super) to: Location,
    /// Its edge.
    pub(super) site: u32,
    /// The continuation after a process received the message.
    pub(super) taken: Block,
}

impl Function<'_, '_, '_> {
    /// Bytes before the messages of a channel.
    fn header(&self) -> usize {
        self.machine().layout().frame.channel_header()
    }

    /// The number of messages in the channel with this record.
    pub(super) fn length(&mut self, base: Value) -> Value {
        let at = self.machine().layout().frame.length_at();
        self.byte(base, at)
    }

    fn set_length(&mut self, base: Value, length: Value) {
        let at = self.machine().layout().frame.length_at();
        self.set_byte(base, at, length);
    }

    /// Generates code for each shape that the channel may have. It must not fall through.
    pub(super) fn by_shape(
        &mut self,
        channel: Channel,
        mut generate: impl FnMut(&mut Self, &ChannelLayout),
    ) {
        let machine = self.program.machine;
        let channels = &machine.layout().channels;
        let (state, made) = (self.state, self.made);
        if let Some(RecordKind::Channel(declaration)) = channel.kind {
            generate(self, &channels[declaration]);
            (self.state, self.made) = (state, made);
            return;
        }
        let mut shapes: Vec<(&ChannelLayout, Vec<usize>)> = Vec::new();
        for (number, channel) in channels.iter().enumerate() {
            match shapes.iter_mut().find(|(shape, _)| is_same(shape, channel)) {
                Some((_, numbers)) => numbers.push(number),
                None => shapes.push((channel, vec![number])),
            }
        }
        let Some((last, _)) = shapes.pop() else {
            // No channel: this code is unreachable.
            let zero = self.int(0);
            let failed = self.failed;
            self.b.ins().jump(failed, &[BlockArg::Value(zero)]);
            return;
        };
        let declared = self.context_entry(at::KINDS, channel.number);
        for (shape, numbers) in shapes {
            let (own, other) = (self.block(), self.block());
            for &number in &numbers {
                let same = self.compare(IntCC::Equal, declared, number as i32);
                let next = self.block();
                self.branch(same, own, next);
                self.enter(next);
            }
            self.go(other);
            self.enter(own);
            generate(self, shape);
            (self.state, self.made) = (state, made);
            self.enter(other);
        }
        generate(self, last);
        (self.state, self.made) = (state, made);
    }

    /// The message that a receive takes. Jumps to `blocked` when there is none.
    pub(super) fn find(
        &mut self,
        shape: &ChannelLayout,
        record: Value,
        random: bool,
        args: &[RecvArg],
        owner: Owner,
        blocked: Block,
    ) -> MessageSlot {
        let base = self.add(self.state, record);
        let length = self.length(base);
        let header = self.header();
        let header = self.offset(header);
        let first = self.add(record, header);
        let zero = self.int(0);
        if !random {
            let filled = self.compare(IntCC::NotEqual, length, 0);
            self.leave_unless(filled, blocked);
            self.matches(shape, first, args, owner, blocked);
            return MessageSlot { slot: zero, message: first };
        }
        let (look, next) = (self.block(), self.block());
        let slot = self.b.append_block_param(look, INT);
        self.b.ins().jump(look, &[BlockArg::Value(zero)]);
        self.enter(look);
        let more = self.b.ins().icmp(IntCC::UnsignedLessThan, slot, length);
        self.leave_unless(more, blocked);
        let wide = self.wide(slot);
        let size = self.offset(shape.message);
        let before = self.b.ins().imul(wide, size);
        let message = self.add(first, before);
        self.matches(shape, message, args, owner, next);
        let found = self.block();
        self.go(found);
        self.enter(next);
        let one = self.int(1);
        let following = self.add(slot, one);
        self.b.ins().jump(look, &[BlockArg::Value(following)]);
        self.enter(found);
        MessageSlot { slot, message }
    }

    /// Continues only if the message has the requested values; fails if more values are requested
    /// than it has.
    fn matches(
        &mut self,
        shape: &ChannelLayout,
        message: Value,
        args: &[RecvArg],
        owner: Owner,
        other: Block,
    ) {
        for (number, arg) in args.iter().enumerate().take(shape.fields.len()) {
            let (RecvArg::Match(wanted) | RecvArg::Eval(wanted)) = arg else {
                continue;
            };
            let wanted = self.eval(wanted, owner);
            let there = self.field(shape, message, number);
            let same = self.b.ins().icmp(IntCC::Equal, there, wanted);
            self.leave_unless(same, other);
        }
        if args.len() > shape.fields.len() {
            self.fail(FaultKind::Fields);
        }
    }

    /// A value of a message.
    fn field(&mut self, shape: &ChannelLayout, message: Value, number: usize) -> Value {
        let base = self.add(self.state, message);
        self.load(shape.fields[number], base, field_at(shape, number))
    }

    /// `q!…`. Without an offer, a rendezvous is impossible: it fails.
    pub(super) fn send(
        &mut self,
        channel: &Access,
        sorted: bool,
        args: &[Expr],
        offer: Option<Offer>,
        blocked: Block,
    ) {
        let own = self.own();
        let channel = self.channel(channel, own);
        let Channel { number, record, .. } = channel;
        let sent = self.block();
        let next = self.b.append_block_param(sent, POINTER);
        self.by_shape(channel, |this, shape| {
            let buffered = shape.capacity > 0;
            let length = buffered.then(|| this.find_room(shape, record, sent, blocked));
            if args.len() != shape.fields.len() {
                this.fail(FaultKind::Fields);
                this.go(blocked);
                return;
            }
            let message = this.message(shape, args);
            if let Some(length) = length {
                this.make();
                this.put(shape, record, length, sorted, &message);
                this.observe(number, &message, true);
                let state = this.state;
                this.b.ins().jump(sent, &[BlockArg::Value(state)]);
                return;
            }
            match offer {
                Some(offer) => this.hand_over(&message, number, offer, blocked),
                None => {
                    this.fail(FaultKind::Blocked);
                    this.go(blocked);
                }
            }
        });
        self.enter(sent);
        self.state = next;
        self.made = true;
    }

    /// The length of a channel that has room for a message. If it is full, the statement blocks, or
    /// the message is lost: then it jumps to `sent` at once.
    fn find_room(
        &mut self,
        shape: &ChannelLayout,
        record: Value,
        sent: Block,
        blocked: Block,
    ) -> Value {
        let base = self.add(self.state, record);
        let length = self.length(base);
        let room = self.compare(IntCC::UnsignedLessThan, length, shape.capacity as i32);
        if self.machine().loses_messages() {
            let (put, lose) = (self.block(), self.block());
            self.branch(room, put, lose);
            self.enter(lose);
            let before = (self.state, self.made);
            self.make();
            let state = self.state;
            self.b.ins().jump(sent, &[BlockArg::Value(state)]);
            (self.state, self.made) = before;
            self.enter(put);
        } else {
            self.leave_unless(room, blocked);
        }
        length
    }

    /// Passes a message on to all receivers that can accept it.
    fn hand_over(&mut self, message: &[Value], channel: Value, offer: Offer, blocked: Block) {
        self.keep_values(at::MESSAGE, message);
        let length = self.int(message.len() as i32);
        self.set_context_int(at::MESSAGE_LENGTH, length);
        let to = self.int(offer.to.0 as i32);
        let site = self.int(offer.site as i32);
        let args = [self.context, self.state, self.pid, to, site, channel];
        let taken = self.call(Helper::HandOver, &args).expect("hand_over counts");
        self.branch(taken, offer.taken, blocked);
    }

    /// The values of a message, one for each field, truncated to the channel's types.
    fn message(&mut self, shape: &ChannelLayout, args: &[Expr]) -> Vec<Value> {
        let own = self.own();
        let fields = shape.fields.iter().zip(args);
        fields
            .map(|(&field, arg)| {
                let value = self.eval(arg, own);
                self.truncate(field, value)
            })
            .collect()
    }

    /// Stores values in a table of the context.
    pub(super) fn keep_values(&mut self, table: i32, values: &[Value]) {
        for (number, &value) in values.iter().enumerate() {
            self.set_context_int(table + 4 * number as i32, value);
        }
    }

    fn put(
        &mut self,
        shape: &ChannelLayout,
        record: Value,
        length: Value,
        sorted: bool,
        message: &[Value],
    ) {
        let base = self.add(self.state, record);
        if sorted {
            self.keep_values(at::VALUES, message);
            let channels = &self.machine().layout().channels;
            let like_this = channels.iter().position(|channel| is_same(channel, shape));
            let declaration = self.int(like_this.unwrap_or(0) as i32);
            let context = self.context;
            self.call(Helper::InsertSorted, &[context, base, declaration]);
            return;
        }
        let wide = self.wide(length);
        let size = self.offset(shape.message);
        let before = self.b.ins().imul(wide, size);
        let slot = self.add(base, before);
        for (number, (&field, &value)) in shape.fields.iter().zip(message).enumerate() {
            self.store(field, slot, self.header() + field_at(shape, number), value);
        }
        let one = self.int(1);
        let longer = self.add(length, one);
        self.set_length(base, longer);
    }

    /// `q?…` from a buffered channel.
    pub(super) fn receive(
        &mut self,
        channel: &Access,
        random: bool,
        peek: bool,
        args: &[RecvArg],
        blocked: Block,
    ) {
        let own = self.own();
        let channel = self.channel(channel, own);
        let record = channel.record;
        let received = self.block();
        let next = self.b.append_block_param(received, POINTER);
        self.by_shape(channel, |this, shape| {
            if shape.capacity == 0 {
                this.go(blocked);
                return;
            }
            let found = this.find(shape, record, random, args, own, blocked);
            if args.len() != shape.fields.len() {
                this.fail(FaultKind::Fields);
                this.go(blocked);
                return;
            }
            let mut values = Vec::with_capacity(args.len());
            for (number, arg) in args.iter().enumerate() {
                if let RecvArg::Store(access) = arg {
                    let value = this.field(shape, found.message, number);
                    values.push((access, value));
                }
            }
            let is_observed = !peek && this.machine().has_trace();
            let fields = 0..if is_observed { shape.fields.len() } else { 0 };
            let message: Vec<Value> =
                fields.map(|field| this.field(shape, found.message, field)).collect();
            this.make();
            if is_observed {
                this.observe(channel.number, &message, false);
            }
            if !peek {
                this.take_out(shape, record, found, !random);
            }
            this.deliver(&values);
            let state = this.state;
            this.b.ins().jump(received, &[BlockArg::Value(state)]);
        });
        self.enter(received);
        self.state = next;
        self.made = true;
    }

    /// Removes a message. The bytes behind the last message of a channel are zero, so removing the
    /// first one moves all slots, however many of them are filled.
    fn take_out(
        &mut self,
        shape: &ChannelLayout,
        record: Value,
        found: MessageSlot,
        is_first: bool,
    ) {
        let base = self.add(self.state, record);
        let slots = shape.capacity * shape.message;
        if is_first && slots <= LONGEST_SHIFT {
            let header = self.header();
            self.shift_bytes(base, header, slots, shape.message);
            let less = if shape.capacity == 1 {
                self.int(0)
            } else {
                let length = self.length(base);
                let one = self.int(1);
                self.b.ins().isub(length, one)
            };
            self.set_length(base, less);
            return;
        }
        let size = self.int(shape.message as i32);
        let context = self.context;
        self.call(Helper::Remove, &[context, base, found.slot, size]);
    }

    fn deliver(&mut self, values: &[(&Access, Value)]) {
        for &(access, value) in values {
            self.write(access, value);
        }
    }

    /// `q?…` while a message is being offered: only that message counts.
    pub(super) fn take_offer(&mut self, channel: &Access, args: &[RecvArg], blocked: Block) {
        let own = self.own();
        let number = self.channel(channel, own).number;
        let offered = self.context_int(at::OFFERED);
        let same = self.b.ins().icmp(IntCC::Equal, number, offered);
        self.leave_unless(same, blocked);
        let count = self.context_int(at::MESSAGE_LENGTH);
        let mut offering =
            self.machine().layout().channels.iter().filter(|shape| shape.capacity == 0);
        let may_differ = offering.any(|shape| shape.fields.len() != args.len());
        let mut values = Vec::new();
        for (number, arg) in args.iter().enumerate() {
            if may_differ {
                let too_short = self.compare(IntCC::UnsignedLessThanOrEqual, count, number as i32);
                self.fail_if(too_short, FaultKind::Fields);
            }
            let there = self.context_int(at::MESSAGE + 4 * number as i32);
            match arg {
                RecvArg::Store(access) => values.push((access, there)),
                RecvArg::Match(wanted) | RecvArg::Eval(wanted) => {
                    let wanted = self.eval(wanted, own);
                    let same = self.b.ins().icmp(IntCC::Equal, there, wanted);
                    self.leave_unless(same, blocked);
                }
            }
        }
        if may_differ {
            let too_long = self.compare(IntCC::UnsignedGreaterThan, count, args.len() as i32);
            self.fail_if(too_long, FaultKind::Fields);
        }
        self.make();
        if self.machine().has_trace() {
            let count = args.len() as i32;
            let message: Vec<Value> =
                (0..count).map(|number| self.context_int(at::MESSAGE + 4 * number)).collect();
            self.observe(offered, &message, true);
            self.observe(offered, &message, false);
        }
        self.deliver(&values);
    }
}

/// The slots of a longer channel are moved by a helper.
const LONGEST_SHIFT: usize = 64;

/// The offset of a value in a message.
fn field_at(shape: &ChannelLayout, number: usize) -> usize {
    shape.fields[..number].iter().map(|field| field.size()).sum()
}

fn is_same(a: &ChannelLayout, b: &ChannelLayout) -> bool {
    a.capacity == b.capacity && a.fields == b.fields
}
