//! Planning tasks as models in Promela: the assertion fails where the goal is reached, so that its
//! counterexamples are the plans.
//!
//! Source: [EMJ05], the section on planning: a propositional planning problem is a model checking
//! problem. Variables are those of the encoding (a mutex group is one variable). An action is one
//! `d_step`, which checks the goal in the end, so that a trail has as many steps as its plan; costs
//! are left out. Derived facts are computed again after each action. An action prints itself: the
//! output of a trail is the plan.

use std::fmt::Write as _;

use beeline_kernel::Deadline;

use crate::encode::{EncodedOperator, StateCondition, ValueChange, encode};
use crate::ground::{GroundError, GroundNumber, GroundOperation, GroundTask, ground};
use crate::space::PlanningSpace;
use crate::task::{NumericChange, NumericComparison, PlanningTask};

/// Why a task does not become a model.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PromelaError {
    /// It cannot be grounded.
    Ground(GroundError),
    /// An action, or a condition, has a division: Promela has no exact one.
    Division(String),
}

impl std::fmt::Display for PromelaError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            PromelaError::Ground(error) => error.fmt(f),
            PromelaError::Division(place) => {
                write!(f, "{place} divides numbers, and Promela rounds where PDDL does not")
            }
        }
    }
}

impl std::error::Error for PromelaError {}

/// A task as a Promela model, grounded until a deadline and within a number of bytes.
///
/// # Errors
///
/// When a limit is reached, or numbers are divided.
pub fn promela_text(
    task: &PlanningTask,
    deadline: Deadline,
    bytes: usize,
) -> Result<String, PromelaError> {
    let ground = ground(task, deadline, bytes).map_err(PromelaError::Ground)?;
    let space = PlanningSpace::new(encode(&ground, deadline));
    let mut writer = PromelaWriter { task, ground: &ground, space: &space, text: String::new() };
    writer.write()?;
    Ok(writer.text)
}

struct PromelaWriter<'a> {
    task: &'a PlanningTask,
    ground: &'a GroundTask,
    space: &'a PlanningSpace,
    text: String,
}

impl PromelaWriter<'_> {
    fn write(&mut self) -> Result<(), PromelaError> {
        let encoded = &self.space.task;
        self.line(
            "/* A planning task: the assertion fails where the goal is reached. The output of a",
        );
        self.line(" * trail is a plan. */");
        self.variables();
        let goal = match &encoded.goal {
            Some(goal) => self.all(goal)?,
            None => "false".to_owned(),
        };
        self.line(&format!("#define GOAL ({goal})"));
        self.derivation()?;
        self.line("");
        self.line("active proctype plan()");
        self.line("{");
        if self.holds_initially() {
            self.line("\tassert(!GOAL);");
        }
        if encoded.operators.is_empty() {
            self.line("\tskip");
        } else {
            self.line("end:\tdo");
            for operator in &encoded.operators {
                self.operator(operator)?;
            }
            self.line("\tod");
        }
        self.line("}");
        Ok(())
    }

    fn line(&mut self, line: &str) {
        writeln!(self.text, "{line}").expect("writing to a string succeeds");
    }

    fn variables(&mut self) {
        let encoded = &self.space.task;
        let mut scratch = 0;
        for operator in &encoded.operators {
            let conditional = operator.effects.iter().filter(|one| !one.conditions.is_empty());
            scratch = scratch.max(conditional.count());
        }
        for (at, group) in encoded.groups.iter().enumerate() {
            let names = group.facts.iter().map(|&fact| &*self.ground.facts[fact as usize].name);
            let mut names: Vec<&str> = names.collect();
            if group.has_none {
                names.push("none");
            }
            let ty = match group.size() {
                0..=2 => "bit",
                3..=256 => "byte",
                _ => "int",
            };
            let (initial, names) = (group.initial, names.join(", "));
            self.line(&format!("{ty} v{at} = {initial}; /* {names} */"));
        }
        let initial = self.space.initial_state();
        let mut axioms = self.space.axioms();
        if !axioms.is_empty() {
            axioms.evaluate(encoded, &self.space.layout, &initial);
        }
        for (at, derived) in encoded.derived.iter().enumerate() {
            let name = &self.ground.facts[derived.fact as usize].name;
            let value = u8::from(axioms.holds[at]);
            self.line(&format!("bit d{at} = {value}; /* {name} */"));
        }
        for (at, value) in encoded.numbers.iter().enumerate() {
            let name = &self.ground.fluents[at].0;
            self.line(&format!("int n{at} = {value}; /* {name} */"));
        }
        for at in 0..scratch {
            self.line(&format!("bit c{at}; /* whether a conditional effect takes place */"));
        }
    }

    fn holds_initially(&self) -> bool {
        let mut expansion = beeline_kernel::Expansion::default();
        beeline_kernel::Space::expand(self.space, &self.space.initial_state(), &mut expansion);
        !expansion.violated_invariants.is_empty()
    }

    /// Derived facts, stratum by stratum.
    fn derivation(&mut self) -> Result<(), PromelaError> {
        let encoded = &self.space.task;
        if encoded.derived.is_empty() {
            return Ok(());
        }
        self.line("inline derive()");
        self.line("{");
        let all = (0..encoded.derived.len()).map(|at| format!("d{at} = 0"));
        self.line(&format!("\t{};", all.collect::<Vec<_>>().join("; ")));
        let last = encoded.derived.iter().map(|one| one.layer).max().unwrap_or(0);
        for layer in 0..=last {
            let axioms = encoded.axioms.iter();
            let own: Vec<_> = axioms
                .filter(|axiom| encoded.derived[axiom.head as usize].layer == layer)
                .collect();
            if own.is_empty() {
                continue;
            }
            self.line("\tdo");
            for axiom in own {
                let body = self.all(&axiom.body)?;
                let head = axiom.head;
                self.line(&format!("\t:: !d{head} && {body} -> d{head} = 1"));
            }
            self.line("\t:: else -> break");
            self.line("\tod;");
        }
        self.line("\tskip");
        self.line("}");
        Ok(())
    }

    fn operator(&mut self, operator: &EncodedOperator) -> Result<(), PromelaError> {
        let name = self.ground.action_name(self.task, operator.ground as usize);
        let place = || format!("the action {name}");
        let mut guard = self.all(&operator.preconditions)?;
        for effect in &operator.effects {
            if let ValueChange::Number(_, _, number) = &effect.change {
                self.number(number).ok_or_else(|| PromelaError::Division(place()))?;
            }
        }
        if guard.is_empty() {
            guard = "true".to_owned();
        }
        self.line(&format!("\t:: d_step {{ {guard} ->"));
        // Conditions are about the state before the action.
        let mut count = 0;
        for effect in operator.effects.iter().filter(|one| !one.conditions.is_empty()) {
            let condition = self.all(&effect.conditions)?;
            self.line(&format!("\t\tc{count} = {condition};"));
            count += 1;
        }
        count = 0;
        let mut assigned: Vec<String> = Vec::new();
        for effect in &operator.effects {
            let change =
                self.change(&effect.change).ok_or_else(|| PromelaError::Division(place()))?;
            if effect.conditions.is_empty() {
                assigned.push(change);
            } else {
                assigned.push(format!("if :: c{count} -> {change} :: else fi"));
                count += 1;
            }
        }
        assigned.extend((0..count).map(|at| format!("c{at} = 0")));
        if !self.space.task.derived.is_empty() {
            assigned.push("derive()".to_owned());
        }
        self.line(&format!("\t\t{};", assigned.join("; ")));
        self.line(&format!("\t\tprintf(\"{name}\\n\"); assert(!GOAL) }}"));
        Ok(())
    }

    /// An assignment; `None` if it divides.
    fn change(&self, change: &ValueChange) -> Option<String> {
        Some(match change {
            ValueChange::Set(group, value) => format!("v{group} = {value}"),
            ValueChange::Number(kind, fluent, by) => {
                let by = self.number(by)?;
                match kind {
                    NumericChange::Assign => format!("n{fluent} = {by}"),
                    NumericChange::Increase => format!("n{fluent} = n{fluent} + {by}"),
                    NumericChange::Decrease => format!("n{fluent} = n{fluent} - {by}"),
                    NumericChange::ScaleUp => format!("n{fluent} = n{fluent} * {by}"),
                    NumericChange::ScaleDown => return None,
                }
            }
        })
    }

    /// A number; `None` if it divides.
    fn number(&self, number: &GroundNumber) -> Option<String> {
        Some(match number {
            GroundNumber::Const(value) => format!("({value})"),
            GroundNumber::Fluent(fluent) => format!("n{fluent}"),
            GroundNumber::Operation(operation, a, b) => {
                let operation = match operation {
                    GroundOperation::Add => "+",
                    GroundOperation::Subtract => "-",
                    GroundOperation::Multiply => "*",
                    GroundOperation::Divide => return None,
                };
                format!("({} {operation} {})", self.number(a)?, self.number(b)?)
            }
        })
    }

    /// A conjunction in parentheses.
    fn all(&self, conditions: &[StateCondition]) -> Result<String, PromelaError> {
        if conditions.is_empty() {
            return Ok("true".to_owned());
        }
        let each = conditions.iter().map(|one| self.condition(*one));
        Ok(format!("({})", each.collect::<Result<Vec<_>, _>>()?.join(" && ")))
    }

    fn condition(&self, condition: StateCondition) -> Result<String, PromelaError> {
        Ok(match condition {
            StateCondition::Is(group, value) => format!("v{group} == {value}"),
            StateCondition::IsNot(group, value) => format!("v{group} != {value}"),
            StateCondition::Derived(derived, true) => format!("d{derived}"),
            StateCondition::Derived(derived, false) => format!("!d{derived}"),
            StateCondition::Compare(at, holds) => {
                let of = &self.space.task.comparisons[at as usize];
                let sides = self.number(&of.left).zip(self.number(&of.right));
                let place = || PromelaError::Division("a condition".to_owned());
                let (left, right) = sides.ok_or_else(place)?;
                let comparison = match of.comparison {
                    NumericComparison::Less => "<",
                    NumericComparison::LessEqual => "<=",
                    NumericComparison::Equal => "==",
                    NumericComparison::GreaterEqual => ">=",
                    NumericComparison::Greater => ">",
                };
                let not = if holds { "" } else { "!" };
                format!("{not}({left} {comparison} {right})")
            }
        })
    }
}

#[cfg(test)]
mod tests {
    use beeline_kernel::Deadline;

    use super::*;
    use crate::read::{PlanningText, read};

    #[test]
    fn an_action_is_a_step_that_prints_itself() {
        let domain = "(define (domain d) (:requirements :adl) (:predicates (at ?x) (lit) (dark))
            (:derived (dark) (not (lit)))
            (:constants a b)
            (:action go :parameters (?x ?y) :precondition (and (at ?x) (not (= ?x ?y)))
              :effect (and (not (at ?x)) (at ?y) (when (dark) (lit)))))";
        let problem = "(define (problem p) (:domain d) (:init (at a)) (:goal (and (at b) (lit))))";
        let read = read(
            PlanningText { name: "d", text: domain },
            PlanningText { name: "p", text: problem },
        );
        let task = read.task.expect("it has no errors");
        let text = promela_text(&task, Deadline::NEVER, 1 << 30).unwrap();
        assert!(text.contains("printf(\"(go a b)\\n\"); assert(!GOAL) }"), "{text}");
        assert!(text.contains("bit d0 = 1; /* (dark) */"), "{text}");
        assert!(text.contains("c0 = (d0);"), "{text}");
    }
}
