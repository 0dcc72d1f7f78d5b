//! Top-level parts: proctypes, init, claims, traces, ltl formulas.

use super::formula_language::FormulaLanguage;
use super::messages::is_name;
use super::recovery::begins_declaration;
use super::{Broken, Parsed, Parser};
use crate::ast::{
    ActivePrefix, Expr, Ignored, Init, Ltl, Never, Proctype, Program, Sequence, Trace, Unit,
    UnitKind,
};
use crate::token::{Keyword, Punct, Token, TokenKind};
use beeline_source::diagnostic::{Diagnostic, did_you_mean};
use beeline_source::source::Span;

impl Parser<'_> {
    pub(super) fn program(&mut self) -> Program {
        let mut program = Program::default();
        loop {
            while self.at_separator() {
                self.bump();
            }
            if self.cursor.peek().kind == TokenKind::End {
                return program;
            }
            let start = self.cursor.peek().span;
            let first = self.cursor.position();
            match self.unit() {
                Ok(Some(kind)) => {
                    let end = self.cursor.last_token().map_or(start, |token| token.span);
                    program.units.push(Unit { kind, span: self.sources.join(start, end) });
                }
                Ok(None) => {}
                Err(_) => {
                    self.formula = None;
                    self.skip_unit();
                    self.forgive_names(first);
                }
            }
        }
    }

    /// One part; `None` for parts that are reported and dropped, such as embedded C.
    fn unit(&mut self) -> Parsed<Option<UnitKind>> {
        let token = self.cursor.peek();
        let Some(keyword) = self.keyword() else {
            if let Some(unit) = self.branching_unit()? {
                return Ok(Some(unit));
            }
            if is_name(token) && self.typedefs.contains(&token.text) {
                return Ok(Some(UnitKind::Variables(self.var_decl()?)));
            }
            return Err(self.not_a_unit());
        };
        let unit = match keyword {
            Keyword::Active | Keyword::Proctype | Keyword::DProctype => {
                UnitKind::Proctype(self.proctype()?)
            }
            Keyword::Init => {
                self.bump();
                let priority = self.priority()?;
                UnitKind::Init(Init { priority, body: self.body(token.span)? })
            }
            Keyword::Never => {
                self.bump();
                let name = if self.at_name() { Some(self.expect_name("a name")?) } else { None };
                UnitKind::Never(Never { name, body: self.body(token.span)? })
            }
            Keyword::Trace | Keyword::Notrace => {
                self.bump();
                let negated = keyword == Keyword::Notrace;
                UnitKind::Trace(Trace { negated, body: self.body(token.span)? })
            }
            Keyword::Ltl => UnitKind::Ltl(self.ltl()?),
            Keyword::Inline => UnitKind::Inline(self.inline_def()?),
            Keyword::Typedef => UnitKind::Typedef(self.typedef()?),
            Keyword::CCode | Keyword::CDecl | Keyword::CState | Keyword::CTrack => {
                self.embedded_c();
                return Ok(None);
            }
            Keyword::Mtype if self.at_mtype_set() => UnitKind::Mtype(self.mtype_decl()?),
            keyword if begins_declaration(keyword) => UnitKind::Variables(self.var_decl()?),
            _ => return Err(self.not_a_unit()),
        };
        Ok(Some(unit))
    }

    fn not_a_unit(&mut self) -> Broken {
        let token = self.cursor.peek();
        if token.kind != TokenKind::Word {
            return self.unexpected("a declaration or a proctype");
        }
        let text = self.interner.text(token.text).clone();
        let next = self.cursor.look(1);
        let mut diagnostic = Diagnostic::error(
            "syntax-error",
            token.span,
            format!("expected a declaration or a proctype, found {}", self.describe(token)),
        );
        let types = ["bit", "bool", "byte", "short", "int", "unsigned", "mtype", "chan", "pid"];
        if is_name(next) && Self::foreign_type(&text) {
            let diagnostic = self.unknown_type(token.span, &text);
            return self.report(diagnostic);
        }
        let units =
            ["proctype", "active", "init", "never", "trace", "notrace", "ltl", "inline", "typedef"];
        if let Some(close) = did_you_mean(&text, units.iter().chain(&types).copied()) {
            diagnostic = diagnostic.label("unknown word").fix(
                format!("did you mean `{close}`?"),
                token.span,
                close,
            );
        } else if is_name(token) && is_name(next) {
            diagnostic = self.unknown_type(token.span, &text);
        } else {
            diagnostic = diagnostic
                .label("not allowed outside a proctype")
                .note("statements belong in a `proctype`, in `init`, or in a `never` claim");
        }
        self.report(diagnostic)
    }

    fn proctype(&mut self) -> Parsed<Proctype> {
        let active = match self.eat_keyword(Keyword::Active) {
            Some(token) => {
                let mut count = None;
                if let Some(open) = self.eat(Punct::BracketOpen) {
                    count = Some(self.expr()?);
                    self.expect_closing(Punct::BracketClose, open.span)?;
                }
                Some(ActivePrefix { count, span: Ignored(token.span) })
            }
            None => None,
        };
        let deterministic = match self.keyword() {
            Some(Keyword::Proctype) => false,
            Some(Keyword::DProctype) => true,
            _ => {
                self.misspelt_proctype()?;
                false
            }
        };
        self.bump();
        let name_token = self.cursor.peek();
        let name = self.expect_name("the name of a proctype")?;
        self.proctypes.insert(name_token.text);
        if self.at(Punct::BraceOpen) {
            return Err(self.report(
                Diagnostic::error(
                    "missing-parameters",
                    name.span,
                    format!("proctype `{}` lacks its list of parameters", name.name),
                )
                .label("`(` should follow")
                .note("the parentheses are needed even when there are no parameters")
                .fix("add an empty list", name.span.after(), "()"),
            ));
        }
        let open = self.expect(Punct::ParenOpen, "and the parameters of the proctype")?;
        let params = self.params(open.span)?;
        let priority = self.priority()?;
        let provided = self.provided()?;
        let body = self.body(name.span)?;
        Ok(Proctype { active, deterministic, name, params, priority, provided, body })
    }

    /// `active proctpye`: reported, and read as `proctype`.
    fn misspelt_proctype(&mut self) -> Parsed<()> {
        let token = self.cursor.peek();
        let text = self.interner.text(token.text).clone();
        if !is_name(token) || did_you_mean(&text, ["proctype"]).is_none() {
            return Err(self.unexpected("`proctype`"));
        }
        self.report(
            Diagnostic::error(
                "syntax-error",
                token.span,
                format!("expected `proctype` after `active`, found {}", self.describe(token)),
            )
            .label("unknown word")
            .fix("did you mean `proctype`?", token.span, "proctype"),
        );
        Ok(())
    }

    /// `priority n`
    pub(super) fn priority(&mut self) -> Parsed<Option<Expr>> {
        if self.eat_keyword(Keyword::Priority).is_none() {
            return Ok(None);
        }
        if self.cursor.peek().kind != TokenKind::Number && !self.at_name() {
            return Err(self.unexpected("a number after `priority`"));
        }
        Ok(Some(self.primary()?))
    }

    fn provided(&mut self) -> Parsed<Option<Expr>> {
        if self.eat_keyword(Keyword::Provided).is_none() {
            return Ok(None);
        }
        let open = self.expect(Punct::ParenOpen, "after `provided`")?;
        let condition = self.expr()?;
        self.expect_closing(Punct::ParenClose, open.span)?;
        Ok(Some(condition))
    }

    /// The braces of a proctype, init, claim or trace. `owner` is the span of its head.
    fn body(&mut self, owner: Span) -> Parsed<Sequence> {
        let open = self.expect(Punct::BraceOpen, "and the body")?;
        self.cursor.in_body = true;
        let body = self.sequence();
        if body.is_empty() && self.at(Punct::BraceClose) {
            let close = self.cursor.peek().span;
            self.report(
                Diagnostic::error(
                    "empty-body",
                    open.span.to(close),
                    "a body needs at least one statement",
                )
                .label("nothing in here")
                .fix("write `skip` if it should do nothing", close, "skip }"),
            );
        }
        let closed = self.close_block(open.span, owner);
        self.cursor.in_body = false;
        closed.map(|()| body)
    }

    /// Expects the brace that closes `open`; the error message guesses which brace is missing.
    pub(super) fn close_block(&mut self, open: Span, owner: Span) -> Parsed<()> {
        if let Some(close) = self.eat(Punct::BraceClose) {
            self.compare_indentation(open, close);
            return Ok(());
        }
        let found = self.cursor.peek();
        if self.text_was_cut(found) {
            return Err(Broken);
        }
        let text = self.describe(found);
        let mut diagnostic =
            Diagnostic::error("unclosed-block", found.span, format!("expected `}}`, found {text}"))
                .label("the block is still open here")
                .related(open, "this brace is not closed");
        if owner != open {
            diagnostic = diagnostic.related(owner, "of this");
        }
        // The missing brace is often one further inside.
        let inside =
            |suspect: &&(Span, Span)| suspect.0.file == open.file && suspect.0.start > open.start;
        if let Some(&(inner, close)) = self.misaligned.iter().find(inside) {
            diagnostic = diagnostic
                .related(inner, "perhaps this is the brace that is not closed:")
                .related(close, "its block ends here, with less indentation than at its start");
        }
        Err(self.report(diagnostic))
    }

    /// Records a block whose end is indented less than its beginning.
    fn compare_indentation(&mut self, open: Span, close: Token) {
        let indentation = |span: Span| {
            let file = self.sources.file(span.file);
            let line = file.line_text(file.line_of(span.start));
            line.len() - line.trim_start().len()
        };
        let written = open.file == close.span.file && close.span.expansion.is_none();
        if written && close.starts_line && indentation(close.span) < indentation(open) {
            self.misaligned.push((open, close.span));
        }
    }

    /// Whether the text ended too early, for a reason that has been reported.
    pub(super) fn text_was_cut(&self, found: Token) -> bool {
        found.kind == TokenKind::End
            && self.expanding.is_empty()
            && ["macro-unterminated", "unterminated-comment", "unterminated-if"]
                .iter()
                .any(|code| self.diagnostics.mentions(code))
    }

    /// Suppresses later errors about names that a broken declaration would have declared.
    pub(super) fn forgive_names(&mut self, first: usize) {
        let brace = TokenKind::Punct(Punct::BraceOpen);
        let tokens = self.cursor.slice(first).iter().take_while(|token| token.kind != brace);
        for token in tokens.filter(|token| is_name(**token)) {
            self.diagnostics.forgive(self.interner.text(token.text));
        }
    }

    fn ltl(&mut self) -> Parsed<Ltl> {
        self.bump();
        let name = if self.at_name() { Some(self.expect_name("a name")?) } else { None };
        let formula = self.formula_block(FormulaLanguage::Ltl)?;
        Ok(Ltl { name, formula })
    }

    /// The braces of a formula.
    pub(super) fn formula_block(&mut self, language: FormulaLanguage) -> Parsed<Expr> {
        let open = self.expect(Punct::BraceOpen, "and the formula")?;
        self.formula = Some(language);
        let formula = self.expr()?;
        self.eat(Punct::Semicolon);
        if !self.at(Punct::BraceClose)
            && let Some(diagnostic) = self.foreign_temporal_operator()
        {
            return Err(self.report(diagnostic));
        }
        self.expect_closing(Punct::BraceClose, open.span)?;
        self.formula = None;
        Ok(formula)
    }

    /// `G`, `F`, `R`: other tools' spellings.
    fn foreign_temporal_operator(&self) -> Option<Diagnostic> {
        if self.formula != Some(FormulaLanguage::Ltl) {
            return None;
        }
        let last = self.cursor.last_token()?;
        let here = self.cursor.peek();
        let spellings = [
            ("G", "[]"),
            ("F", "<>"),
            ("R", "V"),
            ("M", "!(p V q)"),
            ("and", "&&"),
            ("or", "||"),
            ("not", "!"),
        ];
        [here, last].into_iter().filter(|token| is_name(*token)).find_map(|token| {
            let text = self.interner.text(token.text);
            let (_, ours) = spellings.iter().find(|(theirs, _)| **theirs == **text)?;
            Some(
                Diagnostic::error(
                    "foreign-operator",
                    token.span,
                    format!("`{text}` is not an operator of Promela's ltl"),
                )
                .label("read as a name")
                .fix(format!("write `{ours}`"), token.span, *ours)
                .note("the operators are [] (always), <> (eventually), X, U, W, V, !, &&, ||, ->, <->"),
            )
        })
    }
}
