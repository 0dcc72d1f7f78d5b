//! Declarations of channels: global, local, or as a field of a structure.

use beeline_promela::hir::{Init, Model, Variable};

/// The declaration of a channel.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Declaration {
    /// As a global variable.
    Global(usize),
    /// In a process, as this local variable.
    Local(usize, usize),
    /// In a structure, as this field.
    Field(usize, usize),
}

/// The variables that are declared with channels.
pub(crate) fn declared(model: &Model) -> impl Iterator<Item = (Declaration, &Variable)> {
    let globals = model.globals.iter().enumerate().map(|(at, v)| (Declaration::Global(at), v));
    let locals = model.processes.iter().enumerate().flat_map(|(process, p)| {
        p.locals.iter().enumerate().map(move |(at, v)| (Declaration::Local(process, at), v))
    });
    let fields = model.structs.iter().enumerate().flat_map(|(structure, s)| {
        s.fields.iter().enumerate().map(move |(at, v)| (Declaration::Field(structure, at), v))
    });
    let all = globals.chain(locals).chain(fields);
    all.filter(|(_, variable)| matches!(variable.init, Init::Channel(_)))
}
