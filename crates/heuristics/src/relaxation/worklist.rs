//! Which steps have to be looked at.
//!
//! A step sleeps until one of the values that it waits for is there. Then it is looked at, and
//! again when a cell grew that it reads; once it was taken, only when its effects depend on that
//! cell.

use super::code::Application;
use super::compiled::{Compiled, Occasion};
use super::relaxed_state::RelaxedState;
use super::triggers::Trigger;

/// What is known about a step.
#[derive(Clone, Copy, Debug, Default)]
struct Progress {
    /// The state for which the rest is known.
    state: u32,
    is_queued: bool,
    was_taken: bool,
    was_first: bool,
}

/// What is made of flows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum FlowMode {
    /// Someone follows them.
    Followed,
    /// They are effects of steps like others.
    AsEffects,
}

/// Steps to look at.
#[derive(Clone, Debug)]
pub(super) struct Worklist {
    progress: Vec<Progress>,
    /// The number of the state.
    state: u32,
    /// Those without cost, the others, and goals.
    pub(super) free: Vec<u32>,
    pub(super) others: Vec<u32>,
    pub(super) goals: Vec<u32>,
    /// Values that became known last.
    pub(super) fresh: Vec<u32>,
    flows: FlowMode,
    /// Cells that have grown, for who follows flows.
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

    /// Another state: all steps sleep, but those that wait for nothing.
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

    /// Makes count what was added, and queues the steps that have to be looked at. The new
    /// values are in `fresh`.
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

    /// A step is looked at now.
    #[inline]
    pub(super) fn looked_at(&mut self, step: u32) -> Application {
        let progress = &mut self.progress[step as usize];
        progress.is_queued = false;
        if progress.was_taken { Application::Again } else { Application::First }
    }

    /// A step could be taken, perhaps in the state itself.
    #[inline]
    pub(super) fn taken(&mut self, step: u32, is_first: bool) {
        let progress = &mut self.progress[step as usize];
        progress.was_first |= is_first && !progress.was_taken;
        progress.was_taken = true;
    }

    /// Whether a step could be taken in the state itself.
    pub(super) fn was_first(&self, step: u32) -> bool {
        let progress = &self.progress[step as usize];
        progress.state == self.state && progress.was_first
    }
}
