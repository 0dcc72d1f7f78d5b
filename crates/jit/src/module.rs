//! Compilation of a model to code in memory.

use std::sync::{Mutex, PoisonError};

use beeline_engine::interpreter::Machine;
use beeline_promela::hir::{ProcessId, ProcessKind};
use cranelift_codegen::ir::UserFuncName;
use cranelift_codegen::settings::{self, Configurable};
use cranelift_frontend::FunctionBuilderContext;
use cranelift_jit::{JITBuilder, JITModule};
use cranelift_module::{FuncId, Linkage, Module, default_libcall_names};

use crate::code::{self, Program, Purpose, StateShape};
use crate::context::{ExpandCode, InvariantCode, QueryCode, StepCode, StructureCode, Tables};
use crate::receivers::ReceivingLocations;
use crate::support::{self, NotCompiled};
use crate::tier_up::ShapeTier;

/// The code of a model, which is executable while this value exists.
pub(crate) struct Code {
    /// By process type: tries the edges of a process.
    pub(crate) steps: Vec<Option<StepCode>>,
    /// Computes the violated invariants, if there are invariants.
    pub(crate) watch: Option<InvariantCode>,
    pub(crate) tables: Tables,
    /// When structures of states get code of their own.
    pub(crate) shape_tier: ShapeTier,
    /// The structures of states that have code of their own, or cannot have any.
    shapes: Mutex<Vec<(StateShape, Option<ShapeCode>)>>,
    module: Option<JITModule>,
}

/// The code for states of one structure, executable while this value exists.
struct ShapeCode {
    code: StructureCode,
    module: Option<JITModule>,
}

impl Drop for ShapeCode {
    fn drop(&mut self) {
        if let Some(module) = self.module.take() {
            // SAFETY: the functions are only called through `Code`, which ends here.
            unsafe { module.free_memory() };
        }
    }
}

// SAFETY: after compilation the module is only kept for its memory, which is never written; the
// functions work on the context they are given and on nothing else.
unsafe impl Send for Code {}
// SAFETY: as above.
unsafe impl Sync for Code {}

impl Drop for Code {
    fn drop(&mut self) {
        if let Some(module) = self.module.take() {
            // SAFETY: the functions are only called through `self`, which ends here.
            unsafe { module.free_memory() };
        }
    }
}

fn refused(error: impl std::fmt::Display) -> NotCompiled {
    NotCompiled::Machine(format!("no native code on this machine: {error}"))
}

fn new_module() -> Result<JITModule, NotCompiled> {
    let mut flags = settings::builder();
    for (name, value) in [("opt_level", "speed"), ("enable_verifier", "false")] {
        flags.set(name, value).map_err(refused)?;
    }
    let isa = cranelift_native::builder().map_err(refused)?;
    let isa = isa.finish(settings::Flags::new(flags)).map_err(refused)?;
    Ok(JITModule::new(JITBuilder::with_isa(isa, default_libcall_names())))
}

/// Functions that are declared, by process type.
struct Declared {
    steps: Vec<FuncId>,
    receivers: Vec<FuncId>,
    starts: Vec<FuncId>,
    movable: Vec<FuncId>,
    provided: Vec<FuncId>,
}

impl Declared {
    /// Declares the functions of this many types; those that answer questions only if some are
    /// asked.
    fn new(module: &mut JITModule, count: u32, asks: bool) -> Result<Declared, NotCompiled> {
        let mut declare = |purpose: Purpose| -> Result<Vec<FuncId>, NotCompiled> {
            let signature = purpose.signature(module);
            let one = |process: u32| {
                let name = format!("{purpose:?}_{process}");
                module.declare_function(&name, Linkage::Local, &signature).map_err(refused)
            };
            (0..count).map(one).collect()
        };
        Ok(Declared {
            steps: declare(Purpose::Step)?,
            receivers: declare(Purpose::Receive)?,
            starts: declare(Purpose::Start)?,
            movable: if asks { declare(Purpose::Movable)? } else { Vec::new() },
            provided: if asks { declare(Purpose::Provided)? } else { Vec::new() },
        })
    }

    /// The functions of a process type, with their purposes.
    fn of(&self, process: ProcessId) -> impl Iterator<Item = (Purpose, FuncId)> {
        let declared = [
            (Purpose::Step, &self.steps),
            (Purpose::Receive, &self.receivers),
            (Purpose::Start, &self.starts),
            (Purpose::Movable, &self.movable),
            (Purpose::Provided, &self.provided),
        ];
        let of = move |(purpose, ids): (Purpose, &Vec<FuncId>)| {
            ids.get(process.index()).map(|&id| (purpose, id))
        };
        declared.into_iter().filter_map(of)
    }
}

/// Generates the functions of all process types.
fn define_processes(
    module: &mut JITModule,
    program: &Program<'_, '_>,
    declared: &Declared,
) -> Result<(), NotCompiled> {
    let mut context = module.make_context();
    let mut scratch = FunctionBuilderContext::new();
    let count = program.machine.model().processes.len() as u32;
    for process in (0..count).map(ProcessId) {
        for (purpose, id) in declared.of(process) {
            context.func.signature = purpose.signature(module);
            context.func.name = UserFuncName::user(0, id.as_u32());
            let (ir, scratch) = (&mut context.func, &mut scratch);
            if runs(program.machine, process) {
                match purpose {
                    Purpose::Start => code::start(program, module, ir, scratch, process),
                    Purpose::Movable | Purpose::Provided => {
                        code::question(program, module, ir, scratch, process, purpose);
                    }
                    _ => code::edges(program, module, ir, scratch, process, purpose),
                }
            } else {
                code::nothing(module, ir, scratch, purpose);
            }
            module.define_function(id, &mut context).map_err(refused)?;
            module.clear_context(&mut context);
        }
    }
    Ok(())
}

/// Generates the function that evaluates the invariants, if there are any.
fn define_invariants(
    module: &mut JITModule,
    program: &Program<'_, '_>,
) -> Result<Option<FuncId>, NotCompiled> {
    if program.machine.invariants().is_empty() {
        return Ok(None);
    }
    let mut context = module.make_context();
    let signature = Purpose::Invariants.signature(module);
    let id = module.declare_function("Watch", Linkage::Local, &signature).map_err(refused)?;
    context.func.signature = signature;
    context.func.name = UserFuncName::user(0, id.as_u32());
    code::watch(program, module, &mut context.func, &mut FunctionBuilderContext::new());
    module.define_function(id, &mut context).map_err(refused)?;
    Ok(Some(id))
}

/// Generates the functions that move the trace assertion, if there is one: for messages received, and
/// for messages sent.
fn define_observers(
    module: &mut JITModule,
    program: &Program<'_, '_>,
) -> Result<Option<[FuncId; 2]>, NotCompiled> {
    let Some(trace) = program.machine.trace_assertion() else { return Ok(None) };
    let mut context = module.make_context();
    let mut define = |purpose: Purpose| -> Result<FuncId, NotCompiled> {
        let signature = purpose.signature(module);
        let name = format!("{purpose:?}");
        let id = module.declare_function(&name, Linkage::Local, &signature).map_err(refused)?;
        context.func.signature = signature;
        context.func.name = UserFuncName::user(0, id.as_u32());
        let is_sent = purpose == Purpose::Sent;
        let mut scratch = FunctionBuilderContext::new();
        code::observer(program, module, &mut context.func, &mut scratch, trace, is_sent);
        module.define_function(id, &mut context).map_err(refused)?;
        module.clear_context(&mut context);
        Ok(id)
    };
    Ok(Some([define(Purpose::Received)?, define(Purpose::Sent)?]))
}

/// Compiles the processes of a model.
pub(crate) fn compile(machine: &Machine<'_>, shape_tier: ShapeTier) -> Result<Code, NotCompiled> {
    let mut module = new_module()?;
    let asks = support::asks_about_others(machine);
    let declared = Declared::new(&mut module, machine.model().processes.len() as u32, asks)?;
    let program = Program { machine, starts: &declared.starts };
    define_processes(&mut module, &program, &declared)?;
    let watch = define_invariants(&mut module, &program)?;
    let observers = define_observers(&mut module, &program)?;
    module.finalize_definitions().map_err(refused)?;
    let watch = watch.map(|id| {
        let address = module.get_finalized_function(id);
        // SAFETY: the function was compiled with the signature of `InvariantCode`.
        unsafe { std::mem::transmute::<*const u8, InvariantCode>(address) }
    });
    let address = |id: FuncId| {
        let address = module.get_finalized_function(id);
        // SAFETY: the function was compiled with the signature of `StepCode`.
        Some(unsafe { std::mem::transmute::<*const u8, StepCode>(address) })
    };
    let steps = declared.steps.iter().map(|&id| address(id)).collect();
    let receivers = declared.receivers.iter().map(|&id| address(id)).collect();
    let channels = machine.layout().channels.clone();
    let receiving = ReceivingLocations::new(machine);
    let answer = |&id: &FuncId| {
        let address = module.get_finalized_function(id);
        // SAFETY: the function was compiled with the signature of `QueryCode`.
        unsafe { std::mem::transmute::<*const u8, QueryCode>(address) }
    };
    let observers = observers.map(|ids| ids.map(|id| answer(&id)));
    let movable = declared.movable.iter().map(answer).collect();
    let provided = declared.provided.iter().map(answer).collect();
    let frame = machine.layout().frame;
    let tables = Tables { frame, receivers, movable, provided, observers, receiving, channels };
    let shapes = Mutex::new(Vec::new());
    Ok(Code { steps, watch, tables, shape_tier, shapes, module: Some(module) })
}

/// The greatest number of structures with code of their own.
const MOST_SHAPES: usize = 8;

impl Code {
    /// The code for states of this structure, if it was compiled before.
    pub(crate) fn known_shape(&self, shape: &StateShape) -> Option<StructureCode> {
        let shapes = self.shapes.lock().unwrap_or_else(PoisonError::into_inner);
        let known = shapes.iter().find(|(known, _)| known == shape);
        known.and_then(|(_, code)| code.as_ref().map(|code| code.code))
    }

    /// The code for states of this structure, which is compiled at the first call, unless there are
    /// too many structures.
    pub(crate) fn of_shape(
        &self,
        machine: &Machine<'_>,
        shape: StateShape,
    ) -> Option<StructureCode> {
        let mut shapes = self.shapes.lock().unwrap_or_else(PoisonError::into_inner);
        let known = shapes.iter().find(|(known, _)| *known == shape);
        if let Some((_, code)) = known {
            return code.as_ref().map(|code| code.code);
        }
        if shapes.len() == MOST_SHAPES {
            return None;
        }
        // The lock is held meanwhile: other threads wait instead of compiling the same code.
        let code = self.compile_shape(machine, &shape).ok();
        let found = code.as_ref().map(|code| code.code);
        shapes.push((shape, code));
        found
    }

    fn compile_shape(
        &self,
        machine: &Machine<'_>,
        shape: &StateShape,
    ) -> Result<ShapeCode, NotCompiled> {
        let mut module = new_module()?;
        let mut context = module.make_context();
        let signature = Purpose::Step.signature(&module);
        let id = module.declare_function("Expand", Linkage::Local, &signature).map_err(refused)?;
        context.func.signature = signature;
        context.func.name = UserFuncName::user(0, id.as_u32());
        // No process is started by this code.
        let program = Program { machine, starts: &[] };
        let (ir, mut scratch) = (&mut context.func, FunctionBuilderContext::new());
        code::whole_state(&program, &mut module, ir, &mut scratch, shape, &self.steps);
        module.define_function(id, &mut context).map_err(refused)?;
        module.clear_context(&mut context);
        module.finalize_definitions().map_err(refused)?;
        let address = module.get_finalized_function(id);
        // SAFETY: the function was compiled with the signature of `ExpandCode`.
        let expand = unsafe { std::mem::transmute::<*const u8, ExpandCode>(address) };
        let code = StructureCode { expand, is_in_place: shape.is_expanded_in_place(machine) };
        Ok(ShapeCode { code, module: Some(module) })
    }
}

/// Whether a process type has processes in states; claims and traces have none.
fn runs(machine: &Machine<'_>, process: ProcessId) -> bool {
    matches!(machine.model().process(process).kind, ProcessKind::Proctype | ProcessKind::Init)
}
