//! Sums over the processes of a state, kept up to date from a state to its successors.
//!
//! What each process adds is found once for the state that is expanded; for a successor
//! only those processes are asked again whose answer may have changed.

use beeline_engine::interpreter::{Machine, Now};
use beeline_kernel::{Cost, Estimate, Expansion};

use crate::difference::{Changed, Difference};
use crate::goal::Goal;
use crate::opened::Opened;
use crate::reads::Reads;

/// A process that can never come to where it should be adds so much: more than all
/// finite parts together.
pub(crate) const FAR: u64 = 1 << 40;

/// What is possible, but nobody knows how, is so far away.
pub(crate) const UNLIKELY: u64 = 1 << 16;

/// The largest estimate. Larger ones say nothing more, and open lists may keep an entry
/// for each cost.
pub(crate) const LARGEST: u32 = 1 << 20;

/// A sum as an estimate.
pub(crate) fn estimate(total: u64) -> Estimate {
    if total >= FAR {
        Estimate::DeadEnd
    } else {
        Estimate::Finite(Cost(total.min(u64::from(LARGEST)) as u32))
    }
}

/// What one process adds.
pub(crate) trait Part: Clone + Send {
    /// In a state.
    fn part(&mut self, machine: &Machine<'_>, now: &Now, pid: usize) -> u64;

    /// What that depends on beside the process itself, by type and location.
    fn reads(&self, process: usize, location: usize) -> &Reads;
}

/// The sum over all processes.
#[derive(Clone)]
pub(crate) struct PerProcess<'a, P> {
    pub(crate) opened: Opened<'a>,
    pub(crate) part: P,
    difference: Difference,
    /// What each process adds in the state that is expanded.
    parts: Vec<u64>,
    /// By channel: the processes whose part depends on it.
    readers: Vec<Vec<u16>>,
    /// By process: what of the globals its part depends on.
    globals: Vec<u64>,
    /// Processes whose part depends on anything.
    always: Vec<u16>,
    /// Processes to be asked again, each once.
    asked: Vec<bool>,
    again: Vec<u16>,
}

impl<'a, P: Part> PerProcess<'a, P> {
    pub(crate) fn new(machine: &'a Machine<'a>, goal: &Goal, part: P) -> Self {
        let opened = Opened::new(machine, goal);
        let difference = Difference::new(machine, opened.shape());
        PerProcess {
            opened,
            part,
            difference,
            parts: Vec::new(),
            readers: Vec::new(),
            globals: Vec::new(),
            always: Vec::new(),
            asked: Vec::new(),
            again: Vec::new(),
        }
    }

    /// The sum in a state.
    pub(crate) fn total(&mut self, state: &[u8]) -> u64 {
        self.opened.open(state);
        let Opened { machine, now, .. } = &self.opened;
        (0..now.process_count()).map(|pid| self.part.part(machine, now, pid)).sum()
    }

    /// The sums in all successors of a state.
    pub(crate) fn totals(
        &mut self,
        state: &[u8],
        successors: &Expansion,
        mut found: impl FnMut(&mut Self, u64),
    ) {
        // Asking twice does not pay for a single successor.
        if successors.len() < 2 {
            for successor in successors.states() {
                let total = self.total(successor);
                found(self, total);
            }
            return;
        }
        let before = self.remember(state);
        for successor in successors.states() {
            match self.update(before, state, successor) {
                Some(total) => found(self, total),
                // Processes or channels came or went.
                None => {
                    let total = self.total(successor);
                    found(self, total);
                    self.opened.open(state);
                }
            }
        }
    }

    /// Finds what each process adds in a state, and on what that depends.
    fn remember(&mut self, state: &[u8]) -> u64 {
        self.opened.open(state);
        let Opened { machine, now, .. } = &self.opened;
        self.difference.remember(machine, now);
        self.parts.clear();
        self.globals.clear();
        self.always.clear();
        self.readers.iter_mut().for_each(Vec::clear);
        self.readers.resize_with(now.channel_records().len(), Vec::new);
        self.asked.clear();
        self.asked.resize(now.process_count(), false);
        for pid in 0..now.process_count() {
            self.parts.push(self.part.part(machine, now, pid));
            let reads = self.part.reads(now.process(pid).index(), now.location(pid).0 as usize);
            self.globals.push(reads.globals);
            if reads.anything {
                self.always.push(pid as u16);
                continue;
            }
            for access in &reads.channels {
                if let Some(channel) = machine.channel_held(access, now, pid) {
                    self.readers[channel].push(pid as u16);
                }
            }
        }
        self.parts.iter().sum()
    }

    /// The sum in a successor; `None` when it has other records than the state that is
    /// opened.
    fn update(&mut self, before: u64, state: &[u8], successor: &[u8]) -> Option<u64> {
        let changes = self.difference.compare(successor)?;
        self.again.clear();
        let (asked, again) = (&mut self.asked, &mut self.again);
        let mut ask = |pid: u16| {
            if !std::mem::replace(&mut asked[usize::from(pid)], true) {
                again.push(pid);
            }
        };
        self.always.iter().copied().for_each(&mut ask);
        for change in changes {
            match change.changed {
                Changed::Globals(0) => {}
                Changed::Globals(changed) => {
                    let readers = self.globals.iter().enumerate();
                    let readers = readers.filter(|(_, reads)| *reads & changed != 0);
                    readers.for_each(|(pid, _)| ask(pid as u16));
                }
                Changed::Process(pid) => ask(pid as u16),
                Changed::Channel(channel) => {
                    self.readers[channel].iter().copied().for_each(&mut ask);
                }
            }
        }
        self.opened.take_over(successor, changes);
        let Opened { machine, now, .. } = &self.opened;
        let mut total = before;
        for &pid in &self.again {
            let pid = usize::from(pid);
            self.asked[pid] = false;
            total = total - self.parts[pid] + self.part.part(machine, now, pid);
        }
        self.opened.take_over(state, changes);
        Some(total)
    }
}
