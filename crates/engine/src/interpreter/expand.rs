//! From one state that is stored to the next ones.
//!
//! States inside an atomic sequence are not stored: they belong to the move that
//! leads through them. A sequence that gets stuck lets go of control, and that
//! state is stored.

use beeline_kernel::{Expansion, Failure, Fault, FaultKind, Mover, SiteId, Space};

use super::machine::{Machine, Now};
use super::moves::Move;
use crate::footprints::Footprints;

/// Where a way to a stored state ends.
pub enum Arrival<'a> {
    /// At a state; the moves that led there.
    State(&'a Now, &'a [Move]),
    /// At a fault that cannot be survived, or beside one that can.
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
        self.expand_telling(&self.open(state), expansion, |_| {});
    }
}

impl Machine<'_> {
    /// Adds what follows a state, and tells of each way.
    pub(crate) fn expand_telling(
        &self,
        now: &Now,
        expansion: &mut Expansion,
        mut tell: impl FnMut(&Arrival<'_>),
    ) {
        let deadlock = self.ways(now, &mut |arrival| {
            tell(&arrival);
            match arrival {
                Arrival::State(next, moves) => {
                    expansion.hidden_steps += moves.len().saturating_sub(1) as u64;
                    let mover = moves.first().map_or(Mover::default(), |step| Mover {
                        edge: step.edge.0,
                        process: step.pid as u32,
                    });
                    expansion.push_by(moves.len().max(1) as u32, mover, &next.bytes);
                }
                Arrival::Fault(kind, moves) => {
                    let site = SiteId(moves.last().map_or(0, |step| step.edge.0));
                    let (fault, steps) = (Fault { kind, site }, moves.len() as u32);
                    expansion.faults.push(Failure { fault, steps });
                }
            }
        });
        expansion.deadlock = deadlock;
        self.add_broken(now, expansion);
    }

    /// Adds the invariants that do not hold in a state.
    pub(crate) fn add_broken(&self, now: &Now, expansion: &mut Expansion) {
        let broken = (0..self.invariants.len()).filter(|&invariant| !self.holds(invariant, now));
        expansion.broken.extend(broken.map(|invariant| invariant as u32));
    }

    /// Calls `arrive` for every way out of a state, in order, and tells whether
    /// the state is a deadlock.
    pub fn ways(&self, now: &Now, arrive: &mut impl FnMut(Arrival<'_>)) -> bool {
        let (moves, deadlock) = match self.moves(now) {
            Ok(found) => (found.moves, found.deadlock),
            Err(released) => {
                arrive(Arrival::State(&released, &[]));
                return false;
            }
        };
        let mut path: Vec<Move> = Vec::new();
        let mut footprints = Footprints::default();
        let mut waiting: Vec<std::vec::IntoIter<Move>> = vec![moves.into_iter()];
        while let Some(level) = waiting.last_mut() {
            let Some(step) = level.next() else {
                waiting.pop();
                path.pop();
                continue;
            };
            path.push(step);
            if self.arrives(&path, &mut footprints, arrive) {
                path.pop();
                continue;
            }
            let last = path.last().expect("just pushed");
            match self.moves(&last.next) {
                Ok(found) => waiting.push(found.moves.into_iter()),
                Err(released) => {
                    arrive(Arrival::State(&released, &path));
                    path.pop();
                }
            }
        }
        deadlock
    }

    /// Whether the way ends with its last move.
    fn arrives(
        &self,
        path: &[Move],
        footprints: &mut Footprints,
        arrive: &mut impl FnMut(Arrival<'_>),
    ) -> bool {
        let (last, before) = path.split_last().expect("a way has at least one move");
        if let Some(fault) = last.fault {
            arrive(Arrival::Fault(fault, path));
            // Behind a bad index SPIN reads whatever is there; we do not guess.
            if !fault.is_survivable() || fault == FaultKind::Index {
                return true;
            }
        }
        if last.next.exclusive().is_none() {
            arrive(Arrival::State(&last.next, path));
            return true;
        }
        // An atomic sequence that came back to a state of its own never ends.
        footprints.returns(before.len(), &last.next.bytes, |at| &before[at].next.bytes)
    }

    /// The fewest moves from one stored state to the next; `None` when no way leads there.
    pub fn way_to(&self, from: &[u8], to: &[u8]) -> Option<Vec<Move>> {
        if let Some(step) = self.step_to(from, to) {
            return Some(vec![step]);
        }
        let mut found: Option<Vec<Move>> = None;
        self.ways(&self.open(from), &mut |arrival| {
            if let Arrival::State(next, moves) = arrival
                && found.as_ref().is_none_or(|best| moves.len() < best.len())
                && next.bytes == to
            {
                found = Some(moves.to_vec());
            }
        });
        found
    }

    /// A single move from one state to another, by a process that is not the same
    /// afterwards: there are few of those, though there may be many processes.
    fn step_to(&self, from: &[u8], to: &[u8]) -> Option<Move> {
        let now = self.open(from);
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

    /// The fewest moves from a stored state to this very fault; `None` when it is not
    /// behind it.
    pub fn way_to_fault(&self, from: &[u8], fault: Fault) -> Option<Vec<Move>> {
        let mut found: Option<Vec<Move>> = None;
        self.ways(&self.open(from), &mut |arrival| {
            if let Arrival::Fault(kind, moves) = arrival
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
