//! Expressions over factors. Values are numbers of 32 bits that wrap around; 0 is false.

use crate::interval::Interval;
use crate::system::FactorId;

/// An operator before its operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unary {
    /// 1 of 0, else 0.
    Not,
    /// The negative.
    Negate,
    /// All bits turned.
    BitNot,
    /// What is left in a place of this width.
    Cut(Width),
}

impl Unary {
    /// The value of the operation.
    #[inline]
    pub fn apply(self, value: i32) -> i32 {
        match self {
            Unary::Not => i32::from(value == 0),
            Unary::Negate => value.wrapping_neg(),
            Unary::BitNot => !value,
            Unary::Cut(width) => width.cut(value),
        }
    }
}

/// How wide a place is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Width {
    /// So many bits, without sign, fewer than 32.
    Bits(u8),
    /// 16 bits with sign.
    Short,
}

impl Width {
    /// What is left of a value.
    pub fn cut(self, value: i32) -> i32 {
        match self {
            Width::Bits(bits) => value & ((1i64 << bits) - 1) as i32,
            Width::Short => i32::from(value as i16),
        }
    }

    /// What can be left.
    pub fn interval(self) -> Interval {
        match self {
            Width::Bits(bits) => Interval { least: 0, greatest: (1i64 << bits) - 1 },
            Width::Short => Interval { least: i64::from(i16::MIN), greatest: i64::from(i16::MAX) },
        }
    }
}

/// An operator between its operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Binary {
    /// `+`
    Add,
    /// `-`
    Subtract,
    /// `*`
    Multiply,
    /// `/`
    Divide,
    /// `%`
    Modulo,
    /// `&`
    BitAnd,
    /// `^`
    BitXor,
    /// `|`
    BitOr,
    /// `<<`
    ShiftLeft,
    /// `>>`
    ShiftRight,
    /// `<`
    Less,
    /// `<=`
    LessEqual,
    /// `==`
    Equal,
    /// `!=`
    NotEqual,
    /// `&&`
    And,
    /// `||`
    Or,
}

impl Binary {
    /// All there are, in order.
    pub const ALL: [Binary; 16] = [
        Binary::Add,
        Binary::Subtract,
        Binary::Multiply,
        Binary::Divide,
        Binary::Modulo,
        Binary::BitAnd,
        Binary::BitXor,
        Binary::BitOr,
        Binary::ShiftLeft,
        Binary::ShiftRight,
        Binary::Less,
        Binary::LessEqual,
        Binary::Equal,
        Binary::NotEqual,
        Binary::And,
        Binary::Or,
    ];
}

/// One factor of a row that an index chooses: the first, and each behind it by `stride`.
#[derive(Clone, Debug, PartialEq)]
pub struct Element {
    /// The one at index 0.
    pub first: FactorId,
    /// How far the next one is.
    pub stride: u32,
    /// How many there are.
    pub count: u32,
    /// Which. Nothing is there outside of the row: such steps fail, which is another step.
    pub index: Box<Expr>,
}

impl Element {
    /// The one at an index, if there is one.
    #[inline]
    pub fn at(&self, index: i32) -> Option<FactorId> {
        let index = u32::try_from(index).ok().filter(|&index| index < self.count)?;
        Some(FactorId(self.first.0 + index * self.stride))
    }

    /// Where a factor is in the row.
    pub fn position(&self, factor: FactorId) -> Option<u32> {
        let behind = factor.0.checked_sub(self.first.0)?;
        let at = behind / self.stride.max(1);
        (at < self.count && self.first.0 + at * self.stride == factor.0).then_some(at)
    }
}

/// An expression.
#[derive(Clone, Debug, PartialEq)]
pub enum Expr {
    /// A number.
    Const(i32),
    /// The value of a factor.
    Factor(FactorId),
    /// The value of one of a row.
    Element(Element),
    /// An operator before its operand.
    Unary(Unary, Box<Expr>),
    /// An operator between its operands.
    Binary(Binary, Box<Expr>, Box<Expr>),
    /// The second if the first is not 0, else the third.
    Conditional(Box<Expr>, Box<Expr>, Box<Expr>),
    /// Any of these: what the view does not know.
    Any(Interval),
}

impl Expr {
    /// True.
    pub const TRUE: Expr = Expr::Const(1);

    /// `!self`, with what is plain simplified.
    #[must_use]
    pub fn negated(self) -> Expr {
        match self {
            Expr::Const(value) => Expr::Const(i32::from(value == 0)),
            Expr::Unary(Unary::Not, inner) if inner.is_truth() => *inner,
            Expr::Binary(Binary::Equal, a, b) => Expr::Binary(Binary::NotEqual, a, b),
            Expr::Binary(Binary::NotEqual, a, b) => Expr::Binary(Binary::Equal, a, b),
            Expr::Binary(Binary::Less, a, b) => Expr::Binary(Binary::LessEqual, b, a),
            Expr::Binary(Binary::LessEqual, a, b) => Expr::Binary(Binary::Less, b, a),
            Expr::Binary(Binary::And, a, b) => a.negated().or(b.negated()),
            Expr::Binary(Binary::Or, a, b) => a.negated().and(b.negated()),
            Expr::Any(interval) if interval == Interval::TRUTH => Expr::Any(interval),
            other => Expr::Unary(Unary::Not, Box::new(other)),
        }
    }

    /// `self && other`, with what is plain simplified.
    #[must_use]
    pub fn and(self, other: Expr) -> Expr {
        match (self, other) {
            (Expr::Const(0), _) | (_, Expr::Const(0)) => Expr::Const(0),
            (Expr::Const(_), one) | (one, Expr::Const(_)) if one.is_truth() => one,
            (a, b) => Expr::Binary(Binary::And, Box::new(a), Box::new(b)),
        }
    }

    /// `self || other`, with what is plain simplified.
    #[must_use]
    pub fn or(self, other: Expr) -> Expr {
        match (self, other) {
            (Expr::Const(0), one) | (one, Expr::Const(0)) if one.is_truth() => one,
            (Expr::Const(value), _) | (_, Expr::Const(value)) if value != 0 => Expr::TRUE,
            (a, b) => Expr::Binary(Binary::Or, Box::new(a), Box::new(b)),
        }
    }

    /// `self op other`; a number if both are.
    #[must_use]
    pub fn binary(self, op: Binary, other: Expr) -> Expr {
        if let (Expr::Const(a), Expr::Const(b)) = (&self, &other)
            && let Some(value) = apply(op, *a, *b)
        {
            return Expr::Const(value);
        }
        Expr::Binary(op, Box::new(self), Box::new(other))
    }

    /// `self == value`
    #[must_use]
    pub fn equals(self, value: i32) -> Expr {
        self.binary(Binary::Equal, Expr::Const(value))
    }

    /// What is left of it in a place of some width.
    #[must_use]
    pub fn cut(self, width: Option<Width>) -> Expr {
        match (width, self) {
            (None, value) => value,
            (Some(width), Expr::Const(value)) => Expr::Const(width.cut(value)),
            (Some(width), value) => Expr::Unary(Unary::Cut(width), Box::new(value)),
        }
    }

    /// The parts of which one has to be true, if it has to be.
    pub fn disjuncts(&self) -> Vec<&Expr> {
        let (mut parts, mut waiting) = (Vec::new(), vec![self]);
        while let Some(part) = waiting.pop() {
            match part {
                Expr::Binary(Binary::Or, a, b) => waiting.extend([&**b, &**a]),
                part => parts.push(part),
            }
        }
        parts
    }

    /// Whether it is surely 0 or 1.
    pub fn is_truth(&self) -> bool {
        match self {
            Expr::Const(value) => (0..=1).contains(value),
            Expr::Unary(Unary::Not, _) => true,
            Expr::Binary(op, ..) => matches!(
                op,
                Binary::Less
                    | Binary::LessEqual
                    | Binary::Equal
                    | Binary::NotEqual
                    | Binary::And
                    | Binary::Or
            ),
            Expr::Any(interval) => *interval == Interval::TRUTH,
            _ => false,
        }
    }

    /// Calls `visit` on every factor whose value may be asked for.
    pub fn factors(&self, visit: &mut impl FnMut(FactorId)) {
        match self {
            Expr::Const(_) | Expr::Any(_) => {}
            Expr::Factor(factor) => visit(*factor),
            Expr::Element(element) => {
                element.index.factors(visit);
                (0..element.count)
                    .for_each(|at| visit(FactorId(element.first.0 + at * element.stride)));
            }
            Expr::Unary(_, operand) => operand.factors(visit),
            Expr::Binary(_, a, b) => {
                a.factors(visit);
                b.factors(visit);
            }
            Expr::Conditional(condition, yes, no) => {
                condition.factors(visit);
                yes.factors(visit);
                no.factors(visit);
            }
        }
    }

    /// The parts of a conjunction.
    pub fn conjuncts<'a>(&'a self, parts: &mut Vec<&'a Expr>) {
        match self {
            Expr::Binary(Binary::And, a, b) => {
                a.conjuncts(parts);
                b.conjuncts(parts);
            }
            other => parts.push(other),
        }
    }
}

/// The value of an operation on values that are known; none of a division by zero.
#[inline]
pub fn apply(op: Binary, a: i32, b: i32) -> Option<i32> {
    Some(match op {
        Binary::Add => a.wrapping_add(b),
        Binary::Subtract => a.wrapping_sub(b),
        Binary::Multiply => a.wrapping_mul(b),
        Binary::Divide | Binary::Modulo if b == 0 => return None,
        Binary::Divide => a.wrapping_div(b),
        Binary::Modulo => a.wrapping_rem(b),
        Binary::BitAnd => a & b,
        Binary::BitXor => a ^ b,
        Binary::BitOr => a | b,
        Binary::ShiftLeft => a.wrapping_shl(b as u32),
        Binary::ShiftRight => a.wrapping_shr(b as u32),
        Binary::Less => i32::from(a < b),
        Binary::LessEqual => i32::from(a <= b),
        Binary::Equal => i32::from(a == b),
        Binary::NotEqual => i32::from(a != b),
        Binary::And => i32::from(a != 0 && b != 0),
        Binary::Or => i32::from(a != 0 || b != 0),
    })
}
