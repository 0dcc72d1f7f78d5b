//! Number and offsets of the factors of variables.

use beeline_promela::hir::{Model, Type, Variable};

/// The factors of a structure.
pub(super) struct StructSpan {
    size: u32,
    pub(super) fields: Vec<u32>,
}

/// The offsets of variables, in factors.
pub(super) struct Spans {
    pub(super) structs: Vec<StructSpan>,
    pub(super) globals: Vec<u32>,
    /// By process type.
    pub(super) locals: Vec<Vec<u32>>,
}

impl Spans {
    pub(super) fn of(model: &Model) -> Spans {
        let mut spans = Spans { structs: Vec::new(), globals: Vec::new(), locals: Vec::new() };
        for structure in &model.structs {
            let (fields, size) = spans.place(&structure.fields);
            spans.structs.push(StructSpan { size, fields });
        }
        spans.globals = spans.place(&model.globals).0;
        spans.locals = model.processes.iter().map(|p| spans.place(&p.locals).0).collect();
        spans
    }

    fn place(&self, variables: &[Variable]) -> (Vec<u32>, u32) {
        let mut at = 0;
        let places = variables.iter().map(|variable| {
            let place = at;
            at += self.variable(variable);
            place
        });
        (places.collect(), at)
    }

    /// Factors of a variable.
    pub(super) fn variable(&self, variable: &Variable) -> u32 {
        self.size(variable.ty) * variable.length.unwrap_or(1)
    }

    /// Factors of one value of a type.
    pub(super) fn size(&self, ty: Type) -> u32 {
        match ty {
            Type::Struct(id) => self.structs[id.index()].size,
            _ => 1,
        }
    }
}
