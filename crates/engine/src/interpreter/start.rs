//! The initial state, and process creation.

use beeline_kernel::FaultKind;
use beeline_promela::hir::{Access, Expr, Init, LocalId, ProcessId, Root, Type, Variable};
use beeline_promela::source::Span;

use super::eval::EvalContext;
use super::machine::{DecodedState, Machine};
use crate::layout::Declaration;

impl Machine<'_> {
    /// The initial state.
    ///
    /// # Errors
    ///
    /// When an initial value does not exist, as after a division by zero.
    pub fn initial(&self) -> Result<DecodedState, FaultKind> {
        let bytes = vec![0; self.layout.fixed];
        let mut now = DecodedState::new(bytes, self.layout.frame);
        let nobody = EvalContext::of(0);
        self.start_trace(&mut now);
        now.set_claim(self.claim().map_or(0, |claim| claim.start));
        for (at, variable) in self.model.globals.iter().enumerate() {
            let place = self.layout.globals[at];
            self.initialise(variable, Declaration::Global(at), place, &mut now, nobody)?;
        }
        for (number, process) in self.model.processes.iter().enumerate() {
            for _ in 0..process.active {
                self.start(ProcessId(number as u32), &[], process.priority, &mut now, nobody)?;
            }
        }
        Ok(now)
    }

    /// Adds a process. `None` when the limit is reached.
    pub(super) fn start(
        &self,
        process: ProcessId,
        args: &[Expr],
        priority: i32,
        now: &mut DecodedState,
        context: EvalContext,
    ) -> Result<Option<usize>, FaultKind> {
        if now.records.processes.len() >= self.layout.frame.most_processes {
            return Ok(None);
        }
        let mut values = Vec::with_capacity(args.len());
        for arg in args {
            values.push(self.eval(arg, now, context)?);
        }
        let pid = now.add_process(self, process);
        if self.has_priorities {
            now.set_priority(pid, priority);
        }
        let own = EvalContext::of(pid);
        let declared = self.model.process(process);
        let mut values = values.into_iter();
        for at in 0..declared.params as usize {
            self.pass(process, at, &mut values, now, pid);
        }
        for (at, local) in self.locals_in_states(process).skip(declared.params as usize) {
            let place =
                now.records.processes[pid] + self.layout.processes[process.index()].locals[at];
            let declaration = Declaration::Local(process.index(), at);
            self.initialise(local, declaration, place, now, own)?;
        }
        Ok(Some(pid))
    }

    /// Passes the values of one parameter; a structure takes one for each scalar.
    fn pass(
        &self,
        process: ProcessId,
        param: usize,
        values: &mut impl Iterator<Item = i32>,
        now: &mut DecodedState,
        pid: usize,
    ) {
        let mut at =
            now.records.processes[pid] + self.layout.processes[process.index()].locals[param];
        let ty = self.model.process(process).locals[param].ty;
        for scalar in self.layout.scalars(self.model, &[ty]) {
            scalar.write(&mut now.bytes, at, values.next().unwrap_or(0));
            at += scalar.size();
        }
    }

    /// Initialises a variable, or creates its channels.
    fn initialise(
        &self,
        variable: &Variable,
        declaration: Declaration,
        place: usize,
        now: &mut DecodedState,
        context: EvalContext,
    ) -> Result<(), FaultKind> {
        let size = self.layout.size(variable.ty);
        let length = variable.length.unwrap_or(1) as usize;
        let is_name = |at: usize| self.layout.names[at].is_some();
        if let Declaration::Global(at) = declaration
            && self.unread[at]
        {
            return Ok(());
        }
        if let Type::Struct(id) = variable.ty {
            for element in 0..length {
                let start = place + element * size;
                for (at, field) in self.model.structs[id.index()].fields.iter().enumerate() {
                    let place = start + self.layout.structs[id.index()].fields[at];
                    let declaration = Declaration::Field(id.index(), at);
                    self.initialise(field, declaration, place, now, context)?;
                }
            }
            return Ok(());
        }
        let stored = self.layout.element(variable.ty, variable.length);
        match &variable.init {
            Init::Zero => {}
            Init::Value(value) => {
                let value = self.eval(value, now, context)?;
                for at in 0..length {
                    stored.write(&mut now.bytes, place + at * size, value);
                }
            }
            Init::List(values) => {
                for (at, value) in values.iter().enumerate().take(length) {
                    let value = self.eval(value, now, context)?;
                    stored.write(&mut now.bytes, place + at * size, value);
                }
            }
            Init::Channel(_) => {
                for element in 0..length {
                    if now.records.channels.len() == self.layout.frame.most_channels() {
                        return Err(FaultKind::Limit);
                    }
                    let number = now.add_channel(self, self.channel_declared(declaration));
                    if !matches!(declaration, Declaration::Global(at) if is_name(at)) {
                        stored.write(&mut now.bytes, place + element * size, number as i32);
                    }
                }
            }
        }
        Ok(())
    }

    /// An access to a local variable as a whole.
    pub(super) fn local(var: LocalId, span: Span) -> Access {
        Access { root: Root::Local(var), index: None, path: Vec::new(), span }
    }
}
