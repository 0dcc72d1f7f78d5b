//! Declarations: variables, parameters, typedefs, mtypes.

use super::messages::{is_name, keyword_of};
use super::recovery::begins_declaration;
use super::{Parsed, Parser};
use crate::ast::{
    Declarator, Ident, Ignored, Initializer, MtypeDecl, Node, TypeName, Typedef, VarDecl,
    Visibility,
};
use crate::token::{Keyword, Punct, TokenKind};
use beeline_source::diagnostic::{Diagnostic, MOST_CANDIDATES, did_you_mean};
use beeline_source::source::Span;

impl Parser<'_> {
    /// Whether a declaration of variables begins here.
    pub(super) fn at_declaration(&self) -> bool {
        let token = self.cursor.peek();
        match keyword_of(token) {
            Some(keyword) => begins_declaration(keyword),
            None => is_name(token) && self.typedefs.contains(&token.text),
        }
    }

    /// Whether the `mtype` here declares constants, not variables.
    pub(super) fn at_mtype_set(&self) -> bool {
        let punct = |ahead: usize, punct| self.cursor.look(ahead).kind == TokenKind::Punct(punct);
        punct(1, Punct::BraceOpen)
            || punct(1, Punct::Assign)
            || (punct(1, Punct::Colon) && punct(3, Punct::Assign) && punct(4, Punct::BraceOpen))
    }

    /// `mtype = { a, b }`; the commas are optional.
    pub(super) fn mtype_decl(&mut self) -> Parsed<MtypeDecl> {
        self.bump();
        let set = match self.eat(Punct::Colon) {
            Some(_) => Some(self.expect_name("the name of an mtype")?),
            None => None,
        };
        self.eat(Punct::Assign);
        let open = self.expect(Punct::BraceOpen, "and the names of the mtype")?;
        let mut names = Vec::new();
        loop {
            if self.at_name() {
                names.push(self.expect_name("a constant")?);
            } else if self.at(Punct::Comma) && !names.is_empty() {
                self.bump();
            } else if self.at(Punct::BraceClose) && !names.is_empty() {
                self.bump();
                return Ok(MtypeDecl { set, names });
            } else if self.keyword().is_some() || names.is_empty() {
                self.expect_name("the name of an mtype constant")?;
            } else {
                self.expect_closing(Punct::BraceClose, open.span)?;
            }
        }
    }

    pub(super) fn typedef(&mut self) -> Parsed<Typedef> {
        self.bump();
        let token = self.cursor.peek();
        let name = self.expect_name("the name of a type")?;
        let open = self.expect(Punct::BraceOpen, "and the fields of the type")?;
        self.cursor.in_body = true;
        let mut fields = Vec::new();
        while !self.at(Punct::BraceClose) {
            if self.at(Punct::Semicolon) {
                self.bump();
                continue;
            }
            if !self.at_declaration() {
                let token = self.cursor.peek();
                if is_name(token) {
                    let text = self.interner.text(token.text).clone();
                    let diagnostic = self.unknown_type(token.span, &text);
                    return Err(self.report(diagnostic));
                }
                return Err(self.unexpected("a field (type and name)"));
            }
            fields.push(self.var_decl()?);
            if !self.at(Punct::Semicolon) && !self.at(Punct::BraceClose) {
                return Err(self.unexpected("`;` between the fields"));
            }
        }
        if fields.is_empty() {
            let span = open.span.to(self.cursor.peek().span);
            self.report(
                Diagnostic::error(
                    "empty-typedef",
                    span,
                    format!("type `{}` has no fields", name.name),
                )
                .label("at least one field is needed"),
            );
        }
        self.expect_closing(Punct::BraceClose, open.span)?;
        self.cursor.in_body = false;
        self.typedefs.insert(token.text);
        Ok(Typedef { name, fields })
    }

    /// Parameters up to and with the closing parenthesis.
    pub(super) fn params(&mut self, open: Span) -> Parsed<Vec<VarDecl>> {
        let mut params = Vec::new();
        while !self.at(Punct::ParenClose) {
            if !self.at_declaration() {
                let token = self.cursor.peek();
                if is_name(token) {
                    let text = self.interner.text(token.text).clone();
                    let diagnostic = self.unknown_type(token.span, &text);
                    return Err(self.report(diagnostic));
                }
                return Err(self.unexpected("a parameter (type and name) or `)`"));
            }
            params.push(self.var_decl()?);
            // A comma before a new type has been reported.
            if self.eat(Punct::Semicolon).is_none() && !self.at_declaration() {
                break;
            }
        }
        self.expect_closing(Punct::ParenClose, open)?;
        Ok(params)
    }

    /// `hidden byte x = 1, y[3]`
    pub(super) fn var_decl(&mut self) -> Parsed<VarDecl> {
        let visibility = match self.keyword() {
            Some(Keyword::Hidden) => Some(Visibility::Hidden),
            Some(Keyword::Show) => Some(Visibility::Show),
            Some(Keyword::Local) => Some(Visibility::Local),
            _ => None,
        };
        if visibility.is_some() {
            self.bump();
        }
        let ty = self.type_name()?;
        let mut vars = vec![self.declarator()?];
        while self.at(Punct::Comma) {
            let comma = self.bump();
            if self.at_declaration() {
                self.report(
                    Diagnostic::error(
                        "comma-between-declarations",
                        comma.span,
                        "declarations are separated by `;`, not by `,`",
                    )
                    .label("a new type follows")
                    .note("`byte a, b` declares two bytes; another type begins another declaration")
                    .fix("write a semicolon", comma.span, ";"),
                );
                break;
            }
            vars.push(self.declarator()?);
        }
        Ok(VarDecl { visibility, ty: ty.kind, ty_span: Ignored(ty.span), vars })
    }

    /// A type's name, `mtype : set` included.
    fn type_name(&mut self) -> Parsed<Node<TypeName>> {
        let token = self.cursor.peek();
        let kind = match keyword_of(token) {
            Some(Keyword::Bit | Keyword::Bool) => TypeName::Bit,
            Some(Keyword::Byte | Keyword::Pid) => TypeName::Byte,
            Some(Keyword::Short) => TypeName::Short,
            Some(Keyword::Int) => TypeName::Int,
            Some(Keyword::Unsigned) => TypeName::Unsigned,
            Some(Keyword::Chan) => TypeName::Chan,
            Some(Keyword::Mtype) => {
                self.bump();
                let set = match self.eat(Punct::Colon) {
                    Some(_) => Some(self.expect_name("the name of an mtype")?),
                    None => None,
                };
                let span = set.as_ref().map_or(token.span, |set: &Ident| token.span.to(set.span));
                return Ok(Node { kind: TypeName::Mtype(set), span });
            }
            None if is_name(token) && self.typedefs.contains(&token.text) => {
                TypeName::Named(self.ident(token))
            }
            None if is_name(token) => {
                let text = self.interner.text(token.text).clone();
                let diagnostic = self.unknown_type(token.span, &text);
                return Err(self.report(diagnostic));
            }
            _ => return Err(self.unexpected("a type")),
        };
        self.bump();
        Ok(Node { kind, span: token.span })
    }

    /// Whether this is a type of another common language.
    pub(super) fn foreign_type(name: &str) -> bool {
        ours(name).is_some() || NOT_WHOLE.contains(&name)
    }

    /// The error for an unknown name in place of a type.
    pub(super) fn unknown_type(&self, span: Span, name: &str) -> Diagnostic {
        let diagnostic =
            Diagnostic::error("unknown-type", span, format!("there is no type `{name}`"))
                .label("not a type");
        if let Some(ours) = ours(name) {
            return diagnostic.fix(format!("use `{ours}`"), span, ours);
        }
        if NOT_WHOLE.contains(&name) {
            return diagnostic
                .note("Promela has whole numbers only: bit, bool, byte, short, int, unsigned, mtype, chan, pid")
                .help("use `int`, and count in the smallest unit that matters");
        }
        let builtin = ["bit", "bool", "byte", "short", "int", "unsigned", "mtype", "chan", "pid"];
        let mut declared: Vec<&str> = Vec::new();
        // A model with this many names is generated, and generators make no typing errors.
        if self.typedefs.len() < MOST_CANDIDATES && !self.diagnostics.is_full() {
            declared.extend(self.typedefs.iter().map(|&symbol| &**self.interner.text(symbol)));
        }
        declared.sort_unstable();
        match did_you_mean(name, builtin.into_iter().chain(declared)) {
            Some(close) => diagnostic.fix(format!("did you mean `{close}`?"), span, close),
            None => {
                diagnostic.help("declare it before its first use: `typedef Name { byte field }`")
            }
        }
    }

    fn declarator(&mut self) -> Parsed<Declarator> {
        let name = self.expect_name("the name of a variable")?;
        let start = name.span;
        let mut width = None;
        let mut length = None;
        if self.eat(Punct::Colon).is_some() {
            width = Some(self.primary()?);
        } else if let Some(open) = self.eat(Punct::BracketOpen) {
            length = Some(self.expr()?);
            self.expect_closing(Punct::BracketClose, open.span)?;
            while let Some(open) = self.eat(Punct::BracketOpen) {
                self.array_of_arrays(open.span);
                self.expr()?;
                self.expect_closing(Punct::BracketClose, open.span)?;
            }
        }
        let init = match self.eat(Punct::Assign) {
            Some(_) => Some(self.initializer()?),
            None => None,
        };
        let end = self.cursor.last_token().map_or(start, |token| token.span);
        Ok(Declarator { name, width, length, init, span: Ignored(start.to(end)) })
    }

    /// Reported once per model: all uses of such an array have the same cause.
    pub(super) fn array_of_arrays(&mut self, span: Span) {
        if self.diagnostics.mentions("array-of-arrays") {
            return;
        }
        self.report(
            Diagnostic::error("array-of-arrays", span, "Promela has no arrays of arrays")
                .label("second dimension")
                .help("wrap the inner array in a type: `typedef Row { byte col[N] }; Row row[M]`, used as `row[i].col[j]`"),
        );
    }

    fn initializer(&mut self) -> Parsed<Initializer> {
        if let Some(open) = self.eat(Punct::BraceOpen) {
            let mut values = vec![self.expr()?];
            while self.eat(Punct::Comma).is_some() {
                values.push(self.expr()?);
            }
            self.expect_closing(Punct::BraceClose, open.span)?;
            return Ok(Initializer::List(values));
        }
        if self.at(Punct::Always) {
            let span = self.cursor.peek().span;
            return Err(self.report(
                Diagnostic::error("syntax-error", span, "the size of the channel is missing")
                    .label("the number of its messages")
                    .note("`[0]` makes a rendezvous channel: a send and a receive are one step")
                    .fix("for example", span, "[1]"),
            ));
        }
        if let Some(open) = self.eat(Punct::BracketOpen) {
            let capacity = self.expr()?;
            self.expect_closing(Punct::BracketClose, open.span)?;
            if self.eat_keyword(Keyword::Of).is_none() {
                return Err(self.unexpected("`of { types }` after the size of the channel"));
            }
            let open = self.expect(Punct::BraceOpen, "and the types of a message")?;
            let mut fields = vec![self.message_field()?];
            while self.eat(Punct::Comma).is_some() {
                fields.push(self.message_field()?);
            }
            self.expect_closing(Punct::BraceClose, open.span)?;
            return Ok(Initializer::Channel { capacity, fields });
        }
        Ok(Initializer::Value(self.expr()?))
    }

    fn message_field(&mut self) -> Parsed<Node<TypeName>> {
        let field = self.type_name()?;
        if self.at_name() {
            let name = self.cursor.peek();
            self.report(
                Diagnostic::error(
                    "named-message-field",
                    name.span,
                    "the fields of a message have types but no names",
                )
                .label("unexpected name")
                .fix("remove the name", name.span, ""),
            );
            self.bump();
        }
        Ok(field)
    }
}

/// Types without a counterpart in Promela.
const NOT_WHOLE: [&str; 5] = ["float", "double", "string", "String", "real"];

/// The Promela counterpart of another language's type.
fn ours(foreign: &str) -> Option<&'static str> {
    match foreign {
        "char" | "uchar" | "u8" | "uint8" | "uint8_t" => Some("byte"),
        "boolean" | "Bool" | "_Bool" => Some("bool"),
        "long" | "integer" | "int32_t" | "int32" | "i32" | "word" => Some("int"),
        "int16_t" | "int16" | "i16" => Some("short"),
        "enum" => Some("mtype"),
        "channel" => Some("chan"),
        _ => None,
    }
}
