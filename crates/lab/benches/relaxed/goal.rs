//! The goal in a model without a known error: the last new fact of breadth-first search.
//!
//! All states are visited in breadth-first order, up to a limit. The last new combination is the
//! goal: two processes at labels of the same name at once, as in a critical section; if there is no
//! such pair, two processes at any labels; if there is none either, a single *fact*, which is that
//! a global variable has some value, or that a process is at some label. The rule is the same for
//! all models, and the goals are far away.

use std::collections::{BTreeMap, HashSet, VecDeque};
use std::path::Path;

use beeline_engine::automata::AutomataOptions;
use beeline_engine::interpreter::{Machine, VariableSlot};
use beeline_kernel::{Expansion, Space};
use beeline_promela::hir::{Model, ProcessId, Type};
use beeline_testkit::model;

/// The limit of visited states.
pub(crate) const LOOKED_AT: usize = 200_000;
/// A fact of one of this number of first states is no goal.
pub(crate) const NEAR: usize = 100;

/// A fact about a state.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Fact {
    /// A global variable, by number, has this value.
    Value(usize, i32),
    /// This process, of this proctype, is at this location.
    At(usize, usize, u32),
}

/// The last new facts, and the number of states visited until then.
type Last = Option<(Vec<Fact>, usize)>;

/// The facts so far.
#[derive(Default)]
struct Seen {
    facts: HashSet<Fact>,
    pairs: HashSet<(Fact, Fact)>,
    fact: Last,
    pair: Last,
    /// A pair at labels of the same name.
    alike: Last,
}

impl Seen {
    /// Records new facts of a state: its values, and its locations with their labels.
    fn look(&mut self, values: &[Fact], places: &[(Fact, Option<&str>)], looked_at: usize) {
        let values = values.iter().map(|&value| (value, true));
        let all = values.chain(places.iter().map(|(place, label)| (*place, label.is_some())));
        for (fact, can_be_said) in all {
            if self.facts.insert(fact) && can_be_said {
                self.fact = Some((vec![fact], looked_at));
            }
        }
        for (at, &(other, label)) in places.iter().enumerate() {
            for &(one, own_label) in &places[..at] {
                let are_labelled = label.is_some() && own_label.is_some();
                if are_labelled && self.pairs.insert((one, other)) {
                    self.pair = Some((vec![one, other], looked_at));
                    if label == own_label {
                        self.alike = self.pair.clone();
                    }
                }
            }
        }
    }

    fn last(self) -> Last {
        self.alike.or(self.pair).or(self.fact)
    }
}

/// A model, with the data for facts about its states.
struct Watched<'a> {
    machine: Machine<'a>,
    hir: &'a Model,
    variables: Vec<VariableSlot>,
    /// By proctype: the labels of locations.
    labels: Vec<BTreeMap<u32, &'a str>>,
}

impl<'a> Watched<'a> {
    fn new(hir: &'a Model) -> Self {
        let machine = Machine::new(hir, AutomataOptions::PLAIN);
        let is_plain = |slot: &&VariableSlot| !matches!(slot.ty, Type::Chan | Type::Struct(_));
        let variables = machine.names().globals.iter().filter(is_plain).cloned().collect();
        let labels_of = |process: usize| {
            let places = &machine.automaton(ProcessId(process as u32)).labels;
            let mut labels = BTreeMap::new();
            for (label, at) in hir.processes[process].labels.iter().zip(places) {
                labels.entry(at.0).or_insert(&*label.name.name);
            }
            labels
        };
        let labels = (0..hir.processes.len()).map(labels_of).collect();
        Watched { hir, variables, labels, machine }
    }

    fn look(&self, state: &[u8], seen: &mut Seen, looked_at: usize) {
        let now = self.machine.decode(state);
        let values = self.variables.iter().enumerate();
        let values: Vec<Fact> =
            values.map(|(at, slot)| Fact::Value(at, slot.global(&now))).collect();
        let places = (0..now.process_count()).map(|pid| {
            let (process, location) = (now.process(pid).index(), now.location(pid).0);
            let label = self.labels[process].get(&location).copied();
            (Fact::At(pid, process, location), label)
        });
        seen.look(&values, &places.collect::<Vec<_>>(), looked_at);
    }

    /// Visits states in breadth-first order; `None` if there is no initial state.
    fn visit(&self) -> Last {
        let mut initial = Vec::new();
        Space::initial(&self.machine, &mut initial).ok()?;
        let mut known = HashSet::from([initial.clone()]);
        let mut queue = VecDeque::from([initial]);
        let (mut seen, mut looked_at) = (Seen::default(), 0);
        let mut expansion = Expansion::default();
        while let Some(state) = queue.pop_front() {
            looked_at += 1;
            self.look(&state, &mut seen, looked_at);
            Space::expand(&self.machine, &state, &mut expansion);
            for next in expansion.states() {
                if known.len() < LOOKED_AT && !known.contains(next) {
                    known.insert(next.to_vec());
                    queue.push_back(next.to_vec());
                }
            }
        }
        seen.last()
    }

    fn text(&self, fact: Fact) -> String {
        match fact {
            Fact::Value(at, value) => format!("{} == {value}", self.variables[at].name),
            Fact::At(pid, process, location) => {
                let name = &self.hir.processes[process].name.name;
                format!("{name}[{pid}]@{}", self.labels[process][&location])
            }
        }
    }
}

/// The last new facts, as a condition; `None` if they are near, or if there is no initial state.
pub(crate) fn last_reached(file: &Path) -> Option<String> {
    let front = model::read(file).ok()?;
    let watched = Watched::new(&front.hir);
    let (facts, _) = watched.visit().filter(|(_, found_at)| *found_at > NEAR)?;
    let facts: Vec<String> = facts.into_iter().map(|fact| watched.text(fact)).collect();
    Some(facts.join(" && "))
}
