//! References to variables: the variable, the element, the field.

use super::scope::Local;
use super::{Global, Resolver};
use crate::ast::{Ident, VarRef};
use crate::hir::{Access, Field, Predefined, Root, StructId, Type, Variable};
use beeline_source::diagnostic::{Diagnostic, MOST_CANDIDATES, did_you_mean};
use beeline_source::source::Span;

/// A resolved reference and its type.
pub(super) struct Resolved {
    pub(super) access: Access,
    pub(super) ty: Type,
    /// The length of an array whose index is missing.
    pub(super) whole_array: Option<u32>,
}

/// The parts of a declaration that a reference needs, without the initial value, which may be long.
struct Declared {
    ty: Type,
    length: Option<u32>,
    span: Span,
}

impl From<&Variable> for Declared {
    fn from(variable: &Variable) -> Self {
        Declared { ty: variable.ty, length: variable.length, span: variable.name.span }
    }
}

impl Resolver<'_> {
    /// Resolves a reference to a single value.
    pub(super) fn scalar(&mut self, var: &VarRef) -> Option<(Access, Type)> {
        let resolved = self.access(var)?;
        self.require_index(&resolved, var);
        if let Type::Struct(id) = resolved.ty {
            let name = self.model.structs[id.index()].name.name.clone();
            let fields = self.field_names(id);
            self.report(
                Diagnostic::error(
                    "whole-structure",
                    var.span.0,
                    format!("a value of type `{name}` cannot be used as a whole here"),
                )
                .label("which field?")
                .note(format!("`{name}` has the fields {fields}"))
                .help(
                    "use the fields one by one; only send, receive and `run` take whole structures",
                ),
            );
            return None;
        }
        Some((resolved.access, resolved.ty))
    }

    /// Resolves a reference to a channel.
    pub(super) fn channel(&mut self, var: &VarRef) -> Option<Access> {
        let (access, ty) = self.scalar(var)?;
        if ty != Type::Chan && !matches!(access.root, Root::Predefined(_)) {
            let declared = self.declaration(access.root).map(|variable| variable.name.span);
            let name = self.last_name(var);
            let mut diagnostic = Diagnostic::error(
                "not-a-channel",
                var.span.0,
                format!("`{name}` is not a channel"),
            )
            .label("a channel is needed here");
            if let Some(span) = declared {
                diagnostic = diagnostic.related(span, "declared here");
            }
            self.report(diagnostic);
            return None;
        }
        Some(access)
    }

    fn last_name(&self, var: &VarRef) -> String {
        let mut var = var;
        while let Some(field) = &var.field {
            var = field;
        }
        var.name.name.to_string()
    }

    /// Resolves a reference; it may denote a whole structure or array.
    pub(super) fn access(&mut self, var: &VarRef) -> Option<Resolved> {
        let root = self.root(&var.name)?;
        let span = var.span.0;
        let Some(variable) = self.declaration(root).map(Declared::from) else {
            if let Some(index) = &var.index {
                self.report(
                    Diagnostic::error(
                        "not-an-array",
                        index.span,
                        format!("`{}` is not an array", var.name.name),
                    )
                    .label("has no elements"),
                );
            }
            let access = Access { root, index: None, path: Vec::new(), span };
            return Some(Resolved { access, ty: Type::Byte, whole_array: None });
        };
        let index = self.index_of(var, &variable).map(Box::new);
        let mut resolved = Resolved {
            whole_array: if index.is_none() { variable.length } else { None },
            access: Access { root, index, path: Vec::new(), span },
            ty: variable.ty,
        };
        let mut at = var;
        while let Some(field) = &at.field {
            self.require_index(&resolved, at);
            let Type::Struct(id) = resolved.ty else {
                self.report(
                    Diagnostic::error(
                        "not-a-structure",
                        field.name.span,
                        format!("`{}` has no fields", at.name.name),
                    )
                    .label("no such field")
                    .help("a variable with fields is declared with a `typedef` type"),
                );
                return None;
            };
            let (number, declared) = self.field(id, &field.name)?;
            let index = self.index_of(field, &declared);
            resolved.whole_array = if index.is_none() { declared.length } else { None };
            resolved.ty = declared.ty;
            resolved.access.path.push(Field { field: number, index });
            at = field;
        }
        Some(resolved)
    }

    fn field(&mut self, id: StructId, name: &Ident) -> Option<(u32, Declared)> {
        let structure = &self.model.structs[id.index()];
        if let Some(&at) = self.structs[id.index()].fields.get(&name.name) {
            return Some((at, Declared::from(&structure.fields[at as usize])));
        }
        let ty = structure.name.name.clone();
        let declared = structure.name.span;
        let candidates = if self.diagnostics.is_full() { &[] } else { &*structure.fields };
        let close = did_you_mean(&name.name, candidates.iter().map(|f| &*f.name.name));
        let mut diagnostic = Diagnostic::error(
            "unknown-field",
            name.span,
            format!("type `{ty}` has no field `{}`", name.name),
        )
        .label("no such field")
        .related(declared, "the type");
        diagnostic = match close {
            Some(close) => diagnostic.fix(format!("did you mean `{close}`?"), name.span, close),
            None => diagnostic.note(format!("`{ty}` has the fields {}", self.field_names(id))),
        };
        self.report(diagnostic);
        None
    }

    fn field_names(&self, id: StructId) -> String {
        const MOST: usize = 20;
        let fields = &self.model.structs[id.index()].fields;
        let names: Vec<String> =
            fields.iter().take(MOST).map(|field| format!("`{}`", field.name.name)).collect();
        names.join(", ") + if fields.len() > MOST { ", …" } else { "" }
    }

    /// The index of a reference. As in SPIN, the index of a variable that is no array is dropped,
    /// but with a warning.
    fn index_of(&mut self, var: &VarRef, variable: &Declared) -> Option<crate::hir::Expr> {
        let index = var.index.as_ref()?;
        let value = self.value(index);
        match variable.length {
            None => {
                self.report(
                    Diagnostic::warning(
                        "index-of-scalar",
                        index.span,
                        format!("`{}` is not an array", var.name.name),
                    )
                    .label("this index is ignored")
                    .related(variable.span, "declared here"),
                );
                None
            }
            Some(length) => {
                if let Some(at) = value.kind.constant()
                    && !(0..i64::from(length)).contains(&i64::from(at))
                {
                    self.report(
                        Diagnostic::warning(
                            "index-out-of-bounds",
                            index.span,
                            format!("`{}` has no element {at}", var.name.name),
                        )
                        .label(format!("valid: 0 to {}", length - 1))
                        .related(variable.span, "declared here"),
                    );
                }
                Some(value)
            }
        }
    }

    pub(super) fn require_index(&mut self, resolved: &Resolved, var: &VarRef) {
        let Some(length) = resolved.whole_array else {
            return;
        };
        let name = self.last_name_before_field(var);
        self.report(
            Diagnostic::error(
                "missing-index",
                name.span,
                format!("`{}` is an array of {length}", name.name),
            )
            .label("which element?")
            .fix("for example", name.span.after(), "[0]"),
        );
    }

    fn last_name_before_field(&self, var: &VarRef) -> Ident {
        let mut var = var;
        while let Some(field) = &var.field {
            if var.index.is_none() && self.is_array_name(var) {
                break;
            }
            var = field;
        }
        var.name.clone()
    }

    fn is_array_name(&self, var: &VarRef) -> bool {
        let global = self.globals.get(&var.name.name);
        matches!(global, Some((Global::Variable(id), _)) if self.model.globals[id.index()].length.is_some())
    }

    /// The variable that a name refers to.
    fn root(&mut self, name: &Ident) -> Option<Root> {
        if let Some(predefined) = Predefined::ALL.into_iter().find(|p| p.name() == &*name.name) {
            return Some(Root::Predefined(predefined));
        }
        let local = if self.process.is_some() { self.scope.find(&name.name) } else { None };
        let (what, declared) = match local {
            Some(entry) => match entry.what {
                Local::Variable(id) => return Some(Root::Local(id)),
                Local::Label => ("a label", entry.span),
            },
            None => match self.globals.get(&name.name) {
                Some((Global::Variable(id), _)) => return Some(Root::Global(*id)),
                Some((Global::Proctype(_), span)) => ("a proctype", *span),
                Some((Global::Mtype(..), span)) => ("an mtype constant", *span),
                Some((Global::Struct(_), span)) => ("a type", *span),
                Some((Global::Inline, span)) => ("an inline", *span),
                None if self.diagnostics.is_forgiven(&name.name) => return None,
                None => {
                    self.undeclared(name);
                    return None;
                }
            },
        };
        self.report(
            Diagnostic::error(
                "not-a-variable",
                name.span,
                format!("`{}` is {what}, not a variable", name.name),
            )
            .label("a variable is needed here")
            .related(declared, "declared here"),
        );
        None
    }

    fn undeclared(&mut self, name: &Ident) {
        let mut names: Vec<&str> = Vec::new();
        if self.process.is_some() && !self.diagnostics.is_full() {
            names.extend(self.scope.visible_variables().take(MOST_CANDIDATES));
        }
        // A model with this many names is generated, and generators make no typing errors.
        if self.globals.len() < MOST_CANDIDATES && !self.diagnostics.is_full() {
            let mut globals: Vec<&str> = self
                .globals
                .iter()
                .filter(|(_, (what, _))| matches!(what, Global::Variable(_) | Global::Mtype(..)))
                .map(|(name, _)| &**name)
                .collect();
            globals.sort_unstable();
            names.extend(globals);
        }
        // Other words that can replace a variable.
        names.extend(["timeout", "skip", "true", "false", "else", "break", "_pid"]);
        let close = did_you_mean(&name.name, names.iter().copied()).map(str::to_owned);
        let diagnostic = Diagnostic::error(
            "undeclared-variable",
            name.span,
            format!("`{}` is not declared", name.name),
        )
        .label("unknown name");
        let below = self.declared_below.get(&name.name).copied();
        let looks_like_macro = name.name.len() > 1
            && name.name.bytes().all(|b| b.is_ascii_uppercase() || b.is_ascii_digit() || b == b'_');
        self.report(if let Some(below) = below {
            diagnostic
                .related(below, "declared only here")
                .note("a name is known from its declaration on")
                .help("move the declaration above this")
        } else if let Some(close) = close {
            diagnostic.fix(format!("did you mean `{close}`?"), name.span, close)
        } else if looks_like_macro {
            diagnostic
                .help(format!("if it is a macro, `#define {}` is missing or misspelt", name.name))
        } else {
            diagnostic.help(
                "declare it above its first use: a global at the top, or a local in this block",
            )
        });
    }

    /// The declaration of a root; `None` for the predefined ones.
    pub(super) fn declaration(&self, root: Root) -> Option<&Variable> {
        self.model.variable(root, self.process.as_ref())
    }
}
