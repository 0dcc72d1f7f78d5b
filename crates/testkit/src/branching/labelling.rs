//! Explicit labelling: for each part of a formula, whether each state satisfies it.
//!
//! CTL by the textbook algorithm (reachability for EU, repeated removal for EG), other path formulas
//! by the components of the product with an automaton, fixpoints by plain iteration.

use std::collections::HashMap;

use beeline_engine::interpreter::Machine;
use beeline_logic::{Buchi, Formula, translate};
use beeline_promela::hir::branching::{
    ActionPattern, BranchingExpr, Fixpoint, Modality, PathQuantifier,
};
use beeline_promela::hir::{BinaryOp, ExprKind, ProcessQuery, UnaryOp};

use super::graph::ExplicitGraph;

/// A truth value for each state.
pub(super) type Labels = Vec<bool>;

/// The labelling of a graph.
pub struct Labelling<'a> {
    /// The machine.
    pub machine: &'a Machine<'a>,
    /// Its states.
    pub graph: &'a ExplicitGraph,
}

impl Labelling<'_> {
    /// The states that satisfy a closed formula.
    pub fn labels(&self, formula: &BranchingExpr) -> Labels {
        self.state(formula, &HashMap::new())
    }

    fn count(&self) -> usize {
        self.graph.states.len()
    }

    fn state(&self, formula: &BranchingExpr, values: &HashMap<u32, Labels>) -> Labels {
        match formula {
            BranchingExpr::Atom(expr) => match &expr.kind {
                ExprKind::Process(ProcessQuery::Enabled, pid) => {
                    let pid = pid.kind.constant().expect("a constant") as u32;
                    let moves = |next: &Vec<(u32, usize)>| next.iter().any(|(own, _)| *own == pid);
                    self.graph.successors.iter().map(moves).collect()
                }
                _ => (self.graph.states.iter())
                    .map(|state| {
                        let now = self.machine.decode(state);
                        self.machine.evaluate(expr, &now, 0).is_ok_and(|value| value != 0)
                    })
                    .collect(),
            },
            BranchingExpr::Deadlock => self.graph.successors.iter().map(Vec::is_empty).collect(),
            BranchingExpr::Unary(_, operand) => not(&self.state(operand, values)),
            BranchingExpr::Binary(op, a, b) => {
                let (a, b) = (self.state(a, values), self.state(b, values));
                let of = |(a, b): (bool, bool)| match op {
                    BinaryOp::And => a && b,
                    BinaryOp::Or => a || b,
                    BinaryOp::Implies => !a || b,
                    _ => a == b,
                };
                a.into_iter().zip(b).map(of).collect()
            }
            BranchingExpr::Quantified(PathQuantifier::Exists, path) => {
                self.exists(path, true, values)
            }
            BranchingExpr::Quantified(PathQuantifier::ForAll, path) => {
                not(&self.exists(path, false, values))
            }
            BranchingExpr::Fixpoint(kind, number, body) => {
                let mut value = vec![*kind == Fixpoint::Greatest; self.count()];
                loop {
                    let mut inside = values.clone();
                    inside.insert(*number, value.clone());
                    let new = self.state(body, &inside);
                    if new == value {
                        return value;
                    }
                    value = new;
                }
            }
            BranchingExpr::Variable(number) => values[number].clone(),
            BranchingExpr::Modal(modality, pattern, operand) => {
                let operand = self.state(operand, values);
                let is_meant = |process: u32| match pattern {
                    ActionPattern::Any => true,
                    ActionPattern::Process { pid: Some(pid), label: None, .. } => {
                        process == *pid as u32
                    }
                    _ => panic!("the labelling has no such pattern"),
                };
                let of = |next: &Vec<(u32, usize)>| {
                    let mut own = next.iter().filter(|(process, _)| is_meant(*process));
                    match modality {
                        Modality::Diamond => own.any(|(_, to)| operand[*to]),
                        Modality::Box => own.all(|(_, to)| operand[*to]),
                    }
                };
                self.graph.successors.iter().map(of).collect()
            }
        }
    }

    /// The states with a path that satisfies a formula, or its negation.
    fn exists(&self, path: &BranchingExpr, is: bool, values: &HashMap<u32, Labels>) -> Labels {
        match path {
            BranchingExpr::Unary(UnaryOp::Not, operand) => self.exists(operand, !is, values),
            BranchingExpr::Unary(op, operand) if !operand.has_path_operator() => {
                let operand = self.state(operand, values);
                let all = vec![true; self.count()];
                match (op, is) {
                    (UnaryOp::Next, true) => self.some_next(&operand),
                    (UnaryOp::Next, false) => self.some_next(&not(&operand)),
                    (UnaryOp::Eventually, true) => self.until(&all, &operand),
                    (UnaryOp::Eventually, false) => self.always(&not(&operand)),
                    (_, true) => self.always(&operand),
                    (_, false) => self.until(&all, &not(&operand)),
                }
            }
            BranchingExpr::Binary(BinaryOp::Until, a, b)
                if is && !a.has_path_operator() && !b.has_path_operator() =>
            {
                self.until(&self.state(a, values), &self.state(b, values))
            }
            path if !path.has_path_operator() => {
                let states = self.state(path, values);
                if is { states } else { not(&states) }
            }
            path => {
                let mut atoms = Vec::new();
                let formula = self.linear(path, values, &mut atoms);
                self.accepted(&translate(&if is { formula } else { formula.not() }), &atoms)
            }
        }
    }

    /// A path formula over the labels of its state formulas.
    pub(super) fn linear(
        &self,
        path: &BranchingExpr,
        values: &HashMap<u32, Labels>,
        atoms: &mut Vec<Labels>,
    ) -> Formula {
        if !path.has_path_operator() {
            atoms.push(self.state(path, values));
            return Formula::atom(atoms.len() as u32 - 1);
        }
        match path {
            BranchingExpr::Unary(op, operand) => {
                let operand = self.linear(operand, values, atoms);
                match op {
                    UnaryOp::Next => operand.next(),
                    UnaryOp::Always => operand.always(),
                    UnaryOp::Eventually => operand.eventually(),
                    _ => operand.not(),
                }
            }
            BranchingExpr::Binary(op, a, b) => {
                let a = self.linear(a, values, atoms);
                let b = self.linear(b, values, atoms);
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
        }
    }

    fn some_next(&self, labels: &Labels) -> Labels {
        (0..self.count()).map(|at| self.graph.next(at).iter().any(|&to| labels[to])).collect()
    }

    /// E[p U q], by reachability against the steps.
    fn until(&self, p: &Labels, q: &Labels) -> Labels {
        let before = predecessors((0..self.count()).map(|at| self.graph.next(at)), self.count());
        let mut found = q.clone();
        let mut waiting: Vec<usize> = (0..self.count()).filter(|&at| q[at]).collect();
        while let Some(at) = waiting.pop() {
            for &from in &before[at] {
                if p[from] && !found[from] {
                    found[from] = true;
                    waiting.push(from);
                }
            }
        }
        found
    }

    /// EG p: removes states without a successor in the set, until all have one.
    fn always(&self, p: &Labels) -> Labels {
        let mut found = p.clone();
        let mut changed = true;
        while changed {
            changed = false;
            for at in 0..self.count() {
                if found[at] && !self.graph.next(at).iter().any(|&to| found[to]) {
                    found[at] = false;
                    changed = true;
                }
            }
        }
        found
    }

    /// The states with a path that an automaton accepts: those from which a cycle through an
    /// accepting state of the product is reachable.
    fn accepted(&self, automaton: &Buchi, atoms: &[Labels]) -> Labels {
        let width = automaton.states.len();
        let next = |node: usize| {
            let (state, at) = (node / width, node % width);
            let edges = automaton.states[at].edges.iter();
            let open = edges.filter(|edge| edge.guard.holds(|atom| atoms[atom.0 as usize][state]));
            open.flat_map(|edge| {
                self.graph.next(state).into_iter().map(|to| to * width + edge.to as usize)
            })
            .collect::<Vec<usize>>()
        };
        let nodes = self.count() * width;
        let all: Vec<Vec<usize>> = (0..nodes).map(next).collect();
        let before = predecessors(all.iter().cloned(), nodes);
        // As long as something changes: each accepting node must reach an accepting one again.
        let mut good: Labels =
            (0..nodes).map(|node| automaton.states[node % width].accepting).collect();
        loop {
            let reach = reaching(&before, &good);
            let still = |node: usize| good[node] && all[node].iter().any(|&to| reach[to]);
            let fewer: Labels = (0..nodes).map(still).collect();
            if fewer == good {
                let start = automaton.start as usize;
                return (0..self.count()).map(|state| reach[state * width + start]).collect();
            }
            good = fewer;
        }
    }
}

/// The nodes from which one of some nodes can be reached.
fn reaching(before: &[Vec<usize>], goals: &Labels) -> Labels {
    let mut found = goals.clone();
    let mut waiting: Vec<usize> = (0..goals.len()).filter(|&at| goals[at]).collect();
    while let Some(at) = waiting.pop() {
        for &from in &before[at] {
            if !found[from] {
                found[from] = true;
                waiting.push(from);
            }
        }
    }
    found
}

fn predecessors(next: impl Iterator<Item = Vec<usize>>, count: usize) -> Vec<Vec<usize>> {
    let mut before = vec![Vec::new(); count];
    for (at, next) in next.enumerate() {
        next.into_iter().for_each(|to| before[to].push(at));
    }
    before
}

fn not(labels: &Labels) -> Labels {
    labels.iter().map(|label| !label).collect()
}
