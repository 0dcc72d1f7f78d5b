//! Whether a process can move, without executing a step: for `enabled(pid)` and for priorities.
//!
//! The answer is that of the interpreter: the first edge that is not disabled decides. A step that
//! fails counts as one, unless a query is circular. So only what disables an edge is evaluated.

use beeline_engine::automata::{Automaton, Edge, EdgeAction, EdgeStep};
use beeline_engine::frame::PROCESSES;
use beeline_kernel::FaultKind;
use beeline_promela::hir::{Expr, ExprKind, ProcessId};
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{Block, Function as Ir, InstBuilder, Value};
use cranelift_frontend::{FunctionBuilderContext, Switch};
use cranelift_jit::JITModule;

use super::function::{Function, INT, Program, Purpose};
use crate::context::{self, CIRCULAR, NO, YES, at};

/// Generates the function that tells whether a process can move, or whether it may.
pub(crate) fn question(
    program: &Program<'_, '_>,
    module: &mut JITModule,
    ir: &mut Ir,
    scratch: &mut FunctionBuilderContext,
    process: ProcessId,
    purpose: Purpose,
) {
    let mut function = Function::begin(program, module, ir, scratch, process);
    let record = function.context_entry(at::PROCESSES, function.pid);
    function.record = function.wide(record);
    let (yes, no, failed) = (function.block(), function.block(), function.block());
    let kind = function.b.append_block_param(failed, INT);
    function.failed = failed;
    match purpose {
        Purpose::Provided => function.is_provided(yes, no),
        _ => function.can_move(yes, no),
    }
    function.enter(failed);
    let circular = function.block();
    let is_circular =
        function.compare(IntCC::Equal, kind, context::number(FaultKind::Circular) as i32);
    function.branch(is_circular, circular, yes);
    for (block, answer) in [(yes, YES), (no, NO), (circular, CIRCULAR)] {
        function.enter(block);
        let answer = function.int(answer as i32);
        function.b.ins().return_(&[answer]);
    }
    function.finish_code();
}

impl Function<'_, '_, '_> {
    fn is_provided(&mut self, yes: Block, no: Block) {
        let own = self.own();
        match &self.program.machine.model().process(self.process).provided {
            Some(provided) => self.condition(provided, own, yes, no),
            None => self.go(yes),
        }
    }

    fn can_move(&mut self, yes: Block, no: Block) {
        let automaton = self.program.machine.automaton(self.process);
        let frame = self.machine().layout().frame;
        let location = self.written_location(self.record);
        let mut switch = Switch::new();
        let mut blocks = Vec::new();
        for location in automaton.locations() {
            let edges = automaton.edges_from(location);
            if !edges.is_empty() {
                let block = self.block();
                let written = frame.written_location(self.process.index(), location.0);
                switch.set_entry(u128::from(written), block);
                blocks.push((block, edges));
            }
        }
        switch.emit(&mut self.b, location, no);
        for (block, edges) in blocks {
            self.enter(block);
            for edge in edges {
                let next = self.block();
                self.can_take(automaton, edge, yes, next);
                self.enter(next);
            }
            self.go(no);
        }
    }

    /// Continues at `yes` if an edge is not disabled.
    fn can_take(&mut self, automaton: &Automaton, edge: &Edge, yes: Block, no: Block) {
        let first = &edge.steps[0];
        if !matches!(first.action, EdgeAction::DStep) {
            return self.can_execute(first, yes, no);
        }
        let inside = automaton.d_steps.iter().find(|inside| inside.edge == edge.id);
        let inside = inside.expect("every d_step edge has its inside");
        for first in inside.edges_from(inside.entry) {
            let next = self.block();
            self.can_execute(&first.steps[0], yes, next);
            self.enter(next);
        }
        self.go(no);
    }

    fn can_execute(&mut self, step: &EdgeStep, yes: Block, no: Block) {
        let own = self.own();
        match &step.action {
            EdgeAction::Guard(Expr { kind: ExprKind::Run { .. }, .. }) => {
                let count = self.number(PROCESSES);
                let most = self.machine().layout().frame.most_processes as i32;
                let has_room = self.compare(IntCC::UnsignedLessThan, count, most);
                self.branch(has_room, yes, no);
            }
            EdgeAction::Guard(condition) => self.condition(condition, own, yes, no),
            EdgeAction::Send { channel, .. } => {
                let channel = self.channel(channel, own);
                let loses = self.machine().loses_messages();
                self.by_shape(channel, |this, shape| {
                    // An offered message counts, also without a receiver.
                    if shape.capacity == 0 || loses {
                        return this.go(yes);
                    }
                    let base = this.add(this.state, channel.record);
                    let length = this.length(base);
                    let has_room =
                        this.compare(IntCC::UnsignedLessThan, length, shape.capacity as i32);
                    this.branch(has_room, yes, no);
                });
            }
            EdgeAction::Receive { channel, random, args, .. } => {
                let channel = self.channel(channel, own);
                self.by_shape(channel, |this, shape| {
                    if shape.capacity == 0 {
                        return this.go(no);
                    }
                    this.find(shape, channel.record, *random, args, own, no);
                    this.go(yes);
                });
            }
            EdgeAction::End => {
                let count = self.number(PROCESSES);
                let one = self.int(1);
                let last = self.b.ins().isub(count, one);
                let is_youngest = self.b.ins().icmp(IntCC::Equal, last, self.pid);
                self.branch(is_youngest, yes, no);
            }
            _ => self.go(yes),
        }
    }

    /// `get_priority(pid)`: 0 if there is no such process.
    pub(super) fn priority_of(&mut self, pid: Value) -> Value {
        self.about_process(pid, |this, record| this.priority(record))
    }

    /// The priority of the process with this record; 0 if there are no priorities.
    pub(super) fn priority(&mut self, record: Value) -> Value {
        match self.machine().layout().frame.priority {
            Some(at) => {
                let base = self.add(self.state, record);
                self.byte(base, at)
            }
            None => self.int(0),
        }
    }

    /// Sets the priority of the process with this record.
    pub(super) fn set_priority(&mut self, record: Value, priority: Value) {
        if let Some(at) = self.machine().layout().frame.priority {
            let base = self.add(self.state, record);
            self.set_byte(base, at, priority);
        }
    }
}
