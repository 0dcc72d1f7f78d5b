//! A system prepared for projections: flat operators, and targets in groups.
//!
//! Each group has its own databases: a statement that may fail often depends on few factors of
//! another one. The estimate is the minimum over groups.

use std::collections::BTreeMap;
use std::sync::Arc;

use beeline_factored::{
    AssignmentTarget, FactorExpr, FactorId, FactorKind, FlatOperator, Ranges, System,
};

/// With more groups, they are joined by process, then all together.
const MOST_GROUPS: usize = 24;

/// A flat operator with its cost.
pub(crate) struct AbstractOperator {
    pub(crate) flat: FlatOperator,
    pub(crate) cost: u32,
}

/// An error as a target: its conditions and the cost of the last step.
#[derive(Clone, Debug)]
pub struct AbstractTarget {
    /// Conditions.
    pub conditions: Vec<FactorExpr>,
    /// 1 for a failing step, 0 for an error state.
    pub cost: u32,
}

/// A system with the ranges of its factors and its targets.
pub struct PatternTask {
    pub(crate) system: Arc<System>,
    pub(crate) ranges: Ranges,
    pub(crate) moves: Vec<AbstractOperator>,
    /// Targets by group.
    pub(crate) groups: Vec<Vec<AbstractTarget>>,
}

impl PatternTask {
    /// Prepares a system. Failing steps become targets.
    pub fn new(system: Arc<System>, ranges: Ranges) -> PatternTask {
        let error = system.factors.iter().position(|factor| factor.kind == FactorKind::Error);
        let error = error.map(|at| FactorId(at as u32));
        let mut moves = Vec::new();
        let mut failing = Vec::new();
        for step in &system.steps {
            let Some(flat) = FlatOperator::step(&system, &ranges, step) else { continue };
            let fails = flat.effects.iter().any(|one| sets(&one.place, error));
            if fails {
                let target = AbstractTarget { conditions: flat.conditions, cost: step.cost };
                failing.push((step.label, target));
            } else {
                moves.push(AbstractOperator { flat, cost: step.cost });
            }
        }
        let is_failure = |conditions: &[FactorExpr]| {
            error.is_some_and(|error| conditions == [FactorExpr::Factor(error).equals(1)])
        };
        let mut groups = Vec::new();
        let mut counts_failures = false;
        for goal in &system.goals {
            if is_failure(&goal.conditions) {
                counts_failures = true;
            } else if let Some(flat) = FlatOperator::goal(goal) {
                groups.push(vec![AbstractTarget { conditions: flat.conditions, cost: 0 }]);
            }
        }
        if counts_failures {
            let mut by_edge: BTreeMap<(u32, u32), Vec<AbstractTarget>> = BTreeMap::new();
            for (label, target) in failing {
                by_edge.entry((label.process, label.edge)).or_default().push(target);
            }
            if by_edge.len() > MOST_GROUPS {
                let mut by_process: BTreeMap<(u32, u32), Vec<AbstractTarget>> = BTreeMap::new();
                for ((process, _), mut targets) in by_edge {
                    by_process.entry((process, 0)).or_default().append(&mut targets);
                }
                by_edge = by_process;
            }
            groups.extend(by_edge.into_values());
        }
        if groups.len() > MOST_GROUPS {
            groups = vec![groups.into_iter().flatten().collect()];
        }
        PatternTask { system, ranges, moves, groups }
    }

    /// All targets as one group.
    pub(crate) fn all(&self) -> Vec<AbstractTarget> {
        self.groups.iter().flatten().cloned().collect()
    }

    pub(crate) fn is_summary(&self, factor: FactorId) -> bool {
        self.system.factor(factor).is_summary
    }
}

fn sets(place: &AssignmentTarget, factor: Option<FactorId>) -> bool {
    matches!((place, factor), (AssignmentTarget::Factor(one), Some(factor)) if *one == factor)
}
