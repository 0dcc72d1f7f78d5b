//! Statements and sequences.

use super::messages::{is_name, keyword_of};
use super::recovery::begins_unit;
use super::{Broken, Parsed, Parser};
use crate::ast::{Expr, ExprKind, ForRange, RecvArg, Sequence, Stmt, StmtKind, UnaryOp, VarRef};
use crate::token::{Keyword, Punct, Token, TokenKind};
use beeline_source::diagnostic::{Diagnostic, MOST_CANDIDATES, did_you_mean};
use beeline_source::source::Span;

impl Parser<'_> {
    /// Statements up to the token that ends the sequence; that token is left for the caller.
    pub(super) fn sequence(&mut self) -> Sequence {
        let mut steps = Vec::new();
        if self.at_separator() {
            let span = self.cursor.peek().span;
            self.report(
                Diagnostic::error(
                    "leading-separator",
                    span,
                    "a sequence cannot begin with a separator",
                )
                .label("nothing stands before this")
                .fix("remove it", span, ""),
            );
        }
        loop {
            while self.at_separator() {
                self.bump();
            }
            if self.at_sequence_end() {
                return steps;
            }
            let before = self.cursor.position();
            let declares = self.seems_to_declare();
            match self.nested(Self::step) {
                Ok(step) => {
                    let end = step.span;
                    steps.push(step);
                    let reported = self.at_declaration() && self.follows_reported_slip();
                    if !self.at_separator() && !self.at_sequence_end() && !reported {
                        self.missing_separator(end);
                    }
                }
                Err(Broken) => {
                    let span = self.cursor.peek().span;
                    steps.push(Stmt { kind: StmtKind::Error, span });
                    self.skip_statement();
                    if declares {
                        self.forgive_names(before);
                    }
                    if self.cursor.position() == before && !self.at_separator() {
                        // No token was consumed: the caller handles it.
                        if self.at_sequence_end() {
                            return steps;
                        }
                        self.bump();
                    }
                }
            }
        }
    }

    /// Whether a declaration begins here, of a known type or of an unknown one.
    fn seems_to_declare(&self) -> bool {
        let next = self.cursor.look(1);
        self.at_declaration() || (self.at_name() && is_name(next) && !next.starts_line)
    }

    /// Whether a declaration here follows a comma or a label, which has been reported.
    fn follows_reported_slip(&self) -> bool {
        let last = self.cursor.last_token().map(|token| token.kind);
        matches!(last, Some(TokenKind::Punct(Punct::Comma | Punct::Colon)))
    }

    fn at_sequence_end(&self) -> bool {
        let token = self.cursor.peek();
        match token.kind {
            TokenKind::End | TokenKind::Punct(Punct::BraceClose | Punct::Option) => true,
            TokenKind::Word => match keyword_of(token) {
                Some(Keyword::Fi | Keyword::Od) => true,
                Some(keyword) => begins_unit(keyword),
                None => false,
            },
            _ => false,
        }
    }

    /// Reports two statements without a separator between them.
    fn missing_separator(&mut self, end: Span) {
        let found = self.cursor.peek();
        if found.kind == TokenKind::Unknown || matches!(found.kind, TokenKind::Punct(_)) {
            self.unexpected("`;` or `->` between statements");
            self.skip_statement();
            return;
        }
        if let Some(diagnostic) = self.operator_in_words(found, found) {
            self.report(diagnostic);
            self.skip_statement();
            return;
        }
        let text = self.describe(found);
        let place = self.cursor.last_token().map_or(end, |token| token.span).after();
        self.report(
            Diagnostic::error(
                "missing-separator",
                found.span,
                format!("expected `;` or `->` before {text}"),
            )
            .label("a new statement begins here")
            .fix("separate the statements", place, ";"),
        );
    }

    /// A statement with its `unless`, or a declaration.
    fn step(&mut self) -> Parsed<Stmt> {
        let start = self.cursor.peek().span;
        if self.at_keyword(Keyword::Mtype) && self.at_mtype_set() {
            let decl = self.mtype_decl()?;
            let _ = decl;
            return Err(self.report(
                Diagnostic::error("local-mtype", start, "`mtype` constants are declared globally")
                    .label("inside a body")
                    .help("move the declaration out of the proctype"),
            ));
        }
        if self.at_declaration() {
            let decl = self.var_decl()?;
            return Ok(self.finish(start, StmtKind::Variables(decl)));
        }
        if let Some(Keyword::Xr | Keyword::Xs) = self.keyword() {
            let sends = self.bump().text.keyword() == Some(Keyword::Xs);
            let mut channels = vec![self.varref()?];
            while self.eat(Punct::Comma).is_some() {
                channels.push(self.varref()?);
            }
            return Ok(self.finish(start, StmtKind::Exclusive { sends, channels }));
        }
        let body = self.stmt()?;
        if self.eat_keyword(Keyword::Unless).is_none() {
            return Ok(body);
        }
        let escape = self.stmt()?;
        if self.at_keyword(Keyword::Unless) {
            let span = self.cursor.peek().span;
            return Err(self.report(
                Diagnostic::error("chained-unless", span, "`unless` cannot be chained")
                    .label("second `unless`")
                    .help("use braces to say which escape comes first: `{ a unless b } unless c`"),
            ));
        }
        Ok(self.finish(start, StmtKind::Unless { body: Box::new(body), escape: Box::new(escape) }))
    }

    fn finish(&self, start: Span, kind: StmtKind) -> Stmt {
        let end = self.cursor.last_token().map_or(start, |token| token.span);
        Stmt { kind, span: self.sources.join(start, end) }
    }

    /// A statement without `unless`.
    fn stmt(&mut self) -> Parsed<Stmt> {
        let token = self.cursor.peek();
        let start = token.span;
        if token.kind == TokenKind::Punct(Punct::BraceOpen) {
            return self.nested(Self::block);
        }
        let Some(keyword) = self.keyword() else {
            return if is_name(token) { self.name_stmt(token) } else { self.expr_stmt(start) };
        };
        let kind = match keyword {
            Keyword::If => StmtKind::If(self.options(Keyword::Fi)?),
            Keyword::Do => StmtKind::Do(self.options(Keyword::Od)?),
            Keyword::For => self.for_stmt()?,
            Keyword::Select => self.select_stmt()?,
            Keyword::Break => {
                self.bump();
                StmtKind::Break
            }
            Keyword::Else => {
                self.bump();
                StmtKind::Else
            }
            Keyword::Goto => {
                self.bump();
                StmtKind::Goto(self.expect_name("a label")?)
            }
            Keyword::Atomic => {
                self.bump();
                StmtKind::Atomic(self.braces(start)?)
            }
            Keyword::DStep => {
                self.bump();
                StmtKind::DStep(self.braces(start)?)
            }
            Keyword::Assert => {
                self.bump();
                StmtKind::Assert(self.expr()?)
            }
            Keyword::Printf => self.printf()?,
            Keyword::Printm => {
                self.bump();
                let open = self.expect(Punct::ParenOpen, "after `printm`")?;
                let value = self.primary()?;
                self.expect_closing(Punct::ParenClose, open.span)?;
                StmtKind::PrintM(value)
            }
            Keyword::SetPriority => {
                self.bump();
                let open = self.expect(Punct::ParenOpen, "after `set_priority`")?;
                let process = self.expr()?;
                self.expect(Punct::Comma, "and the priority")?;
                let priority = self.expr()?;
                self.expect_closing(Punct::ParenClose, open.span)?;
                StmtKind::SetPriority(process, priority)
            }
            Keyword::Return => {
                self.bump();
                let target = self.return_target(start)?;
                StmtKind::Return { target, value: self.expr()? }
            }
            Keyword::CCode | Keyword::CDecl | Keyword::CState | Keyword::CTrack => {
                self.embedded_c();
                StmtKind::Error
            }
            Keyword::Unless => {
                return Err(self.report(
                    Diagnostic::error("misplaced-unless", start, "`unless` follows a statement")
                        .label("the statement before has ended")
                        .note("Promela ends a statement at a line end after `fi`, `od`, `)` or a name")
                        .help("put `unless` on the line where its statement ends, or wrap the statement in braces"),
                ));
            }
            _ => return self.expr_stmt(start),
        };
        Ok(self.finish(start, kind))
    }

    /// `{ … }`
    pub(super) fn block(&mut self) -> Parsed<Stmt> {
        let start = self.cursor.peek().span;
        let body = self.braces(start)?;
        Ok(self.finish(start, StmtKind::Block(body)))
    }

    fn braces(&mut self, owner: Span) -> Parsed<Sequence> {
        let open = self.expect(Punct::BraceOpen, "")?;
        let body = self.sequence();
        if body.is_empty() && self.at(Punct::BraceClose) {
            let close = self.cursor.peek().span;
            self.report(
                Diagnostic::error(
                    "empty-block",
                    open.span.to(close),
                    "a block needs at least one statement",
                )
                .label("nothing in here")
                .fix("write `skip` if it should do nothing", close, "skip }"),
            );
        }
        self.close_block(open.span, owner)?;
        Ok(body)
    }

    /// `:: … :: … fi`, from the opening word on.
    fn options(&mut self, closing: Keyword) -> Parsed<Vec<Sequence>> {
        let before = self.cursor.last_token();
        let open = self.bump();
        let mut options = Vec::new();
        if !self.at(Punct::Option) {
            if before.and_then(keyword_of) == Some(Keyword::Else) {
                return Err(self.else_if(open));
            }
            let found = self.cursor.peek();
            self.report_missing_option(open, found, closing);
            if found.kind == TokenKind::Punct(Punct::ParenOpen) {
                // `if (x) { … }`, as in C, has no closing word.
                return Err(Broken);
            }
            if keyword_of(found) != Some(closing) {
                options.push(self.sequence());
            }
        }
        while self.at(Punct::Option) {
            let mark = self.bump();
            let steps = self.sequence();
            if steps.is_empty() {
                self.report_empty_option(mark);
            }
            options.push(steps);
        }
        if self.eat_keyword(closing).is_none() {
            self.unclosed_selection(open, closing)?;
        }
        Ok(options)
    }

    fn report_missing_option(&mut self, open: Token, found: Token, closing: Keyword) {
        let word = self.interner.text(open.text).clone();
        let text = self.describe(found);
        let diagnostic = Diagnostic::error(
            "missing-option",
            found.span,
            format!("expected `::` after `{word}`, found {text}"),
        )
        .label("an option begins with `::`")
        .related(open.span, format!("this `{word}`"));
        let closing_text = closing.text();
        self.report(if keyword_of(found) == Some(closing) {
            diagnostic.help(format!("give it at least one option: `{word} :: skip {closing_text}`"))
        } else {
            diagnostic.note(format!(
                "`{word} :: condition -> statements :: else -> statements {closing_text}`"
            ))
        });
    }

    fn report_empty_option(&mut self, mark: Token) {
        let found = self.cursor.peek();
        let text = self.describe(found);
        self.report(
            Diagnostic::error("empty-option", mark.span, "an option needs at least one statement")
                .label(format!("{text} follows"))
                .fix("write `skip` if it should do nothing", mark.span.after(), " skip"),
        );
    }

    /// Reports a missing closing word; a wrong one of `fi` and `od` is consumed.
    fn unclosed_selection(&mut self, open: Token, closing: Keyword) -> Parsed<()> {
        let word = self.interner.text(open.text).clone();
        let found = self.cursor.peek();
        let text = self.describe(found);
        let diagnostic = Diagnostic::error(
            "unclosed-selection",
            found.span,
            format!("expected `{}`, found {text}", closing.text()),
        )
        .label(format!("`{word}` ends with `{}`", closing.text()))
        .related(open.span, format!("this `{word}` is not closed"));
        if !matches!(self.keyword(), Some(Keyword::Fi | Keyword::Od)) {
            return Err(self.report(diagnostic));
        }
        let fix = format!("write `{}`", closing.text());
        self.report(diagnostic.fix(fix, found.span, closing.text()));
        self.bump();
        Ok(())
    }

    fn else_if(&mut self, word: Token) -> Broken {
        self.report(
            Diagnostic::error("else-if", word.span, "Promela has no `else if`")
                .label("begins a selection of its own, with options and `fi`")
                .note("`else` is taken when no other option can be; there may be any number of others")
                .help("write an option for each case: `:: x == 1 -> … :: x == 2 -> … :: else -> …`"),
        )
    }

    fn for_stmt(&mut self) -> Parsed<StmtKind> {
        self.bump();
        let open = self.expect(Punct::ParenOpen, "after `for`")?;
        let var = self.varref()?;
        let over = if self.at_name() && &**self.interner.text(self.cursor.peek().text) == "in" {
            self.bump();
            ForRange::In(self.varref()?)
        } else if self.eat(Punct::Colon).is_some() {
            let from = self.expr()?;
            self.expect(Punct::DotDot, "and the last value")?;
            ForRange::Range(from, self.expr()?)
        } else if self.at(Punct::Assign) {
            return Err(self.c_for(&var));
        } else {
            return Err(
                self.unexpected("`: first .. last` or `in array` after the variable of `for`")
            );
        };
        let close = self.expect_closing(Punct::ParenClose, open.span)?;
        self.eat(Punct::Semicolon);
        let body = self.braces(close.span)?;
        Ok(StmtKind::For { var, over, body })
    }

    /// `for (i = 0; i < n; i++)`, skipped up to its closing brace.
    fn c_for(&mut self, var: &VarRef) -> Broken {
        let span = self.cursor.peek().span;
        let name = &var.name.name;
        let broken = self.report(
            Diagnostic::error("c-loop", span, "Promela's `for` runs over a range")
                .label("unexpected `=`")
                .help(format!("write `for ({name} : 0 .. 9) {{ … }}`; the last value is included")),
        );
        while !matches!(
            self.cursor.peek().kind,
            TokenKind::End | TokenKind::Punct(Punct::BraceOpen | Punct::BraceClose)
        ) {
            self.bump();
        }
        broken
    }

    fn select_stmt(&mut self) -> Parsed<StmtKind> {
        self.bump();
        let open = self.expect(Punct::ParenOpen, "after `select`")?;
        let var = self.varref()?;
        self.expect(Punct::Colon, "and the range of `select`")?;
        let from = self.expr()?;
        self.expect(Punct::DotDot, "and the last value")?;
        let to = self.expr()?;
        self.expect_closing(Punct::ParenClose, open.span)?;
        Ok(StmtKind::Select { var, from, to })
    }

    fn printf(&mut self) -> Parsed<StmtKind> {
        self.bump();
        let open = self.expect(Punct::ParenOpen, "after `printf`")?;
        let token = self.cursor.peek();
        if token.kind != TokenKind::String {
            return Err(self.unexpected("a format string"));
        }
        self.bump();
        let format = self.ident(token);
        let mut args = Vec::new();
        while self.eat(Punct::Comma).is_some() {
            args.push(self.expr()?);
        }
        self.expect_closing(Punct::ParenClose, open.span)?;
        Ok(StmtKind::Print { format, args })
    }

    /// A statement that begins with a name.
    fn name_stmt(&mut self, token: Token) -> Parsed<Stmt> {
        self.tallest = 0;
        let start = token.span;
        let next = self.cursor.look(1);
        if next.kind == TokenKind::Punct(Punct::Colon) && !self.proctypes.contains(&token.text) {
            return self.labelled(token);
        }
        if self.inlines.contains_key(&token.text) {
            return self.inline_call(None);
        }
        if next.kind == TokenKind::Punct(Punct::ParenOpen) {
            return Err(self.unknown_call(token));
        }
        if is_name(next) && !next.starts_line {
            return Err(self.two_names(token));
        }
        let target = self.varref()?;
        let punct = match self.cursor.peek().kind {
            TokenKind::Punct(punct) => Some(punct),
            _ => None,
        };
        let kind = match punct {
            Some(Punct::Assign) => {
                self.bump();
                if self.inlines.contains_key(&self.cursor.peek().text) && self.at_name() {
                    let mut call = self.inline_call(Some(target))?;
                    call.span = self.sources.join(start, call.span);
                    return Ok(call);
                }
                StmtKind::Assign { target, value: self.expr()? }
            }
            Some(Punct::Increment) | Some(Punct::Decrement) => {
                self.bump();
                StmtKind::Step { target, up: punct == Some(Punct::Increment) }
            }
            Some(Punct::Bang | Punct::SortedSend) => {
                self.bump();
                let args = self.send_args()?;
                StmtKind::Send { channel: target, sorted: punct == Some(Punct::SortedSend), args }
            }
            Some(Punct::Question | Punct::RandomReceive)
                if self.cursor.look(1).kind != TokenKind::Punct(Punct::BracketOpen) =>
            {
                self.bump();
                let random = punct == Some(Punct::RandomReceive);
                let open = self.eat(Punct::Less);
                let args = self.recv_args()?;
                if let Some(open) = open {
                    self.expect_closing(Punct::Greater, open.span)?;
                }
                StmtKind::Receive { channel: target, random, peek: open.is_some(), args }
            }
            _ => StmtKind::Expr(self.expr_from(target)?),
        };
        Ok(self.finish(start, kind))
    }

    fn labelled(&mut self, token: Token) -> Parsed<Stmt> {
        let label = self.ident(token);
        self.bump();
        self.bump();
        if self.at_separator() || self.at_sequence_end() {
            return Ok(self.finish(token.span, StmtKind::Labelled { label, stmt: None }));
        }
        if self.at_declaration() || matches!(self.keyword(), Some(Keyword::Xr | Keyword::Xs)) {
            let span = self.cursor.peek().span;
            self.report(
                Diagnostic::error(
                    "label-before-declaration",
                    token.span,
                    "a label cannot stand before a declaration",
                )
                .label("this label")
                .related(span, "the declaration")
                .help(format!("write `{}: skip;` or move the declaration up", label.name)),
            );
            return Ok(self.finish(token.span, StmtKind::Labelled { label, stmt: None }));
        }
        let stmt = self.nested(Self::stmt)?;
        Ok(self.finish(token.span, StmtKind::Labelled { label, stmt: Some(Box::new(stmt)) }))
    }

    fn unknown_call(&mut self, token: Token) -> Broken {
        let name = self.interner.text(token.text).clone();
        if self.diagnostics.is_forgiven(&name) {
            return Broken;
        }
        let diagnostic =
            Diagnostic::error("unknown-inline", token.span, format!("there is no inline `{name}`"))
                .label("called here");
        let advice = match &*name {
            "while" => Some("Promela loops with `do :: condition -> … :: else -> break od`"),
            "switch" | "case" => {
                Some("Promela chooses with `if :: condition -> … :: else -> … fi`")
            }
            "print" | "puts" | "echo" => Some("use `printf(\"…\\n\")`"),
            "sleep" | "delay" | "wait" => Some(
                "there is no time in Promela: wait for a condition by writing it as a statement",
            ),
            _ => None,
        };
        if let Some(advice) = advice {
            return self.report(
                Diagnostic::error(
                    "foreign-statement",
                    token.span,
                    format!("Promela has no `{name}`"),
                )
                .label("read as the call of an inline")
                .help(advice),
            );
        }
        if self.proctypes.contains(&token.text) {
            return self.report(
                Diagnostic::error(
                    "missing-run",
                    token.span,
                    format!("`{name}` is a proctype: it is started, not called"),
                )
                .label("only an inline is called like this")
                .note("the new process runs beside this one, which does not wait for it")
                .fix(
                    "start a process with `run`",
                    token.span,
                    format!("run {name}"),
                ),
            );
        }
        let interner = self.interner;
        let mut names: Vec<&str> = Keyword::spellings().collect();
        // A model with this many names is generated, and generators make no typing errors.
        if self.inlines.len() < MOST_CANDIDATES && !self.diagnostics.is_full() {
            names.extend(self.inlines.keys().map(|&symbol| &**interner.text(symbol)));
        }
        names.sort_unstable();
        let close = did_you_mean(&name, names);
        let diagnostic = match close {
            Some(close) => diagnostic.fix(format!("did you mean `{close}`?"), token.span, close),
            None => diagnostic.help("an inline or macro must be defined above its first use"),
        };
        self.report(diagnostic)
    }

    /// `name name`: an unknown type, or a misspelt keyword.
    fn two_names(&mut self, token: Token) -> Broken {
        let name = self.interner.text(token.text).clone();
        if let Some(diagnostic) = self.operator_in_words(token, self.cursor.look(1)) {
            return self.report(diagnostic);
        }
        let statements = ["goto", "run", "assert", "atomic", "else", "skip", "break", "unless"];
        if let Some(close) = did_you_mean(&name, statements) {
            return self.report(
                Diagnostic::error(
                    "syntax-error",
                    token.span,
                    format!("no statement begins with `{name}`"),
                )
                .label("unknown word")
                .fix(format!("did you mean `{close}`?"), token.span, close),
            );
        }
        let diagnostic = self.unknown_type(token.span, &name);
        self.report(diagnostic)
    }

    fn expr_stmt(&mut self, start: Span) -> Parsed<Stmt> {
        let expr = self.expr()?;
        Ok(self.finish(start, StmtKind::Expr(expr)))
    }

    /// `a, b` or `a(b, c)`
    fn send_args(&mut self) -> Parsed<Vec<Expr>> {
        let mut args = vec![self.expr()?];
        if let Some(open) = self.eat(Punct::ParenOpen) {
            args.push(self.expr()?);
            while self.eat(Punct::Comma).is_some() {
                args.push(self.expr()?);
            }
            self.expect_closing(Punct::ParenClose, open.span)?;
        } else {
            while self.eat(Punct::Comma).is_some() {
                args.push(self.expr()?);
            }
        }
        Ok(args)
    }

    /// `a, b`, `a(b, c)` or `(a, b)`
    pub(super) fn recv_args(&mut self) -> Parsed<Vec<RecvArg>> {
        let mut args = Vec::new();
        if let Some(open) = self.eat(Punct::ParenOpen) {
            let inner = self.nested(Self::recv_args)?;
            self.expect_closing(Punct::ParenClose, open.span)?;
            return Ok(inner);
        }
        loop {
            args.push(self.recv_arg()?);
            if let Some(open) = self.eat(Punct::ParenOpen) {
                args.extend(self.nested(Self::recv_args)?);
                self.expect_closing(Punct::ParenClose, open.span)?;
                return Ok(args);
            }
            if self.eat(Punct::Comma).is_none() {
                return Ok(args);
            }
        }
    }

    fn recv_arg(&mut self) -> Parsed<RecvArg> {
        let token = self.cursor.peek();
        if self.eat_keyword(Keyword::Eval).is_some() {
            let open = self.expect(Punct::ParenOpen, "after `eval`")?;
            let value = self.expr()?;
            self.expect_closing(Punct::ParenClose, open.span)?;
            return Ok(RecvArg::Eval(value));
        }
        if is_name(token) {
            return Ok(RecvArg::Var(self.varref()?));
        }
        if self.eat(Punct::Minus).is_some() {
            let value = self.primary()?;
            let span = self.sources.join(token.span, value.span);
            let kind = ExprKind::Unary(UnaryOp::Negate, Box::new(value));
            return Ok(RecvArg::Match(Expr { kind, span }));
        }
        let constant = matches!(token.kind, TokenKind::Number | TokenKind::Char)
            || matches!(self.keyword(), Some(Keyword::True | Keyword::False | Keyword::Skip));
        if constant {
            return Ok(RecvArg::Match(self.primary()?));
        }
        Err(self.unexpected("a variable, a constant or `eval(…)`"))
    }

    /// Embedded C: it is reported and skipped.
    pub(super) fn embedded_c(&mut self) {
        let token = self.bump();
        let word = self.interner.text(token.text).clone();
        self.report(
            Diagnostic::error("embedded-c", token.span, format!("embedded C (`{word}`) is not supported"))
                .label("C code")
                .note("Beeline interprets Promela itself and runs no C compiler, so it cannot know what C code does")
                .help("express it in Promela, or check this model with SPIN"),
        );
        while self.cursor.peek().kind == TokenKind::String {
            self.bump();
        }
        if self.at(Punct::BracketOpen) {
            while !self.at(Punct::BraceOpen) && self.cursor.peek().kind != TokenKind::End {
                self.bump();
            }
        }
        if self.at(Punct::BraceOpen) {
            // An unclosed brace has been reported; the text is not needed.
            let _ = self.braced_text();
        }
    }

    /// The expression of a reference that has been read.
    pub(super) fn var_expr(var: VarRef) -> Expr {
        let span = var.span.0;
        Expr { kind: ExprKind::Var(var), span }
    }
}
