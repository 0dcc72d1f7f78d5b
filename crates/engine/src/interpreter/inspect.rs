//! The contents of a state: its variables by name, its channels with their messages.

use std::sync::Arc;

use beeline_promela::hir::{
    Access, Expr, ExprKind, Init, Model, MtypeId, Process, ProcessId, Type, Variable,
};

use super::machine::{ChannelRecord, DecodedState, Machine};
use crate::layout::{Scalar, StateLayout};
use crate::local_constants::LocalConstant;

/// A single value: a variable, an element of an array, or a field of either.
#[derive(Clone, Debug)]
pub struct VariableSlot {
    /// `x`, `a[2]`, `s.f[1]`
    pub name: String,
    /// Its type; never a structure.
    pub ty: Type,
    /// Whether its declaration creates a channel.
    pub declares_channel: bool,
    /// The source of its value.
    pub held: SlotValue,
}

/// The source of the value of a variable.
#[derive(Clone, Debug)]
pub enum SlotValue {
    /// Stored at this offset from the start of the state or of a record.
    At(usize, Scalar),
    /// Constant: the variable is the name of a channel.
    Always(i32),
    /// Determined by pid and location.
    LocalConstant(Arc<LocalConstant>),
}

impl SlotValue {
    /// The value in a state, or in a record that starts at this offset; 0 if it is not stored.
    #[inline]
    pub fn read(&self, state: &[u8], start: usize) -> i32 {
        match self {
            SlotValue::At(at, stored) => stored.read(state, start + at),
            SlotValue::Always(value) => *value,
            SlotValue::LocalConstant(_) => 0,
        }
    }
}

impl VariableSlot {
    /// The value of a global variable.
    pub fn global(&self, now: &DecodedState) -> i32 {
        self.held.read(&now.bytes, 0)
    }

    /// The value of a local variable of a process.
    pub fn local(&self, now: &DecodedState, pid: usize) -> i32 {
        match &self.held {
            SlotValue::LocalConstant(known) => known.at(pid, now.location(pid)),
            _ => self.kept(now, pid),
        }
    }

    /// The stored value of a local variable; 0 for a local constant.
    pub fn kept(&self, now: &DecodedState, pid: usize) -> i32 {
        self.held.read(&now.bytes, now.records.processes[pid])
    }
}

/// All named variables in the states of a model.
#[derive(Clone, Debug)]
pub struct StateVariables {
    /// The global variables.
    pub globals: Vec<VariableSlot>,
    /// The variables of each proctype, parameters first.
    pub locals: Vec<Vec<VariableSlot>>,
    /// By channel declaration: the scalar types of a message.
    pub messages: Vec<Vec<Type>>,
}

/// A channel in a state.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChannelContents {
    /// The number of its declaration.
    pub declaration: usize,
    /// Its capacity; 0 for a rendezvous.
    pub capacity: usize,
    /// Its messages, oldest first.
    pub messages: Vec<Vec<i32>>,
}

impl DecodedState {
    /// The number of channels.
    pub fn channel_count(&self) -> usize {
        self.records.channels.len()
    }
}

impl Machine<'_> {
    /// All named variables.
    pub fn names(&self) -> StateVariables {
        let model = self.model;
        let processes = (0..model.processes.len()).map(|at| ProcessId(at as u32));
        let variables = model.globals.iter().chain(model.processes.iter().flat_map(|p| &p.locals));
        let fields = model.structs.iter().flat_map(|structure| &structure.fields);
        // In the order in which declarations of channels are numbered.
        let channels = variables.chain(fields).filter_map(|variable| match &variable.init {
            Init::Channel(channel) => Some(spelled_out(model, &channel.fields)),
            _ => None,
        });
        StateVariables {
            globals: self.global_slots(),
            locals: processes.map(|process| self.local_slots(process)).collect(),
            messages: channels.collect(),
        }
    }

    fn global_slots(&self) -> Vec<VariableSlot> {
        let StateLayout { globals, names, .. } = &self.layout;
        let mut found = Vec::new();
        for ((variable, &at), &name) in self.model.globals.iter().zip(globals).zip(names) {
            let before = found.len();
            self.add_slots(variable, "", at, &mut found);
            if let Some(first) = name {
                let own = found[before..].iter_mut().zip(first..);
                own.for_each(|(slot, number)| slot.held = SlotValue::Always(number));
            }
        }
        found
    }

    fn local_slots(&self, process: ProcessId) -> Vec<VariableSlot> {
        let variables = &self.model.process(process).locals;
        let places = &self.layout.processes[process.index()].locals;
        let mut found = Vec::new();
        for (number, (variable, &at)) in variables.iter().zip(places).enumerate() {
            let before = found.len();
            self.add_slots(variable, "", at, &mut found);
            if let Some(known) = self.local_constants().of(process, number) {
                found[before].held = SlotValue::LocalConstant(known.clone());
            }
        }
        found
    }

    fn add_slots(
        &self,
        variable: &Variable,
        prefix: &str,
        at: usize,
        found: &mut Vec<VariableSlot>,
    ) {
        let size = self.layout.size(variable.ty);
        for number in 0..variable.length.unwrap_or(1) as usize {
            let name = match variable.length {
                Some(_) => format!("{prefix}{}[{number}]", variable.name.name),
                None => format!("{prefix}{}", variable.name.name),
            };
            let at = at + number * size;
            match variable.ty {
                Type::Struct(id) => {
                    let places = &self.layout.structs[id.index()].fields;
                    for (field, place) in self.model.structs[id.index()].fields.iter().zip(places) {
                        self.add_slots(field, &format!("{name}."), at + place, found);
                    }
                }
                ty => {
                    let declares_channel = matches!(variable.init, Init::Channel(_));
                    let stored = self.layout.element(ty, variable.length);
                    let held = SlotValue::At(at, stored);
                    found.push(VariableSlot { name, ty, declares_channel, held });
                }
            }
        }
    }

    /// A channel, by number from 0. A variable holds the number plus one.
    pub fn channel(&self, now: &DecodedState, number: usize) -> ChannelContents {
        let ChannelRecord { declaration, capacity, .. } = now.records.channels[number];
        let length = now.channel_length(number);
        ChannelContents {
            declaration,
            capacity,
            messages: (0..length).map(|slot| self.load(now, number, slot)).collect(),
        }
    }

    /// Whether a channel, from 0, is a rendezvous.
    pub fn is_rendezvous(&self, now: &DecodedState, channel: usize) -> bool {
        channel < now.records.channels.len() && now.records.channels[channel].capacity == 0
    }

    /// The channels that a process declares, from 0.
    pub fn channels_of(&self, now: &DecodedState, pid: usize) -> Vec<usize> {
        let start = now.records.processes[pid];
        let end = now.records.processes.get(pid + 1).copied().unwrap_or(now.bytes.len());
        // The record of a permanent rendezvous is empty: the process after it may begin there.
        let own = |&channel: &usize| (start + 1..end).contains(&now.records.channels[channel].at);
        (0..now.records.channels.len()).filter(own).collect()
    }

    /// The value of an expression for a process. `None` when it has no value, or would start a
    /// process.
    pub fn value(&self, expr: &Expr, now: &DecodedState, pid: usize) -> Option<i32> {
        if expr.any(|part| matches!(part.kind, ExprKind::Run { .. })) {
            return None;
        }
        self.evaluate(expr, now, pid).ok()
    }

    /// A value as it is written in a model.
    pub fn written(&self, ty: Type, value: i32) -> String {
        match ty {
            Type::Mtype(set) => self.symbol(set, value),
            _ => value.to_string(),
        }
    }

    /// The symbolic constant with this value; the number when there is none.
    pub(super) fn symbol(&self, set: Option<MtypeId>, value: i32) -> String {
        let sets = &self.model.mtypes;
        let unnamed = || sets.iter().find(|set| set.name.is_none());
        let set = set.map_or_else(unnamed, |MtypeId(id)| sets.get(id as usize));
        let at = usize::try_from(value).ok().and_then(|value| value.checked_sub(1));
        let name = set.zip(at).and_then(|(set, at)| set.constants.get(at));
        name.map_or_else(|| value.to_string(), |name| name.to_string())
    }

    /// The number of fields in the messages of a channel.
    pub fn field_count(&self, now: &DecodedState, channel: usize) -> usize {
        self.channel_layout(now, channel).fields.len()
    }

    /// The type of a variable of a process; `None` for predefined variables such as `_pid`.
    pub fn type_of(&self, access: &Access, process: &Process) -> Option<Type> {
        let mut ty = self.model.variable(access.root, Some(process))?.ty;
        for field in &access.path {
            let Type::Struct(id) = ty else { return None };
            ty = self.model.structs[id.index()].fields[field.field as usize].ty;
        }
        Some(ty)
    }
}

/// The scalar types of a message.
fn spelled_out(model: &Model, fields: &[Type]) -> Vec<Type> {
    let mut all = Vec::new();
    for &field in fields {
        match field {
            Type::Struct(id) => {
                for inner in &model.structs[id.index()].fields {
                    let one = spelled_out(model, &[inner.ty]);
                    (0..inner.length.unwrap_or(1)).for_each(|_| all.extend(&one));
                }
            }
            ty => all.push(ty),
        }
    }
    all
}
