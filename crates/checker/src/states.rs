//! Whole states as plain data: every variable with its value, arrays and structures in
//! their shape, channels with their messages.

use std::slice::Iter;

use beeline_engine::interpreter::{Now, Slot};
use beeline_promela::hir::{Type, Variable};
use beeline_promela::source::Span;

use crate::view::View;

/// A value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Value {
    /// A number.
    Number(i32),
    /// A symbolic constant.
    Symbol(String),
    /// An array.
    List(Vec<Value>),
    /// A structure.
    Record(Vec<(String, Value)>),
    /// What is in the channel that a variable was declared with, or holds in its place:
    /// messages, oldest first. A rendezvous holds none.
    Messages(Vec<Vec<Value>>),
    /// The name of the channel that a variable without one of its own holds; empty if it
    /// holds none.
    Channel(String),
}

/// Everything in a state.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct State {
    /// The global variables.
    pub globals: Vec<(String, Value)>,
    /// The processes, in order of their numbers.
    pub processes: Vec<Standing>,
    /// The channels that no variable shows: theirs has another one, or is gone.
    pub channels: Vec<(String, Value)>,
}

/// A process in a state.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Standing {
    /// Its number.
    pub pid: usize,
    /// Its proctype.
    pub process: String,
    /// Where it is: the number of the location in its automaton.
    pub location: u32,
    /// The place of the first statement it could do next.
    pub span: Option<Span>,
    /// Its variables, parameters first.
    pub locals: Vec<(String, Value)>,
}

impl View<'_> {
    /// A state with everything in it.
    pub(crate) fn state(&self, now: &Now) -> State {
        let model = self.machine().model();
        let standing = |pid: usize| {
            let id = now.process(pid);
            let process = model.process(id);
            let location = now.location(pid);
            let edges = self.machine().automaton(id).edges_from(location);
            let slots = &self.names().locals[id.index()];
            Standing {
                pid,
                process: process.name.name.to_string(),
                location: location.0,
                span: edges.first().map(|edge| edge.steps[0].span),
                locals: self.shaped(&process.locals, slots, &|slot| slot.local(now, pid), now),
            }
        };
        let shown = self.shown_channels(now);
        let unseen = (0..shown.len()).filter(|&number| !shown[number]);
        State {
            globals: self.shaped(
                &model.globals,
                &self.names().globals,
                &|slot| slot.global(now),
                now,
            ),
            processes: (0..now.process_count()).map(standing).collect(),
            channels: unseen
                .map(|number| (self.channel_name(now, number), self.messages(now, number)))
                .collect(),
        }
    }

    /// Variables in their shape. Blocks may declare a name again: the later ones are numbered.
    fn shaped(
        &self,
        variables: &[Variable],
        slots: &[Slot],
        read: &dyn Fn(&Slot) -> i32,
        now: &Now,
    ) -> Vec<(String, Value)> {
        let mut slots = slots.iter();
        let mut found: Vec<(String, Value)> = Vec::new();
        for variable in variables {
            let name = variable.name.name.to_string();
            let taken = |name: &str| found.iter().any(|(other, _)| other == name);
            let numbered = (2..).map(|number| format!("{name}__{number}"));
            let mut names = std::iter::once(name.clone()).chain(numbered);
            let name = names.find(|name| !taken(name)).expect("there is always another number");
            let value = self.whole(variable, &mut slots, read, now);
            found.push((name, value));
        }
        found
    }

    fn whole(
        &self,
        variable: &Variable,
        slots: &mut Iter<'_, Slot>,
        read: &dyn Fn(&Slot) -> i32,
        now: &Now,
    ) -> Value {
        match variable.length {
            Some(length) => {
                Value::List((0..length).map(|_| self.one(variable, slots, read, now)).collect())
            }
            None => self.one(variable, slots, read, now),
        }
    }

    fn one(
        &self,
        variable: &Variable,
        slots: &mut Iter<'_, Slot>,
        read: &dyn Fn(&Slot) -> i32,
        now: &Now,
    ) -> Value {
        if let Type::Struct(id) = variable.ty {
            let fields = &self.machine().model().structs[id.index()].fields;
            let field = |field: &Variable| {
                (field.name.name.to_string(), self.whole(field, slots, read, now))
            };
            return Value::Record(fields.iter().map(field).collect());
        }
        let slot = slots.next().expect("slots are made from the same declarations");
        match slot.ty {
            Type::Chan => self.channel(slot, read(slot), now),
            ty => self.scalar(ty, read(slot)),
        }
    }

    fn scalar(&self, ty: Type, value: i32) -> Value {
        match ty {
            Type::Mtype(_) => Value::Symbol(self.machine().written(ty, value)),
            _ => Value::Number(value),
        }
    }

    fn channel(&self, slot: &Slot, value: i32, now: &Now) -> Value {
        let number = usize::try_from(value).ok().and_then(|value| value.checked_sub(1));
        let number = number.filter(|&number| number < now.channel_count());
        match (number, slot.declares_channel) {
            (Some(number), true) => self.messages(now, number),
            (None, true) => Value::Messages(Vec::new()),
            (Some(number), false) => Value::Channel(self.channel_name(now, number)),
            (None, false) => Value::Channel(String::new()),
        }
    }

    fn messages(&self, now: &Now, number: usize) -> Value {
        let channel = self.machine().channel(now, number);
        let types = &self.names().messages[channel.declaration];
        let message = |message: &Vec<i32>| {
            message.iter().zip(types).map(|(&value, &ty)| self.scalar(ty, value)).collect()
        };
        Value::Messages(channel.messages.iter().map(message).collect())
    }
}
