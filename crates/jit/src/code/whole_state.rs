//! Code that expands states of one structure: all processes in one function, the youngest first.
//!
//! The offset of each record, the numbers of the processes and the length of the state are constants
//! there, and no function is called for a process. A process whose type starts processes is left
//! to the code of its type.

use beeline_engine::interpreter::Machine;
use beeline_kernel::SleepSet;
use beeline_promela::hir::ProcessId;
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{Function as Ir, InstBuilder, Value};
use cranelift_frontend::FunctionBuilderContext;
use cranelift_jit::JITModule;

use super::function::{Function, LONGEST_UNROLLED, Program, Purpose};
use crate::context::StepCode;
use crate::process_starts::starts_processes;

/// The length of a state, and the type and the record of each of its processes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct StateShape {
    pub(crate) length: usize,
    pub(crate) types: Vec<u32>,
    pub(crate) records: Vec<u32>,
}

impl StateShape {
    /// Whether the code for such states reads no byte outside of the state and writes none of it, so
    /// that a state need not be copied first. In a rendezvous, the sender's location changes before
    /// the receiver's successor is made; a step that starts processes copies whole blocks.
    pub(crate) fn is_expanded_in_place(&self, machine: &Machine<'_>) -> bool {
        let starts = |&process: &u32| starts_processes(machine, ProcessId(process));
        self.length <= LONGEST_UNROLLED
            && !self.types.iter().any(starts)
            && machine.layout().channels.iter().all(|channel| channel.capacity > 0)
    }
}

/// Generates the function that tries the edges of all processes but those in a sleep set, which is
/// its last parameter. `steps` has the code of each type.
pub(crate) fn whole_state(
    program: &Program<'_, '_>,
    module: &mut JITModule,
    ir: &mut Ir,
    scratch: &mut FunctionBuilderContext,
    shape: &StateShape,
    steps: &[Option<StepCode>],
) {
    let mut function = Function::begin(program, module, ir, scratch, ProcessId(0));
    let asleep = function.pid;
    function.length = Some(shape.length);
    for pid in (0..shape.types.len()).rev() {
        function.process = ProcessId(shape.types[pid]);
        function.step_unless_asleep(pid, shape.records[pid] as usize, asleep, steps);
    }
    function.b.ins().return_(&[]);
    function.finish_code();
}

impl Function<'_, '_, '_> {
    /// Tries the edges of a process, unless it is in the sleep set.
    fn step_unless_asleep(
        &mut self,
        pid: usize,
        record: usize,
        asleep: Value,
        steps: &[Option<StepCode>],
    ) {
        let next = self.block();
        if pid < SleepSet::CAPACITY {
            let bit = self.int((1_u32 << pid) as i32);
            let is_asleep = self.b.ins().band(asleep, bit);
            let is_asleep = self.compare(IntCC::NotEqual, is_asleep, 0);
            self.leave_if(is_asleep, next);
        }
        self.pid = self.int(pid as i32);
        match steps[self.process.index()] {
            Some(step) if starts_processes(self.program.machine, self.process) => {
                let signature = Purpose::Step.signature(self.module);
                let signature = self.b.import_signature(signature);
                let callee = self.offset(step as usize);
                let args = [self.context, self.state, self.pid];
                self.b.ins().call_indirect(signature, callee, &args);
                self.go(next);
            }
            _ => {
                self.record = self.offset(record);
                self.body(Purpose::Step, next);
            }
        }
        self.enter(next);
    }
}
