//! Process creation.

use beeline_engine::frame::{CHANNELS, PROCESSES, RecordKind};
use beeline_engine::layout::{Declaration, Scalar};
use beeline_kernel::FaultKind;
use beeline_promela::hir::{Init, ProcessId, Type, Variable};
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{Function as Ir, InstBuilder, Value};
use cranelift_frontend::FunctionBuilderContext;
use cranelift_jit::JITModule;

use super::function::{Function, Helper, INT, Program, trusted};
use crate::context::at;

/// Arrays longer than this are filled by a loop.
const UNROLLED: usize = 8;

/// Generates the function that adds a process to the current successor. It returns the number of
/// the process, -1 if the limit is reached, and -2 minus the number of a fault if an initial value
/// does not exist.
pub(crate) fn start(
    program: &Program<'_, '_>,
    module: &mut JITModule,
    ir: &mut Ir,
    scratch: &mut FunctionBuilderContext,
    process: ProcessId,
) {
    let mut function = Function::begin(program, module, ir, scratch, process);
    function.failed = function.block();
    // The successor exists, and its record of the process is added below.
    function.made = true;
    function.pid = function.number(PROCESSES);
    function.start_process();
    function.finish_code();
}

impl Function<'_, '_, '_> {
    fn start_process(&mut self) {
        let (full, room) = (self.block(), self.block());
        let failed = self.failed;
        let kind = self.b.append_block_param(failed, INT);
        let most = self.machine().layout().frame.most_processes as i32;
        let too_many = self.compare(IntCC::UnsignedGreaterThanOrEqual, self.pid, most);
        self.branch(too_many, full, room);
        self.enter(full);
        let none = self.int(-1);
        self.b.ins().return_(&[none]);
        self.enter(failed);
        let minus_two = self.int(-2);
        let fault = self.b.ins().isub(minus_two, kind);
        self.b.ins().return_(&[fault]);
        self.enter(room);
        self.add_record();
        self.pass_params();
        let machine = self.program.machine;
        let params = machine.model().process(self.process).params as usize;
        for (at, local) in machine.locals_in_states(self.process).skip(params) {
            let place = machine.layout().processes[self.process.index()].locals[at];
            let declaration = Declaration::Local(self.process.index(), at);
            self.initialise(local, declaration, place);
        }
        let pid = self.pid;
        self.b.ins().return_(&[pid]);
    }

    fn add_record(&mut self) {
        let machine = self.program.machine;
        let size = self.int(machine.layout().processes[self.process.index()].size as i32);
        let at = self.grow(size);
        self.set_entry(at::PROCESSES, self.pid, at);
        let process = self.int(self.process.index() as i32);
        self.set_entry(at::TYPES, self.pid, process);
        self.record = self.wide(at);
        // In a joint frame, the location includes the tag.
        if !machine.layout().frame.is_joint() {
            let base = self.add(self.state, self.record);
            self.set_tag(base, RecordKind::Process(self.process.index()));
        }
        if machine.has_priorities() {
            let priority = self.context_int(at::PRIORITY);
            self.set_priority(self.record, priority);
        }
        self.set_location(machine.automaton(self.process).start);
        let one = self.int(1);
        let count = self.add(self.pid, one);
        self.set_number(PROCESSES, count);
    }

    fn grow(&mut self, size: Value) -> Value {
        let args = [self.context, self.state, size];
        self.call(Helper::Grow, &args).expect("grow returns it")
    }

    fn set_entry(&mut self, table: i32, index: Value, value: Value) {
        let index = self.wide(index);
        let two = self.offset(2);
        let scaled = self.b.ins().ishl(index, two);
        let place = self.add(self.context, scaled);
        self.b.ins().store(trusted(), value, place, table);
    }

    /// The scalars of the parameters of a process.
    pub(super) fn param_values(&self, process: ProcessId) -> Vec<Scalar> {
        let machine = self.machine();
        let declared = machine.model().process(process);
        let types: Vec<Type> =
            declared.locals[..declared.params as usize].iter().map(|param| param.ty).collect();
        machine.layout().scalars(machine.model(), &types)
    }

    fn pass_params(&mut self) {
        let machine = self.program.machine;
        let declared = machine.model().process(self.process);
        let base = self.add(self.state, self.record);
        let mut number = 0;
        for param in 0..declared.params as usize {
            let mut place = machine.layout().processes[self.process.index()].locals[param];
            let ty = declared.locals[param].ty;
            for stored in machine.layout().scalars(machine.model(), &[ty]) {
                let value = self.context_int(at::VALUES + 4 * number);
                self.store(stored, base, place, value);
                place += stored.size();
                number += 1;
            }
        }
    }

    /// Initialises a variable, or creates its channels.
    fn initialise(&mut self, variable: &Variable, declaration: Declaration, place: usize) {
        let machine = self.program.machine;
        let size = machine.layout().size(variable.ty);
        let length = variable.length.unwrap_or(1) as usize;
        if let Type::Struct(id) = variable.ty {
            for element in 0..length {
                let start = place + element * size;
                let fields = &machine.model().structs[id.index()].fields;
                for (at, field) in fields.iter().enumerate() {
                    let place = start + machine.layout().structs[id.index()].fields[at];
                    self.initialise(field, Declaration::Field(id.index(), at), place);
                }
            }
            return;
        }
        let stored = self.machine().layout().element(variable.ty, variable.length);
        let own = self.own();
        match &variable.init {
            Init::Zero => {}
            Init::Value(value) => {
                let value = self.eval(value, own);
                self.fill(stored, place, length, value);
            }
            Init::List(values) => {
                for (at, value) in values.iter().enumerate().take(length) {
                    let value = self.eval(value, own);
                    let base = self.add(self.state, self.record);
                    self.store(stored, base, place + at * size, value);
                }
            }
            Init::Channel(_) => {
                for element in 0..length {
                    let number = self.add_channel(machine.channel_declared(declaration));
                    let base = self.add(self.state, self.record);
                    self.store(stored, base, place + element * size, number);
                }
            }
        }
    }

    fn fill(&mut self, stored: Scalar, place: usize, length: usize, value: Value) {
        let base = self.add(self.state, self.record);
        if length <= UNROLLED {
            for at in 0..length {
                self.store(stored, base, place + at * stored.size(), value);
            }
            return;
        }
        let value = self.truncate(stored, value);
        let place = self.offset(place);
        let first = self.add(base, place);
        let (size, count) = (self.int(stored.size() as i32), self.int(length as i32));
        self.call(Helper::Fill, &[first, size, count, value]);
    }

    /// Adds a channel and returns its number.
    fn add_channel(&mut self, declaration: usize) -> Value {
        let most = self.machine().layout().frame.most_channels() as i32;
        let before = self.number(CHANNELS);
        let full = self.compare(IntCC::Equal, before, most);
        self.fail_if(full, FaultKind::Limit);
        let one = self.int(1);
        let number = self.add(before, one);
        let size = self.machine().layout().channel_size(declaration);
        let size = self.int(size as i32);
        let at = self.grow(size);
        self.set_entry(at::CHANNELS, number, at);
        let kind = self.int(declaration as i32);
        self.set_entry(at::KINDS, number, kind);
        let record = self.wide(at);
        let base = self.add(self.state, record);
        self.set_tag(base, RecordKind::Channel(declaration));
        self.set_number(CHANNELS, number);
        number
    }
}
