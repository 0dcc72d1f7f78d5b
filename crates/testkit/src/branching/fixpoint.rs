//! Fixpoints of the labelling: state by state, where a change of the value of a state concerns its
//! predecessors only; fixpoints that others inside depend on by iteration of the whole body.

use beeline_promela::hir::branching::{ActionPattern, BranchingExpr, Fixpoint, Modality};
use beeline_promela::hir::{BinaryOp, UnaryOp};

use super::labelling::{Labelling, Values, bits};
use super::labels::Labels;

/// The body of a fixpoint, with the labels of the parts that do not depend on its variable.
enum Body<'f> {
    Known(Labels),
    Variable,
    Not(Box<Body<'f>>),
    Binary(BinaryOp, Box<Body<'f>>, Box<Body<'f>>),
    Modal(Modality, &'f ActionPattern, Box<Body<'f>>),
}

impl Labelling<'_> {
    /// A fixpoint: least ones grow from no state, greatest ones shrink from all.
    pub(super) fn fixpoint(
        &self,
        kind: Fixpoint,
        number: u32,
        body: &BranchingExpr,
        values: &Values,
    ) -> Option<Labels> {
        let first = Labels::all(self.count(), kind == Fixpoint::Greatest);
        if is_local(body, number) {
            let body = self.body(body, number, values)?;
            return Some(self.by_state(&body, first));
        }
        let (mut inside, mut value) = (values.clone(), first);
        loop {
            self.spend()?;
            inside.insert(number, value.clone());
            let new = self.state(body, &inside)?;
            if new == value {
                return Some(value);
            }
            value = new;
        }
    }

    fn body<'f>(
        &self,
        formula: &'f BranchingExpr,
        number: u32,
        values: &Values,
    ) -> Option<Body<'f>> {
        if !depends(formula, number) {
            return self.state(formula, values).map(Body::Known);
        }
        let part = |formula: &'f BranchingExpr| self.body(formula, number, values).map(Box::new);
        Some(match formula {
            BranchingExpr::Variable(_) => Body::Variable,
            BranchingExpr::Unary(UnaryOp::Not, operand) => Body::Not(part(operand)?),
            BranchingExpr::Binary(op, a, b) => Body::Binary(*op, part(a)?, part(b)?),
            BranchingExpr::Modal(modality, pattern, operand) => {
                Body::Modal(*modality, pattern, part(operand)?)
            }
            _ => unreachable!("the body is local"),
        })
    }

    /// The fixpoint of a body, from its first value: a state is considered again when the value of a
    /// state has changed that it depends on.
    fn by_state(&self, body: &Body<'_>, mut value: Labels) -> Labels {
        let mut depths = Vec::new();
        body.depths(0, &mut depths);
        let mut waiting: Vec<usize> = (0..self.count()).rev().collect();
        let mut is_waiting = Labels::all(self.count(), true);
        while let Some(at) = waiting.pop() {
            is_waiting.clear(at);
            let new = self.holds(body, at, &value);
            if new == value.has(at) {
                continue;
            }
            if new {
                value.set(at)
            } else {
                value.clear(at)
            }
            for &depth in &depths {
                let mut concerned = vec![at];
                for _ in 0..depth {
                    let before = concerned.iter().flat_map(|&at| self.graph.before(at));
                    concerned = before.collect();
                }
                waiting.extend(concerned.into_iter().filter(|&from| is_waiting.insert(from)));
            }
        }
        value
    }

    fn holds(&self, body: &Body<'_>, at: usize, value: &Labels) -> bool {
        match body {
            Body::Known(labels) => labels.has(at),
            Body::Variable => value.has(at),
            Body::Not(operand) => !self.holds(operand, at, value),
            Body::Binary(op, a, b) => {
                let word = |part| u64::from(self.holds(part, at, value));
                bits(*op, word(a), word(b)) & 1 != 0
            }
            Body::Modal(modality, pattern, operand) => {
                self.modal(*modality, pattern, at, &|to| self.holds(operand, to, value))
            }
        }
    }
}

impl Body<'_> {
    /// The numbers of steps from a state to those whose values it depends on.
    fn depths(&self, depth: usize, found: &mut Vec<usize>) {
        match self {
            Body::Known(_) => {}
            Body::Variable => {
                if !found.contains(&depth) {
                    found.push(depth);
                }
            }
            Body::Not(operand) => operand.depths(depth, found),
            Body::Binary(_, a, b) => {
                a.depths(depth, found);
                b.depths(depth, found);
            }
            Body::Modal(_, _, operand) => operand.depths(depth + 1, found),
        }
    }
}

/// Whether a variable occurs in a formula.
fn depends(formula: &BranchingExpr, number: u32) -> bool {
    match formula {
        BranchingExpr::Atom(_) | BranchingExpr::Deadlock => false,
        BranchingExpr::Variable(own) => *own == number,
        BranchingExpr::Unary(_, operand)
        | BranchingExpr::Quantified(_, operand)
        | BranchingExpr::Fixpoint(_, _, operand)
        | BranchingExpr::Modal(_, _, operand) => depends(operand, number),
        BranchingExpr::Binary(_, a, b) => depends(a, number) || depends(b, number),
    }
}

/// Whether a variable occurs below boolean operators and modalities only.
fn is_local(formula: &BranchingExpr, number: u32) -> bool {
    if !depends(formula, number) {
        return true;
    }
    match formula {
        BranchingExpr::Unary(UnaryOp::Not, operand) | BranchingExpr::Modal(_, _, operand) => {
            is_local(operand, number)
        }
        BranchingExpr::Binary(_, a, b) => is_local(a, number) && is_local(b, number),
        formula => matches!(formula, BranchingExpr::Variable(_)),
    }
}
