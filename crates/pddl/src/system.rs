//! A planning task as a [`System`]: its property is that the goal is never reached, and a plan is
//! the trail that violates it. Witnesses are replayed on the task as it is written.

use std::sync::Arc;

use beeline_factored::{FactorExpr, FactoredView};
use beeline_heuristics::{FactoredTask, build_for_task};
use beeline_kernel::spec::Spec;
use beeline_kernel::{
    BoxedHeuristic, Deadline, EdgeId, Expansion, Faults, Preserve, Resources, Space, StatePath,
    Trail, TrailLine,
};
use beeline_model::{
    Aim, Certificate, ErrorKind, HeuristicError, HeuristicScope, Independence, Property,
    PropertyKind, SymbolicProblem, System, Unconfirmed, Unsupported, Violation,
};
use beeline_search::{FindingKind, SearchTarget};

use crate::encode::encode;
use crate::ground::{GroundError, GroundTask, ground};
use crate::replay::{PlanStep, replay};
use crate::sas::{SasTask, encode_sas, replay_sas};
use crate::space::{GOAL, PlanningSpace};
use crate::stubborn::StubbornSets;
use crate::task::PlanningTask;
use crate::view::{view, view_without_axioms};

/// The task as it is written.
enum WrittenTask {
    Pddl(PlanningTask),
    Sas(SasTask),
}

/// A grounded task with its state space.
pub struct PlanningSystem {
    task: WrittenTask,
    ground: GroundTask,
    space: Arc<PlanningSpace>,
    factored: FactoredTask,
}

/// The size of a grounded task.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PlanningSizes {
    /// Facts that may change.
    pub facts: usize,
    /// Factors with finite domains.
    pub variables: usize,
    /// Operators.
    pub operators: usize,
    /// Axioms.
    pub axioms: usize,
}

impl PlanningSystem {
    /// Grounds a task, until a deadline and within a number of bytes.
    ///
    /// # Errors
    ///
    /// When a limit is reached, or the metric is not supported.
    pub fn new(
        task: PlanningTask,
        deadline: Deadline,
        bytes: usize,
    ) -> Result<PlanningSystem, GroundError> {
        let ground = ground(&task, deadline, bytes)?;
        let space = Arc::new(PlanningSpace::new(encode(&ground, deadline)));
        let factored = FactoredTask::new(view(&space, &ground));
        Ok(PlanningSystem { task: WrittenTask::Pddl(task), ground, space, factored })
    }

    /// A task that is grounded already.
    pub fn of_sas(task: SasTask) -> PlanningSystem {
        let (encoded, ground) = encode_sas(&task);
        let space = Arc::new(PlanningSpace::new(encoded));
        let factored = FactoredTask::new(view(&space, &ground));
        PlanningSystem { task: WrittenTask::Sas(task), ground, space, factored }
    }

    /// The property that the goal is never reached.
    pub fn property() -> Property {
        let (name, kind) = ("plan".to_owned(), PropertyKind::Invariant);
        Property { name, kind, formula: None }
    }

    /// The state space, with its operators.
    pub(crate) fn planning_space(&self) -> &Arc<PlanningSpace> {
        &self.space
    }

    /// The factored view.
    pub fn factored(&self) -> &FactoredView {
        self.factored.view()
    }

    /// Whether each action costs 1, so that the cost of a plan is its length.
    pub fn has_unit_costs(&self) -> bool {
        self.space.task.operators.iter().all(|operator| operator.cost == 1)
    }

    /// Whether states have numeric fluents.
    pub fn has_numbers(&self) -> bool {
        !self.space.task.numbers.is_empty()
    }

    /// Whether the goal is unreachable by relaxed reachability alone.
    pub fn is_unsolvable(&self) -> bool {
        self.space.task.goal.is_none()
    }

    /// The size of the grounded task.
    pub fn sizes(&self) -> PlanningSizes {
        PlanningSizes {
            facts: self.ground.facts.len(),
            variables: self.space.task.groups.len(),
            operators: self.space.task.operators.len(),
            axioms: self.space.task.axioms.len(),
        }
    }

    /// The actions of a trail.
    pub fn plan(&self, trail: &Trail) -> Vec<PlanStep> {
        trail.lines.iter().map(|line| self.step(line.edge.0)).collect()
    }

    fn step(&self, operator: u32) -> PlanStep {
        let ground = self.space.task.operators[operator as usize].ground;
        let text = match &self.task {
            WrittenTask::Pddl(task) => self.ground.action_name(task, ground as usize),
            WrittenTask::Sas(task) => task.operators[ground as usize].name.clone(),
        };
        let mut words = text.trim_matches(['(', ')']).split(' ').map(str::to_owned);
        let name = words.next().unwrap_or_default();
        PlanStep { name, arguments: words.collect() }
    }

    /// The operators along a path: between two states, a cheapest one.
    fn operators_along(&self, path: &StatePath) -> Option<Vec<(u32, u32)>> {
        let (mut pairs, mut found) = (path.pairs(), Vec::new());
        let mut expansion = Expansion::default();
        while let Some((from, to)) = pairs.advance() {
            self.space.expand(from, &mut expansion);
            let transitions = expansion.successors.transitions().iter().zip(expansion.states());
            let fitting = transitions.filter(|(_, state)| *state == to);
            let best = fitting.map(|(one, _)| (one.steps, one.label.edge)).min()?;
            found.push((best.1, best.0));
        }
        Some(found)
    }

    fn trail_of(&self, operators: &[(u32, u32)]) -> Trail {
        let line = |&(edge, _): &(u32, u32)| TrailLine { pid: 0, edge: EdgeId(edge) };
        Trail { lines: operators.iter().map(line).collect(), ..Trail::default() }
    }
}

impl System for PlanningSystem {
    fn space(&self) -> &dyn Space {
        &*self.space
    }

    fn target(&self, property: &Property) -> Option<SearchTarget> {
        (property.name == "plan").then(|| SearchTarget::invariant(GOAL))
    }

    fn heuristic<'s>(
        &'s self,
        spec: &Spec,
        aim: Aim<'_>,
        resources: Resources<'_>,
    ) -> Result<BoxedHeuristic<'s>, HeuristicError> {
        match aim {
            Aim::Error(_) => build_for_task(spec, &self.factored, resources)
                .map_err(|error| HeuristicError::Request(error.to_string())),
            Aim::State(_) => {
                let why = "heuristics of planning tasks estimate the distance to the goal";
                Err(HeuristicError::Aim(why.to_owned()))
            }
        }
    }

    fn usual_heuristic(&self, _target: SearchTarget) -> Option<&'static str> {
        Some("hff")
    }

    fn greedy_heuristic(
        &self,
        _target: SearchTarget,
        scope: HeuristicScope,
    ) -> Option<&'static str> {
        Some(match scope {
            HeuristicScope::Whole => "hff",
            HeuristicScope::Local => "blind",
        })
    }

    fn admissible_heuristic(&self, _target: SearchTarget) -> &'static str {
        "lmcut"
    }

    fn relaxation(&self) -> Option<&'static str> {
        Some("hmax")
    }

    fn never_fails(&self) -> bool {
        true
    }

    fn factored_view(&self) -> Result<FactoredView, Unsupported> {
        Ok(self.factored.view().clone())
    }

    fn symbolic_problem(&self) -> Result<SymbolicProblem, Unsupported> {
        let view = match self.space.task.derived.is_empty() {
            true => None,
            false => view_without_axioms(&self.space, &self.ground),
        };
        let view = view.unwrap_or_else(|| self.factored.view().clone());
        let goal = view.system.goals.iter().flat_map(|goal| goal.conditions.iter().cloned());
        let goal = goal.reduce(FactorExpr::and).unwrap_or(FactorExpr::TRUE);
        let invariants = vec![Some(goal.negated())];
        Ok(SymbolicProblem { view, invariants, unseen: Faults::NONE })
    }

    fn independence(&self, _: Preserve) -> Result<Box<dyn Independence + '_>, Unsupported> {
        Ok(Box::new(StubbornSets::new(self.space.clone())))
    }

    fn witness(
        &self,
        path: &StatePath,
        found: FindingKind,
        bound: &dyn Fn(u64) -> u64,
    ) -> Result<Violation, Unconfirmed> {
        let unconfirmed = |why: String| Unconfirmed { finding: Some(found), why };
        let operators = self.operators_along(path);
        let operators = operators
            .ok_or_else(|| unconfirmed("a state is no successor of the one before".to_owned()))?;
        let trail = self.trail_of(&operators);
        let plan = self.plan(&trail);
        let replayed = match &self.task {
            WrittenTask::Pddl(task) => replay(task, &plan),
            WrittenTask::Sas(task) => replay_sas(task, &plan),
        };
        let replayed = replayed.map_err(|fault| unconfirmed(fault.to_string()))?;
        let cost: u64 = operators.iter().map(|one| u64::from(one.1)).sum();
        if i64::try_from(cost) != Ok(replayed.cost) {
            let why = format!("the plan costs {}, not {cost}", replayed.cost);
            return Err(unconfirmed(why));
        }
        // A bound on the number of actions is one on costs if each costs something.
        let least = self.space.task.operators.iter().map(|one| u64::from(one.cost)).min();
        let bound = bound(operators.len() as u64 * least.unwrap_or(0));
        let length = Certificate::new(cost, bound);
        Ok(Violation { error: ErrorKind::ErrorState, trail, length, cycle: None })
    }

    fn trail_along(&self, path: &StatePath) -> Option<(Trail, u64)> {
        let operators = self.operators_along(path)?;
        let cost = operators.iter().map(|one| u64::from(one.1)).sum();
        Some((self.trail_of(&operators), cost))
    }
}
