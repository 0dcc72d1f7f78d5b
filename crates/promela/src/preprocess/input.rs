//! The input of the preprocessor: files with their open conditions, and macro expansions.

use std::collections::HashSet;
use std::rc::Rc;
use std::sync::Arc;

use crate::lexer::Lexer;
use beeline_source::source::{FileId, SourceMap, Span};

use super::lexeme::Lexeme;
use super::macros::Macro;

/// A file being read.
#[derive(Debug)]
pub(super) struct Frame {
    pub(super) file: FileId,
    pub(super) lexer: Lexer,
    /// A lexeme that was put back.
    pub(super) peeked: Option<Lexeme>,
    /// The `#if`s that are open, the innermost last.
    pub(super) conditions: Vec<Condition>,
    /// Whether the last lexeme was a number.
    pub(super) behind_number: bool,
}

impl Frame {
    pub(super) fn new(file: FileId, sources: &SourceMap) -> Self {
        let lexer = Lexer::new(file, sources);
        Frame { file, lexer, peeked: None, conditions: Vec::new(), behind_number: false }
    }
}

/// The purpose for which a lexeme is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Purpose {
    /// For the output.
    Text,
    /// To see whether a `(` follows a macro's name. A directive is not executed yet, since the
    /// lexeme may be put back.
    Parenthesis,
    /// As part of a macro's arguments, which end at the latest with their file.
    Argument,
}

/// The rest of a directive's line.
pub(super) struct Line {
    pub(super) lexemes: Vec<Lexeme>,
    /// The position after the last of them.
    pub(super) end: Span,
}

/// An open `#if`.
#[derive(Debug)]
pub(super) struct Condition {
    /// The `if`, `ifdef` or `ifndef`.
    pub(super) opened: Span,
    /// Whether the current group is read.
    pub(super) active: bool,
    /// Whether no later group is read: one has been, or the `#if` itself is in a skipped group.
    pub(super) settled: bool,
    /// The `else`, if there was one.
    pub(super) otherwise: Option<Span>,
}

/// The files included so far.
#[derive(Debug, Default)]
pub(super) struct Includes {
    pub(super) files: usize,
    pub(super) bytes: usize,
    /// Files with `#pragma once`, which are not included again.
    pub(super) once: HashSet<Arc<str>>,
    /// A limit was reached: no more files are included.
    pub(super) stopped: bool,
}

impl Includes {
    pub(super) fn only_once(&mut self, name: Arc<str>) {
        self.once.insert(name);
    }
}

/// Tokens to be read.
#[derive(Debug)]
pub(super) struct Context {
    pub(super) lexemes: Vec<Lexeme>,
    pub(super) at: usize,
    pub(super) source: Source,
}

/// The origin of a context's tokens.
#[derive(Debug)]
pub(super) enum Source {
    /// A macro, disabled until the context has been read.
    Macro(Rc<Macro>),
    /// A list that is expanded separately: reading stops at its end.
    List,
}

/// The remaining budget of expansion. Two lines of text can define macros that expand to more
/// tokens than any memory holds.
#[derive(Debug)]
pub(super) struct Budget {
    /// Tokens that may be produced in all.
    pub(super) total: usize,
    pub(super) left: usize,
    /// Nesting depth of calls in arguments of calls.
    pub(super) depth: usize,
}

/// The part of the budget that does not depend on the model.
const TOKENS: usize = 2_000_000;

/// Tokens that the budget grows by for each byte of the model, for large models with many small
/// macros.
const TOKENS_PER_BYTE: usize = 4;

impl Budget {
    /// The budget of a model of this many bytes.
    pub(super) fn new(bytes: usize) -> Self {
        let total = TOKENS + TOKENS_PER_BYTE * bytes;
        Budget { total, left: total, depth: 0 }
    }
}
