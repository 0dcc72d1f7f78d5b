//! Paths to all variables, elements and fields in scope, and references along them.

use std::sync::Arc;

use beeline_promela::ast::*;

use super::build::*;
use super::feature::Feature;
use super::generator::Generator;
use super::scope::{Path, Type, Var};

impl Generator<'_> {
    /// All paths, in order of declaration.
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

    /// A random path that satisfies a condition.
    pub(super) fn find(&mut self, will_do: impl Fn(&Path) -> bool) -> Option<Path> {
        let mut paths = self.paths();
        paths.retain(will_do);
        self.rng.pick(&paths).cloned()
    }

    /// A reference along a path, with indices where needed.
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

    /// An index of an array, within bounds unless faults are requested.
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

    /// The approximate number of bits of a value of this type and bound.
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

    /// Subtracts from the remaining size of the state.
    pub(super) fn spend(&mut self, bits: u32) {
        self.bits_left = self.bits_left.saturating_sub(bits);
    }

    /// The type as written in a program.
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
