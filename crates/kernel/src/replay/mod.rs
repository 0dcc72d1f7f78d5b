//! Replay: a trail executed again, by someone who does not trust the search.
//!
//! Every trail passes here before anyone sees it. The replayer shares no code
//! with the searches: it knows no store, no reduction and no heuristic, only
//! the transition system and the property.

mod error;
#[cfg(test)]
mod tests;

pub use error::ReplayError;

use crate::{Cost, Fault, Property, Step, Trail, TransitionSystem, Violation};

/// One moment of a replay, for those who want to watch.
#[derive(Clone, Copy, Debug)]
pub struct Scene<'a> {
    /// How many steps have been executed.
    pub depth: usize,
    /// The state reached.
    pub state: &'a [u8],
    /// What can happen here.
    pub enabled: &'a [Step],
    /// What happens next; `None` at the end.
    pub next: Option<Step>,
}

/// What a successful replay saw.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Replayed {
    /// The error at the end.
    pub violation: Violation,
    /// What the steps cost together.
    pub cost: Cost,
    /// After how many steps the property was first violated. Less than the
    /// length of the trail when the trail goes on past an error.
    pub first_violation: usize,
    /// The last state; after a fault that leaves none, the state it happened in.
    pub end: Vec<u8>,
}

/// Executes `trail` and checks that it ends in a violation of `property`.
///
/// # Errors
///
/// When it does not, says at which step and why.
pub fn replay(
    system: &dyn TransitionSystem,
    property: &dyn Property,
    trail: &Trail,
) -> Result<Replayed, ReplayError> {
    replay_watched(system, property, trail, &mut |_| {})
}

/// Like [`replay`], and shows every state to `watch` on the way.
///
/// # Errors
///
/// As [`replay`].
pub fn replay_watched(
    system: &dyn TransitionSystem,
    property: &dyn Property,
    trail: &Trail,
    watch: &mut dyn FnMut(Scene<'_>),
) -> Result<Replayed, ReplayError> {
    let mut run = Run::start(system, property);
    for (depth, step) in trail.steps().enumerate() {
        if trail.cycle_start() == Some(depth) {
            run.cycle = Some(Cycle { first: run.state.clone(), accepting: false });
        }
        watch(run.scene(Some(step)));
        run.execute(step)?;
    }
    watch(run.scene(None));
    let violation = match &run.cycle {
        None => run.violation,
        Some(cycle) if cycle.first != run.state => {
            return Err(ReplayError::OpenCycle { start: trail.prefix.len(), end: run.depth });
        }
        Some(cycle) => cycle.accepting.then_some(Violation::BadCycle),
    };
    Ok(Replayed {
        violation: violation.ok_or(ReplayError::NotViolated { depth: run.depth })?,
        cost: run.cost,
        first_violation: run.first_violation.unwrap_or(run.depth),
        end: run.state,
    })
}

/// An execution in progress.
struct Run<'a> {
    system: &'a dyn TransitionSystem,
    property: &'a dyn Property,
    depth: usize,
    cost: Cost,
    state: Vec<u8>,
    enabled: Vec<Step>,
    /// What is wrong at this very moment.
    violation: Option<Violation>,
    first_violation: Option<usize>,
    /// The fault that ended the execution.
    ended: Option<Fault>,
    /// The cycle being followed.
    cycle: Option<Cycle>,
}

/// What is known about the repeated part of a trail.
struct Cycle {
    /// The state to come back to.
    first: Vec<u8>,
    /// Whether a state on it is accepting.
    accepting: bool,
}

impl<'a> Run<'a> {
    fn start(system: &'a dyn TransitionSystem, property: &'a dyn Property) -> Self {
        let mut state = Vec::new();
        system.initial(&mut state);
        let mut run = Run {
            system,
            property,
            depth: 0,
            cost: Cost::ZERO,
            state,
            enabled: Vec::new(),
            violation: None,
            first_violation: None,
            ended: None,
            cycle: None,
        };
        run.look_around(None);
        run
    }

    fn scene(&self, next: Option<Step>) -> Scene<'_> {
        Scene { depth: self.depth, state: &self.state, enabled: &self.enabled, next }
    }

    /// Takes one step, if it can be taken.
    fn execute(&mut self, step: Step) -> Result<(), ReplayError> {
        if let Some(fault) = self.ended {
            return Err(ReplayError::Faulted { depth: self.depth - 1, fault });
        }
        if !self.enabled.contains(&step) {
            let (depth, alternatives) = (self.depth, self.enabled.len());
            return Err(ReplayError::NotEnabled { depth, step, alternatives });
        }
        let mut next = Vec::new();
        let fault = self.system.apply(&self.state, step, &mut next).err();
        let forbidden = fault.filter(|&fault| self.property.forbids(fault));
        match fault {
            Some(fault) if !fault.kind.is_survivable() => {
                if forbidden.is_none() {
                    return Err(ReplayError::Faulted { depth: self.depth, fault });
                }
                self.ended = Some(fault);
            }
            _ => self.state = next,
        }
        self.depth += 1;
        self.cost = self.cost + self.system.cost(step);
        self.look_around(forbidden.map(Violation::Fault));
        Ok(())
    }

    /// Finds out what can happen here and whether this is an error already; the
    /// step that led here may have brought one along.
    fn look_around(&mut self, brought: Option<Violation>) {
        self.system.enabled(&self.state, &mut self.enabled);
        self.violation = brought.or_else(|| self.property.violated(&self.state, &self.enabled));
        if self.violation.is_some() {
            self.first_violation.get_or_insert(self.depth);
        }
        if let Some(cycle) = &mut self.cycle {
            // Every state of the cycle comes by here, the first one at its end.
            cycle.accepting |= self.property.accepting(&self.state);
        }
    }
}
