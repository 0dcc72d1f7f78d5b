//! The numbers of `#if`: C's widest integers, which have 64 bits.

use crate::token::Punct;

/// A number. Arithmetic wraps, and is unsigned if an operand is.
#[derive(Clone, Copy)]
pub(super) struct Value {
    pub(super) bits: u64,
    pub(super) unsigned: bool,
}

impl Value {
    pub(super) fn signed(bits: i64) -> Self {
        Value { bits: bits as u64, unsigned: false }
    }

    pub(super) fn truth(holds: bool) -> Self {
        Value::signed(i64::from(holds))
    }

    fn as_signed(self) -> i64 {
        self.bits as i64
    }
}

/// The result, or `None` for a division by zero.
pub(super) fn apply(punct: Punct, left: Value, right: Value) -> Option<Value> {
    let unsigned = left.unsigned || right.unsigned;
    let (a, b) = (left.bits, right.bits);
    let (x, y) = (left.as_signed(), right.as_signed());
    let number = |bits: u64| Value { bits, unsigned };
    let order = if unsigned { a.cmp(&b) } else { x.cmp(&y) };
    Some(match punct {
        Punct::Or => Value::truth(a != 0 || b != 0),
        Punct::And => Value::truth(a != 0 && b != 0),
        Punct::Pipe => number(a | b),
        Punct::Caret => number(a ^ b),
        Punct::Amp => number(a & b),
        Punct::Equal => Value::truth(a == b),
        Punct::NotEqual => Value::truth(a != b),
        Punct::Less => Value::truth(order.is_lt()),
        Punct::LessEqual => Value::truth(order.is_le()),
        Punct::Greater => Value::truth(order.is_gt()),
        Punct::GreaterEqual => Value::truth(order.is_ge()),
        Punct::ShiftLeft => shifted(left, right, true),
        Punct::ShiftRight => shifted(left, right, false),
        Punct::Plus => number(a.wrapping_add(b)),
        Punct::Minus => number(a.wrapping_sub(b)),
        Punct::Star => number(a.wrapping_mul(b)),
        Punct::Slash if unsigned => number(a.checked_div(b)?),
        Punct::Percent if unsigned => number(a.checked_rem(b)?),
        Punct::Slash => (y != 0).then(|| number(x.wrapping_div(y) as u64))?,
        Punct::Percent => (y != 0).then(|| number(x.wrapping_rem(y) as u64))?,
        _ => unreachable!("binding() knows no other operator"),
    })
}

/// A shift by any distance; as in gcc, a negative distance reverses the direction.
fn shifted(left: Value, right: Value, leftwards: bool) -> Value {
    let backwards = !right.unsigned && right.as_signed() < 0;
    let distance = if backwards { right.as_signed().unsigned_abs() } else { right.bits };
    let bits = match (leftwards != backwards, left.unsigned) {
        (true, _) => {
            u32::try_from(distance).ok().and_then(|by| left.bits.checked_shl(by)).unwrap_or(0)
        }
        (false, true) => {
            u32::try_from(distance).ok().and_then(|by| left.bits.checked_shr(by)).unwrap_or(0)
        }
        (false, false) => (left.as_signed() >> distance.min(63)) as u64,
    };
    Value { bits, unsigned: left.unsigned }
}

/// The value of a character constant, quotes included.
pub(super) fn character(constant: &str) -> i64 {
    let inside = constant.trim_matches('\'');
    let Some(escape) = inside.strip_prefix('\\') else {
        return inside.chars().next().map_or(0, |only| i64::from(u32::from(only)));
    };
    let radix = |digits: &str, radix| {
        // As in gcc, a `char` is signed and has 8 bits.
        i64::from_str_radix(digits, radix).map_or(0, |value| i64::from(value as u8 as i8))
    };
    match escape.chars().next() {
        Some('0'..='7') => radix(escape, 8),
        Some('x') => radix(&escape[1..], 16),
        Some('n') => 10,
        Some('t') => 9,
        Some('r') => 13,
        Some('a') => 7,
        Some('b') => 8,
        Some('v') => 11,
        Some('f') => 12,
        Some('e' | 'E') => 27,
        Some(other) => i64::from(u32::from(other)),
        // `'\''`, whose own quote was trimmed.
        None => 39,
    }
}
