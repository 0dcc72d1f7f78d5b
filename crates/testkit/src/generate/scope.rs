//! What names mean while a program is generated: variables, their types, and
//! the bounds their values keep.

use std::sync::Arc;

use beeline_promela::ast::*;

use super::Generator;
use super::build::*;
use super::feature::Feature;

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
    steps: Vec<(Arc<str>, Option<u32>)>,
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

impl Generator<'_> {
    /// All that can be named here, in order of declaration.
    pub(super) fn paths(&self) -> Vec<Path> {
        let mut paths = Vec::new();
        for var in &self.vars {
            let start = Path {
                steps: Vec::new(),
                ty: var.ty,
                bound: var.bound,
                global: var.global,
                frozen: var.frozen,
            };
            self.extend_paths(&start, var, &mut paths);
        }
        paths
    }

    fn extend_paths(&self, so_far: &Path, var: &Var, paths: &mut Vec<Path>) {
        let mut path = so_far.clone();
        path.steps.push((var.name.clone(), var.length));
        path.ty = var.ty;
        path.bound = var.bound;
        if let Type::Record(number) = var.ty {
            for field in &self.records[number].fields {
                self.extend_paths(&path, field, paths);
            }
        }
        paths.push(path);
    }

    /// Some path that will do.
    pub(super) fn find(&mut self, will_do: impl Fn(&Path) -> bool) -> Option<Path> {
        let mut paths = self.paths();
        paths.retain(will_do);
        self.rng.pick(&paths).cloned()
    }

    /// A reference along a path, with an index wherever one is needed.
    pub(super) fn reach(&mut self, path: &Path) -> VarRef {
        self.reach_steps(&path.steps)
    }

    fn reach_steps(&mut self, steps: &[(Arc<str>, Option<u32>)]) -> VarRef {
        let (name, length) = steps[0].clone();
        let mut reference = var_ref(name);
        reference.index = length.map(|length| Box::new(self.index(length)));
        if steps.len() > 1 {
            reference.field = Some(Box::new(self.reach_steps(&steps[1..])));
        }
        reference
    }

    /// An index of an array, in bounds unless faults are wanted.
    fn index(&mut self, length: u32) -> Expr {
        let variable = self.rng.percent(45);
        let source = variable.then(|| self.find(|p| p.ty.is_natural() && p.plain().is_some()));
        let Some((path, name)) = source.flatten().and_then(|p| p.plain().map(|name| (p, name)))
        else {
            return number(self.rng.below(length));
        };
        if self.chosen(Feature::OutOfBounds) {
            return binary(BinaryOp::Add, var(name), number(self.rng.between(1, length)));
        }
        if path.bound <= length {
            return var(name);
        }
        binary(BinaryOp::Modulo, var(name), number(length))
    }

    /// How many bits a value of this type and bound takes, about.
    pub(super) fn bits(&self, ty: Type, bound: u32) -> u32 {
        match ty {
            Type::Chan(_) => 0,
            Type::Mtype(_) => 2,
            Type::Record(number) => {
                let fields = &self.records[number].fields;
                fields.iter().map(|f| self.bits(f.ty, f.bound) * f.length.unwrap_or(1)).sum()
            }
            ty if ty.is_signed() => 1 + bound.next_power_of_two().ilog2(),
            _ => bound.next_power_of_two().ilog2(),
        }
    }

    /// Takes from what is left of the state's size.
    pub(super) fn spend(&mut self, bits: u32) {
        self.bits_left = self.bits_left.saturating_sub(bits);
    }

    /// The type as it is written.
    pub(super) fn type_name(&self, ty: Type) -> TypeName {
        match ty {
            Type::Bit => TypeName::Bit,
            Type::Byte => TypeName::Byte,
            Type::Short => TypeName::Short,
            Type::Int => TypeName::Int,
            Type::Unsigned(_) => TypeName::Unsigned,
            Type::Mtype(set) => TypeName::Mtype(self.mtypes[set].name.clone().map(ident)),
            Type::Chan(_) => TypeName::Chan,
            Type::Record(record) => TypeName::Named(ident(self.records[record].name.clone())),
        }
    }
}
