//! Operators of expressions.

/// Operators with two operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "the names are those of the operators")]
pub enum TimedOperator {
    Add,
    Sub,
    Mul,
    Div,
    Mod,
    BitAnd,
    BitOr,
    BitXor,
    ShiftLeft,
    ShiftRight,
    Min,
    Max,
    And,
    Or,
    Imply,
    Less,
    LessEqual,
    Greater,
    GreaterEqual,
    Equal,
    NotEqual,
}

impl TimedOperator {
    /// The comparison with exchanged operands; other operators are the same.
    #[must_use]
    pub fn mirrored(self) -> TimedOperator {
        match self {
            TimedOperator::Less => TimedOperator::Greater,
            TimedOperator::LessEqual => TimedOperator::GreaterEqual,
            TimedOperator::Greater => TimedOperator::Less,
            TimedOperator::GreaterEqual => TimedOperator::LessEqual,
            other => other,
        }
    }

    /// The comparison that holds where this one does not; other operators are the same.
    #[must_use]
    pub fn negated(self) -> TimedOperator {
        match self {
            TimedOperator::Less => TimedOperator::GreaterEqual,
            TimedOperator::LessEqual => TimedOperator::Greater,
            TimedOperator::Greater => TimedOperator::LessEqual,
            TimedOperator::GreaterEqual => TimedOperator::Less,
            TimedOperator::Equal => TimedOperator::NotEqual,
            TimedOperator::NotEqual => TimedOperator::Equal,
            other => other,
        }
    }

    /// Whether it compares.
    pub fn is_comparison(self) -> bool {
        self.negated() != self
    }
}

/// Operators that bind a variable.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Quantifier {
    /// `forall`.
    Forall,
    /// `exists`.
    Exists,
    /// `sum`.
    Sum,
}
