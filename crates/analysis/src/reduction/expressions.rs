//! Dependencies of expressions: the objects that may change a value, or make it true or false.

use beeline_engine::arithmetic::apply;
use beeline_promela::hir::{
    Access, BinaryOp, ChannelQuery, Expr, ExprKind, Predefined, Root, UnaryOp,
};

use super::access_set::{AccessSet, EnablingSet};
use super::footprint_context::{ChannelEnd, FootprintContext, Wanted};

impl FootprintContext<'_> {
    /// Adds the objects that the value of an expression depends on.
    pub(super) fn depend(&self, expr: &Expr, access_set: &mut AccessSet) {
        self.keep(expr, Wanted::Either, access_set);
    }

    /// Adds the objects that may change the truth of an expression away from the wanted one.
    pub(super) fn keep(&self, expr: &Expr, wanted: Wanted, access_set: &mut AccessSet) {
        reading(access_set, |found| self.visit(expr, wanted, Change::Away, found));
    }

    /// Adds the objects that may make an expression as wanted, if it is not.
    pub(super) fn want(&self, expr: &Expr, wanted: Wanted, needs: &mut EnablingSet) {
        self.visit(expr, wanted, Change::Towards, needs);
    }

    /// Adds the objects that the value of a condition of a property depends on.
    pub(super) fn look(&self, expr: &Expr, found: &mut EnablingSet) {
        self.visit(expr, Wanted::Either, Change::Away, found);
    }

    fn visit(&self, expr: &Expr, wanted: Wanted, change: Change, found: &mut EnablingSet) {
        let both = |one: &Expr, two: &Expr, wanted: Wanted, found: &mut EnablingSet| {
            self.visit(one, wanted, change, found);
            self.visit(two, wanted, change, found);
        };
        if wanted != Wanted::Either
            && let Some((access, is_true)) = self.compared(expr)
        {
            let helps = |value: i32| is_true(value) == (wanted == Wanted::Yes);
            self.indices(access, found);
            if self.counts(access) {
                let picks = |value: i32| helps(value) == (change == Change::Towards);
                self.values(access, picks, &mut found.things);
            }
            return;
        }
        match &expr.kind {
            ExprKind::Const(_) | ExprKind::Mtype { .. } => {}
            ExprKind::Read(access) => self.variable(access, found),
            ExprKind::Unary(UnaryOp::Not, operand) => {
                self.visit(operand, wanted.inverted(), change, found);
            }
            ExprKind::Unary(_, operand) => self.visit(operand, Wanted::Either, change, found),
            ExprKind::Binary(BinaryOp::And | BinaryOp::Or, left, right) => {
                both(left, right, wanted, found);
            }
            ExprKind::Binary(_, left, right) => both(left, right, Wanted::Either, found),
            ExprKind::Conditional(condition, yes, no) => {
                self.visit(condition, Wanted::Either, change, found);
                both(yes, no, Wanted::Either, found);
            }
            ExprKind::Channel(query, channel) => {
                self.variable(channel, found);
                self.end(channel, asked(*query, wanted, change), &mut found.things);
            }
            ExprKind::Poll { channel, args, .. } => {
                self.variable(channel, found);
                self.matched(args, found);
                // A message in a channel stays until a process receives it.
                let stays = (wanted, change) == (Wanted::Yes, Change::Away);
                let end = if stays { ChannelEnd::Head } else { ChannelEnd::Both };
                self.end(channel, end, &mut found.things);
            }
            // `timeout` becomes true only when no other process can move.
            ExprKind::Timeout if wanted == Wanted::Yes => {}
            _ => found.is_wild = true,
        }
    }

    /// A global variable that is compared with a constant, and the values for which the comparison
    /// holds.
    fn compared<'e>(&self, expr: &'e Expr) -> Option<(&'e Access, impl Fn(i32) -> bool)> {
        let (access, op, other, is_left) = match &expr.kind {
            ExprKind::Read(access) => (access, BinaryOp::NotEqual, 0, true),
            ExprKind::Binary(op, left, right) if is_comparison(*op) => {
                match (&left.kind, &right.kind) {
                    (ExprKind::Read(access), _) if matches!(access.root, Root::Global(_)) => {
                        (access, *op, self.constant_value(right)?, true)
                    }
                    (_, ExprKind::Read(access)) => (access, *op, self.constant_value(left)?, false),
                    _ => return None,
                }
            }
            _ => return None,
        };
        let is_true = move |value: i32| {
            let (left, right) = if is_left { (value, other) } else { (other, value) };
            apply(op, left, right) == Ok(1)
        };
        matches!(access.root, Root::Global(_)).then_some((access, is_true))
    }

    /// Whether the value of a global variable matters: it is neither constant nor unread.
    fn counts(&self, access: &Access) -> bool {
        let Root::Global(id) = access.root else { return false };
        !self.constants.contains(self.process, access.root) && !self.machine.is_unread(id)
    }

    /// Adds a variable, unless it is constant, and the variables that select its element.
    pub(super) fn variable(&self, access: &Access, found: &mut EnablingSet) {
        self.indices(access, found);
        self.cells(access, found);
    }

    /// Adds the variables that select the element.
    pub(super) fn indices(&self, access: &Access, found: &mut EnablingSet) {
        access.visit(&mut |index| match &index.kind {
            ExprKind::Read(inner) => self.cells(inner, found),
            ExprKind::Const(_)
            | ExprKind::Mtype { .. }
            | ExprKind::Unary(..)
            | ExprKind::Binary(..)
            | ExprKind::Conditional(..) => {}
            _ => found.is_wild = true,
        });
    }

    /// Adds the bytes of a variable, without what its indices read.
    fn cells(&self, access: &Access, found: &mut EnablingSet) {
        match access.root {
            Root::Global(_) => {
                if self.counts(access) {
                    self.bytes(access, &mut found.things);
                }
            }
            Root::Local(_) => {}
            Root::Predefined(Predefined::Pid | Predefined::Scratch) => {}
            Root::Predefined(Predefined::NrPr) => found.things.insert(self.objects.nr_pr()),
            Root::Predefined(Predefined::Last | Predefined::Priority) => found.is_wild = true,
        }
    }

    /// The value of an expression that never changes.
    pub(super) fn constant_value(&self, expr: &Expr) -> Option<i32> {
        FootprintContext { is_there: false, ..*self }.value(expr)
    }

    /// Adds the variables that determine which channel a variable holds.
    pub(super) fn follow(&self, channel: &Access, access_set: &mut AccessSet) {
        reading(access_set, |found| self.variable(channel, found));
    }
}

/// Adds to the reads of a step.
pub(super) fn reading(access_set: &mut AccessSet, add: impl FnOnce(&mut EnablingSet)) {
    let mut found =
        EnablingSet { things: std::mem::take(&mut access_set.reads), is_wild: access_set.is_wild };
    add(&mut found);
    (access_set.reads, access_set.is_wild) = (found.things, found.is_wild);
}

/// The direction of the change that matters.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Change {
    /// Away from the wanted value.
    Away,
    /// Towards the wanted value.
    Towards,
}

/// The end of a channel at which the answer to a query changes.
fn asked(query: ChannelQuery, wanted: Wanted, change: Change) -> ChannelEnd {
    let grows = match (query, wanted) {
        (ChannelQuery::Len, _) | (_, Wanted::Either) => return ChannelEnd::Both,
        (ChannelQuery::Full | ChannelQuery::NEmpty, Wanted::Yes)
        | (ChannelQuery::Empty | ChannelQuery::NFull, Wanted::No) => true,
        _ => false,
    };
    // It becomes true, or false, by an additional message, or by one less.
    match change {
        Change::Towards if grows => ChannelEnd::Tail,
        Change::Towards => ChannelEnd::Head,
        Change::Away if grows => ChannelEnd::Head,
        Change::Away => ChannelEnd::Tail,
    }
}

fn is_comparison(op: BinaryOp) -> bool {
    use BinaryOp as B;
    matches!(op, B::Equal | B::NotEqual | B::Less | B::LessEqual | B::Greater | B::GreaterEqual)
}
