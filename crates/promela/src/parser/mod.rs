//! Tokens to syntax tree: recursive descent by hand, after SPIN 6.5.2's grammar.
//!
//! The parser never fails. After an error it reports once, skips to the next point of recovery, and
//! continues, so that one run shows several errors. As SPIN's lexer does, the parser keeps the
//! names of the types, proctypes and inlines defined so far, because Promela's grammar depends on
//! them.

mod branching;
mod cursor;
mod declarations;
mod expressions;
mod formula_language;
mod inlines;
mod messages;
mod recovery;
mod statements;
mod units;

use std::collections::{HashMap, HashSet};

use crate::ast::{Ident, Program};
use crate::token::{Interner, Punct, Symbol, Token, TokenKind};
use beeline_source::diagnostic::{Diagnostic, Diagnostics};
use beeline_source::source::{SourceMap, Span};
use cursor::Cursor;
use formula_language::FormulaLanguage;
use inlines::Inline;

/// Upper bound on the nesting depth. It suffices for handwritten and generated models, and is small
/// enough for later passes to recurse over the tree.
pub(crate) const DEEPEST: usize = 1_000;

/// An error that has been reported; the caller decides where to continue.
#[derive(Clone, Copy, Debug)]
struct Broken;

type Parsed<T> = Result<T, Broken>;

struct Parser<'a> {
    cursor: Cursor,
    sources: &'a mut SourceMap,
    interner: &'a Interner,
    diagnostics: &'a mut Diagnostics,
    typedefs: HashSet<Symbol>,
    proctypes: HashSet<Symbol>,
    inlines: HashMap<Symbol, Inline>,
    /// The inlines being expanded, innermost last.
    expanding: Vec<inlines::Active>,
    /// Tokens that inline expansion has made so far.
    expanded: usize,
    /// Blocks whose end is indented less than their beginning.
    misaligned: Vec<(Span, Span)>,
    /// The language of the formula that is being read: in all of them, `->` is implication.
    formula: Option<FormulaLanguage>,
    depth: usize,
    /// Height of the expression read last.
    height: usize,
    /// Height of the tallest expression below the operand being read.
    tallest: usize,
}

/// Reads a token stream that ends with an `End` token.
pub fn parse(
    tokens: &[Token],
    sources: &mut SourceMap,
    interner: &Interner,
    diagnostics: &mut Diagnostics,
) -> Program {
    let tokens = without_stray_comment_ends(tokens, diagnostics);
    let mut parser = Parser {
        cursor: Cursor::new(tokens),
        sources,
        interner,
        diagnostics,
        typedefs: HashSet::new(),
        proctypes: HashSet::new(),
        inlines: HashMap::new(),
        expanding: Vec::new(),
        expanded: 0,
        misaligned: Vec::new(),
        formula: None,
        depth: 0,
        height: 0,
        tallest: 0,
    };
    parser.program()
}

/// Nested comments leave a stray `*/`, which SPIN and this parser ignore.
fn without_stray_comment_ends(tokens: &[Token], diagnostics: &mut Diagnostics) -> Vec<Token> {
    let mut kept = Vec::with_capacity(tokens.len());
    let mut at = 0;
    while at < tokens.len() {
        let token = tokens[at];
        let closes = token.kind == TokenKind::Punct(Punct::Star)
            && tokens
                .get(at + 1)
                .is_some_and(|next| next.kind == TokenKind::Punct(Punct::Slash) && !next.spaced);
        if closes {
            let span = token.span.to(tokens[at + 1].span);
            diagnostics.push(
                Diagnostic::warning("stray-comment-end", span, "this closes no comment")
                    .label("overlooked")
                    .note("comments do not nest: the first `*/` ends them all"),
            );
            at += 2;
        } else {
            kept.push(token);
            at += 1;
        }
    }
    kept
}

impl Parser<'_> {
    fn report(&mut self, diagnostic: Diagnostic) -> Broken {
        self.diagnostics.push(diagnostic);
        Broken
    }

    fn ident(&self, token: Token) -> Ident {
        Ident { name: self.interner.text(token.text).clone(), span: token.span }
    }

    /// Runs `inner` one level deeper, on a stack that grows on demand.
    fn nested<T>(&mut self, inner: impl FnOnce(&mut Self) -> Parsed<T>) -> Parsed<T> {
        if self.depth >= DEEPEST {
            return Err(self.report_depth());
        }
        self.depth += 1;
        let result = stacker::maybe_grow(128 * 1024, 4 * 1024 * 1024, || inner(self));
        self.depth -= 1;
        result
    }

    fn report_depth(&mut self) -> Broken {
        let span = self.cursor.peek().span;
        self.report(
            Diagnostic::error("nested-too-deeply", span, "this is nested too deeply")
                .label(format!("more than {DEEPEST} levels"))
                .help("introduce a variable, a `#define` or an `inline` for a part of it"),
        )
    }
}
