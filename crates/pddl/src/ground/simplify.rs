//! From instances to the grounded task: facts that never change are decided, conditions are split
//! into conjunctions, and what the goal does not depend on is left out.

use super::conditions::GroundCondition;
use super::ground_task::{
    GroundAxiom, GroundChange, GroundComparison, GroundEffect, GroundFact, GroundNumber,
    GroundOperator, GroundTask, Literal,
};
use super::instantiate::{Instance, Instantiation};
use crate::task::{PlanningTask, Term};

/// The most rounds in which decided facts decide others.
const ROUNDS: usize = 8;

/// The instances of a task before simplification.
pub(super) struct Simplification<'t> {
    pub(super) task: &'t PlanningTask,
    pub(super) instantiation: Instantiation<'t>,
    pub(super) instances: Vec<Instance>,
    pub(super) costs: Vec<u32>,
    /// Head, stratum and body.
    pub(super) axioms: Vec<(u32, u32, GroundCondition)>,
    pub(super) goal: GroundCondition,
}

impl Simplification<'_> {
    /// Simplifies, and makes the grounded task.
    pub(super) fn run(mut self) -> GroundTask {
        let count = self.instantiation.facts.len();
        let mut initial = vec![false; count];
        let task = self.task;
        for atom in &task.initial {
            let tuple: Vec<u32> = atom
                .terms
                .iter()
                .map(|term| match term {
                    Term::Object(object) => object.0,
                    Term::Variable(_) => u32::MAX,
                })
                .collect();
            if let Some(fact) = self.instantiation.known(atom.predicate.0, &tuple) {
                initial[fact as usize] = true;
            }
        }
        for _ in 0..ROUNDS {
            if !self.decide(&initial) {
                break;
            }
        }
        let task = self.split(&initial);
        relevant(task)
    }

    /// Decides facts that never change. Returns whether that changed a condition.
    fn decide(&mut self, initial: &[bool]) -> bool {
        let count = initial.len();
        let derived = |fact: usize| {
            self.task.predicates[self.instantiation.facts[fact].0 as usize].is_derived
        };
        let (mut added, mut deleted) = (vec![false; count], vec![false; count]);
        for (_, change) in self.instances.iter().flat_map(|one| &one.effects) {
            match change {
                GroundChange::Add(fact) => added[*fact as usize] = true,
                GroundChange::Delete(fact) => deleted[*fact as usize] = true,
                GroundChange::Number(..) => {}
            }
        }
        let mut always = vec![false; count];
        for (head, _, body) in &self.axioms {
            added[*head as usize] = true;
            always[*head as usize] |= *body == GroundCondition::True;
        }
        let decided: Vec<Option<bool>> = (0..count)
            .map(|fact| match (derived(fact), initial[fact]) {
                (true, _) if always[fact] => Some(true),
                (true, _) | (false, false) => (!added[fact]).then_some(false),
                (false, true) => (!deleted[fact]).then_some(true),
            })
            .collect();
        let decide = |fact: u32| decided[fact as usize];
        let is_known = |change: &GroundChange| match change {
            GroundChange::Add(fact) => decided[*fact as usize] == Some(true),
            GroundChange::Delete(fact) => decided[*fact as usize] == Some(false),
            GroundChange::Number(..) => false,
        };
        let mut is_changed = false;
        let mut simplify = |condition: &mut GroundCondition| {
            if condition.has(&|fact| decided[fact as usize].is_some()) {
                *condition = condition.decided(&decide);
                is_changed = true;
            }
        };
        let mut has_fewer_effects = false;
        for instance in &mut self.instances {
            simplify(&mut instance.precondition);
            let before = instance.effects.len();
            instance.effects.retain_mut(|(condition, change)| {
                simplify(condition);
                *condition != GroundCondition::False && !is_known(change)
            });
            has_fewer_effects |= before != instance.effects.len();
        }
        self.axioms.iter_mut().for_each(|(_, _, body)| simplify(body));
        simplify(&mut self.goal);
        is_changed |= has_fewer_effects;
        if !is_changed {
            return false;
        }
        let mut costs = std::mem::take(&mut self.costs).into_iter();
        let mut kept = Vec::new();
        self.instances.retain(|instance| {
            let cost = costs.next().expect("each instance has a cost");
            let keep = instance.precondition != GroundCondition::False;
            if keep {
                kept.push(cost);
            }
            keep
        });
        self.costs = kept;
        self.axioms.retain(|(head, _, body)| {
            *body != GroundCondition::False && decided[*head as usize].is_none()
        });
        true
    }

    /// Splits all conditions into conjunctions.
    fn split(self, initial: &[bool]) -> GroundTask {
        let task = self.task;
        let mut facts: Vec<GroundFact> = Vec::new();
        for (fact, (predicate, tuple)) in self.instantiation.facts.iter().enumerate() {
            let mut name = format!("({}", task.predicates[*predicate as usize].name);
            for &object in tuple.iter() {
                name.push(' ');
                name.push_str(&task.objects[object as usize].name);
            }
            name.push(')');
            let is_derived = task.predicates[*predicate as usize].is_derived;
            let atom = Some((*predicate, tuple.clone()));
            let layer = is_derived.then_some(0);
            facts.push(GroundFact { name, atom, layer, is_initial: initial[fact] });
        }
        let mut naming = Naming { facts, axioms: Vec::new(), layer: 0 };
        for (head, layer, body) in &self.axioms {
            naming.layer = *layer;
            naming.facts[*head as usize].layer = Some(*layer);
            for body in naming.conjunctions(body) {
                naming.axioms.push(GroundAxiom { head: *head, body });
            }
        }
        naming.layer = self.axioms.iter().map(|one| one.1 + 1).max().unwrap_or(0);
        let mut operators = Vec::new();
        for (instance, cost) in self.instances.into_iter().zip(self.costs) {
            let Instance { schema, arguments, precondition, effects } = instance;
            let mut split = Vec::new();
            for (condition, change) in effects {
                for conditions in naming.conjunctions(&condition) {
                    split.push(GroundEffect { conditions, change: change.clone() });
                }
            }
            let mut all = naming.conjunctions(&precondition);
            let last = all.len();
            for (number, preconditions) in all.drain(..).enumerate() {
                let mut effects = match number + 1 == last {
                    true => std::mem::take(&mut split),
                    false => split.clone(),
                };
                for effect in &mut effects {
                    effect.conditions.retain(|one| preconditions.binary_search(one).is_err());
                }
                let arguments = arguments.clone();
                operators.push(GroundOperator { schema, arguments, cost, preconditions, effects });
            }
        }
        // One conjunction: a disjunctive goal gets a name.
        let goal = match self.goal {
            GroundCondition::False => None,
            goal => {
                let mut all = naming.conjunctions(&goal);
                match all.len() {
                    0 => None,
                    1 => all.pop(),
                    _ => Some(vec![naming.name(&goal)]),
                }
            }
        };
        let Naming { mut facts, axioms, .. } = naming;
        for (at, fact) in facts.iter_mut().enumerate().filter(|(_, fact)| fact.atom.is_none()) {
            fact.name = format!("(condition-{at})");
        }
        let fluents = self.instantiation.fluents.iter().map(|(function, tuple, initial)| {
            let mut name = format!("({}", task.functions[*function as usize].name);
            for &object in tuple.iter() {
                name.push(' ');
                name.push_str(&task.objects[object as usize].name);
            }
            (name + ")", *initial)
        });
        let fluents = fluents.collect();
        let comparisons = self.instantiation.comparisons;
        let range = task.range;
        GroundTask { facts, operators, axioms, comparisons, fluents, range, goal }
    }
}

/// Makes facts of parts of conditions.
struct Naming {
    facts: Vec<GroundFact>,
    axioms: Vec<GroundAxiom>,
    /// The stratum of new facts.
    layer: u32,
}

impl Naming {
    fn conjunctions(&mut self, condition: &GroundCondition) -> Vec<Vec<Literal>> {
        let mut all = condition.conjunctions(&mut |part| self.name(part));
        for one in &mut all {
            one.sort_unstable();
            one.dedup();
        }
        all
    }

    /// A derived fact that holds where a condition does.
    fn name(&mut self, condition: &GroundCondition) -> Literal {
        let head = self.facts.len() as u32;
        let layer = Some(self.layer);
        self.facts.push(GroundFact { name: String::new(), atom: None, layer, is_initial: false });
        let parts = match condition {
            GroundCondition::Or(parts) => &parts[..],
            one => std::slice::from_ref(one),
        };
        for part in parts {
            let bodies = match part {
                GroundCondition::And(_) => self.bodies(part),
                other => self.conjunctions(other),
            };
            for body in bodies {
                self.axioms.push(GroundAxiom { head, body });
            }
        }
        Literal::Fact(head, true)
    }

    /// One conjunction of a conjunction: each part that is none gets a name.
    fn bodies(&mut self, condition: &GroundCondition) -> Vec<Vec<Literal>> {
        let GroundCondition::And(parts) = condition else { return self.conjunctions(condition) };
        let mut body = Vec::new();
        for part in parts {
            body.push(match part {
                GroundCondition::Literal(literal) => *literal,
                other => self.name(other),
            });
        }
        body.sort_unstable();
        body.dedup();
        vec![body]
    }
}

/// Leaves out what the goal does not depend on.
fn relevant(task: GroundTask) -> GroundTask {
    let GroundTask { facts, mut operators, mut axioms, comparisons, fluents, range, goal } = task;
    let mut needed = vec![false; facts.len()];
    let mut numbers = vec![false; fluents.len()];
    let mut is_changed = true;
    let need = |literals: &[Literal], needed: &mut [bool], numbers: &mut [bool]| {
        let mut is_new = false;
        for literal in literals {
            match literal {
                Literal::Fact(fact, _) => {
                    is_new |= !std::mem::replace(&mut needed[*fact as usize], true);
                }
                Literal::Compare(comparison, _) => {
                    let GroundComparison { left, right, .. } = &comparisons[*comparison as usize];
                    for side in [left, right] {
                        side.fluents(&mut |fluent| {
                            is_new |= !std::mem::replace(&mut numbers[fluent as usize], true);
                        });
                    }
                }
            }
        }
        is_new
    };
    need(goal.as_deref().unwrap_or_default(), &mut needed, &mut numbers);
    while is_changed {
        is_changed = false;
        for axiom in &axioms {
            if needed[axiom.head as usize] {
                is_changed |= need(&axiom.body, &mut needed, &mut numbers);
            }
        }
        for operator in &operators {
            let mut matters = false;
            for effect in &operator.effects {
                let is_needed = match &effect.change {
                    GroundChange::Add(fact) | GroundChange::Delete(fact) => needed[*fact as usize],
                    GroundChange::Number(_, fluent, _) => numbers[*fluent as usize],
                };
                if is_needed {
                    matters = true;
                    is_changed |= need(&effect.conditions, &mut needed, &mut numbers);
                    if let GroundChange::Number(_, _, value) = &effect.change {
                        value.fluents(&mut |fluent| {
                            is_changed |= !std::mem::replace(&mut numbers[fluent as usize], true);
                        });
                    }
                }
            }
            if matters {
                is_changed |= need(&operator.preconditions, &mut needed, &mut numbers);
            }
        }
    }
    for operator in &mut operators {
        operator.effects.retain(|effect| match &effect.change {
            GroundChange::Add(fact) | GroundChange::Delete(fact) => needed[*fact as usize],
            GroundChange::Number(_, fluent, _) => numbers[*fluent as usize],
        });
    }
    operators.retain(|operator| !operator.effects.is_empty());
    axioms.retain(|axiom| needed[axiom.head as usize]);
    renumbered(
        GroundTask { facts, operators, axioms, comparisons, fluents, range, goal },
        &needed,
        &numbers,
    )
}

/// Gives the needed facts and fluents consecutive numbers.
fn renumbered(task: GroundTask, needed: &[bool], numbers: &[bool]) -> GroundTask {
    let number = |is_kept: &[bool]| -> Vec<u32> {
        let mut next = 0;
        let each = is_kept.iter().map(|&keep| {
            next += u32::from(keep);
            if keep { next - 1 } else { u32::MAX }
        });
        each.collect()
    };
    let (facts, fluents) = (number(needed), number(numbers));
    // Comparisons that only irrelevant operators had are left out.
    let mut comparisons = vec![u32::MAX; task.comparisons.len()];
    let mut kept = Vec::new();
    let mut of_literal = |literal: &mut Literal| match literal {
        Literal::Fact(fact, _) => *fact = facts[*fact as usize],
        Literal::Compare(at, _) => {
            let place = &mut comparisons[*at as usize];
            if *place == u32::MAX {
                *place = kept.len() as u32;
                let mut made = task.comparisons[*at as usize].clone();
                renumber(&mut made.left, &fluents);
                renumber(&mut made.right, &fluents);
                kept.push(made);
            }
            *at = *place;
        }
    };
    let mut operators = task.operators;
    for operator in &mut operators {
        operator.preconditions.iter_mut().for_each(&mut of_literal);
        operator.preconditions.sort_unstable();
        for effect in &mut operator.effects {
            effect.conditions.iter_mut().for_each(&mut of_literal);
            match &mut effect.change {
                GroundChange::Add(fact) | GroundChange::Delete(fact) => {
                    *fact = facts[*fact as usize];
                }
                GroundChange::Number(_, fluent, value) => {
                    *fluent = fluents[*fluent as usize];
                    renumber(value, &fluents);
                }
            }
        }
    }
    let mut axioms = task.axioms;
    for axiom in &mut axioms {
        axiom.head = facts[axiom.head as usize];
        axiom.body.iter_mut().for_each(&mut of_literal);
    }
    let mut goal = task.goal;
    goal.iter_mut().flatten().for_each(&mut of_literal);
    let keep = |is_kept: &[bool], at: usize| is_kept[at];
    let of_facts = task.facts.into_iter().enumerate().filter(|(at, _)| keep(needed, *at));
    let of_fluents = task.fluents.into_iter().enumerate().filter(|(at, _)| keep(numbers, *at));
    GroundTask {
        facts: of_facts.map(|(_, fact)| fact).collect(),
        operators,
        axioms,
        comparisons: kept,
        fluents: of_fluents.map(|(_, fluent)| fluent).collect(),
        range: task.range,
        goal,
    }
}

fn renumber(number: &mut GroundNumber, fluents: &[u32]) {
    match number {
        GroundNumber::Const(_) => {}
        GroundNumber::Fluent(fluent) => *fluent = fluents[*fluent as usize],
        GroundNumber::Operation(_, a, b) => {
            renumber(a, fluents);
            renumber(b, fluents);
        }
    }
}
