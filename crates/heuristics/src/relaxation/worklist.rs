//! Worklist of operators to examine.
//!
//! An operator sleeps until one of its awaited values is present. Then it is examined, and again
//! when a cell grows that it reads; after its first application, only when its effects depend on
//! that cell.

use super::code::Application;
use super::compiled::{Compiled, Occasion};
use super::relaxed_state::RelaxedState;
use super::triggers::Trigger;

/// The progress of an operator.
#[derive(Clone, Copy, Debug, Default)]
struct Progress {
    /// The state of this entry.
    state: u32,
    is_queued: bool,
    was_taken: bool,
    was_first: bool,
}

/// Treatment of flows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum FlowMode {
    /// Followed separately.
    Followed,
    /// Treated as effects of operators.
    AsEffects,
}

/// The worklist.
#[derive(Clone, Debug)]
pub(super) struct Worklist {
    progress: Vec<Progress>,
    /// Number of the current state.
    state: u32,
    /// Operators of cost 0, operators of cost 1, and goals.
    pub(super) free: Vec<u32>,
    pub(super) others: Vec<u32>,
    pub(super) goals: Vec<u32>,
    /// The last committed values.
    pub(super) fresh: Vec<u32>,
    flows: FlowMode,
    /// Cells that have grown, for flows.
    pub(super) grown: Vec<u32>,
}

impl Worklist {
    pub(super) fn new(compiled: &Compiled, flows: FlowMode) -> Worklist {
        Worklist {
            progress: vec![Progress::default(); compiled.codes.len()],
            state: 0,
            free: Vec::new(),
            others: Vec::new(),
            goals: Vec::new(),
            fresh: Vec::new(),
            flows,
            grown: Vec::new(),
        }
    }

    /// Starts a new state: all operators sleep, except those that wait for nothing.
    pub(super) fn begin(&mut self, compiled: &Compiled) {
        self.state = self.state.wrapping_add(1);
        if self.state == 0 {
            self.progress.fill(Progress::default());
            self.state = 1;
        }
        for list in [&mut self.free, &mut self.others, &mut self.goals, &mut self.grown] {
            list.clear();
        }
        compiled.always.iter().for_each(|&step| self.wake(compiled, step));
    }

    /// Commits the added values and queues the triggered operators. The new values are in `fresh`.
    pub(super) fn commit(&mut self, compiled: &Compiled, relaxed: &mut RelaxedState) {
        self.fresh.clear();
        while let Some(cell) = relaxed.touched.pop() {
            let known = self.fresh.len();
            if !relaxed.commit(cell, &mut self.fresh) {
                continue;
            }
            for at in known..self.fresh.len() {
                for &step in compiled.waiting.of(self.fresh[at]) {
                    self.wake(compiled, step);
                }
            }
            for &(step, need) in compiled.readers.of(cell) {
                let progress = &self.progress[step as usize];
                let is_needed = match need {
                    Trigger::Once => !progress.was_taken,
                    Trigger::Again => true,
                    Trigger::Flow => !progress.was_taken || self.flows == FlowMode::AsEffects,
                };
                if progress.state == self.state && is_needed {
                    self.queue(compiled, step);
                }
            }
            if self.flows == FlowMode::Followed {
                self.grown.push(cell);
            }
        }
    }

    fn wake(&mut self, compiled: &Compiled, step: u32) {
        let progress = &mut self.progress[step as usize];
        if progress.state != self.state {
            *progress = Progress { state: self.state, ..Progress::default() };
            self.queue(compiled, step);
        }
    }

    #[inline]
    fn queue(&mut self, compiled: &Compiled, step: u32) {
        if std::mem::replace(&mut self.progress[step as usize].is_queued, true) {
            return;
        }
        match compiled.turns[step as usize] {
            Occasion::Goal => self.goals.push(step),
            Occasion::Free => self.free.push(step),
            Occasion::Costly => self.others.push(step),
        }
    }

    /// An operator is examined.
    #[inline]
    pub(super) fn looked_at(&mut self, step: u32) -> Application {
        let progress = &mut self.progress[step as usize];
        progress.is_queued = false;
        if progress.was_taken { Application::Again } else { Application::First }
    }

    /// An operator was applied; notes whether in the state itself.
    #[inline]
    pub(super) fn taken(&mut self, step: u32, is_first: bool) {
        let progress = &mut self.progress[step as usize];
        progress.was_first |= is_first && !progress.was_taken;
        progress.was_taken = true;
    }

    /// Whether an operator was applicable in the state itself.
    pub(super) fn was_first(&self, step: u32) -> bool {
        let progress = &self.progress[step as usize];
        progress.state == self.state && progress.was_first
    }
}
