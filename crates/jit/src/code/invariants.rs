//! Invariants: tests of a state.

use cranelift_codegen::ir::{Function as Ir, InstBuilder};
use cranelift_frontend::{FunctionBuilder, FunctionBuilderContext};
use cranelift_jit::JITModule;
use cranelift_module::Module;

use beeline_promela::hir::ProcessId;

use super::function::{Function, INT, POINTER, Program};

/// The limit of invariants: the bits of the result.
pub(crate) const MOST_INVARIANTS: usize = 64;

/// Generates the function that computes which invariants are violated.
pub(crate) fn watch(
    program: &Program<'_, '_>,
    module: &mut JITModule,
    ir: &mut Ir,
    scratch: &mut FunctionBuilderContext,
) {
    let mut b = FunctionBuilder::new(ir, scratch);
    let entry = b.create_block();
    b.append_block_params_for_function_params(entry);
    b.switch_to_block(entry);
    let (context, state) = (b.block_params(entry)[0], b.block_params(entry)[1]);
    let nobody = b.ins().iconst(INT, 0);
    let broken = b.declare_var(POINTER);
    let none = b.ins().iconst(POINTER, 0);
    b.def_var(broken, none);
    let config = module.target_config();
    let mut function = Function {
        program,
        module,
        b,
        context,
        // Invariants read globals only, so the process is irrelevant.
        process: ProcessId(0),
        pid: nobody,
        record: none,
        state,
        made: true,
        reserved: None,
        noted: false,
        failed: entry,
        length: None,
        is_resized: false,
    };
    for (number, invariant) in program.machine.invariants().iter().enumerate() {
        let (fails, holds) = (function.block(), function.block());
        // An invariant without a value is violated.
        let failed = function.block();
        function.b.append_block_param(failed, INT);
        function.failed = failed;
        let own = function.own();
        function.condition(invariant, own, holds, fails);
        function.enter(failed);
        function.go(fails);
        function.enter(fails);
        let before = function.b.use_var(broken);
        let bit = function.b.ins().iconst(POINTER, 1 << number);
        let after = function.b.ins().bor(before, bit);
        function.b.def_var(broken, after);
        function.go(holds);
        function.enter(holds);
    }
    let broken = function.b.use_var(broken);
    function.b.ins().return_(&[broken]);
    function.b.seal_all_blocks();
    function.b.finalize(config);
}
