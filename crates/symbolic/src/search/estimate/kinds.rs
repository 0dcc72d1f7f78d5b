//! Estimates of the distance to the errors of a system, by kind.
//!
//! Source: [EMJ05], "Symbolic Search", §7, with the estimates of [ELL01] §4 as sets.

use std::collections::BTreeMap;

use beeline_factored::{FactorExpr, FactorId, FactorKind, Instruction, Operator, System};

use crate::costed_step::CostedSets;
use crate::ldd::{LevelAccess, Support, SupportLevel};
use crate::limits::{DiagramLimits, SymbolicError};
use crate::search::estimate::{
    BuildAbstraction, ComponentSum, FactorDistances, LargestEstimate, PatternDistances,
    PatternGoal, SymbolicEstimate, TruthDistances, ZeroEstimate,
};
use crate::system::SymbolicSystem;

/// The locations in a pattern, and the number of patterns, at most.
const LOCATIONS: usize = 4;
const PATTERNS: usize = 64;
/// The number of patterns that are not additive.
const LARGEST_OF: usize = 4;

/// A factor with more values than this among the errors says nothing about the Hamming distance.
const MOST_VALUES: usize = 256;

/// The kinds of estimates.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EstimateKind {
    /// 0 for each state. Admissible.
    Zero,
    /// The sum of the distances in the projections on the locations of a few processes each, where
    /// an operator costs something in one of them. Admissible.
    Pattern,
    /// The distance in a merge-and-shrink abstraction. Admissible.
    Abstraction,
    /// The sum over all processes of the distance from the location to that of an error. Not
    /// admissible if two processes move together.
    Fsm,
    /// The number of factors with a value that no error has. Not admissible.
    Hamming,
    /// The distance of the condition of the errors from being true. Not admissible.
    Formula,
}

/// The errors that an estimate is about.
#[derive(Clone, Copy)]
pub struct EstimatedErrors<'e> {
    /// All reachable states that are errors, with the cost of a failing step after them.
    pub states: &'e CostedSets,
    /// What makes a state an error.
    pub condition: &'e FactorExpr,
    /// Builds a merge-and-shrink abstraction.
    pub abstraction: &'e BuildAbstraction<'e>,
}

impl SymbolicSystem<'_> {
    /// An estimate of the distance to errors. Projections have limits of their own, which `limits`
    /// makes.
    ///
    /// # Errors
    ///
    /// When a limit is reached, or an operator of a projection has too many outcomes.
    pub fn estimate(
        &mut self,
        kind: EstimateKind,
        errors: EstimatedErrors<'_>,
        limits: &dyn Fn() -> DiagramLimits,
    ) -> Result<Box<dyn SymbolicEstimate>, SymbolicError> {
        let goals = PatternGoal::States(errors.states);
        Ok(match kind {
            EstimateKind::Zero => Box::new(ZeroEstimate),
            EstimateKind::Pattern => {
                let locations = self.locations();
                let patterns = locations.chunks(LOCATIONS).map(<[FactorId]>::to_vec);
                if self.costs.is_additive() {
                    let patterns: Vec<Vec<FactorId>> = patterns.take(PATTERNS).collect();
                    let states = errors.states;
                    return Ok(Box::new(ComponentSum::of_patterns(
                        self, &patterns, states, limits,
                    )?));
                }
                let mut parts: Vec<Box<dyn SymbolicEstimate>> = Vec::new();
                for pattern in patterns.take(LARGEST_OF) {
                    parts.push(Box::new(PatternDistances::new(self, &pattern, goals, limits())?));
                }
                Box::new(LargestEstimate::new(parts))
            }
            EstimateKind::Abstraction => {
                Box::new(self.abstraction_distances(errors.states, errors.abstraction)?)
            }
            EstimateKind::Fsm => {
                let mut terms = Vec::new();
                for location in self.locations() {
                    let distances = PatternDistances::new(self, &[location], goals, limits())?;
                    terms.extend(distances.of_factor(self, location));
                }
                Box::new(ComponentSum::of_factors(self, &terms)?)
            }
            EstimateKind::Hamming => {
                let terms = self.values_of_errors(errors.states)?;
                Box::new(ComponentSum::of_factors(self, &terms)?)
            }
            EstimateKind::Formula => Box::new(TruthDistances::new(errors.condition.clone())),
        })
    }

    /// The locations of processes that have several values, in the order of the levels: a set is
    /// divided faster by functions of neighbouring levels.
    fn locations(&self) -> Vec<FactorId> {
        let is_location =
            |id: &FactorId| self.system.factors[id.index()].kind == FactorKind::Location;
        self.order.factors().iter().copied().filter(is_location).collect()
    }

    /// For each factor, 0 for the values that it has in an error, and 1 for the others.
    fn values_of_errors(
        &mut self,
        states: &CostedSets,
    ) -> Result<Vec<FactorDistances>, SymbolicError> {
        let mut terms = Vec::new();
        for (level, factor) in (0..).zip(self.order.factors().to_vec()) {
            let read = vec![SupportLevel::new(level, LevelAccess::Read)];
            let support = Support::new(&mut self.forest, read);
            let mut values = BTreeMap::new();
            for (_, set) in states {
                let short = self.forest.project(set, &support)?;
                values.extend(self.forest.vectors(&short).map(|vector| (vector[0], 0)));
            }
            if values.len() <= MOST_VALUES {
                terms.push(FactorDistances { factor, values, otherwise: Some(1) });
            }
        }
        Ok(terms)
    }
}

/// The condition that no step is possible and the state is no valid end.
pub fn deadlock_condition(system: &System) -> FactorExpr {
    let steps = system.steps.iter().filter(|step| !step.only_reports());
    let stuck = steps.map(|step| guard(step).negated());
    let valid = system.valid_end.clone().unwrap_or(FactorExpr::Const(0));
    stuck.fold(valid.negated(), FactorExpr::and)
}

/// The condition that one of these operators is applicable, given by their positions.
pub fn applicable_condition(system: &System, operators: &[u32]) -> FactorExpr {
    let guards = operators.iter().map(|&at| guard(&system.steps[at as usize]));
    guards.fold(FactorExpr::Const(0), FactorExpr::or)
}

/// The conditions of an operator before its first assignment.
fn guard(operator: &Operator) -> FactorExpr {
    let first = operator.actions.iter().map_while(|action| match action {
        Instruction::Require(condition) => Some(condition.clone()),
        Instruction::Set(_) => None,
    });
    first.fold(FactorExpr::TRUE, FactorExpr::and)
}
