//! Places and assignments.

use beeline_source::source::Span;

use super::scope::{Symbol, ValueSymbol};
use super::{Resolved, Resolver};
use crate::network::code::{Base, Code, Place, StoreCode, Subscript};
use crate::network::memory::CONSTANTS;
use crate::network::operators::TimedOperator;
use crate::network::types::ValueType;
use crate::syntax::tree::{Expr, ExprKind};

impl Resolver<'_> {
    /// Whether an expression names a place.
    pub(super) fn is_place(&self, expr: &Expr) -> bool {
        match &expr.kind {
            ExprKind::Name(name) => matches!(self.scopes.find(name), Some(Symbol::Value(_))),
            ExprKind::Text(_) => true,
            ExprKind::Index(inner, _) => self.is_place(inner),
            ExprKind::Field(inner, field) => {
                self.is_place(inner) || self.is_value_of_process(inner, &field.text)
            }
            _ => false,
        }
    }

    /// Whether this is a value of a process, such as `P(1).x`.
    fn is_value_of_process(&self, process: &Expr, field: &str) -> bool {
        let name = match &process.kind {
            ExprKind::Name(name) => name,
            ExprKind::Call(function, _) => match &function.kind {
                ExprKind::Name(name) => name,
                _ => return false,
            },
            _ => return false,
        };
        let Some(Symbol::Processes(set)) = self.scopes.find(name) else { return false };
        let Some(&any) = set.instances.values().next() else { return false };
        matches!(self.locals[any as usize].get(field), Some(Symbol::Value(_)))
            && !self.net.processes[any as usize].locations.iter().any(|one| *one.name == *field)
    }

    /// The place that an expression names, and the type of its value.
    pub(super) fn place_of(&mut self, expr: &Expr) -> Resolved<(Place, ValueType)> {
        self.target(expr).map(|(place, ty, _)| (place, ty))
    }

    /// The same, and whether the value is constant.
    fn target(&mut self, expr: &Expr) -> Resolved<(Place, ValueType, bool)> {
        match &expr.kind {
            ExprKind::Name(name) => match self.find(name, expr.span)? {
                Symbol::Value(ValueSymbol { ty, place, is_const, .. }) => Ok((place, ty, is_const)),
                Symbol::Type(..) => self.fail(expr.span, format!("`{name}` is a type")),
                Symbol::Function(_) => self.fail(expr.span, format!("`{name}` is a function")),
                Symbol::Processes(_) => self.fail(expr.span, format!("`{name}` is a process")),
            },
            ExprKind::Text(text) => Ok((self.string(text), ValueType::Text, true)),
            ExprKind::Index(inner, index) => {
                let (mut place, ty, is_const) = self.target(inner)?;
                let ValueType::Array(element, low, length) = ty else {
                    return self.fail(inner.span, format!("a {ty} has no elements"));
                };
                let code = self.value(index)?;
                let site = self.site(index.span);
                let stride = element.size() as u32;
                match code {
                    Code::Const(value)
                        if value >= low
                            && i64::from(value) < i64::from(low) + i64::from(length) =>
                    {
                        place.offset += (value - low) as u32 * stride;
                    }
                    index => {
                        place.subscripts.push(Subscript { index, low, length, stride, site });
                    }
                }
                Ok((place, (*element).clone(), is_const))
            }
            ExprKind::Field(inner, field) => {
                if let Some(process) = self.process(inner)? {
                    return match self.locals[process as usize].get(&field.text).cloned() {
                        Some(Symbol::Value(ValueSymbol { ty, place, .. })) => Ok((place, ty, true)),
                        _ => {
                            let name = &self.net.processes[process as usize].name;
                            let message =
                                format!("process `{name}` has no variable `{}`", field.text);
                            self.fail(field.span, message)
                        }
                    };
                }
                let (mut place, ty, is_const) = self.target(inner)?;
                let ValueType::Struct(fields) = &ty else {
                    return self.fail(field.span, format!("a {ty} has no fields"));
                };
                let mut offset = 0;
                for (name, field_ty) in &**fields {
                    if *name == field.text {
                        place.offset += offset;
                        return Ok((place, field_ty.clone(), is_const));
                    }
                    offset += field_ty.size() as u32;
                }
                let known: Vec<&str> = fields.iter().map(|(name, _)| &**name).collect();
                let advice = beeline_source::diagnostic::known_names(&field.text, &known);
                let message = format!("the structure has no field `{}`{advice}", field.text);
                self.fail(field.span, message)
            }
            _ => self.fail(expr.span, "this is no variable"),
        }
    }

    /// A constant whose value is the number of a string.
    fn string(&mut self, text: &str) -> Place {
        let known = self.net.strings.iter().position(|one| one == text);
        let number = known.unwrap_or_else(|| {
            self.net.strings.push(text.to_owned());
            self.net.strings.len() - 1
        });
        self.constant_symbol(ValueType::Text, vec![number as i32]).place
    }

    /// Records that a statement may change these values.
    pub(super) fn mark_written(&mut self, place: &Place, size: usize) {
        match place.range() {
            Some((first, last)) => {
                self.has_effects = true;
                let variables = &mut self.net.variables;
                let end = (last + size).min(variables.len());
                if first < CONSTANTS {
                    variables[first..end].iter_mut().for_each(|one| one.is_written = true);
                }
            }
            // A reference: the place is recorded where it is passed.
            None => self.writes_references |= matches!(place.base, Base::Reference(_)),
        }
    }

    pub(super) fn assignment(
        &mut self,
        op: Option<TimedOperator>,
        target: &Expr,
        value: &Expr,
        span: Span,
    ) -> Resolved<Code> {
        if let ExprKind::Rate(_) = target.kind {
            return self.refuse(span, "rates of clocks other than 1 (stop-watches)");
        }
        if let ExprKind::Conditional(condition, yes, no) = &target.kind {
            let condition = Box::new(self.value(condition)?);
            let yes = Box::new(self.assignment(op, yes, value, span)?);
            let no = Box::new(self.assignment(op, no, value, span)?);
            return Ok(Code::Conditional(condition, yes, no));
        }
        let (place, ty, is_const) = self.target(target)?;
        if is_const {
            return self.fail(target.span, "a constant cannot be changed");
        }
        self.store(place, &ty, op, value, span)
    }

    /// Stores a value at a place.
    pub(super) fn store(
        &mut self,
        place: Place,
        ty: &ValueType,
        op: Option<TimedOperator>,
        value: &Expr,
        span: Span,
    ) -> Resolved<Code> {
        if *ty == ValueType::Clock {
            if op.is_some() {
                return self.fail(span, "a clock can be set to a number only");
            }
            if self.is_place(value) && self.place_of(value)?.1 == ValueType::Clock {
                return self.refuse(span, "copies of clocks");
            }
            self.has_effects = true;
            let value = self.value(value)?;
            let site = self.site(span);
            return Ok(Code::Reset(Box::new((place, value, site))));
        }
        self.mark_written(&place, ty.size());
        if ty.is_integral() {
            let value = self.value(value)?;
            let site = self.site(span);
            let bounds = ty.bounds();
            let assignment = StoreCode { to: place, op, value, bounds, is_postfix: false, site };
            return Ok(Code::Assign(Box::new(assignment)));
        }
        if op.is_none()
            && let Some((function, arguments)) = self.call_for(value, ty)?
        {
            return Ok(Code::Fill(Box::new((place, function, arguments, ty.size() as u32))));
        }
        let (from, other) = self.place_of(value)?;
        if op.is_some() || !ty.accepts(&other) {
            return self.fail(span, format!("a {other} cannot be assigned to a {ty}"));
        }
        Ok(Code::Copy(Box::new((place, from, ty.size() as u32))))
    }

    pub(super) fn step(
        &mut self,
        by: i32,
        is_postfix: bool,
        target: &Expr,
        span: Span,
    ) -> Resolved<Code> {
        let (place, ty, is_const) = self.target(target)?;
        if is_const {
            return self.fail(target.span, "a constant cannot be changed");
        }
        if !ty.is_integral() {
            return self.fail(span, format!("a {ty} has no successor"));
        }
        self.mark_written(&place, 1);
        let (bounds, site) = (ty.bounds(), self.site(span));
        let (op, value) = (Some(TimedOperator::Add), Code::Const(by));
        let assignment = StoreCode { to: place, op, value, bounds, is_postfix, site };
        Ok(Code::Assign(Box::new(assignment)))
    }
}
