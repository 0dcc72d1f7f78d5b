//! A function under construction: values, memory access, control flow and calls, from which
//! the code of all parts of the language is built.

use std::mem::offset_of;

use beeline_engine::automata::Location;
use beeline_engine::frame::{HeaderNumber, RecordKind};
use beeline_engine::interpreter::Machine;
use beeline_engine::layout::Scalar;
use beeline_kernel::{FaultKind, Transition};
use beeline_promela::hir::ProcessId;
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{
    AbiParam, Block, BlockArg, Function as Ir, InstBuilder, MemFlagsData, Signature, Type, Value,
    types,
};
use cranelift_frontend::{FunctionBuilder, FunctionBuilderContext};
use cranelift_jit::JITModule;
use cranelift_module::{FuncId, Module};

use crate::context::{self, at};

/// Pointers and offsets.
pub(super) const POINTER: Type = types::I64;
/// Values of Promela.
pub(super) const INT: Type = types::I32;

/// The purpose of a function.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Purpose {
    /// Tries the edges of a process, or of all processes of a state.
    Step,
    /// Tries the edges that take an offered message.
    Receive,
    /// Starts a process.
    Start,
    /// Computes the violated invariants, one bit each.
    Invariants,
    /// Tells whether a process can move, apart from its `provided` clause.
    Movable,
    /// Tells whether the `provided` clause of a process lets it move.
    Provided,
    /// Moves the trace assertion by a message that was received, or sent.
    Received,
    Sent,
}

impl Purpose {
    /// Parameters and results of such a function.
    pub(crate) fn signature(self, module: &JITModule) -> Signature {
        let mut signature = module.make_signature();
        let (params, returns): (&[Type], &[Type]) = match self {
            Purpose::Step | Purpose::Receive => (&[POINTER, POINTER, INT], &[]),
            Purpose::Movable | Purpose::Provided | Purpose::Received | Purpose::Sent => {
                (&[POINTER, POINTER, INT], &[INT])
            }
            Purpose::Start => (&[POINTER, POINTER], &[INT]),
            Purpose::Invariants => (&[POINTER, POINTER], &[POINTER]),
        };
        signature.params.extend(params.iter().map(|&ty| AbiParam::new(ty)));
        signature.returns.extend(returns.iter().map(|&ty| AbiParam::new(ty)));
        signature
    }
}

/// The functions of [`context`] that compiled code calls.
#[derive(Clone, Copy, Debug)]
pub(super) enum Helper {
    MakeRoom,
    Remark,
    Fail,
    HandOver,
    Remove,
    InsertSorted,
    Grow,
    Fill,
    Lap,
    FirstOf,
    Enabled,
    Outranked,
    Observe,
}

impl Helper {
    fn address(self) -> usize {
        match self {
            Helper::MakeRoom => context::make_room as *const () as usize,
            Helper::Remark => context::remark as *const () as usize,
            Helper::Fail => context::fail as *const () as usize,
            Helper::HandOver => context::hand_over as *const () as usize,
            Helper::Remove => context::remove as *const () as usize,
            Helper::InsertSorted => context::insert_sorted as *const () as usize,
            Helper::Grow => context::grow as *const () as usize,
            Helper::Fill => context::fill as *const () as usize,
            Helper::Lap => context::lap as *const () as usize,
            Helper::FirstOf => context::first_of as *const () as usize,
            Helper::Enabled => context::enabled as *const () as usize,
            Helper::Outranked => context::outranked as *const () as usize,
            Helper::Observe => context::observe as *const () as usize,
        }
    }

    fn returns(self) -> Option<Type> {
        match self {
            Helper::HandOver
            | Helper::Grow
            | Helper::Lap
            | Helper::FirstOf
            | Helper::Enabled
            | Helper::Outranked
            | Helper::Observe => Some(INT),
            Helper::MakeRoom
            | Helper::Remark
            | Helper::Fail
            | Helper::Remove
            | Helper::InsertSorted
            | Helper::Fill => None,
        }
    }
}

/// Data that the functions of a model share.
pub(crate) struct Program<'a, 'm> {
    pub(crate) machine: &'a Machine<'m>,
    /// By process type: the function that starts one.
    pub(crate) starts: &'a [FuncId],
}

/// A function under construction.
pub(crate) struct Function<'a, 'f, 'm> {
    pub(super) program: &'a Program<'a, 'm>,
    pub(super) module: &'a mut JITModule,
    pub(super) b: FunctionBuilder<'f>,
    pub(super) context: Value,
    /// The process type of the code.
    pub(super) process: ProcessId,
    pub(super) pid: Value,
    /// The offset of the record of the process in a state.
    pub(super) record: Value,
    /// The state that is read: the given one, then its successor once it exists.
    pub(super) state: Value,
    pub(super) made: bool,
    /// The address of the successor, if it is reserved.
    pub(super) reserved: Option<Value>,
    /// Whether the current move may have recorded a fault.
    pub(super) noted: bool,
    /// The block for a fatal fault, which takes its number.
    pub(super) failed: Block,
    /// The length of the state, if the code is for states of one length.
    pub(super) length: Option<usize>,
    /// Whether the current move may have changed the length.
    pub(super) is_resized: bool,
}

/// The process to which the own variables of an expression belong.
#[derive(Clone, Copy)]
pub(super) struct Owner {
    pub(super) process: ProcessId,
    pub(super) pid: Value,
    pub(super) record: Value,
}

pub(super) fn trusted() -> MemFlagsData {
    MemFlagsData::new().with_notrap()
}

impl<'a, 'f, 'm> Function<'a, 'f, 'm> {
    /// Begins a function whose first parameters are the context and a state. The last parameter
    /// stands for the number of the process until the caller sets it; the caller also sets its record.
    pub(super) fn begin(
        program: &'a Program<'a, 'm>,
        module: &'a mut JITModule,
        ir: &'f mut Ir,
        scratch: &'f mut FunctionBuilderContext,
        process: ProcessId,
    ) -> Function<'a, 'f, 'm> {
        let mut b = FunctionBuilder::new(ir, scratch);
        let entry = b.create_block();
        b.append_block_params_for_function_params(entry);
        b.switch_to_block(entry);
        let parameters = b.block_params(entry);
        let (context, state) = (parameters[0], parameters[1]);
        let pid = parameters[parameters.len() - 1];
        Function {
            program,
            module,
            b,
            context,
            process,
            pid,
            record: state,
            state,
            made: false,
            reserved: None,
            noted: false,
            failed: entry,
            length: None,
            is_resized: false,
        }
    }

    /// Ends the function: all of its code is generated.
    pub(super) fn finish_code(mut self) {
        self.b.seal_all_blocks();
        self.b.finalize(self.module.target_config());
    }
}

impl<'m> Function<'_, '_, 'm> {
    pub(super) fn machine(&self) -> &Machine<'m> {
        self.program.machine
    }

    /// The process itself.
    pub(super) fn own(&self) -> Owner {
        Owner { process: self.process, pid: self.pid, record: self.record }
    }

    pub(super) fn int(&mut self, value: i32) -> Value {
        self.b.ins().iconst(INT, i64::from(value))
    }

    pub(super) fn offset(&mut self, value: usize) -> Value {
        self.b.ins().iconst(POINTER, value as i64)
    }

    pub(super) fn wide(&mut self, value: Value) -> Value {
        self.b.ins().uextend(POINTER, value)
    }

    pub(super) fn add(&mut self, a: Value, b: Value) -> Value {
        self.b.ins().iadd(a, b)
    }

    pub(super) fn compare(&mut self, how: IntCC, a: Value, b: i32) -> Value {
        let b = self.int(b);
        self.b.ins().icmp(how, a, b)
    }

    /// A number of the context.
    pub(super) fn context_int(&mut self, at: i32) -> Value {
        let context = self.context;
        self.b.ins().load(INT, trusted(), context, at)
    }

    pub(super) fn set_context_int(&mut self, at: i32, value: Value) {
        let context = self.context;
        self.b.ins().store(trusted(), value, context, at);
    }

    /// An entry of one of the tables of the context.
    pub(super) fn context_entry(&mut self, table: i32, index: Value) -> Value {
        let index = self.wide(index);
        let two = self.b.ins().iconst(POINTER, 2);
        let scaled = self.b.ins().ishl(index, two);
        let place = self.add(self.context, scaled);
        self.b.ins().load(INT, trusted(), place, table)
    }

    /// A byte as a number.
    pub(super) fn byte(&mut self, base: Value, at: usize) -> Value {
        self.b.ins().uload8(INT, trusted(), base, at as i32)
    }

    pub(super) fn set_byte(&mut self, base: Value, at: usize, value: Value) {
        self.b.ins().istore8(trusted(), value, base, at as i32);
    }

    /// A number in the header of the state, such as the number of processes.
    pub(super) fn number(&mut self, which: usize) -> Value {
        let frame = self.machine().layout().frame;
        match frame.place(which) {
            HeaderNumber::At(at) => self.load(header_scalar(frame.number_size), self.state, at),
            HeaderNumber::Always(value) => self.int(value as i32),
        }
    }

    pub(super) fn set_number(&mut self, which: usize, value: Value) {
        let frame = self.machine().layout().frame;
        if let HeaderNumber::At(at) = frame.place(which) {
            self.store(header_scalar(frame.number_size), self.state, at, value);
        }
    }

    /// Sets the kind of the record at this address.
    pub(super) fn set_tag(&mut self, base: Value, record: RecordKind) {
        let frame = self.machine().layout().frame;
        self.set_constant(base, 0, frame.tag_size, frame.written_tag(record) as i32);
    }

    /// The bytes of the location of the process with this record.
    pub(super) fn written_location(&mut self, record: Value) -> Value {
        let frame = self.machine().layout().frame;
        let base = self.add(self.state, record);
        match frame.location_size {
            1 => self.byte(base, frame.location_at()),
            _ => self.short(base, frame.location_at()),
        }
    }

    /// The location of the process with this record, of any type.
    pub(super) fn location(&mut self, record: Value) -> Value {
        let frame = self.machine().layout().frame;
        let written = self.written_location(record);
        if frame.is_joint() {
            let mask = self.int(frame.location_mask() as i32);
            return self.b.ins().band(written, mask);
        }
        written
    }

    /// Sets the location of the process itself. Its type is known, and so are all bits.
    pub(super) fn set_location(&mut self, location: Location) {
        let frame = self.machine().layout().frame;
        let written = frame.written_location(self.process.index(), location.0);
        let base = self.add(self.state, self.record);
        self.set_constant(base, frame.location_at(), frame.location_size, written as i32);
    }

    pub(super) fn set_constant(&mut self, base: Value, at: usize, size: usize, value: i32) {
        let value = self.int(value);
        if size == 1 {
            self.set_byte(base, at, value);
        } else {
            self.b.ins().istore16(trusted(), value, base, at as i32);
        }
    }

    /// Two bytes as a number without sign.
    pub(super) fn short(&mut self, base: Value, at: usize) -> Value {
        self.b.ins().uload16(INT, trusted(), base, at as i32)
    }

    /// Reads a value, as [`Scalar::read`] does.
    pub(super) fn load(&mut self, stored: Scalar, base: Value, at: usize) -> Value {
        match (stored.size(), stored) {
            (1, _) => self.byte(base, at),
            (2, Scalar::Short) => self.b.ins().sload16(INT, trusted(), base, at as i32),
            (2, _) => self.short(base, at),
            _ => self.b.ins().load(INT, trusted(), base, at as i32),
        }
    }

    /// Stores a value, as [`Scalar::write`] does.
    pub(super) fn store(&mut self, stored: Scalar, base: Value, at: usize, value: Value) {
        let value = self.truncate(stored, value);
        match stored.size() {
            1 => self.set_byte(base, at, value),
            2 => {
                self.b.ins().istore16(trusted(), value, base, at as i32);
            }
            _ => {
                self.b.ins().store(trusted(), value, base, at as i32);
            }
        }
    }

    /// A value truncated as by [`Scalar::truncate`].
    pub(super) fn truncate(&mut self, stored: Scalar, value: Value) -> Value {
        let mask = match stored {
            Scalar::Bit => 1,
            Scalar::Byte => 0xff,
            Scalar::Int => return value,
            Scalar::Short => {
                let narrow = self.b.ins().ireduce(types::I16, value);
                return self.b.ins().sextend(INT, narrow);
            }
            Scalar::Unsigned(bits) => ((1i64 << bits) - 1) as i32,
        };
        let mask = self.int(mask);
        self.b.ins().band(value, mask)
    }

    pub(super) fn block(&mut self) -> Block {
        self.b.create_block()
    }

    pub(super) fn go(&mut self, block: Block) {
        self.b.ins().jump(block, &[]);
    }

    pub(super) fn enter(&mut self, block: Block) {
        self.b.switch_to_block(block);
    }

    pub(super) fn branch(&mut self, condition: Value, yes: Block, no: Block) {
        self.b.ins().brif(condition, yes, &[], no, &[]);
    }

    /// Continues only if the condition is false.
    pub(super) fn leave_if(&mut self, condition: Value, leave: Block) {
        let stay = self.block();
        self.branch(condition, leave, stay);
        self.enter(stay);
    }

    /// Continues only if the condition is true.
    pub(super) fn leave_unless(&mut self, condition: Value, leave: Block) {
        let stay = self.block();
        self.branch(condition, stay, leave);
        self.enter(stay);
    }

    /// Fails if the condition is true.
    pub(super) fn fail_if(&mut self, condition: Value, kind: FaultKind) {
        let stay = self.block();
        let failed = self.failed;
        let number = self.int(context::number(kind) as i32);
        self.b.ins().brif(condition, failed, &[BlockArg::Value(number)], stay, &[]);
        self.enter(stay);
    }

    /// Fails. The rest of the block is unreachable.
    pub(super) fn fail(&mut self, kind: FaultKind) {
        let failed = self.failed;
        let number = self.int(context::number(kind) as i32);
        self.b.ins().jump(failed, &[BlockArg::Value(number)]);
        let unreachable = self.block();
        self.enter(unreachable);
    }

    /// Records a fault after which the successor continues, unless there is one already.
    pub(super) fn note(&mut self, kind: FaultKind) {
        self.noted = true;
        let before = self.context_int(at::FAULT);
        let number = self.int(context::number(kind) as i32 + 1);
        let first = self.b.ins().select(before, before, number);
        self.set_context_int(at::FAULT, first);
    }

    /// Reserves the address of the successor, for code that creates it on several paths.
    pub(super) fn reserve(&mut self) -> Value {
        let context = self.context;
        let next = self.b.ins().load(POINTER, trusted(), context, at::OUT);
        self.reserved = Some(next);
        next
    }

    /// Creates the successor, unless it exists: a copy of the state, in blocks.
    pub(super) fn make(&mut self) {
        if self.made {
            return;
        }
        self.made = true;
        let (context, state) = (self.context, self.state);
        let next = match self.reserved {
            Some(next) => next,
            None => self.b.ins().load(POINTER, trusted(), context, at::OUT),
        };
        if let Some(length) = self.length {
            let known = self.int(length as i32);
            self.set_context_int(at::NEXT_LENGTH, known);
            if length <= LONGEST_UNROLLED {
                self.copy_bytes(state, next, length);
                self.state = next;
                return;
            }
        }
        let length = self.context_int(at::LENGTH);
        self.set_context_int(at::NEXT_LENGTH, length);
        let length = self.wide(length);
        let (copy, done) = (self.block(), self.block());
        let from = self.b.append_block_param(copy, POINTER);
        let start = self.offset(0);
        self.b.ins().jump(copy, &[BlockArg::Value(start)]);
        self.enter(copy);
        let (source, target) = (self.add(state, from), self.add(next, from));
        // Register-sized loads and stores that make up a block.
        let halves = [0, 16].map(|at| self.b.ins().load(types::I8X16, trusted(), source, at));
        for (half, at) in halves.into_iter().zip([0, 16]) {
            self.b.ins().store(trusted(), half, target, at);
        }
        let size = self.offset(context::BLOCK);
        let further = self.add(from, size);
        let more = self.b.ins().icmp(IntCC::UnsignedLessThan, further, length);
        self.b.ins().brif(more, copy, &[BlockArg::Value(further)], done, &[]);
        self.enter(done);
        self.state = next;
    }

    /// The length of the successor.
    fn next_length(&mut self) -> Value {
        match self.length {
            Some(length) if !self.is_resized => self.offset(length),
            _ => {
                let length = self.context_int(at::NEXT_LENGTH);
                self.wide(length)
            }
        }
    }

    /// Completes the successor, which took this many steps; `label` is that of the first one.
    /// `hold` says whether its process keeps exclusive control.
    pub(super) fn commit(&mut self, site: Value, label: Value, hold: bool, steps: u32) {
        let context = self.context;
        let length = self.next_length();
        let out = self.add(self.state, length);
        self.b.ins().store(trusted(), out, context, at::OUT);
        let base = self.b.ins().load(POINTER, trusted(), context, at::BASE);
        let end = self.b.ins().isub(out, base);
        // The fields of a transition, the first one in the lower half.
        let upper = self.offset((steps as usize) << 32);
        let way = self.b.ins().bor(end, upper);
        let place = self.b.ins().load(POINTER, trusted(), context, at::NEXT_WAY);
        self.b.ins().store(trusted(), way, place, 0);
        self.b.ins().store(trusted(), label, place, MOVER);
        let size = self.offset(size_of::<Transition>());
        let next_place = self.add(place, size);
        self.b.ins().store(trusted(), next_place, context, at::NEXT_WAY);
        if steps > 1 && !hold {
            let before = self.b.ins().load(POINTER, trusted(), context, at::HIDDEN);
            let hidden = self.offset(steps as usize - 1);
            let after = self.add(before, hidden);
            self.b.ins().store(trusted(), after, context, at::HIDDEN);
        }
        if hold || self.noted {
            self.remark(site, hold, steps);
        }
        let (full, done) = (self.block(), self.block());
        self.b.set_cold_block(full);
        let limit = self.b.ins().load(POINTER, trusted(), context, at::LIMIT);
        let long = self.b.ins().icmp(IntCC::UnsignedGreaterThan, out, limit);
        self.branch(long, full, done);
        self.enter(full);
        self.call(Helper::MakeRoom, &[context]);
        self.go(done);
        self.enter(done);
    }

    /// Records exclusive control or a fault of the last successor, if any.
    pub(super) fn remark(&mut self, site: Value, hold: bool, steps: u32) {
        let (special, usual) = (self.block(), self.block());
        self.b.set_cold_block(special);
        if hold {
            self.go(special);
        } else {
            let fault = self.context_int(at::FAULT);
            self.branch(fault, special, usual);
        }
        self.enter(special);
        let (hold, steps) = (self.int(i32::from(hold)), self.int(steps as i32));
        self.call(Helper::Remark, &[self.context, site, hold, steps]);
        self.go(usual);
        self.enter(usual);
    }

    pub(super) fn call(&mut self, helper: Helper, args: &[Value]) -> Option<Value> {
        let mut signature = self.module.make_signature();
        for &arg in args {
            let ty = self.b.func.dfg.value_type(arg);
            signature.params.push(AbiParam::new(ty));
        }
        signature.returns.extend(helper.returns().map(AbiParam::new));
        let signature = self.b.import_signature(signature);
        let callee = self.offset(helper.address());
        let call = self.b.ins().call_indirect(signature, callee, args);
        self.b.inst_results(call).first().copied()
    }
}

/// Longer states are copied in a loop.
pub(super) const LONGEST_UNROLLED: usize = 128;

/// The offset of the label in a transition.
const MOVER: i32 = offset_of!(Transition, label) as i32;

/// Generates an empty function, for claims and traces.
pub(crate) fn nothing(
    module: &mut JITModule,
    ir: &mut Ir,
    scratch: &mut FunctionBuilderContext,
    purpose: Purpose,
) {
    let mut b = FunctionBuilder::new(ir, scratch);
    let entry = b.create_block();
    b.append_block_params_for_function_params(entry);
    b.switch_to_block(entry);
    match purpose {
        Purpose::Start => {
            let none = b.ins().iconst(INT, -1);
            b.ins().return_(&[none]);
        }
        Purpose::Movable | Purpose::Provided => {
            let no = b.ins().iconst(INT, i64::from(context::NO));
            b.ins().return_(&[no]);
        }
        Purpose::Step
        | Purpose::Receive
        | Purpose::Invariants
        | Purpose::Received
        | Purpose::Sent => {
            b.ins().return_(&[]);
        }
    }
    b.seal_all_blocks();
    b.finalize(module.target_config());
}

/// The stored form of numbers of this size in the header of a state.
pub(super) fn header_scalar(size: usize) -> Scalar {
    if size == 1 { Scalar::Byte } else { Scalar::Unsigned(16) }
}
