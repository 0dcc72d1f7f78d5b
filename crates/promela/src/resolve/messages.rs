//! Messages: fields sent, received and passed to `run`, with structures as their scalars.

use std::collections::HashMap;

use super::access::Resolved;
use super::{Extent, Global, Resolver};
use crate::ast::{self, ExprKind as Ast, Initializer, Program, TypeName, UnitKind, VarDecl};
use crate::hir::{Access, Expr, ExprKind, Field, Init, RecvArg, StructId, Type};
use beeline_source::diagnostic::Diagnostic;
use beeline_source::source::Span;

impl Resolver<'_> {
    /// The values of a message or of `run`'s parameters.
    pub(super) fn message(&mut self, args: &[ast::Expr]) -> Vec<Expr> {
        let mut values = Vec::new();
        for arg in args {
            if let Ast::Var(var) = &arg.kind
                && !self.is_mtype(&var.name.name)
                && let Some(resolved) = self.access(var)
                && let Type::Struct(id) = resolved.ty
            {
                self.require_index(&resolved, var);
                for access in self.leaves(resolved, id) {
                    values.push(Expr { kind: ExprKind::Read(access), span: arg.span });
                }
            } else {
                values.push(self.value(arg));
            }
        }
        values
    }

    fn is_mtype(&self, name: &str) -> bool {
        matches!(self.globals.get(name), Some((Global::Mtype(..), _)))
    }

    pub(super) fn recv_args(&mut self, args: &[ast::RecvArg]) -> Vec<RecvArg> {
        let mut resolved = Vec::new();
        for arg in args {
            match arg {
                ast::RecvArg::Match(value) => resolved.push(RecvArg::Match(self.value(value))),
                ast::RecvArg::Eval(value) => resolved.push(RecvArg::Eval(self.value(value))),
                ast::RecvArg::Var(var) => {
                    if let Some(&(Global::Mtype(set, value), _)) = self.globals.get(&var.name.name)
                    {
                        let kind = ExprKind::Mtype { set, value };
                        resolved.push(RecvArg::Match(Expr { kind, span: var.span.0 }));
                        continue;
                    }
                    let Some(access) = self.access(var) else {
                        continue;
                    };
                    self.require_index(&access, var);
                    match access.ty {
                        Type::Struct(id) => {
                            resolved
                                .extend(self.leaves(access, id).into_iter().map(RecvArg::Store));
                        }
                        _ => resolved.push(RecvArg::Store(access.access)),
                    }
                }
            }
        }
        resolved
    }

    /// Every scalar of a structure, in order; arrays element by element.
    pub(super) fn leaves(&mut self, whole: Resolved, id: StructId) -> Vec<Access> {
        let mut leaves = Vec::new();
        // Nested arrays can describe astronomically large structures.
        let Extent { scalars, depth, .. } = self.structs[id.index()];
        let mut size = depth + whole.access.path.len() + 1;
        whole.access.visit(&mut |_| size += 1);
        match self.leaves_left.checked_sub(scalars.saturating_mul(size)) {
            Some(left) => {
                self.leaves_left = left;
                self.collect_leaves(&whole.access, id, &mut leaves);
            }
            None => self.report(
                Diagnostic::error(
                    "message-too-large",
                    whole.access.span,
                    "structures make the messages of this model too large",
                )
                .label(format!("stands for {scalars} values"))
                .help("send the parts that matter, or an index into a global array"),
            ),
        }
        leaves
    }

    fn collect_leaves(&mut self, at: &Access, id: StructId, into: &mut Vec<Access>) {
        let fields = self.model.structs[id.index()].fields.clone();
        for (number, field) in fields.iter().enumerate() {
            if let (Type::Struct(_), Some(_)) = (field.ty, field.length) {
                self.report(
                    Diagnostic::error(
                        "array-of-structures-in-message",
                        at.span,
                        format!("field `{}` is an array of structures", field.name.name),
                    )
                    .label("cannot be part of a message")
                    .related(field.name.span, "the field")
                    .help("use one field for each element, or send the elements one by one"),
                );
                // As many values as the field has, so that the number of fields is right.
                let missing = field.length.unwrap_or(1) as usize * self.scalars(field.ty);
                let mut whole = at.clone();
                whole.path.push(Field { field: number as u32, index: None });
                into.extend(std::iter::repeat_n(whole, missing));
                continue;
            }
            for element in 0..field.length.unwrap_or(1) {
                let index = field
                    .length
                    .map(|_| Expr { kind: ExprKind::Const(element as i32), span: at.span });
                let mut access = at.clone();
                access.path.push(Field { field: number as u32, index });
                match field.ty {
                    Type::Struct(inner) => self.collect_leaves(&access, inner, into),
                    _ => into.push(access),
                }
            }
        }
    }

    /// The number of scalars in a value of this type.
    pub(super) fn scalars(&self, ty: Type) -> usize {
        match ty {
            Type::Struct(id) => self.structs[id.index()].scalars,
            _ => 1,
        }
    }

    /// Compares the number of fields with the channel's declaration.
    pub(super) fn check_message(&mut self, channel: &Access, given: usize, span: Span, verb: &str) {
        // SPIN rejects such a send, and fails at run time for such a receive.
        if given > self.largest_message && verb == "sent" {
            let fields = if given == 1 { "1 field" } else { &format!("{given} fields") };
            let are = if given == 1 { "is" } else { "are" };
            let channels = match self.largest_message {
                0 => "the model declares no channel with messages".to_owned(),
                most => format!("no channel has more than {most}"),
            };
            let message = format!("{fields} {are} {verb}, but {channels}");
            let error = Diagnostic::error("message-too-long", span, message).label(fields);
            self.report(match self.largest_message {
                0 => error.help("initialise a channel, as in `chan q = [1] of { byte }`"),
                _ => error,
            });
            return;
        }
        if !channel.path.is_empty() || self.diagnostics.mentions("message-too-large") {
            return;
        }
        let Some(variable) = self.declaration(channel.root) else {
            return;
        };
        let Init::Channel(declared) = &variable.init else {
            return;
        };
        let sizes = declared.fields.iter().map(|&field| self.scalars(field));
        let wanted = sizes.fold(0, usize::saturating_add);
        let (name, span_of_name) = (variable.name.name.clone(), variable.name.span);
        if wanted != given {
            let s = if wanted == 1 { "" } else { "s" };
            let label = match (verb, given < wanted) {
                ("polled", true) => "the other fields are ignored",
                (_, true) => "too few fields: this statement fails",
                (_, false) => "too many fields: this statement fails",
            };
            self.report(
                Diagnostic::warning(
                    "message-length",
                    span,
                    format!("channel `{name}` carries {wanted} field{s}, {given} {verb}"),
                )
                .label(label)
                .related(span_of_name, "declared here"),
            );
        }
    }
}

/// The most fields that any channel of the program carries.
pub(super) fn largest_message(program: &Program) -> usize {
    let mut sizes: HashMap<&str, usize> = HashMap::new();
    let mut largest = 0;
    let mut look = |decl: &VarDecl, sizes: &HashMap<&str, usize>| {
        for var in &decl.vars {
            if let Some(Initializer::Channel { fields, .. }) = &var.init {
                let counts = fields.iter().map(|field| type_size(&field.kind, sizes));
                largest = largest.max(counts.fold(0, usize::saturating_add));
            }
        }
    };
    for unit in &program.units {
        match &unit.kind {
            UnitKind::Typedef(typedef) => {
                let mut total: usize = 0;
                for decl in &typedef.fields {
                    look(decl, &sizes);
                    for var in &decl.vars {
                        let length = match var.length.as_ref().map(|length| &length.kind) {
                            Some(Ast::Literal(literal)) => literal.value().max(1) as usize,
                            _ => 1,
                        };
                        let size = length.saturating_mul(type_size(&decl.ty, &sizes));
                        total = total.saturating_add(size);
                    }
                }
                sizes.entry(&typedef.name.name).or_insert(total);
            }
            UnitKind::Variables(decl) => look(decl, &sizes),
            UnitKind::Proctype(proctype) => {
                look_into(&proctype.body, &mut |decl| look(decl, &sizes))
            }
            UnitKind::Init(init) => look_into(&init.body, &mut |decl| look(decl, &sizes)),
            _ => {}
        }
    }
    largest
}

fn type_size(ty: &TypeName, sizes: &HashMap<&str, usize>) -> usize {
    match ty {
        TypeName::Named(name) => sizes.get(&*name.name).copied().unwrap_or(1),
        _ => 1,
    }
}

/// Declarations at the start of a body; channels are declared nowhere else.
fn look_into<'a>(body: &'a [ast::Stmt], look: &mut impl FnMut(&'a VarDecl)) {
    for stmt in body {
        if let ast::StmtKind::Variables(decl) = &stmt.kind {
            look(decl);
        }
    }
}
