//! Stubborn sets, state by state, with a cache for states with the same control signature.
//! `closure.rs` computes the sets.

use std::collections::BTreeSet;

use beeline_engine::automata::{Edge, Location};
use beeline_engine::frame::{EXCLUSIVE, RecordKind};
use beeline_kernel::{CandidateSets, FaultKind, Reducer, Transition};
use beeline_promela::hir::ProcessId;

use super::closure::{Closure, ClosureInput, StubbornSet};
use super::control_signature::ControlSignature;
use super::edge_set::{Edges, bits, edges_of, has};
use super::footprint_context::FootprintContext;
use super::independence::Independence;
use super::instance::{Instance, edges_from};
use super::instance_edge::InstanceEdge;
use super::interner::RecordInterner;
use super::local_state::{LocalState, LocalStates};
use super::necessary_enabling::{Test, When};
use super::options::Proposals;
use super::query_tables::QueryTables;
use super::relations::KnownProcesses;
use super::rule::Rule;
use crate::stability::{constant_deciders, local_deciders};

/// Limits: processes, local states, and words of answers.
const MOST_PROCESSES: usize = 64;
const MOST_PLACES: usize = 1 << 16;
const MOST_WORDS: usize = 1 << 23;
/// The greatest number of edges at a location.
const MOST_EDGES: usize = 64;
/// With more combinations of variable values than this at a location, the variables are not
/// distinguished.
const MOST_VALUES: usize = 64;
/// Estimated nanoseconds: inspecting a word of edges, processing a member of a set, evaluating a
/// condition, looking at a process of a state, inspecting an edge, and preparing an edge of a new
/// local state.
const WORD: u64 = 4;
const MEMBER: u64 = 15;
const EVALUATION: u64 = 60;
const RECORD: u64 = 15;
const LOOK: u64 = 40;
const PREPARE: u64 = 2_000;
/// The number of cached control signatures: a power of two.
const REMEMBERED: usize = 1 << 12;

/// Finds stubborn sets.
pub struct StubbornSets<'a> {
    facts: &'a Independence<'a>,
    /// The known process instances and local states.
    processes: KnownProcesses,
    /// Their numbers, by number, type and constants of a process.
    known: Vec<Vec<RecordInterner>>,
    /// The numbers of local states, by instance and location and the deciding variables.
    spots: Vec<Vec<LocalStates>>,
    queries: QueryTables,
    now: CurrentState,
    closure: Closure,
    /// Control signatures, with the sets that were found for them.
    memory: Vec<(ControlSignature, Vec<StubbornSet>)>,
    proposals: Proposals,
    /// The number of edges prepared for new local states, of evaluated conditions, and of processes
    /// in all states.
    prepared: u64,
    evaluated: u64,
    records: u64,
}

/// The current state.
#[derive(Default)]
struct CurrentState {
    control_signature: ControlSignature,
    /// The length and capacity of each channel.
    channels: Vec<(usize, usize)>,
    /// By test: whether it is false.
    is_false: Vec<bool>,
}

/// The record of a process.
#[derive(Clone, Copy)]
struct RecordOwner<'s> {
    state: &'s [u8],
    pid: usize,
    process: ProcessId,
    at: usize,
}

impl Independence<'_> {
    /// A reducer; each thread needs its own.
    pub fn reducer(&self, proposals: Proposals) -> StubbornSets<'_> {
        StubbornSets::new(self, proposals)
    }
}

impl Reducer for StubbornSets<'_> {
    fn propose(&mut self, state: &[u8], ways: &[Transition], choices: &mut CandidateSets) {
        choices.clear();
        let is_alone = ways.iter().all(|way| way.label.process == ways[0].label.process);
        if is_alone || !self.look(state, ways) {
            return;
        }
        let all = ways.len() as u32;
        let mut slot = self.recall(all);
        let is_least = self.memory[slot].1.first().is_some_and(|&(_, ways)| ways == 1);
        if !(is_least && self.proposals == Proposals::One) && self.evaluate_tests(state) {
            let before = self.memory[slot].1.clone();
            slot = self.recall(all);
            merge(&mut self.memory[slot].1, &before);
        }
        for &(processes, _) in &self.memory[slot].1 {
            let is_chosen = |way: &Transition| processes >> way.label.process & 1 == 1;
            let numbers = ways.iter().enumerate().filter(|(_, way)| is_chosen(way));
            choices.push(numbers.map(|(at, _)| at as u32));
        }
    }

    fn effort(&self) -> u64 {
        let Closure { words, processed, .. } = &self.closure;
        let of_sets = WORD * words.get() + MEMBER * processed + LOOK * self.queries.looks();
        let of_states = EVALUATION * self.evaluated + RECORD * self.records;
        of_sets + of_states + PREPARE * self.prepared
    }

    /// After a failed assertion, its process continues.
    fn passes(&self, fault: FaultKind) -> bool {
        fault == FaultKind::Assertion
    }
}

/// Adds sets that were found before, those with fewer transitions first.
fn merge(sets: &mut Vec<StubbornSet>, before: &[StubbornSet]) {
    for set in before {
        if !sets.iter().any(|known| known.0 == set.0) {
            sets.push(*set);
        }
    }
    sets.sort_by_key(|&(_, ways)| ways);
}

impl<'a> StubbornSets<'a> {
    pub(super) fn new(facts: &'a Independence<'a>, proposals: Proposals) -> Self {
        StubbornSets {
            facts,
            processes: KnownProcesses {
                revisits_matter: facts.without != Some(Rule::Again),
                ..KnownProcesses::default()
            },
            known: Vec::new(),
            spots: Vec::new(),
            queries: QueryTables::new(),
            now: CurrentState::default(),
            closure: Closure::default(),
            memory: vec![Default::default(); REMEMBERED],
            proposals,
            prepared: 0,
            evaluated: 0,
            records: 0,
        }
    }

    /// The slot of the sets for the current control signature.
    fn recall(&mut self, all: u32) -> usize {
        let slot = self.now.control_signature.slot(REMEMBERED);
        if self.memory[slot].0 != self.now.control_signature {
            let found = self.find_sets(all);
            self.memory[slot] = (self.now.control_signature.clone(), found);
        }
        slot
    }

    /// The sets for the current control signature, each smaller than the set of all transitions.
    fn find_sets(&mut self, all: u32) -> Vec<StubbornSet> {
        let StubbornSets { facts, processes, queries, now, closure, proposals, .. } = self;
        let (control_signature, is_false) = (&now.control_signature, now.is_false.as_slice());
        let mut input = ClosureInput { processes, queries, control_signature, is_false, all };
        closure.prepare(&input, facts.keep);
        let mut found: Vec<StubbornSet> = Vec::new();
        for seed in
            (0..control_signature.places.len()).filter(|&pid| control_signature.ways[pid] > 0)
        {
            match closure.with(seed, &mut input) {
                Some(set) if found.iter().any(|known| known.0 == set.0) => {}
                Some(set) => found.push(set),
                // A set that contains this process is useless, too.
                None => closure.give_up(seed),
            }
            let is_least = found.last().is_some_and(|&(_, ways)| ways == 1);
            if is_least && *proposals == Proposals::One {
                break;
            }
        }
        // Fewer transitions first; among equals, in order of discovery.
        found.sort_by_key(|&(_, ways)| ways);
        found
    }

    /// Analyses a state; returns whether it may be reduced.
    fn look(&mut self, state: &[u8], ways: &[Transition]) -> bool {
        let layout = self.facts.machine.layout();
        let frame = &layout.frame;
        if frame.number(state, EXCLUSIVE) != 0 || self.queries.room() > MOST_WORDS {
            return false;
        }
        self.now.control_signature.places.clear();
        self.now.channels.clear();
        for (at, record) in layout.records(state) {
            match record {
                RecordKind::Process(process) => {
                    let pid = self.now.control_signature.places.len();
                    if pid == MOST_PROCESSES {
                        return false;
                    }
                    let process = ProcessId(process as u32);
                    let Some(place) = self.place(RecordOwner { state, pid, process, at }) else {
                        return false;
                    };
                    self.now.control_signature.places.push(place);
                    self.records += 1;
                }
                RecordKind::Channel(declaration) => {
                    let length = layout.length(state, at, declaration);
                    self.now.channels.push((length, layout.channels[declaration].capacity));
                }
            }
        }
        self.test_channel_ends();
        self.find_possible(ways)
    }

    /// Determines which channels are empty or full for edges that use them.
    fn test_channel_ends(&mut self) {
        let CurrentState { control_signature, channels, is_false } = &mut self.now;
        is_false.clear();
        is_false.resize(self.queries.tests.len(), false);
        control_signature.outcomes.clear();
        let mut bits = TestOutcomes::new(&mut control_signature.outcomes);
        for &place in &control_signature.places {
            for &test in &self.processes.places[place as usize].ends {
                let fails = match self.queries.tests[test as usize].0 {
                    Test::Message(channel) => {
                        channels.get(channel).is_some_and(|&(length, _)| length == 0)
                    }
                    Test::Room(channel) => {
                        channels.get(channel).is_some_and(|(length, capacity)| length == capacity)
                    }
                    Test::True(_) => false,
                };
                is_false[test as usize] = fails;
                bits.push(fails);
            }
        }
    }

    /// Evaluates the other conditions; returns whether any is false.
    fn evaluate_tests(&mut self, state: &[u8]) -> bool {
        let CurrentState { control_signature, is_false, .. } = &mut self.now;
        let places =
            control_signature.places.iter().map(|&place| &self.processes.places[place as usize]);
        if places.clone().all(|place| place.values.is_empty()) {
            return false;
        }
        let machine = self.facts.machine;
        let now = machine.decode(state);
        let mut bits = TestOutcomes::new(&mut control_signature.outcomes);
        let mut any = false;
        for place in places {
            for &test in &place.values {
                let (test_of, pid) = &self.queries.tests[test as usize];
                let Test::True(expr) = test_of else { continue };
                let fails = machine.evaluate(expr, &now, *pid) == Ok(0);
                self.evaluated += 1;
                is_false[test as usize] = fails;
                any |= fails;
                bits.push(fails);
            }
        }
        any
    }

    /// The number of the local state of a process; `None` beyond the limits.
    #[inline]
    fn place(&mut self, owner: RecordOwner<'_>) -> Option<u32> {
        let RecordOwner { state, pid, process, at } = owner;
        if self.known.len() <= pid {
            self.add_process();
        }
        let instance = match self.known[pid][process.index()].find(&state[at..]) {
            Some(number) => number as usize,
            None => self.add_instance(owner),
        };
        let location = self.facts.machine.layout().frame.location(state, at);
        let spot = &mut self.spots[instance][location as usize];
        match spot.places.find(&state[at..]).or(spot.general) {
            Some(number) => Some(number),
            None => self.add_place(owner, instance),
        }
    }

    /// Prepares for another process number.
    #[cold]
    fn add_process(&mut self) {
        let Independence { machine, constants, types, .. } = self.facts;
        let types = (0..types.len()).map(|process| ProcessId(process as u32));
        let interner = types.map(|process| {
            let locals = constant_deciders(constants, process, machine.automaton(process));
            let bytes = locals.into_iter().map(|local| machine.layout().local(process, local));
            RecordInterner::by(bytes.collect())
        });
        self.known.push(interner.collect());
    }

    /// Adds a process instance with its constants.
    #[cold]
    fn add_instance(&mut self, owner: RecordOwner<'_>) -> usize {
        let RecordOwner { state, pid, process, at } = owner;
        let facts = self.facts;
        let number = self.processes.instances.len();
        self.known[pid][process.index()].insert(&state[at..], number as u32);
        let now = facts.machine.decode(state);
        let footprint_context = facts.footprint_context(&now, process, Some(pid));
        let child = |edge: &Edge| facts.children(process, edge);
        let mut instance = Instance::new(&footprint_context, facts.relays, &facts.visible, child);
        if let Some(rule) = facts.without {
            rule.leave_out(facts.objects, &mut instance.edges);
            if rule == Rule::Into {
                instance.into.iter_mut().for_each(|into| into.fill(0));
            }
        }
        let edges = instance.edges.iter();
        instance.awaited =
            edges.map(|step| self.queries.await_all(&step.conditions, pid)).collect();
        self.processes.instances.push(instance);
        let (automaton, layout) = (facts.machine.automaton(process), facts.machine.layout());
        let mut deciding = vec![BTreeSet::new(); automaton.marks.len()];
        for edge in &automaton.edges {
            deciding[edge.from.0 as usize].extend(local_deciders(facts.constants, process, edge));
        }
        let spots = deciding.into_iter().map(|locals| {
            let bytes = locals.into_iter().map(|local| layout.local(process, local));
            LocalStates { places: RecordInterner::by(bytes.collect()), general: None }
        });
        self.spots.push(spots.collect());
        number
    }

    /// Adds a local state of a process.
    #[cold]
    fn add_place(&mut self, owner: RecordOwner<'_>, number: usize) -> Option<u32> {
        let RecordOwner { state, pid, process, at } = owner;
        let facts = self.facts;
        let location = Location(facts.machine.layout().frame.location(state, at));
        let edges = edges_from(facts.machine.automaton(process), location);
        if self.processes.places.len() == MOST_PLACES || edges.len() > MOST_EDGES {
            return None;
        }
        let now = facts.machine.decode(state);
        let footprint_context = facts.footprint_context(&now, process, Some(pid));
        let spot = &mut self.spots[number][location.0 as usize];
        let is_there = spot.places.len() < MOST_VALUES;
        let footprint_context = FootprintContext { is_there, ..footprint_context };
        let instance = &self.processes.instances[number];
        let mut moves = instance.moves(&footprint_context, location, &facts.visible, When::Present);
        let mut later = instance.ahead[location.0 as usize].clone();
        if let Some(rule) = facts.without {
            rule.leave_out(facts.objects, &mut moves);
            if rule == Rule::Later {
                later = edges_of(instance.edges.len(), edges.clone());
            }
        }
        let all_edges_matter = facts.has_wild && facts.without != Some(Rule::Wild);
        let asked: Vec<_> =
            moves.iter().map(|step| self.queries.ask(step, pid, all_edges_matter)).collect();
        let around = if facts.without == Some(Rule::Around) {
            moves.iter().map(|_| edges_of(instance.edges.len(), [])).collect()
        } else {
            around(instance, &moves, edges.start)
        };
        let further =
            (0..instance.edges.len()).filter(|&at| has(&later, at) && !edges.contains(&at));
        let further = further.flat_map(|at| &instance.awaited[at]);
        let here = asked.iter().flat_map(|asked| &asked.conditions);
        let tests: BTreeSet<u32> = here.chain(further).map(|one| one.test).collect();
        let (ends, values) = tests.into_iter().partition(|&test| self.queries.is_about_end(test));
        let place = LocalState {
            instance: number,
            moves,
            start: edges.start,
            asked,
            around,
            later,
            ends,
            values,
        };
        self.prepared += place.moves.len() as u64;
        self.processes.places.push(place);
        let place = self.processes.places.len() as u32 - 1;
        if is_there {
            spot.places.insert(&state[at..], place);
        } else {
            spot.general = Some(place);
        }
        Some(place)
    }

    /// Finds the enabled edges. `false` if an enabled edge waits for a timeout, or if the first
    /// edge of a transition is unknown.
    fn find_possible(&mut self, ways: &[Transition]) -> bool {
        let StubbornSets { processes, queries, now, .. } = self;
        let ControlSignature { places, possible, ways: counts, .. } = &mut now.control_signature;
        possible.clear();
        possible.resize(places.len(), 0);
        counts.clear();
        counts.resize(places.len(), 0);
        let mut fresh: Vec<(usize, u64)> = Vec::new();
        let mut is_reducible = true;
        for way in ways {
            let pid = way.label.process as usize;
            counts[pid] += 1;
            let mut edges = 0;
            for (at, step) in processes.places[places[pid] as usize].moves.iter().enumerate() {
                if step.id.0 == way.label.edge {
                    edges |= 1 << at;
                    // No other process can move, so this edge decides which processes can move
                    // next.
                    is_reducible &= !step.is_timeout;
                }
            }
            // A transition with an unknown first edge.
            is_reducible &= edges != 0;
            if edges & !possible[pid] != 0 {
                possible[pid] |= edges;
                fresh.push((pid, edges));
            }
        }
        // The receiver moves as well, and may send in another rendezvous in the same transition.
        while let Some((pid, edges)) = fresh.pop() {
            for edge in bits(edges) {
                let Some(meet) = processes.places[places[pid] as usize].asked[edge].meet else {
                    continue;
                };
                for other in (0..places.len()).filter(|&other| other != pid) {
                    let there = &processes.places[places[other] as usize];
                    let meet = queries.meet.edges(meet, places[other], processes);
                    let meet = (0..there.moves.len()).filter(|at| has(meet, there.start + at));
                    let meet = meet.fold(0, |edges, at| edges | 1 << at) & !possible[other];
                    if meet != 0 {
                        possible[other] |= meet;
                        fresh.push((other, meet));
                    }
                }
            }
        }
        is_reducible
    }
}

/// By edge at a location, of which the first has the number `first`: the other edges there
/// after which the process may return to it.
fn around(instance: &Instance, moves: &[InstanceEdge], first: usize) -> Vec<Edges> {
    let leads_back = |step: &InstanceEdge, edge| has(&instance.ahead[step.to.0 as usize], edge);
    let around = (first..first + moves.len()).map(|edge| {
        let back = moves.iter().enumerate().filter(|(_, step)| leads_back(step, edge));
        edges_of(instance.edges.len(), back.map(|(other, _)| first + other))
    });
    around.collect()
}

/// A sequence of bits that is written in order.
struct TestOutcomes<'o> {
    words: &'o mut Vec<u64>,
    used: u32,
}

impl<'o> TestOutcomes<'o> {
    /// Appends to these words.
    fn new(words: &'o mut Vec<u64>) -> Self {
        TestOutcomes { words, used: u64::BITS }
    }

    #[inline]
    fn push(&mut self, bit: bool) {
        if self.used == u64::BITS {
            self.words.push(0);
            self.used = 0;
        }
        let last = self.words.last_mut().expect("there is one now");
        *last |= u64::from(bit) << self.used;
        self.used += 1;
    }
}
