//! Trace assertions: a function that moves the automaton of the trace by a message that was sent, and
//! one for messages received, as the interpreter does. They read the message in the context.

use beeline_engine::automata::{Edge, EdgeAction};
use beeline_kernel::FaultKind;
use beeline_promela::hir::{
    Access, Expr, ExprKind, Predefined, ProcessId, ProcessKind, RecvArg, Root,
};
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{Block, Function as Ir, InstBuilder, Value};
use cranelift_frontend::{FunctionBuilderContext, Switch, Variable};
use cranelift_jit::JITModule;

use super::function::{Function, Helper, INT, Program, trusted};
use crate::context::{self, at};

/// Generates the function that moves the trace by a message that was sent over, or received from, the
/// channel in its last parameter. It returns one plus the number of a fault, or 0.
pub(crate) fn observer(
    program: &Program<'_, '_>,
    module: &mut JITModule,
    ir: &mut Ir,
    scratch: &mut FunctionBuilderContext,
    trace: ProcessId,
    is_sent: bool,
) {
    let mut function = Function::begin(program, module, ir, scratch, trace);
    let channel = function.pid;
    // The trace refers to global variables only, and its channels exist as long as the model runs.
    function.pid = function.int(0);
    function.record = function.offset(0);
    function.made = true;
    function.observe_event(channel, is_sent);
    function.finish_code();
}

/// The channel of an event of the trace, if it is of this kind.
fn event(edge: &Edge, is_sent: bool) -> Option<&Access> {
    match &edge.steps[0].action {
        EdgeAction::Send { channel, .. } if is_sent => Some(channel),
        EdgeAction::Receive { channel, .. } if !is_sent => Some(channel),
        _ => None,
    }
}

impl Function<'_, '_, '_> {
    fn observe_event(&mut self, channel: Value, is_sent: bool) {
        let program = self.program;
        let automaton = program.machine.automaton(self.process);
        let is_negated = automaton.kind == ProcessKind::Notrace;
        let (watched, other, misfit) = (self.block(), self.block(), self.block());
        for edge in &automaton.edges {
            if let Some(access) = event(edge, is_sent) {
                let next = self.block();
                self.go_on_if_same(access, channel, next);
                self.go(watched);
                self.enter(next);
            }
        }
        self.go(other);
        self.enter(watched);
        let at = self.machine().layout().frame.trace.expect("there is a trace");
        let location = self.short(self.state, at);
        let mut switch = Switch::new();
        let mut blocks = Vec::new();
        for location in automaton.locations() {
            if location == automaton.end {
                continue;
            }
            let edges = automaton.edges_from(location).iter();
            let edges: Vec<&Edge> = edges.filter(|edge| event(edge, is_sent).is_some()).collect();
            if !edges.is_empty() {
                let block = self.block();
                switch.set_entry(u128::from(location.0), block);
                blocks.push((block, edges));
            }
        }
        switch.emit(&mut self.b, location, misfit);
        for (block, edges) in blocks {
            self.enter(block);
            self.follow_event(&edges, channel, is_sent, misfit);
        }
        self.enter(misfit);
        if is_negated {
            self.set_trace(automaton.end.0);
            self.go(other);
        } else {
            self.return_fault(FaultKind::Trace);
        }
        self.enter(other);
        let none = self.int(0);
        self.b.ins().return_(&[none]);
    }

    /// Moves the trace along the first of these edges that fits; a second one that fits is a fault.
    /// Continues at `misfit` if none does.
    fn follow_event(&mut self, edges: &[&Edge], channel: Value, is_sent: bool, misfit: Block) {
        /// No edge fits.
        const NONE: i32 = -1;
        let automaton = self.program.machine.automaton(self.process);
        let is_negated = automaton.kind == ProcessKind::Notrace;
        let (to, again): (Variable, Variable) = (self.b.declare_var(INT), self.b.declare_var(INT));
        let (none, zero) = (self.int(NONE), self.int(0));
        self.b.def_var(to, none);
        self.b.def_var(again, zero);
        for edge in edges {
            let next = self.block();
            let access = event(edge, is_sent).expect("they are events of this kind");
            self.go_on_if_same(access, channel, next);
            self.go_on_if_message(&edge.steps[0].action, next);
            let before = self.b.use_var(to);
            let is_first = self.compare(IntCC::Equal, before, NONE);
            let own = self.int(edge.to.0 as i32);
            let target = self.b.ins().select(is_first, own, before);
            self.b.def_var(to, target);
            let (zero, one) = (self.int(0), self.int(1));
            let has_two = self.b.ins().select(is_first, zero, one);
            self.b.def_var(again, has_two);
            self.go(next);
            self.enter(next);
        }
        let found = self.b.use_var(to);
        let is_none = self.compare(IntCC::Equal, found, NONE);
        self.leave_if(is_none, misfit);
        let at = self.machine().layout().frame.trace.expect("there is a trace");
        self.b.ins().istore16(trusted(), found, self.state, at as i32);
        if is_negated {
            let (ends, goes_on) = (self.block(), self.block());
            let is_end = self.compare(IntCC::Equal, found, automaton.end.0 as i32);
            self.branch(is_end, ends, goes_on);
            self.enter(ends);
            self.return_fault(FaultKind::Trace);
            self.enter(goes_on);
        }
        let (choice, fine) = (self.block(), self.block());
        let again = self.b.use_var(again);
        self.branch(again, choice, fine);
        self.enter(choice);
        self.return_fault(FaultKind::Nondeterminism);
        self.enter(fine);
        let none = self.int(0);
        self.b.ins().return_(&[none]);
    }

    fn return_fault(&mut self, kind: FaultKind) {
        let fault = self.int(context::number(kind) as i32 + 1);
        self.b.ins().return_(&[fault]);
    }

    fn set_trace(&mut self, location: u32) {
        let at = self.machine().layout().frame.trace.expect("there is a trace");
        let location = self.int(location as i32);
        self.b.ins().istore16(trusted(), location, self.state, at as i32);
    }

    /// Continues only if a value exists and is this one.
    fn go_on_if(&mut self, wanted: Value, other: Block, value: impl FnOnce(&mut Self) -> Value) {
        let (failed, same) = (self.block(), self.block());
        self.b.append_block_param(failed, INT);
        self.failed = failed;
        let value = value(self);
        let is_same = self.b.ins().icmp(IntCC::Equal, value, wanted);
        self.branch(is_same, same, other);
        self.enter(failed);
        self.go(other);
        self.enter(same);
    }

    /// Continues only if a variable holds this channel.
    fn go_on_if_same(&mut self, access: &Access, channel: Value, other: Block) {
        let own = self.own();
        self.go_on_if(channel, other, |this| this.channel(access, own).number);
    }

    /// Continues only if the message has the values of an event.
    fn go_on_if_message(&mut self, action: &EdgeAction, other: Block) {
        let wanted: Vec<Option<&Expr>> = match action {
            EdgeAction::Send { args, .. } => args.iter().map(wanted_constant).collect(),
            EdgeAction::Receive { args, .. } => args.iter().map(wanted_value).collect(),
            _ => unreachable!("it is an event"),
        };
        let length = self.context_int(at::EVENT_LENGTH);
        for (number, wanted) in wanted.into_iter().enumerate() {
            let Some(wanted) = wanted else { continue };
            let is_there = self.compare(IntCC::UnsignedGreaterThan, length, number as i32);
            self.leave_unless(is_there, other);
            let own = self.own();
            let there = self.context_int(at::VALUES + 4 * number as i32);
            self.go_on_if(there, other, |this| this.eval(wanted, own));
        }
    }

    /// Tells the trace that a message was sent or received; a violation is a fault of the move.
    pub(super) fn observe(&mut self, channel: Value, message: &[Value], is_sent: bool) {
        if !self.machine().has_trace() {
            return;
        }
        self.keep_values(at::VALUES, message);
        let length = self.int(message.len() as i32);
        self.set_context_int(at::EVENT_LENGTH, length);
        let is_sent = self.int(i32::from(is_sent));
        let args = [self.context, self.state, channel, is_sent];
        let fault = self.call(Helper::Observe, &args).expect("observe tells the fault");
        self.noted = true;
        let before = self.context_int(at::FAULT);
        let first = self.b.ins().select(before, before, fault);
        self.set_context_int(at::FAULT, first);
    }
}

/// The value that a send of a trace asks for: only constants count.
fn wanted_constant(arg: &Expr) -> Option<&Expr> {
    match &arg.kind {
        ExprKind::Read(Access { root: Root::Predefined(Predefined::Scratch), .. }) => None,
        kind => kind.constant().map(|_| arg),
    }
}

/// The value that a receive of a trace asks for.
fn wanted_value(arg: &RecvArg) -> Option<&Expr> {
    match arg {
        RecvArg::Store(_) => None,
        RecvArg::Match(value) | RecvArg::Eval(value) => Some(value),
    }
}
