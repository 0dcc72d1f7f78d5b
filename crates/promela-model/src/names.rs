//! The variables of an expression with their values, for failed assertions.

use beeline_engine::interpreter::{DecodedState, Machine};
use beeline_promela::hir::print::Printer;
use beeline_promela::hir::{Access, Expr, ExprKind, Predefined, Process, Root, Type};

/// A state in the scope of one of its processes.
#[derive(Clone, Copy)]
pub(crate) struct StateScope<'a> {
    pub(crate) machine: &'a Machine<'a>,
    pub(crate) now: &'a DecodedState,
    pub(crate) pid: usize,
}

impl StateScope<'_> {
    /// `x = 3, a[1] = 0`: each variable once.
    pub(crate) fn values(&self, expr: &Expr) -> String {
        let pairs = self.pairs(expr);
        let texts: Vec<String> =
            pairs.iter().map(|(name, value)| format!("{name} = {value}")).collect();
        texts.join(", ")
    }

    /// The variables of an expression with their values, each once; so, too, what it asks of
    /// channels and other processes.
    pub(crate) fn pairs(&self, expr: &Expr) -> Vec<(String, String)> {
        let mut found: Vec<(String, String)> = Vec::new();
        expr.visit(&mut |part| {
            if let Some(pair) = self.pair(part)
                && !found.contains(&pair)
            {
                found.push(pair);
            }
        });
        found
    }

    fn pair(&self, part: &Expr) -> Option<(String, String)> {
        let (name, ty) = match &part.kind {
            ExprKind::Read(access) => self.name(access)?,
            ExprKind::RemoteVar { process, var, .. } => {
                let other = self.machine.model().process(*process);
                (self.printed(part), self.machine.type_of(var, other).unwrap_or(Type::Byte))
            }
            ExprKind::Channel(..) | ExprKind::RemoteLabel { .. } => {
                (self.printed(part), Type::Byte)
            }
            _ => return None,
        };
        Some((name, self.machine.written(ty, self.value(part)?)))
    }

    /// The value of an expression, if it has one.
    pub(crate) fn value(&self, expr: &Expr) -> Option<i32> {
        self.machine.value(expr, self.now, self.pid)
    }

    /// The process in whose scope this is; `None` in a state without it.
    pub(crate) fn process(&self) -> Option<&Process> {
        let exists = self.pid < self.now.process_count();
        exists.then(|| self.machine.model().process(self.now.process(self.pid)))
    }

    fn printed(&self, expr: &Expr) -> String {
        Printer::new(self.machine.model(), self.process()).expr(expr)
    }

    /// The name with all indices as numbers, and the type.
    fn name(&self, access: &Access) -> Option<(String, Type)> {
        if access.root == Root::Predefined(Predefined::Pid) {
            return Some(("_pid".to_owned(), Type::Byte));
        }
        let model = self.machine.model();
        let variable = model.variable(access.root, self.process())?;
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
        Some((name, ty))
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
