//! Expressions and temporal formulas: precedence climbing.
//!
//! All binary operators are left-associative, including the implication of ltl, as in SPIN's
//! grammar. Unary operators, including temporal ones, bind tighter than any binary one.

use super::formula_language::FormulaLanguage;
use super::messages::is_name;
use super::{DEEPEST, Parsed, Parser};
use crate::ast::{
    BinaryOp, ChannelQuery, Expr, ExprKind, Ident, Ignored, Literal, ProcessQuery, UnaryOp, VarRef,
};
use crate::token::{Keyword, Punct, Token, TokenKind};
use beeline_source::diagnostic::Diagnostic;

impl Parser<'_> {
    pub(super) fn expr(&mut self) -> Parsed<Expr> {
        let expr = self.nested(|parser| {
            let left = parser.unary()?;
            parser.binary(left, 0)
        })?;
        self.tallest = self.tallest.max(self.height);
        Ok(expr)
    }

    /// An expression whose first operand, a variable, has been read.
    pub(super) fn expr_from(&mut self, var: VarRef) -> Parsed<Expr> {
        self.nested(|parser| {
            let left = parser.after_varref(var)?;
            parser.height = parser.tallest + 1;
            parser.binary(left, 0)
        })
    }

    /// Parses operators after `left` that bind at least as tight as `least`.
    fn binary(&mut self, mut left: Expr, least: u8) -> Parsed<Expr> {
        let mut height = self.height;
        while let Some(op) = self.binary_op() {
            if op.precedence() < least {
                break;
            }
            self.bump();
            let mut right = self.unary()?;
            while self.binary_op().is_some_and(|next| next.precedence() > op.precedence()) {
                right = self.nested(|parser| parser.binary(right, op.precedence() + 1))?;
            }
            // A chain of operators makes a tree as high as the chain is long, and a chain may be
            // the left operand of another one.
            height = height.max(self.height) + 1;
            if self.depth + height > DEEPEST {
                return Err(self.report_depth());
            }
            let span = self.sources.join(left.span, right.span);
            let kind = ExprKind::Binary(op, Box::new(left), Box::new(right));
            left = Expr { kind, span };
        }
        self.height = height;
        Ok(left)
    }

    fn binary_op(&self) -> Option<BinaryOp> {
        let token = self.cursor.peek();
        let punct = match token.kind {
            TokenKind::Punct(punct) => punct,
            TokenKind::Word => return self.temporal_word(token),
            _ => return None,
        };
        Some(match punct {
            Punct::Plus => BinaryOp::Add,
            Punct::Minus => BinaryOp::Subtract,
            Punct::Star => BinaryOp::Multiply,
            Punct::Slash => BinaryOp::Divide,
            Punct::Percent => BinaryOp::Modulo,
            Punct::Amp => BinaryOp::BitAnd,
            Punct::Caret => BinaryOp::BitXor,
            Punct::Pipe => BinaryOp::BitOr,
            Punct::ShiftLeft => BinaryOp::ShiftLeft,
            Punct::ShiftRight => BinaryOp::ShiftRight,
            Punct::Less => BinaryOp::Less,
            Punct::LessEqual => BinaryOp::LessEqual,
            Punct::Greater => BinaryOp::Greater,
            Punct::GreaterEqual => BinaryOp::GreaterEqual,
            Punct::Equal => BinaryOp::Equal,
            Punct::NotEqual => BinaryOp::NotEqual,
            Punct::And => BinaryOp::And,
            Punct::Or => BinaryOp::Or,
            Punct::Arrow if self.formula.is_some() => BinaryOp::Implies,
            Punct::Equivalent if self.formula.is_some() => BinaryOp::Equivalent,
            Punct::AndMath if self.formula.is_some() => BinaryOp::And,
            Punct::OrMath if self.formula.is_some() => BinaryOp::Or,
            _ => return None,
        })
    }

    fn temporal_word(&self, token: Token) -> Option<BinaryOp> {
        let language = self.formula?;
        let op = match &**self.interner.text(token.text) {
            "U" | "until" | "stronguntil" => BinaryOp::Until,
            "W" | "weakuntil" => BinaryOp::WeakUntil,
            "V" | "release" => BinaryOp::Release,
            "R" if language == FormulaLanguage::Ctl => BinaryOp::Release,
            "implies" => BinaryOp::Implies,
            "equivalent" => BinaryOp::Equivalent,
            _ => return None,
        };
        let is_used = language.has_temporal_operators()
            || matches!(op, BinaryOp::Implies | BinaryOp::Equivalent);
        is_used.then_some(op)
    }

    fn unary_op(&self) -> Option<UnaryOp> {
        let token = self.cursor.peek();
        Some(match token.kind {
            TokenKind::Punct(Punct::Bang) => UnaryOp::Not,
            TokenKind::Punct(Punct::Minus) => UnaryOp::Negate,
            TokenKind::Punct(Punct::Tilde) => UnaryOp::BitNot,
            _ if !self.formula.is_some_and(FormulaLanguage::has_temporal_operators) => return None,
            TokenKind::Punct(Punct::Always) => UnaryOp::Always,
            TokenKind::Punct(Punct::Eventually) => UnaryOp::Eventually,
            TokenKind::Word => match &**self.interner.text(token.text) {
                "X" | "next" => UnaryOp::Next,
                "always" => UnaryOp::Always,
                "eventually" => UnaryOp::Eventually,
                "G" if self.formula == Some(FormulaLanguage::Ctl) => UnaryOp::Always,
                "F" if self.formula == Some(FormulaLanguage::Ctl) => UnaryOp::Eventually,
                _ => return None,
            },
            _ => return None,
        })
    }

    pub(super) fn unary(&mut self) -> Parsed<Expr> {
        let Some(op) = self.unary_op() else {
            return match self.branching_operator()? {
                Some(formula) => Ok(formula),
                None => self.primary(),
            };
        };
        let token = self.bump();
        let operand = self.nested(Self::unary)?;
        self.height += 1;
        let span = self.sources.join(token.span, operand.span);
        Ok(Expr { kind: ExprKind::Unary(op, Box::new(operand)), span })
    }

    /// An operand without operators around it.
    pub(super) fn primary(&mut self) -> Parsed<Expr> {
        if self.at(Punct::ParenOpen) {
            return self.parenthesised();
        }
        let outside = std::mem::take(&mut self.tallest);
        let operand = self.operand();
        self.height = self.tallest + 1;
        self.tallest = outside;
        operand
    }

    fn operand(&mut self) -> Parsed<Expr> {
        let token = self.cursor.peek();
        let start = token.span;
        if is_name(token) {
            if self.temporal_word(token).is_some() {
                return Err(self.unexpected("an operand"));
            }
            if self.cursor.look(1).kind == TokenKind::Punct(Punct::ParenOpen)
                && self.inlines.contains_key(&token.text)
            {
                let name = self.interner.text(token.text).clone();
                return Err(self.report(
                    Diagnostic::error("inline-in-expression", start, format!("inline `{name}` cannot be part of an expression"))
                        .label("called here")
                        .note("an inline is a sequence of statements; `x = name(…)` takes what it returns")
                        .help("use a `#define` macro for an expression"),
                ));
            }
            let var = self.varref()?;
            return self.after_varref(var);
        }
        let kind = match token.kind {
            TokenKind::Number => ExprKind::Literal(Literal::Number(self.number(token))),
            TokenKind::Char => ExprKind::Literal(self.char_constant(token)),
            TokenKind::Word => match token.text.keyword() {
                Some(keyword) => return self.keyword_operand(keyword),
                None => return Err(self.unexpected("an expression")),
            },
            _ => return Err(self.unexpected("an expression")),
        };
        self.bump();
        Ok(Expr { kind, span: start })
    }

    fn number(&mut self, token: Token) -> i32 {
        let text = self.interner.text(token.text);
        match text.parse::<i64>() {
            Ok(value) if i32::try_from(value).is_ok() => value as i32,
            wide => {
                // SPIN reads a long and keeps its low 32 bits.
                let kept = wide.map_or(-1, |value| value as i32);
                let text = text.clone();
                self.report(
                    Diagnostic::warning(
                        "number-too-large",
                        token.span,
                        format!("{text} does not fit into an int"),
                    )
                    .label(format!("read as {kept}")),
                );
                kept
            }
        }
    }

    fn char_constant(&self, token: Token) -> Literal {
        let text = self.interner.text(token.text);
        // The lexer makes a character constant only if it has both quotes.
        let quoted = text.strip_prefix('\'').and_then(|rest| rest.strip_suffix('\''));
        let byte = match quoted.unwrap_or(text).as_bytes() {
            [b'\\', b'n'] => b'\n',
            [b'\\', b'r'] => b'\r',
            [b'\\', b't'] => b'\t',
            [b'\\', b'f'] => 0x0c,
            [b'\\', other] => *other,
            [] => b'\'',
            [first, ..] => *first,
        };
        Literal::Char(byte)
    }

    /// `(e)` or `(c -> a : b)`
    fn parenthesised(&mut self) -> Parsed<Expr> {
        let open = self.bump();
        let inner = self.expr()?;
        let height = self.height;
        if self.formula.is_some() || !self.at(Punct::Arrow) {
            self.expect_closing(Punct::ParenClose, open.span)?;
            return Ok(inner);
        }
        let arrow = self.bump();
        let yes = self.expr()?;
        let height = height.max(self.height);
        if !self.at(Punct::Colon) {
            return Err(self.report(
                Diagnostic::error("syntax-error", open.span, "this parenthesis is not closed")
                    .label("no `)` before the `->`")
                    .related(arrow.span, "inside parentheses this begins a conditional expression")
                    .note("a conditional expression is `(condition -> value : other value)`")
                    .help("add `)` before the `->`"),
            ));
        }
        self.bump();
        let no = self.expr()?;
        self.height = height.max(self.height) + 1;
        let close = self.expect_closing(Punct::ParenClose, open.span)?;
        let kind = ExprKind::Conditional(Box::new(inner), Box::new(yes), Box::new(no));
        Ok(Expr { kind, span: self.sources.join(open.span, close.span) })
    }

    fn keyword_operand(&mut self, keyword: Keyword) -> Parsed<Expr> {
        let start = self.cursor.peek().span;
        let simple = match keyword {
            Keyword::True => Some(ExprKind::Literal(Literal::True)),
            Keyword::False => Some(ExprKind::Literal(Literal::False)),
            Keyword::Skip => Some(ExprKind::Literal(Literal::Skip)),
            Keyword::Timeout => Some(ExprKind::Timeout),
            Keyword::Np => Some(ExprKind::NonProgress),
            _ => None,
        };
        if let Some(kind) = simple {
            self.bump();
            return Ok(Expr { kind, span: start });
        }
        let channel = match keyword {
            Keyword::Len => Some(ChannelQuery::Len),
            Keyword::Full => Some(ChannelQuery::Full),
            Keyword::Empty => Some(ChannelQuery::Empty),
            Keyword::Nfull => Some(ChannelQuery::NFull),
            Keyword::Nempty => Some(ChannelQuery::NEmpty),
            _ => None,
        };
        if let Some(query) = channel {
            self.bump();
            let open = self.expect(Punct::ParenOpen, "and the channel")?;
            let var = self.varref()?;
            let close = self.expect_closing(Punct::ParenClose, open.span)?;
            return Ok(Expr {
                kind: ExprKind::Channel(query, var),
                span: self.sources.join(start, close.span),
            });
        }
        let process = match keyword {
            Keyword::Enabled => Some(ProcessQuery::Enabled),
            Keyword::PcValue => Some(ProcessQuery::PcValue),
            Keyword::GetPriority => Some(ProcessQuery::Priority),
            _ => None,
        };
        if let Some(query) = process {
            self.bump();
            let open = self.expect(Punct::ParenOpen, "and the process")?;
            let pid = Box::new(self.expr()?);
            let close = self.expect_closing(Punct::ParenClose, open.span)?;
            return Ok(Expr {
                kind: ExprKind::Process(query, pid),
                span: self.sources.join(start, close.span),
            });
        }
        match keyword {
            Keyword::Run => self.run(),
            Keyword::CExpr => {
                self.embedded_c();
                Ok(Expr { kind: ExprKind::Error, span: start })
            }
            Keyword::Else => Err(self.report(
                Diagnostic::error("misplaced-else", start, "`else` is a statement of its own")
                    .label("inside an expression")
                    .help("begin an option with it: `:: else -> …`"),
            )),
            _ => Err(self.unexpected("an expression")),
        }
    }

    fn run(&mut self) -> Parsed<Expr> {
        let start = self.bump().span;
        let proctype = self.expect_name("the name of a proctype")?;
        let open = self.expect(Punct::ParenOpen, "and the arguments of the process")?;
        let mut args = Vec::new();
        while !self.at(Punct::ParenClose) {
            args.push(self.expr()?);
            if self.eat(Punct::Comma).is_none() {
                break;
            }
        }
        let close = self.expect_closing(Punct::ParenClose, open.span)?;
        let priority = self.priority()?.map(Box::new);
        let end = priority.as_ref().map_or(close.span, |priority| priority.span);
        Ok(Expr {
            kind: ExprKind::Run { proctype, args, priority },
            span: self.sources.join(start, end),
        })
    }

    /// `x`, `x[e]`, `x.f[e].g`
    pub(super) fn varref(&mut self) -> Parsed<VarRef> {
        let name = self.expect_name("a variable")?;
        let start = name.span;
        let mut index = None;
        if self.at(Punct::BracketOpen) {
            let open = self.bump();
            index = Some(Box::new(self.expr()?));
            self.expect_closing(Punct::BracketClose, open.span)?;
            while let Some(open) = self.eat(Punct::BracketOpen) {
                self.array_of_arrays(open.span);
                self.expr()?;
                self.expect_closing(Punct::BracketClose, open.span)?;
            }
        }
        let mut field = None;
        if self.eat(Punct::Dot).is_some() {
            field = Some(Box::new(self.nested(Self::varref)?));
            self.tallest += 1;
        }
        let end = self.cursor.last_token().map_or(start, |token| token.span);
        Ok(VarRef { name, index, field, span: Ignored(start.to(end)) })
    }

    /// The rest of an expression that begins with a reference: a variable, a remote reference or a
    /// poll.
    fn after_varref(&mut self, var: VarRef) -> Parsed<Expr> {
        let start = var.span.0;
        let remote = var.field.is_none();
        if remote && self.at(Punct::At) {
            self.bump();
            let label = self.expect_name("a label")?;
            let span = self.sources.join(start, label.span);
            let VarRef { name, index, .. } = var;
            return Ok(Expr {
                kind: ExprKind::RemoteLabel { proctype: name, pid: index, label },
                span,
            });
        }
        if remote
            && self.at(Punct::Colon)
            && (self.formula.is_some() || self.is_proctype(&var.name))
        {
            self.bump();
            let VarRef { name, index, .. } = var;
            let var = self.varref()?;
            let span = self.sources.join(start, var.span.0);
            return Ok(Expr {
                kind: ExprKind::RemoteVar { proctype: name, pid: index, var },
                span,
            });
        }
        let random = self.at(Punct::RandomReceive);
        if random || self.at(Punct::Question) {
            let mark = self.bump();
            if !self.at(Punct::BracketOpen) {
                let span = self.sources.join(start, mark.span);
                return Err(self.report(
                    Diagnostic::error(
                        "receive-in-expression",
                        span,
                        "a receive cannot be part of an expression",
                    )
                    .label("takes a message out of the channel")
                    .note("an expression has no effects; `q?[x]` only asks whether the receive is possible")
                    .help("receive in a statement of its own: `condition && q?[x] -> q?x`"),
                ));
            }
            let open = self.bump();
            let args = self.recv_args()?;
            let close = self.expect_closing(Punct::BracketClose, open.span)?;
            let span = self.sources.join(start, close.span);
            return Ok(Expr { kind: ExprKind::Poll { channel: var, random, args }, span });
        }
        Ok(Self::var_expr(var))
    }

    fn is_proctype(&self, name: &Ident) -> bool {
        self.interner.find(&name.name).is_some_and(|symbol| self.proctypes.contains(&symbol))
    }
}
