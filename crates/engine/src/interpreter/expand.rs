//! Successors: from one stored state to the next ones.
//!
//! States inside an atomic sequence are not stored: they belong to the transition through them. A
//! sequence that blocks loses exclusive control, and that state is stored.

use beeline_kernel::{Expansion, Fault, FaultKind, FaultTransition, SiteId, Space, StepLabel};

use super::machine::{DecodedState, Machine};
use super::moves::Move;
use crate::loop_detector::LoopDetector;

/// The end of a transition.
pub enum Successor<'a> {
    /// A stored state, with the moves of the transition.
    State(&'a DecodedState, &'a [Move]),
    /// A fatal fault, or a survivable one besides a state.
    Fault(FaultKind, &'a [Move]),
}

impl Space for Machine<'_> {
    fn initial(&self, state: &mut Vec<u8>) -> Result<(), Fault> {
        let now = Machine::initial(self).map_err(|kind| Fault { kind, site: SiteId(0) })?;
        *state = now.bytes;
        Ok(())
    }

    fn expand(&self, state: &[u8], expansion: &mut Expansion) {
        expansion.clear();
        self.expand_with(&self.decode(state), expansion, |_| {});
    }
}

impl Machine<'_> {
    /// Adds the successors of a state, and reports each of them.
    pub(crate) fn expand_with(
        &self,
        now: &DecodedState,
        expansion: &mut Expansion,
        mut tell: impl FnMut(&Successor<'_>),
    ) {
        let deadlock = self.successors(now, &mut |successor| {
            tell(&successor);
            match successor {
                Successor::State(next, moves) => {
                    expansion.hidden_steps += moves.len().saturating_sub(1) as u64;
                    let label = moves.first().map_or(StepLabel::default(), |step| StepLabel {
                        edge: step.edge.0,
                        process: step.pid as u32,
                    });
                    expansion.push_labelled(moves.len().max(1) as u32, label, &next.bytes);
                }
                Successor::Fault(kind, moves) => {
                    let site = SiteId(moves.last().map_or(0, |step| step.edge.0));
                    let (fault, steps) = (Fault { kind, site }, moves.len() as u32);
                    expansion.faults.push(FaultTransition { fault, steps });
                }
            }
        });
        expansion.deadlock = deadlock;
        self.add_broken(now, expansion);
    }

    /// Adds the violated invariants of a state.
    pub(crate) fn add_broken(&self, now: &DecodedState, expansion: &mut Expansion) {
        let broken = (0..self.invariants.len()).filter(|&invariant| !self.holds(invariant, now));
        expansion.violated_invariants.extend(broken.map(|invariant| invariant as u32));
    }

    /// Calls `arrive` for every transition of a state, in order. Returns whether the state is a
    /// deadlock.
    pub fn successors(&self, now: &DecodedState, arrive: &mut impl FnMut(Successor<'_>)) -> bool {
        let (moves, deadlock) = match self.moves(now) {
            Ok(found) => (found.moves, found.deadlock),
            Err(released) => {
                arrive(Successor::State(&released, &[]));
                return false;
            }
        };
        let mut path: Vec<Move> = Vec::new();
        let mut loop_detector = LoopDetector::default();
        let mut waiting: Vec<std::vec::IntoIter<Move>> = vec![moves.into_iter()];
        while let Some(level) = waiting.last_mut() {
            let Some(step) = level.next() else {
                waiting.pop();
                path.pop();
                continue;
            };
            path.push(step);
            if self.arrives(&path, &mut loop_detector, arrive) {
                path.pop();
                continue;
            }
            let last = path.last().expect("just pushed");
            match self.moves(&last.next) {
                Ok(found) => waiting.push(found.moves.into_iter()),
                Err(released) => {
                    arrive(Successor::State(&released, &path));
                    path.pop();
                }
            }
        }
        deadlock
    }

    /// Whether the transition ends with its last move.
    fn arrives(
        &self,
        path: &[Move],
        loop_detector: &mut LoopDetector,
        arrive: &mut impl FnMut(Successor<'_>),
    ) -> bool {
        let (last, before) = path.split_last().expect("a way has at least one move");
        if let Some(fault) = last.fault {
            arrive(Successor::Fault(fault, path));
            // After a bad index SPIN reads arbitrary memory; this does not.
            if !fault.is_survivable() || fault == FaultKind::Index {
                return true;
            }
        }
        if last.next.exclusive().is_none() {
            arrive(Successor::State(&last.next, path));
            return true;
        }
        // An atomic sequence that repeats a state never ends.
        loop_detector.returns(before.len(), &last.next.bytes, |at| &before[at].next.bytes)
    }

    /// The fewest moves from one stored state to the next; `None` if there are none.
    pub fn moves_to(&self, from: &[u8], to: &[u8]) -> Option<Vec<Move>> {
        if let Some(step) = self.step_to(from, to) {
            return Some(vec![step]);
        }
        let mut found: Option<Vec<Move>> = None;
        self.successors(&self.decode(from), &mut |successor| {
            if let Successor::State(next, moves) = successor
                && found.as_ref().is_none_or(|best| moves.len() < best.len())
                && next.bytes == to
            {
                found = Some(moves.to_vec());
            }
        });
        found
    }

    /// A single move from one state to another, by a process whose record differs: there are few of
    /// these, even among many processes.
    fn step_to(&self, from: &[u8], to: &[u8]) -> Option<Move> {
        let now = self.decode(from);
        if from.len() != to.len() || now.exclusive().is_some() {
            return None;
        }
        let moved = (0..now.process_count()).filter(|&pid| {
            let start = now.records.processes[pid];
            let end = start + self.layout.processes[now.process(pid).index()].size;
            from[start..end] != to[start..end]
        });
        moved.into_iter().find_map(|pid| {
            self.steps_of(&now, pid)
                .into_iter()
                .find(|step| step.fault.is_none() && step.next.bytes == to)
        })
    }

    /// The fewest moves from a stored state to this fault; `None` if no transition has it.
    pub fn moves_to_fault(&self, from: &[u8], fault: Fault) -> Option<Vec<Move>> {
        let mut found: Option<Vec<Move>> = None;
        self.successors(&self.decode(from), &mut |successor| {
            if let Successor::Fault(kind, moves) = successor
                && found.as_ref().is_none_or(|best| moves.len() < best.len())
                && kind == fault.kind
                && moves.last().is_some_and(|last| last.edge.0 == fault.site.0)
            {
                found = Some(moves.to_vec());
            }
        });
        found
    }
}
