//! A network with a query about maximal runs, as the product of a system and a claim: a cycle of
//! accepting states is a run that the query asks for, or forbids.

use beeline_kernel::spec::Spec;
use beeline_kernel::{
    Blind, BoxedHeuristic, Expander, Expansion, Fault, FaultKind, Resources, SiteId, Space,
    StatePath, Trail,
};
use beeline_model::{
    Aim, Certificate, ClaimFacts, CycleError, ErrorKind, HeuristicError, ProductClaim, Property,
    System, Unconfirmed, Unsupported, Violation,
};
use beeline_search::{FindingKind, Lasso, SearchTarget};

use super::trail::trail_of;
use crate::network::memory::Memory;
use crate::semantics::goal::AlwaysGoal;
use crate::semantics::lasso::LassoSteps;
use crate::semantics::maximal_runs::{BEFORE, MaximalRuns};

/// The facts about all queries of this kind.
pub(super) const FACTS: ClaimFacts =
    ClaimFacts { about_cycles: true, counts_steps: false, is_never_claim: false };

/// A network with the condition of a query.
pub(super) struct TimedProduct<'n> {
    pub(super) space: RunGraph<'n>,
}

/// The states of runs that keep a condition.
pub(super) struct RunGraph<'n> {
    pub(super) runs: MaximalRuns<'n>,
}

impl Space for RunGraph<'_> {
    fn initial(&self, state: &mut Vec<u8>) -> Result<(), Fault> {
        let mut memory = Memory::new(self.runs.engine.net);
        let zone = self.runs.initial(&mut memory)?.ok_or_else(no_initial_state)?;
        self.runs.encode(BEFORE, &memory, &zone, state);
        Ok(())
    }

    fn expand(&self, state: &[u8], expansion: &mut Expansion) {
        self.expander().expand_only(state, expansion);
    }

    fn expander(&self) -> Box<dyn Expander + '_> {
        let memory = Memory::new(self.runs.engine.net);
        Box::new(RunExpander { runs: &self.runs, memory, buffer: Vec::new() })
    }
}

struct RunExpander<'e, 'n> {
    runs: &'e MaximalRuns<'n>,
    memory: Memory<'n>,
    buffer: Vec<u8>,
}

impl Expander for RunExpander<'_, '_> {
    fn expand(&mut self, state: &[u8], expansion: &mut Expansion) {
        expansion.deadlock = false;
        self.runs.expand(&mut self.memory, state, &mut self.buffer, expansion);
    }
}

impl System for TimedProduct<'_> {
    fn space(&self) -> &dyn Space {
        &self.space
    }

    fn target(&self, _property: &Property) -> Option<SearchTarget> {
        None
    }

    fn heuristic<'s>(
        &'s self,
        spec: &Spec,
        _aim: Aim<'_>,
        _resources: Resources<'_>,
    ) -> Result<BoxedHeuristic<'s>, HeuristicError> {
        only_blind(spec).map(|()| Box::new(Blind) as BoxedHeuristic<'s>)
    }

    fn usual_heuristic(&self, _target: SearchTarget) -> Option<&'static str> {
        None
    }

    fn witness(
        &self,
        _path: &StatePath,
        found: FindingKind,
        _bound: &dyn Fn(u64) -> u64,
    ) -> Result<Violation, Unconfirmed> {
        let why = "only cycles decide the query".to_owned();
        Err(Unconfirmed { finding: Some(found), why })
    }

    fn trail_along(&self, path: &StatePath) -> Option<(Trail, u64)> {
        let steps = self.space.runs.steps_along(path)?;
        let length = steps.iter().filter(|step| !step.is_empty()).count() as u64;
        Some((trail_of(self.space.runs.engine.net, &steps), length))
    }

    fn claim(&self, _property: &Property) -> Result<ClaimFacts, Unsupported> {
        Ok(FACTS)
    }

    fn product_claim(&self) -> Option<&dyn ProductClaim> {
        Some(self)
    }
}

impl ProductClaim for TimedProduct<'_> {
    fn facts(&self) -> ClaimFacts {
        FACTS
    }

    fn lasso_witness(&self, lasso: &Lasso, bound: u64) -> Result<Violation, Unconfirmed> {
        let runs = &self.space.runs;
        let unconfirmed = |why: &str| Unconfirmed { finding: None, why: why.to_owned() };
        let steps = runs
            .steps_of(&lasso.stem, &lasso.cycle)
            .ok_or_else(|| unconfirmed("a state is not a successor of the one before"))?;
        let steps = runs.run(&steps).map_err(|why| unconfirmed(&why))?.steps;
        // The first transition, and those that only begin or end something, are no steps.
        let length = (steps.stem.len() + steps.cycle.len()) as u64;
        let bound = bound.saturating_sub(2);
        Ok(Violation {
            error: error_of(&runs.goal),
            trail: lasso_trail(runs, &steps),
            length: Certificate::new(length, bound),
            cycle: Some(steps.cycle.len() as u64),
        })
    }

    fn not_reduced(&self) -> Option<&Unsupported> {
        None
    }

    fn vacuity(&self) -> Vec<String> {
        Vec::new()
    }
}

/// The error that a run without end is.
pub(super) fn error_of(goal: &AlwaysGoal) -> ErrorKind {
    if goal.condition.holds { ErrorKind::RunFound } else { ErrorKind::Cycle(CycleError::Formula) }
}

/// The trail of these steps.
fn lasso_trail(runs: &MaximalRuns<'_>, steps: &LassoSteps) -> Trail {
    let net = runs.engine.net;
    let mut trail = trail_of(net, &steps.stem);
    trail.cycle_start = Some(trail.lines.len());
    trail.lines.extend(trail_of(net, &steps.cycle).lines);
    trail
}

/// The fault of a network whose initial locations have invariants that do not hold.
pub(super) fn no_initial_state() -> Fault {
    Fault { kind: FaultKind::Blocked, site: SiteId(u32::MAX) }
}

/// There is only the heuristic `blind`.
pub(super) fn only_blind(spec: &Spec) -> Result<(), HeuristicError> {
    match &*spec.name {
        "blind" => Ok(()),
        other => Err(HeuristicError::Request(format!(
            "heuristic `{other}` is not supported for timed automata; there is only `blind`"
        ))),
    }
}
