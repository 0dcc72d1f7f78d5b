//! Instances of schemata: what the reachable tuples of an action mean, as operators on facts.

use std::collections::HashMap;

use beeline_kernel::Deadline;

use super::conditions::{Binding, GroundCondition};
use super::error::GroundError;
use super::ground_task::{GroundChange, GroundComparison, GroundNumber, Literal};
use super::relation::{Relation, TupleMap};
use crate::task::{
    Change, Fluent, NumericChange, NumericExpr, ObjectId, PlanningTask, SchemaAtom, SchemaFormula,
    SchemaVariable, Term,
};

/// An operator whose conditions are not split yet.
pub(super) struct Instance {
    pub(super) schema: u32,
    pub(super) arguments: Box<[u32]>,
    pub(super) precondition: GroundCondition,
    pub(super) effects: Vec<(GroundCondition, GroundChange)>,
}

/// Makes instances; facts and fluents get numbers when they are first used.
pub(super) struct Instantiation<'t> {
    task: &'t PlanningTask,
    relations: &'t [Relation],
    is_static: &'t [bool],
    pub(super) facts: Vec<(u32, Box<[u32]>)>,
    fact_ids: Vec<TupleMap<u32>>,
    pub(super) comparisons: Vec<GroundComparison>,
    /// The functions that no effect changes.
    is_constant: Vec<bool>,
    initial_numbers: HashMap<(u32, Box<[u32]>), i64>,
    pub(super) fluents: Vec<(u32, Box<[u32]>, i64)>,
    fluent_ids: HashMap<(u32, Box<[u32]>), u32>,
    deadline: Deadline,
    work: u32,
    /// Parts of conditions and effects so far, against the memory limit.
    pub(super) parts: usize,
}

impl<'t> Instantiation<'t> {
    pub(super) fn new(
        task: &'t PlanningTask,
        relations: &'t [Relation],
        is_static: &'t [bool],
        deadline: Deadline,
    ) -> Self {
        let mut is_constant = vec![true; task.functions.len()];
        for effect in task.actions.iter().flat_map(|action| &action.effects) {
            if let Change::Number(_, fluent, _) = &effect.change {
                is_constant[fluent.function.0 as usize] = false;
            }
        }
        let none = Binding { values: Vec::new() };
        let initial = task
            .numbers
            .iter()
            .map(|(fluent, value)| ((fluent.function.0, tuple(&fluent.terms, &none)), *value));
        Instantiation {
            task,
            relations,
            is_static,
            facts: Vec::new(),
            fact_ids: vec![TupleMap::default(); task.predicates.len()],
            comparisons: Vec::new(),
            is_constant,
            initial_numbers: initial.collect(),
            fluents: Vec::new(),
            fluent_ids: HashMap::new(),
            deadline,
            work: 0,
            parts: 0,
        }
    }

    /// The number of a fact that is reachable.
    pub(super) fn fact(&mut self, predicate: u32, tuple: &[u32]) -> u32 {
        if let Some(&id) = self.fact_ids[predicate as usize].get(tuple) {
            return id;
        }
        let id = self.facts.len() as u32;
        self.facts.push((predicate, tuple.into()));
        self.fact_ids[predicate as usize].insert(tuple.into(), id);
        id
    }

    /// The number of a fact that occurs in some instance.
    pub(super) fn known(&self, predicate: u32, tuple: &[u32]) -> Option<u32> {
        self.fact_ids[predicate as usize].get(tuple).copied()
    }

    fn tick(&mut self) -> Result<(), GroundError> {
        self.work = self.work.wrapping_add(1);
        if self.work.is_multiple_of(1 << 16) && self.deadline.is_over() {
            return Err(GroundError::Time);
        }
        Ok(())
    }

    /// The instance of an action; `None` if it is never applicable.
    pub(super) fn action(
        &mut self,
        schema: u32,
        arguments: &[u32],
    ) -> Result<Option<Instance>, GroundError> {
        let action = &self.task.actions[schema as usize];
        let mut binding = Binding { values: vec![None; action.variables.len()] };
        for (value, &object) in binding.values.iter_mut().zip(arguments) {
            *value = Some(ObjectId(object));
        }
        let precondition =
            self.condition(&action.precondition, true, &action.variables, &mut binding)?;
        if precondition == GroundCondition::False {
            return Ok(None);
        }
        let mut effects = Vec::new();
        for effect in &action.effects {
            self.effects(effect, 0, &action.variables, &mut binding, &mut effects)?;
        }
        self.parts += 4 + arguments.len() + size(&precondition);
        Ok(Some(Instance { schema, arguments: arguments.into(), precondition, effects }))
    }

    /// Adds the instances of an effect for all values of its variables from a position on.
    fn effects(
        &mut self,
        effect: &crate::task::SchemaEffect,
        at: usize,
        variables: &[SchemaVariable],
        binding: &mut Binding,
        found: &mut Vec<(GroundCondition, GroundChange)>,
    ) -> Result<(), GroundError> {
        self.tick()?;
        if let Some(&variable) = effect.variables.get(at) {
            for &object in variables[variable as usize].objects.iter() {
                binding.values[variable as usize] = Some(object);
                self.effects(effect, at + 1, variables, binding, found)?;
            }
            binding.values[variable as usize] = None;
            return Ok(());
        }
        let condition = self.condition(&effect.condition, true, variables, binding)?;
        if condition == GroundCondition::False {
            return Ok(());
        }
        let change = match &effect.change {
            Change::Add(atom) => {
                let tuple = tuple(&atom.terms, binding);
                Some(GroundChange::Add(self.fact(atom.predicate.0, &tuple)))
            }
            Change::Delete(atom) => {
                let tuple = tuple(&atom.terms, binding);
                let predicate = atom.predicate.0;
                let is_reachable = self.relations[predicate as usize].find(&tuple).is_some();
                is_reachable.then(|| GroundChange::Delete(self.fact(predicate, &tuple)))
            }
            Change::Number(change, fluent, value) => {
                let tuple = tuple(&fluent.terms, binding);
                let value = self.number(value, binding);
                // An undefined value that is not assigned makes the change undefined, too.
                let fluent = match change {
                    NumericChange::Assign => self.fluent_or(fluent.function.0, &tuple, Some(0)),
                    _ => self.fluent_or(fluent.function.0, &tuple, None),
                };
                match (fluent, value) {
                    (Some(fluent), Some(value)) => {
                        Some(GroundChange::Number(*change, fluent, value))
                    }
                    _ => None,
                }
            }
        };
        if let Some(change) = change {
            self.parts += 4 + size(&condition);
            found.push((condition, change));
        }
        Ok(())
    }

    /// A formula without variables, in negation normal form.
    pub(super) fn condition(
        &mut self,
        formula: &SchemaFormula,
        is_positive: bool,
        variables: &[SchemaVariable],
        binding: &mut Binding,
    ) -> Result<GroundCondition, GroundError> {
        self.tick()?;
        Ok(match formula {
            SchemaFormula::And(all) | SchemaFormula::Or(all) => {
                let is_and = matches!(formula, SchemaFormula::And(_)) == is_positive;
                let mut parts = Vec::new();
                for one in all {
                    let part = self.condition(one, is_positive, variables, binding)?;
                    let is_decided = match is_and {
                        true => part == GroundCondition::False,
                        false => part == GroundCondition::True,
                    };
                    if is_decided {
                        return Ok(part);
                    }
                    parts.push(part);
                }
                if is_and { GroundCondition::and(parts) } else { GroundCondition::or(parts) }
            }
            SchemaFormula::Not(inner) => self.condition(inner, !is_positive, variables, binding)?,
            SchemaFormula::Forall(bound, inner) | SchemaFormula::Exists(bound, inner) => {
                let is_and = matches!(formula, SchemaFormula::Forall(..)) == is_positive;
                let mut parts = Vec::new();
                self.quantified(bound, inner, is_positive, is_and, variables, binding, &mut parts)?;
                if is_and { GroundCondition::and(parts) } else { GroundCondition::or(parts) }
            }
            SchemaFormula::Atom(atom) => self.atom(atom, is_positive, binding),
            SchemaFormula::Same(a, b) => {
                let is_same = value(*a, binding) == value(*b, binding);
                if is_same == is_positive { GroundCondition::True } else { GroundCondition::False }
            }
            SchemaFormula::Compare(comparison, a, b) => {
                let (Some(left), Some(right)) = (self.number(a, binding), self.number(b, binding))
                else {
                    return Ok(GroundCondition::False);
                };
                if let (GroundNumber::Const(a), GroundNumber::Const(b)) = (&left, &right) {
                    let holds = comparison.holds(*a, *b);
                    return Ok(match holds == is_positive {
                        true => GroundCondition::True,
                        false => GroundCondition::False,
                    });
                }
                let made = GroundComparison { comparison: *comparison, left, right };
                self.comparisons.push(made);
                let id = self.comparisons.len() as u32 - 1;
                GroundCondition::Literal(Literal::Compare(id, is_positive))
            }
        })
    }

    #[expect(clippy::too_many_arguments, reason = "the recursion over the bound variables")]
    fn quantified(
        &mut self,
        bound: &[u32],
        inner: &SchemaFormula,
        is_positive: bool,
        is_and: bool,
        variables: &[SchemaVariable],
        binding: &mut Binding,
        parts: &mut Vec<GroundCondition>,
    ) -> Result<(), GroundError> {
        let Some((&variable, rest)) = bound.split_first() else {
            parts.push(self.condition(inner, is_positive, variables, binding)?);
            return Ok(());
        };
        for &object in variables[variable as usize].objects.iter() {
            binding.values[variable as usize] = Some(object);
            self.quantified(rest, inner, is_positive, is_and, variables, binding, parts)?;
            let is_decided = match parts.last() {
                Some(GroundCondition::False) => is_and,
                Some(GroundCondition::True) => !is_and,
                _ => false,
            };
            // Constants of the other kind are dropped at once.
            match parts.last() {
                Some(GroundCondition::True) if is_and => drop(parts.pop()),
                Some(GroundCondition::False) if !is_and => drop(parts.pop()),
                _ => {}
            }
            if is_decided {
                break;
            }
        }
        binding.values[variable as usize] = None;
        Ok(())
    }

    fn atom(&mut self, atom: &SchemaAtom, is_positive: bool, binding: &Binding) -> GroundCondition {
        let tuple = tuple(&atom.terms, binding);
        let predicate = atom.predicate.0 as usize;
        let is_reachable = self.relations[predicate].find(&tuple).is_some();
        if !is_reachable || self.is_static[predicate] {
            return match is_reachable == is_positive {
                true => GroundCondition::True,
                false => GroundCondition::False,
            };
        }
        let fact = self.fact(atom.predicate.0, &tuple);
        GroundCondition::Literal(Literal::Fact(fact, is_positive))
    }

    /// A numeric expression without variables; `None` if it has no value.
    pub(super) fn number(&mut self, expr: &NumericExpr, binding: &Binding) -> Option<GroundNumber> {
        match expr {
            NumericExpr::Number(value) => Some(GroundNumber::Const(*value)),
            NumericExpr::Fluent(Fluent { function, terms }) => {
                let tuple = tuple(terms, binding);
                if self.is_constant[function.0 as usize] {
                    let value = self.initial_numbers.get(&(function.0, tuple))?;
                    return Some(GroundNumber::Const(*value));
                }
                self.fluent_or(function.0, &tuple, None).map(GroundNumber::Fluent)
            }
            NumericExpr::Operation(operation, a, b) => {
                let (a, b) = (self.number(a, binding)?, self.number(b, binding)?);
                if let (GroundNumber::Const(a), GroundNumber::Const(b)) = (&a, &b) {
                    return operation.apply(*a, *b).map(GroundNumber::Const);
                }
                Some(GroundNumber::Operation((*operation).into(), Box::new(a), Box::new(b)))
            }
        }
    }

    /// The number of a fluent with an initial value, or with this one.
    fn fluent_or(&mut self, function: u32, tuple: &[u32], usual: Option<i64>) -> Option<u32> {
        let key = (function, Box::from(tuple));
        if let Some(&id) = self.fluent_ids.get(&key) {
            return Some(id);
        }
        // `total-cost` begins at 0 if it is not set.
        let is_total = &*self.task.functions[function as usize].name == "total-cost";
        let usual = usual.or(is_total.then_some(0));
        let initial = self.initial_numbers.get(&key).copied().or(usual)?;
        let id = self.fluents.len() as u32;
        self.fluents.push((function, key.1.clone(), initial));
        self.fluent_ids.insert(key, id);
        Some(id)
    }
}

fn value(term: Term, binding: &Binding) -> u32 {
    match term {
        Term::Variable(variable) => {
            binding.values[variable as usize].expect("quantifiers bind their variables").0
        }
        Term::Object(object) => object.0,
    }
}

fn tuple(terms: &[Term], binding: &Binding) -> Box<[u32]> {
    terms.iter().map(|&term| value(term, binding)).collect()
}

/// The number of parts of a condition.
fn size(condition: &GroundCondition) -> usize {
    match condition {
        GroundCondition::And(all) | GroundCondition::Or(all) => {
            1 + all.iter().map(size).sum::<usize>()
        }
        _ => 1,
    }
}
