//! The scope during generation: variables, their types, and the bounds of their values.

use std::sync::Arc;

/// A type, with the data for the generator.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Type {
    Bit,
    Byte,
    Short,
    Int,
    /// With this many bits.
    Unsigned(u32),
    /// The number of the set.
    Mtype(usize),
    /// The number of the signature.
    Chan(usize),
    /// The number of the record.
    Record(usize),
}

impl Type {
    /// A number that is never negative.
    pub(super) fn is_natural(self) -> bool {
        matches!(self, Type::Bit | Type::Byte | Type::Unsigned(_))
    }

    pub(super) fn is_signed(self) -> bool {
        matches!(self, Type::Short | Type::Int)
    }

    pub(super) fn is_number(self) -> bool {
        self.is_natural() || self.is_signed()
    }

    /// A number or an mtype.
    pub(super) fn is_scalar(self) -> bool {
        self.is_number() || matches!(self, Type::Mtype(_))
    }

    /// The number of values of the type itself, if there are few.
    pub(super) fn natural_bound(self) -> Option<u32> {
        match self {
            Type::Bit => Some(2),
            Type::Unsigned(width) => Some(1 << width),
            _ => None,
        }
    }
}

/// A declared variable or a field of a record.
#[derive(Clone, Debug)]
pub(super) struct Var {
    pub(super) name: Arc<str>,
    pub(super) ty: Type,
    /// Values are below this; for signed types their magnitude.
    pub(super) bound: u32,
    pub(super) length: Option<u32>,
    pub(super) global: bool,
    /// Whether it must not be written: it counts a loop, or represents a value.
    pub(super) frozen: bool,
}

/// A set of mtype constants.
#[derive(Clone, Debug)]
pub(super) struct MtypeSet {
    pub(super) name: Option<Arc<str>>,
    pub(super) constants: Vec<Arc<str>>,
}

/// A typedef.
#[derive(Clone, Debug)]
pub(super) struct Record {
    pub(super) name: Arc<str>,
    pub(super) fields: Vec<Var>,
}

/// The kind of messages of a channel.
#[derive(Clone, Debug)]
pub(super) struct Signature {
    pub(super) capacity: u32,
    pub(super) fields: Vec<Field>,
}

/// A field of a message.
#[derive(Clone, Copy, Debug)]
pub(super) struct Field {
    pub(super) ty: Type,
    pub(super) bound: u32,
}

/// A path to a variable, an element or a field.
#[derive(Clone, Debug)]
pub(super) struct Path {
    pub(super) steps: Vec<(Arc<str>, Option<u32>)>,
    pub(super) ty: Type,
    pub(super) bound: u32,
    pub(super) global: bool,
    pub(super) frozen: bool,
}

impl Path {
    /// The name, if it is a variable without index and field.
    pub(super) fn plain(&self) -> Option<Arc<str>> {
        match &self.steps[..] {
            [(name, None)] => Some(name.clone()),
            _ => None,
        }
    }

    /// Whether storing a value truncates it to the bound. SPIN stores arrays of bits as bytes,
    /// which does not.
    pub(super) fn wraps(&self) -> bool {
        let element = self.steps.last().is_some_and(|(_, length)| length.is_some());
        !element && self.ty.natural_bound() == Some(self.bound)
    }

    /// The array that it is an element of, if that is a variable, and its length.
    pub(super) fn whole_array(&self) -> Option<(Arc<str>, u32)> {
        match &self.steps[..] {
            [(name, Some(length))] => Some((name.clone(), *length)),
            _ => None,
        }
    }
}
