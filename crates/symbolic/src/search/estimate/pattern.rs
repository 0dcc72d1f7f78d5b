//! Pattern databases: the distances of the projection of a system on some factors.
//!
//! Source: [EMJ05], "Symbolic Search", §7 and its reference to Qian and Nymeyer, "Guided invariant
//! model checking based on abstraction and symbolic pattern databases", TACAS 2004.
//! Claims: admissible and consistent, as each step of the system is a step of its projection that
//! costs as much or less. So is the sum of several databases if each operator costs something in one
//! of them only: additive pattern databases, S. Edelkamp, "Planning with pattern databases", ECP 2001.

use beeline_factored::{FactorExpr, FactorId, Goal, Ranges};

use crate::costed_step::CostedSets;
use crate::costs::StepCosts;
use crate::ldd::{LevelAccess, Set, Support, SupportLevel, WeightTable};
use crate::limits::{DiagramLimits, SymbolicError};
use crate::order::LevelOrder;
use crate::reachability::SymbolicStrategy;
use crate::search::estimate::projection::{Pattern, project};
use crate::search::estimate::{ComponentSum, EstimateRelation, FactorDistances, SymbolicEstimate};
use crate::system::SymbolicSystem;

/// The goals of a pattern database.
#[derive(Clone, Copy, Debug)]
pub enum PatternGoal<'g> {
    /// States that satisfy one of these. Conditions on other factors are ignored.
    Conditions(&'g [Goal]),
    /// States of the system, each set with the cost of a failing step after it.
    States(&'g CostedSets),
}

/// The distances of a projection.
#[derive(Clone, Debug)]
pub struct PatternDistances {
    relation: EstimateRelation,
}

impl PatternDistances {
    /// The distances of the projection of a system on some factors. The projection has limits of its
    /// own.
    ///
    /// # Errors
    ///
    /// When a limit is reached, or an operator of the projection has too many outcomes.
    pub fn new(
        system: &mut SymbolicSystem<'_>,
        factors: &[FactorId],
        goal: PatternGoal<'_>,
        limits: DiagramLimits,
    ) -> Result<PatternDistances, SymbolicError> {
        let costs = system.costs.clone();
        PatternDistances::with_costs(system, factors, goal, limits, |_| costs)
    }

    /// The distances with costs of operators that may depend on those that the projection has, which
    /// are given by their positions in the system.
    fn with_costs(
        system: &mut SymbolicSystem<'_>,
        factors: &[FactorId],
        goal: PatternGoal<'_>,
        limits: DiagramLimits,
        costs: impl FnOnce(&[u32]) -> StepCosts,
    ) -> Result<PatternDistances, SymbolicError> {
        let mut levels: Vec<u32> =
            factors.iter().filter_map(|&factor| system.order.level(factor)).collect();
        levels.sort_unstable();
        levels.dedup();
        let reads = levels.iter().map(|&level| SupportLevel::new(level, LevelAccess::Read));
        let support = Support::new(&mut system.forest, reads.collect());
        let kept = levels.iter().map(|&level| system.order.factors()[level as usize]).collect();
        let pattern = Pattern::new(kept, system.ranges);
        let (projection, origins) = project(system.system, &pattern);
        let ranges = Ranges::of(&projection);
        let order = LevelOrder::given(pattern.kept().to_vec(), projection.factors.len());
        let costs = costs(&origins).of(&origins);
        let mut abstracted =
            SymbolicSystem::with_order(&projection, &ranges, limits, costs, |_| order);
        let within = abstracted.reachable(SymbolicStrategy::Auto)?.states;
        let goals = match goal {
            PatternGoal::Conditions(goals) => {
                satisfying(&mut abstracted, &pattern, goals, &within.free)?
            }
            PatternGoal::States(sets) => projected(system, &mut abstracted, &support, sets)?,
        };
        let mut values = Vec::new();
        for (distance, states) in abstracted.distances_to(&goals, &within)? {
            values.push((distance, system.forest.copy_of(&abstracted.forest, &states)?));
        }
        Ok(PatternDistances { relation: EstimateRelation { values, support: Some(support) } })
    }

    /// The distances of the values of the only factor of the pattern; `None` if it has one value.
    pub(super) fn of_factor(
        &self,
        system: &SymbolicSystem<'_>,
        factor: FactorId,
    ) -> Option<FactorDistances> {
        system.order.level(factor)?;
        let values = self.relation.values.iter().flat_map(|(distance, set)| {
            system.forest.vectors(set).map(|vector| (vector[0], *distance))
        });
        Some(FactorDistances { factor, values: values.collect(), otherwise: None })
    }

    fn table(&self, system: &mut SymbolicSystem<'_>) -> Result<WeightTable, SymbolicError> {
        let support = self.relation.support.as_ref().expect("distances are of values of a support");
        let levels = support.levels().iter().map(|one| one.level).collect();
        Ok(WeightTable::new(&mut system.forest, levels, &self.relation.values, None)?)
    }

    /// The greatest distance.
    pub fn greatest(&self) -> Option<u64> {
        self.relation.values.last().map(|(distance, _)| *distance)
    }
}

impl ComponentSum {
    /// Additive pattern databases: the distances to sets of states, each with the cost of a failing
    /// step after it. An operator costs something in the first pattern that it changes. Steps must
    /// cost what their operators cost.
    ///
    /// # Errors
    ///
    /// As for [`PatternDistances::new`].
    pub fn of_patterns(
        system: &mut SymbolicSystem<'_>,
        patterns: &[Vec<FactorId>],
        goals: &CostedSets,
        limits: &dyn Fn() -> DiagramLimits,
    ) -> Result<ComponentSum, SymbolicError> {
        let mut is_counted = vec![false; system.system.steps.len()];
        let mut goals = goals.clone();
        let mut tables = Vec::new();
        for pattern in patterns {
            let all = system.costs.clone();
            let own_costs = |operators: &[u32]| {
                let before = is_counted.clone();
                operators.iter().for_each(|&at| is_counted[at as usize] = true);
                all.only(|at| !before[at as usize])
            };
            let goal = PatternGoal::States(&goals);
            let made = PatternDistances::with_costs(system, pattern, goal, limits(), own_costs)?;
            tables.push(made.table(system)?);
            // The failing step costs something in the first pattern.
            goals.iter_mut().for_each(|(cost, _)| *cost = 0);
        }
        Ok(ComponentSum::new(Some(0), tables).consistent())
    }
}

impl SymbolicEstimate for PatternDistances {
    fn is_consistent(&self) -> bool {
        true
    }

    fn split(
        &mut self,
        system: &mut SymbolicSystem<'_>,
        set: &Set,
    ) -> Result<CostedSets, SymbolicError> {
        self.relation.split(system, set)
    }
}

/// The states of a projection that may satisfy one of the goals.
fn satisfying(
    abstracted: &mut SymbolicSystem<'_>,
    pattern: &Pattern<'_>,
    goals: &[Goal],
    within: &Set,
) -> Result<CostedSets, SymbolicError> {
    let mut found = abstracted.forest.empty();
    for goal in goals {
        let conditions: Vec<&FactorExpr> =
            goal.conditions.iter().flat_map(|condition| pattern.known_part(condition)).collect();
        let mut states = within.clone();
        for condition in conditions {
            states = abstracted.states_where(condition, &states)?;
        }
        found = abstracted.forest.union(&found, &states)?;
    }
    Ok(vec![(0, found)])
}

/// The projections of sets.
fn projected(
    system: &mut SymbolicSystem<'_>,
    abstracted: &mut SymbolicSystem<'_>,
    support: &Support,
    sets: &CostedSets,
) -> Result<CostedSets, SymbolicError> {
    let mut found = Vec::new();
    for (cost, set) in sets {
        let short = system.forest.project(set, support)?;
        found.push((*cost, abstracted.forest.copy_of(&system.forest, &short)?));
    }
    Ok(found)
}
