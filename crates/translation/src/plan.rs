//! Execution of plans on a factored system. The names of actions say which operators they are;
//! bookkeeping has no counterpart.

use std::error::Error;
use std::fmt;

use beeline_factored::{System, successors};
use beeline_kernel::FaultKind;

use crate::names::operator_name;

/// What a plan does.
#[derive(Clone, Debug)]
pub struct FactoredRun {
    /// The values of the factors in each state of the model that it visits: those in which no
    /// process keeps control.
    pub states: Vec<Vec<i32>>,
    /// The fault of its last operator.
    pub fault: Option<FaultKind>,
    /// The number of operators.
    pub length: u64,
    /// Whether it ends while a process keeps control that can move on.
    pub is_held: bool,
}

/// Why a plan is none of a system.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PlanMistake {
    /// No operator has this name.
    Unknown {
        /// The action, from 1.
        step: usize,
        /// Its name.
        action: String,
    },
    /// The operator is not applicable.
    Inapplicable {
        /// The action, from 1.
        step: usize,
        /// Its name.
        action: String,
        /// The cause.
        why: String,
    },
}

impl fmt::Display for PlanMistake {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            PlanMistake::Unknown { step, action } => {
                write!(f, "action {step}, `{action}`, is no action of the exported model")
            }
            PlanMistake::Inapplicable { step, action, why } => {
                write!(f, "action {step}, `{action}`, cannot be executed: {why}")
            }
        }
    }
}

impl Error for PlanMistake {}

/// An action of a plan.
enum PlannedAction {
    Operator(u32),
    Bookkeeping,
}

/// The action with a name; `None` if there is none.
fn action_of(system: &System, name: &str) -> Option<PlannedAction> {
    let digits = |text: &str| text.chars().take_while(char::is_ascii_digit).count();
    if let Some(rest) = name.strip_prefix('b') {
        let count = digits(rest);
        let kind = rest.get(count..)?.strip_prefix('-').filter(|_| count > 0)?;
        let known = ["others", "release", "deadlock", "violated"];
        return known.iter().any(|one| kind.starts_with(one)).then_some(PlannedAction::Bookkeeping);
    }
    let rest = name.strip_prefix('s')?;
    let at: u32 = rest.get(..digits(rest))?.parse().ok()?;
    let wanted = operator_name(at, system.steps.get(at as usize)?);
    let case = name.strip_prefix(&wanted)?;
    let is_case = case.is_empty()
        || case.strip_prefix("-c").is_some_and(|of| !of.is_empty() && digits(of) == of.len());
    is_case.then_some(PlannedAction::Operator(at))
}

/// Executes the actions of a plan, by their names in lower case.
///
/// # Errors
///
/// The first action that is unknown or not applicable.
pub fn run_plan(system: &System, actions: &[String]) -> Result<FactoredRun, PlanMistake> {
    let mut operators = Vec::new();
    for (at, action) in actions.iter().enumerate() {
        let step = at + 1;
        let found = action_of(system, action)
            .ok_or_else(|| PlanMistake::Unknown { step, action: action.clone() })?;
        if let PlannedAction::Operator(operator) = found {
            operators.push((step, action.clone(), operator));
        }
    }
    run_operators(system, operators)
}

/// Executes operators, each with its number and its name in the plan.
pub(crate) fn run_operators(
    system: &System,
    operators: Vec<(usize, String, u32)>,
) -> Result<FactoredRun, PlanMistake> {
    let start = system.initial.clone();
    let mut run = PlanRun {
        system,
        values: start.clone(),
        holder: None,
        done: FactoredRun { states: vec![start], fault: None, length: 0, is_held: false },
    };
    for (step, action, operator) in operators {
        run.take(operator).map_err(|why| PlanMistake::Inapplicable { step, action, why })?;
    }
    run.release();
    run.done.is_held = run.holder.is_some();
    Ok(run.done)
}

struct PlanRun<'a> {
    system: &'a System,
    values: Vec<i32>,
    holder: Option<u32>,
    done: FactoredRun,
}

impl PlanRun<'_> {
    fn outcome(&self, at: u32) -> Option<Vec<i32>> {
        let mut found = None;
        let step = &self.system.steps[at as usize];
        // An operator of an exact system has one outcome.
        successors(step, &self.values, &mut |after| found = Some(after.to_vec())).ok()?;
        found
    }

    /// A process without an applicable operator loses control.
    fn release(&mut self) {
        let Some(holder) = self.holder else { return };
        let own = (0..).zip(&self.system.steps);
        let mut own = own.filter(|(_, step)| step.label.process == holder && !step.only_reports());
        if !own.any(|(at, _)| self.outcome(at).is_some()) {
            self.holder = None;
            self.done.states.push(self.values.clone());
        }
    }

    fn take(&mut self, at: u32) -> Result<(), String> {
        let step = &self.system.steps[at as usize];
        if self.done.fault.is_some() {
            return Err("the step before it has failed".to_owned());
        }
        if self.holder.is_some_and(|holder| holder != step.label.process) {
            self.release();
        }
        if let Some(holder) = self.holder.filter(|&holder| holder != step.label.process) {
            return Err(format!("process {holder} is in an atomic sequence and can move"));
        }
        let Some(after) = self.outcome(at) else {
            return Err(format!("`{}` is not executable", step.name));
        };
        if let Some(set) = step.shut_out_by {
            let others = &self.system.shut_outs[set.0 as usize];
            if let Some(&other) = others.iter().find(|&&other| self.outcome(other).is_some()) {
                let other = &self.system.steps[other as usize].name;
                return Err(format!("`{other}` is executable, and excludes it"));
            }
        }
        self.done.length += u64::from(step.cost);
        if step.fails.is_some() {
            self.done.fault = step.fails;
            return Ok(());
        }
        self.values = after;
        self.holder = step.holds;
        if self.holder.is_none() {
            self.done.states.push(self.values.clone());
        }
        Ok(())
    }
}
