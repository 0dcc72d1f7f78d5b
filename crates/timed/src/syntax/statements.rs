//! Statements of functions.

use super::cursor::{Cursor, Parsed};
use super::tree::{Block, Decl, Statement};

impl Cursor<'_> {
    /// A block: declarations, then statements.
    ///
    /// # Errors
    ///
    /// When there is a mistake, which is told.
    pub(crate) fn block(&mut self) -> Parsed<Block> {
        self.expect("{", "at the beginning of a block")?;
        let mut decls: Vec<Decl> = Vec::new();
        while self.is_declaration() && !self.is("else") {
            let mut more = self.declarations_until_statement();
            decls.append(&mut more);
        }
        let mut statements = Vec::new();
        while !self.accept("}") {
            if self.is_at_end() {
                return self.fail("`}` is missing at the end of a block");
            }
            statements.push(self.statement()?);
        }
        Ok(Block { decls, statements })
    }

    fn declarations_until_statement(&mut self) -> Vec<Decl> {
        self.declarations(|cursor| !cursor.is_declaration())
    }

    fn statement(&mut self) -> Parsed<Statement> {
        self.deeper(Self::any_statement)
    }

    fn any_statement(&mut self) -> Parsed<Statement> {
        let span = self.span();
        if self.accept(";") {
            return Ok(Statement::Empty);
        }
        if self.is("{") {
            return Ok(Statement::Block(self.block()?));
        }
        if self.accept("if") {
            let condition = self.condition("if")?;
            let yes = Box::new(self.statement()?);
            let no = if self.accept("else") { Some(Box::new(self.statement()?)) } else { None };
            return Ok(Statement::If(condition, yes, no));
        }
        if self.accept("while") {
            let condition = self.condition("while")?;
            return Ok(Statement::While(condition, Box::new(self.statement()?)));
        }
        if self.accept("do") {
            let body = Box::new(self.statement()?);
            self.expect("while", "behind the body of `do`")?;
            let condition = self.condition("while")?;
            self.expect(";", "behind a statement")?;
            return Ok(Statement::DoWhile(body, condition));
        }
        if self.accept("for") {
            return self.for_statement();
        }
        if self.accept("return") {
            let value = if self.is(";") { None } else { Some(self.expression()?) };
            self.expect(";", "behind `return`")?;
            return Ok(Statement::Return(value, self.since(span)));
        }
        if self.is("assert") && !self.is_at(1, "=") {
            self.advance();
            let condition = self.expression()?;
            self.expect(";", "behind an assertion")?;
            return Ok(Statement::Assert(condition));
        }
        let expr = self.expression()?;
        // The old languages separate statements by commas, too.
        if !self.accept(",") {
            self.expect(";", "behind a statement")?;
        }
        Ok(Statement::Expr(expr))
    }

    fn condition(&mut self, word: &str) -> Parsed<super::tree::Expr> {
        self.expect("(", &format!("behind `{word}`"))?;
        let condition = self.expression()?;
        self.expect(")", "behind a condition")?;
        Ok(condition)
    }

    fn for_statement(&mut self) -> Parsed<Statement> {
        self.expect("(", "behind `for`")?;
        if self.is_name() && self.is_at(1, ":") {
            let name = self.name("the name of a bound variable")?;
            self.advance();
            let ty = self.type_expr()?;
            self.expect(")", "behind a bound variable")?;
            return Ok(Statement::ForEach(name, ty, Box::new(self.statement()?)));
        }
        let first = self.several(";")?;
        let condition = self.several(";")?.pop();
        let then = self.several(")")?;
        Ok(Statement::For(first, condition, then, Box::new(self.statement()?)))
    }

    /// Expressions between commas, up to this symbol.
    fn several(&mut self, end: &str) -> Parsed<Vec<super::tree::Expr>> {
        let mut several = Vec::new();
        if self.accept(end) {
            return Ok(several);
        }
        loop {
            several.push(self.expression()?);
            if !self.accept(",") {
                break;
            }
        }
        self.expect(end, "in the head of `for`")?;
        Ok(several)
    }
}
