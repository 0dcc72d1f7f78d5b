//! Statements: executability and effects.

use beeline_engine::automata::{EdgeAction, EdgeStep};
use beeline_engine::frame::{CHANNELS, HeaderNumber, PROCESSES};
use beeline_kernel::FaultKind;
use beeline_promela::hir::{Access, DeclaredValue, Expr, ExprKind, LocalId, ProcessId, Root, Type};
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{Block, BlockArg, InstBuilder, Value};
use cranelift_module::Module;

use super::channels::Offer;
use super::function::{Function, INT};

/// The mode in which a statement is executed.
#[derive(Clone, Copy)]
pub(super) enum ExecutionMode {
    /// Without an offered message; a rendezvous needs an offer.
    Usual(Option<Offer>),
    /// With an offered message: only a receive is executable.
    Offered,
}

impl Function<'_, '_, '_> {
    /// Executes a statement, or jumps to `blocked` when it is not executable. Until the successor
    /// is created, expressions are evaluated on the state itself.
    pub(super) fn statement(&mut self, step: &EdgeStep, mode: ExecutionMode, blocked: Block) {
        let own = self.own();
        let offer = match mode {
            ExecutionMode::Usual(offer) => offer,
            ExecutionMode::Offered => return self.offered_statement(&step.action, blocked),
        };
        match &step.action {
            EdgeAction::Move(_)
            | EdgeAction::Else
            | EdgeAction::Print { .. }
            | EdgeAction::PrintM(_) => {}
            EdgeAction::Guard(Expr { kind: ExprKind::Run { process, args, priority }, .. }) => {
                let started = self.run(*process, args, *priority);
                let full = self.compare(IntCC::SignedLessThan, started, 0);
                self.leave_if(full, blocked);
            }
            EdgeAction::Guard(condition) => {
                if !matches!(condition.kind.constant(), Some(value) if value != 0) {
                    let holds = self.block();
                    self.condition(condition, own, holds, blocked);
                    self.enter(holds);
                }
            }
            EdgeAction::Assign { target, value } => {
                self.make();
                let value = self.assigned(value);
                self.write(target, value);
            }
            EdgeAction::Declare { var, value } => {
                self.make();
                self.declare(*var, value.as_ref(), step);
            }
            EdgeAction::Assert(condition) => {
                self.make();
                let (fails, goes_on) = (self.block(), self.block());
                self.condition(condition, own, goes_on, fails);
                self.enter(fails);
                self.note(FaultKind::Assertion);
                self.go(goes_on);
                self.enter(goes_on);
            }
            EdgeAction::Send { channel, sorted, args } => {
                self.send(channel, *sorted, args, offer, blocked);
            }
            EdgeAction::Receive { channel, random, peek, args } => {
                self.receive(channel, *random, *peek, args, blocked);
            }
            EdgeAction::SetPriority(process, priority) => {
                self.make();
                self.change_priority(process, priority);
            }
            EdgeAction::DStep => unreachable!("executed as a whole"),
            EdgeAction::End => self.end(blocked),
        }
    }

    /// `set_priority`: without effect if there is no such process.
    fn change_priority(&mut self, process: &Expr, priority: &Expr) {
        let own = self.own();
        let pid = self.eval(process, own);
        let priority = self.eval(priority, own);
        let (found, done) = (self.block(), self.block());
        let alive = self.is_alive(pid);
        self.branch(alive, found, done);
        self.enter(found);
        let record = self.record_of(pid);
        self.set_priority(record, priority);
        self.go(done);
        self.enter(done);
    }

    /// While a message is being offered, only a receive is executable.
    fn offered_statement(&mut self, action: &EdgeAction, blocked: Block) {
        match action {
            EdgeAction::Receive { channel, peek: false, args, .. } => {
                self.take_offer(channel, args, blocked);
            }
            _ => {
                self.go(blocked);
                let unreachable = self.block();
                self.enter(unreachable);
            }
        }
    }

    /// The value that an assignment stores: 0 for a `run` that fails.
    fn assigned(&mut self, value: &Expr) -> Value {
        match &value.kind {
            ExprKind::Run { process, args, priority } => {
                let started = self.run(*process, args, *priority);
                let zero = self.int(0);
                let full = self.compare(IntCC::SignedLessThan, started, 0);
                self.b.ins().select(full, zero, started)
            }
            _ => {
                let own = self.own();
                self.eval(value, own)
            }
        }
    }

    /// The end of the process, possible if it is the youngest.
    fn end(&mut self, blocked: Block) {
        let count = self.number(PROCESSES);
        let one = self.int(1);
        let last = self.b.ins().isub(count, one);
        let youngest = self.b.ins().icmp(IntCC::Equal, last, self.pid);
        self.leave_unless(youngest, blocked);
        self.make();
        self.remove_youngest(last);
    }

    /// Starts a process. Returns its number, or less than 0 when the limit is reached.
    fn run(&mut self, process: ProcessId, args: &[Expr], priority: Option<i32>) -> Value {
        let own = self.own();
        let mut values = Vec::with_capacity(args.len());
        for arg in args {
            values.push(self.eval(arg, own));
        }
        let wanted = self.param_values(process).len();
        while values.len() < wanted {
            values.push(self.int(0));
        }
        self.make();
        self.keep_values(crate::context::at::VALUES, &values);
        if self.machine().has_priorities() {
            let priority = self.int(priority.unwrap_or(1));
            self.set_context_int(crate::context::at::PRIORITY, priority);
        }
        let start = self.program.starts[process.index()];
        let start = self.module.declare_func_in_func(start, self.b.func);
        let call = self.b.ins().call(start, &[self.context, self.state]);
        let started = self.b.inst_results(call)[0];
        // Less than -1 is a fault of an initial value.
        let fine = self.block();
        let minus_two = self.int(-2);
        let number = self.b.ins().isub(minus_two, started);
        let failed = self.failed;
        let is_fault = self.compare(IntCC::SignedLessThan, started, -1);
        self.b.ins().brif(is_fault, failed, &[BlockArg::Value(number)], fine, &[]);
        self.enter(fine);
        started
    }

    /// Ends the process, and removes the channels after it.
    fn remove_youngest(&mut self, left: Value) {
        let record = self.b.ins().ireduce(INT, self.record);
        self.set_context_int(crate::context::at::NEXT_LENGTH, record);
        self.is_resized = true;
        self.set_number(PROCESSES, left);
        if let HeaderNumber::Always(_) = self.machine().layout().frame.place(CHANNELS) {
            return;
        }
        // Channels are numbered by age: the remaining ones start before the record.
        let (look, done) = (self.block(), self.block());
        let number = self.b.append_block_param(look, INT);
        let remaining = self.b.append_block_param(done, INT);
        let count = self.number(CHANNELS);
        self.b.ins().jump(look, &[BlockArg::Value(count)]);
        self.enter(look);
        let more = self.block();
        self.b.ins().brif(number, more, &[], done, &[BlockArg::Value(number)]);
        self.enter(more);
        let place = self.context_entry(crate::context::at::CHANNELS, number);
        let older = self.b.ins().icmp(IntCC::UnsignedLessThan, place, record);
        let one = self.int(1);
        let before = self.b.ins().isub(number, one);
        self.b.ins().brif(
            older,
            done,
            &[BlockArg::Value(number)],
            look,
            &[BlockArg::Value(before)],
        );
        self.enter(done);
        self.set_number(CHANNELS, remaining);
    }

    fn declare(&mut self, var: LocalId, value: Option<&DeclaredValue>, step: &EdgeStep) {
        let variable = &self.machine().model().process(self.process).locals[var.index()];
        if let Type::Struct(_) = variable.ty {
            return;
        }
        let own = self.own();
        let root = Root::Local(var);
        let access = Access { root, index: None, path: Vec::new(), span: step.span };
        let place = self.place(&access, own);
        let values: &[Expr] = match value {
            None => {
                let zero = self.int(0);
                self.store_at(&place, 0, zero);
                return;
            }
            Some(DeclaredValue::Value(value)) => std::slice::from_ref(value),
            Some(DeclaredValue::List(values)) => values,
        };
        for (at, value) in values.iter().enumerate() {
            let value = self.eval(value, own);
            self.store_at(&place, at, value);
        }
    }

    /// Resets dead variables.
    pub(super) fn reset_dead(&mut self, step: &EdgeStep) {
        let machine = self.program.machine;
        for &var in &step.dead {
            let local = &machine.model().process(self.process).locals[var.index()];
            let at = machine.layout().processes[self.process.index()].locals[var.index()];
            let base = self.add(self.state, self.record);
            let zero = self.int(0);
            let stored = self.machine().layout().scalar(local.ty);
            self.store(stored, base, at, zero);
        }
    }
}
