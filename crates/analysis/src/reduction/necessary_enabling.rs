//! Necessary enabling sets, one condition at a time. As long as one condition of an edge is false,
//! the edge is disabled, and only a step that may make this condition true can enable it.

use beeline_engine::automata::{Automaton, Edge, EdgeAction};
use beeline_promela::hir::{BinaryOp, Expr, ExprKind, Predefined, Root, UnaryOp};

use super::access_set::EnablingSet;
use super::footprint_context::{FootprintContext, Wanted};

/// A condition of an edge, and the objects that may make it true.
#[derive(Clone, Debug)]
pub(super) struct EnablingCondition {
    pub(super) test: Test,
    pub(super) needs: EnablingSet,
    /// Whether the process may change it itself, with its own variables.
    pub(super) is_own: bool,
}

/// A test of a state.
#[derive(Clone, Debug)]
pub(super) enum Test {
    /// There is a message in a channel.
    Message(usize),
    /// There is room for a message in a channel.
    Room(usize),
    /// An expression is not zero, for the process that evaluates it.
    True(Expr),
}

/// A condition: the number of its test, and of the query for edges that may make it true.
#[derive(Clone, Copy, Debug)]
pub(super) struct AwaitedCondition {
    pub(super) test: u32,
    pub(super) help: u32,
    /// Whether the process may make it true itself, with its own variables.
    pub(super) is_own: bool,
}

/// When a process tries an edge.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum When {
    /// Now: its variables have their current values.
    Present,
    /// Later: its variables may have other values.
    Later,
}

impl FootprintContext<'_> {
    /// The conditions of an edge that a state decides.
    pub(super) fn conditions(
        &self,
        automaton: &Automaton,
        edge: &Edge,
        when: When,
    ) -> Vec<EnablingCondition> {
        let mut found = Vec::new();
        match &edge.steps[0].action {
            EdgeAction::DStep => {
                let inside = automaton.d_steps.iter().find(|inside| inside.edge == edge.id);
                let inside = inside.expect("every d_step edge has its inside");
                let mut entries = inside.edges.iter().filter(|edge| edge.from == inside.entry);
                if let (Some(entry), None) = (entries.next(), entries.next()) {
                    let footprint_context = FootprintContext { is_there: false, ..*self };
                    footprint_context.look_for_conditions(&entry.steps[0].action, when, &mut found);
                }
            }
            first => self.look_for_conditions(first, when, &mut found),
        }
        found
    }

    fn look_for_conditions(
        &self,
        first: &EdgeAction,
        when: When,
        found: &mut Vec<EnablingCondition>,
    ) {
        let later = FootprintContext { is_there: false, ..*self };
        match first {
            EdgeAction::Guard(condition) => self.split(condition, Wanted::Yes, when, found),
            EdgeAction::Send { channel, .. } if !self.machine.loses_messages() => {
                if let Some(number) = self.buffer(channel) {
                    let is_own = later.buffer(channel).is_none();
                    let mut needs = EnablingSet::nothing(self.objects);
                    needs.things.insert(self.objects.head(number));
                    found.push(EnablingCondition { test: Test::Room(number), needs, is_own });
                }
            }
            EdgeAction::Receive { channel, .. } => {
                if let Some(number) = self.buffer(channel) {
                    let is_own = later.buffer(channel).is_none();
                    let mut needs = EnablingSet::nothing(self.objects);
                    needs.things.insert(self.objects.tail(number));
                    found.push(EnablingCondition { test: Test::Message(number), needs, is_own });
                }
            }
            _ => {}
        }
    }

    /// Adds the parts of an expression, all of which have to be as wanted.
    fn split(&self, expr: &Expr, wanted: Wanted, when: When, found: &mut Vec<EnablingCondition>) {
        match (&expr.kind, wanted) {
            (ExprKind::Binary(BinaryOp::And, left, right), Wanted::Yes)
            | (ExprKind::Binary(BinaryOp::Or, left, right), Wanted::No) => {
                self.split(left, wanted, when, found);
                self.split(right, wanted, when, found);
            }
            (ExprKind::Unary(UnaryOp::Not, operand), _) => {
                self.split(operand, wanted.inverted(), when, found);
            }
            _ if self.can_tell(expr, when) => {
                let mut needs = EnablingSet::nothing(self.objects);
                self.want(expr, wanted, &mut needs);
                let test = match wanted {
                    Wanted::No => Expr {
                        kind: ExprKind::Unary(UnaryOp::Not, Box::new(expr.clone())),
                        span: expr.span,
                    },
                    _ => expr.clone(),
                };
                let is_own = !self.can_tell(expr, When::Later);
                found.push(EnablingCondition { test: Test::True(test), needs, is_own });
            }
            _ => {}
        }
    }

    /// Whether a state determines the value of an expression for the time when the process tries
    /// the edge, unless another step changes one of its objects before.
    fn can_tell(&self, expr: &Expr, when: When) -> bool {
        let is_known = |root: Root| match root {
            Root::Global(_) | Root::Predefined(Predefined::Pid) => true,
            Root::Local(_) => when == When::Present || self.constants.contains(self.process, root),
            Root::Predefined(_) => false,
        };
        !expr.any(|part| match &part.kind {
            ExprKind::Const(_)
            | ExprKind::Mtype { .. }
            | ExprKind::Unary(..)
            | ExprKind::Binary(..)
            | ExprKind::Conditional(..) => false,
            ExprKind::Read(access) | ExprKind::Channel(_, access) => !is_known(access.root),
            _ => true,
        })
    }
}

/// Whether two expressions are syntactically equal; both are determined by a state.
pub(super) fn same(one: &Expr, two: &Expr) -> bool {
    use ExprKind as E;
    match (&one.kind, &two.kind) {
        (E::Const(a) | E::Mtype { value: a, .. }, E::Const(b) | E::Mtype { value: b, .. }) => {
            a == b
        }
        (E::Unary(op, a), E::Unary(other, b)) => op == other && same(a, b),
        (E::Binary(op, a, b), E::Binary(other, c, d)) => op == other && same(a, c) && same(b, d),
        (E::Read(a), E::Read(b)) => {
            let index = match (&a.index, &b.index) {
                (None, None) => true,
                (Some(a), Some(b)) => same(a, b),
                _ => false,
            };
            a.root == b.root && a.path.is_empty() && b.path.is_empty() && index
        }
        _ => false,
    }
}
