//! The C preprocessor, on tokens that remember where they were written.
//!
//! SPIN runs `gcc -std=gnu99 -E -x c` over every model, so models use macros,
//! conditionals and includes the way gcc understands them. This module does the
//! same to tokens instead of text: each token keeps the place where it was
//! written and the chain of macro calls it came through.
//!
//! The expansion follows gcc's cpplib: a stack of contexts, and a macro is
//! disabled while its context is on the stack. Even the cases that the C
//! standard leaves open come out as they do in gcc. One thing differs on
//! purpose: a number is digits only, so the `N` of `0..N` is expanded.
//!
//! Nothing here does I/O: `#include` asks a [`FileLoader`].

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
pub use options::{Define, PreprocessOptions};

/// Preprocesses a file: the tokens a parser should see, the last of them
/// `TokenKind::End`. What goes wrong is reported and stepped over.
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
        let file = preprocessor.sources.add_file("<command line>", &text, None);
        // Read before the root file, which lies below it.
        preprocessor.frames.push(Frame::new(file, preprocessor.sources));
    }
    preprocessor.run()
}
