//! A network in which the cost of a path is the time that passes: searches of least cost find the
//! earliest error.

use beeline_kernel::{Expander, Expansion, Fault, Space, StatePath, Trail};
use beeline_model::{Certificate, CostedSpace, ErrorKind, Unconfirmed, Violation};
use beeline_search::FindingKind;

use super::narrator::time;
use super::product::no_initial_state;
use super::timed_run::execute;
use super::trail::{steps_of, trail_of};
use crate::network::TimedNetwork;
use crate::network::memory::Memory;
use crate::semantics::minimum_time::{MinimumTime, time_cost};
use crate::semantics::symbolic::SymbolicEngine;

/// The symbolic states of a network, with times as costs.
pub(super) struct TimeCosts<'s, 'n> {
    net: &'n TimedNetwork,
    /// Without the clock of time.
    engine: &'s SymbolicEngine<'n>,
    /// By goal: what its states are.
    errors: Vec<ErrorKind>,
    space: TimeGraph<'s>,
}

/// The symbolic states with time.
struct TimeGraph<'s> {
    times: MinimumTime<'s>,
}

impl<'s, 'n> TimeCosts<'s, 'n> {
    /// The costs of a network; `with_time` is the same with a clock of time.
    pub(super) fn new(
        net: &'n TimedNetwork,
        engine: &'s SymbolicEngine<'n>,
        with_time: &'s TimedNetwork,
        errors: Vec<ErrorKind>,
    ) -> TimeCosts<'s, 'n> {
        let times = MinimumTime::new(with_time, engine.goals.clone());
        TimeCosts { net, engine, errors, space: TimeGraph { times } }
    }

    /// The earliest end of a trail, in units of time, and their number in 1.
    fn end_of(&self, trail: &Trail, found: Option<FindingKind>) -> Option<(i64, i64)> {
        let steps = steps_of(self.net, trail).ok()?;
        let run = execute(self.net, self.engine, steps, found).ok()?;
        Some((run.schedule.end, run.schedule.scale))
    }
}

impl Space for TimeGraph<'_> {
    fn initial(&self, state: &mut Vec<u8>) -> Result<(), Fault> {
        self.times.initial(state)?.ok_or_else(no_initial_state)
    }

    fn expand(&self, state: &[u8], expansion: &mut Expansion) {
        self.expander().expand_only(state, expansion);
    }

    fn has_coverage(&self) -> bool {
        true
    }

    fn expander(&self) -> Box<dyn Expander + '_> {
        let memory = Memory::new(self.times.engine.net);
        Box::new(TimeExpander { times: &self.times, memory, buffer: Vec::new() })
    }
}

struct TimeExpander<'e, 'n> {
    times: &'e MinimumTime<'n>,
    memory: Memory<'n>,
    buffer: Vec<u8>,
}

impl Expander for TimeExpander<'_, '_> {
    fn expand(&mut self, state: &[u8], expansion: &mut Expansion) {
        expansion.deadlock = false;
        self.times.expand(&mut self.memory, state, &mut self.buffer, expansion);
    }
}

impl CostedSpace for TimeCosts<'_, '_> {
    fn space(&self) -> &dyn Space {
        &self.space
    }

    /// The discrete part is the same.
    fn system_state<'b>(&self, state: &'b [u8]) -> &'b [u8] {
        self.space.times.plain(state)
    }

    /// The time of the last step.
    fn cost_of(&self, trail: &Trail) -> Option<u32> {
        let (end, scale) = self.end_of(trail, None)?;
        Some(cost_at(end, scale))
    }

    fn witness(&self, path: &StatePath, found: FindingKind) -> Result<Violation, Unconfirmed> {
        let unconfirmed = |why: String| Unconfirmed { finding: Some(found), why };
        let fault = match found {
            FindingKind::Fault(fault) => Some(fault),
            FindingKind::Invariant(_) | FindingKind::Deadlock => None,
        };
        let steps = self.space.times.steps_along(path, fault).ok_or_else(|| {
            unconfirmed("a state is not a successor of the one before".to_owned())
        })?;
        let trail = trail_of(self.net, &steps);
        let length = Certificate::new(steps.len() as u64, 0);
        execute(self.net, self.engine, steps, Some(found)).map_err(unconfirmed)?;
        let error = match found {
            FindingKind::Fault(fault) => ErrorKind::Fault(fault.kind),
            FindingKind::Invariant(goal) => self.errors[goal as usize],
            FindingKind::Deadlock => ErrorKind::InvalidEnd,
        };
        Ok(Violation { error, trail, length, cycle: None })
    }

    fn remark(&self, trail: &Trail, found: FindingKind, lower_bound: u32) -> Option<String> {
        let (end, scale) = self.end_of(trail, Some(found))?;
        let at = time(end, scale);
        let least = lower_bound / 2;
        Some(if cost_at(end, scale) > lower_bound {
            format!("the run ends at time {at}")
        } else if lower_bound.is_multiple_of(2) {
            format!("the run ends at time {at}; there is no earlier one")
        } else {
            format!(
                "the run ends at time {at}; there are runs that end at any time after {least}, \
                 and none that ends earlier"
            )
        })
    }
}

/// The cost of this time.
fn cost_at(units: i64, scale: i64) -> u32 {
    time_cost(units.div_euclid(scale), units.rem_euclid(scale) != 0)
}
