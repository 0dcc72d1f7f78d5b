//! The variables of an expression with their values: what a failed assertion
//! looked at.

use beeline_promela::hir::{Access, Expr, ExprKind, Predefined, Process, Root};
use beeline_promela::hir::{Model, Type};

use crate::view::View;

/// A state seen by one of its processes.
pub(crate) struct Scene<'a> {
    pub(crate) model: &'a Model,
    pub(crate) view: &'a View<'a>,
    pub(crate) process: &'a Process,
    pub(crate) bytes: &'a [u8],
    pub(crate) pid: usize,
}

impl Scene<'_> {
    /// `x = 3, a[1] = 0`: each variable once. Those whose index is more than a
    /// variable or a number are left out.
    pub(crate) fn values(&self, expr: &Expr) -> String {
        let mut found: Vec<String> = Vec::new();
        expr.visit(&mut |part| {
            if let ExprKind::Read(access) = &part.kind
                && let Some((name, value, _)) = self.look_up(access)
            {
                let text = format!("{name} = {value}");
                if !found.contains(&text) {
                    found.push(text);
                }
            }
        });
        found.join(", ")
    }

    /// Name, text and number of a value.
    fn look_up(&self, access: &Access) -> Option<(String, String, i32)> {
        if access.root == Root::Predefined(Predefined::Pid) {
            return Some(("_pid".to_owned(), self.pid.to_string(), self.pid as i32));
        }
        let name = self.name(access)?;
        let (leaf, record) = match access.root {
            Root::Global(_) => (self.view.globals().iter().find(|leaf| leaf.name == name)?, 0),
            Root::Local(_) => {
                let (leaves, record) = self.view.locals(self.bytes, self.pid)?;
                (leaves.iter().find(|leaf| leaf.name == name)?, record.at)
            }
            Root::Predefined(_) => return None,
        };
        let value = leaf.read(self.bytes, record);
        Some((name, self.view.shown(leaf, value), value))
    }

    /// The name with all indices as numbers.
    fn name(&self, access: &Access) -> Option<String> {
        let variable = self.model.variable(access.root, Some(self.process))?;
        let mut name = variable.name.name.to_string();
        self.add_index(&mut name, access.index.as_deref(), variable.length)?;
        let mut ty = variable.ty;
        for field in &access.path {
            let Type::Struct(id) = ty else { return None };
            let declared = &self.model.structs[id.index()].fields[field.field as usize];
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
            let index = match index.map(|index| &index.kind) {
                None => 0,
                Some(ExprKind::Read(access)) => self.look_up(access)?.2,
                Some(kind) => kind.constant()?,
            };
            name.push_str(&format!("[{index}]"));
        }
        Some(())
    }
}
