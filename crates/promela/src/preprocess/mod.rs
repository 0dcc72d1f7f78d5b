//! The C preprocessor, on tokens that keep their source positions.
//!
//! SPIN runs `gcc -std=gnu99 -E -x c` on every model, so models use macros, conditionals and
//! includes as gcc does. This module processes tokens instead of text: each token keeps its
//! position and the chain of macro calls it came through.
//!
//! The expansion follows gcc's cpplib: a stack of contexts, and a macro is disabled while its
//! context is on the stack. Cases that the C standard leaves open are decided as in gcc. One
//! difference is on purpose: a number is digits only, so the `N` of `0..N` is expanded.
//!
//! The module does no I/O: a [`FileLoader`] provides included files.

mod arguments;
mod arithmetic;
mod builtin;
mod condition;
mod define;
mod definition;
mod directive;
mod expand;
mod expression;
mod include;
mod input;
mod lexeme;
mod lines;
mod loader;
mod macros;
mod options;
mod paste;
mod preprocessor;
mod reader;
mod substitute;

use std::collections::HashMap;

use crate::token::{Interner, Token};
use beeline_source::diagnostic::Diagnostics;
use beeline_source::source::{FileId, SourceMap, Span};

use input::{Budget, Frame, Includes};
use lines::Lines;
use preprocessor::{Call, Preprocessor};

pub use loader::{FileLoader, LoadedFile, NoIncludes};
pub use options::{COMMAND_LINE_MACROS, Define, PreprocessOptions};

/// Preprocesses a file: the tokens for the parser, the last of them `TokenKind::End`. Errors are
/// reported and skipped.
pub fn preprocess(
    root: FileId,
    sources: &mut SourceMap,
    interner: &mut Interner,
    loader: &mut dyn FileLoader,
    options: &PreprocessOptions,
    diagnostics: &mut Diagnostics,
) -> Vec<Token> {
    let mut preprocessor = Preprocessor {
        macros: builtin::macros(root, interner),
        frames: vec![Frame::new(root, sources)],
        contexts: Vec::new(),
        padded: false,
        spaced: false,
        call: Call { span: Span::new(root, 0, 0), line: 0 },
        budget: Budget::new(sources.file(root).text.len()),
        lines: Lines::default(),
        counter: 0,
        synthetic: HashMap::new(),
        includes: Includes::default(),
        sources,
        interner,
        loader,
        diagnostics,
    };
    if !options.defines.is_empty() {
        let text: String = options.defines.iter().map(Define::directive).collect();
        let file = preprocessor.sources.add_file(COMMAND_LINE_MACROS, &text, None);
        // This file is read first, as the root file is below it on the stack.
        preprocessor.frames.push(Frame::new(file, preprocessor.sources));
    }
    preprocessor.run()
}
