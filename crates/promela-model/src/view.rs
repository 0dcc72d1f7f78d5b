//! Presentation of states: variables by name, and changes.
//!
//! Only changed values become text, since a trail can have very many states.

use beeline_engine::interpreter::{DecodedState, Machine, StateVariables, VariableSlot};
use beeline_model::ValueChange;
use beeline_promela::hir::Type;

/// A global variable, or a variable of a process.
#[derive(Clone, Copy)]
struct Owned<'a> {
    slot: &'a VariableSlot,
    pid: Option<usize>,
}

impl Owned<'_> {
    fn read(self, now: &DecodedState) -> i32 {
        match self.pid {
            Some(pid) => self.slot.local(now, pid),
            None => self.slot.global(now),
        }
    }
}

/// Reads the states of a model.
pub(crate) struct View<'m> {
    machine: Machine<'m>,
    names: StateVariables,
}

impl<'m> View<'m> {
    pub(crate) fn new(machine: Machine<'m>) -> View<'m> {
        let names = machine.names();
        View { machine, names }
    }

    pub(crate) fn machine(&self) -> &Machine<'m> {
        &self.machine
    }

    pub(crate) fn names(&self) -> &StateVariables {
        &self.names
    }

    /// Every variable of a state: global ones, then those of each process.
    fn variables<'a>(&'a self, now: &'a DecodedState) -> impl Iterator<Item = Owned<'a>> {
        let globals = self.names.globals.iter().map(|slot| Owned { slot, pid: None });
        globals.chain((0..now.process_count()).flat_map(move |pid| {
            let slots = &self.names.locals[now.process(pid).index()];
            slots.iter().map(move |slot| Owned { slot, pid: Some(pid) })
        }))
    }

    /// `x`, or `Proctype(pid):x`.
    fn name(&self, variable: Owned<'_>, now: &DecodedState) -> String {
        let name = &variable.slot.name;
        match variable.pid {
            Some(pid) => {
                let process = &self.machine.model().process(now.process(pid)).name.name;
                format!("{process}({pid}):{name}")
            }
            None => name.clone(),
        }
    }

    /// The changes from a state to a later one.
    pub(crate) fn changes(&self, before: &DecodedState, after: &DecodedState) -> Vec<ValueChange> {
        let mut found = Vec::new();
        let lived = |pid| pid < before.process_count() && before.process(pid) == after.process(pid);
        for variable in self.variables(after) {
            let Owned { slot, pid } = variable;
            let new = variable.read(after);
            let old = pid.is_none_or(lived).then(|| variable.read(before));
            // The variables of a new process are shown only if they are not zero.
            let expected = old.unwrap_or(if slot.declares_channel { new } else { 0 });
            if new != expected {
                found.push(ValueChange {
                    name: self.name(variable, after),
                    before: old.map(|old| self.machine.written(slot.ty, old)),
                    after: self.machine.written(slot.ty, new),
                    is_channel: false,
                });
            }
        }
        for number in 0..after.channel_count() {
            let new = self.machine.channel(after, number);
            let old = (number < before.channel_count())
                .then(|| self.machine.channel(before, number))
                .filter(|old| old.declaration == new.declaration);
            let stays = match &old {
                Some(old) => old.messages == new.messages,
                None => new.messages.is_empty(),
            };
            if !stays {
                found.push(ValueChange {
                    name: self.channel_name(after, number),
                    before: old.map(|_| self.contents(before, number)),
                    after: self.contents(after, number),
                    is_channel: true,
                });
            }
        }
        found
    }

    /// All values of a state, by name.
    pub(crate) fn all(&self, now: &DecodedState) -> Vec<(String, String)> {
        let variables = self.variables(now).filter(|variable| variable.slot.ty != Type::Chan);
        let value = |variable: Owned<'_>| {
            let value = self.machine.written(variable.slot.ty, variable.read(now));
            (self.name(variable, now), value)
        };
        let mut found: Vec<_> = variables.map(value).collect();
        for number in 0..now.channel_count() {
            if self.machine.channel(now, number).capacity > 0 {
                found.push((self.channel_name(now, number), self.contents(now, number)));
            }
        }
        found
    }

    /// The changed values between two states with the same names; `None` when names may differ.
    pub(crate) fn same_names(
        &self,
        before: &DecodedState,
        after: &DecodedState,
    ) -> Option<Vec<(String, String)>> {
        let processes = after.process_count();
        let same = before.process_count() == processes
            && before.channel_count() == after.channel_count()
            && (0..processes).all(|pid| before.process(pid) == after.process(pid));
        let is_channel = |variable: Owned<'_>| variable.slot.ty == Type::Chan;
        // The name of a channel may be that of the variable that holds it.
        let renamed = |variable: Owned<'_>| {
            is_channel(variable) && variable.read(before) != variable.read(after)
        };
        if !same || self.variables(after).any(renamed) {
            return None;
        }
        let changed = self.variables(after).filter(|variable| {
            !is_channel(*variable) && variable.read(before) != variable.read(after)
        });
        let mut found: Vec<_> = changed
            .map(|variable| {
                let value = self.machine.written(variable.slot.ty, variable.read(after));
                (self.name(variable, after), value)
            })
            .collect();
        for number in 0..after.channel_count() {
            if self.machine.channel(before, number) != self.machine.channel(after, number) {
                found.push((self.channel_name(after, number), self.contents(after, number)));
            }
        }
        Some(found)
    }

    /// The messages of a channel.
    pub(crate) fn contents(&self, now: &DecodedState, number: usize) -> String {
        let channel = self.machine.channel(now, number);
        let messages = channel.messages.iter().map(|message| self.message(now, number, message));
        format!("[{}]", messages.collect::<Vec<_>>().join(", "))
    }

    /// A message of a channel: `7`, or `(green, 7)`.
    pub(crate) fn message(&self, now: &DecodedState, channel: usize, message: &[i32]) -> String {
        let types = &self.names.messages[self.machine.channel(now, channel).declaration];
        let values = message.iter().zip(types);
        let values: Vec<_> = values.map(|(&value, &ty)| self.machine.written(ty, value)).collect();
        match &values[..] {
            [one] => one.clone(),
            _ => format!("({})", values.join(", ")),
        }
    }

    /// The name of the variable that a channel was declared with, or of one that holds it, or else
    /// its number.
    pub(crate) fn channel_name(&self, now: &DecodedState, number: usize) -> String {
        let holds = |variable: &Owned<'_>| {
            variable.slot.ty == Type::Chan && variable.read(now) == number as i32 + 1
        };
        let declares = |variable: &Owned<'_>| variable.slot.declares_channel && holds(variable);
        let holder = self.variables(now).find(declares);
        let holder = holder.or_else(|| self.variables(now).find(holds));
        match holder {
            Some(variable) => self.name(variable, now),
            None => format!("channel {}", number + 1),
        }
    }

    /// For each channel, whether the variable that holds it was declared with a channel.
    pub(crate) fn shown_channels(&self, now: &DecodedState) -> Vec<bool> {
        let mut shown = vec![false; now.channel_count()];
        for variable in self.variables(now).filter(|variable| variable.slot.declares_channel) {
            let number = usize::try_from(variable.read(now)).ok().and_then(|at| at.checked_sub(1));
            if let Some(shown) = number.and_then(|number| shown.get_mut(number)) {
                *shown = true;
            }
        }
        shown
    }
}
