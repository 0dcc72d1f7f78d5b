//! What names mean while a program is generated: variables, their types, and
//! the bounds their values keep.

use std::sync::Arc;

/// A type, with what the generator has to know about it.
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

    /// The number of values the type itself keeps to, if few.
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
    /// Values are below this; of signed types the magnitude is.
    pub(super) bound: u32,
    pub(super) length: Option<u32>,
    pub(super) global: bool,
    /// Not to be written: it counts a loop, or stands for a value.
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

/// What a channel carries.
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

/// Something a name leads to: a variable, an element, a field.
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

    /// Whether storing a value cuts off what exceeds the bound. SPIN stores
    /// arrays of bits as bytes, which do not.
    pub(super) fn wraps(&self) -> bool {
        let element = self.steps.last().is_some_and(|(_, length)| length.is_some());
        !element && self.ty.natural_bound() == Some(self.bound)
    }

    /// The array that it is an element of, if it is just that, and its length.
    pub(super) fn whole_array(&self) -> Option<(Arc<str>, u32)> {
        match &self.steps[..] {
            [(name, Some(length))] => Some((name.clone(), *length)),
            _ => None,
        }
    }
}
