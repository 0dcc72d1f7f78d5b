//! Formulas of branching time: `ctl` and `mu` formulas over the exact view of a machine.

use std::collections::HashSet;

use beeline_analysis::factored::{InstanceBounds, exact_view_with};
use beeline_engine::automata::{Edge, EdgeAction, label_location};
use beeline_engine::interpreter::{Machine, SlotValue, VariableSlot};
use beeline_factored::{FactorExpr, FactoredView, Operator};
use beeline_kernel::StepLabel;
use beeline_logic::Atom;
use beeline_logic::branching::{FixpointVariable, Mu, PathFormula, StateFormula};
use beeline_model::{BranchingProblem, MuSteps, Property, StateAtom, TemporalFormula, Unsupported};
use beeline_promela::hir::branching::{
    ActionPattern, BranchingExpr, BranchingLanguage, Fixpoint, Modality, PathQuantifier,
};
use beeline_promela::hir::print::Printer;
use beeline_promela::hir::{
    Access, BinaryOp, BranchingFormula, Expr, ExprKind, GlobalId, Model, Predefined, ProcessId,
    ProcessQuery, Root, UnaryOp,
};

/// The formula of a property.
///
/// # Errors
///
/// When it has none.
pub(crate) fn branching_formula<'m>(
    model: &'m Model,
    property: &Property,
) -> Result<&'m BranchingFormula, Unsupported> {
    let name = property.formula.as_deref().unwrap_or_default();
    model.branching_formula(name).ok_or_else(|| Unsupported::new("there is no such formula"))
}

/// Formulas over the factors of a machine.
///
/// # Errors
///
/// When the model has no factored form, or a fairness constraint has none.
pub(crate) fn branching_problem(
    machine: &Machine<'_>,
    instances: &InstanceBounds,
    formulas: &[&BranchingFormula],
) -> Result<BranchingProblem, Unsupported> {
    let model = machine.model();
    let mut conditions: Vec<&Expr> = model.fairness.iter().collect();
    for condition in &conditions {
        check_atom(machine, condition)?;
    }
    // The atoms of the formulas that have none that must be refused.
    let mut accepted = Vec::new();
    for formula in formulas {
        let mut atoms = Vec::new();
        formula.formula.atoms(&mut |atom| atoms.push(atom));
        let checked = atoms.iter().try_for_each(|atom| check_atom(machine, atom));
        accepted.push(checked.map(|()| atoms.len()));
        if accepted.last().is_some_and(Result::is_ok) {
            conditions.extend(atoms);
        }
    }
    let made = exact_view_with(machine, instances, &conditions);
    let (view, exprs) = made.map_err(|error| Unsupported::new(error.to_string()))?;
    let mut read: Vec<(&Expr, FactorExpr)> = conditions.into_iter().zip(exprs).collect();
    let mut of_formulas = read.split_off(model.fairness.len()).into_iter();
    determined(model, &read)?;
    let mut translation = Translation {
        machine,
        view: &view,
        exprs: Vec::new().into_iter(),
        atoms: Vec::new(),
        step_kinds: Vec::new(),
        variables: Vec::new(),
        fixpoints: 0,
    };
    let mut translated = Vec::new();
    for (formula, accepted) in formulas.iter().zip(accepted) {
        translated.push(accepted.and_then(|count| {
            let own: Vec<(&Expr, FactorExpr)> = of_formulas.by_ref().take(count).collect();
            determined(model, &own)?;
            translation.formula(formula, own)
        }));
    }
    let Translation { atoms, step_kinds, .. } = translation;
    let fairness = read.into_iter().map(|(_, expr)| expr).collect();
    Ok(BranchingProblem { view, formulas: translated, atoms, step_kinds, fairness })
}

/// Refuses conditions whose values the view does not determine.
fn determined(model: &Model, conditions: &[(&Expr, FactorExpr)]) -> Result<(), Unsupported> {
    let is_open = |condition: &Expr, expr: &FactorExpr| {
        enabled_process(condition).is_none() && !expr.is_determined()
    };
    match conditions.iter().find(|(condition, expr)| is_open(condition, expr)) {
        None => Ok(()),
        Some((condition, _)) => {
            let text = Printer::new(model, None).expr(condition);
            let why = format!("the symbolic view of the model does not determine `{text}`");
            Err(Unsupported::new(why))
        }
    }
}

/// Whether a condition is about single states, and determined by the values of variables.
pub(crate) fn is_state_condition(machine: &Machine<'_>, condition: &Expr) -> bool {
    check_atom(machine, condition).is_ok() && enabled_process(condition).is_none()
}

/// Refuses atoms that are not about single states.
fn check_atom(machine: &Machine<'_>, atom: &Expr) -> Result<(), Unsupported> {
    let mut refused = None;
    let is_enabled = |expr: &Expr| enabled_process(expr).is_some();
    atom.visit(&mut |expr| match &expr.kind {
        ExprKind::Timeout => {
            refused = Some("`timeout`; `deadlock` holds where no step is possible")
        }
        ExprKind::NonProgress => refused = Some("`np_`"),
        ExprKind::Process(ProcessQuery::Priority, _) => refused = Some("`get_priority`"),
        ExprKind::Process(ProcessQuery::Enabled, _) if !is_enabled(atom) => {
            refused = Some("`enabled` of a process number that is not a constant");
        }
        ExprKind::Read(Access { root: Root::Predefined(Predefined::Last), .. }) => {
            refused = Some("`_last`, which is about the step before");
        }
        _ => {}
    });
    match refused {
        None => Ok(()),
        Some(why) => {
            let text = Printer::new(machine.model(), None).expr(atom);
            Err(Unsupported::new(format!(
                "`{text}` cannot be part of a formula of branching time: {why}"
            )))
        }
    }
}

/// The process of `enabled(constant)`.
fn enabled_process(atom: &Expr) -> Option<u32> {
    let ExprKind::Process(ProcessQuery::Enabled, pid) = &atom.kind else { return None };
    pid.kind.constant().and_then(|pid| u32::try_from(pid).ok())
}

struct Translation<'a> {
    machine: &'a Machine<'a>,
    view: &'a FactoredView,
    /// The expressions of the atoms, in the order of the formula.
    exprs: std::vec::IntoIter<FactorExpr>,
    atoms: Vec<StateAtom>,
    step_kinds: Vec<Vec<u32>>,
    /// The variables in scope: their numbers in the formula, and new ones.
    variables: Vec<(u32, FixpointVariable)>,
    fixpoints: u32,
}

impl Translation<'_> {
    /// A formula whose atoms have these expressions.
    fn formula(
        &mut self,
        formula: &BranchingFormula,
        atoms: Vec<(&Expr, FactorExpr)>,
    ) -> Result<TemporalFormula, Unsupported> {
        let exprs: Vec<FactorExpr> = atoms.into_iter().map(|(_, expr)| expr).collect();
        self.exprs = exprs.into_iter();
        self.variables.clear();
        Ok(match formula.language {
            BranchingLanguage::Ctl => TemporalFormula::CtlStar(self.state(&formula.formula)),
            BranchingLanguage::Mu => TemporalFormula::Mu(self.mu(&formula.formula, true)?),
        })
    }

    fn operators(&self) -> impl Iterator<Item = (u32, &Operator)> {
        (0..).zip(&self.view.system.steps)
    }

    /// The number of the atom of an expression.
    fn atom(&mut self, expr: &Expr) -> Atom {
        let holds = self.exprs.next().expect("each atom has an expression");
        let atom = match enabled_process(expr) {
            None => StateAtom::Holds(holds),
            Some(pid) => {
                let own = |step: &Operator| step.label.process == pid && !step.only_reports();
                let own = self.operators().filter(|(_, step)| own(step));
                StateAtom::Enabled(own.map(|(at, _)| at).collect())
            }
        };
        self.number_of(atom)
    }

    fn number_of(&mut self, atom: StateAtom) -> Atom {
        let at = self.atoms.iter().position(|known| *known == atom).unwrap_or_else(|| {
            self.atoms.push(atom);
            self.atoms.len() - 1
        });
        Atom(at as u32)
    }

    fn state(&mut self, formula: &BranchingExpr) -> StateFormula {
        match formula {
            BranchingExpr::Atom(expr) => match expr.kind.constant() {
                Some(value) => {
                    self.exprs.next();
                    StateFormula::Constant(value != 0)
                }
                None => StateFormula::Atom(self.atom(expr)),
            },
            BranchingExpr::Deadlock => StateFormula::Atom(self.number_of(StateAtom::Deadlock)),
            BranchingExpr::Unary(_, operand) => self.state(operand).not(),
            BranchingExpr::Binary(op, left, right) => {
                let (a, b) = (self.state(left), self.state(right));
                match op {
                    BinaryOp::And => a.and(b),
                    BinaryOp::Or => a.or(b),
                    BinaryOp::Implies => a.not().or(b),
                    _ => a.clone().and(b.clone()).or(a.not().and(b.not())),
                }
            }
            BranchingExpr::Quantified(quantifier, path) => {
                let path = Box::new(self.path(path));
                match quantifier {
                    PathQuantifier::ForAll => StateFormula::ForAll(path),
                    PathQuantifier::Exists => StateFormula::Exists(path),
                }
            }
            BranchingExpr::Fixpoint(..) | BranchingExpr::Variable(_) | BranchingExpr::Modal(..) => {
                unreachable!("ctl has neither fixpoints nor modalities")
            }
        }
    }

    fn path(&mut self, formula: &BranchingExpr) -> PathFormula {
        if !formula.has_path_operator() {
            return PathFormula::State(self.state(formula));
        }
        match formula {
            BranchingExpr::Unary(op, operand) => {
                let operand = Box::new(self.path(operand));
                match op {
                    UnaryOp::Next => PathFormula::Next(operand),
                    UnaryOp::Always => PathFormula::Always(operand),
                    UnaryOp::Eventually => PathFormula::Eventually(operand),
                    _ => PathFormula::Not(operand),
                }
            }
            BranchingExpr::Binary(op, left, right) => {
                let (a, b) = (Box::new(self.path(left)), Box::new(self.path(right)));
                let not =
                    |operand: &PathFormula| Box::new(PathFormula::Not(Box::new(operand.clone())));
                match op {
                    BinaryOp::And => PathFormula::And(a, b),
                    BinaryOp::Or => PathFormula::Or(a, b),
                    BinaryOp::Until => PathFormula::Until(a, b),
                    BinaryOp::WeakUntil => PathFormula::WeakUntil(a, b),
                    BinaryOp::Release => PathFormula::Release(a, b),
                    BinaryOp::Implies => PathFormula::Or(not(&a), b),
                    _ => {
                        let neither = PathFormula::And(not(&a), not(&b));
                        PathFormula::Or(Box::new(PathFormula::And(a, b)), Box::new(neither))
                    }
                }
            }
            _ => unreachable!("path operators are unary or binary"),
        }
    }

    /// The formula, or its negation, with negations in front of atoms.
    fn mu(
        &mut self,
        formula: &BranchingExpr,
        is_positive: bool,
    ) -> Result<Mu<MuSteps>, Unsupported> {
        Ok(match formula {
            BranchingExpr::Atom(expr) => match expr.kind.constant() {
                Some(value) => {
                    self.exprs.next();
                    Mu::Constant((value != 0) == is_positive)
                }
                None => Mu::Literal(self.atom(expr), is_positive),
            },
            BranchingExpr::Deadlock => {
                Mu::Literal(self.number_of(StateAtom::Deadlock), is_positive)
            }
            BranchingExpr::Unary(_, operand) => self.mu(operand, !is_positive)?,
            BranchingExpr::Binary(op, left, right) => {
                let is_implication = *op == BinaryOp::Implies;
                let a = self.mu(left, is_positive != is_implication)?;
                let b = self.mu(right, is_positive)?;
                match op {
                    BinaryOp::And if is_positive => Mu::And(Box::new(a), Box::new(b)),
                    BinaryOp::And => Mu::Or(Box::new(a), Box::new(b)),
                    BinaryOp::Or | BinaryOp::Implies if is_positive => {
                        Mu::Or(Box::new(a), Box::new(b))
                    }
                    BinaryOp::Or | BinaryOp::Implies => Mu::And(Box::new(a), Box::new(b)),
                    _ => equivalent(a, b, is_positive),
                }
            }
            BranchingExpr::Fixpoint(kind, number, body) => {
                let variable = FixpointVariable(self.fixpoints);
                self.fixpoints += 1;
                self.variables.push((*number, variable));
                let body = Box::new(self.mu(body, is_positive)?);
                self.variables.pop();
                match (*kind == Fixpoint::Least) == is_positive {
                    true => Mu::Least(variable, body),
                    false => Mu::Greatest(variable, body),
                }
            }
            BranchingExpr::Variable(number) => {
                let known = self.variables.iter().rev().find(|(own, _)| own == number);
                Mu::Variable(known.expect("variables stand within their fixpoints").1)
            }
            BranchingExpr::Modal(modality, pattern, operand) => {
                let steps = self.steps(pattern)?;
                let operand = Box::new(self.mu(operand, is_positive)?);
                match (*modality == Modality::Diamond) == is_positive {
                    true => Mu::Diamond(steps, operand),
                    false => Mu::Box(steps, operand),
                }
            }
            BranchingExpr::Quantified(..) => unreachable!("mu has no path quantifiers"),
        })
    }

    /// The steps of a pattern.
    fn steps(&mut self, pattern: &ActionPattern) -> Result<MuSteps, Unsupported> {
        let matching: Vec<u32> = match pattern {
            ActionPattern::Any => return Ok(MuSteps::All),
            ActionPattern::Process { process, pid, label } => {
                let automaton = self.machine.automaton(*process);
                let from = label.map(|label| label_location(automaton, label));
                let is_there = |edge: &&Edge| from.is_none_or(|from| from == Some(edge.from));
                let edges = automaton.all_edges().filter(is_there).map(|edge| edge.id.0);
                let edges: HashSet<u32> = edges.collect();
                let is_meant = |part: StepLabel| {
                    let is_process = pid.is_none_or(|pid| part.process == pid as u32);
                    is_process && edges.contains(&part.edge)
                };
                self.with_part(is_meant)
            }
            ActionPattern::Channel { channel, sends } => self.channel_steps(*channel, *sends)?,
        };
        self.step_kinds.push(matching);
        Ok(MuSteps::Kind(self.step_kinds.len() as u32 - 1))
    }

    /// The operators in which a process has such a part.
    fn with_part(&self, is_meant: impl Fn(StepLabel) -> bool) -> Vec<u32> {
        let is_meant =
            |step: &Operator| is_meant(step.label) || step.partner.is_some_and(&is_meant);
        self.operators().filter(|(_, step)| is_meant(step)).map(|(at, _)| at).collect()
    }

    /// The sends to a global channel, or to an element of an array of channels; or the receives.
    fn channel_steps(&self, channel: GlobalId, sends: bool) -> Result<Vec<u32>, Unsupported> {
        let model = self.machine.model();
        let name = &*model.globals[channel.index()].name.name;
        let numbers = self.channel_numbers(name).ok_or_else(|| {
            let why = "is assigned, so that it does not name a channel";
            Unsupported::new(format!("`{name}` {why}; use steps of processes: `<P>`, `<P@label>`"))
        })?;
        let is_meant = |edge: &&Edge| match edge.steps.first().map(|step| &step.action) {
            Some(EdgeAction::Send { .. }) => sends,
            Some(EdgeAction::Receive { .. }) => !sends,
            _ => false,
        };
        let processes = (0..model.processes.len() as u32).map(ProcessId);
        let edges: HashSet<u32> = processes
            .flat_map(|process| self.machine.automaton(process).all_edges().filter(is_meant))
            .map(|edge| edge.id.0)
            .collect();
        let mut steps = self.with_part(|part| edges.contains(&part.edge));
        let channel_of = |at: u32| self.view.system.steps[at as usize].channel;
        steps.retain(|&at| channel_of(at).is_some_and(|number| numbers.contains(&number)));
        Ok(steps)
    }

    /// The numbers of the channels that a global variable or array names for ever.
    fn channel_numbers(&self, name: &str) -> Option<HashSet<i32>> {
        let slots = self.machine.names().globals;
        let is_own = |slot: &&VariableSlot| {
            slot.name
                .strip_prefix(name)
                .is_some_and(|rest| rest.is_empty() || rest.starts_with('['))
        };
        let number = |slot: &VariableSlot| match slot.held {
            SlotValue::Always(number) => Some(number),
            _ => None,
        };
        slots.iter().filter(is_own).map(number).collect()
    }
}

/// `a <-> b`, given both or, for its negation, both negated.
fn equivalent(a: Mu<MuSteps>, b: Mu<MuSteps>, is_positive: bool) -> Mu<MuSteps> {
    let both = |a: Mu<MuSteps>, b: Mu<MuSteps>| Box::new(Mu::And(Box::new(a), Box::new(b)));
    let (not_a, not_b) = (a.clone().dual(), b.clone().dual());
    match is_positive {
        true => Mu::Or(both(a, b), both(not_a, not_b)),
        false => Mu::Or(both(a, not_b), both(not_a, b)),
    }
}
