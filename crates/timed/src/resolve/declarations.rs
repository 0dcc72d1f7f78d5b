//! Types, variables, constants, clocks and channels.

use std::sync::Arc;

use beeline_source::source::Span;

use super::scope::{Symbol, ValueSymbol};
use super::{Context, MOST_VALUES, Resolved, Resolver};
use crate::network::code::{Action, Code, Place};
use crate::network::memory::CONSTANTS;
use crate::network::types::{DEFAULT_INT, ValueType};
use crate::network::{Channel, TimedVariable};
use crate::syntax::cursor::Failed;
use crate::syntax::tree::{
    ArraySize, Decl, Declarator, Expr, ExprKind, Initialiser, TypeBase, TypeExpr, VariableDecl,
};

/// Where variables are declared.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Storage<'s> {
    /// In the state, with names that begin so.
    State(&'s str),
    /// In the frame of a function.
    Frame,
}

impl Resolver<'_> {
    /// Declares everything; mistakes are told one by one.
    pub(super) fn declare_all(&mut self, decls: &[Decl]) {
        for decl in decls {
            if self.declare_one(decl, Storage::State("")).is_err() {
                self.forgive(decl);
            }
        }
    }

    /// Uses of a name whose declaration has a mistake are not told.
    pub(super) fn forgive(&mut self, decl: &Decl) {
        let name = match decl {
            Decl::Typedef(decl) => &decl.declarator.name,
            Decl::Variable(decl) => &decl.declarator.name,
            Decl::Function(decl) => &decl.name,
        };
        self.diagnostics.forgive(&name.text);
    }

    pub(super) fn declare_one(&mut self, decl: &Decl, storage: Storage<'_>) -> Resolved<Action> {
        let nothing = Action::Block(Vec::new());
        match decl {
            Decl::Typedef(decl) => {
                let (ty, is_const) = self.declared_type(&decl.ty, &decl.declarator)?;
                self.declare(&decl.declarator.name, Symbol::Type(ty, is_const))?;
                Ok(nothing)
            }
            Decl::Function(function) => self.function(function).map(|()| nothing),
            Decl::Variable(variable) => self.variable(variable, storage),
        }
    }

    /// The type of a declared name, and whether it is constant.
    pub(super) fn declared_type(
        &mut self,
        ty: &TypeExpr,
        declarator: &Declarator,
    ) -> Resolved<(ValueType, bool)> {
        let (mut resolved, is_const) = self.resolve_type(ty)?;
        for size in declarator.sizes.iter().rev() {
            let (low, length) = self.array_size(size)?;
            resolved = ValueType::Array(Arc::new(resolved), low, length);
        }
        if resolved.size() > MOST_VALUES {
            return self.fail(declarator.name.span, "this array is too large");
        }
        Ok((resolved, is_const))
    }

    fn array_size(&mut self, size: &ArraySize) -> Resolved<(i32, u32)> {
        let (ty, span) = match size {
            ArraySize::Type(ty) => (self.resolve_type(ty)?.0, ty.span),
            ArraySize::Expr(expr) => {
                let as_type = match &expr.kind {
                    ExprKind::Name(name) => match self.scopes.find(name) {
                        Some(Symbol::Type(ty, _)) => Some(ty.clone()),
                        _ => None,
                    },
                    _ => None,
                };
                let Some(ty) = as_type else {
                    let size = self.constant(expr)?;
                    return match u32::try_from(size) {
                        Ok(size) if size > 0 && size as usize <= MOST_VALUES => Ok((0, size)),
                        _ => self.fail(expr.span, format!("an array has no {size} elements")),
                    };
                };
                (ty, expr.span)
            }
        };
        if !ty.is_integral() {
            return self.fail(span, format!("values of type {ty} are no indices"));
        }
        let (low, high) = ty.bounds();
        Ok((low, (i64::from(high) - i64::from(low) + 1).max(0) as u32))
    }

    /// A type, and whether its values are constant.
    pub(super) fn resolve_type(&mut self, ty: &TypeExpr) -> Resolved<(ValueType, bool)> {
        if ty.is_hybrid {
            return self.refuse(ty.span, "hybrid clocks");
        }
        let resolved = match &ty.base {
            TypeBase::Void => ValueType::Void,
            TypeBase::Bool => ValueType::Bool,
            // Nothing computes strings, so that they are constants.
            TypeBase::Text => return Ok((ValueType::Text, true)),
            TypeBase::Clock => ValueType::Clock,
            TypeBase::Chan => ValueType::Chan,
            TypeBase::Int(None) => ValueType::Int(DEFAULT_INT.0, DEFAULT_INT.1),
            TypeBase::Int(Some(bounds)) => {
                let (low, high) = (self.constant(&bounds.0)?, self.constant(&bounds.1)?);
                // A type without values is legal: a quantifier over it is about nothing.
                ValueType::Int(low, high.max(low.saturating_sub(1)))
            }
            TypeBase::Scalar(size) => {
                let number = self.constant(size)?;
                if number < 1 {
                    return self.fail(size.span, format!("a set has no {number} members"));
                }
                self.scalars += 1;
                ValueType::Scalar(self.scalars, number)
            }
            TypeBase::Struct(fields) => {
                let mut resolved = Vec::new();
                for field in fields {
                    let (ty, _) = self.declared_type(&field.ty, &field.declarator)?;
                    let name = &field.declarator.name;
                    if resolved.iter().any(|(other, _)| *other == name.text) {
                        let message = format!("the field `{}` is declared twice", name.text);
                        return self.fail(name.span, message);
                    }
                    resolved.push((name.text.clone(), ty));
                }
                ValueType::Struct(Arc::new(resolved))
            }
            TypeBase::Refused(feature) => return self.refuse(ty.span, feature),
            TypeBase::Named(name) => match self.find(&name.text, name.span)? {
                Symbol::Type(named, is_const) => return Ok((named, is_const || ty.is_const)),
                _ => return self.fail(name.span, format!("`{}` is no type", name.text)),
            },
        };
        Ok((resolved, ty.is_const))
    }

    fn variable(&mut self, decl: &VariableDecl, storage: Storage<'_>) -> Resolved<Action> {
        let VariableDecl { ty, declarator, initial } = decl;
        let (resolved, is_const) = self.declared_type(ty, declarator)?;
        let nothing = Action::Block(Vec::new());
        let name = &declarator.name;
        let has_clock = resolved.has(&ValueType::Clock);
        let innermost = resolved.innermost().clone();
        if resolved == ValueType::Void {
            return self.fail(name.span, "a variable has a value");
        }
        if innermost == ValueType::Clock || innermost == ValueType::Chan {
            if storage == Storage::Frame {
                return self.fail(name.span, "a function has no clocks and channels of its own");
            }
            let Storage::State(prefix) = storage else { return Err(Failed) };
            if let Some(initial) = initial {
                let span = initialiser_span(initial);
                if let Initialiser::Expr(Expr { kind: ExprKind::Double, .. }) = initial {
                    return self.refuse(span, "floating point numbers");
                }
                return match (&innermost, initial) {
                    (ValueType::Clock, Initialiser::Expr(Expr { kind: ExprKind::Int(0), .. })) => {
                        self.declare_clocks_or_channels(decl, &resolved, prefix)
                    }
                    _ => self.fail(span, "clocks and channels have no initial values"),
                };
            }
            return self.declare_clocks_or_channels(decl, &resolved, prefix);
        }
        if has_clock || resolved.has(&ValueType::Chan) {
            return self.refuse(name.span, "clocks and channels in structures");
        }
        if resolved.has(&ValueType::Text) && !is_const {
            return self.refuse(name.span, "strings that change");
        }
        if innermost.bounds().0 > innermost.bounds().1 {
            return self.fail(name.span, format!("the type {innermost} has no values"));
        }
        if is_const {
            return self.declare_constant(decl, resolved).map(|()| nothing);
        }
        if let Storage::State(prefix) = storage {
            let values = self.initial_values(initial.as_ref(), &resolved, name.span)?;
            if self.net.variables.len() + values.len() > MOST_VALUES {
                return self.fail(name.span, "the model has too many variables");
            }
            let place = Place::absolute(self.net.variables.len());
            let mut values = values.into_iter();
            let variables = &mut self.net.variables;
            resolved.leaves(&format!("{prefix}{}", name.text), &mut |name, ty| {
                let (low, high) = ty.bounds();
                let initial = values.next().expect("each value has an initial one");
                let name = name.to_owned();
                variables.push(TimedVariable { name, low, high, initial, is_written: false });
            });
            let value = ValueSymbol { ty: resolved, place, is_const: false, known: None };
            self.declare(name, Symbol::Value(value))?;
            return Ok(nothing);
        }
        self.frame_variable(decl, resolved)
    }

    fn frame_variable(&mut self, decl: &VariableDecl, ty: ValueType) -> Resolved<Action> {
        let name = &decl.declarator.name;
        let mut defaults = Vec::new();
        ty.leaves("", &mut |_, leaf| defaults.push(default_value(leaf)));
        let at = self.reserve(defaults.len());
        let place = Place::frame(at as usize);
        let mut actions = vec![Action::Clear(at, defaults.into())];
        if let Some(initial) = &decl.initial {
            let mut offset = 0;
            self.frame_initial(initial, &ty, at, &mut offset, &mut actions)?;
        }
        let value = ValueSymbol { ty, place, is_const: false, known: None };
        self.declare(name, Symbol::Value(value))?;
        Ok(Action::Block(actions))
    }

    /// Assignments of the initial values of a variable in the frame.
    fn frame_initial(
        &mut self,
        initial: &Initialiser,
        ty: &ValueType,
        at: u32,
        offset: &mut u32,
        actions: &mut Vec<Action>,
    ) -> Resolved<()> {
        match (initial, ty) {
            (Initialiser::Expr(expr), _) => {
                let place = Place::frame((at + *offset) as usize);
                *offset += ty.size() as u32;
                let code = self.store(place, ty, None, expr, expr.span)?;
                actions.push(Action::Eval(code));
                Ok(())
            }
            (Initialiser::List(list, span), _) => {
                for (part, inner) in self.matched(list, ty, *span)? {
                    self.frame_initial(part, &inner, at, offset, actions)?;
                }
                Ok(())
            }
        }
    }

    fn declare_clocks_or_channels(
        &mut self,
        decl: &VariableDecl,
        ty: &ValueType,
        prefix: &str,
    ) -> Resolved<Action> {
        let VariableDecl { ty: written, declarator, .. } = decl;
        let name = &declarator.name;
        let mut names = Vec::new();
        let full = format!("{prefix}{}", name.text);
        ty.leaves(&full, &mut |name, _| names.push(name.to_owned()));
        let is_clock = *ty.innermost() == ValueType::Clock;
        let first = if is_clock { self.net.clocks.len() } else { self.net.channels.len() };
        if first + names.len() > MOST_VALUES {
            return self.fail(name.span, "the model has too many clocks or channels");
        }
        if is_clock {
            self.net.clocks.extend(names);
        } else {
            let (is_urgent, is_broadcast) = (written.is_urgent, written.is_broadcast);
            let channels = names.into_iter().map(|name| Channel { name, is_urgent, is_broadcast });
            self.net.channels.extend(channels);
        }
        let value = ValueSymbol {
            ty: ty.clone(),
            place: Place::absolute(first),
            is_const: false,
            known: None,
        };
        self.declare(name, Symbol::Value(value))?;
        Ok(Action::Block(Vec::new()))
    }

    fn declare_constant(&mut self, decl: &VariableDecl, ty: ValueType) -> Resolved<()> {
        let name = &decl.declarator.name;
        let Some(initial) = &decl.initial else {
            return self.fail(name.span, format!("the constant `{}` has no value", name.text));
        };
        let ty = unbounded(ty);
        let values = self.initial_values(Some(initial), &ty, name.span)?;
        let symbol = self.constant_symbol(ty, values);
        self.declare(name, Symbol::Value(symbol))
    }

    /// A constant with these values.
    pub(super) fn constant_symbol(&mut self, ty: ValueType, values: Vec<i32>) -> ValueSymbol {
        let place = Place::absolute(CONSTANTS + self.net.constants.len());
        let known = (values.len() == 1 && ty.is_integral()).then(|| values[0]);
        self.net.constants.extend(values);
        ValueSymbol { ty, place, is_const: true, known }
    }

    /// The initial values of a variable of the state, all computed.
    fn initial_values(
        &mut self,
        initial: Option<&Initialiser>,
        ty: &ValueType,
        span: Span,
    ) -> Resolved<Vec<i32>> {
        let mut values = Vec::new();
        match initial {
            None => ty.leaves("", &mut |_, leaf| values.push(default_value(leaf))),
            Some(Initialiser::Expr(expr)) if ty.is_integral() => {
                let value = self.constant_of(expr, ty)?;
                values.push(value);
            }
            Some(Initialiser::Expr(expr)) => {
                let (place, from) = self.place_of(expr)?;
                if !ty.accepts(&from) {
                    return self.fail(expr.span, format!("a value of type {ty} is missing here"));
                }
                for at in 0..ty.size() {
                    let mut one = place.clone();
                    one.offset += at as u32;
                    values.push(self.evaluate(&Code::Load(one), expr.span)?);
                }
            }
            Some(Initialiser::List(list, list_span)) => {
                let _ = span;
                for (part, inner) in self.matched(list, ty, *list_span)? {
                    let mut more = self.initial_values(Some(part), &inner, *list_span)?;
                    values.append(&mut more);
                }
            }
        }
        Ok(values)
    }

    /// The parts of an initial value in the order of the elements or fields, with their types.
    fn matched<'l>(
        &mut self,
        list: &'l [(Option<crate::syntax::tree::Ident>, Initialiser)],
        ty: &ValueType,
        span: Span,
    ) -> Resolved<Vec<(&'l Initialiser, ValueType)>> {
        match ty {
            ValueType::Array(element, _, length) if list.len() == *length as usize => {
                Ok(list.iter().map(|(_, one)| (one, (**element).clone())).collect())
            }
            ValueType::Struct(fields) if list.len() == fields.len() => {
                let mut parts = Vec::new();
                for (at, (name, ty)) in fields.iter().enumerate() {
                    let named = list
                        .iter()
                        .find(|(label, _)| label.as_ref().is_some_and(|label| label.text == *name));
                    let part = named.unwrap_or(&list[at]);
                    parts.push((&part.1, ty.clone()));
                }
                Ok(parts)
            }
            ValueType::Array(..) | ValueType::Struct(_) => {
                let wanted = match ty {
                    ValueType::Array(_, _, length) => *length as usize,
                    ValueType::Struct(fields) => fields.len(),
                    _ => 1,
                };
                let message = format!("{wanted} initial values are needed, not {}", list.len());
                self.fail(span, message)
            }
            _ => self.fail(span, format!("a list is no value of type {ty}")),
        }
    }

    /// The value of a constant expression.
    pub(super) fn constant(&mut self, expr: &Expr) -> Resolved<i32> {
        let context = std::mem::replace(&mut self.context, Context::Statement);
        let code = self.value(expr);
        self.context = context;
        self.evaluate(&code?, expr.span)
    }

    /// The value of a constant expression of a type.
    pub(super) fn constant_of(&mut self, expr: &Expr, ty: &ValueType) -> Resolved<i32> {
        let value = self.constant(expr)?;
        let (low, high) = ty.bounds();
        if value < low || value > high {
            let message = format!("the value {value} is not between {low} and {high}");
            return self.fail(expr.span, message);
        }
        Ok(value)
    }
}

/// The type of a constant: `int` without bounds has 32 bits then.
pub(super) fn unbounded(ty: ValueType) -> ValueType {
    match ty {
        ValueType::Int(low, high) if (low, high) == DEFAULT_INT => {
            ValueType::Int(i32::MIN, i32::MAX)
        }
        ValueType::Array(element, low, length) => {
            ValueType::Array(Arc::new(unbounded((*element).clone())), low, length)
        }
        ValueType::Struct(fields) => {
            let fields = fields.iter().map(|(name, ty)| (name.clone(), unbounded(ty.clone())));
            ValueType::Struct(Arc::new(fields.collect()))
        }
        other => other,
    }
}

fn initialiser_span(initial: &Initialiser) -> Span {
    match initial {
        Initialiser::Expr(expr) => expr.span,
        Initialiser::List(_, span) => *span,
    }
}

/// The initial value of a variable without one: 0, or the bound that is nearest to it.
pub(super) fn default_value(ty: &ValueType) -> i32 {
    let (low, high) = ty.bounds();
    0.clamp(low, high.max(low))
}
