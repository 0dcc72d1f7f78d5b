//! Expressions: naturals, integers and conditions over the variables in scope.
//!
//! Naturals are never negative, so that `% n` of one is an index below `n`.
//! Divisors are constants other than zero and shifts are short, unless faults are requested.

use beeline_promela::ast::*;

use super::build::*;
use super::feature::Feature;
use super::generator::Generator;
use super::scope::Type;

/// Combinations of naturals into a natural.
#[derive(Clone, Copy)]
enum Combine {
    Leaf,
    Add,
    Multiply,
    Divide,
    Bits,
    Shift,
    Conditional,
    Truth,
}

impl Generator<'_> {
    /// An expression that is never negative.
    pub(super) fn natural(&mut self, depth: u32) -> Expr {
        if depth == 0 {
            return self.natural_leaf();
        }
        let ways = [
            (30, Combine::Leaf),
            (20, Combine::Add),
            (6, Combine::Multiply),
            (self.weight(Feature::Division), Combine::Divide),
            (self.weight(Feature::Bitwise), Combine::Bits),
            (self.weight(Feature::Bitwise) / 2, Combine::Shift),
            (self.weight(Feature::Conditional), Combine::Conditional),
            (3, Combine::Truth),
        ];
        let deeper = depth - 1;
        match self.rng.pick_weighted(&ways).unwrap_or(Combine::Leaf) {
            Combine::Leaf => self.natural_leaf(),
            Combine::Add => binary(BinaryOp::Add, self.natural(deeper), self.natural(deeper)),
            Combine::Multiply => {
                binary(BinaryOp::Multiply, self.natural(deeper), self.natural(deeper))
            }
            Combine::Divide => self.division(deeper),
            Combine::Bits => {
                let ops = [BinaryOp::BitAnd, BinaryOp::BitOr, BinaryOp::BitXor];
                let op = ops[self.rng.below(3) as usize];
                binary(op, self.natural(deeper), self.natural(deeper))
            }
            Combine::Shift => {
                let up = self.rng.percent(50);
                let op = if up { BinaryOp::ShiftLeft } else { BinaryOp::ShiftRight };
                binary(op, self.natural(deeper), number(self.rng.between(1, 2)))
            }
            Combine::Conditional => {
                let condition = self.condition(deeper);
                let (yes, no) = (self.natural(deeper), self.natural(deeper));
                node(ExprKind::Conditional(Box::new(condition), Box::new(yes), Box::new(no)))
            }
            Combine::Truth => self.condition(deeper),
        }
    }

    fn division(&mut self, depth: u32) -> Expr {
        let op = if self.rng.percent(50) { BinaryOp::Divide } else { BinaryOp::Modulo };
        let divisor = if self.chosen(Feature::DivideByZero) {
            self.natural(depth)
        } else {
            number(self.rng.between(2, self.config.domain.max(2)))
        };
        binary(op, self.natural(depth), divisor)
    }

    fn natural_leaf(&mut self) -> Expr {
        if self.pure_globals {
            // Claims may not refer to the current process.
        } else if self.rng.percent(self.weight(Feature::ProcessId)) {
            return var("_pid");
        } else if self.rng.percent(self.weight(Feature::ProcessCount)) {
            return var("_nr_pr");
        }
        if self.rng.percent(self.weight(Feature::Length))
            && let Some(channel) = self.find(|p| matches!(p.ty, Type::Chan(_)))
        {
            let channel = self.reach(&channel);
            return node(ExprKind::Channel(ChannelQuery::Len, channel));
        }
        match self.rng.percent(70).then(|| self.find(|p| p.ty.is_natural())).flatten() {
            Some(path) => read(self.reach(&path)),
            None => number(self.rng.below(self.config.domain + 1)),
        }
    }

    /// An expression of any sign.
    pub(super) fn integer(&mut self, depth: u32) -> Expr {
        if !self.rng.percent(self.weight(Feature::Signed) * 3) {
            return self.natural(depth);
        }
        if depth > 0 {
            let deeper = depth - 1;
            match self.rng.below(5) {
                0 | 1 => {
                    return binary(BinaryOp::Subtract, self.integer(deeper), self.integer(deeper));
                }
                2 => return unary(UnaryOp::Negate, self.integer(deeper)),
                3 if self.weight(Feature::Bitwise) > 0 => {
                    return unary(UnaryOp::BitNot, self.integer(deeper));
                }
                _ => {}
            }
        }
        match self.find(|p| p.ty.is_signed()) {
            Some(path) => read(self.reach(&path)),
            None => self.natural(depth),
        }
    }

    /// A condition that is true in some states, if possible.
    pub(super) fn condition(&mut self, depth: u32) -> Expr {
        let deeper = depth.saturating_sub(1);
        if depth > 0 {
            match self.rng.below(10) {
                0 => return unary(UnaryOp::Not, self.condition(deeper)),
                1 => {
                    return binary(BinaryOp::And, self.condition(deeper), self.condition(deeper));
                }
                2 => return binary(BinaryOp::Or, self.condition(deeper), self.condition(deeper)),
                _ => {}
            }
        }
        if !self.pure_globals
            && self.rng.percent(self.weight(Feature::Poll))
            && let Some(poll) = self.poll()
        {
            return poll;
        }
        match self.rng.below(10) {
            0 | 1 => {
                if let Some(path) = self.find(|p| p.ty == Type::Bit) {
                    return read(self.reach(&path));
                }
            }
            2 | 3 => {
                if let Some(path) = self.find(|p| matches!(p.ty, Type::Mtype(_))) {
                    return self.mtype_comparison(&path);
                }
            }
            4..=7 => return self.comparison_with_constant(),
            _ => {}
        }
        self.comparison_of_terms(deeper)
    }

    fn comparison(&mut self) -> BinaryOp {
        let ops = [
            BinaryOp::Equal,
            BinaryOp::NotEqual,
            BinaryOp::Less,
            BinaryOp::LessEqual,
            BinaryOp::Greater,
            BinaryOp::GreaterEqual,
        ];
        ops[self.rng.below(6) as usize]
    }

    fn mtype_comparison(&mut self, path: &super::scope::Path) -> Expr {
        let op = if self.rng.percent(60) { BinaryOp::Equal } else { BinaryOp::NotEqual };
        let left = read(self.reach(path));
        binary(op, left, self.value(path.ty, path.bound))
    }

    /// `x < c`, with `c` a value `x` may have, so that both outcomes occur.
    fn comparison_with_constant(&mut self) -> Expr {
        let op = self.comparison();
        match self.find(|p| p.ty.is_number()) {
            Some(path) => {
                let left = read(self.reach(&path));
                binary(op, left, number(self.rng.below(path.bound)))
            }
            None => binary(op, self.natural_leaf(), number(self.rng.below(self.config.domain))),
        }
    }

    /// A comparison with at least one variable in it.
    fn comparison_of_terms(&mut self, depth: u32) -> Expr {
        let op = self.comparison();
        let Some(path) = self.find(|p| p.ty.is_number()) else {
            return binary(op, self.integer(depth), self.integer(depth));
        };
        let mut left = read(self.reach(&path));
        if depth > 0 && self.rng.percent(50) {
            left = binary(BinaryOp::Add, left, self.natural(depth - 1));
        }
        let mut right = self.integer(depth);
        if right == left {
            right = number(self.rng.below(path.bound));
        }
        binary(op, left, right)
    }

    /// A value that fits a variable of this type and bound.
    pub(super) fn value(&mut self, ty: Type, bound: u32) -> Expr {
        if let Type::Mtype(set) = ty {
            return self.mtype_value(set);
        }
        let depth = self.config.operators;
        match self.rng.below(6) {
            0 | 1 => return number(self.rng.below(bound)),
            2 => {
                let fits = |p: &super::scope::Path| {
                    p.bound <= bound && (p.ty.is_natural() || ty.is_signed() && p.ty.is_signed())
                };
                if let Some(path) = self.find(fits) {
                    return read(self.reach(&path));
                }
            }
            3 if ty == Type::Bit => return self.condition(depth),
            _ => {}
        }
        let value = if ty.is_signed() { self.integer(depth) } else { self.natural(depth) };
        binary(BinaryOp::Modulo, value, number(bound))
    }

    fn mtype_value(&mut self, set: usize) -> Expr {
        if self.rng.percent(25)
            && let Some(path) = self.find(|p| p.ty == Type::Mtype(set))
        {
            return read(self.reach(&path));
        }
        let constants = self.mtypes[set].constants.clone();
        let constant = self.rng.pick(&constants).expect("a set has constants");
        var(constant.clone())
    }
}
