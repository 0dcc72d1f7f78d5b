//! Operators on 32-bit values that wrap around; 0 is false.

/// A unary operator.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unary {
    /// Logical negation.
    Not,
    /// Arithmetic negation.
    Negate,
    /// Bitwise complement.
    BitNot,
    /// Conversion to an integer type.
    Cut(IntWidth),
}

impl Unary {
    /// Applies the operator.
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

/// The width of an integer type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum IntWidth {
    /// Unsigned with this many bits, fewer than 32.
    Bits(u8),
    /// Signed with 16 bits.
    Short,
}

/// A binary operator.
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
    /// All operators.
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

/// Applies a binary operator; `None` for a division by zero.
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
    /// Truncates a value.
    pub fn cut(self, value: i32) -> i32 {
        match self {
            IntWidth::Bits(bits) => value & ((1i64 << bits) - 1) as i32,
            IntWidth::Short => i32::from(value as i16),
        }
    }
}
