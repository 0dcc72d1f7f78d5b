//! `inline`: text with parameters that replaces each call, as in SPIN.
//!
//! The body is kept as tokens; a call substitutes the tokens of the actual parameters for the names
//! of the formal ones, and the result is parsed as a block. So precedence is that of the text: with
//! `a + 1` for `p`, `2 * p` is `2 * a + 1`, in SPIN as here.

use std::collections::HashMap;

use super::{Broken, Parsed, Parser};
use crate::ast::{Expr, Ident, InlineDef, Stmt, StmtKind, VarRef};
use crate::token::{Punct, Symbol, Token, TokenKind};
use beeline_source::diagnostic::Diagnostic;
use beeline_source::source::{ExpansionId, ExpansionKind, Span};

/// SPIN's own limit on inlines within inlines.
const MOST_NESTED: usize = 16;
/// Upper bound on the tokens of all inline calls together.
const MOST_TOKENS: usize = 1_000_000;

/// A definition.
pub(super) struct Inline {
    name: Ident,
    params: Vec<Symbol>,
    /// Includes the braces.
    body: Vec<Token>,
}

/// A call that is being expanded.
pub(super) struct Active {
    name: Symbol,
    /// The variable that `return` assigns to.
    result: Option<VarRef>,
}

impl Parser<'_> {
    pub(super) fn inline_def(&mut self) -> Parsed<InlineDef> {
        self.bump();
        let token = self.cursor.peek();
        let name = self.expect_name("the name of an inline")?;
        let open = self.expect(Punct::ParenOpen, "and the parameters of the inline")?;
        let mut params = Vec::new();
        let mut symbols = Vec::new();
        while !self.at(Punct::ParenClose) {
            if self.at_declaration() {
                let span = self.cursor.peek().span;
                self.report(
                    Diagnostic::error(
                        "typed-inline-parameter",
                        span,
                        "parameters of an inline have no types",
                    )
                    .label("unexpected type")
                    .note("an inline is text: each parameter stands for whatever the call gives")
                    .fix("remove the type", span, ""),
                );
                self.bump();
            }
            symbols.push(self.cursor.peek().text);
            params.push(self.expect_name("a parameter")?);
            if self.eat(Punct::Comma).is_none() {
                break;
            }
        }
        self.expect_closing(Punct::ParenClose, open.span)?;
        let body = self.braced_text()?;
        if let Some(earlier) = self.inlines.get(&token.text) {
            let first = earlier.name.span;
            self.report(
                Diagnostic::error(
                    "duplicate-inline",
                    name.span,
                    format!("inline `{}` is defined twice", name.name),
                )
                .label("second definition")
                .related(first, "first definition"),
            );
        }
        let inner = &body[1..body.len() - 1];
        let text =
            inner.iter().map(|t| (self.interner.text(t.text).clone(), t.starts_line)).collect();
        self.inlines.insert(token.text, Inline { name: name.clone(), params: symbols, body });
        Ok(InlineDef { name, params, body: text })
    }

    /// Everything up to the brace that matches the next one, braces included.
    pub(super) fn braced_text(&mut self) -> Parsed<Vec<Token>> {
        let start = self.cursor.position();
        let open = self.expect(Punct::BraceOpen, "and the text")?;
        let mut depth = 1;
        while depth > 0 {
            match self.cursor.look(0).kind {
                TokenKind::Punct(Punct::BraceOpen) => depth += 1,
                TokenKind::Punct(Punct::BraceClose) => depth -= 1,
                TokenKind::End => {
                    let span = self.cursor.look(0).span;
                    return Err(self.report(
                        Diagnostic::error(
                            "unclosed-block",
                            span,
                            "expected `}`, found the end of the file",
                        )
                        .label("the text is still open here")
                        .related(open.span, "this brace is not closed"),
                    ));
                }
                _ => {}
            }
            self.raw_bump();
        }
        Ok(self.cursor.slice(start).to_vec())
    }

    /// Consumes a written token, and the implied semicolon before it if there is one.
    fn raw_bump(&mut self) {
        if self.cursor.at_implied() {
            self.bump();
        }
        self.bump();
    }

    /// A call, from its name on. `result`: the variable of `x = name(…)`.
    pub(super) fn inline_call(&mut self, result: Option<VarRef>) -> Parsed<Stmt> {
        let token = self.bump();
        let name = self.ident(token);
        let open = self.expect(Punct::ParenOpen, "and the arguments of the inline")?;
        let mut args = Vec::new();
        let mut texts = Vec::new();
        while !self.at(Punct::ParenClose) {
            let start = self.cursor.position();
            args.push(self.expr()?);
            texts.push(self.cursor.slice(start).to_vec());
            if self.eat(Punct::Comma).is_none() {
                break;
            }
        }
        let close = self.expect_closing(Punct::ParenClose, open.span)?;
        let span = self.sources.join(token.span, close.span);
        let tokens = self.substitute(token, span, &args, &texts)?;
        let suspended = self.cursor.suspend(tokens);
        self.expanding.push(Active { name: token.text, result: result.clone() });
        let expansion = self.nested(Self::block);
        self.expanding.pop();
        self.cursor.resume(suspended);
        let expansion = Box::new(expansion?);
        Ok(Stmt { kind: StmtKind::Call { name, args, result, expansion }, span })
    }

    /// The tokens of a call: the body with the actual parameters in place.
    fn substitute(
        &mut self,
        call: Token,
        span: Span,
        args: &[Expr],
        texts: &[Vec<Token>],
    ) -> Parsed<Vec<Token>> {
        self.check_call(call, span, args.len())?;
        let inline = &self.inlines[&call.text];
        let mut formals = HashMap::new();
        for (number, &param) in inline.params.iter().enumerate() {
            formals.entry(param).or_insert(number);
        }
        let body = inline.body.clone();
        let kind = ExpansionKind::Inline(inline.name.name.clone());
        let mut nesting =
            Nesting { outer: self.sources.add_expansion(kind, span), moved: HashMap::new() };
        let mut tokens = Vec::with_capacity(body.len());
        for token in body {
            let formal = match token.kind {
                TokenKind::Word => formals.get(&token.text).copied(),
                _ => None,
            };
            match formal {
                Some(which) => {
                    let mut argument = nesting.argument(self, token);
                    for (at, &actual) in texts[which].iter().enumerate() {
                        let starts_line = at == 0 && token.starts_line;
                        let span = argument.nest(self, actual.span);
                        tokens.push(Token { span, starts_line, ..actual });
                    }
                }
                None => {
                    let span = nesting.nest(self, token.span);
                    tokens.push(Token { span, ..token });
                }
            }
            if self.expanded + tokens.len() > MOST_TOKENS {
                return Err(self.too_much_text(span));
            }
        }
        self.expanded += tokens.len();
        let end = tokens.last().map_or(span, |token| token.span);
        tokens.push(Token { kind: TokenKind::End, span: end, starts_line: false, ..call });
        Ok(tokens)
    }

    /// Rejects calls with a wrong number of arguments, and recursive ones.
    fn check_call(&mut self, call: Token, span: Span, given: usize) -> Parsed<()> {
        let inline = &self.inlines[&call.text];
        let name = inline.name.name.clone();
        let defined = inline.name.span;
        let wanted = inline.params.len();
        if wanted != given {
            return Err(self.report(
                Diagnostic::error(
                    "wrong-number-of-arguments",
                    span,
                    format!(
                        "inline `{name}` takes {wanted} argument{}, {given} given",
                        plural(wanted)
                    ),
                )
                .label(format!("expected {wanted}"))
                .related(defined, "defined here")
                .help("give one argument for each parameter"),
            ));
        }
        if self.expanding.iter().any(|active| active.name == call.text) {
            return Err(self.report(
                Diagnostic::error(
                    "recursive-inline",
                    span,
                    format!("inline `{name}` calls itself"),
                )
                .label("the text would never end")
                .related(defined, "defined here")
                .help("use a `proctype` and `run`, or a `do` loop"),
            ));
        }
        if self.expanding.len() >= MOST_NESTED {
            return Err(self.report(
                Diagnostic::error("nested-too-deeply", span, "inlines are nested too deeply")
                    .label(format!("more than {MOST_NESTED} levels")),
            ));
        }
        Ok(())
    }

    fn too_much_text(&mut self, span: Span) -> Broken {
        if self.diagnostics.mentions("expansion-too-large") {
            return Broken;
        }
        self.report(
            Diagnostic::error("expansion-too-large", span, "inline calls make too much text")
                .label(format!("more than {MOST_TOKENS} tokens so far"))
                .help("turn the innermost inlines into proctypes, or call them in a loop"),
        )
    }

    /// The variable that `return` assigns to here.
    pub(super) fn return_target(&mut self, at: Span) -> Parsed<VarRef> {
        match self.expanding.last().map(|active| active.result.clone()) {
            Some(Some(target)) => Ok(target),
            Some(None) => Err(self.report(
                Diagnostic::error(
                    "return-without-target",
                    at,
                    "this call of the inline does not take its value",
                )
                .label("no variable for the value")
                .help("call it as `x = name(…)`"),
            )),
            None => Err(self.report(
                Diagnostic::error(
                    "return-outside-inline",
                    at,
                    "`return` is only allowed in an inline",
                )
                .label("not in an inline")
                .help("to end a process, let it reach its closing brace: `goto` a label there"),
            )),
        }
    }
}

/// Moves spans into an inline's expansion, together with their macro expansions.
struct Nesting {
    outer: ExpansionId,
    moved: HashMap<ExpansionId, ExpansionId>,
}

impl Nesting {
    /// For the tokens of an argument at one use of its parameter, so that a statement with both
    /// arguments and text of the inline is joined within the inline.
    fn argument(&mut self, parser: &mut Parser<'_>, parameter: Token) -> Nesting {
        let kind = ExpansionKind::Argument(parser.interner.text(parameter.text).clone());
        let site = self.nest(parser, parameter.span);
        Nesting { outer: parser.sources.add_expansion(kind, site), moved: HashMap::new() }
    }

    fn nest(&mut self, parser: &mut Parser<'_>, span: Span) -> Span {
        // From the innermost expansion outwards to the first that was moved before.
        let mut chain = Vec::new();
        let mut at = span.expansion;
        let mut target = self.outer;
        while let Some(id) = at {
            if let Some(&moved) = self.moved.get(&id) {
                target = moved;
                break;
            }
            chain.push(id);
            at = parser.sources.expansion(id).call_site.expansion;
        }
        for id in chain.into_iter().rev() {
            let expansion = parser.sources.expansion(id).clone();
            let site = expansion.call_site.within(target);
            target = parser.sources.add_expansion(expansion.kind, site);
            self.moved.insert(id, target);
        }
        span.within(target)
    }
}

fn plural(count: usize) -> &'static str {
    if count == 1 { "" } else { "s" }
}
