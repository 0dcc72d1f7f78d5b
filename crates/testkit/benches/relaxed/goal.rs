//! What is looked for in a model without an error: what breadth-first search sees last.
//!
//! A *fact* is that a global variable has some value, or that a process is at some label. All
//! states are visited in breadth-first order, up to a number of them; the fact that is new last is
//! the goal. The same for all models, and far away in each.

use std::collections::{HashSet, VecDeque};
use std::path::Path;

use beeline_engine::automata::Options;
use beeline_engine::interpreter::Machine;
use beeline_kernel::{Expansion, Space};
use beeline_promela::hir::{ProcessId, Type};
use beeline_testkit::model;

/// How many states are looked at.
pub(crate) const LOOKED_AT: usize = 200_000;
/// A goal that is among so many first states is no goal.
pub(crate) const NEAR: usize = 100;

/// Something that is true in some states.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Fact {
    /// A global variable, by number, has this value.
    Value(usize, i32),
    /// This process, of this proctype, is at this location.
    At(usize, usize, u32),
}

/// The fact that is new last, as a condition; none if it is near, or if the model does not begin.
pub(crate) fn last_reached(file: &Path) -> Option<String> {
    let front = model::read(file).ok()?;
    let machine = Machine::new(&front.hir, Options::PLAIN);
    let names = machine.names();
    let is_plain = |ty| !matches!(ty, Type::Chan | Type::Struct(_));
    let variables: Vec<_> = names.globals.iter().filter(|slot| is_plain(slot.ty)).collect();
    let label_at = |process: usize, location: u32| {
        let automaton = machine.automaton(ProcessId(process as u32));
        let labels = front.hir.processes[process].labels.iter();
        let mut at = labels.zip(&automaton.labels).filter(|(_, at)| at.0 == location);
        at.next().map(|(label, _)| label.name.name.to_string())
    };
    let mut initial = Vec::new();
    Space::initial(&machine, &mut initial).ok()?;
    let mut seen = HashSet::from([initial.clone()]);
    let (mut queue, mut facts) = (VecDeque::from([initial]), HashSet::new());
    let (mut last, mut looked_at, mut found_at) = (None, 0, 0);
    let mut expansion = Expansion::default();
    while let Some(state) = queue.pop_front() {
        looked_at += 1;
        let now = machine.open(&state);
        let values = variables.iter().enumerate();
        let values = values.map(|(at, slot)| Fact::Value(at, slot.global(&now)));
        let places = (0..now.process_count())
            .map(|pid| Fact::At(pid, now.process(pid).index(), now.location(pid).0));
        for fact in values.chain(places) {
            let can_be_said = || match fact {
                Fact::Value(..) => true,
                Fact::At(_, process, location) => label_at(process, location).is_some(),
            };
            if facts.insert(fact) && can_be_said() {
                (last, found_at) = (Some(fact), looked_at);
            }
        }
        Space::expand(&machine, &state, &mut expansion);
        for next in expansion.states() {
            if seen.len() < LOOKED_AT && !seen.contains(next) {
                seen.insert(next.to_vec());
                queue.push_back(next.to_vec());
            }
        }
    }
    Some(match last.filter(|_| found_at > NEAR)? {
        Fact::Value(at, value) => format!("{} == {value}", variables[at].name),
        Fact::At(pid, process, location) => {
            let name = &front.hir.processes[process].name.name;
            format!("{name}[{pid}]@{}", label_at(process, location)?)
        }
    })
}
