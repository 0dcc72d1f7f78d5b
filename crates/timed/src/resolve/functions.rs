//! Functions and their statements.

use std::sync::Arc;

use super::declarations::Storage;
use super::scope::{Symbol, ValueSymbol};
use super::{Context, Resolved, Resolver};
use crate::network::code::{Action, Base, Code, FunctionCode, Place};
use crate::network::memory::CONSTANTS;
use crate::network::traverse::{visit, visit_actions};
use crate::network::types::ValueType;
use crate::syntax::tree::{Block, Decl, Expr, FunctionDecl, Statement};

impl Resolver<'_> {
    /// Declares a function.
    pub(super) fn function(&mut self, decl: &FunctionDecl) -> Resolved<()> {
        let before = (self.frame, self.has_effects, self.writes_references, self.context);
        (self.frame, self.has_effects) = (0, false);
        (self.writes_references, self.context) = (false, Context::Statement);
        let resolved = self.in_block(|resolver| resolver.function_body(decl));
        let (frame, has_effects) = (self.net.longest_frame, self.has_effects);
        let writes_references = self.writes_references;
        (self.frame, self.has_effects, self.writes_references, self.context) = before;
        let (result, parameters, body) = resolved?;
        let mut reads_state = false;
        visit_actions(&body, &mut |code| {
            visit(code, &mut |one| {
                reads_state |= match one {
                    Code::Load(place) => match place.base {
                        Base::Absolute(address) => (address as usize) < CONSTANTS,
                        Base::Reference(_) => false,
                        Base::Frame(_) => false,
                    },
                    Code::Call(callee, _) => self.net.functions[*callee as usize].reads_state,
                    _ => false,
                };
            });
        });
        let site = self.site(decl.name.span);
        let number = self.net.functions.len() as u32;
        self.net.functions.push(FunctionCode {
            name: decl.name.text.clone(),
            result,
            parameters,
            frame,
            body,
            has_effects,
            writes_references,
            reads_state,
            site,
        });
        self.declare(&decl.name, Symbol::Function(number))
    }

    #[expect(clippy::type_complexity, reason = "the parts of a function, used once")]
    fn function_body(
        &mut self,
        decl: &FunctionDecl,
    ) -> Resolved<(ValueType, Vec<(ValueType, bool)>, Action)> {
        let (result, _) = self.resolve_type(&decl.result)?;
        if result.has(&ValueType::Clock) || result.has(&ValueType::Chan) {
            return self.fail(decl.result.span, "a function returns no clocks and channels");
        }
        let mut parameters = Vec::new();
        for parameter in &decl.parameters {
            let name = &parameter.declarator.name;
            let (ty, is_const) = self.declared_type(&parameter.ty, &parameter.declarator)?;
            // Clocks and channels have no values that could be copied.
            let is_reference = parameter.declarator.is_reference
                || ty.has(&ValueType::Clock)
                || ty.has(&ValueType::Chan);
            let at = self.reserve(if is_reference { 1 } else { ty.size() });
            let place = if is_reference {
                Place { base: Base::Reference(at), offset: 0, subscripts: Vec::new() }
            } else {
                Place::frame(at as usize)
            };
            let value = ValueSymbol { ty: ty.clone(), place, is_const, known: None };
            self.declare(name, Symbol::Value(value))?;
            parameters.push((ty, is_reference));
        }
        let outer = std::mem::replace(&mut self.result, result.clone());
        let body = self.block(&decl.body);
        self.result = outer;
        Ok((result, parameters, body?))
    }

    fn block(&mut self, block: &Block) -> Resolved<Action> {
        self.in_block(|resolver| {
            let mut actions = Vec::new();
            for decl in &block.decls {
                match resolver.declare_one(decl, Storage::Frame) {
                    Ok(action) => actions.push(action),
                    Err(told) => {
                        resolver.forgive(decl);
                        return Err(told);
                    }
                }
            }
            for statement in &block.statements {
                actions.push(resolver.statement(statement)?);
            }
            Ok(Action::Block(actions))
        })
    }

    fn statement(&mut self, statement: &Statement) -> Resolved<Action> {
        Ok(match statement {
            Statement::Empty => Action::Block(Vec::new()),
            Statement::Block(block) => self.block(block)?,
            Statement::Expr(expr) => Action::Eval(self.effect(expr)?),
            Statement::Assert(expr) => {
                let condition = self.value(expr)?;
                Action::Assert(condition, self.site(expr.span))
            }
            Statement::If(condition, yes, no) => {
                let condition = self.value(condition)?;
                let yes = Box::new(self.statement(yes)?);
                let no = no.as_ref().map(|no| self.statement(no)).transpose()?;
                Action::If(condition, yes, no.map(Box::new))
            }
            Statement::While(condition, body) => {
                let condition = self.value(condition)?;
                Action::Loop(Some(condition), Box::new(self.statement(body)?), Vec::new(), false)
            }
            Statement::DoWhile(body, condition) => {
                let condition = self.value(condition)?;
                Action::Loop(Some(condition), Box::new(self.statement(body)?), Vec::new(), true)
            }
            Statement::For(first, condition, then, body) => {
                let mut actions = Vec::new();
                for first in first {
                    actions.push(Action::Eval(self.effect(first)?));
                }
                let condition = condition.as_ref().map(|one| self.value(one)).transpose()?;
                let then = then.iter().map(|one| self.effect(one)).collect::<Result<_, _>>()?;
                let body = Box::new(self.statement(body)?);
                actions.push(Action::Loop(condition, body, then, false));
                Action::Block(actions)
            }
            Statement::ForEach(name, ty, body) => {
                let (ty, _) = self.resolve_type(ty)?;
                if !ty.is_integral() {
                    let message = format!("values of type {ty} cannot be enumerated");
                    return self.fail(name.span, message);
                }
                let (low, high) = ty.bounds();
                let at = self.reserve(1);
                let place = Place::frame(at as usize);
                let value = ValueSymbol { ty, place, is_const: true, known: None };
                let body = self.in_block(|resolver| {
                    resolver.declare(name, Symbol::Value(value))?;
                    resolver.statement(body)
                })?;
                Action::ForEach(at, low, high, Box::new(body))
            }
            Statement::Return(None, _) => Action::Return(None),
            Statement::Return(Some(value), span) => {
                if self.result == ValueType::Void {
                    return self.fail(*span, "a function of type `void` returns no value");
                }
                if !self.result.is_integral() {
                    return self.return_several(value);
                }
                Action::Return(Some(self.value(value)?))
            }
        })
    }

    /// Returns a structure or an array.
    fn return_several(&mut self, value: &Expr) -> Resolved<Action> {
        let result = self.result.clone();
        let size = result.size();
        if let Some((function, arguments)) = self.call_for(value, &result)? {
            let at = self.reserve(size);
            let to = Place::frame(at as usize);
            let fill = Code::Fill(Box::new((to.clone(), function, arguments, size as u32)));
            let actions = vec![Action::Eval(fill), Action::ReturnCopy(to, size as u32)];
            return Ok(Action::Block(actions));
        }
        let (place, ty) = self.place_of(value)?;
        if !result.accepts(&ty) {
            return self.fail(value.span, format!("a {result} is returned here, not a {ty}"));
        }
        Ok(Action::ReturnCopy(place, size as u32))
    }

    /// An expression that is evaluated for its effects: an update or a statement.
    pub(super) fn effect(&mut self, expr: &Expr) -> Resolved<Code> {
        use crate::syntax::tree::ExprKind;
        if let ExprKind::Conditional(condition, yes, no) = &expr.kind {
            let condition = Box::new(self.value(condition)?);
            let (yes, no) = (Box::new(self.effect(yes)?), Box::new(self.effect(no)?));
            return Ok(Code::Conditional(condition, yes, no));
        }
        self.value(expr)
    }

    /// Declares the names of a template; the prefix is that of its variables.
    pub(super) fn declare_locals(&mut self, decls: &[Decl], prefix: &str) {
        for decl in decls {
            if self.declare_one(decl, Storage::State(prefix)).is_err() {
                self.forgive(decl);
            }
        }
    }
}

/// The name of a process with the values of its parameters.
pub(super) fn process_name(name: &str, values: &[i32]) -> Arc<str> {
    if values.is_empty() {
        return name.into();
    }
    let values: Vec<String> = values.iter().map(i32::to_string).collect();
    format!("{name}({})", values.join(",")).into()
}
