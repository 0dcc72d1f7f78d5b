//! What the preprocessor reads from: files with their open conditions, and macro expansions.

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
    /// A lexeme that was read too early.
    pub(super) peeked: Option<Lexeme>,
    /// The `#if`s that are open, the innermost last.
    pub(super) conditions: Vec<Condition>,
    /// The last lexeme was a number.
    pub(super) behind_number: bool,
}

impl Frame {
    pub(super) fn new(file: FileId, sources: &SourceMap) -> Self {
        let lexer = Lexer::new(file, sources);
        Frame { file, lexer, peeked: None, conditions: Vec::new(), behind_number: false }
    }
}

/// What a lexeme is read for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Purpose {
    /// To be handed on.
    Text,
    /// To see whether a `(` follows a macro's name. A directive is not obeyed
    /// yet, for the lexeme may be put back.
    Parenthesis,
    /// As part of a macro's arguments, which end with their file at the latest.
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
    /// The group being read counts.
    pub(super) active: bool,
    /// No other group will count: one has, or the whole stands in a skipped group.
    pub(super) settled: bool,
    /// The `else`, if there was one.
    pub(super) otherwise: Option<Span>,
}

/// What was included so far.
#[derive(Debug, Default)]
pub(super) struct Includes {
    pub(super) files: usize,
    pub(super) bytes: usize,
    /// Files that asked, by `#pragma once`, not to be read again.
    pub(super) once: HashSet<Arc<str>>,
    /// A limit was reached: nothing is included any more.
    pub(super) stopped: bool,
}

impl Includes {
    pub(super) fn only_once(&mut self, name: Arc<str>) {
        self.once.insert(name);
    }
}

/// Tokens waiting to be read.
#[derive(Debug)]
pub(super) struct Context {
    pub(super) lexemes: Vec<Lexeme>,
    pub(super) at: usize,
    pub(super) source: Source,
}

/// Where a context's tokens come from.
#[derive(Debug)]
pub(super) enum Source {
    /// A macro, disabled until the context has been read.
    Macro(Rc<Macro>),
    /// A list expanded for its own sake: reading stops at its end.
    List,
}

/// The work that expansion may still do. Two lines of text can define macros
/// that expand to more tokens than there are atoms.
#[derive(Debug)]
pub(super) struct Budget {
    /// Tokens that may be produced in all.
    pub(super) total: usize,
    pub(super) left: usize,
    /// How deep arguments of calls in arguments of calls are nested.
    pub(super) depth: usize,
}

/// Tokens that expansion may produce in any model.
const TOKENS: usize = 2_000_000;

/// Tokens that it may produce on top for each byte of the model, since large
/// models with many small macros are no bombs.
const TOKENS_PER_BYTE: usize = 4;

impl Budget {
    /// The budget of a model of this many bytes.
    pub(super) fn new(bytes: usize) -> Self {
        let total = TOKENS + TOKENS_PER_BYTE * bytes;
        Budget { total, left: total, depth: 0 }
    }
}
