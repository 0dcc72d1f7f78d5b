//! Never claims: claims written as a process that only observes.

use beeline_promela::hir::{Expr, ExprKind, ProcessId};

use super::conditions::{DistinctExprs, LiteralTruth};
use crate::automata::{Automaton, Edge, EdgeAction, EdgeId, EdgeStep, Location};
use crate::claim_automaton::{Claim, ClaimLiteral, ClaimMove, ClaimState, Origin};
use crate::interpreter::Machine;

impl Machine<'_> {
    /// Why a never claim is not supported: it must only observe.
    pub fn claim_obstacle(&self, claim: ProcessId) -> Option<&'static str> {
        if !self.model().process(claim).locals.is_empty() {
            return Some("the claim has variables of its own");
        }
        let watches = |step: &EdgeStep| match &step.action {
            EdgeAction::Guard(guard) => !matches!(guard.kind, ExprKind::Run { .. }),
            EdgeAction::Move(_)
            | EdgeAction::Else
            | EdgeAction::Assert(_)
            | EdgeAction::Print { .. }
            | EdgeAction::PrintM(_)
            | EdgeAction::End => true,
            _ => false,
        };
        let mut steps = self.automaton(claim).edges.iter().flat_map(|edge| &edge.steps);
        (!steps.all(watches)).then_some("the claim has side effects")
    }

    /// The claim automaton of a never claim that only observes.
    pub fn never_claim(&self, claim: ProcessId) -> Claim {
        let automaton = self.automaton(claim);
        let mut making =
            NeverTranslation { automaton, conditions: DistinctExprs::new(self.model()) };
        let states = (0..automaton.marks.len())
            .map(|at| {
                let mut moves = Vec::new();
                let here = Location(at as u32);
                making.add_moves(here, &mut Vec::new(), &mut Vec::new(), &mut moves);
                ClaimState { accepting: automaton.marks[at].accept, moves, ..ClaimState::default() }
            })
            .collect();
        let conditions = making.conditions.exprs;
        let claim = Claim::new(Origin::Never(claim), conditions, states, automaton.start.0);
        let claim = claim.with_fault_moves(self);
        if self.accept_labels().is_empty() { claim } else { claim.counting_labels() }
    }
}

/// A claim under construction.
struct NeverTranslation<'a> {
    automaton: &'a Automaton,
    conditions: DistinctExprs<'a>,
}

impl NeverTranslation<'_> {
    /// Adds the moves at a location, after these edges and under these literals. The edges of an
    /// atomic sequence are one move.
    fn add_moves(
        &mut self,
        at: Location,
        edges: &mut Vec<EdgeId>,
        when: &mut Vec<ClaimLiteral>,
        found: &mut Vec<ClaimMove>,
    ) {
        let automaton = self.automaton;
        // The literals under which no earlier edge is enabled; `None` when one always is.
        let mut otherwise = Some(Vec::new());
        for edge in automaton.edges_from(at) {
            let known = when.len();
            let can = match &edge.steps[0].action {
                EdgeAction::Guard(guard) => self.add(guard, true, when),
                EdgeAction::Else => match &otherwise {
                    Some(literals) => {
                        when.extend_from_slice(literals);
                        true
                    }
                    None => false,
                },
                _ => true,
            };
            self.exclude(edge, &mut otherwise);
            if can {
                edges.push(edge.id);
                self.add_behind(edge, edges, when, found);
                edges.pop();
            }
            when.truncate(known);
        }
    }

    /// Adds the continuation after an edge: it ends, or continues as long as it is atomic. Each of
    /// its assertions may fail.
    fn add_behind(
        &mut self,
        edge: &Edge,
        edges: &mut Vec<EdgeId>,
        when: &mut Vec<ClaimLiteral>,
        found: &mut Vec<ClaimMove>,
    ) {
        let known = when.len();
        let (to, automaton) = (edge.to.0, self.automaton);
        for step in &edge.steps {
            if let EdgeAction::Assert(asserted) = &step.action {
                let before = when.len();
                if self.add(asserted, false, when) {
                    let (when, edges) = (when.clone(), edges.clone());
                    found.push(ClaimMove { when, to, violated: true, edges });
                }
                when.truncate(before);
                if !self.add(asserted, true, when) {
                    when.truncate(known);
                    return;
                }
            }
        }
        let violated = edge.to == automaton.end;
        let circles = edges.len() > automaton.edges.len();
        if edge.hold.atomic && !violated && !circles {
            self.add_moves(edge.to, edges, when, found);
        } else {
            let (when, edges) = (when.clone(), edges.clone());
            found.push(ClaimMove { when, to, violated, edges });
        }
        when.truncate(known);
    }

    /// Adds the literal for an expression to be true or false. `false` if that is impossible.
    fn add(&mut self, expr: &Expr, is: bool, when: &mut Vec<ClaimLiteral>) -> bool {
        match self.conditions.literal(expr, is) {
            LiteralTruth::Always => true,
            LiteralTruth::Never => false,
            LiteralTruth::When(literal) => {
                when.push(literal);
                true
            }
        }
    }

    /// Records that a later `else` requires that this edge is not executable.
    fn exclude(&mut self, edge: &Edge, otherwise: &mut Option<Vec<ClaimLiteral>>) {
        let Some(literals) = otherwise else { return };
        let can_fail = match &edge.steps[0].action {
            EdgeAction::Guard(guard) => self.add(guard, false, literals),
            _ => false,
        };
        if !can_fail {
            *otherwise = None;
        }
    }
}
