//! The variables of an expression with their values, for failed assertions.

use beeline_engine::interpreter::{DecodedState, Machine};
use beeline_promela::hir::{Access, Expr, ExprKind, Predefined, Root, Type};

/// A state in the scope of one of its processes.
pub(crate) struct StateScope<'a> {
    pub(crate) machine: &'a Machine<'a>,
    pub(crate) now: &'a DecodedState,
    pub(crate) pid: usize,
}

impl StateScope<'_> {
    /// `x = 3, a[1] = 0`: each variable once.
    pub(crate) fn values(&self, expr: &Expr) -> String {
        let mut found: Vec<String> = Vec::new();
        expr.visit(&mut |part| {
            if let ExprKind::Read(access) = &part.kind
                && let Some(name) = self.name(access)
                && let Some(value) = self.machine.value(part, self.now, self.pid)
            {
                let process = self.machine.model().process(self.now.process(self.pid));
                let ty = self.machine.type_of(access, process).unwrap_or(Type::Byte);
                let text = format!("{name} = {}", self.machine.written(ty, value));
                if !found.contains(&text) {
                    found.push(text);
                }
            }
        });
        found.join(", ")
    }

    /// The name with all indices as numbers.
    fn name(&self, access: &Access) -> Option<String> {
        if access.root == Root::Predefined(Predefined::Pid) {
            return Some("_pid".to_owned());
        }
        let model = self.machine.model();
        let process = model.process(self.now.process(self.pid));
        let variable = model.variable(access.root, Some(process))?;
        let mut name = variable.name.name.to_string();
        self.add_index(&mut name, access.index.as_deref(), variable.length)?;
        let mut ty = variable.ty;
        for field in &access.path {
            let Type::Struct(id) = ty else { return None };
            let declared = &model.structs[id.index()].fields[field.field as usize];
            name = format!("{name}.{}", declared.name.name);
            self.add_index(&mut name, field.index.as_ref(), declared.length)?;
            ty = declared.ty;
        }
        Some(name)
    }

    fn add_index(
        &self,
        name: &mut String,
        index: Option<&Expr>,
        length: Option<u32>,
    ) -> Option<()> {
        if length.is_some() {
            let index = match index {
                None => 0,
                Some(index) => self.machine.value(index, self.now, self.pid)?,
            };
            name.push_str(&format!("[{index}]"));
        }
        Some(())
    }
}
