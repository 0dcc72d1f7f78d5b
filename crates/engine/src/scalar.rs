//! Scalars: the stored forms of single values.

use beeline_promela::hir::Type;

use crate::frame::Frame;

/// The stored form of a single value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Scalar {
    /// 0 or 1.
    Bit,
    /// 0 to 255; also mtypes and channels.
    Byte,
    /// 16 bits with sign.
    Short,
    /// 32 bits with sign.
    Int,
    /// An unsigned number of this many bits.
    Unsigned(u8),
}

impl Scalar {
    /// Its size in bytes.
    #[inline]
    pub fn size(self) -> usize {
        match self {
            Scalar::Bit | Scalar::Byte => 1,
            Scalar::Short => 2,
            Scalar::Int => 4,
            Scalar::Unsigned(bits) => match bits {
                0..=8 => 1,
                9..=16 => 2,
                _ => 4,
            },
        }
    }

    /// A value truncated to this type.
    pub fn truncate(self, value: i32) -> i32 {
        match self {
            Scalar::Bit => value & 1,
            Scalar::Byte => value & 0xff,
            Scalar::Short => i32::from(value as i16),
            Scalar::Int => value,
            Scalar::Unsigned(bits) => value & ((1i64 << bits) - 1) as i32,
        }
    }

    /// Reads a value.
    #[inline]
    pub fn read(self, bytes: &[u8], at: usize) -> i32 {
        match self.size() {
            1 => i32::from(bytes[at]),
            2 => {
                let raw = u16::from_le_bytes([bytes[at], bytes[at + 1]]);
                if self == Scalar::Short { i32::from(raw as i16) } else { i32::from(raw) }
            }
            _ => i32::from_le_bytes([bytes[at], bytes[at + 1], bytes[at + 2], bytes[at + 3]]),
        }
    }

    /// The stored form of a type that is no structure, in a frame.
    pub fn of(ty: Type, frame: &Frame) -> Scalar {
        match ty {
            Type::Bit => Scalar::Bit,
            Type::Chan if frame.number_size == 2 => Scalar::Short,
            Type::Byte | Type::Mtype(_) | Type::Chan => Scalar::Byte,
            Type::Short => Scalar::Short,
            Type::Int => Scalar::Int,
            Type::Unsigned(bits) => Scalar::Unsigned(bits),
            Type::Struct(_) => unreachable!("a structure is laid out field by field"),
        }
    }

    /// Stores a value, truncated.
    pub fn write(self, bytes: &mut [u8], at: usize, value: i32) {
        let value = self.truncate(value).to_le_bytes();
        let size = self.size();
        bytes[at..at + size].copy_from_slice(&value[..size]);
    }
}
