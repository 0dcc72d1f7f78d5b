//! Explicit labelling: for each part of a formula, whether each state satisfies it.
//!
//! CTL by the textbook algorithm (reachability for EU, removal of states without successors for EG),
//! other path formulas by the components of the product with an automaton, in time linear in the
//! graph. Fixpoints are in `fixpoint.rs`.

use std::cell::{Cell, RefCell};
use std::collections::HashMap;

use beeline_engine::interpreter::Machine;
use beeline_logic::{Buchi, Formula, translate};
use beeline_promela::hir::branching::{ActionPattern, BranchingExpr, Modality, PathQuantifier};
use beeline_promela::hir::print::Printer;
use beeline_promela::hir::{BinaryOp, Expr, ExprKind, ProcessQuery, UnaryOp};

use super::adjacency::Adjacency;
use super::graph::ExplicitGraph;
use super::labels::Labels;

/// The values of the fixpoint variables in scope.
pub(super) type Values = HashMap<u32, Labels>;

/// Upper bound on the edges that fixpoints inside of others visit, for one formula.
const MOST_WORK: u64 = 4_000_000_000;

/// The labelling of a graph.
pub struct Labelling<'a> {
    /// The machine.
    pub machine: &'a Machine<'a>,
    /// Its states.
    pub graph: &'a ExplicitGraph,
    /// The labels of atoms by their texts.
    atoms: RefCell<HashMap<String, Labels>>,
    /// The edges that may still be visited for a formula.
    work: Cell<u64>,
}

impl<'a> Labelling<'a> {
    /// Of the states of a machine.
    pub fn new(machine: &'a Machine<'a>, graph: &'a ExplicitGraph) -> Labelling<'a> {
        Labelling { machine, graph, atoms: RefCell::default(), work: Cell::new(0) }
    }

    /// The states that satisfy a closed formula; `None` if its fixpoints take too long.
    pub fn labels(&self, formula: &BranchingExpr) -> Option<Labels> {
        self.work.set(MOST_WORK);
        self.state(formula, &Values::new())
    }

    pub(super) fn count(&self) -> usize {
        self.graph.count()
    }

    /// Counts a visit of all edges; `None` if there were too many.
    pub(super) fn spend(&self) -> Option<()> {
        self.work.set(self.work.get().checked_sub(self.graph.edges() as u64)?);
        Some(())
    }

    pub(super) fn state(&self, formula: &BranchingExpr, values: &Values) -> Option<Labels> {
        Some(match formula {
            BranchingExpr::Atom(expr) => self.atom(expr),
            BranchingExpr::Deadlock => self.graph.dead.clone(),
            BranchingExpr::Unary(_, operand) => self.state(operand, values)?.not(),
            BranchingExpr::Binary(op, a, b) => {
                let (a, b) = (self.state(a, values)?, self.state(b, values)?);
                a.with(&b, |a, b| bits(*op, a, b))
            }
            BranchingExpr::Quantified(PathQuantifier::Exists, path) => {
                self.exists(path, true, values)?
            }
            BranchingExpr::Quantified(PathQuantifier::ForAll, path) => {
                self.exists(path, false, values)?.not()
            }
            BranchingExpr::Fixpoint(kind, number, body) => {
                self.fixpoint(*kind, *number, body, values)?
            }
            BranchingExpr::Variable(number) => values[number].clone(),
            BranchingExpr::Modal(modality, pattern, operand) => {
                let operand = self.state(operand, values)?;
                let is_in = |to: usize| operand.has(to);
                Labels::of(self.count(), |at| self.modal(*modality, pattern, at, &is_in))
            }
        })
    }

    /// Whether a state satisfies a modality over a condition on its successors.
    pub(super) fn modal(
        &self,
        modality: Modality,
        pattern: &ActionPattern,
        state: usize,
        is_in: &dyn Fn(usize) -> bool,
    ) -> bool {
        let is_meant = |process: u32| match pattern {
            ActionPattern::Any => true,
            ActionPattern::Process { pid: Some(pid), label: None, .. } => process == *pid as u32,
            _ => panic!("the labelling has no such pattern"),
        };
        let mut own = self.graph.steps(state).filter(|(process, _)| is_meant(*process));
        match modality {
            Modality::Diamond => own.any(|(_, to)| is_in(to)),
            Modality::Box => own.all(|(_, to)| is_in(to)),
        }
    }

    fn atom(&self, expr: &Expr) -> Labels {
        let text = Printer::new(self.machine.model(), None).expr(expr);
        if let Some(labels) = self.atoms.borrow().get(&text) {
            return labels.clone();
        }
        let labels = match &expr.kind {
            ExprKind::Process(ProcessQuery::Enabled, pid) => {
                let pid = pid.kind.constant().expect("a constant") as u32;
                Labels::of(self.count(), |at| self.graph.steps(at).any(|(own, _)| own == pid))
            }
            _ => Labels::of(self.count(), |at| {
                let now = self.machine.decode(&self.graph.states[at]);
                self.machine.evaluate(expr, &now, 0).is_ok_and(|value| value != 0)
            }),
        };
        self.atoms.borrow_mut().insert(text, labels.clone());
        labels
    }

    /// The states with a path that satisfies a formula, or its negation.
    fn exists(&self, path: &BranchingExpr, is: bool, values: &Values) -> Option<Labels> {
        Some(match path {
            BranchingExpr::Unary(UnaryOp::Not, operand) => self.exists(operand, !is, values)?,
            BranchingExpr::Unary(op, operand) if !operand.has_path_operator() => {
                let operand = self.state(operand, values)?;
                let all = Labels::all(self.count(), true);
                match (op, is) {
                    (UnaryOp::Next, true) => self.some_next(&operand),
                    (UnaryOp::Next, false) => self.some_next(&operand.not()),
                    (UnaryOp::Eventually, true) => self.until(&all, &operand),
                    (UnaryOp::Eventually, false) => self.always(&operand.not()),
                    (_, true) => self.always(&operand),
                    (_, false) => self.until(&all, &operand.not()),
                }
            }
            BranchingExpr::Binary(BinaryOp::Until, a, b)
                if is && !a.has_path_operator() && !b.has_path_operator() =>
            {
                self.until(&self.state(a, values)?, &self.state(b, values)?)
            }
            path if !path.has_path_operator() => {
                let states = self.state(path, values)?;
                if is { states } else { states.not() }
            }
            path => {
                let mut atoms = Vec::new();
                let formula = self.linear(path, values, &mut atoms)?;
                self.accepted(&translate(&if is { formula } else { formula.not() }), &atoms)
            }
        })
    }

    /// A path formula over the labels of its state formulas.
    pub(super) fn linear(
        &self,
        path: &BranchingExpr,
        values: &Values,
        atoms: &mut Vec<Labels>,
    ) -> Option<Formula> {
        if !path.has_path_operator() {
            atoms.push(self.state(path, values)?);
            return Some(Formula::atom(atoms.len() as u32 - 1));
        }
        Some(match path {
            BranchingExpr::Unary(op, operand) => {
                let operand = self.linear(operand, values, atoms)?;
                match op {
                    UnaryOp::Next => operand.next(),
                    UnaryOp::Always => operand.always(),
                    UnaryOp::Eventually => operand.eventually(),
                    _ => operand.not(),
                }
            }
            BranchingExpr::Binary(op, a, b) => {
                let a = self.linear(a, values, atoms)?;
                let b = self.linear(b, values, atoms)?;
                match op {
                    BinaryOp::And => a.and(b),
                    BinaryOp::Or => a.or(b),
                    BinaryOp::Implies => a.implies(b),
                    BinaryOp::Until => a.until(b),
                    BinaryOp::WeakUntil => a.weak_until(b),
                    BinaryOp::Release => a.release(b),
                    _ => a.iff(b),
                }
            }
            _ => unreachable!("path operators are unary or binary"),
        })
    }

    fn some_next(&self, labels: &Labels) -> Labels {
        Labels::of(self.count(), |at| self.graph.next(at).any(|to| labels.has(to)))
    }

    /// E[p U q], by reachability against the steps.
    fn until(&self, p: &Labels, q: &Labels) -> Labels {
        let mut found = q.clone();
        let mut waiting: Vec<usize> = q.states().collect();
        while let Some(at) = waiting.pop() {
            for from in self.graph.before(at) {
                if p.has(from) && found.insert(from) {
                    waiting.push(from);
                }
            }
        }
        found
    }

    /// EG p: removes states without a successor in the set, until all have one.
    fn always(&self, p: &Labels) -> Labels {
        let mut found = p.clone();
        let inside = |at: usize| self.graph.next(at).filter(|&to| p.has(to)).count();
        let mut left: Vec<usize> = (0..self.count()).map(inside).collect();
        let mut waiting: Vec<usize> = p.states().filter(|&at| left[at] == 0).collect();
        while let Some(at) = waiting.pop() {
            found.clear(at);
            for from in self.graph.before(at) {
                left[from] -= 1;
                if left[from] == 0 && p.has(from) {
                    waiting.push(from);
                }
            }
        }
        found
    }

    /// The states with a path that an automaton accepts: those from which a component of the product
    /// with a cycle and an accepting state is reachable.
    fn accepted(&self, automaton: &Buchi, atoms: &[Labels]) -> Labels {
        let width = automaton.states.len();
        let mut product = Adjacency::default();
        for state in 0..self.count() {
            for from in &automaton.states {
                for edge in &from.edges {
                    if edge.guard.holds(|atom| atoms[atom.0 as usize].has(state)) {
                        let to = edge.to as usize;
                        self.graph.next(state).for_each(|next| product.push(next * width + to));
                    }
                }
                product.end_node();
            }
        }
        let components = product.components();
        let (mut cycles, mut accepts) =
            (vec![false; product.nodes()], vec![false; product.nodes()]);
        for node in 0..product.nodes() {
            let own = components[node];
            cycles[own as usize] |= product.of(node).any(|to| components[to] == own);
            accepts[own as usize] |= automaton.states[node % width].accepting;
        }
        let is_good = |node: usize| {
            let own = components[node] as usize;
            cycles[own] && accepts[own]
        };
        let mut found = Labels::of(product.nodes(), is_good);
        let mut waiting: Vec<usize> = found.states().collect();
        let before = product.reversed();
        while let Some(at) = waiting.pop() {
            waiting.extend(before.of(at).filter(|&from| found.insert(from)));
        }
        let start = automaton.start as usize;
        Labels::of(self.count(), |state| found.has(state * width + start))
    }
}

/// A boolean operator, bit by bit.
pub(super) fn bits(op: BinaryOp, a: u64, b: u64) -> u64 {
    match op {
        BinaryOp::And => a & b,
        BinaryOp::Or => a | b,
        BinaryOp::Implies => !a | b,
        _ => !(a ^ b),
    }
}
