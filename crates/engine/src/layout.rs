//! Where things are in a state.
//!
//! A state is a header, the global variables, and then one record per process
//! and per channel, in the order in which they came to be. A process that ends
//! is always the youngest, and so are its channels: its end cuts the state off.
//! This is SPIN's order, so two states are equal here when they are equal there.
//! What is in the header and at the begin of a record is the [`Frame`]'s affair.

use std::ops::Range;

use beeline_promela::hir::{Init, Model, ProcessId, StructId, Type, Variable};

use crate::frame::Frame;

/// How a single value is stored.
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
    /// So many bits without sign.
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

    /// What is left of a value that is stored in it.
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

    /// Stores a value, cut to size.
    pub fn write(self, bytes: &mut [u8], at: usize, value: i32) {
        let value = self.truncate(value).to_le_bytes();
        let size = self.size();
        bytes[at..at + size].copy_from_slice(&value[..size]);
    }
}

/// Fields of a structure.
#[derive(Clone, Debug)]
pub struct StructLayout {
    /// Bytes of one.
    pub size: usize,
    /// Where each field begins.
    pub fields: Vec<usize>,
}

/// Variables of a process.
#[derive(Clone, Debug)]
pub struct ProcessLayout {
    /// Bytes of its record.
    pub size: usize,
    /// Where each local begins, within the record.
    pub locals: Vec<usize>,
}

/// A channel as declared.
#[derive(Clone, Debug)]
pub struct ChannelLayout {
    /// Messages it holds; 0 for a rendezvous.
    pub capacity: usize,
    /// The values of a message.
    pub fields: Vec<Scalar>,
    /// Bytes of a message.
    pub message: usize,
}

impl ChannelLayout {
    /// Bytes of its messages. A rendezvous keeps none.
    fn room(&self) -> usize {
        self.capacity * self.message
    }
}

/// The layout of a model's states.
#[derive(Clone, Debug)]
pub struct Layout {
    /// The bytes that hold no values.
    pub frame: Frame,
    /// By [`StructId`].
    pub structs: Vec<StructLayout>,
    /// Where each global begins.
    pub globals: Vec<usize>,
    /// Bytes of the header and the globals.
    pub fixed: usize,
    /// By process.
    pub processes: Vec<ProcessLayout>,
    /// Every declaration of a channel.
    pub channels: Vec<ChannelLayout>,
}

impl Layout {
    /// Lays out a model in a frame.
    pub fn new(model: &Model, frame: Frame) -> Layout {
        let mut layout = Layout {
            frame,
            structs: Vec::new(),
            globals: Vec::new(),
            fixed: frame.header,
            processes: Vec::new(),
            channels: Vec::new(),
        };
        for structure in &model.structs {
            let (fields, size) = layout.place(&structure.fields, 0);
            layout.structs.push(StructLayout { size, fields });
        }
        (layout.globals, layout.fixed) = layout.place(&model.globals, frame.header);
        for process in &model.processes {
            let (locals, size) = layout.place(&process.locals, frame.process_header);
            layout.processes.push(ProcessLayout { size, locals });
        }
        layout
    }

    /// Bytes of a channel's record.
    pub fn channel_size(&self, declaration: usize) -> usize {
        self.frame.channel_header() + self.channels[declaration].room()
    }

    fn place(&self, variables: &[Variable], start: usize) -> (Vec<usize>, usize) {
        let mut at = start;
        let mut places = Vec::with_capacity(variables.len());
        for variable in variables {
            places.push(at);
            at += self.size(variable.ty) * variable.length.unwrap_or(1) as usize;
        }
        (places, at)
    }

    /// The bytes of a local variable within the record of its process.
    pub fn local(&self, process: ProcessId, local: usize) -> Range<usize> {
        let ProcessLayout { size, locals } = &self.processes[process.index()];
        locals[local]..locals.get(local + 1).copied().unwrap_or(*size)
    }

    /// Bytes of one value of a type.
    pub fn size(&self, ty: Type) -> usize {
        match ty {
            Type::Struct(StructId(id)) => self.structs[id as usize].size,
            ty => self.scalar(ty).size(),
        }
    }

    /// The values that a message with these fields consists of.
    pub fn scalars(&self, model: &Model, fields: &[Type]) -> Vec<Scalar> {
        let mut all = Vec::new();
        for &field in fields {
            match field {
                Type::Struct(id) => {
                    for inner in &model.structs[id.index()].fields {
                        let one = self.scalars(model, &[inner.ty]);
                        for _ in 0..inner.length.unwrap_or(1) {
                            all.extend(&one);
                        }
                    }
                }
                ty => all.push(self.scalar(ty)),
            }
        }
        all
    }

    /// How an element of a variable is stored. SPIN gives each element of an array of
    /// bits a whole byte, and does not cut it to a bit.
    pub fn element(&self, ty: Type, length: Option<u32>) -> Scalar {
        match (ty, length) {
            (Type::Bit, Some(_)) => Scalar::Byte,
            _ => self.scalar(ty),
        }
    }

    /// How a type that is no structure is stored.
    pub fn scalar(&self, ty: Type) -> Scalar {
        match ty {
            Type::Bit => Scalar::Bit,
            Type::Chan if self.frame.number_size == 2 => Scalar::Short,
            Type::Byte | Type::Mtype(_) | Type::Chan => Scalar::Byte,
            Type::Short => Scalar::Short,
            Type::Int => Scalar::Int,
            Type::Unsigned(bits) => Scalar::Unsigned(bits),
            Type::Struct(_) => unreachable!("a structure is laid out field by field"),
        }
    }

    /// The number of a channel declaration, added if it is new.
    pub fn channel(&mut self, model: &Model, variable: &Variable) -> Option<usize> {
        let Init::Channel(channel) = &variable.init else {
            return None;
        };
        let fields = self.scalars(model, &channel.fields);
        let message = fields.iter().map(|field| field.size()).sum();
        self.channels.push(ChannelLayout { capacity: channel.capacity as usize, fields, message });
        Some(self.channels.len() - 1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_cut_to_their_type() {
        assert_eq!(Scalar::Bit.truncate(2), 0);
        assert_eq!(Scalar::Byte.truncate(300), 44);
        assert_eq!(Scalar::Byte.truncate(-1), 255);
        assert_eq!(Scalar::Short.truncate(40_000), -25_536);
        assert_eq!(Scalar::Unsigned(5).truncate(33), 1);
        let mut bytes = [0; 8];
        for scalar in [Scalar::Byte, Scalar::Short, Scalar::Int, Scalar::Unsigned(12)] {
            scalar.write(&mut bytes, 3, -2);
            assert_eq!(scalar.read(&bytes, 3), scalar.truncate(-2), "{scalar:?}");
        }
    }
}
