//! Whether a process could move, prepared for being asked millions of times: edges are
//! found and variables placed once, by type and location.
//!
//! The answers are those of [`Machine::is_active`]. What is not prepared here, as a
//! rendezvous, is asked there.

use beeline_engine::automata::Action;
use beeline_engine::frame::Record;
use beeline_engine::interpreter::{Machine, Now, apply};
use beeline_engine::layout::Scalar;
use beeline_promela::hir::{
    Access, BinaryOp, Expr, ExprKind, Predefined, ProcessId, RecvArg, Root, Type, UnaryOp, Variable,
};

use crate::blocking::{first_actions, may_wait};

/// By type of process and location: what is to be asked.
#[derive(Clone, Debug)]
pub(crate) struct Ready(Vec<Vec<Question>>);

#[derive(Clone, Debug)]
enum Question {
    /// Someone there can always move.
    Always,
    /// When one of these is true.
    Any(Vec<Condition>),
    /// Ask the machine.
    Machine,
}

#[derive(Clone, Debug)]
enum Condition {
    /// A channel has room.
    Room(Value),
    /// The first message of a channel has these values, where there is one.
    Message(Value, Vec<Option<Value>>),
    /// An expression is not zero.
    True(Value),
    /// The process is the youngest.
    Youngest,
}

/// A value that is read from a state.
#[derive(Clone, Debug)]
enum Value {
    Constant(i32),
    Pid,
    Variable(Place),
    /// So many elements of so many bytes, from here, and which of them.
    Element(Place, u32, usize, Box<Value>),
    Binary(BinaryOp, Box<[Value; 2]>),
    Not(Box<Value>),
}

/// Where a value is: in the record of the process, or in the state.
#[derive(Clone, Copy, Debug)]
struct Place {
    is_local: bool,
    at: usize,
    stored: Scalar,
}

/// The value cannot be had: a step that tries to is one that fails, and so can be taken.
struct Fails;

impl Ready {
    pub(crate) fn new(machine: &Machine<'_>) -> Ready {
        let types = (0..machine.model().processes.len() as u32).map(ProcessId);
        Ready(types.map(|process| questions(machine, process)).collect())
    }

    /// Whether a process at a location can move whatever happens.
    pub(crate) fn is_fixed(&self, process: usize, location: usize) -> bool {
        matches!(self.0[process][location], Question::Always)
    }

    /// Whether a process could move.
    #[inline]
    pub(crate) fn is_active(&self, machine: &Machine<'_>, now: &Now, pid: usize) -> bool {
        match &self.0[now.process(pid).index()][now.location(pid).0 as usize] {
            Question::Always => true,
            Question::Machine => machine.is_active(now, pid, false),
            Question::Any(conditions) => {
                let asked = Asked { machine, now, pid, record: now.process_records()[pid] };
                for condition in conditions {
                    match asked.is_true(condition) {
                        Some(true) => return true,
                        Some(false) => {}
                        None => return machine.is_active(now, pid, false),
                    }
                }
                false
            }
        }
    }
}

fn questions(machine: &Machine<'_>, process: ProcessId) -> Vec<Question> {
    let automaton = machine.automaton(process);
    let places = automaton.marks.len();
    if machine.has_priorities() || machine.model().process(process).provided.is_some() {
        return vec![Question::Machine; places];
    }
    let mut all = vec![Question::Any(Vec::new()); places];
    for edge in &automaton.edges {
        let question = &mut all[edge.from.0 as usize];
        for action in first_actions(automaton, edge) {
            if !may_wait(machine, action) {
                *question = Question::Always;
            }
            if let Question::Any(conditions) = question {
                match condition(machine, process, action) {
                    Some(condition) => conditions.push(condition),
                    None => *question = Question::Machine,
                }
            }
        }
    }
    all
}

fn condition(machine: &Machine<'_>, process: ProcessId, action: &Action) -> Option<Condition> {
    let value = |expr: &Expr| value(machine, process, expr);
    match action {
        Action::Guard(guard) => value(guard).map(Condition::True),
        Action::Send { channel, .. } => read(machine, process, channel).map(Condition::Room),
        Action::Receive { channel, random: false, args, .. } => {
            let fields = args.iter().map(|arg| match arg {
                RecvArg::Store(_) => Some(None),
                RecvArg::Match(wanted) | RecvArg::Eval(wanted) => value(wanted).map(Some),
            });
            let fields = fields.collect::<Option<Vec<_>>>()?;
            Some(Condition::Message(read(machine, process, channel)?, fields))
        }
        Action::End => Some(Condition::Youngest),
        _ => None,
    }
}

fn value(machine: &Machine<'_>, process: ProcessId, expr: &Expr) -> Option<Value> {
    let value = |expr: &Expr| value(machine, process, expr);
    Some(match &expr.kind {
        ExprKind::Const(constant) | ExprKind::Mtype { value: constant, .. } => {
            Value::Constant(*constant)
        }
        ExprKind::Read(access) => return read(machine, process, access),
        ExprKind::Binary(op, left, right) => {
            Value::Binary(*op, Box::new([value(left)?, value(right)?]))
        }
        ExprKind::Unary(UnaryOp::Not, operand) => Value::Not(Box::new(value(operand)?)),
        // Nobody asks whether others can move.
        ExprKind::Timeout => Value::Constant(0),
        _ => return None,
    })
}

fn read(machine: &Machine<'_>, process: ProcessId, access: &Access) -> Option<Value> {
    let layout = machine.layout();
    let (variable, is_local, at): (&Variable, bool, usize) = match access.root {
        Root::Predefined(Predefined::Pid) => return Some(Value::Pid),
        Root::Predefined(_) => return None,
        Root::Global(id) => {
            (&machine.model().globals[id.index()], false, layout.globals[id.index()])
        }
        Root::Local(id) => {
            let locals = &layout.processes[process.index()].locals;
            (&machine.model().process(process).locals[id.index()], true, locals[id.index()])
        }
    };
    if matches!(variable.ty, Type::Struct(_)) || !access.path.is_empty() {
        return None;
    }
    let place = Place { is_local, at, stored: layout.element(variable.ty, variable.length) };
    Some(match (access.index.as_deref(), variable.length) {
        (Some(index), Some(length)) => {
            let index = value(machine, process, index)?;
            Value::Element(place, length, layout.size(variable.ty), Box::new(index))
        }
        _ => Value::Variable(place),
    })
}

/// Who is asked about.
struct Asked<'a> {
    machine: &'a Machine<'a>,
    now: &'a Now,
    pid: usize,
    record: usize,
}

impl Asked<'_> {
    /// `None` when only the machine can tell.
    fn is_true(&self, condition: &Condition) -> Option<bool> {
        let now = self.now;
        Some(match condition {
            Condition::Youngest => self.pid + 1 == now.process_count(),
            Condition::True(value) => !matches!(self.value(value), Ok(0)),
            Condition::Room(channel) => {
                let Some(channel) = self.channel(channel) else { return Some(true) };
                match self.machine.capacity(now, channel) {
                    0 => return None,
                    capacity => {
                        self.machine.loses_messages() || now.channel_length(channel) < capacity
                    }
                }
            }
            Condition::Message(channel, wanted) => {
                let Some(channel) = self.channel(channel) else { return Some(true) };
                if now.channel_length(channel) == 0 {
                    // There may be someone who offers one.
                    return (self.machine.capacity(now, channel) > 0).then_some(false);
                }
                self.has_values(channel, wanted)
            }
        })
    }

    fn has_values(&self, channel: usize, wanted: &[Option<Value>]) -> bool {
        let (layout, bytes) = (self.machine.layout(), &self.now.bytes);
        let start = self.now.channel_records()[channel];
        let Record::Channel(declaration) = layout.frame.record(bytes, start) else {
            unreachable!("the record of a channel is of a channel");
        };
        let mut at = start + layout.frame.channel_header();
        let mut fields = layout.channels[declaration].fields.iter();
        wanted.iter().all(|wanted| {
            let value = fields.next().map(|field| {
                at += field.size();
                field.read(bytes, at - field.size())
            });
            let wanted = wanted.as_ref().map(|wanted| self.value(wanted));
            wanted.is_none_or(|wanted| wanted.map_or(true, |wanted| value == Some(wanted)))
        })
    }

    /// The channel of a number; `None` if there is none.
    fn channel(&self, number: &Value) -> Option<usize> {
        let number = self.value(number).ok()?;
        let channel = usize::try_from(number - 1).ok()?;
        (channel < self.now.channel_records().len()).then_some(channel)
    }

    fn read(&self, place: Place, further: usize) -> i32 {
        let start = if place.is_local { self.record } else { 0 };
        place.stored.read(&self.now.bytes, start + place.at + further)
    }

    fn value(&self, value: &Value) -> Result<i32, Fails> {
        Ok(match value {
            Value::Constant(value) => *value,
            Value::Pid => self.pid as i32,
            Value::Variable(place) => self.read(*place, 0),
            Value::Element(place, length, size, index) => {
                let index = self.value(index)?;
                if index < 0 || index as u32 >= *length {
                    return Err(Fails);
                }
                self.read(*place, index as usize * size)
            }
            Value::Not(value) => i32::from(self.value(value)? == 0),
            Value::Binary(op, operands) => self.binary(*op, operands)?,
        })
    }

    fn binary(&self, op: BinaryOp, [left, right]: &[Value; 2]) -> Result<i32, Fails> {
        let a = self.value(left)?;
        match op {
            BinaryOp::And if a == 0 => return Ok(0),
            BinaryOp::Or if a != 0 => return Ok(1),
            _ => {}
        }
        let b = self.value(right)?;
        apply(op, a, b).map_err(|_| Fails)
    }
}

#[cfg(test)]
mod tests {
    use beeline_engine::automata::Options;
    use beeline_kernel::{Expansion, Space};
    use beeline_promela::preprocess::NoIncludes;

    use super::*;

    /// In all states that can be reached, as far as a few thousand of them.
    fn check(text: &str) {
        let options = beeline_promela::preprocess::Options::default();
        let front = beeline_promela::read("model.pml", text, &mut NoIncludes, &options);
        assert!(!front.diagnostics.has_errors(), "{text}");
        for processes in [255, 2000] {
            let machine = Machine::crowded(&front.hir, Options::PLAIN, processes);
            let (ready, mut expansion) = (Ready::new(&machine), Expansion::default());
            let mut waiting = vec![Vec::new()];
            Space::initial(&machine, &mut waiting[0]).unwrap();
            let mut known = waiting.clone();
            while let Some(state) = waiting.pop() {
                let now = machine.open(&state);
                for pid in 0..now.process_count() {
                    let expected = machine.is_active(&now, pid, false);
                    assert_eq!(ready.is_active(&machine, &now, pid), expected, "{text}: {pid}");
                }
                machine.expand(&state, &mut expansion);
                for next in expansion.states() {
                    if known.len() < 3000 && !known.iter().any(|state| state == next) {
                        known.push(next.to_vec());
                        waiting.push(next.to_vec());
                    }
                }
            }
            assert!(known.len() > 5, "{text}");
        }
    }

    #[test]
    fn prepared_answers_are_those_of_the_machine() {
        check(
            "chan q[2] = [1] of { byte, bit }; byte n; \
             active [2] proctype p() { byte x; \
               do :: q[_pid]!n, 1; n++ :: q[1 - _pid]?x, 1 :: q[_pid]?eval(x), 0 -> break \
                  :: n > 4 && !(n % 2 == x) -> n = 0 od }",
        );
        check(
            "byte a[3]; short i; \
             active [2] proctype p() { do :: i < 5 -> i++ :: a[i] == 0 -> i = i - 2 od } \
             active proctype q() { if :: i > 3 && 7 / (i - 4) > 0 :: timeout fi; i = 0 }",
        );
        check(
            "chan r = [0] of { byte }; chan s = [2] of { byte }; \
             proctype p(chan c; byte k) { do :: c!k :: s??k -> break od } \
             active proctype q() { byte x; run p(r, 1); run p(s, 2); \
               do :: r?x; s!x :: d_step { s?2 -> x = 0 } :: x == 3 -> break od }",
        );
        check(
            "byte n; proctype p() provided (n < 2) { n++; n++ } \
             init { run p(); run p(); do :: n == 4 -> break :: n < 4 -> n++ unless n > 2 od }",
        );
    }
}
