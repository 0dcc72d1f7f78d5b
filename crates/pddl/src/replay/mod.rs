//! Execution of plans on the task as it is written: the validator. It shares no code with the
//! grounder: states are sets of atoms (`atoms`), and formulas are evaluated with the values of
//! variables (`solve`).

mod atoms;
mod solve;

use std::collections::HashMap;
use std::fmt;

use atoms::{Atoms, Tuple};

use crate::task::{
    Axiom, Change, Fluent, Metric, NumericExpr, ObjectId, PlanningTask, PredicateId, SchemaAtom,
    SchemaFormula, SchemaVariable, Term,
};

/// An action of a plan.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlanStep {
    /// The name of the action.
    pub name: String,
    /// The names of its arguments.
    pub arguments: Vec<String>,
}

impl fmt::Display for PlanStep {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "({}", self.name)?;
        self.arguments.iter().try_for_each(|argument| write!(f, " {argument}"))?;
        f.write_str(")")
    }
}

/// A plan that was executed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ReplayedPlan {
    /// Its cost by the metric.
    pub cost: i64,
    /// The number of its actions.
    pub length: usize,
}

/// Why a text is no plan of a task.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PlanFault {
    /// A line of the text is no action.
    Syntax {
        /// The line, from 1.
        line: usize,
        /// The cause.
        why: String,
    },
    /// An action cannot be executed.
    Step {
        /// The action, from 1.
        step: usize,
        /// The action as text.
        action: String,
        /// The cause.
        why: String,
    },
    /// All actions can be executed, but the goal does not hold at the end.
    Goal,
}

impl fmt::Display for PlanFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            PlanFault::Syntax { line, why } => write!(f, "line {line}: {why}"),
            PlanFault::Step { step, action, why } => write!(f, "step {step}, {action}: {why}"),
            PlanFault::Goal => f.write_str("the goal does not hold after the last step"),
        }
    }
}

impl std::error::Error for PlanFault {}

/// Reads a plan in the format of the planning competitions: an action in parentheses on each line.
///
/// # Errors
///
/// When a line is neither an action nor a comment.
pub fn read_plan(text: &str) -> Result<Vec<PlanStep>, PlanFault> {
    let mut steps = Vec::new();
    for (at, line) in text.lines().enumerate() {
        let code = line.split(';').next().unwrap_or_default().trim().to_ascii_lowercase();
        if code.is_empty() {
            continue;
        }
        // Some planners number their steps, as in `0: (move a b)`.
        let action = code.find('(').map_or(&*code, |from| &code[from..]);
        let inner = action.strip_prefix('(').and_then(|rest| rest.split_once(')'));
        let mut words = inner.map(|(inner, _)| inner.split_whitespace()).into_iter().flatten();
        let Some(name) = words.next() else {
            let why = "expected an action in parentheses, as `(move a b)`".to_owned();
            return Err(PlanFault::Syntax { line: at + 1, why });
        };
        let arguments = words.map(str::to_owned).collect();
        steps.push(PlanStep { name: name.to_owned(), arguments });
    }
    Ok(steps)
}

/// Executes a plan from the initial state.
///
/// # Errors
///
/// The first action that cannot be executed, or that the goal is not reached.
pub fn replay(task: &PlanningTask, plan: &[PlanStep]) -> Result<ReplayedPlan, PlanFault> {
    let mut state = TaskState::initial(task);
    let start = state.metric();
    for (at, step) in plan.iter().enumerate() {
        let taken = state.take(step);
        taken.map_err(|why| PlanFault::Step { step: at + 1, action: step.to_string(), why })?;
    }
    state.derive();
    if !state.holds(&task.goal, &task.goal_variables, &mut vec![None; task.goal_variables.len()]) {
        return Err(PlanFault::Goal);
    }
    let cost = match start.zip(state.metric()) {
        Some((start, end)) => end - start,
        None => plan.len() as i64,
    };
    Ok(ReplayedPlan { cost, length: plan.len() })
}

type Values = Vec<Option<ObjectId>>;

/// A state: the atoms that hold, and the values of functions.
struct TaskState<'t> {
    task: &'t PlanningTask,
    atoms: Vec<Atoms>,
    numbers: HashMap<(u32, Tuple), i64>,
    /// Whether derived atoms belong to the state.
    is_derived: bool,
}

impl<'t> TaskState<'t> {
    fn initial(task: &'t PlanningTask) -> TaskState<'t> {
        let mut atoms = vec![Atoms::default(); task.predicates.len()];
        for atom in &task.initial {
            atoms[atom.predicate.0 as usize].insert(objects(&atom.terms, &[]));
        }
        let mut numbers: HashMap<(u32, Tuple), i64> = task
            .numbers
            .iter()
            .map(|(fluent, value)| ((fluent.function.0, objects(&fluent.terms, &[])), *value))
            .collect();
        for (at, function) in task.functions.iter().enumerate() {
            if &*function.name == "total-cost" && function.parameters.is_empty() {
                numbers.entry((at as u32, Vec::new())).or_insert(0);
            }
        }
        TaskState { task, atoms, numbers, is_derived: false }
    }

    /// The value of the metric; `None` if it is the number of steps.
    fn metric(&self) -> Option<i64> {
        match &self.task.metric {
            Metric::Steps => None,
            Metric::Minimize(expr) => self.number(expr, &[]),
        }
    }

    /// Executes an action.
    fn take(&mut self, step: &PlanStep) -> Result<(), String> {
        let task = self.task;
        let Some(action) = task.actions.iter().find(|action| *action.name == *step.name) else {
            return Err("there is no such action".to_owned());
        };
        if action.parameters != step.arguments.len() {
            let (takes, given) = (action.parameters, step.arguments.len());
            return Err(format!("the action takes {takes} arguments, not {given}"));
        }
        let mut values: Values = vec![None; action.variables.len()];
        for (at, name) in step.arguments.iter().enumerate() {
            let object = task.objects.iter().position(|object| *object.name == **name);
            let object = object.ok_or_else(|| format!("there is no object `{name}`"))?;
            let object = ObjectId(object as u32);
            let variable = &action.variables[at];
            if !variable.objects.contains(&object) {
                return Err(format!("`{name}` has not the type of `{}`", variable.name));
            }
            values[at] = Some(object);
        }
        self.derive();
        if !self.holds(&action.precondition, &action.variables, &mut values) {
            return Err(self.why_not(&action.precondition, &action.variables, &mut values));
        }
        let (mut deleted, mut added, mut changed) = (Vec::new(), Vec::new(), Vec::new());
        for effect in &action.effects {
            let mut outcome = Ok(());
            let mut visit = |values: &Values| match &effect.change {
                Change::Add(atom) => added.push((atom.predicate, objects(&atom.terms, values))),
                Change::Delete(atom) => {
                    deleted.push((atom.predicate, objects(&atom.terms, values)))
                }
                Change::Number(kind, fluent, by) => match self.number(by, values) {
                    Some(by) => {
                        let key = (fluent.function.0, objects(&fluent.terms, values));
                        changed.push((*kind, key, by));
                    }
                    None => outcome = Err("a number has no value".to_owned()),
                },
            };
            let (bound, condition) = (&effect.variables, &effect.condition);
            self.each(bound, condition, &action.variables, &mut values, &mut visit);
            outcome?;
        }
        for (kind, key, by) in changed {
            let old = self.numbers.get(&key).copied();
            let is_assigned = kind == crate::task::NumericChange::Assign;
            let old = old.or(is_assigned.then_some(0)).ok_or("a number has no value")?;
            let new = kind.apply(old, by).filter(|new| i32::try_from(*new).is_ok());
            self.numbers.insert(key, new.ok_or("a number is not an integer, or too large")?);
        }
        self.forget_derived();
        for (predicate, tuple) in deleted {
            self.atoms[predicate.0 as usize].remove(&tuple);
        }
        for (predicate, tuple) in added {
            self.atoms[predicate.0 as usize].insert(tuple);
        }
        Ok(())
    }

    fn forget_derived(&mut self) {
        for (predicate, atoms) in self.task.predicates.iter().zip(&mut self.atoms) {
            if predicate.is_derived {
                atoms.clear();
            }
        }
        self.is_derived = false;
    }

    /// Derives atoms stratum by stratum, until no axiom adds one.
    fn derive(&mut self) {
        let task = self.task;
        if self.is_derived || task.axioms.is_empty() {
            return;
        }
        self.is_derived = true;
        let last = task.axioms.iter().map(|axiom| axiom.layer).max().unwrap_or(0);
        for layer in 0..=last {
            let of_layer: Vec<&Axiom> =
                task.axioms.iter().filter(|axiom| axiom.layer == layer).collect();
            // The derived predicates that have new atoms, in the round before.
            let mut grown: Option<Vec<PredicateId>> = None;
            loop {
                let mut new: Vec<(PredicateId, Tuple)> = Vec::new();
                for axiom in &of_layer {
                    if grown.as_ref().is_some_and(|grown| !mentions(&axiom.body, grown)) {
                        continue;
                    }
                    let atoms = &self.atoms[axiom.head.0 as usize];
                    let parameters: Vec<u32> = (0..axiom.parameters as u32).collect();
                    let mut values: Values = vec![None; axiom.variables.len()];
                    let (body, variables) = (&axiom.body, &axiom.variables[..]);
                    self.each(&parameters, body, variables, &mut values, &mut |values| {
                        let tuple: Tuple = values[..axiom.parameters]
                            .iter()
                            .map(|one| one.expect("bound"))
                            .collect();
                        if !atoms.has(&tuple) {
                            new.push((axiom.head, tuple));
                        }
                    });
                }
                let mut heads = Vec::new();
                for (head, tuple) in new {
                    if self.atoms[head.0 as usize].insert(tuple) && !heads.contains(&head) {
                        heads.push(head);
                    }
                }
                if heads.is_empty() {
                    break;
                }
                grown = Some(heads);
            }
        }
    }

    fn number(&self, expr: &NumericExpr, values: &[Option<ObjectId>]) -> Option<i64> {
        match expr {
            NumericExpr::Number(value) => Some(*value),
            NumericExpr::Fluent(Fluent { function, terms }) => {
                self.numbers.get(&(function.0, objects(terms, values))).copied()
            }
            NumericExpr::Operation(operation, a, b) => {
                operation.apply(self.number(a, values)?, self.number(b, values)?)
            }
        }
    }

    /// The first conjunct of a precondition that does not hold.
    fn why_not(
        &self,
        formula: &'t SchemaFormula,
        variables: &'t [SchemaVariable],
        values: &mut Values,
    ) -> String {
        match formula {
            SchemaFormula::And(all) => {
                let failing = all.iter().find(|one| !self.holds(one, variables, values));
                failing.map_or_else(String::new, |one| self.why_not(one, variables, values))
            }
            SchemaFormula::Atom(atom) => format!("{} does not hold", self.atom_text(atom, values)),
            SchemaFormula::Not(inner) if matches!(**inner, SchemaFormula::Atom(_)) => {
                match &**inner {
                    SchemaFormula::Atom(atom) => format!("{} holds", self.atom_text(atom, values)),
                    _ => "its precondition does not hold".to_owned(),
                }
            }
            _ => "its precondition does not hold".to_owned(),
        }
    }

    fn atom_text(&self, atom: &SchemaAtom, values: &[Option<ObjectId>]) -> String {
        let mut text = format!("({}", self.task.predicates[atom.predicate.0 as usize].name);
        for object in objects(&atom.terms, values) {
            text.push(' ');
            text.push_str(&self.task.objects[object.0 as usize].name);
        }
        text + ")"
    }
}

/// Whether a formula has an atom of one of these predicates.
fn mentions(formula: &SchemaFormula, predicates: &[PredicateId]) -> bool {
    match formula {
        SchemaFormula::And(all) | SchemaFormula::Or(all) => {
            all.iter().any(|one| mentions(one, predicates))
        }
        SchemaFormula::Not(inner)
        | SchemaFormula::Forall(_, inner)
        | SchemaFormula::Exists(_, inner) => mentions(inner, predicates),
        SchemaFormula::Atom(atom) => predicates.contains(&atom.predicate),
        SchemaFormula::Same(..) | SchemaFormula::Compare(..) => false,
    }
}

fn objects(terms: &[Term], values: &[Option<ObjectId>]) -> Tuple {
    let value = |term: &Term| match term {
        Term::Object(object) => *object,
        Term::Variable(variable) => {
            values[*variable as usize].expect("schemata bind their variables")
        }
    };
    terms.iter().map(value).collect()
}
