//! Operators on 32-bit values that wrap around; 0 is false.

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
    Cut(IntWidth),
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
pub enum IntWidth {
    /// So many bits, without sign, fewer than 32.
    Bits(u8),
    /// 16 bits with sign.
    Short,
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

impl IntWidth {
    /// What is left of a value.
    pub fn cut(self, value: i32) -> i32 {
        match self {
            IntWidth::Bits(bits) => value & ((1i64 << bits) - 1) as i32,
            IntWidth::Short => i32::from(value as i16),
        }
    }
}
