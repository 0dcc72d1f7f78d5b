//! Independence for sleep sets: which processes a step neither disables nor affects, so that both
//! orders reach the same state.
//!
//! Stubborn sets need independence only as far as the property is concerned; sleep sets need
//! equality of states in every byte. The two agree if a state contains nothing irrelevant, so
//! models that read `_last` are not supported. Variables that are never read are in no state.
//!
//! A process that takes part in a rendezvous, or waits for a timeout, depends on every step.
//!
//! Source: sleep sets are from [God96]; the test by masks and tables is ours.

use std::collections::HashMap;
use std::ops::Range;

use beeline_engine::automata::{Edge, EdgeAction, Location};
use beeline_engine::frame::{Frame, HeaderNumber, LAST};
use beeline_engine::interpreter::Machine;
use beeline_kernel::{SleepSet, StepLabel};
use beeline_promela::hir::ProcessId;

use super::access_set::{AccessSet, EnablingSet};
use super::footprint_context::EdgePosition;
use super::independence::Independence;
use super::instance::{Instance, edges_from};
use super::instance_edge::InstanceEdge;
use super::options::Preserve;
use crate::stability::constant_deciders;

/// Limits of the tables: local states, and different processes of a type with the same number.
const MOST_PLACES: usize = 1 << 11;
const MOST_VARIANTS: usize = 1 << 6;

/// Bytes of a record that never change, with their values for some process.
#[derive(Clone, Copy, Debug)]
struct ByteMask {
    /// Their offset in the record.
    at: usize,
    mask: u128,
    value: u128,
}

impl ByteMask {
    /// The number of bytes that a mask covers.
    const WIDTH: usize = size_of::<u128>();

    #[inline]
    fn word(bytes: &[u8], at: usize) -> u128 {
        match bytes.get(at..at + Self::WIDTH) {
            Some(word) => u128::from_le_bytes(word.try_into().expect("it is as wide")),
            None => Self::last_word(bytes, at),
        }
    }

    #[cold]
    fn last_word(bytes: &[u8], at: usize) -> u128 {
        let mut word = [0; Self::WIDTH];
        let end = bytes.len().min(at + Self::WIDTH);
        word[..end.saturating_sub(at)].copy_from_slice(&bytes[at.min(end)..end]);
        u128::from_le_bytes(word)
    }
}

/// A known process, with all its constants.
#[derive(Clone, Copy, Debug)]
struct ActiveProcess {
    process: ProcessId,
    /// The offset of its record.
    record: usize,
    byte_mask: ByteMask,
    /// The number of its first local state, if it has any; they are in the order of locations.
    first: Option<u32>,
}

impl ActiveProcess {
    /// Whether it is still the same process in a state with its record at the same offset.
    #[inline]
    fn is_there(&self, state: &[u8]) -> bool {
        ByteMask::word(state, self.record + self.byte_mask.at) & self.byte_mask.mask
            == self.byte_mask.value
    }
}

/// The location of a process in a state.
#[derive(Clone, Copy, Debug, Default)]
struct LocationSlot {
    /// The byte.
    at: u32,
    /// The number of the local state for a byte of zero. It precedes that of the first local state
    /// if the byte also contains the tag.
    zero: u32,
}

/// All processes of states with the same layout.
#[derive(Clone, Debug, Default)]
pub struct ActiveProcesses {
    members: Vec<ActiveProcess>,
    /// By process.
    slots: Vec<LocationSlot>,
    /// By process, as bits: whether it has local states.
    known: u32,
    /// By process, as bits: whether it has relevant constant bytes.
    byte_masks: u32,
}

impl ActiveProcesses {
    /// Sets a process.
    fn set(&mut self, pid: usize, member: ActiveProcess, frame: &Frame) {
        let SleepSet(bit) = SleepSet::single(pid as u32);
        self.members[pid] = member;
        let first_written = frame.written_location(member.process.index(), 0);
        let zero = member.first.unwrap_or(0).wrapping_sub(first_written);
        self.slots[pid] = LocationSlot { at: (member.record + frame.location_at()) as u32, zero };
        self.known = self.known & !bit | if member.first.is_some() { bit } else { 0 };
        self.byte_masks = self.byte_masks & !bit | if member.byte_mask.mask != 0 { bit } else { 0 };
    }
}

/// A possible step of a process in a local state.
struct PossibleStep {
    access_set: AccessSet,
    /// The objects that determine whether it is enabled.
    asks: EnablingSet,
    /// Whether it depends on every step.
    is_apart: bool,
}

/// Whether a step conflicts with a process in a local state. Bit 0: it commutes. Bit 1: not
/// computed yet.
type Answer = u8;
const CONFLICTS: Answer = 0;
const COMMUTES: Answer = 1;
const UNKNOWN: Answer = 2;

/// Computes which processes a step commutes with.
pub struct Commutativity<'a> {
    facts: Independence<'a>,
    /// The frame, if locations take more than a byte.
    wide: Option<Frame>,
    /// By number and type of a process: the known variants.
    known: HashMap<(usize, ProcessId), Vec<ActiveProcess>>,
    attempts: Vec<PossibleStep>,
    /// By possible step: the number of its edge.
    edges: Vec<u32>,
    /// By local state: its possible steps.
    places: Vec<Range<u32>>,
    /// By step and local state: whether they commute.
    answers: Vec<Vec<Answer>>,
}

impl<'a> Commutativity<'a> {
    /// Analyses a model. `None` if it has no independence facts.
    pub fn of(machine: &'a Machine<'a>) -> Option<Self> {
        // `_last` is part of the state.
        if matches!(machine.layout().frame.place(LAST), HeaderNumber::At(_)) {
            return None;
        }
        let keep = Preserve { faults: true, property: false, cycles: false };
        let facts = Independence::of(machine, keep).ok()?;
        let frame = machine.layout().frame;
        Some(Commutativity {
            facts,
            wide: (frame.location_size > 1).then_some(frame),
            known: HashMap::new(),
            attempts: Vec::new(),
            edges: Vec::new(),
            places: Vec::new(),
            answers: Vec::new(),
        })
    }

    /// Adds the next process of a state, whose record is at this offset.
    pub fn add(
        &mut self,
        state: &[u8],
        process: ProcessId,
        record: usize,
        active: &mut ActiveProcesses,
    ) {
        let pid = active.members.len();
        let member = self.member(state, pid, process, record);
        active.members.push(member);
        active.slots.push(LocationSlot::default());
        active.set(pid, member, &self.facts.machine.layout().frame);
    }

    fn member(
        &mut self,
        state: &[u8],
        pid: usize,
        process: ProcessId,
        record: usize,
    ) -> ActiveProcess {
        let known = self.known.entry((pid, process)).or_default();
        let mut old = known.iter().map(|member| ActiveProcess { record, ..*member });
        if let Some(member) = old.find(|member| member.is_there(state)) {
            return member;
        }
        let byte_mask = if known.len() < MOST_VARIANTS {
            self.byte_mask(&state[record..], process)
        } else {
            None
        };
        let Some(byte_mask) = byte_mask else {
            // Its possible steps are unknown.
            let byte_mask = ByteMask { at: 0, mask: 0, value: 0 };
            return ActiveProcess { process, record, byte_mask, first: None };
        };
        let first = self.add_places(state, pid, process);
        let member = ActiveProcess { process, record, byte_mask, first };
        self.known.entry((pid, process)).or_default().push(member);
        member
    }

    /// The constants of a process that matter, if they fit in one mask.
    fn byte_mask(&self, record: &[u8], process: ProcessId) -> Option<ByteMask> {
        let Independence { machine, constants, .. } = self.facts;
        let locals = constant_deciders(constants, process, machine.automaton(process));
        let bytes = || locals.iter().flat_map(|&local| machine.layout().local(process, local));
        let at = bytes().min().unwrap_or(0);
        if bytes().any(|byte| byte >= at + ByteMask::WIDTH) {
            return None;
        }
        let mask = bytes().fold(0, |mask, byte| mask | 0xff << (8 * (byte - at)));
        Some(ByteMask { at, mask, value: ByteMask::word(record, at) & mask })
    }

    /// Computes the possible steps of a process at all its locations. The number of its first local
    /// state, if the tables have room.
    #[cold]
    fn add_places(&mut self, state: &[u8], pid: usize, process: ProcessId) -> Option<u32> {
        let facts = &self.facts;
        let automaton = facts.machine.automaton(process);
        let first = self.places.len();
        if first + automaton.marks.len() > MOST_PLACES {
            return None;
        }
        let now = facts.machine.decode(state);
        let footprint_context = facts.footprint_context(&now, process, Some(pid));
        let instance = Instance::new(&footprint_context, facts.relays, &facts.visible, |_| None);
        let attempts: Vec<PossibleStep> = (automaton.edges.iter().zip(instance.edges))
            .map(|(edge, step)| {
                let print = footprint_context.footprint(automaton, edge, EdgePosition::First);
                attempt(edge, step, &print.asks)
            })
            .collect();
        let base = self.attempts.len();
        for location in 0..automaton.marks.len() as u32 {
            let here = edges_from(automaton, Location(location));
            self.places.push((base + here.start) as u32..(base + here.end) as u32);
        }
        self.answers.extend(attempts.iter().map(|_| Vec::new()));
        self.edges.extend(automaton.edges.iter().map(|edge| edge.id.0));
        self.attempts.extend(attempts);
        Some(first as u32)
    }

    /// Of these processes, those that a step commutes with.
    #[inline]
    pub fn commuting_with(
        &mut self,
        state: &[u8],
        active: &mut ActiveProcesses,
        step: StepLabel,
        others: SleepSet,
    ) -> SleepSet {
        let SleepSet(label) = SleepSet::single(step.process);
        if label & active.known == 0 {
            return SleepSet::EMPTY;
        }
        let mut asked = others.0 & active.known & !label;
        if (asked | label) & active.byte_masks != 0 {
            self.renew(state, active, asked | label);
            asked &= active.known;
        }
        let here = &self.places[self.place(state, active.slots[step.process as usize])];
        let mut here = here.start as usize..here.end as usize;
        let Some(attempt) = here.find(|&attempt| self.edges[attempt] == step.edge) else {
            return SleepSet::EMPTY;
        };
        let (mut left, mut undisturbed, mut unknown) = (asked, 0, 0);
        let answers = self.answers[attempt].as_slice();
        while left != 0 {
            let process = left.trailing_zeros();
            left &= left - 1;
            let place = self.place(state, active.slots[process as usize]);
            let answer = answers.get(place).copied().unwrap_or(UNKNOWN);
            undisturbed |= u32::from(answer & COMMUTES) << process;
            unknown |= u32::from(answer & UNKNOWN) << process;
        }
        if unknown != 0 {
            undisturbed |= self.ask_all(state, active, unknown / u32::from(UNKNOWN), attempt);
        }
        SleepSet(undisturbed)
    }

    /// The number of the local state of a process.
    #[inline(always)]
    fn place(&self, state: &[u8], LocationSlot { at, zero }: LocationSlot) -> usize {
        let written = match self.wide {
            None => u32::from(state[at as usize]),
            Some(frame) => frame.location(state, at as usize - frame.location_at()),
        };
        zero.wrapping_add(written) as usize
    }

    /// Updates the processes that were replaced by others since the last state.
    #[inline(never)]
    fn renew(&mut self, state: &[u8], active: &mut ActiveProcesses, who: u32) {
        let mut left = who & active.byte_masks;
        while left != 0 {
            let pid = left.trailing_zeros() as usize;
            let member = active.members[pid];
            if !member.is_there(state) {
                let member = self.member(state, pid, member.process, member.record);
                active.set(pid, member, &self.facts.machine.layout().frame);
            }
            left &= left - 1;
        }
    }

    /// Computes which of these processes a step commutes with.
    #[cold]
    fn ask_all(
        &mut self,
        state: &[u8],
        active: &ActiveProcesses,
        asked: u32,
        attempt: usize,
    ) -> u32 {
        let mut undisturbed = 0;
        for (pid, &spot) in active.slots.iter().take(SleepSet::CAPACITY).enumerate() {
            if asked >> pid & 1 == 1 {
                let answer = self.ask(attempt, self.place(state, spot));
                undisturbed |= u32::from(answer & COMMUTES) << pid;
            }
        }
        undisturbed
    }

    /// Whether a step commutes with a local state; the result is kept in the table.
    fn ask(&mut self, attempt: usize, place: usize) -> Answer {
        let edge = self.edges[attempt];
        let label = self.places.iter().find(|here| here.contains(&(attempt as u32)));
        let label = label.expect("every attempt is at a place").clone();
        let steps = label.map(|at| at as usize).filter(|&at| self.edges[at] == edge);
        let mut steps = steps.map(|at| &self.attempts[at]);
        let there = self.places[place].start as usize..self.places[place].end as usize;
        let there = &self.attempts[there];
        let is_undisturbed = steps.all(|step| {
            !step.is_apart
                && there.iter().all(|own| {
                    // With several edges, it is unknown which of them is enabled.
                    let stays = there.len() == 1 || !own.asks.are_met_by(&step.access_set);
                    !own.is_apart && stays && !own.access_set.clashes(&step.access_set)
                })
        });
        let answers = &mut self.answers[attempt];
        answers.resize(answers.len().max(place + 1), UNKNOWN);
        answers[place] = if is_undisturbed { COMMUTES } else { CONFLICTS };
        answers[place]
    }
}

/// A possible step of a process: an edge, with the edges that follow it in the same transition.
fn attempt(edge: &Edge, step: InstanceEdge, asks: &EnablingSet) -> PossibleStep {
    let InstanceEdge { own, needs, hands, takes, is_timeout, .. } = step;
    let mut all = needs;
    // The end of a process waits for its younger processes only.
    if !matches!(edge.steps[0].action, EdgeAction::End) {
        all.add(asks);
    }
    let is_apart = is_timeout || !hands.is_empty() || !takes.is_empty();
    PossibleStep { access_set: own, asks: all, is_apart }
}
