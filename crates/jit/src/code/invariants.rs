//! Invariants: tests of a state.

use cranelift_codegen::ir::{Function as Ir, InstBuilder};
use cranelift_frontend::FunctionBuilderContext;
use cranelift_jit::JITModule;

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
    // Invariants read globals only, so the process is irrelevant.
    let mut function = Function::begin(program, module, ir, scratch, ProcessId(0));
    function.pid = function.int(0);
    let broken = function.b.declare_var(POINTER);
    let none = function.offset(0);
    function.b.def_var(broken, none);
    function.record = none;
    function.made = true;
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
    function.finish_code();
}
