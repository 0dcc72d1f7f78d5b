//! Sums over the processes of a state, kept up to date from a state to its successors.
//!
//! What each process adds is found once for the state that is expanded; for a successor
//! only those processes are asked again whose answer may have changed.

use beeline_engine::frame::PROCESSES;
use beeline_engine::interpreter::{DecodedState, Machine};
use beeline_kernel::{Cost, Estimate, Expansion};

use crate::incremental::current_state::CurrentState;
use crate::incremental::dependencies::Dependencies;
use crate::incremental::state_diff::{Changed, StateDiff};

/// A process that can never come to where it should be adds so much: more than all
/// finite parts together.
pub(crate) const FAR: u64 = 1 << 40;

/// What is possible, but nobody knows how, is so far away.
pub(crate) const UNLIKELY: u64 = 1 << 16;

/// The largest estimate. Larger ones say nothing more, and open lists may keep an entry
/// for each cost.
pub(crate) const LARGEST: u32 = 1 << 20;

/// So many processes, of all successors of a state, are few.
const FEW: usize = 64;

/// A sum as an estimate.
pub(crate) fn estimate(total: u64) -> Estimate {
    if total >= FAR {
        Estimate::DeadEnd
    } else {
        Estimate::Finite(Cost(total.min(u64::from(LARGEST)) as u32))
    }
}

/// What one process adds.
pub(crate) trait ProcessTerm: Clone + Send {
    /// The states to come have these records, until others are announced.
    fn expect(&mut self, _machine: &Machine<'_>, _now: &DecodedState) {}

    /// In a state.
    fn part(&mut self, machine: &Machine<'_>, now: &DecodedState, pid: usize) -> u64;

    /// What all of them add in a state with the records that were expected, if that can be told
    /// from its bytes at a glance.
    fn sum_from_bytes(&mut self, _machine: &Machine<'_>, _state: &[u8]) -> Option<u64> {
        None
    }

    /// What all of them add.
    fn sum(&mut self, machine: &Machine<'_>, now: &DecodedState) -> u64 {
        (0..now.process_count()).map(|pid| self.part(machine, now, pid)).sum()
    }

    /// What that depends on beside the process itself, by type and location.
    fn reads(&self, process: usize, location: usize) -> &Dependencies;
}

/// The sum over all processes.
#[derive(Clone)]
pub(crate) struct ProcessSum<'a, P> {
    pub(crate) opened: CurrentState<'a>,
    pub(crate) part: P,
    /// Knows the state that is expanded.
    difference: StateDiff,
    /// The sum in that state.
    sum: u64,
    /// Whether another state was opened since.
    is_away: bool,
    /// What each process adds there.
    parts: Vec<u64>,
    /// By channel: the processes whose part depends on it.
    readers: Vec<Vec<u16>>,
    /// By process: the channels that it is a reader of.
    reads: Vec<Vec<u16>>,
    /// By process: what of the globals its part depends on.
    globals: Vec<u64>,
    /// Processes whose part depends on anything.
    always: Vec<u16>,
    asked: Asked,
}

/// Processes to be asked again, each once.
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

    /// The sum in a state.
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

    /// The sums in all successors of a state.
    pub(crate) fn totals(
        &mut self,
        state: &[u8],
        successors: &Expansion,
        mut found: impl FnMut(&mut Self, u64),
    ) {
        let frame = self.opened.machine.layout().frame;
        // To ask few processes is faster than to compare.
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
                // Processes or channels came or went.
                None => {
                    let total = self.total(successor);
                    found(self, total);
                    self.come_back();
                }
            }
        }
    }

    /// Opens the state again that is expanded.
    fn come_back(&mut self) {
        if std::mem::take(&mut self.is_away) {
            let has_others = !self.opened.open(self.difference.known());
            if has_others {
                self.part.expect(self.opened.machine, &self.opened.now);
            }
        }
    }

    /// Opens a state, which is not the one that is expanded.
    pub(crate) fn look_at(&mut self, state: &[u8]) {
        self.is_away = true;
        self.open(state);
    }

    #[inline]
    fn open(&mut self, state: &[u8]) {
        let has_tags = self.opened.has_tags(state);
        self.open_with(state, has_tags);
    }

    /// Opens a state of which it is known whether it has the records of the last one.
    #[inline]
    fn open_with(&mut self, state: &[u8], has_tags: bool) {
        self.opened.open_with(state, has_tags);
        if !has_tags {
            self.part.expect(self.opened.machine, &self.opened.now);
        }
    }

    /// Finds what each process adds in a state, and on what that depends. Searches often
    /// go on with a state that is like the last one; then few have to be asked.
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

    /// Finds what one process adds in the state that is opened.
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

    /// Compares a state with the remembered one, and finds those whose part may differ.
    /// Says whether they have the same records.
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

    /// The sum in a successor; `None` when it has other records than the state that is
    /// opened.
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
