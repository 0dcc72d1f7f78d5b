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
mod lines;
mod paste;
mod reader;
mod substitute;

use std::collections::HashMap;
use std::rc::Rc;

use crate::diagnostic::Diagnostics;
use crate::source::{FileId, SourceMap, Span};
use crate::token::{Interner, Punct, Symbol, Token, TokenKind};

use define::Macro;
use expand::{Budget, Context};
use include::Includes;
use lines::Lines;
use reader::Frame;

/// Settings of the preprocessor.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PreprocessOptions {
    /// What the command line defines and undefines, in its order.
    pub defines: Vec<Define>,
}

/// A `-D` or `-U` of the command line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Define {
    /// `-D`: defines a macro. The name may carry parameters, as in `F(x)`.
    Set {
        /// The macro's name.
        name: String,
        /// Its body, not yet cut into tokens.
        value: String,
    },
    /// `-U`: forgets a macro.
    Unset {
        /// The macro's name.
        name: String,
    },
}

impl Define {
    /// Reads the argument of `-D`: `NAME`, which means `NAME=1`, or `NAME=VALUE`.
    pub fn set(argument: &str) -> Self {
        let (name, value) = argument.split_once('=').unwrap_or((argument, "1"));
        Define::Set { name: name.to_owned(), value: value.to_owned() }
    }

    /// Reads the argument of `-U`.
    pub fn unset(name: &str) -> Self {
        Define::Unset { name: name.to_owned() }
    }

    /// The directive this stands for, on one line.
    fn directive(&self) -> String {
        let line = match self {
            Define::Set { name, value } => format!("#define {name} {value}"),
            Define::Unset { name } => format!("#undef {name}"),
        };
        line.replace(['\n', '\r'], " ") + "\n"
    }
}

/// A file that an `#include` asked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LoadedFile {
    /// The name messages use, and the `from` of its own includes.
    pub name: String,
    /// Its text.
    pub text: String,
}

/// Finds included files.
pub trait FileLoader {
    /// The file that `from` includes as `"name"`, or as `<name>` if `angled`.
    fn load(&mut self, name: &str, from: &str, angled: bool) -> Option<LoadedFile>;
}

/// A loader that finds nothing.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoIncludes;

impl FileLoader for NoIncludes {
    fn load(&mut self, _name: &str, _from: &str, _angled: bool) -> Option<LoadedFile> {
        None
    }
}

/// Preprocesses a file: the tokens a parser should see, the last of them
/// [`TokenKind::End`]. What goes wrong is reported and stepped over.
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

/// A token on its way through the preprocessor.
#[derive(Clone, Copy, Debug)]
struct Lexeme {
    token: Token,
    /// The physical line, from 0, where it stands in its file.
    line: u32,
    /// Never to be expanded: it was met inside its own expansion.
    painted: bool,
    /// A word that C takes for the end of the number before it, as in `1st`.
    suffix: bool,
    /// A macro or an argument begins or ends just before it.
    padded: bool,
    /// Written in a macro's body, not in running text.
    in_body: bool,
    /// Comes from an expansion, not straight from a file.
    expanded: bool,
}

impl Lexeme {
    fn new(token: Token, line: u32) -> Self {
        Lexeme {
            token,
            line,
            painted: false,
            suffix: false,
            padded: false,
            in_body: false,
            expanded: false,
        }
    }

    fn is(&self, punct: Punct) -> bool {
        self.token.kind == TokenKind::Punct(punct)
    }

    fn is_word(&self) -> bool {
        self.token.kind == TokenKind::Word
    }

    fn is_end(&self) -> bool {
        self.token.kind == TokenKind::End
    }

    /// The first of its line, as far as its file is concerned.
    fn starts_line(&self) -> bool {
        self.token.starts_line
    }

    fn span(&self) -> Span {
        self.token.span
    }
}

/// The outermost macro call under way.
#[derive(Clone, Copy, Debug)]
struct Call {
    span: Span,
    line: u32,
}

/// Everything the preprocessor knows. The methods stand in the modules.
struct Preprocessor<'a> {
    sources: &'a mut SourceMap,
    interner: &'a mut Interner,
    loader: &'a mut dyn FileLoader,
    diagnostics: &'a mut Diagnostics,
    /// Only looked up, never walked: the order of a hash map is no order.
    macros: HashMap<Symbol, Rc<Macro>>,
    /// The files being read, the innermost last; never empty.
    frames: Vec<Frame>,
    /// The expansions being read, the innermost last.
    contexts: Vec<Context>,
    /// A macro has begun or ended since the last lexeme.
    padded: bool,
    /// White space stood before a macro that expanded to nothing.
    spaced: bool,
    call: Call,
    budget: Budget,
    lines: Lines,
    /// The next value of `__COUNTER__`.
    counter: u32,
    /// Files of text that `#` and `##` made, by that text.
    synthetic: HashMap<Symbol, FileId>,
    includes: Includes,
}

impl Preprocessor<'_> {
    fn run(mut self) -> Vec<Token> {
        let mut output = Vec::new();
        loop {
            let lexeme = self.next();
            let line = if lexeme.expanded { self.call.line } else { lexeme.line };
            let starts_line = self.lines.place(&lexeme, line) || lexeme.is_end();
            output.push(Token { starts_line, ..lexeme.token });
            if lexeme.is_end() {
                return output;
            }
        }
    }

    /// The spelling of a token.
    fn text(&self, token: Token) -> &str {
        self.interner.text(token.text)
    }
}
