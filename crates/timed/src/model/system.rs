//! A network as a [`System`]: symbolic states, and witnesses that are executed with time stamps.

use std::sync::OnceLock;

use beeline_kernel::spec::Spec;
use beeline_kernel::{
    Blind, BoxedHeuristic, CostModel, Expander, Expansion, Fault, Resources, Space, StatePath,
    Trail,
};
use beeline_model::{
    Aim, Certificate, ClaimFacts, CostedSpace, ErrorKind, HeuristicError, HeuristicScope,
    ProductOptions, Property, PropertyKind, SymbolicProblem, System, Unconfirmed, Unsupported,
    Violation,
};
use beeline_search::{FindingKind, SearchTarget};

use super::guides::Guides;
use super::product::{FACTS, RunGraph, TimedProduct, no_initial_state};
use super::time_costs::TimeCosts;
use super::timed_run::{TimedRun, execute};
use super::trail::trail_of;
use crate::network::TimedNetwork;
use crate::network::memory::Memory;
use crate::semantics::goal::AlwaysGoal;
use crate::semantics::maximal_runs::MaximalRuns;
use crate::semantics::minimum_time::with_time;
use crate::semantics::schedule::steps_along;
use crate::semantics::symbolic::SymbolicEngine;
use crate::semantics::synchronisation::Part;

/// The symbolic states of a network.
pub(super) struct ZoneGraph<'n> {
    pub(super) engine: SymbolicEngine<'n>,
}

impl Space for ZoneGraph<'_> {
    fn initial(&self, state: &mut Vec<u8>) -> Result<(), Fault> {
        let mut memory = Memory::new(self.engine.net);
        match self.engine.initial(&mut memory)? {
            Some(zone) => {
                self.engine.layout.encode(&memory, &zone, state);
                Ok(())
            }
            None => Err(no_initial_state()),
        }
    }

    fn expand(&self, state: &[u8], expansion: &mut Expansion) {
        self.expander().expand_only(state, expansion);
    }

    fn has_coverage(&self) -> bool {
        true
    }

    fn expander(&self) -> Box<dyn Expander + '_> {
        let memory = Memory::new(self.engine.net);
        Box::new(ZoneExpander { engine: &self.engine, memory, buffer: Vec::new() })
    }
}

struct ZoneExpander<'e, 'n> {
    engine: &'e SymbolicEngine<'n>,
    memory: Memory<'n>,
    buffer: Vec<u8>,
}

impl Expander for ZoneExpander<'_, '_> {
    fn expand(&mut self, state: &[u8], expansion: &mut Expansion) {
        // Flags of the state that was expanded last; the successors are added to those before.
        expansion.deadlock = false;
        self.engine.expand(&mut self.memory, state, &mut self.buffer, expansion);
    }
}

/// What a property looks for, as a number among the goals.
#[derive(Clone, Debug)]
pub(super) enum PropertyGoal {
    /// A goal of the engine.
    Goal(u32),
    /// Faults.
    Faults,
    /// Maximal runs that keep a condition.
    Runs(AlwaysGoal),
    /// It cannot be checked.
    Refused(String),
}

/// A network with the goals of some properties.
pub(super) struct TimedSystem<'n> {
    pub(super) net: &'n TimedNetwork,
    pub(super) space: ZoneGraph<'n>,
    /// The properties by name.
    pub(super) goals: Vec<(Property, PropertyGoal)>,
    /// The heuristics.
    pub(super) guides: Guides<'n>,
    /// The network with a clock of time, if it was asked for.
    pub(super) with_time: OnceLock<TimedNetwork>,
}

impl<'n> TimedSystem<'n> {
    /// The property that looks for a goal.
    pub(super) fn property_of(&self, goal: u32) -> Option<&Property> {
        let found = self
            .goals
            .iter()
            .find(|(_, its)| matches!(its, PropertyGoal::Goal(number) if *number == goal));
        found.map(|(property, _)| property)
    }

    /// The condition of a property about maximal runs.
    fn runs_of(&self, property: &Property) -> Result<&AlwaysGoal, Unsupported> {
        match self.goals.iter().find(|(one, _)| one.name == property.name) {
            Some((_, PropertyGoal::Runs(goal))) => Ok(goal),
            Some((_, PropertyGoal::Refused(why))) => Err(Unsupported::new(why.clone())),
            _ => {
                let why = format!("`{}` is not a property of this model", property.name);
                Err(Unsupported::new(why))
            }
        }
    }

    /// The error at the end of a run that reaches a goal.
    pub(super) fn error_of(&self, goal: u32) -> ErrorKind {
        match self.property_of(goal).map(|property| property.kind) {
            Some(PropertyKind::Deadlock) => ErrorKind::InvalidEnd,
            Some(PropertyKind::Reachability) => ErrorKind::Reached,
            _ => ErrorKind::Invariant(goal),
        }
    }

    /// The error of a finding.
    pub(super) fn error_kind(&self, found: FindingKind) -> ErrorKind {
        match found {
            FindingKind::Fault(fault) => ErrorKind::Fault(fault.kind),
            FindingKind::Invariant(goal) => self.error_of(goal),
            FindingKind::Deadlock => ErrorKind::InvalidEnd,
        }
    }

    /// Time stamps for steps, and the run with them, executed on single valuations.
    pub(super) fn run(
        &self,
        steps: Vec<Vec<Part>>,
        found: Option<FindingKind>,
    ) -> Result<TimedRun<'n>, String> {
        execute(self.net, &self.space.engine, steps, found)
    }
}

impl System for TimedSystem<'_> {
    fn space(&self) -> &dyn Space {
        &self.space
    }

    fn target(&self, property: &Property) -> Option<SearchTarget> {
        let (_, goal) = self.goals.iter().find(|(one, _)| one.name == property.name)?;
        match goal {
            PropertyGoal::Goal(number) => Some(SearchTarget::invariant(*number)),
            PropertyGoal::Faults => Some(SearchTarget::FAULT),
            PropertyGoal::Runs(_) | PropertyGoal::Refused(_) => None,
        }
    }

    fn heuristic<'s>(
        &'s self,
        spec: &Spec,
        aim: Aim<'_>,
        resources: Resources<'_>,
    ) -> Result<BoxedHeuristic<'s>, HeuristicError> {
        if spec.name == "blind" && spec.arguments.is_empty() {
            return Ok(Box::new(Blind));
        }
        match aim {
            Aim::Error(target) => self.guides.build(spec, &self.space.engine, target, resources),
            Aim::State(_) => {
                let why = "heuristics of timed automata estimate the distance to a state that a \
                           query asks for, not to a known one";
                Err(HeuristicError::Aim(why.to_owned()))
            }
        }
    }

    fn usual_heuristic(&self, target: SearchTarget) -> Option<&'static str> {
        self.guides.knows(&self.space.engine, target).then_some("hff")
    }

    fn greedy_heuristic(
        &self,
        target: SearchTarget,
        scope: HeuristicScope,
    ) -> Option<&'static str> {
        self.usual_heuristic(target).map(|_| match scope {
            HeuristicScope::Whole => "dpa",
            HeuristicScope::Local => "hff",
        })
    }

    fn admissible_heuristic(&self, target: SearchTarget) -> &'static str {
        if self.guides.knows(&self.space.engine, target) { "hpl" } else { "blind" }
    }

    fn symbolic_problem(&self) -> Result<SymbolicProblem, Unsupported> {
        self.guides.symbolic_problem(&self.space.engine)
    }

    fn relaxation(&self) -> Option<&'static str> {
        Some("hff")
    }

    fn witness(
        &self,
        path: &StatePath,
        found: FindingKind,
        bound: &dyn Fn(u64) -> u64,
    ) -> Result<Violation, Unconfirmed> {
        let unconfirmed = |why: String| Unconfirmed { finding: Some(found), why };
        let fault = match found {
            FindingKind::Fault(fault) => Some(fault),
            FindingKind::Invariant(_) | FindingKind::Deadlock => None,
        };
        let steps = steps_along(&self.space.engine, path, fault);
        let steps = steps.ok_or_else(|| {
            unconfirmed("a state is not a successor of the one before".to_owned())
        })?;
        let trail = trail_of(self.net, &steps);
        let length = steps.len() as u64;
        self.run(steps, Some(found)).map_err(unconfirmed)?;
        let error = self.error_kind(found);
        let length = Certificate::new(length, bound(path.transitions() as u64));
        Ok(Violation { error, trail, length, cycle: None })
    }

    fn trail_along(&self, path: &StatePath) -> Option<(Trail, u64)> {
        let steps = steps_along(&self.space.engine, path, None)?;
        Some((trail_of(self.net, &steps), steps.len() as u64))
    }

    fn costed(&self, costs: CostModel) -> Option<Box<dyn CostedSpace + '_>> {
        if costs != CostModel::Time {
            return None;
        }
        let net = self.with_time.get_or_init(|| with_time(self.net));
        let goals = 0..self.space.engine.goals.len() as u32;
        let errors = goals.map(|goal| self.error_of(goal)).collect();
        Some(Box::new(TimeCosts::new(self.net, &self.space.engine, net, errors)))
    }

    fn claim(&self, property: &Property) -> Result<ClaimFacts, Unsupported> {
        self.runs_of(property).map(|_| FACTS)
    }

    fn with_product(
        &self,
        property: &Property,
        _options: ProductOptions,
        run: &mut dyn FnMut(&dyn System),
    ) -> Result<(), Unsupported> {
        let runs = MaximalRuns::new(self.net, self.runs_of(property)?.clone());
        run(&TimedProduct { space: RunGraph { runs } });
        Ok(())
    }
}
