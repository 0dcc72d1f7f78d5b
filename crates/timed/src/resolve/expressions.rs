//! Expressions: values, and conditions with comparisons of clocks.

use beeline_source::source::Span;

use super::scope::{Symbol, ValueSymbol};
use super::{Context, Resolved, Resolver};
use crate::network::code::{Argument, ClockComparison, Code, Place};
use crate::network::memory::operate;
use crate::network::operators::{Quantifier, TimedOperator};
use crate::network::traverse::{has_clocks, visit};
use crate::network::types::ValueType;
use crate::syntax::tree::{Expr, ExprKind, Ident, TypeExpr, UnaryOp};

/// A sum of clocks and numbers: `x - y + 3`.
pub(super) struct Linear {
    plus: Option<Place>,
    minus: Option<Place>,
    constant: Code,
}

impl Resolver<'_> {
    /// An expression as a number.
    pub(super) fn value(&mut self, expr: &Expr) -> Resolved<Code> {
        let code = self.condition(expr)?;
        if has_clocks(&code) {
            let message = "a comparison of clocks has no value: it can be joined by `&&`, `||`, \
                           `!`, `imply` and quantifiers only";
            return self.fail(expr.span, message);
        }
        Ok(code)
    }

    /// An expression as a condition, which may compare clocks.
    pub(super) fn condition(&mut self, expr: &Expr) -> Resolved<Code> {
        let span = expr.span;
        match &expr.kind {
            ExprKind::Int(number) => match i32::try_from(*number) {
                Ok(number) => Ok(Code::Const(number)),
                Err(_) => self.fail(span, format!("the number {number} does not fit in 32 bits")),
            },
            ExprKind::Double => self.refuse(span, "floating point numbers"),
            ExprKind::Text(_) => self.fail(span, "a string has no value: compare it with a string"),
            ExprKind::Bool(value) => Ok(Code::Const(i32::from(*value))),
            ExprKind::Name(_) | ExprKind::Index(..) => self.load(expr),
            ExprKind::Field(inner, field) => match self.process(inner)? {
                Some(process) => self.of_process(process, field),
                None => self.load(expr),
            },
            ExprKind::Call(function, arguments) => self.call(function, arguments, span),
            ExprKind::Unary(UnaryOp::Minus, inner) => {
                if let ExprKind::Int(number) = inner.kind
                    && let Ok(number) = i32::try_from(-number)
                {
                    return Ok(Code::Const(number));
                }
                let inner = self.value(inner)?;
                let site = self.site(span);
                Ok(folded(Code::Negate(Box::new(inner), site)))
            }
            ExprKind::Unary(UnaryOp::Not, inner) => {
                Ok(folded(Code::Not(Box::new(self.condition(inner)?))))
            }
            ExprKind::Unary(UnaryOp::Complement, inner) => {
                // ~e = -e - 1 in two's complement.
                let inner = self.value(inner)?;
                let site = self.site(span);
                let (inner, ones) = (Box::new(inner), Box::new(Code::Const(-1)));
                Ok(folded(Code::Binary(TimedOperator::BitXor, inner, ones, site)))
            }
            ExprKind::Binary(op, left, right) => self.binary(*op, left, right, span),
            ExprKind::Conditional(condition, yes, no) => {
                let condition = Box::new(self.value(condition)?);
                let (yes, no) = (Box::new(self.condition(yes)?), Box::new(self.condition(no)?));
                Ok(folded(Code::Conditional(condition, yes, no)))
            }
            ExprKind::Assign(op, target, value) => self.assignment(*op, target, value, span),
            ExprKind::Step { by, is_postfix, target } => self.step(*by, *is_postfix, target, span),
            ExprKind::Quantified(quantifier, name, ty, body) => {
                self.quantified(*quantifier, name, ty, body)
            }
            ExprKind::Deadlock if self.context == Context::Query => Ok(Code::Deadlock),
            ExprKind::Deadlock => self.fail(span, "`deadlock` can stand only in queries"),
            ExprKind::Rate(_) => self.refuse(span, "rates of clocks other than 1 (stop-watches)"),
        }
    }

    fn load(&mut self, expr: &Expr) -> Resolved<Code> {
        if let ExprKind::Name(name) = &expr.kind {
            if let Some(labelled) = self.labelled(name) {
                return Ok(labelled);
            }
            match self.find(name, expr.span)? {
                Symbol::Value(ValueSymbol { known: Some(value), .. }) => {
                    return Ok(Code::Const(value));
                }
                Symbol::Processes(_) => {
                    let message = format!("`{name}` is a process: name a location, `{name}.l`");
                    return self.fail(expr.span, message);
                }
                _ => {}
            }
        }
        let (place, ty) = self.place_of(expr)?;
        match ty {
            ValueType::Clock => {
                self.fail(expr.span, "a clock has no value: compare it with a number")
            }
            ValueType::Chan => self.fail(expr.span, "a channel has no value"),
            ty if ty.is_integral() => Ok(folded_load(place, &self.net.constants)),
            ty => self.fail(expr.span, format!("a value of type {ty} is not a number")),
        }
    }

    /// In a query, a label of TChecker stands for the locations that have it.
    fn labelled(&self, label: &str) -> Option<Code> {
        if self.context != Context::Query || self.scopes.find(label).is_some() {
            return None;
        }
        let mut all = Vec::new();
        for (number, process) in self.net.processes.iter().enumerate() {
            for (at, location) in process.locations.iter().enumerate() {
                if location.labels.iter().any(|one| **one == *label) {
                    all.push(Code::At(number as u32, at as u32));
                }
            }
        }
        balanced(all, &|left, right| Code::Or(Box::new(left), Box::new(right)))
    }

    fn binary(
        &mut self,
        op: TimedOperator,
        left: &Expr,
        right: &Expr,
        span: Span,
    ) -> Resolved<Code> {
        match op {
            TimedOperator::And | TimedOperator::Or | TimedOperator::Imply => {
                if op == TimedOperator::And && self.context == Context::Condition {
                    // `x' == 1` is what clocks do anyway.
                    for (one, other) in [(left, right), (right, left)] {
                        if self.is_rate_of_one(one)? {
                            return self.condition(other);
                        }
                    }
                }
                let (left, right) = (self.condition(left)?, self.condition(right)?);
                let (left, right) = (Box::new(left), Box::new(right));
                Ok(folded(match op {
                    TimedOperator::And => Code::And(left, right),
                    TimedOperator::Or => Code::Or(left, right),
                    _ => Code::Or(Box::new(folded(Code::Not(left))), right),
                }))
            }
            _ if op.is_comparison() => self.comparison(op, left, right, span),
            _ => {
                let (left, right) = (self.value(left)?, self.value(right)?);
                let site = self.site(span);
                Ok(folded(Code::Binary(op, Box::new(left), Box::new(right), site)))
            }
        }
    }

    /// Whether this is `x' == 1`.
    ///
    /// # Errors
    ///
    /// When it is another condition on a rate.
    fn is_rate_of_one(&mut self, expr: &Expr) -> Resolved<bool> {
        let ExprKind::Binary(TimedOperator::Equal, left, right) = &expr.kind else {
            return Ok(false);
        };
        let rate = match (&left.kind, &right.kind) {
            (ExprKind::Rate(_), _) => right,
            (_, ExprKind::Rate(_)) => left,
            _ => return Ok(false),
        };
        if matches!(rate.kind, ExprKind::Int(1)) {
            return Ok(true);
        }
        self.refuse(expr.span, "rates of clocks other than 1 (stop-watches)")
    }

    fn comparison(
        &mut self,
        op: TimedOperator,
        left: &Expr,
        right: &Expr,
        span: Span,
    ) -> Resolved<Code> {
        let whole = Expr {
            kind: ExprKind::Binary(op, Box::new(left.clone()), Box::new(right.clone())),
            span,
        };
        if self.is_rate_of_one(&whole)? {
            return Ok(Code::Const(1));
        }
        let linear = (self.linear(left)?, self.linear(right)?);
        let (one, other) = match linear {
            (None, None) => return self.comparison_of_values(op, left, right, span),
            (Some(one), Some(other)) => (one, other),
            (Some(one), None) => (one, Linear::constant(self.value(right)?)),
            (None, Some(other)) => (Linear::constant(self.value(left)?), other),
        };
        if self.context == Context::Statement {
            let message = "clocks can be compared only in guards, invariants and queries";
            return self.fail(span, message);
        }
        // one - other op 0.
        let Linear { plus, minus, constant } = self.difference(one, other, span)?;
        let Some(plus) = plus else {
            // -y op c: y op' -c.
            let (plus, bound) = (minus, constant);
            let op = op.mirrored();
            return Ok(Code::Clocks(Box::new(ClockComparison { plus, minus: None, op, bound })));
        };
        let site = self.site(span);
        let bound = folded(Code::Negate(Box::new(constant), site));
        Ok(Code::Clocks(Box::new(ClockComparison { plus: Some(plus), minus, op, bound })))
    }

    fn comparison_of_values(
        &mut self,
        op: TimedOperator,
        left: &Expr,
        right: &Expr,
        span: Span,
    ) -> Resolved<Code> {
        let is_equality = matches!(op, TimedOperator::Equal | TimedOperator::NotEqual);
        if is_equality
            && let (Some((one, ty)), Some((other, other_ty))) =
                (self.aggregate(left)?, self.aggregate(right)?)
        {
            if !ty.accepts(&other_ty) {
                return self.fail(span, format!("{ty} and {other_ty} cannot be compared"));
            }
            let same = Code::Same(Box::new((one, other, ty.size() as u32)));
            return Ok(if op == TimedOperator::Equal { same } else { Code::Not(Box::new(same)) });
        }
        let (left, right) = (self.value(left)?, self.value(right)?);
        let site = self.site(span);
        Ok(folded(Code::Binary(op, Box::new(left), Box::new(right), site)))
    }

    /// A place with several values, or with a string, if the expression is one.
    fn aggregate(&mut self, expr: &Expr) -> Resolved<Option<(Place, ValueType)>> {
        if !self.is_place(expr) {
            return Ok(None);
        }
        let (place, ty) = self.place_of(expr)?;
        let is_compared_whole =
            matches!(ty, ValueType::Array(..) | ValueType::Struct(_) | ValueType::Text);
        Ok(is_compared_whole.then_some((place, ty)))
    }

    /// A sum with clocks; `None` if the expression has no clocks.
    fn linear(&mut self, expr: &Expr) -> Resolved<Option<Linear>> {
        match &expr.kind {
            ExprKind::Name(_) | ExprKind::Index(..) | ExprKind::Field(..)
                if self.is_place(expr) =>
            {
                let (place, ty) = self.place_of(expr)?;
                let zero = Code::Const(0);
                Ok((ty == ValueType::Clock).then_some(Linear {
                    plus: Some(place),
                    minus: None,
                    constant: zero,
                }))
            }
            ExprKind::Field(inner, field) => {
                let Some(process) = self.process(inner)? else { return Ok(None) };
                let found = self.locals[process as usize].get(&field.text);
                let Some(Symbol::Value(ValueSymbol { ty: ValueType::Clock, place, .. })) = found
                else {
                    return Ok(None);
                };
                let (plus, constant) = (Some(place.clone()), Code::Const(0));
                Ok(Some(Linear { plus, minus: None, constant }))
            }
            ExprKind::Binary(TimedOperator::Add | TimedOperator::Sub, left, right) => {
                let is_sum = matches!(expr.kind, ExprKind::Binary(TimedOperator::Add, ..));
                let (one, other) = match (self.linear(left)?, self.linear(right)?) {
                    (None, None) => return Ok(None),
                    (Some(one), Some(other)) => (one, other),
                    (Some(one), None) => (one, Linear::constant(self.value(right)?)),
                    (None, Some(other)) => (Linear::constant(self.value(left)?), other),
                };
                let joined = if is_sum {
                    self.sum(one, other, expr.span)
                } else {
                    self.difference(one, other, expr.span)
                };
                joined.map(Some)
            }
            ExprKind::Binary(TimedOperator::Mul, left, right) => {
                if self.linear(left)?.is_some() || self.linear(right)?.is_some() {
                    let message = "a clock cannot be multiplied in a condition";
                    return self.tell(
                        beeline_source::diagnostic::Diagnostic::error(
                            "timed-clock",
                            expr.span,
                            message,
                        )
                        .help("divide the numbers instead: `x > 2` for `5 * x > 10`"),
                    );
                }
                Ok(None)
            }
            ExprKind::Unary(UnaryOp::Minus, inner) => {
                let Some(inner) = self.linear(inner)? else { return Ok(None) };
                let zero = Linear::constant(Code::Const(0));
                self.difference(zero, inner, expr.span).map(Some)
            }
            _ => Ok(None),
        }
    }

    fn difference(&mut self, one: Linear, other: Linear, span: Span) -> Resolved<Linear> {
        let site = self.site(span);
        let negated = folded(Code::Negate(Box::new(other.constant), site));
        let other = Linear { plus: other.minus, minus: other.plus, constant: negated };
        self.sum(one, other, span)
    }

    fn sum(&mut self, one: Linear, other: Linear, span: Span) -> Resolved<Linear> {
        let message = "a condition can compare one clock, or the difference of two clocks, with a \
                       number";
        let plus = match (one.plus, other.plus) {
            (Some(_), Some(_)) => return self.fail(span, message),
            (one, other) => one.or(other),
        };
        let minus = match (one.minus, other.minus) {
            (Some(_), Some(_)) => return self.fail(span, message),
            (one, other) => one.or(other),
        };
        let site = self.site(span);
        let (left, right) = (Box::new(one.constant), Box::new(other.constant));
        let constant = folded(Code::Binary(TimedOperator::Add, left, right, site));
        Ok(Linear { plus, minus, constant })
    }

    fn quantified(
        &mut self,
        quantifier: Quantifier,
        name: &Ident,
        ty: &TypeExpr,
        body: &Expr,
    ) -> Resolved<Code> {
        let (ty, _) = self.resolve_type(ty)?;
        if !ty.is_integral() {
            return self.fail(name.span, format!("values of type {ty} cannot be enumerated"));
        }
        let (low, high) = ty.bounds();
        if self.context == Context::Query {
            return self.unrolled(quantifier, name, &ty, body);
        }
        let frame = self.frame;
        let at = self.reserve(1);
        let value =
            ValueSymbol { ty, place: Place::frame(at as usize), is_const: true, known: None };
        let body = self.in_block(|resolver| {
            resolver.declare(name, Symbol::Value(value))?;
            match quantifier {
                Quantifier::Sum => resolver.value(body),
                Quantifier::Forall | Quantifier::Exists => resolver.condition(body),
            }
        });
        self.frame = frame;
        Ok(Code::Quantified(quantifier, at, low, high, Box::new(body?)))
    }

    /// A quantifier of a query, with a copy of its body for each value: processes and locations
    /// depend on the value.
    fn unrolled(
        &mut self,
        quantifier: Quantifier,
        name: &Ident,
        ty: &ValueType,
        body: &Expr,
    ) -> Resolved<Code> {
        /// Copies that a query may have in all.
        const MOST: i64 = 1 << 16;
        let (low, high) = ty.bounds();
        if i64::from(high) - i64::from(low) >= MOST {
            return self.fail(name.span, "the values of this type are too many to enumerate");
        }
        let mut parts = Vec::new();
        for value in low..=high {
            let place = Place::frame(0);
            let symbol = ValueSymbol { ty: ty.clone(), place, is_const: true, known: Some(value) };
            parts.push(self.in_block(|resolver| {
                resolver.declare(name, Symbol::Value(symbol))?;
                match quantifier {
                    Quantifier::Sum => resolver.value(body),
                    Quantifier::Forall | Quantifier::Exists => resolver.condition(body),
                }
            })?);
        }
        let site = self.site(name.span);
        Ok(balanced(parts, &|left, right| {
            let (left, right) = (Box::new(left), Box::new(right));
            folded(match quantifier {
                Quantifier::Forall => Code::And(left, right),
                Quantifier::Exists => Code::Or(left, right),
                Quantifier::Sum => Code::Binary(TimedOperator::Add, left, right, site),
            })
        })
        .unwrap_or(Code::Const(i32::from(quantifier == Quantifier::Forall))))
    }

    /// The process that an expression names, if it names one: `P`, `P(1,2)`.
    pub(super) fn process(&mut self, expr: &Expr) -> Resolved<Option<u32>> {
        let (name, arguments): (_, &[Expr]) = match &expr.kind {
            ExprKind::Name(name) => (name, &[]),
            ExprKind::Call(function, arguments) => match &function.kind {
                ExprKind::Name(name) => (name, arguments),
                _ => return Ok(None),
            },
            _ => return Ok(None),
        };
        let Some(Symbol::Processes(set)) = self.scopes.find(name) else { return Ok(None) };
        let set = set.clone();
        if arguments.len() != set.parameters {
            let message =
                format!("`{name}` has {} parameters, not {}", set.parameters, arguments.len());
            return self.fail(expr.span, message);
        }
        let mut values = Vec::new();
        for argument in arguments {
            values.push(self.constant(argument)?);
        }
        match set.instances.get(&values) {
            Some(&process) => Ok(Some(process)),
            None => {
                let values: Vec<String> = values.iter().map(i32::to_string).collect();
                let message = format!("there is no process `{name}({})`", values.join(", "));
                self.fail(expr.span, message)
            }
        }
    }

    /// A location or a value of a process.
    fn of_process(&mut self, process: u32, field: &Ident) -> Resolved<Code> {
        let found = &self.net.processes[process as usize];
        let location = found.locations.iter().position(|one| *one.name == *field.text);
        if let Some(location) = location {
            if self.context != Context::Query {
                return self.fail(field.span, "locations of processes can stand only in queries");
            }
            return Ok(Code::At(process, location as u32));
        }
        match self.locals[process as usize].get(&field.text).cloned() {
            Some(Symbol::Value(ValueSymbol { known: Some(value), .. })) => Ok(Code::Const(value)),
            Some(Symbol::Value(ValueSymbol { ty, place, .. })) if ty.is_integral() => {
                Ok(folded_load(place, &self.net.constants))
            }
            Some(Symbol::Value(ValueSymbol { ty, .. })) => {
                self.fail(field.span, format!("`{}` is a {ty} and no number", field.text))
            }
            _ => {
                let mut known: Vec<&str> = found.locations.iter().map(|one| &*one.name).collect();
                known.extend(self.locals[process as usize].keys().map(|name| &**name));
                known.retain(|name| !name.is_empty());
                known.sort_unstable();
                let advice = beeline_source::diagnostic::known_names(&field.text, &known);
                let message = format!("process `{}` has no `{}`{advice}", found.name, field.text);
                self.fail(field.span, message)
            }
        }
    }

    fn call(&mut self, function: &Expr, arguments: &[Expr], span: Span) -> Resolved<Code> {
        let number = self.callee(function, span)?;
        let result = &self.net.functions[number as usize].result;
        if !result.is_integral() && *result != ValueType::Void {
            return self.fail(span, format!("a {result} is not a number"));
        }
        Ok(Code::Call(number, self.passed(number, arguments, span)?))
    }

    /// A call that returns several values of this type, if the expression is one.
    pub(super) fn call_for(
        &mut self,
        expr: &Expr,
        ty: &ValueType,
    ) -> Resolved<Option<(u32, Vec<Argument>)>> {
        let ExprKind::Call(function, arguments) = &expr.kind else { return Ok(None) };
        let number = self.callee(function, expr.span)?;
        let result = self.net.functions[number as usize].result.clone();
        if !ty.accepts(&result) {
            return self.fail(expr.span, format!("a {ty} is needed here, not a {result}"));
        }
        Ok(Some((number, self.passed(number, arguments, expr.span)?)))
    }

    /// The function that is called: a global one, or one of a process in a query.
    fn callee(&mut self, function: &Expr, span: Span) -> Resolved<u32> {
        if let ExprKind::Field(process, field) = &function.kind
            && let Some(process) = self.process(process)?
        {
            return match self.locals[process as usize].get(&field.text) {
                Some(Symbol::Function(number)) => Ok(*number),
                _ => self.fail(field.span, format!("the process has no function `{}`", field.text)),
            };
        }
        let ExprKind::Name(name) = &function.kind else {
            return self.fail(function.span, "this is no function");
        };
        match self.find(name, function.span)? {
            Symbol::Function(number) => Ok(number),
            Symbol::Processes(_) => self.fail(span, "this is a process: name a location, `P(1).l`"),
            _ => self.fail(function.span, format!("`{name}` is no function")),
        }
    }

    fn passed(&mut self, number: u32, arguments: &[Expr], span: Span) -> Resolved<Vec<Argument>> {
        let callee = &self.net.functions[number as usize];
        let (parameters, has_effects) = (callee.parameters.clone(), callee.has_effects);
        let (name, writes_references) = (callee.name.clone(), callee.writes_references);
        if parameters.len() != arguments.len() {
            let message =
                format!("`{name}` has {} parameters, not {}", parameters.len(), arguments.len());
            return self.fail(span, message);
        }
        self.has_effects |= has_effects;
        let mut passed = Vec::new();
        for (argument, (ty, is_reference)) in arguments.iter().zip(&parameters) {
            passed.push(self.argument(argument, ty, *is_reference, writes_references)?);
        }
        Ok(passed)
    }

    fn argument(
        &mut self,
        argument: &Expr,
        ty: &ValueType,
        is_reference: bool,
        may_write: bool,
    ) -> Resolved<Argument> {
        if ty.is_integral() && !is_reference {
            let (low, high) = ty.bounds();
            return Ok(Argument::Value(self.value(argument)?, low, high));
        }
        if !is_reference && let Some((function, arguments)) = self.call_for(argument, ty)? {
            return Ok(Argument::Result(function, arguments, ty.size() as u32));
        }
        let (place, from) = self.place_of(argument)?;
        if !ty.accepts(&from) {
            return self.fail(argument.span, format!("a {ty} is passed here, not a {from}"));
        }
        if !is_reference {
            return Ok(Argument::Copy(place, ty.size() as u32));
        }
        if may_write && !matches!(from, ValueType::Clock | ValueType::Chan) {
            self.mark_written(&place, from.size());
        }
        Ok(Argument::Reference(place))
    }

    /// Whether an expression can be computed before a run.
    pub(super) fn is_known_before_a_run(&self, code: &Code) -> bool {
        let mut is_known = true;
        visit(code, &mut |one| {
            is_known &= match one {
                Code::Load(place) => {
                    place
                        .range()
                        .is_some_and(|(first, _)| first >= crate::network::memory::CONSTANTS)
                        || !matches!(place.base, crate::network::code::Base::Absolute(_))
                }
                Code::Call(function, _) => {
                    let function = &self.net.functions[*function as usize];
                    !function.has_effects && !function.reads_state
                }
                Code::Assign(_) | Code::Copy(_) | Code::Fill(_) => false,
                Code::Reset(_) | Code::At(..) => false,
                Code::Clocks(_) | Code::Deadlock => false,
                _ => true,
            };
        });
        is_known
    }
}

impl Linear {
    fn constant(constant: Code) -> Linear {
        Linear { plus: None, minus: None, constant }
    }
}

/// Joins parts in a tree of logarithmic depth.
fn balanced(mut parts: Vec<Code>, join: &dyn Fn(Code, Code) -> Code) -> Option<Code> {
    while parts.len() > 1 {
        let mut next = Vec::with_capacity(parts.len().div_ceil(2));
        let mut rest = parts.into_iter();
        while let Some(left) = rest.next() {
            next.push(match rest.next() {
                Some(right) => join(left, right),
                None => left,
            });
        }
        parts = next;
    }
    parts.pop()
}

/// The same expression, computed where its operands are numbers.
pub(super) fn folded(code: Code) -> Code {
    let truth = |value: bool| Code::Const(i32::from(value));
    match code {
        Code::Negate(inner, site) => match *inner {
            Code::Const(value) => Code::Const(value.wrapping_neg()),
            Code::Negate(inner, _) => *inner,
            other => Code::Negate(Box::new(other), site),
        },
        Code::Not(inner) => match *inner {
            Code::Const(value) => truth(value == 0),
            other => Code::Not(Box::new(other)),
        },
        Code::Binary(op, left, right, site) => match (&*left, &*right) {
            (Code::Const(one), Code::Const(other)) => match operate(op, *one, *other) {
                Some(value) => Code::Const(value),
                None => Code::Binary(op, left, right, site),
            },
            (Code::Const(0), _) if op == TimedOperator::Add => *right,
            (_, Code::Const(0)) if matches!(op, TimedOperator::Add | TimedOperator::Sub) => *left,
            _ => Code::Binary(op, left, right, site),
        },
        Code::And(left, right) => match (&*left, &*right) {
            (Code::Const(0), _) => truth(false),
            (Code::Const(_), _) if is_condition(&right) => *right,
            (_, Code::Const(value)) if *value != 0 && is_condition(&left) => *left,
            _ => Code::And(left, right),
        },
        Code::Or(left, right) => match (&*left, &*right) {
            (Code::Const(0), _) if is_condition(&right) => *right,
            (Code::Const(value), _) if *value != 0 => truth(true),
            (_, Code::Const(0)) if is_condition(&left) => *left,
            _ => Code::Or(left, right),
        },
        Code::Conditional(condition, yes, no) => match &*condition {
            Code::Const(0) => *no,
            Code::Const(_) => *yes,
            _ => Code::Conditional(condition, yes, no),
        },
        other => other,
    }
}

/// Whether the value is a truth value, or the expression compares clocks.
fn is_condition(code: &Code) -> bool {
    match code {
        Code::Const(value) => matches!(value, 0 | 1),
        Code::Not(_) | Code::And(..) | Code::Or(..) | Code::Clocks(_) | Code::At(..) => true,
        Code::Deadlock | Code::Same(_) => true,
        Code::Binary(op, ..) => op.is_comparison(),
        Code::Quantified(quantifier, ..) => *quantifier != Quantifier::Sum,
        _ => false,
    }
}

/// The value at a place, computed if it is that of a constant.
fn folded_load(place: Place, constants: &[i32]) -> Code {
    let constant = place.known().and_then(|at| at.checked_sub(crate::network::memory::CONSTANTS));
    match constant.and_then(|at| constants.get(at)) {
        Some(&value) => Code::Const(value),
        None => Code::Load(place),
    }
}
