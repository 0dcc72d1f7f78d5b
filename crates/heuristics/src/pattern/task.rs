//! A system and what is looked for in it, prepared for patterns: each step with all its actions at
//! once, and errors in groups.
//!
//! A group has a database of its own, with a pattern of its own: one statement that may fail often
//! depends on little of what another one depends on. The distance to the nearest error is the
//! least of those of the groups.

use std::collections::BTreeMap;
use std::sync::Arc;

use beeline_factored::{
    AssignmentTarget, FactorExpr, FactorId, FactorKind, FlatOperator, Ranges, System,
};

/// More groups than this are taken together, by process first, then all.
const MOST_GROUPS: usize = 24;

/// A step with all its actions at once.
pub(crate) struct AbstractOperator {
    pub(crate) flat: FlatOperator,
    pub(crate) cost: u32,
}

/// An error: what has to be true, and what it costs to get from there to it.
#[derive(Clone, Debug)]
pub struct AbstractTarget {
    /// What has to be true.
    pub conditions: Vec<FactorExpr>,
    /// 1 for a step that fails, 0 for a state that is an error.
    pub cost: u32,
}

/// A system, the values of its factors, and the errors in it.
pub struct PatternTask {
    pub(crate) system: Arc<System>,
    pub(crate) ranges: Ranges,
    pub(crate) moves: Vec<AbstractOperator>,
    /// Errors, in groups.
    pub(crate) groups: Vec<Vec<AbstractTarget>>,
}

impl PatternTask {
    /// Prepares a system. A step that fails is not a step any more, but a target.
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

    /// All errors as one group.
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
