//! Permanent records: processes and channels that exist in every state of a model, so that no state
//! stores their tags.
//!
//! Global channels always exist. So do the processes that are active from the start and never end,
//! up to the first one that may end or has channels of its own, since channels follow the record of
//! their process.

use beeline_promela::hir::{ExprKind, Init, Model, ProcessId, Type, Variable};

use crate::automata::{Automaton, EdgeAction};
use crate::declaration::Declaration;

/// The records of every state.
#[derive(Clone, Debug)]
pub(crate) struct PermanentRecords {
    /// The channels, in the order of their numbers.
    pub(crate) channels: Vec<Declaration>,
    /// The processes, in the order of their numbers.
    pub(crate) processes: Vec<ProcessId>,
    /// Whether no other channel can exist.
    pub(crate) all_channels: bool,
    /// Whether no other process can exist.
    pub(crate) all_processes: bool,
}

impl PermanentRecords {
    /// Finds the permanent records, with at most this many processes. There is an automaton for
    /// each process type.
    pub(crate) fn of(model: &Model, automata: &[Automaton], most: usize) -> PermanentRecords {
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
        PermanentRecords {
            all_channels: !types.into_iter().any(has_channels),
            all_processes: processes.len() == active.len() && !automata.iter().any(starts_any),
            channels,
            processes,
        }
    }
}

/// Adds the channels of a variable, in order of creation.
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

fn may_end(automaton: &Automaton) -> bool {
    let mut steps = automaton.all_edges().flat_map(|edge| &edge.steps);
    steps.any(|step| matches!(step.action, EdgeAction::End))
}

/// Whether a process of this type may start another one.
fn starts_any(automaton: &Automaton) -> bool {
    let mut starts = false;
    for step in automaton.all_edges().flat_map(|edge| &edge.steps) {
        step.action.visit(&mut |expr| starts |= matches!(expr.kind, ExprKind::Run { .. }));
    }
    starts
}

#[cfg(test)]
mod tests {
    use beeline_promela::preprocess::{NoIncludes, PreprocessOptions};

    use super::*;
    use crate::automata;
    use crate::interpreter::Machine;

    fn check<T>(text: &str, look: impl Fn(&Machine<'_>, PermanentRecords) -> T) -> T {
        let front = beeline_promela::read(
            "model.pml",
            text,
            &mut NoIncludes,
            &PreprocessOptions::default(),
        );
        assert!(!front.diagnostics.has_errors(), "{text}");
        let automata = automata::build(&front.hir, automata::AutomataOptions::PLAIN);
        let machine = Machine::new(&front.hir, automata::AutomataOptions::PLAIN);
        look(&machine, PermanentRecords::of(&front.hir, &automata, 255))
    }

    /// The numbers of permanent channels and processes, and whether these are all.
    fn counts(text: &str) -> (usize, usize, bool, bool) {
        check(text, |_, permanent| {
            let PermanentRecords { channels, processes, all_channels, all_processes } = permanent;
            (channels.len(), processes.len(), all_channels, all_processes)
        })
    }

    #[test]
    fn whoever_may_end_and_all_behind_do_not_stand() {
        let ever = "active [2] proctype a() { do :: skip od }";
        assert_eq!(counts(ever), (0, 2, true, true));
        assert_eq!(counts(&format!("{ever} active proctype b() {{ skip }}")), (0, 2, true, false));
        assert_eq!(counts(&format!("active proctype b() {{ skip }} {ever}")), (0, 0, true, false));
        let runs = format!("{ever} proctype b() {{ skip }} init {{ do :: run b() od }}");
        assert_eq!(counts(&runs), (0, 3, true, false));
        let own =
            format!("{ever} active proctype b() {{ chan c = [1] of {{ byte }}; do :: c!1 od }}");
        assert_eq!(counts(&own), (0, 2, false, false));
    }

    #[test]
    fn global_channels_stand_in_the_order_of_their_numbers() {
        let text = "typedef pair { byte n; chan c[2] = [1] of { byte } }; \
            chan q = [0] of { byte }; pair p[2]; chan r = [3] of { short }; chan none; \
            active proctype a() { byte x; do :: q!1 :: r?x :: p[1].c[0]!2 :: none = q od }";
        check(text, |machine, permanent| {
            let kinds = [&[Declaration::Global(0)][..], &[Declaration::Field(0, 1); 4]].concat();
            assert_eq!(permanent.channels, [&kinds[..], &[Declaration::Global(2)]].concat());
            let layout = machine.layout();
            // Only variables that are declared with channels, and never assigned to, are names.
            assert_eq!(layout.names, [Some(1), None, Some(6), None]);
            // One byte for the header, three for each pair, and one for `none`.
            assert_eq!(layout.variables, 1 + 2 * 3 + 1);
            // Nothing for a rendezvous; a length and a message; a location and a variable.
            assert_eq!(layout.fixed - layout.variables, 4 * 2 + (1 + 3 * 2) + 2);
            let now = machine.initial().expect("it begins");
            assert_eq!((now.bytes.len(), now.channel_count()), (layout.fixed, 6));
            let names = machine.names().globals;
            let held: Vec<i32> = names.iter().map(|slot| slot.global(&now)).collect();
            assert_eq!(held, [1, 0, 2, 3, 0, 4, 5, 6, 0]);
        });
    }
}
