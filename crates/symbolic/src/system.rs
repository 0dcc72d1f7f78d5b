//! A factored system with sets of states: the façade of this crate.
//!
//! Vectors of sets have one value per level ([`LevelOrder`]); vectors of states, here and for users,
//! have one value per factor. All states must be within the ranges that the system was made with.

use std::collections::{BTreeMap, VecDeque};

use beeline_factored::{FactorExpr, Operator, Ranges, System};

use crate::control::{Holders, Rule};
use crate::costs::StepCosts;
use crate::group::{partitions, ruled};
use crate::ldd::{BigUint, Forest, Set, Tag};
use crate::limits::{DiagramLimits, SymbolicError};
use crate::macro_operator::macro_operators;
use crate::order::LevelOrder;
use crate::partition::Partition;
use crate::relation::Relation;
use crate::variant::{MOST_VARIANTS, Variant, variants};

/// A factored system for symbolic computations. It owns the [`Forest`] of its sets.
#[derive(Debug)]
pub struct SymbolicSystem<'s> {
    pub(crate) system: &'s System,
    pub(crate) ranges: &'s Ranges,
    pub(crate) costs: StepCosts,
    pub(crate) order: LevelOrder,
    pub(crate) holders: Holders,
    pub(crate) partitions: Vec<Partition>,
    /// Macro-operators, for fixpoints.
    pub(crate) macros: Option<Partition>,
    pub(crate) forest: Forest,
    /// Applicability of the operators of shut-out sets, as far as it was needed.
    shut_outs: BTreeMap<u32, Partition>,
    /// Applicability of single operators, as far as it was needed.
    applicability: BTreeMap<u32, Partition>,
    /// Conditions of single states, as far as they were needed.
    pub(crate) conditions: VecDeque<(FactorExpr, Partition)>,
    /// The tag of saturated nodes.
    pub(crate) saturation_tag: Option<Tag>,
}

impl<'s> SymbolicSystem<'s> {
    /// Prepares a system in which each step of the model costs 1. Nothing is executed yet.
    pub fn new(
        system: &'s System,
        ranges: &'s Ranges,
        limits: DiagramLimits,
    ) -> SymbolicSystem<'s> {
        SymbolicSystem::with_costs(system, ranges, limits, StepCosts::steps())
    }

    /// Prepares a system with costs of steps.
    pub fn with_costs(
        system: &'s System,
        ranges: &'s Ranges,
        limits: DiagramLimits,
        costs: StepCosts,
    ) -> SymbolicSystem<'s> {
        SymbolicSystem::with_order(system, ranges, limits, costs, |variants| {
            let supports: Vec<_> = (variants.iter())
                .map(|(_, variant)| variant.reads.union(&variant.writes).copied().collect())
                .collect();
            LevelOrder::new(&supports, system.factors.len(), ranges)
        })
    }

    /// Prepares a system with costs of steps and an order of its levels.
    pub(crate) fn with_order(
        system: &'s System,
        ranges: &'s Ranges,
        limits: DiagramLimits,
        costs: StepCosts,
        order: impl FnOnce(&[(Rule, Variant)]) -> LevelOrder,
    ) -> SymbolicSystem<'s> {
        let holders = Holders::new(system);
        let variants = ruled(system, ranges, &holders, &costs);
        let order = order(&variants);
        let mut forest = Forest::new(order.factors().len(), limits);
        let mut parts = |variants| partitions(&mut forest, system, (&order, ranges), variants);
        let partitions = parts(variants);
        let macros = macro_operators(system, ranges);
        let macros = parts(macros.into_iter().map(|variant| (Rule::FREE, variant)).collect()).pop();
        let (shut_outs, applicability) = (BTreeMap::new(), BTreeMap::new());
        SymbolicSystem {
            system,
            ranges,
            costs,
            order,
            holders,
            partitions,
            macros,
            forest,
            shut_outs,
            applicability,
            conditions: VecDeque::new(),
            saturation_tag: None,
        }
    }

    /// The processes that may hold control, in the order of
    /// [`ControlSets::held`](crate::ControlSets::held).
    pub fn holders(&self) -> &[u32] {
        self.holders.processes()
    }

    /// The forest of the sets.
    pub fn forest(&mut self) -> &mut Forest {
        &mut self.forest
    }

    /// The number of levels of the sets: factors with more than one value.
    pub fn levels(&self) -> usize {
        self.order.factors().len()
    }

    /// The number of relations: groups of operators over the same levels.
    pub fn relations(&self) -> usize {
        self.partitions.iter().map(|partition| partition.relations().len()).sum()
    }

    /// The set of the initial state.
    ///
    /// # Errors
    ///
    /// When a limit is reached.
    pub fn initial(&mut self) -> Result<Set, SymbolicError> {
        self.singleton(&self.system.initial)
    }

    /// The set of one state.
    ///
    /// # Errors
    ///
    /// When a limit is reached.
    pub fn singleton(&mut self, state: &[i32]) -> Result<Set, SymbolicError> {
        let vector = self.to_vector(state);
        Ok(self.forest.singleton(&vector)?)
    }

    /// Whether a state is in a set.
    pub fn contains(&self, set: &Set, state: &[i32]) -> bool {
        let initial = &self.system.initial;
        let mut values = state.iter().zip(initial).enumerate();
        let is_known = values.all(|(at, (value, constant))| {
            value == constant || self.order.level(beeline_factored::FactorId(at as u32)).is_some()
        });
        is_known && self.forest.contains(set, &self.to_vector(state))
    }

    /// A state of a set: the first one in the order of the levels.
    pub fn pick(&self, set: &Set) -> Option<Vec<i32>> {
        self.forest.first(set).map(|vector| self.to_state(&vector))
    }

    /// The states of a set.
    pub fn states<'a>(&'a self, set: &Set) -> impl Iterator<Item = Vec<i32>> + use<'a, 's> {
        self.forest.vectors(set).map(|vector| self.to_state(&vector))
    }

    /// The number of states of a set.
    pub fn count(&self, set: &Set) -> BigUint {
        self.forest.count(set)
    }

    /// The states of a set where one of the operators is applicable and not shut out. Operators are
    /// given by their positions in [`System::steps`].
    ///
    /// # Errors
    ///
    /// When a limit is reached, or an operator has too many outcomes.
    pub fn enabled(&mut self, operators: &[u32], within: &Set) -> Result<Set, SymbolicError> {
        let mut found = self.forest.empty();
        for &at in operators {
            let mut partition = match self.applicability.remove(&at) {
                Some(partition) => partition,
                None => self.applicable(&[&self.system.steps[at as usize]]),
            };
            let rest = self.forest.difference(within, &found)?;
            let disabled = partition.disabled(&mut self.forest, &rest);
            self.applicability.insert(at, partition);
            let mut states = self.forest.difference(&rest, &disabled?)?;
            if let Some(id) = self.system.steps[at as usize].shut_out_by {
                states = self.without_shut_out(id.0, &states)?;
            }
            found = self.forest.union(&found, &states)?;
        }
        Ok(found)
    }

    /// The states of a set where no operator of a shut-out set is applicable.
    pub(crate) fn without_shut_out(&mut self, id: u32, set: &Set) -> Result<Set, SymbolicError> {
        let mut partition = match self.shut_outs.remove(&id) {
            Some(partition) => partition,
            None => {
                let all = &self.system.shut_outs[id as usize];
                let operators: Vec<&Operator> =
                    all.iter().map(|&at| &self.system.steps[at as usize]).collect();
                self.applicable(&operators)
            }
        };
        let rest = partition.disabled(&mut self.forest, set);
        self.shut_outs.insert(id, partition);
        rest
    }

    /// The applicability of some operators, whatever shuts them out.
    pub(crate) fn applicable(&mut self, operators: &[&Operator]) -> Partition {
        let all = operators.iter().flat_map(|one| variants(one, &[], self.ranges, MOST_VARIANTS));
        let all: Vec<_> = all.map(|variant| (Rule::TEST, variant)).collect();
        let view = (&self.order, self.ranges);
        let made = partitions(&mut self.forest, self.system, view, all).pop();
        made.unwrap_or_else(|| Partition::new(&mut self.forest, Rule::TEST, Vec::new()))
    }

    /// The relations from states of the model to states of the model that apply at any time, with
    /// the macro-operators.
    pub(crate) fn free_relations(&mut self) -> (&mut Forest, Vec<&mut Relation>) {
        let free = self.partitions.iter_mut().filter(|partition| partition.rule.is_free());
        let relations = free.chain(&mut self.macros).flat_map(Partition::relations_mut);
        (&mut self.forest, relations.filter(|relation| relation.has_effect()).collect())
    }

    fn to_vector(&self, state: &[i32]) -> Vec<i32> {
        self.order.factors().iter().map(|factor| state[factor.index()]).collect()
    }

    fn to_state(&self, vector: &[i32]) -> Vec<i32> {
        let mut state = self.system.initial.clone();
        for (factor, &value) in self.order.factors().iter().zip(vector) {
            state[factor.index()] = value;
        }
        state
    }
}
