//! Stubborn sets, state by state.
//!
//! The members of a set are edges of processes at their present locations. An edge that is
//! possible brings in all edges of its process, and of each other process those through which
//! it might come to touch what the edge touches. An edge that is not possible brings in those
//! through which somebody might make it possible. What nobody brings in may wait.

use std::collections::HashMap;

use beeline_kernel::{Choices, Reducer, Way};
use beeline_promela::hir::ProcessId;

use super::Independence;
use super::instance::{Instance, Move};
use crate::automata::Location;
use crate::frame::{EXCLUSIVE, Record};

/// Edges of one location, as bits. Where there are more, all of them share the last bits, that
/// is, nothing is reduced.
type Edges = u64;

/// More processes, places and pairs than these are not worth the time and the memory.
const MOST_PROCESSES: usize = 64;
const MOST_PLACES: usize = 1 << 16;
const MOST_PAIRS: usize = 1 << 22;

/// A process of an [`Instance`] at a location.
struct Place {
    instance: usize,
    location: Location,
    edges: usize,
    /// The number of its first edge among all edges of all places.
    first: usize,
}

/// What one edge means for a process at a place.
#[derive(Clone, Copy)]
struct Pair {
    /// Through these, the process may come to touch what the edge touches.
    clash: Edges,
    /// Through these, it may make the edge possible.
    help: Edges,
    /// These take the message that the edge hands over.
    meet: Edges,
}

/// Finds stubborn sets.
pub struct StubbornSets<'a> {
    facts: &'a Independence<'a>,
    /// Processes that were met, by what never changes about them.
    instances: Vec<Instance>,
    known: HashMap<Box<[u8]>, usize>,
    /// By number of a process: who was there last, and what was the same about it.
    last: Vec<(Box<[u8]>, usize)>,
    /// By process type: the bytes of its record that never change.
    constant: Vec<Vec<(usize, usize)>>,
    places: Vec<Place>,
    /// By instance and location: the number of the place, if it was met.
    numbers: Vec<Vec<u32>>,
    /// By edge and place, what the one means for the other, if it was asked for.
    pairs: HashMap<(u32, u32), Pair>,
    edges: usize,
    now: Present,
    key: Vec<u8>,
}

/// The state that is looked at.
#[derive(Default)]
struct Present {
    /// By process: where it is, the edges that are possible, how many ways they make.
    places: Vec<u32>,
    possible: Vec<Edges>,
    ways: Vec<u32>,
    /// The set under construction, and members that have not brought in others yet.
    members: Vec<Edges>,
    waiting: Vec<(usize, Edges)>,
    /// Sets that were found: their processes, and how many ways they make.
    found: Vec<(u64, u32)>,
}

impl Reducer for StubbornSets<'_> {
    fn propose(&mut self, state: &[u8], ways: &[Way], choices: &mut Choices) {
        choices.clear();
        if ways.len() < 2 || !self.look(state, ways) {
            return;
        }
        let mut found = std::mem::take(&mut self.now.found);
        found.clear();
        for seed in 0..self.now.places.len() {
            if self.now.ways[seed] == 0 {
                continue;
            }
            if let Some(set) = self.close(seed, ways.len() as u32)
                && !found.iter().any(|&(processes, _)| processes == set.0)
            {
                found.push(set);
            }
        }
        // Few ways first; among equals, the one that was found first.
        found.sort_by_key(|&(_, ways)| ways);
        for &(processes, _) in &found {
            let is_chosen = |way: &Way| processes >> way.mover.process & 1 == 1;
            let numbers = ways.iter().enumerate().filter(|(_, way)| is_chosen(way));
            choices.push(numbers.map(|(at, _)| at as u32));
        }
        self.now.found = found;
    }
}

impl<'a> StubbornSets<'a> {
    pub(super) fn new(facts: &'a Independence<'a>) -> Self {
        let machine = facts.machine;
        let layout = machine.layout();
        let constant = (0..machine.model().processes.len()).map(|process| {
            let id = ProcessId(process as u32);
            let offsets = &layout.processes[process];
            let end = |local: usize| offsets.locals.get(local + 1).copied().unwrap_or(offsets.size);
            let locals = facts.constants.locals(id);
            locals.map(|local| (offsets.locals[local], end(local))).collect()
        });
        StubbornSets {
            facts,
            instances: Vec::new(),
            known: HashMap::new(),
            last: Vec::new(),
            constant: constant.collect(),
            places: Vec::new(),
            numbers: Vec::new(),
            pairs: HashMap::new(),
            edges: 0,
            now: Present::default(),
            key: Vec::new(),
        }
    }

    /// Takes in a state. Whether there is any hope for it.
    fn look(&mut self, state: &[u8], ways: &[Way]) -> bool {
        let layout = self.facts.machine.layout();
        let frame = &layout.frame;
        if frame.number(state, EXCLUSIVE) != 0 || self.pairs.len() > MOST_PAIRS {
            return false;
        }
        self.now.places.clear();
        let mut at = layout.fixed;
        while at < state.len() {
            match frame.record(state, at) {
                Record::Process(process) => {
                    let pid = self.now.places.len();
                    if pid == MOST_PROCESSES {
                        return false;
                    }
                    let instance = self.instance(state, pid, process, at);
                    let location = frame.location(state, at);
                    let Some(place) = self.place(instance, location) else { return false };
                    self.now.places.push(place);
                    at += layout.processes[process].size;
                }
                Record::Channel(declaration) => at += layout.channel_size(declaration),
            }
        }
        self.find_possible(ways)
    }

    /// The number of a process with all that never changes about it.
    fn instance(&mut self, state: &[u8], pid: usize, process: usize, at: usize) -> usize {
        let mut key = std::mem::take(&mut self.key);
        key.clear();
        key.extend_from_slice(&(process as u16).to_le_bytes());
        for &(start, end) in &self.constant[process] {
            key.extend_from_slice(&state[at + start..at + end]);
        }
        if self.last.len() <= pid {
            self.last.resize(pid + 1, (Box::default(), 0));
        }
        if *self.last[pid].0 != *key {
            // Who it is belongs to what never changes.
            let mut full = key.clone();
            full.extend_from_slice(&(pid as u32).to_le_bytes());
            let number = match self.known.get(full.as_slice()) {
                Some(&number) => number,
                None => {
                    let number = self.add_instance(state, pid, process);
                    self.known.insert(full.into(), number);
                    number
                }
            };
            self.last[pid] = (key.as_slice().into(), number);
        }
        self.key = key;
        self.last[pid].1
    }

    #[cold]
    fn add_instance(&mut self, state: &[u8], pid: usize, process: usize) -> usize {
        let facts = self.facts;
        let now = facts.machine.open(state);
        let process = ProcessId(process as u32);
        let walker = facts.walker(&now, process, Some(pid));
        let child = |edge: &crate::automata::Edge| facts.children(process, edge);
        let instance = Instance::new(&walker, &facts.visible, facts.relays, child);
        self.instances.push(instance);
        let locations = facts.machine.automaton(process).marks.len();
        self.numbers.push(vec![u32::MAX; locations]);
        self.instances.len() - 1
    }

    /// The number of a place; `None` when there are too many, or too many edges there.
    fn place(&mut self, instance: usize, location: u32) -> Option<u32> {
        let known = self.numbers[instance][location as usize];
        if known != u32::MAX {
            return Some(known);
        }
        let edges = self.instances[instance].moves(Location(location)).len();
        if self.places.len() == MOST_PLACES || edges > Edges::BITS as usize {
            return None;
        }
        let first = self.edges;
        self.places.push(Place { instance, location: Location(location), edges, first });
        self.edges += edges;
        let number = self.places.len() as u32 - 1;
        self.numbers[instance][location as usize] = number;
        Some(number)
    }

    fn moves(&self, place: u32) -> &[Move] {
        let Place { instance, location, .. } = self.places[place as usize];
        self.instances[instance].moves(location)
    }

    /// Finds out which edges are possible. Whether some process has none that waits for others.
    fn find_possible(&mut self, ways: &[Way]) -> bool {
        let processes = self.now.places.len();
        let mut possible = std::mem::take(&mut self.now.possible);
        possible.clear();
        possible.resize(processes, 0);
        self.now.ways.clear();
        self.now.ways.resize(processes, 0);
        let mut fresh: Vec<(usize, Edges)> = Vec::new();
        let mut is_fine = true;
        for way in ways {
            let pid = way.mover.process as usize;
            self.now.ways[pid] += 1;
            let moves = self.moves(self.now.places[pid]);
            let mut edges = 0;
            for (at, step) in moves.iter().enumerate() {
                if step.id.0 == way.mover.edge {
                    edges |= 1 << at;
                    // Nobody else can move: what this changes decides who can.
                    is_fine &= !step.is_timeout;
                }
            }
            // A way that nobody knows begins nowhere.
            is_fine &= edges != 0;
            if edges & !possible[pid] != 0 {
                possible[pid] |= edges;
                fresh.push((pid, edges));
            }
        }
        // Who takes a message moves as well, and may hand over another one at once.
        while let Some((pid, edges)) = fresh.pop() {
            for edge in bits(edges) {
                if self.moves(self.now.places[pid])[edge].hands.is_empty() {
                    continue;
                }
                for other in (0..processes).filter(|&other| other != pid) {
                    let meet = self.pair(pid, edge, other).meet & !possible[other];
                    if meet != 0 {
                        possible[other] |= meet;
                        fresh.push((other, meet));
                    }
                }
            }
        }
        self.now.possible = possible;
        is_fine
    }

    /// What an edge of a process means for another process, where they are.
    fn pair(&mut self, pid: usize, edge: usize, other: usize) -> Pair {
        let (place, there) = (self.now.places[pid], self.now.places[other]);
        let number = (self.places[place as usize].first + edge) as u32;
        if let Some(&pair) = self.pairs.get(&(number, there)) {
            return pair;
        }
        let step = &self.moves(place)[edge];
        let same = pid == other;
        let mut pair = Pair { clash: 0, help: 0, meet: 0 };
        for (at, theirs) in self.moves(there).iter().enumerate() {
            let bit = 1 << at;
            // What waits for everyone waits for this one, too.
            if theirs.is_timeout {
                continue;
            }
            if !same && (step.own.clashes(&theirs.own) || step.own.clashes(&theirs.beyond)) {
                pair.clash |= bit;
            }
            let helps = step.needs.are_met_by(&theirs.own) || step.needs.are_met_by(&theirs.beyond);
            if helps && !(same && at == edge) {
                pair.help |= bit;
            }
            if !same && step.hands.meets(&theirs.takes) {
                pair.meet |= bit;
            }
        }
        self.pairs.insert((number, there), pair);
        pair
    }

    /// The least stubborn set with a process: its processes that can move, and how many ways
    /// that makes. `None` if it is no gain.
    fn close(&mut self, seed: usize, all: u32) -> Option<(u64, u32)> {
        let processes = self.now.places.len();
        self.now.members.clear();
        self.now.members.resize(processes, 0);
        self.now.waiting.clear();
        let (mut chosen, mut cost) = (0, 0);
        self.bring_in(seed, Edges::MAX);
        while let Some((pid, edges)) = self.now.waiting.pop() {
            let possible = self.now.possible[pid] & edges;
            if possible != 0 && chosen >> pid & 1 == 0 {
                chosen |= 1 << pid;
                cost += self.now.ways[pid];
                if cost == all || self.is_bound(pid) {
                    return None;
                }
                self.bring_in(pid, Edges::MAX);
            }
            for edge in bits(edges) {
                let is_possible = possible >> edge & 1 == 1;
                for other in 0..processes {
                    let pair = self.pair(pid, edge, other);
                    self.bring_in(other, if is_possible { pair.clash } else { pair.help });
                }
            }
        }
        Some((chosen, cost))
    }

    /// Makes edges of a process members.
    fn bring_in(&mut self, pid: usize, edges: Edges) {
        let count = self.places[self.now.places[pid] as usize].edges as u32;
        let all = Edges::MAX.checked_shr(Edges::BITS - count).unwrap_or(0);
        let new = edges & all & !self.now.members[pid];
        if new != 0 {
            self.now.members[pid] |= new;
            self.now.waiting.push((pid, new));
        }
    }

    /// Whether a process may move only together with all others: it would show something, or
    /// go back where every cycle has to stop once.
    fn is_bound(&self, pid: usize) -> bool {
        let keep = self.facts.keep;
        let moves = self.moves(self.now.places[pid]);
        bits(self.now.possible[pid]).any(|at| {
            let step = &moves[at];
            (keep.property && step.is_visible) || (keep.cycles && step.goes_back)
        })
    }
}

/// The numbers of the bits that are set.
fn bits(mut edges: Edges) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let next = edges.trailing_zeros();
        (next < Edges::BITS).then(|| {
            edges &= edges - 1;
            next as usize
        })
    })
}
