//! What is there in every state of a model, so that no state has to say so.
//!
//! Channels that are declared globally are never gone. Nor are the processes that are active
//! from the beginning and never end, up to the first one that may end, or that has channels of
//! its own: those come between it and the next one.

use beeline_promela::hir::{ExprKind, Init, Model, ProcessId, Type, Variable};

use crate::automata::{Action, Automaton, Edge};
use crate::layout::Declaration;

/// What is there in every state.
#[derive(Clone, Debug)]
pub(crate) struct Standing {
    /// The channels, in the order of their numbers.
    pub(crate) channels: Vec<Declaration>,
    /// The processes, in the order of their numbers.
    pub(crate) processes: Vec<ProcessId>,
    /// There is no other channel, nor ever will be.
    pub(crate) all_channels: bool,
    /// There is no other process, nor ever will be.
    pub(crate) all_processes: bool,
}

impl Standing {
    /// Finds it, where so many processes may run at once. There is an automaton for each
    /// process type.
    pub(crate) fn of(model: &Model, automata: &[Automaton], most: usize) -> Standing {
        let mut channels = Vec::new();
        for (at, variable) in model.globals.iter().enumerate() {
            add_channels(model, variable, Declaration::Global(at), &mut channels);
        }
        let has_channels = |process: usize| {
            let mut own = Vec::new();
            for (at, variable) in model.processes[process].locals.iter().enumerate() {
                add_channels(model, variable, Declaration::Local(process, at), &mut own);
            }
            !own.is_empty()
        };
        let types = 0..model.processes.len();
        let active = types.clone().flat_map(|process| {
            let count = model.processes[process].active as usize;
            std::iter::repeat_n(process, count)
        });
        let active: Vec<usize> = active.take(most).collect();
        let stands = |&&process: &&usize| !may_end(&automata[process]) && !has_channels(process);
        let processes: Vec<ProcessId> =
            active.iter().take_while(stands).map(|&process| ProcessId(process as u32)).collect();
        Standing {
            all_channels: !types.into_iter().any(has_channels),
            all_processes: processes.len() == active.len() && !automata.iter().any(starts_any),
            channels,
            processes,
        }
    }
}

/// Adds the channels that come with a variable, in the order in which they are made.
fn add_channels(
    model: &Model,
    variable: &Variable,
    declaration: Declaration,
    found: &mut Vec<Declaration>,
) {
    for _ in 0..variable.length.unwrap_or(1) {
        match (variable.ty, &variable.init) {
            (Type::Struct(id), _) => {
                for (at, field) in model.structs[id.index()].fields.iter().enumerate() {
                    add_channels(model, field, Declaration::Field(id.index(), at), found);
                }
            }
            (_, Init::Channel(_)) => found.push(declaration),
            _ => {}
        }
    }
}

fn edges(automaton: &Automaton) -> impl Iterator<Item = &Edge> {
    let inside = automaton.d_steps.iter().flat_map(|inside| &inside.edges);
    automaton.edges.iter().chain(inside)
}

fn may_end(automaton: &Automaton) -> bool {
    let mut steps = edges(automaton).flat_map(|edge| &edge.steps);
    steps.any(|step| matches!(step.action, Action::End))
}

/// Whether a process of this type may start another one.
fn starts_any(automaton: &Automaton) -> bool {
    let mut starts = false;
    for step in edges(automaton).flat_map(|edge| &edge.steps) {
        step.action.visit(&mut |expr| starts |= matches!(expr.kind, ExprKind::Run { .. }));
    }
    starts
}
