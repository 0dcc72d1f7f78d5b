//! States as people see them: variables by name, and what changed.
//!
//! Only what differs is put into words, since a trail can have very many states.

use beeline_engine::layout::{CHANNEL_HEADER, Layout, PROCESS_HEADER, Scalar, scalar};
use beeline_promela::hir::{Init, Model, MtypeId, Type, Variable};

/// A value that changed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Change {
    /// What: `x`, `a[2].f`, `Proctype(pid):x` or a channel.
    pub name: String,
    /// What it was; `None` for something new.
    pub before: Option<String>,
    /// What it is.
    pub after: String,
}

/// A single value somewhere in a record.
#[derive(Clone, Debug)]
pub(crate) struct Leaf {
    pub(crate) name: String,
    at: usize,
    ty: Type,
    /// The variable came with a channel of its own.
    declares_channel: bool,
}

impl Leaf {
    pub(crate) fn read(&self, bytes: &[u8], record: usize) -> i32 {
        scalar(self.ty).read(bytes, record + self.at)
    }
}

/// A record of a state: where it is, and what it is an instance of.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Record {
    pub(crate) at: usize,
    pub(crate) kind: usize,
}

/// Reads the states of a model.
pub(crate) struct View<'m> {
    model: &'m Model,
    layout: Layout,
    globals: Vec<Leaf>,
    /// By proctype.
    locals: Vec<Vec<Leaf>>,
    /// By channel declaration, in the order of the layout.
    fields: Vec<Vec<Type>>,
}

impl<'m> View<'m> {
    pub(crate) fn new(model: &'m Model) -> View<'m> {
        let mut layout = Layout::new(model);
        let mut fields = Vec::new();
        // Declarations are numbered in this order: globals, locals, fields.
        let locals = model.processes.iter().flat_map(|process| &process.locals);
        let inner = model.structs.iter().flat_map(|structure| &structure.fields);
        for variable in model.globals.iter().chain(locals).chain(inner) {
            if let Init::Channel(channel) = &variable.init {
                layout.channel(model, variable);
                fields.push(flatten(model, &channel.fields));
            }
        }
        let mut view = View { model, layout, globals: Vec::new(), locals: Vec::new(), fields };
        view.globals = view.leaves(&model.globals, &view.layout.globals);
        let processes = model.processes.iter().zip(&view.layout.processes);
        view.locals = processes.map(|(p, layout)| view.leaves(&p.locals, &layout.locals)).collect();
        view
    }

    fn leaves(&self, variables: &[Variable], places: &[usize]) -> Vec<Leaf> {
        let mut found = Vec::new();
        for (variable, &at) in variables.iter().zip(places) {
            self.add_leaves(variable, "", at, &mut found);
        }
        found
    }

    fn add_leaves(&self, variable: &Variable, prefix: &str, at: usize, found: &mut Vec<Leaf>) {
        let size = self.layout.size(variable.ty);
        for element in 0..variable.length.unwrap_or(1) as usize {
            let name = match variable.length {
                Some(_) => format!("{prefix}{}[{element}]", variable.name.name),
                None => format!("{prefix}{}", variable.name.name),
            };
            let at = at + element * size;
            match variable.ty {
                Type::Struct(id) => {
                    let places = &self.layout.structs[id.index()].fields;
                    for (field, place) in self.model.structs[id.index()].fields.iter().zip(places) {
                        self.add_leaves(field, &format!("{name}."), at + place, found);
                    }
                }
                ty => {
                    let declares_channel = matches!(variable.init, Init::Channel(_));
                    found.push(Leaf { name, at, ty, declares_channel });
                }
            }
        }
    }

    /// The processes and the channels of a state.
    fn records(&self, bytes: &[u8]) -> (Vec<Record>, Vec<Record>) {
        let (mut processes, mut channels) = (Vec::new(), Vec::new());
        let mut at = self.layout.fixed;
        while at < bytes.len() {
            let kind = usize::from(u16::from_le_bytes([bytes[at + 1], bytes[at + 2]]));
            let record = Record { at, kind };
            if bytes[at] == 0 {
                processes.push(record);
                at += self.layout.processes[kind].size.max(PROCESS_HEADER);
            } else {
                channels.push(record);
                at += self.layout.channels[kind].size();
            }
        }
        (processes, channels)
    }

    /// The global variables.
    pub(crate) fn globals(&self) -> &[Leaf] {
        &self.globals
    }

    /// The variables of a process, and where it is in the state.
    pub(crate) fn locals(&self, bytes: &[u8], pid: usize) -> Option<(&[Leaf], Record)> {
        let record = *self.records(bytes).0.get(pid)?;
        Some((&self.locals[record.kind], record))
    }

    /// A value as it is written in a model.
    pub(crate) fn shown(&self, leaf: &Leaf, value: i32) -> String {
        shown(self.model, leaf.ty, value)
    }

    /// What differs between a state and a later one.
    pub(crate) fn changes(&self, before: &[u8], after: &[u8]) -> Vec<Change> {
        let mut found = Vec::new();
        for leaf in &self.globals {
            self.compare(leaf, (before, 0), (after, 0), "", &mut found);
        }
        let (old_processes, old_channels) = self.records(before);
        let (new_processes, new_channels) = self.records(after);
        for (pid, record) in new_processes.iter().enumerate() {
            let old = old_processes.get(pid).filter(|old| old.kind == record.kind);
            let prefix = format!("{}({pid}):", self.model.processes[record.kind].name.name);
            for leaf in &self.locals[record.kind] {
                match old {
                    Some(old) => {
                        self.compare(
                            leaf,
                            (before, old.at),
                            (after, record.at),
                            &prefix,
                            &mut found,
                        );
                    }
                    None => self.introduce(leaf, after, record.at, &prefix, &mut found),
                }
            }
        }
        for (number, record) in new_channels.iter().enumerate() {
            let new = self.contents(after, *record);
            let old = old_channels.get(number).filter(|old| old.kind == record.kind);
            let old = old.map(|old| self.contents(before, *old));
            let quiet = old.is_none() && new == "[]";
            if old.as_ref() != Some(&new) && !quiet {
                let name = self.channel_name(after, number, &new_processes);
                found.push(Change { name, before: old, after: new });
            }
        }
        found
    }

    fn compare(
        &self,
        leaf: &Leaf,
        (before, old_record): (&[u8], usize),
        (after, new_record): (&[u8], usize),
        prefix: &str,
        found: &mut Vec<Change>,
    ) {
        let (old, new) = (leaf.read(before, old_record), leaf.read(after, new_record));
        if old != new {
            found.push(Change {
                name: format!("{prefix}{}", leaf.name),
                before: Some(self.shown(leaf, old)),
                after: self.shown(leaf, new),
            });
        }
    }

    /// A variable of a new process, unless it is zero as one would expect.
    fn introduce(
        &self,
        leaf: &Leaf,
        after: &[u8],
        record: usize,
        prefix: &str,
        found: &mut Vec<Change>,
    ) {
        let value = leaf.read(after, record);
        if value != 0 && !leaf.declares_channel {
            let name = format!("{prefix}{}", leaf.name);
            found.push(Change { name, before: None, after: self.shown(leaf, value) });
        }
    }

    /// Everything in a state, by name.
    pub(crate) fn all(&self, bytes: &[u8]) -> Vec<(String, String)> {
        let (processes, channels) = self.records(bytes);
        let mut found = Vec::new();
        let mut add = |leaf: &Leaf, record: usize, prefix: &str| {
            if leaf.ty != Type::Chan {
                let value = self.shown(leaf, leaf.read(bytes, record));
                found.push((format!("{prefix}{}", leaf.name), value));
            }
        };
        self.globals.iter().for_each(|leaf| add(leaf, 0, ""));
        for (pid, record) in processes.iter().enumerate() {
            let prefix = format!("{}({pid}):", self.model.processes[record.kind].name.name);
            self.locals[record.kind].iter().for_each(|leaf| add(leaf, record.at, &prefix));
        }
        for (number, record) in channels.iter().enumerate() {
            if self.layout.channels[record.kind].capacity > 0 {
                let name = self.channel_name(bytes, number, &processes);
                found.push((name, self.contents(bytes, *record)));
            }
        }
        found
    }

    /// The messages of a channel.
    fn contents(&self, bytes: &[u8], record: Record) -> String {
        let layout = &self.layout.channels[record.kind];
        let length = usize::from(bytes[record.at + CHANNEL_HEADER - 1]);
        let mut at = record.at + CHANNEL_HEADER;
        let mut messages = Vec::new();
        // A rendezvous channel keeps nothing.
        for _ in 0..length.min(layout.capacity) {
            let mut values = Vec::new();
            for (field, &ty) in layout.fields.iter().zip(&self.fields[record.kind]) {
                values.push(shown(self.model, ty, Scalar::read(*field, bytes, at)));
                at += field.size();
            }
            messages.push(match &values[..] {
                [one] => one.clone(),
                _ => format!("({})", values.join(", ")),
            });
        }
        format!("[{}]", messages.join(", "))
    }

    /// The name of the variable that a channel was declared with, or of one that
    /// holds it, or just its number.
    fn channel_name(&self, bytes: &[u8], number: usize, processes: &[Record]) -> String {
        let holds = |leaf: &Leaf, record: usize| {
            leaf.ty == Type::Chan && leaf.read(bytes, record) == number as i32 + 1
        };
        for declared in [true, false] {
            let fits =
                |leaf: &Leaf, record| holds(leaf, record) && leaf.declares_channel >= declared;
            if let Some(leaf) = self.globals.iter().find(|leaf| fits(leaf, 0)) {
                return leaf.name.clone();
            }
            for (pid, record) in processes.iter().enumerate() {
                let found = self.locals[record.kind].iter().find(|leaf| fits(leaf, record.at));
                if let Some(leaf) = found {
                    let process = &self.model.processes[record.kind].name.name;
                    return format!("{process}({pid}):{}", leaf.name);
                }
            }
        }
        format!("channel {}", number + 1)
    }
}

/// The types of the values that a message consists of.
fn flatten(model: &Model, fields: &[Type]) -> Vec<Type> {
    let mut all = Vec::new();
    for &field in fields {
        match field {
            Type::Struct(id) => {
                for inner in &model.structs[id.index()].fields {
                    let one = flatten(model, &[inner.ty]);
                    (0..inner.length.unwrap_or(1)).for_each(|_| all.extend(&one));
                }
            }
            ty => all.push(ty),
        }
    }
    all
}

fn shown(model: &Model, ty: Type, value: i32) -> String {
    let Type::Mtype(set) = ty else {
        return value.to_string();
    };
    let unnamed = || model.mtypes.iter().find(|set| set.name.is_none());
    let set = set.map_or_else(unnamed, |MtypeId(id)| model.mtypes.get(id as usize));
    let at = usize::try_from(value - 1).ok();
    let name = set.zip(at).and_then(|(set, at)| set.constants.get(at));
    name.map_or_else(|| value.to_string(), |name| name.to_string())
}
