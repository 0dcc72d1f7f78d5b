//! Macros.

use std::cell::Cell;

use crate::token::Symbol;
use beeline_source::source::Span;

use super::lexeme::Lexeme;

/// A macro.
#[derive(Debug)]
pub(super) struct Macro {
    pub(super) name: Symbol,
    /// The position of its name in the definition.
    pub(super) place: Span,
    /// The names of its parameters; `None` if it takes no parentheses.
    pub(super) parameters: Option<Vec<Symbol>>,
    /// The last parameter takes all further arguments, including commas.
    pub(super) variadic: bool,
    pub(super) body: Vec<Part>,
    pub(super) builtin: Option<Builtin>,
    /// It is being expanded, so that its name is not expanded again.
    pub(super) disabled: Cell<bool>,
}

/// A piece of a macro's body.
#[derive(Clone, Debug)]
pub(super) struct Part {
    pub(super) kind: PartKind,
    /// The token as written; for [`PartKind::Quoted`], the parameter.
    pub(super) lexeme: Lexeme,
    /// A `##` follows: the token is pasted to the next part.
    pub(super) pasted: bool,
}

/// The kind of a piece of a macro's body.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum PartKind {
    /// A plain token.
    Token,
    /// An argument.
    Parameter(usize),
    /// The text of an argument, in quotes: `#x`.
    Quoted(usize),
}

impl Macro {
    pub(super) fn builtin(name: Symbol, builtin: Builtin, place: Span) -> Self {
        Macro {
            name,
            place,
            parameters: None,
            variadic: false,
            body: Vec::new(),
            builtin: Some(builtin),
            disabled: Cell::new(false),
        }
    }

    /// Whether the two definitions are the same, so that the redefinition needs no warning.
    pub(super) fn same_as(&self, other: &Macro) -> bool {
        let alike = |(at, (a, b)): (usize, (&Part, &Part))| {
            let (x, y) = (a.lexeme.token, b.lexeme.token);
            (a.kind, a.pasted, x.kind, x.text) == (b.kind, b.pasted, y.kind, y.text)
                && (at == 0 || x.spaced == y.spaced)
        };
        (&self.parameters, self.variadic, self.body.len())
            == (&other.parameters, other.variadic, other.body.len())
            && self.body.iter().zip(&other.body).enumerate().all(alike)
    }
}

/// A predefined macro, whose value is computed at each use.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Builtin {
    Line,
    File,
    Counter,
    Stdc,
}
