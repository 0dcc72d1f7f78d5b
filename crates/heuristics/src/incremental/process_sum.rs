//! Sums over the processes of a state, updated incrementally from a state to its successors.
//!
//! The terms of the expanded state are computed once. For a successor, only terms with changed
//! dependencies are recomputed.

use beeline_engine::frame::PROCESSES;
use beeline_engine::interpreter::{DecodedState, Machine};
use beeline_kernel::{Cost, Estimate, Expansion};

use crate::incremental::current_state::CurrentState;
use crate::incremental::dependencies::Dependencies;
use crate::incremental::state_diff::{Changed, StateDiff};

/// Term of a process that cannot reach its target: exceeds any sum of finite terms.
pub(crate) const FAR: u64 = 1 << 40;

/// Term of a process that may reach its target at unknown cost.
pub(crate) const UNLIKELY: u64 = 1 << 16;

/// The largest estimate. Larger values carry no information, and open lists may have a bucket per
/// cost.
pub(crate) const LARGEST: u32 = 1 << 20;

/// Up to this many processes in all successors together, recomputing is faster than comparing.
const FEW: usize = 64;

/// A sum as an estimate.
pub(crate) fn estimate(total: u64) -> Estimate {
    if total >= FAR {
        Estimate::DeadEnd
    } else {
        Estimate::Finite(Cost(total.min(u64::from(LARGEST)) as u32))
    }
}

/// The term of one process.
pub(crate) trait ProcessTerm: Clone + Send {
    /// Announces the record layout of the following states.
    fn expect(&mut self, _machine: &Machine<'_>, _now: &DecodedState) {}

    /// The term of a process in a state.
    fn part(&mut self, machine: &Machine<'_>, now: &DecodedState, pid: usize) -> u64;

    /// The sum of all terms of a state with the announced layout, if a few bytes of the state
    /// decide it.
    fn sum_from_bytes(&mut self, _machine: &Machine<'_>, _state: &[u8]) -> Option<u64> {
        None
    }

    /// The sum of all terms.
    fn sum(&mut self, machine: &Machine<'_>, now: &DecodedState) -> u64 {
        (0..now.process_count()).map(|pid| self.part(machine, now, pid)).sum()
    }

    /// Dependencies of a term besides its process, by process type and location.
    fn reads(&self, process: usize, location: usize) -> &Dependencies;
}

/// An incremental sum over all processes.
#[derive(Clone)]
pub(crate) struct ProcessSum<'a, P> {
    pub(crate) opened: CurrentState<'a>,
    pub(crate) part: P,
    /// Holds the expanded state.
    difference: StateDiff,
    /// Sum of the expanded state.
    sum: u64,
    /// Whether another state has been decoded since.
    is_away: bool,
    /// Terms of the expanded state.
    parts: Vec<u64>,
    /// By channel: processes whose terms depend on it.
    readers: Vec<Vec<u16>>,
    /// By process: channels that its term depends on.
    reads: Vec<Vec<u16>>,
    /// By process: global variables that its term depends on.
    globals: Vec<u64>,
    /// Processes whose terms depend on the whole state.
    always: Vec<u16>,
    asked: Asked,
}

/// Worklist of processes whose terms are recomputed.
#[derive(Clone, Default)]
struct Asked {
    is_asked: Vec<bool>,
    again: Vec<u16>,
}

impl Asked {
    #[inline]
    fn ask(&mut self, pid: u16) {
        if !std::mem::replace(&mut self.is_asked[usize::from(pid)], true) {
            self.again.push(pid);
        }
    }
}

impl<'a, P: ProcessTerm> ProcessSum<'a, P> {
    pub(crate) fn new(machine: &'a Machine<'a>, part: P) -> Self {
        let opened = CurrentState::new(machine);
        let difference = StateDiff::new();
        ProcessSum {
            opened,
            part,
            difference,
            sum: 0,
            is_away: false,
            parts: Vec::new(),
            readers: Vec::new(),
            reads: Vec::new(),
            globals: Vec::new(),
            always: Vec::new(),
            asked: Asked::default(),
        }
    }

    /// The sum of a state.
    pub(crate) fn total(&mut self, state: &[u8]) -> u64 {
        let has_tags = self.opened.has_tags(state);
        if has_tags && let Some(total) = self.part.sum_from_bytes(self.opened.machine, state) {
            return total;
        }
        self.is_away = true;
        self.open_with(state, has_tags);
        let CurrentState { machine, now, .. } = &self.opened;
        self.part.sum(machine, now)
    }

    /// The sums of all successors of a state.
    pub(crate) fn totals(
        &mut self,
        state: &[u8],
        successors: &Expansion,
        mut found: impl FnMut(&mut Self, u64),
    ) {
        let frame = self.opened.machine.layout().frame;
        // For few processes, recomputing is faster than comparing.
        if successors.len() * frame.number(state, PROCESSES) <= FEW {
            for successor in successors.states() {
                let total = self.total(successor);
                found(self, total);
            }
            return;
        }
        self.remember(state);
        for successor in successors.states() {
            match self.update(state, successor) {
                Some(total) => found(self, total),
                // The layout changed: a process or channel was created or removed.
                None => {
                    let total = self.total(successor);
                    found(self, total);
                    self.come_back();
                }
            }
        }
    }

    /// Decodes the expanded state again.
    fn come_back(&mut self) {
        if std::mem::take(&mut self.is_away) {
            let has_others = !self.opened.open(self.difference.known());
            if has_others {
                self.part.expect(self.opened.machine, &self.opened.now);
            }
        }
    }

    /// Decodes a state other than the expanded one.
    pub(crate) fn look_at(&mut self, state: &[u8]) {
        self.is_away = true;
        self.open(state);
    }

    #[inline]
    fn open(&mut self, state: &[u8]) {
        let has_tags = self.opened.has_tags(state);
        self.open_with(state, has_tags);
    }

    /// Decodes a state; `has_tags` says whether it has the layout of the previous one.
    #[inline]
    fn open_with(&mut self, state: &[u8], has_tags: bool) {
        self.opened.open_with(state, has_tags);
        if !has_tags {
            self.part.expect(self.opened.machine, &self.opened.now);
        }
    }

    /// Computes the terms of a state and their dependencies, incrementally if its layout is the
    /// previous one's.
    fn remember(&mut self, state: &[u8]) {
        self.come_back();
        if !self.find_asked(state) {
            return self.remember_all(state);
        }
        self.opened.take_over(state, self.difference.changes());
        self.difference.follow(state);
        let mut again = std::mem::take(&mut self.asked.again);
        for pid in again.drain(..) {
            self.asked.is_asked[usize::from(pid)] = false;
            self.remember_part(usize::from(pid));
        }
        self.asked.again = again;
    }

    fn remember_all(&mut self, state: &[u8]) {
        self.open(state);
        let CurrentState { machine, now, .. } = &self.opened;
        self.difference.remember(machine, now);
        let (processes, channels) = (now.process_count(), now.channel_records().len());
        self.always.clear();
        self.readers.iter_mut().chain(&mut self.reads).for_each(Vec::clear);
        self.readers.resize_with(channels.max(self.readers.len()), Vec::new);
        self.reads.resize_with(processes.max(self.reads.len()), Vec::new);
        self.asked.again.clear();
        self.asked.is_asked.clear();
        self.asked.is_asked.resize(processes, false);
        self.sum = 0;
        self.globals.clear();
        self.globals.resize(processes, 0);
        self.parts.clear();
        self.parts.resize(processes, 0);
        (0..processes).for_each(|pid| self.remember_part(pid));
    }

    /// Computes the term of one process in the decoded state.
    fn remember_part(&mut self, pid: usize) {
        let CurrentState { machine, now, .. } = &self.opened;
        let part = self.part.part(machine, now, pid);
        self.sum = self.sum - self.parts[pid] + part;
        self.parts[pid] = part;
        let number = pid as u16;
        for channel in self.reads[pid].drain(..) {
            self.readers[usize::from(channel)].retain(|&reader| reader != number);
        }
        let reads = self.part.reads(now.process(pid).index(), now.location(pid).0 as usize);
        self.globals[pid] = reads.globals;
        let is_always = self.always.iter().position(|&other| other == number);
        match (is_always, reads.anything) {
            (Some(at), false) => drop(self.always.swap_remove(at)),
            (None, true) => self.always.push(number),
            _ => {}
        }
        if reads.anything {
            return;
        }
        for access in &reads.channels {
            if let Some(channel) = machine.channel_held(access, now, pid)
                && !self.reads[pid].contains(&(channel as u16))
            {
                self.reads[pid].push(channel as u16);
                self.readers[channel].push(number);
            }
        }
    }

    /// Finds the processes whose terms may differ from those of the expanded state. Returns whether
    /// both states have the same layout.
    fn find_asked(&mut self, state: &[u8]) -> bool {
        if !self.difference.compare(state) {
            return false;
        }
        let asked = &mut self.asked;
        asked.again.clear();
        self.always.iter().for_each(|&pid| asked.ask(pid));
        for change in self.difference.changes() {
            match change.changed {
                Changed::Globals(0) => {}
                Changed::Globals(changed) => {
                    let readers = self.globals.iter().enumerate();
                    let readers = readers.filter(|(_, reads)| *reads & changed != 0);
                    readers.for_each(|(pid, _)| asked.ask(pid as u16));
                }
                Changed::Process(pid) => asked.ask(pid as u16),
                Changed::Channel(channel) => {
                    self.readers[channel].iter().for_each(|&pid| asked.ask(pid));
                }
            }
        }
        true
    }

    /// The sum of a successor; `None` if its layout differs.
    fn update(&mut self, state: &[u8], successor: &[u8]) -> Option<u64> {
        if !self.find_asked(successor) {
            return None;
        }
        self.opened.take_over(successor, self.difference.changes());
        let CurrentState { machine, now, .. } = &self.opened;
        let mut total = self.sum;
        for &pid in &self.asked.again {
            let pid = usize::from(pid);
            self.asked.is_asked[pid] = false;
            total = total - self.parts[pid] + self.part.part(machine, now, pid);
        }
        self.opened.take_over(state, self.difference.changes());
        Some(total)
    }
}
