//! Whole states as plain data: all variables with their values, as nested arrays and structures,
//! and channels with their messages.

use std::slice::Iter;

use beeline_engine::interpreter::{DecodedState, VariableSlot};
use beeline_model::{ProcessState, StateValue, WholeState};
use beeline_promela::hir::{Type, Variable};

use crate::view::View;

impl View<'_> {
    /// A state with all its values.
    pub(crate) fn state(&self, now: &DecodedState) -> WholeState {
        let model = self.machine().model();
        let standing = |pid: usize| {
            let id = now.process(pid);
            let process = model.process(id);
            let location = now.location(pid);
            let edges = self.machine().automaton(id).edges_from(location);
            let slots = &self.names().locals[id.index()];
            ProcessState {
                pid,
                process: process.name.name.to_string(),
                location: location.0,
                span: edges.first().map(|edge| edge.steps[0].span),
                locals: self.shaped(&process.locals, slots, &|slot| slot.local(now, pid), now),
            }
        };
        let shown = self.shown_channels(now);
        let unseen = (0..shown.len()).filter(|&number| !shown[number]);
        WholeState {
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

    /// Variables as nested values. Blocks may declare a name again: later ones are numbered.
    fn shaped(
        &self,
        variables: &[Variable],
        slots: &[VariableSlot],
        read: &dyn Fn(&VariableSlot) -> i32,
        now: &DecodedState,
    ) -> Vec<(String, StateValue)> {
        let mut slots = slots.iter();
        let mut found: Vec<(String, StateValue)> = Vec::new();
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
        slots: &mut Iter<'_, VariableSlot>,
        read: &dyn Fn(&VariableSlot) -> i32,
        now: &DecodedState,
    ) -> StateValue {
        match variable.length {
            Some(length) => StateValue::List(
                (0..length).map(|_| self.one(variable, slots, read, now)).collect(),
            ),
            None => self.one(variable, slots, read, now),
        }
    }

    fn one(
        &self,
        variable: &Variable,
        slots: &mut Iter<'_, VariableSlot>,
        read: &dyn Fn(&VariableSlot) -> i32,
        now: &DecodedState,
    ) -> StateValue {
        if let Type::Struct(id) = variable.ty {
            let fields = &self.machine().model().structs[id.index()].fields;
            let field = |field: &Variable| {
                (field.name.name.to_string(), self.whole(field, slots, read, now))
            };
            return StateValue::Record(fields.iter().map(field).collect());
        }
        let slot = slots.next().expect("slots are made from the same declarations");
        match slot.ty {
            Type::Chan => self.channel(slot, read(slot), now),
            ty => self.scalar(ty, read(slot)),
        }
    }

    fn scalar(&self, ty: Type, value: i32) -> StateValue {
        match ty {
            Type::Mtype(_) => StateValue::Symbol(self.machine().written(ty, value)),
            _ => StateValue::Number(value),
        }
    }

    fn channel(&self, slot: &VariableSlot, value: i32, now: &DecodedState) -> StateValue {
        let number = usize::try_from(value).ok().and_then(|value| value.checked_sub(1));
        let number = number.filter(|&number| number < now.channel_count());
        match (number, slot.declares_channel) {
            (Some(number), true) => self.messages(now, number),
            (None, true) => StateValue::Messages(Vec::new()),
            (Some(number), false) => StateValue::Channel(self.channel_name(now, number)),
            (None, false) => StateValue::Channel(String::new()),
        }
    }

    fn messages(&self, now: &DecodedState, number: usize) -> StateValue {
        let channel = self.machine().channel(now, number);
        let types = &self.names().messages[channel.declaration];
        let message = |message: &Vec<i32>| {
            message.iter().zip(types).map(|(&value, &ty)| self.scalar(ty, value)).collect()
        };
        StateValue::Messages(channel.messages.iter().map(message).collect())
    }
}
