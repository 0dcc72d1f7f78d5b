//! Formulas of branching time, with their rules: a temporal operator needs a path quantifier, and
//! the variable of a fixpoint stands under an even number of negations.

use std::collections::HashMap;
use std::sync::Arc;

use super::{Global, Resolver};
use crate::ast::{self, BinaryOp, ExprKind as Ast, Ident, Program, UnaryOp, UnitKind, VarRef};
use crate::hir::branching::{ActionPattern, BranchingExpr};
use crate::hir::{BranchingFormula, GlobalId, ProcessId, Type};
use crate::printer::print_expr;
use beeline_source::diagnostic::Diagnostic;
use beeline_source::source::Span;

/// What an operand is about.
#[derive(Clone, Copy, PartialEq, Eq)]
enum About {
    /// A state: temporal operators need a path quantifier.
    State,
    /// A path.
    Path,
}

/// The position of an operand.
#[derive(Clone, Copy)]
struct Place {
    about: About,
    /// Whether the number of negations around it is odd.
    negated: bool,
    /// The number of variables that are in scope at the next `<->` around it, which may negate.
    barred: usize,
}

impl Place {
    const FORMULA: Place = Place { about: About::State, negated: false, barred: 0 };

    fn negated(self) -> Place {
        Place { negated: !self.negated, ..self }
    }
}

/// A variable of a fixpoint around an operand.
struct Bound {
    name: Arc<str>,
    number: u32,
    /// Whether the number of negations around the fixpoint is odd.
    negated: bool,
}

/// The variables of a formula.
#[derive(Default)]
struct Variables {
    /// Those in scope, the innermost last.
    bound: Vec<Bound>,
    /// The number of fixpoints so far.
    count: u32,
}

impl Resolver<'_> {
    /// The `ctl` and `mu` formulas and fairness constraints, wherever they are written.
    pub(super) fn branching_units(
        &mut self,
        program: &Program,
        earlier: &mut HashMap<Arc<str>, Span>,
    ) {
        for unit in &program.units {
            match &unit.kind {
                UnitKind::Branching(formula) => self.branching(formula, unit.span, earlier),
                UnitKind::Fair(condition) => {
                    let condition = self.condition(condition);
                    self.model.fairness.push(condition);
                }
                _ => {}
            }
        }
    }

    fn branching(
        &mut self,
        unit: &ast::BranchingUnit,
        span: Span,
        earlier: &mut HashMap<Arc<str>, Span>,
    ) {
        let language = unit.language;
        let number = self.model.branching.len();
        let name = unit.name.clone().unwrap_or_else(|| Ident {
            name: format!("{}_{number}", language.text()).into(),
            span: Span { end: span.end.min(span.start + language.text().len() as u32), ..span },
        });
        self.check_single_formula(&name, earlier);
        let mut variables = Variables::default();
        let formula = self.branching_expr(&unit.formula, Place::FORMULA, &mut variables);
        let text = print_expr(&unit.formula).into();
        self.model.branching.push(BranchingFormula { name, language, formula, text });
    }

    fn branching_expr(
        &mut self,
        expr: &ast::Expr,
        place: Place,
        variables: &mut Variables,
    ) -> BranchingExpr {
        // Trees are at most as deep as the parser allows; frames here are larger than there.
        stacker::maybe_grow(128 * 1024, 4 * 1024 * 1024, || {
            self.branching_operator(expr, place, variables)
        })
    }

    fn branching_operator(
        &mut self,
        expr: &ast::Expr,
        place: Place,
        variables: &mut Variables,
    ) -> BranchingExpr {
        match &expr.kind {
            Ast::Unary(op @ UnaryOp::Not, operand) => {
                let operand = self.branching_expr(operand, place.negated(), variables);
                BranchingExpr::Unary(*op, Box::new(operand))
            }
            Ast::Unary(op, operand) if op.is_temporal() => {
                self.check_quantified(expr.span, place);
                BranchingExpr::Unary(*op, Box::new(self.branching_expr(operand, place, variables)))
            }
            Ast::Binary(op, left, right) if is_connective(*op) => {
                if op.is_about_paths() {
                    self.check_quantified(expr.span, place);
                }
                let [of_left, of_right] = operand_places(*op, place, variables.bound.len());
                let left = self.branching_expr(left, of_left, variables);
                let right = self.branching_expr(right, of_right, variables);
                BranchingExpr::Binary(*op, Box::new(left), Box::new(right))
            }
            Ast::Quantified(quantifier, operand) => {
                let path = Place { about: About::Path, ..place };
                let operand = self.branching_expr(operand, path, variables);
                BranchingExpr::Quantified(*quantifier, Box::new(operand))
            }
            Ast::Fixpoint { kind, variable, body } => {
                let (name, number) = (variable.name.clone(), variables.count);
                variables.count += 1;
                variables.bound.push(Bound { name, number, negated: place.negated });
                let body = self.branching_expr(body, place, variables);
                variables.bound.pop();
                BranchingExpr::Fixpoint(*kind, number, Box::new(body))
            }
            Ast::Modal { modality, actions, operand } => {
                let actions = self.actions(actions);
                let operand = self.branching_expr(operand, place, variables);
                BranchingExpr::Modal(*modality, actions, Box::new(operand))
            }
            Ast::Var(var) => match self.formula_word(var, place, variables) {
                Some(word) => word,
                None => BranchingExpr::Atom(self.condition(expr)),
            },
            _ => BranchingExpr::Atom(self.condition(expr)),
        }
    }

    /// The variable of a fixpoint, or `deadlock` unless the model has such a variable.
    fn formula_word(
        &mut self,
        var: &VarRef,
        place: Place,
        variables: &Variables,
    ) -> Option<BranchingExpr> {
        if var.index.is_some() || var.field.is_some() {
            return None;
        }
        let name = &var.name.name;
        if let Some(at) = variables.bound.iter().rposition(|bound| bound.name == *name) {
            let bound = &variables.bound[at];
            if at < place.barred || bound.negated != place.negated {
                self.report_negated_variable(&var.name);
            }
            return Some(BranchingExpr::Variable(bound.number));
        }
        let is_deadlock = **name == *"deadlock" && !self.globals.contains_key(name);
        is_deadlock.then_some(BranchingExpr::Deadlock)
    }

    fn actions(&mut self, pattern: &ast::ActionPattern) -> ActionPattern {
        let made = match pattern {
            ast::ActionPattern::Any => Some(ActionPattern::Any),
            ast::ActionPattern::Process { proctype, pid } => {
                self.process_actions(proctype, pid.as_deref(), None)
            }
            ast::ActionPattern::Label { proctype, pid, label } => {
                self.process_actions(proctype, pid.as_deref(), Some(label))
            }
            ast::ActionPattern::Send(channel) => self.channel_actions(channel, true),
            ast::ActionPattern::Receive(channel) => self.channel_actions(channel, false),
        };
        // An error was reported.
        made.unwrap_or(ActionPattern::Any)
    }

    fn process_actions(
        &mut self,
        proctype: &Ident,
        pid: Option<&ast::Expr>,
        label: Option<&Ident>,
    ) -> Option<ActionPattern> {
        let process: ProcessId = self.remote_process(proctype)?;
        let pid = match pid {
            Some(pid) => Some(self.constant(pid, "the process number of a step")?),
            None => None,
        };
        let label = match label {
            Some(label) => Some(self.remote_label(process, proctype, label)?),
            None => None,
        };
        Some(ActionPattern::Process { process, pid, label })
    }

    fn channel_actions(&mut self, channel: &Ident, sends: bool) -> Option<ActionPattern> {
        let known = self.globals.get(&channel.name).copied();
        let is_channel = |id: GlobalId| self.model.globals[id.index()].ty == Type::Chan;
        match known {
            Some((Global::Variable(id), _)) if is_channel(id) => {
                Some(ActionPattern::Channel { channel: id, sends })
            }
            _ => {
                self.report(
                    Diagnostic::error(
                        "unknown-channel",
                        channel.span,
                        format!("`{}` is not a global channel", channel.name),
                    )
                    .label("a step that sends or receives needs one")
                    .help("name a global variable of type `chan`"),
                );
                None
            }
        }
    }

    fn check_quantified(&mut self, span: Span, place: Place) {
        if place.about == About::Path {
            return;
        }
        self.report(
            Diagnostic::error(
                "missing-path-quantifier",
                span,
                "this temporal operator needs a path quantifier",
            )
            .label("about a path, not about a state")
            .note("a state has many paths: `A` is about all of them, `E` about some")
            .help("write `A (…)` or `E (…)` around it, as in `A (G p)`, or for short `AG p`"),
        );
    }

    fn report_negated_variable(&mut self, variable: &Ident) {
        self.report(
            Diagnostic::error(
                "negated-fixpoint-variable",
                variable.span,
                format!("`{}` is negated within its fixpoint", variable.name),
            )
            .label("under an odd number of negations, or below `<->`")
            .note("only formulas that are monotone in their variables have fixpoints"),
        );
    }

    pub(super) fn report_formula_as_number(&mut self, span: Span) {
        self.report(
            Diagnostic::error("formula-as-number", span, "a formula is not a number")
                .label("an operand of an arithmetic operator or a comparison")
                .note("operators of formulas bind tighter than comparisons")
                .help("put the comparison in parentheses: `AG (x == 1)`"),
        );
    }
}

/// Whether both operands may be formulas.
fn is_connective(op: BinaryOp) -> bool {
    matches!(op, BinaryOp::And | BinaryOp::Or | BinaryOp::Implies | BinaryOp::Equivalent)
        || op.is_about_paths()
}

fn operand_places(op: BinaryOp, place: Place, bound: usize) -> [Place; 2] {
    match op {
        BinaryOp::Implies => [place.negated(), place],
        BinaryOp::Equivalent => [Place { barred: bound, ..place }; 2],
        _ => [place; 2],
    }
}
