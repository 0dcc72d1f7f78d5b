//! Types, declarations, parameters, instantiations and the `system` line.

use super::cursor::{Cursor, Failed, Parsed};
use super::lexer::TokenKind;
use super::tree::{
    ArraySize, Decl, Declarator, Document, Field, FunctionDecl, Ident, Initialiser, Instantiation,
    Parameter, TypeBase, TypeExpr, TypedefDecl, VariableDecl,
};
use std::sync::Arc;

/// Words with which the type of a declaration begins.
const TYPE_WORDS: &[&str] = &[
    "const",
    "meta",
    "urgent",
    "broadcast",
    "hybrid",
    "int",
    "bool",
    "clock",
    "chan",
    "scalar",
    "struct",
    "void",
    "double",
    "string",
];

impl Cursor<'_> {
    /// A type with its prefixes.
    ///
    /// # Errors
    ///
    /// When it has a mistake, which is told.
    pub(crate) fn type_expr(&mut self) -> Parsed<TypeExpr> {
        let from = self.span();
        let mut ty = TypeExpr {
            base: TypeBase::Void,
            is_const: false,
            is_meta: false,
            is_urgent: false,
            is_broadcast: false,
            is_hybrid: false,
            span: from,
        };
        loop {
            if self.accept("const") {
                ty.is_const = true;
            } else if self.accept("meta") {
                ty.is_meta = true;
            } else if self.accept("urgent") {
                ty.is_urgent = true;
            } else if self.accept("broadcast") {
                ty.is_broadcast = true;
            } else if self.is("hybrid") && self.is_at(1, "clock") {
                self.advance();
                ty.is_hybrid = true;
            } else {
                break;
            }
        }
        ty.base = self.type_base(ty.is_const)?;
        ty.span = self.since(from);
        Ok(ty)
    }

    fn type_base(&mut self, is_const: bool) -> Parsed<TypeBase> {
        if self.accept("int") {
            // `int[0,5] x`; the sizes of an array stand behind the name.
            if !self.is("[") {
                return Ok(TypeBase::Int(None));
            }
            self.advance();
            let low = self.expression()?;
            self.expect(",", "between the bounds of an integer")?;
            let high = self.expression()?;
            self.expect("]", "behind the bounds of an integer")?;
            return Ok(TypeBase::Int(Some(Box::new((low, high)))));
        }
        for (name, base) in [
            ("void", TypeBase::Void),
            ("bool", TypeBase::Bool),
            ("clock", TypeBase::Clock),
            ("chan", TypeBase::Chan),
            ("double", TypeBase::Refused("floating point numbers (`double`)")),
            ("string", TypeBase::Text),
        ] {
            if self.accept(name) {
                return Ok(base);
            }
        }
        if self.accept("scalar") {
            self.expect("[", "behind `scalar`")?;
            let size = self.expression()?;
            self.expect("]", "behind the size of a scalar")?;
            return Ok(TypeBase::Scalar(Box::new(size)));
        }
        if self.accept("struct") {
            return self.deeper(Self::fields);
        }
        // Old models: `const N 5;` has no type.
        let is_untyped = |cursor: &Self| match cursor.peek_at(1) {
            TokenKind::Number(_) => true,
            TokenKind::Symbol(symbol) => {
                matches!(*symbol, "=" | ":=" | ")" | "," | ";" | "-" | "[")
            }
            _ => false,
        };
        if is_const && self.is_name() && is_untyped(self) {
            return Ok(TypeBase::Int(None));
        }
        Ok(TypeBase::Named(self.name("a type")?))
    }

    fn fields(&mut self) -> Parsed<TypeBase> {
        self.expect("{", "behind `struct`")?;
        let mut fields = Vec::new();
        while !self.accept("}") {
            let ty = self.type_expr()?;
            loop {
                let declarator = self.declarator("the name of a field")?;
                fields.push(Field { ty: ty.clone(), declarator });
                if !self.accept(",") {
                    break;
                }
            }
            self.expect(";", "behind a field")?;
        }
        Ok(TypeBase::Struct(fields))
    }

    fn declarator(&mut self, context: &str) -> Parsed<Declarator> {
        let is_reference = self.accept("&");
        let name = self.name(context)?;
        let mut sizes = Vec::new();
        while self.accept("[") {
            let is_type = matches!(self.peek(), TokenKind::Word(word)
                if matches!(&**word, "int" | "bool" | "scalar" | "const"));
            sizes.push(if is_type {
                ArraySize::Type(self.type_expr()?)
            } else {
                ArraySize::Expr(self.expression()?)
            });
            self.expect("]", "behind the size of an array")?;
        }
        Ok(Declarator { name, sizes, is_reference })
    }

    /// Whether a declaration is next.
    pub(crate) fn is_declaration(&self) -> bool {
        if self.is("typedef") {
            return true;
        }
        let TokenKind::Word(word) = self.peek() else { return false };
        if TYPE_WORDS.contains(&&**word) {
            return true;
        }
        // `T x` and `T &x`.
        self.is_name()
            && matches!(self.peek_at(1), TokenKind::Word(next)
            if !matches!(&**next, "and" | "or" | "imply" | "not"))
    }

    /// Declarations up to the end, a closing brace, or something that is none. Mistakes are told,
    /// and the next declaration is read.
    pub(crate) fn declarations(&mut self, mut is_over: impl FnMut(&mut Self) -> bool) -> Vec<Decl> {
        let mut decls = Vec::new();
        while !self.is_at_end() && !self.is("}") && !is_over(self) {
            let before = self.taken();
            if self.declaration(&mut decls).is_err() {
                self.skip_statement();
                // A function whose head has a mistake ends with a brace.
                if self.taken() == before {
                    self.advance();
                }
            }
        }
        decls
    }

    fn declaration(&mut self, decls: &mut Vec<Decl>) -> Parsed<()> {
        if self.accept(";") {
            return Ok(());
        }
        if self.refused_declaration()? {
            return Ok(());
        }
        let is_typedef = self.accept("typedef");
        if !is_typedef && !self.is_declaration() {
            return self.fail("a declaration is missing");
        }
        let ty = self.type_expr()?;
        if !is_typedef && self.is_name() && self.is_at(1, "(") {
            let function = self.deeper(|cursor| cursor.function(ty))?;
            decls.push(Decl::Function(Arc::new(function)));
            return Ok(());
        }
        if matches!(ty.base, TypeBase::Struct(_)) && self.accept(";") {
            return Ok(());
        }
        loop {
            let declarator = self.declarator("a name")?;
            decls.push(if is_typedef {
                Decl::Typedef(TypedefDecl { ty: ty.clone(), declarator })
            } else {
                let initial = self.initial_value(&ty)?;
                Decl::Variable(VariableDecl { ty: ty.clone(), declarator, initial })
            });
            if !self.accept(",") {
                break;
            }
        }
        if self.is_at_end() {
            return self.fail("`;` is missing behind a declaration");
        }
        self.expect(";", "behind a declaration")
    }

    fn initial_value(&mut self, ty: &TypeExpr) -> Parsed<Option<Initialiser>> {
        if self.accept("=") || self.accept(":=") {
            return Ok(Some(self.initialiser()?));
        }
        // Old models: `const N 5;`.
        let is_value = matches!(self.peek(), TokenKind::Number(_)) || self.is("-");
        if ty.is_const && is_value {
            return Ok(Some(Initialiser::Expr(self.expression()?)));
        }
        Ok(None)
    }

    fn initialiser(&mut self) -> Parsed<Initialiser> {
        let from = self.span();
        if !self.accept("{") {
            return Ok(Initialiser::Expr(self.expression()?));
        }
        let mut list = Vec::new();
        while !self.accept("}") {
            let label = (self.is_name() && self.is_at(1, ":")).then(|| self.name("a field"));
            let label = label.transpose()?;
            if label.is_some() {
                self.advance();
            }
            list.push((label, self.deeper(Self::initialiser)?));
            if !self.is("}") {
                self.expect(",", "between initial values")?;
            }
        }
        Ok(Initialiser::List(list, self.since(from)))
    }

    /// Features that begin with a word of their own and are refused. They are skipped.
    fn refused_declaration(&mut self) -> Parsed<bool> {
        let span = self.span();
        for (word, feature) in [
            ("before_update", "update expressions of all edges (`before_update`)"),
            ("after_update", "update expressions of all edges (`after_update`)"),
        ] {
            if self.is(word) && self.is_at(1, "{") {
                self.refuse(span, feature);
                self.advance();
                self.skip_braces();
                return Ok(true);
            }
        }
        let is_priority = self.is("chan") && self.is_at(1, "priority");
        if is_priority {
            self.refuse(span, "channel priorities");
        } else if self.is("dynamic") && matches!(self.peek_at(1), TokenKind::Word(_)) {
            self.refuse(span, "dynamic templates");
        } else if self.is("import") && matches!(self.peek_at(1), TokenKind::Text(_)) {
            self.refuse(span, "external functions (`import`)");
            self.advance();
            self.advance();
            self.skip_braces();
            return Ok(true);
        } else {
            return Ok(false);
        }
        self.skip_statement();
        Ok(true)
    }

    /// Skips a part in braces.
    pub(crate) fn skip_braces(&mut self) {
        let mut open = 0_usize;
        while !self.is_at_end() {
            if self.is("{") {
                open += 1;
            } else if self.is("}") {
                open = open.saturating_sub(1);
            }
            let is_over = self.is("}") && open == 0;
            self.advance();
            if is_over {
                self.accept(";");
                return;
            }
        }
    }

    fn function(&mut self, result: TypeExpr) -> Parsed<FunctionDecl> {
        let name = self.name("the name of a function")?;
        self.expect("(", "behind the name of a function")?;
        let parameters = self.parameters(")", false)?;
        let body = self.block()?;
        Ok(FunctionDecl { result, name, parameters, body })
    }

    /// Parameters up to this bracket, which is taken. In old models (`are_old`) those that are not
    /// constant are references, and several share a type: `clock x, y; const n`.
    ///
    /// # Errors
    ///
    /// When there is a mistake, which is told.
    pub(crate) fn parameters(&mut self, end: &str, are_old: bool) -> Parsed<Vec<Parameter>> {
        let mut parameters: Vec<Parameter> = Vec::new();
        while !self.accept(end) {
            if self.is_at_end() {
                if end.is_empty() {
                    break;
                }
                return self.fail(&format!("`{end}` is missing behind parameters"));
            }
            let ty = self.type_expr()?;
            loop {
                let mut declarator = self.declarator("the name of a parameter")?;
                declarator.is_reference |= are_old && !ty.is_const;
                parameters.push(Parameter { ty: ty.clone(), declarator });
                // `int a, b`: a name alone has the type of the one before it.
                let shares = self.is(",") && (self.is_at(1, "&") || self.is_bare_name_at(1));
                if !shares {
                    break;
                }
                self.advance();
            }
            let is_over = if end.is_empty() { self.is_at_end() } else { self.is(end) };
            if !is_over && !self.accept(";") {
                self.expect(",", "between parameters")?;
            }
        }
        Ok(parameters)
    }

    /// Whether a name is at this position that is followed by the end of a parameter.
    fn is_bare_name_at(&self, further: usize) -> bool {
        let TokenKind::Word(word) = self.peek_at(further) else { return false };
        !TYPE_WORDS.contains(&&**word)
            && match self.peek_at(further + 1) {
                TokenKind::Symbol(symbol) => matches!(*symbol, "," | ";" | ")" | "["),
                TokenKind::End => true,
                _ => false,
            }
    }

    /// Whether an instantiation is next: `P = T(…);` or `P(int i) := T(i);`.
    pub(crate) fn is_instantiation(&self) -> bool {
        if !self.is_name() {
            return false;
        }
        self.is_at(1, "=") || self.is_at(1, ":=") || self.is_at(1, "(")
    }

    /// An instantiation.
    ///
    /// # Errors
    ///
    /// When there is a mistake, which is told.
    pub(crate) fn instantiation(&mut self) -> Parsed<Instantiation> {
        let name = self.name("the name of a process")?;
        let parameters = if self.accept("(") { self.parameters(")", false)? } else { Vec::new() };
        if !self.accept(":=") {
            self.expect("=", "behind the name of a process")?;
        }
        let template = self.name("the name of a template")?;
        self.expect("(", "behind the name of a template")?;
        let arguments = self.arguments(")")?;
        self.expect(";", "behind an instantiation")?;
        Ok(Instantiation { name, parameters, template, arguments })
    }

    /// The declarations, instantiations and the `system` line at the end of a model.
    pub(crate) fn system_section(&mut self, document: &mut Document) {
        while !self.is_at_end() {
            let parsed = if self.is("system") {
                self.system_line(document)
            } else if self.is_instantiation() {
                self.instantiation().map(|one| document.instantiations.push(one))
            } else if self.is("progress") && self.is_at(1, "{")
                || self.is("gantt") && self.is_at(1, "{")
            {
                // Progress measures guide UPPAAL's memory, charts its display.
                self.advance();
                self.skip_braces();
                Ok(())
            } else if self.is("IO") && matches!(self.peek_at(1), TokenKind::Word(_)) {
                // The alphabet of a process, for simulations of other tools.
                self.skip_input_output();
                Ok(())
            } else {
                let mut decls = Vec::new();
                let parsed = self.declaration(&mut decls);
                document.decls.append(&mut decls);
                parsed
            };
            if let Err(Failed) = parsed {
                let before = self.taken();
                self.skip_statement();
                if self.taken() == before {
                    self.advance();
                }
            }
        }
    }

    fn skip_input_output(&mut self) {
        while !self.is_at_end() && !self.is("}") {
            self.advance();
        }
        self.advance();
    }

    fn system_line(&mut self, document: &mut Document) -> Parsed<()> {
        self.advance();
        loop {
            let process: Ident = self.name("the name of a process")?;
            document.system.push(process);
            if self.is("<") {
                let span = self.span();
                self.refuse(span, "process priorities");
                self.advance();
                continue;
            }
            if self.accept("(") {
                self.fail::<()>("instantiate a template with arguments above the `system` line")?;
            }
            if !self.accept(",") {
                break;
            }
        }
        if self.is_at_end() {
            return Ok(());
        }
        self.expect(";", "behind the processes of the system")
    }
}
