//! Closure of a set of edges to a stubborn set.
//!
//! The members are edges of processes, at their locations and at later ones. An enabled edge adds
//! all edges of its process at that location, and the edges of other processes that depend on it,
//! now or later. A disabled edge adds a necessary enabling set: the edges that may make one of its
//! false conditions true, or the edges through which its process reaches it. Which of these sets is
//! a choice; the closure takes the one with the least estimated cost in enabled transitions.

use std::cell::Cell;

use super::control_signature::ControlSignature;
use super::edge_set::bits;
use super::necessary_enabling::AwaitedCondition;
use super::options::Preserve;
use super::query_tables::QueryTables;
use super::relations::KnownProcesses;

/// A stubborn set: its processes that can move, as bits, and the number of their transitions.
pub(super) type StubbornSet = (u64, u32);

/// The cost of a transition, relative to a disabled edge.
const TRANSITION_COST: u64 = 1 << 10;
/// The cost of a transition that makes the set useless. The sum over all processes is still finite:
/// the cost of an edge that waits for a false condition must be comparable.
const HOPELESS: u64 = 1 << 32;

/// A set under construction.
#[derive(Default)]
pub(super) struct Closure {
    /// By process: the start of its edges among the members.
    starts: Vec<usize>,
    members: Vec<u64>,
    /// In the same order: the enabled edges, and the edges that follow them.
    ready: Vec<u64>,
    near: Vec<u64>,
    /// Members whose dependent edges are not added yet: process and edge.
    waiting: Vec<(usize, usize)>,
    /// Processes of the set that can move.
    chosen: u64,
    cost: u32,
    /// Processes that may move only together with all others, or are in no useful set.
    bound: u64,
    /// Words of edge sets inspected so far, and members processed.
    pub(super) words: Cell<u64>,
    pub(super) processed: u64,
}

/// The input of a closure.
pub(super) struct ClosureInput<'a> {
    pub(super) processes: &'a KnownProcesses,
    pub(super) queries: &'a mut QueryTables,
    pub(super) control_signature: &'a ControlSignature,
    /// By test: whether it is false.
    pub(super) is_false: &'a [bool],
    /// The number of transitions of all processes.
    pub(super) all: u32,
}

impl Closure {
    /// Prepares for the sets of a control signature.
    pub(super) fn prepare(&mut self, input: &ClosureInput<'_>, keep: Preserve) {
        self.starts.clear();
        self.ready.clear();
        self.near.clear();
        self.bound = 0;
        for (pid, &place) in input.control_signature.places.iter().enumerate() {
            let place = &input.processes.places[place as usize];
            let instance = &input.processes.instances[place.instance];
            let start = self.near.len();
            self.starts.push(start);
            self.near.resize(start + place.later.len(), 0);
            self.ready.resize(start + place.later.len(), 0);
            for at in bits(input.control_signature.possible[pid]) {
                let step = &place.moves[at];
                let edge = place.start + at;
                self.ready[start + edge / 64] |= 1 << (edge % 64);
                let ahead = &instance.ahead[step.to.0 as usize];
                self.near[start..].iter_mut().zip(ahead).for_each(|(word, more)| *word |= more);
                if (keep.property && step.is_visible) || (keep.cycles && step.goes_back) {
                    self.bound |= 1 << pid;
                }
            }
        }
        self.starts.push(self.near.len());
    }

    /// A stubborn set that contains a process; `None` if no smaller set than all transitions is
    /// found.
    pub(super) fn with(
        &mut self,
        seed: usize,
        input: &mut ClosureInput<'_>,
    ) -> Option<StubbornSet> {
        self.members.clear();
        self.members.resize(self.near.len(), 0);
        self.waiting.clear();
        (self.chosen, self.cost) = (0, 0);
        self.choose(seed, input)?;
        let (processes, control_signature) = (input.processes, input.control_signature);
        while let Some((pid, edge)) = self.waiting.pop() {
            self.processed += 1;
            let place = &processes.places[control_signature.places[pid] as usize];
            let here = edge.checked_sub(place.start).filter(|&at| at < place.moves.len());
            match here {
                Some(at) if control_signature.possible[pid] >> at & 1 == 1 => {
                    self.choose(pid, input)?;
                    if let Some(clash) = place.asked[at].clash {
                        for (other, &there) in control_signature.places.iter().enumerate() {
                            if other != pid {
                                let edges = input.queries.clash.edges(clash, there, processes);
                                self.bring_in(other, edges);
                            }
                        }
                    }
                }
                Some(at) => self.wait(pid, at, input),
                None => self.approach(pid, edge, input),
            }
        }
        Some((self.chosen, self.cost))
    }

    /// Excludes a process from all further sets.
    pub(super) fn give_up(&mut self, pid: usize) {
        self.bound |= 1 << pid;
    }

    /// Adds a process that can move, with all edges at its location. `None` if the set becomes
    /// useless.
    fn choose(&mut self, pid: usize, input: &ClosureInput<'_>) -> Option<()> {
        if self.chosen >> pid & 1 == 1 {
            return Some(());
        }
        self.chosen |= 1 << pid;
        self.cost += input.control_signature.ways[pid];
        if self.cost == input.all || self.bound >> pid & 1 == 1 {
            return None;
        }
        let place = &input.processes.places[input.control_signature.places[pid] as usize];
        for at in place.start..place.start + place.moves.len() {
            let word = &mut self.members[self.starts[pid] + at / 64];
            if *word >> (at % 64) & 1 == 0 {
                *word |= 1 << (at % 64);
                self.waiting.push((pid, at));
            }
        }
        Some(())
    }

    /// Adds edges of a process.
    #[inline]
    fn bring_in(&mut self, pid: usize, edges: &[u64]) {
        self.words.set(self.words.get() + edges.len() as u64);
        let start = self.starts[pid];
        for (at, edges) in edges.iter().enumerate() {
            let new = edges & !self.members[start + at];
            self.members[start + at] |= new;
            self.waiting.extend(bits(new).map(|bit| (pid, at * 64 + bit)));
        }
    }

    /// Adds all edges that match an enabling query.
    fn help(&mut self, help: u32, input: &mut ClosureInput<'_>) {
        for (pid, &place) in input.control_signature.places.iter().enumerate() {
            let edges = input.queries.help.edges(help, place, input.processes);
            self.bring_in(pid, edges);
        }
    }

    /// Adds the edges through which a process reaches an edge at another location.
    fn approach(&mut self, pid: usize, edge: usize, input: &mut ClosureInput<'_>) {
        let processes = input.processes;
        let place = &processes.places[input.control_signature.places[pid] as usize];
        let instance = &processes.instances[place.instance];
        let step = &instance.edges[edge];
        // It is disabled while a member of the set is enabled.
        if step.is_timeout {
            return;
        }
        let mut into = instance.into[step.from.0 as usize].clone();
        for (at, word) in into.iter_mut().enumerate() {
            *word &= place.later[at];
        }
        let price = self.price(pid, &into, input.control_signature);
        match self.cheapest(&instance.awaited[edge], input, price, 0) {
            Some(one) => self.help(one.help, input),
            None => self.bring_in(pid, &into),
        }
    }

    /// Adds the edges that may enable a disabled edge at the location of its process.
    fn wait(&mut self, pid: usize, at: usize, input: &mut ClosureInput<'_>) {
        let place = &input.processes.places[input.control_signature.places[pid] as usize];
        let (asked, around) = (&place.asked[at], &place.around[at]);
        let further = self.price(pid, around, input.control_signature);
        let one = self.cheapest(&asked.conditions, input, u64::MAX, further);
        self.help(one.map_or(asked.help, |one| one.help), input);
        if one.is_none_or(|one| one.is_own) {
            self.bring_in(pid, around);
        }
    }

    /// The false condition with the cheapest enabling set; `None` if none costs less than `least`.
    /// The cost is higher if the process itself may make it true.
    fn cheapest(
        &self,
        conditions: &[AwaitedCondition],
        input: &mut ClosureInput<'_>,
        mut least: u64,
        own: u64,
    ) -> Option<AwaitedCondition> {
        let mut found = None;
        for one in conditions.iter().filter(|one| input.is_false[one.test as usize]) {
            let mut price = if one.is_own { own } else { 0 };
            for (pid, &place) in input.control_signature.places.iter().enumerate() {
                let edges = input.queries.help.edges(one.help, place, input.processes);
                price += self.price(pid, edges, input.control_signature);
            }
            if price < least {
                (found, least) = (Some(*one), price);
            }
        }
        found
    }

    /// The estimated cost of adding edges of a process.
    fn price(&self, pid: usize, edges: &[u64], control_signature: &ControlSignature) -> u64 {
        self.words.set(self.words.get() + edges.len() as u64);
        let start = self.starts[pid];
        let (mut count, mut ready, mut near) = (0_u64, 0, 0);
        for (at, edges) in edges.iter().enumerate() {
            let new = edges & !self.members[start + at];
            count += u64::from(new.count_ones());
            ready |= new & self.ready[start + at];
            near |= new & self.near[start + at];
        }
        let ways = u64::from(control_signature.ways[pid].max(1));
        match () {
            () if self.chosen >> pid & 1 == 1 => count,
            () if ready != 0 && self.bound >> pid & 1 == 1 => HOPELESS,
            () if ready != 0 => count + ways * TRANSITION_COST,
            () if near != 0 => count + ways * TRANSITION_COST / 2,
            () => count,
        }
    }
}
