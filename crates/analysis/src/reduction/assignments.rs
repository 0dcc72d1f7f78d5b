//! Effects of an assignment on a global variable: it sets a known value, adds to it, or changes it
//! arbitrarily.

use beeline_promela::hir::{Access, BinaryOp, Expr, ExprKind, Predefined, Root, Type};

use super::access_set::AccessSet;
use super::expressions::reading;
use super::footprint_context::FootprintContext;

impl FootprintContext<'_> {
    /// Adds a variable that is assigned, and the variables that select its element.
    pub(super) fn change(&self, target: &Access, access_set: &mut AccessSet) {
        reading(access_set, |found| self.indices(target, found));
        match target.root {
            Root::Global(id) if !self.machine.is_unread(id) => {
                self.bytes(target, &mut access_set.writes);
                self.bytes(target, &mut access_set.gives);
            }
            Root::Predefined(Predefined::Priority) => access_set.is_wild = true,
            // The process gets exclusive access to another channel.
            Root::Local(_) if self.machine.is_promised(self.process, target.root) => {
                access_set.write(self.objects.births());
            }
            _ => {}
        }
    }

    /// The value that an assignment gives to a global variable or array element, if it is constant
    /// for this process.
    pub(super) fn given(&self, target: &Access, value: &Expr) -> Option<i32> {
        let Root::Global(id) = target.root else { return None };
        if !target.path.is_empty() || matches!(value.kind, ExprKind::Run { .. }) {
            return None;
        }
        let variable = &self.machine.model().globals[id.index()];
        let value = self.constant_value(value)?;
        let stored = self.machine.layout().element(variable.ty, variable.length);
        (!matches!(variable.ty, Type::Struct(_))).then(|| stored.truncate(value))
    }

    /// Adds a variable that is set to a value, and the variables that select its element.
    pub(super) fn set(&self, target: &Access, value: i32, access_set: &mut AccessSet) {
        let Some(becomes) = self.value_of(target, value) else {
            return self.change(target, access_set);
        };
        reading(access_set, |found| self.indices(target, found));
        if let Root::Global(id) = target.root
            && !self.machine.is_unread(id)
        {
            access_set.sets.add(&becomes);
            access_set.gives.add(&becomes);
            self.values(target, |other| other != value, &mut access_set.reads);
        }
    }

    /// The summand that an assignment adds to a variable or subtracts from it, if independent of
    /// its value.
    pub(super) fn added<'e>(&self, target: &Access, value: &'e Expr) -> Option<&'e Expr> {
        let is_same = |expr: &Expr| {
            let ExprKind::Read(read) = &expr.kind else { return false };
            let element = |access: &Access| match &access.index {
                Some(index) => self.value(index),
                None => Some(0),
            };
            read.root == target.root
                && read.path.is_empty()
                && target.path.is_empty()
                && element(read).is_some_and(|known| element(target) == Some(known))
        };
        match &value.kind {
            ExprKind::Binary(BinaryOp::Add | BinaryOp::Subtract, left, right) if is_same(left) => {
                Some(right)
            }
            ExprKind::Binary(BinaryOp::Add, left, right) if is_same(right) => Some(left),
            _ => None,
        }
    }

    /// Adds a variable that is incremented or decremented.
    pub(super) fn count(&self, target: &Access, access_set: &mut AccessSet) {
        reading(access_set, |found| self.indices(target, found));
        if let Root::Global(id) = target.root
            && !self.machine.is_unread(id)
        {
            self.bytes(target, &mut access_set.adds);
            self.bytes(target, &mut access_set.gives);
        }
    }
}
