//! Stubborn sets, state by state.
//!
//! The members of a set are edges of processes at their present locations. An edge that is
//! possible brings in all edges of its process, and of each other process those through which
//! it might come to touch what the edge touches. An edge that is not possible brings in those
//! through which somebody might make it possible. What nobody brings in may wait.

use std::collections::BTreeSet;

use beeline_kernel::{Choices, Reducer, Way};
use beeline_promela::hir::ProcessId;

use super::footprint::Walker;
use super::instance::{Instance, Move};
use super::numbered::Numbered;
use super::{Independence, Proposals};
use crate::automata::{Edge, Location};
use crate::frame::{EXCLUSIVE, Record};

/// Edges of one location, as bits. Where there are more, nothing is reduced.
type Edges = u64;

/// More processes, places and pairs than these are not worth the time and the memory.
const MOST_PROCESSES: usize = 64;
const MOST_PLACES: usize = 1 << 16;
const MOST_PAIRS: usize = 1 << 22;
/// Where the variables of a process decide more than this many ways at a location, what they
/// decide is not looked at any more.
const MOST_VALUES: usize = 64;

/// A process of an [`Instance`] at a location, with what its own variables decide there.
struct Place {
    moves: Vec<Move>,
    /// Those that touch anything, and those that may have to wait for something.
    touching: Edges,
    waiting: Edges,
    /// Those that pick the first message of a channel, and of which.
    picking: Vec<(usize, usize)>,
    /// The number of the first of them among those of all places.
    first: usize,
}

/// The places of a process at a location.
struct Spot {
    /// By what its variables decide.
    places: Numbered,
    /// Whatever they decide.
    general: Option<u32>,
}

/// What one edge means for a process at a place.
#[derive(Clone, Copy, Default)]
struct Pair {
    is_known: bool,
    /// Through these, the process may come to touch what the edge touches.
    clash: Edges,
    /// Through these, it may make the edge possible,
    help: Edges,
    /// and through these, where the edge picks from a channel that is empty.
    fill: Edges,
    /// These take the message that the edge hands over.
    meet: Edges,
}

/// Finds stubborn sets.
pub struct StubbornSets<'a> {
    facts: &'a Independence<'a>,
    /// Processes that were met.
    instances: Vec<Instance>,
    /// Their numbers, by number and type of a process and what never changes about it.
    known: Vec<Vec<Numbered>>,
    places: Vec<Place>,
    /// Their numbers, by instance and location and what the variables of the process decide.
    spots: Vec<Vec<Spot>>,
    /// By edge and place, what the one means for the other, as far as it was asked for.
    pairs: Vec<Vec<Pair>>,
    /// How many of them there is room for.
    room: usize,
    now: Present,
    /// Situations, with the sets that were found for them: their processes, and how many ways
    /// these make.
    memory: Vec<(Situation, Vec<(u64, u32)>)>,
    proposals: Proposals,
}

/// All of a state that decides which sets are stubborn. By process: where it is, the edges that
/// are possible, those that pick from an empty channel, and how many ways there are.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Situation {
    places: Vec<u32>,
    possible: Vec<Edges>,
    empty: Vec<Edges>,
    ways: Vec<u32>,
}

impl Situation {
    /// Where it is remembered.
    fn slot(&self) -> usize {
        /// An odd number that spreads small values.
        const SPREAD: u64 = 0x9E37_79B9_7F4A_7C15;
        let parts = self.places.iter().zip(&self.possible).zip(&self.empty);
        let mixed = parts.fold(0_u64, |mixed, ((&place, &possible), &empty)| {
            let part = u64::from(place) ^ possible.rotate_left(32) ^ empty.rotate_left(16);
            (mixed.rotate_left(5) ^ part).wrapping_mul(SPREAD)
        });
        (mixed >> (u64::BITS - REMEMBERED.ilog2())) as usize
    }
}

/// Situations that are remembered: a power of two. The same ones come again and again, with
/// other values of variables.
const REMEMBERED: usize = 1 << 12;

/// The state that is looked at.
#[derive(Default)]
struct Present {
    situation: Situation,
    /// Where the records of channels begin.
    channels: Vec<usize>,
    /// The set under construction, and members that have not brought in others yet.
    members: Vec<Edges>,
    waiting: Vec<(usize, Edges)>,
    /// Processes in no set that is a gain.
    hopeless: u64,
}

impl Reducer for StubbornSets<'_> {
    fn propose(&mut self, state: &[u8], ways: &[Way], choices: &mut Choices) {
        choices.clear();
        if ways.len() < 2 || !self.look(state, ways) {
            return;
        }
        let slot = self.now.situation.slot();
        if self.memory[slot].0 != self.now.situation {
            let found = self.find_sets(ways.len() as u32);
            self.memory[slot] = (self.now.situation.clone(), found);
        }
        let found = &self.memory[slot].1;
        for &(processes, _) in found {
            let is_chosen = |way: &Way| processes >> way.mover.process & 1 == 1;
            let numbers = ways.iter().enumerate().filter(|(_, way)| is_chosen(way));
            choices.push(numbers.map(|(at, _)| at as u32));
        }
    }
}

impl<'a> StubbornSets<'a> {
    pub(super) fn new(facts: &'a Independence<'a>, proposals: Proposals) -> Self {
        StubbornSets {
            facts,
            instances: Vec::new(),
            known: Vec::new(),
            places: Vec::new(),
            spots: Vec::new(),
            pairs: Vec::new(),
            room: 0,
            now: Present::default(),
            memory: vec![Default::default(); REMEMBERED],
            proposals,
        }
    }

    /// The sets for the present situation, of which each is a gain.
    fn find_sets(&mut self, all: u32) -> Vec<(u64, u32)> {
        let mut found: Vec<(u64, u32)> = Vec::new();
        self.now.hopeless = 0;
        for seed in 0..self.now.situation.places.len() {
            if self.now.situation.ways[seed] == 0 {
                continue;
            }
            match self.close(seed, all) {
                Some(set) if found.iter().any(|&(processes, _)| processes == set.0) => {}
                Some(set) => found.push(set),
                // Whoever brings this one in fails as well.
                None => self.now.hopeless |= 1 << seed,
            }
            let is_least = found.last().is_some_and(|&(_, ways)| ways == 1);
            if is_least && self.proposals == Proposals::One {
                break;
            }
        }
        // Few ways first; among equals, the one that was found first.
        found.sort_by_key(|&(_, ways)| ways);
        found
    }

    /// Takes in a state. Whether there is any hope for it.
    fn look(&mut self, state: &[u8], ways: &[Way]) -> bool {
        let layout = self.facts.machine.layout();
        let frame = &layout.frame;
        if frame.number(state, EXCLUSIVE) != 0 || self.room > MOST_PAIRS {
            return false;
        }
        self.now.situation.places.clear();
        self.now.channels.clear();
        let mut at = layout.fixed;
        while at < state.len() {
            match frame.record(state, at) {
                Record::Process(process) => {
                    let pid = self.now.situation.places.len();
                    if pid == MOST_PROCESSES {
                        return false;
                    }
                    let instance = self.instance(state, pid, process, at);
                    let Some(place) = self.place(state, pid, process, at, instance) else {
                        return false;
                    };
                    self.now.situation.places.push(place);
                    at += layout.processes[process].size;
                }
                Record::Channel(declaration) => {
                    self.now.channels.push(at);
                    at += layout.channel_size(declaration);
                }
            }
        }
        self.find_empty(state);
        self.find_possible(ways)
    }

    /// The number of a process with all that never changes about it.
    #[inline]
    fn instance(&mut self, state: &[u8], pid: usize, process: usize, at: usize) -> usize {
        if self.known.len() <= pid {
            self.add_process();
        }
        match self.known[pid][process].find(&state[at..]) {
            Some(number) => number as usize,
            None => self.add_instance(state, pid, process, at),
        }
    }

    /// Prepares for one process more.
    #[cold]
    fn add_process(&mut self) {
        let Independence { machine, constants, types, .. } = self.facts;
        let types = (0..types.len()).map(|process| ProcessId(process as u32));
        let numbered = types.map(|process| {
            let locals = constants.deciding_ever(process, machine.automaton(process));
            let bytes = locals.into_iter().map(|local| machine.layout().local(process, local));
            Numbered::by(bytes.collect())
        });
        self.known.push(numbered.collect());
    }

    #[cold]
    fn add_instance(&mut self, state: &[u8], pid: usize, process: usize, at: usize) -> usize {
        let facts = self.facts;
        let number = self.instances.len();
        self.known[pid][process].insert(&state[at..], number as u32);
        let now = facts.machine.open(state);
        let process = ProcessId(process as u32);
        let walker = facts.walker(&now, process, Some(pid));
        let child = |edge: &Edge| facts.children(process, edge);
        self.instances.push(Instance::new(&walker, facts.relays, child));
        let (automaton, layout) = (facts.machine.automaton(process), facts.machine.layout());
        let mut deciding = vec![BTreeSet::new(); automaton.marks.len()];
        for edge in &automaton.edges {
            deciding[edge.from.0 as usize].extend(facts.constants.deciding_here(process, edge));
        }
        let spots = deciding.into_iter().map(|locals| {
            let bytes = locals.into_iter().map(|local| layout.local(process, local));
            Spot { places: Numbered::by(bytes.collect()), general: None }
        });
        self.spots.push(spots.collect());
        number
    }

    /// The number of the place of a process; `None` when there are too many, or too many edges.
    #[inline]
    fn place(
        &mut self,
        state: &[u8],
        pid: usize,
        process: usize,
        at: usize,
        instance: usize,
    ) -> Option<u32> {
        let location = self.facts.machine.layout().frame.location(state, at);
        let spot = &mut self.spots[instance][location as usize];
        match spot.places.find(&state[at..]).or(spot.general) {
            Some(number) => Some(number),
            None => self.add_place(state, pid, process, at, instance),
        }
    }

    #[cold]
    fn add_place(
        &mut self,
        state: &[u8],
        pid: usize,
        process: usize,
        at: usize,
        instance: usize,
    ) -> Option<u32> {
        let facts = self.facts;
        let location = facts.machine.layout().frame.location(state, at);
        let process = ProcessId(process as u32);
        let edges = facts.machine.automaton(process).edges_from(Location(location)).len();
        if self.places.len() == MOST_PLACES || edges > Edges::BITS as usize {
            return None;
        }
        let now = facts.machine.open(state);
        let walker = facts.walker(&now, process, Some(pid));
        let is_there = self.spots[instance][location as usize].places.len() < MOST_VALUES;
        let walker = Walker { is_there, ..walker };
        let mut moves = self.instances[instance].moves(&walker, Location(location), &facts.visible);
        if let Some(rule) = facts.without {
            rule.leave_out(facts.objects, &mut moves);
        }
        let first = self.pairs.len();
        self.pairs.resize(first + moves.len(), Vec::new());
        let those = |test: fn(&Move) -> bool| {
            let all = moves.iter().enumerate().filter(|(_, step)| test(step));
            all.fold(0, |edges, (at, _)| edges | 1 << at)
        };
        let touching = those(|step| step.own.is_anything());
        let waiting = those(|step| step.needs.are_any() || step.picks.is_some());
        let picking = moves.iter().enumerate();
        let picking = picking.filter_map(|(at, step)| Some((at, step.picks.as_ref()?.0))).collect();
        self.places.push(Place { moves, touching, waiting, picking, first });
        let number = self.places.len() as u32 - 1;
        let spot = &mut self.spots[instance][location as usize];
        if is_there {
            spot.places.insert(&state[at..], number);
        } else {
            spot.general = Some(number);
        }
        Some(number)
    }

    fn moves(&self, place: u32) -> &[Move] {
        &self.places[place as usize].moves
    }

    /// Finds out which edges pick from a channel that is empty.
    fn find_empty(&mut self, state: &[u8]) {
        let length_at = self.facts.machine.layout().frame.length_at();
        let Present { situation, channels, .. } = &mut self.now;
        situation.empty.clear();
        for &place in &situation.places {
            let picking = self.places[place as usize].picking.iter();
            let is_empty = |channel: usize| {
                channels.get(channel).is_some_and(|&at| state[at + length_at] == 0)
            };
            let empty = picking.filter(|&&(_, channel)| is_empty(channel));
            situation.empty.push(empty.fold(0, |edges, &(edge, _)| edges | 1 << edge));
        }
    }

    /// Finds out which edges are possible. Whether some process has none that waits for others.
    fn find_possible(&mut self, ways: &[Way]) -> bool {
        let processes = self.now.situation.places.len();
        let mut possible = std::mem::take(&mut self.now.situation.possible);
        possible.clear();
        possible.resize(processes, 0);
        self.now.situation.ways.clear();
        self.now.situation.ways.resize(processes, 0);
        let mut fresh: Vec<(usize, Edges)> = Vec::new();
        let mut is_fine = true;
        for way in ways {
            let pid = way.mover.process as usize;
            self.now.situation.ways[pid] += 1;
            let moves = self.moves(self.now.situation.places[pid]);
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
                if self.moves(self.now.situation.places[pid])[edge].hands.is_empty() {
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
        self.now.situation.possible = possible;
        is_fine
    }

    /// What an edge of a process means for another process, where they are.
    #[inline]
    fn pair(&mut self, pid: usize, edge: usize, other: usize) -> Pair {
        let (place, there) = (self.now.situation.places[pid], self.now.situation.places[other]);
        let number = self.places[place as usize].first + edge;
        match self.pairs[number].get(there as usize) {
            Some(&pair) if pair.is_known => pair,
            _ => self.compare(number, edge, place, there, pid == other),
        }
    }

    #[cold]
    fn compare(&mut self, number: usize, edge: usize, here: u32, there: u32, same: bool) -> Pair {
        let step = &self.moves(here)[edge];
        let mut pair = Pair { is_known: true, ..Pair::default() };
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
            if let Some((_, message)) = &step.picks
                && (message.are_met_by(&theirs.own) || message.are_met_by(&theirs.beyond))
            {
                pair.fill |= bit;
            }
            if !same && step.hands.meets(&theirs.takes) {
                pair.meet |= bit;
            }
        }
        let row = &mut self.pairs[number];
        if row.len() <= there as usize {
            let before = row.capacity();
            row.resize(there as usize + 1, Pair::default());
            self.room += row.capacity() - before;
        }
        row[there as usize] = pair;
        pair
    }

    /// The least stubborn set with a process: its processes that can move, and how many ways
    /// that makes. `None` if it is no gain.
    fn close(&mut self, seed: usize, all: u32) -> Option<(u64, u32)> {
        let processes = self.now.situation.places.len();
        self.now.members.clear();
        self.now.members.resize(processes, 0);
        self.now.waiting.clear();
        let (mut chosen, mut cost) = (0, 0);
        self.bring_in(seed, Edges::MAX);
        while let Some((pid, edges)) = self.now.waiting.pop() {
            let possible = self.now.situation.possible[pid] & edges;
            if possible != 0 && chosen >> pid & 1 == 0 {
                chosen |= 1 << pid;
                cost += self.now.situation.ways[pid];
                if cost == all || self.now.hopeless >> pid & 1 == 1 || self.is_bound(pid) {
                    return None;
                }
                self.bring_in(pid, Edges::MAX);
            }
            let place = &self.places[self.now.situation.places[pid] as usize];
            let (touching, waiting) = (place.touching & possible, place.waiting & !possible);
            for edge in bits(edges & touching) {
                for other in 0..processes {
                    let clash = self.pair(pid, edge, other).clash;
                    self.bring_in(other, clash);
                }
            }
            let empty = self.now.situation.empty[pid];
            for edge in bits(edges & waiting) {
                for other in 0..processes {
                    let pair = self.pair(pid, edge, other);
                    let is_empty = empty >> edge & 1 == 1;
                    self.bring_in(other, if is_empty { pair.fill } else { pair.help });
                }
            }
        }
        Some((chosen, cost))
    }

    /// Makes edges of a process members.
    #[inline]
    fn bring_in(&mut self, pid: usize, edges: Edges) {
        if edges & !self.now.members[pid] == 0 {
            return;
        }
        let count = self.moves(self.now.situation.places[pid]).len() as u32;
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
        let moves = self.moves(self.now.situation.places[pid]);
        bits(self.now.situation.possible[pid]).any(|at| {
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
