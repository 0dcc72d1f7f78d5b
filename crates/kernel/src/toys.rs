//! Small transition systems for tests.

use crate::{Cost, Fault, FaultKind, Property, SiteId, Step, TransitionSystem, Violation};

/// A counter grid: two counters, each of which can go up to `size`. The steps
/// are 0 (x + 1) and 1 (y + 1); the latter costs `up`.
pub(crate) struct Grid {
    pub(crate) size: u8,
    pub(crate) up: Cost,
}

impl TransitionSystem for Grid {
    fn initial(&self, state: &mut Vec<u8>) {
        state.clear();
        state.extend([0, 0]);
    }

    fn enabled(&self, state: &[u8], steps: &mut Vec<Step>) {
        steps.clear();
        steps.extend((0..2).filter(|&axis| state[axis] < self.size).map(|axis| Step(axis as u64)));
    }

    fn apply(&self, state: &[u8], step: Step, next: &mut Vec<u8>) -> Result<(), Fault> {
        next.clear();
        next.extend_from_slice(state);
        next[step.0 as usize] += 1;
        Ok(())
    }

    fn cost(&self, step: Step) -> Cost {
        if step.0 == 0 { Cost::ONE } else { self.up }
    }
}

/// Must not reach this state.
pub(crate) struct Never(pub(crate) [u8; 2]);

impl Property for Never {
    fn name(&self) -> &str {
        "never"
    }

    fn violated(&self, state: &[u8], _: &[Step]) -> Option<Violation> {
        (state == self.0).then_some(Violation::BadState)
    }
}

/// Must not get stuck.
pub(crate) struct NoDeadlock;

impl Property for NoDeadlock {
    fn name(&self) -> &str {
        "deadlock"
    }

    fn violated(&self, _: &[u8], enabled: &[Step]) -> Option<Violation> {
        enabled.is_empty().then_some(Violation::InvalidEnd)
    }
}

/// Two processes that look before they lock, in two steps, as one should not:
/// both may look before either locks. The state is the places of the processes
/// (0 outside, 1 about to lock, 2 inside) and the lock; step `p` moves process
/// `p`. Entering while the other is inside fails as `collision` says.
pub(crate) struct Mutex {
    pub(crate) collision: FaultKind,
}

impl TransitionSystem for Mutex {
    fn initial(&self, state: &mut Vec<u8>) {
        state.clear();
        state.extend([0, 0, 0]);
    }

    fn enabled(&self, state: &[u8], steps: &mut Vec<Step>) {
        steps.clear();
        let free = state[2] == 0;
        steps.extend((0..2).filter(|&p| state[p] != 0 || free).map(|p| Step(p as u64)));
    }

    fn apply(&self, state: &[u8], step: Step, next: &mut Vec<u8>) -> Result<(), Fault> {
        let process = step.0 as usize;
        next.clear();
        next.extend_from_slice(state);
        next[process] = (state[process] + 1) % 3;
        match next[process] {
            0 => next[2] = 0,
            2 => next[2] = 1,
            _ => {}
        }
        let collision = next[0] == 2 && next[1] == 2;
        if collision { Err(Fault { kind: self.collision, site: SiteId(7) }) } else { Ok(()) }
    }
}

/// No step may fail.
pub(crate) struct NoFault;

impl Property for NoFault {
    fn name(&self) -> &str {
        "assertions"
    }

    fn violated(&self, _: &[u8], _: &[Step]) -> Option<Violation> {
        None
    }

    fn forbids(&self, _: Fault) -> bool {
        true
    }
}

/// The second process must not stay outside forever while the first enters
/// again and again.
pub(crate) struct NoStarvation;

impl Property for NoStarvation {
    fn name(&self) -> &str {
        "starvation"
    }

    fn violated(&self, _: &[u8], _: &[Step]) -> Option<Violation> {
        None
    }

    fn accepting(&self, state: &[u8]) -> bool {
        state[0] == 2 && state[1] == 0
    }
}
