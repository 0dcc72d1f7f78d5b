//! Types of values.

use std::fmt;
use std::sync::Arc;

/// The bounds of `int` without bounds, as UPPAAL has them.
pub const DEFAULT_INT: (i32, i32) = (-32_768, 32_767);

/// A type.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ValueType {
    /// No value.
    Void,
    /// A number between bounds.
    Int(i32, i32),
    /// A truth value.
    Bool,
    /// A member of a set of scalars: the number of the set, and its size.
    Scalar(u32, i32),
    /// A clock, or a difference of clocks.
    Clock,
    /// A string, by its number among those of the network.
    Text,
    /// A channel.
    Chan,
    /// An array: elements, first index, length.
    Array(Arc<ValueType>, i32, u32),
    /// A structure.
    Struct(Arc<Vec<(Arc<str>, ValueType)>>),
}

impl ValueType {
    /// The number of values, clocks or channels.
    pub fn size(&self) -> usize {
        match self {
            ValueType::Void => 0,
            ValueType::Array(element, _, length) => element.size().saturating_mul(*length as usize),
            ValueType::Struct(fields) => fields.iter().map(|(_, field)| field.size()).sum(),
            _ => 1,
        }
    }

    /// Whether it is a number or can be used as one.
    pub fn is_integral(&self) -> bool {
        matches!(self, ValueType::Int(..) | ValueType::Bool | ValueType::Scalar(..))
    }

    /// The type of the single values.
    pub fn innermost(&self) -> &ValueType {
        match self {
            ValueType::Array(element, ..) => element.innermost(),
            other => other,
        }
    }

    /// Whether it has clocks in it.
    pub fn has(&self, part: &ValueType) -> bool {
        match self {
            ValueType::Array(element, ..) => element.has(part),
            ValueType::Struct(fields) => fields.iter().any(|(_, field)| field.has(part)),
            other => other == part,
        }
    }

    /// The bounds of a single value.
    pub fn bounds(&self) -> (i32, i32) {
        match self {
            ValueType::Int(low, high) => (*low, *high),
            ValueType::Bool => (0, 1),
            ValueType::Scalar(_, size) => (0, size - 1),
            _ => (0, 0),
        }
    }

    /// Whether values of another type can be assigned to it as a whole.
    pub fn accepts(&self, other: &ValueType) -> bool {
        match (self, other) {
            (ValueType::Scalar(one, _), ValueType::Scalar(other, _)) => one == other,
            (ValueType::Scalar(..), _) | (_, ValueType::Scalar(..)) => false,
            (ValueType::Array(one, _, length), ValueType::Array(other, _, size)) => {
                length == size && one.accepts(other)
            }
            (ValueType::Struct(one), ValueType::Struct(other)) => {
                one.len() == other.len()
                    && one.iter().zip(&**other).all(|((_, one), (_, other))| one.accepts(other))
            }
            _ => {
                self.is_integral() && other.is_integral()
                    || matches!(
                        (self, other),
                        (ValueType::Clock, ValueType::Clock)
                            | (ValueType::Chan, ValueType::Chan)
                            | (ValueType::Text, ValueType::Text)
                    )
            }
        }
    }

    /// Calls `each` with the name and the type of each single value, in order.
    pub fn leaves(&self, name: &str, each: &mut dyn FnMut(&str, &ValueType)) {
        match self {
            ValueType::Void => {}
            ValueType::Array(element, low, length) => {
                for at in 0..*length as i32 {
                    element.leaves(&format!("{name}[{}]", low + at), each);
                }
            }
            ValueType::Struct(fields) => {
                for (field, ty) in &**fields {
                    ty.leaves(&format!("{name}.{field}"), each);
                }
            }
            single => each(name, single),
        }
    }
}

impl fmt::Display for ValueType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ValueType::Void => f.write_str("void"),
            ValueType::Int(low, high) if (*low, *high) == DEFAULT_INT => f.write_str("int"),
            ValueType::Int(low, high) => write!(f, "int[{low},{high}]"),
            ValueType::Bool => f.write_str("bool"),
            ValueType::Scalar(_, size) => write!(f, "scalar[{size}]"),
            ValueType::Clock => f.write_str("clock"),
            ValueType::Chan => f.write_str("chan"),
            ValueType::Text => f.write_str("string"),
            ValueType::Array(element, _, length) => write!(f, "array of {length} {element}"),
            ValueType::Struct(_) => f.write_str("struct"),
        }
    }
}
