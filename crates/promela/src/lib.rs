//! The Promela front-end: text to tokens, tokens to a syntax tree, the tree to a resolved and typed
//! model. No step fails or does I/O: each returns the part it could read, and diagnostics about the
//! rest.
//!
//! ```text
//! text ─preprocess→ tokens ─parse→ ast ─resolve→ hir ─lint→ warnings
//! ```
#![forbid(unsafe_code)]

pub mod ast;
pub use beeline_source::{diagnostic, source};
pub mod hir;
pub mod lexer;
pub mod lint;
pub mod parser;
pub mod preprocess;
pub mod printer;
pub mod resolve;
pub mod token;

use diagnostic::{Diagnostic, Diagnostics};
use preprocess::{FileLoader, PreprocessOptions};
use source::{SourceMap, Span};
use token::{Interner, Token};

/// The result of the front-end.
#[derive(Debug)]
pub struct Frontend {
    /// Its files and expansions.
    pub sources: SourceMap,
    /// Spellings of tokens.
    pub interner: Interner,
    /// Errors and warnings.
    pub diagnostics: Diagnostics,
    /// The tokens after preprocessing.
    pub tokens: Vec<Token>,
    /// The syntax tree.
    pub program: ast::Program,
    /// The resolved model; usable if there is no error.
    pub hir: hir::Model,
}

/// Reads a model: all steps in order.
pub fn read(
    name: &str,
    text: &str,
    loader: &mut dyn FileLoader,
    options: &PreprocessOptions,
) -> Frontend {
    let mut sources = SourceMap::default();
    let mut interner = Interner::default();
    let mut diagnostics = Diagnostics::default();
    let root = sources.add_file(name, text, None);
    let tokens = preprocess::preprocess(
        root,
        &mut sources,
        &mut interner,
        loader,
        options,
        &mut diagnostics,
    );
    let program = parser::parse(&tokens, &mut sources, &interner, &mut diagnostics);
    let hir = resolve::resolve(&program, &mut diagnostics);
    if program.units.is_empty() && !diagnostics.has_errors() {
        let message = "nothing runs in this model";
        let empty = Diagnostic::error("no-process", Span::new(root, 0, 0), message);
        diagnostics.push(empty.label("the model is empty").help("write an `active proctype`"));
    }
    if !diagnostics.has_errors() {
        lint::lint(&program, &hir, &sources, &mut diagnostics);
    }
    Frontend { sources, interner, diagnostics, tokens, program, hir }
}
