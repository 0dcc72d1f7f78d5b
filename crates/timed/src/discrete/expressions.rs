//! Expressions over variables as expressions over factors.

use beeline_factored::{Binary, Element, FactorExpr, FactorId, Interval, System, Unary};

use super::factors::{NetworkFactors, table};
use crate::network::TimedNetwork;
use crate::network::code::{Base, Code, Place};
use crate::network::memory::CONSTANTS;
use crate::network::operators::{Quantifier, TimedOperator};
use crate::network::traverse::visit;

/// Parts that the expressions of one label may have; the rest of it is unknown.
const LARGEST: u32 = 20_000;

/// Translates expressions.
pub(super) struct Translator<'n> {
    pub(super) net: &'n TimedNetwork,
    pub(super) factors: NetworkFactors,
    /// By factor: its domain.
    pub(super) domains: Vec<Interval>,
    /// The known values of the frame: selected values and those of quantifiers.
    frame: Vec<Option<i32>>,
    /// The parts that may still be made.
    left: u32,
}

/// A translated place.
#[derive(Clone, Debug)]
pub(super) enum Target {
    /// One factor.
    Factor(FactorId),
    /// An element of an array.
    Element(Element),
    /// A constant, or one of several by an index.
    Constants(usize, usize, FactorExpr),
    /// It depends on a frame.
    Unknown,
}

impl<'n> Translator<'n> {
    pub(super) fn new(net: &'n TimedNetwork, system: &mut System) -> Translator<'n> {
        let factors = NetworkFactors::new(net, system);
        let domains = system.factors.iter().map(|factor| factor.domain).collect();
        Translator { net, factors, domains, frame: Vec::new(), left: LARGEST }
    }

    /// Prepares for another label, with these values in the frame.
    pub(super) fn begin(&mut self, frame: &[i32]) {
        self.frame.clear();
        self.frame.extend(frame.iter().map(|&value| Some(value)));
        self.left = LARGEST;
    }

    /// The place as a factor, with the conditions under which its indices are in bounds.
    pub(super) fn target(&mut self, place: &Place, bounds: &mut Vec<FactorExpr>) -> Target {
        let Base::Absolute(base) = place.base else { return Target::Unknown };
        let mut first = (base + place.offset) as usize;
        let mut unknown: Vec<(FactorExpr, u32, u32)> = Vec::new();
        for one in &place.subscripts {
            let at = self.expr(&one.index).binary(Binary::Subtract, FactorExpr::Const(one.low));
            if let FactorExpr::Const(at) = at {
                if !(0..i64::from(one.length)).contains(&i64::from(at)) {
                    bounds.push(FactorExpr::Const(0));
                    return Target::Unknown;
                }
                first += at as usize * one.stride as usize;
                continue;
            }
            let last = FactorExpr::Const(one.length as i32 - 1);
            bounds.push(FactorExpr::Const(0).binary(Binary::LessEqual, at.clone()));
            bounds.push(at.clone().binary(Binary::LessEqual, last));
            unknown.push((at, one.stride, one.length));
        }
        if unknown.is_empty() {
            return match first < CONSTANTS {
                true => Target::Factor(self.factors.variable(first)),
                false => Target::Constants(first - CONSTANTS, 1, FactorExpr::Const(0)),
            };
        }
        let reach: u32 = unknown.iter().map(|&(_, stride, length)| (length - 1) * stride).sum();
        let is_variable = first < CONSTANTS;
        if let (true, [(index, stride, count)]) = (is_variable, &unknown[..]) {
            let (stride, count, index) = (*stride, *count, Box::new(index.clone()));
            let first = self.factors.variable(first);
            return Target::Element(Element { first, stride, count, index });
        }
        let scaled = unknown.into_iter().map(|(at, stride, _)| match stride {
            1 => at,
            stride => at.binary(Binary::Multiply, FactorExpr::Const(stride as i32)),
        });
        let index = scaled.reduce(|one, other| one.binary(Binary::Add, other));
        let index = index.expect("some index is unknown");
        if !is_variable {
            return Target::Constants(first - CONSTANTS, reach as usize + 1, index);
        }
        let (first, index) = (self.factors.variable(first), Box::new(index));
        Target::Element(Element { first, stride: 1, count: reach + 1, index })
    }

    fn load(&mut self, place: &Place) -> FactorExpr {
        if let (Base::Frame(at), true) = (place.base, place.subscripts.is_empty()) {
            let known = self.frame.get((at + place.offset) as usize).copied().flatten();
            return known.map_or(FactorExpr::Any(Interval::ALL), FactorExpr::Const);
        }
        match self.target(place, &mut Vec::new()) {
            Target::Factor(factor) => FactorExpr::Factor(factor),
            Target::Element(element) => FactorExpr::Element(element),
            Target::Constants(first, count, index) => {
                let all = &self.net.constants;
                let end = (first + count).min(all.len());
                table(&all[first.min(end)..end], &index)
            }
            Target::Unknown => FactorExpr::Any(Interval::ALL),
        }
    }

    /// An expression. A comparison of clocks may have both values, and so may a demand on steps.
    pub(super) fn expr(&mut self, code: &Code) -> FactorExpr {
        let Some(left) = self.left.checked_sub(1) else { return FactorExpr::Any(Interval::ALL) };
        self.left = left;
        match code {
            Code::Const(value) => FactorExpr::Const(*value),
            Code::Load(place) => self.load(place),
            Code::Negate(inner, _) => match self.expr(inner) {
                FactorExpr::Const(value) => FactorExpr::Const(value.wrapping_neg()),
                inner => FactorExpr::Unary(Unary::Negate, Box::new(inner)),
            },
            Code::Not(inner) => self.expr(inner).negated(),
            Code::Binary(op, left, right, _) => {
                let (left, right) = (self.expr(left), self.expr(right));
                binary(*op, left, right)
            }
            Code::And(left, right) => {
                let left = self.truth(left);
                if left == FactorExpr::Const(0) { left } else { left.and(self.truth(right)) }
            }
            Code::Or(left, right) => {
                let left = self.truth(left);
                if left == FactorExpr::TRUE { left } else { left.or(self.truth(right)) }
            }
            Code::Conditional(condition, yes, no) => match self.expr(condition) {
                FactorExpr::Const(0) => self.expr(no),
                FactorExpr::Const(_) => self.expr(yes),
                condition => {
                    let (yes, no) = (self.expr(yes), self.expr(no));
                    FactorExpr::Conditional(Box::new(condition), Box::new(yes), Box::new(no))
                }
            },
            Code::Same(pair) => {
                let (one, other, size) = &**pair;
                let each = (0..*size).map(|at| {
                    let (one, other) = (self.load(&moved(one, at)), self.load(&moved(other, at)));
                    one.binary(Binary::Equal, other)
                });
                each.reduce(FactorExpr::and).unwrap_or(FactorExpr::TRUE)
            }
            Code::Quantified(quantifier, at, low, high, body) => {
                self.quantified(*quantifier, *at as usize, (*low, *high), body)
            }
            Code::Call(function, _) => {
                let (low, high) = self.net.functions[*function as usize].result.bounds();
                FactorExpr::Any(Interval { least: low.into(), greatest: high.into() })
            }
            Code::Clocks(_) | Code::Deadlock => FactorExpr::Any(Interval::TRUTH),
            Code::At(process, location) => self.factors.is_at(*process, *location),
            Code::Assign(_) | Code::Copy(_) | Code::Fill(_) | Code::Reset(_) => {
                FactorExpr::Any(Interval::ALL)
            }
        }
    }

    /// The same as 0 or 1.
    pub(super) fn truth(&mut self, code: &Code) -> FactorExpr {
        truth(self.expr(code))
    }

    fn quantified(
        &mut self,
        quantifier: Quantifier,
        at: usize,
        (low, high): (i32, i32),
        body: &Code,
    ) -> FactorExpr {
        if self.frame.len() <= at {
            self.frame.resize(at + 1, None);
        }
        let mut made = match quantifier {
            Quantifier::Forall => FactorExpr::TRUE,
            Quantifier::Exists | Quantifier::Sum => FactorExpr::Const(0),
        };
        for value in low..=high {
            if self.left == 0 {
                return FactorExpr::Any(Interval::ALL);
            }
            self.frame[at] = Some(value);
            made = match quantifier {
                Quantifier::Forall => made.and(self.truth(body)),
                Quantifier::Exists => made.or(self.truth(body)),
                Quantifier::Sum => made.binary(Binary::Add, self.expr(body)),
            };
            match (quantifier, &made) {
                (Quantifier::Forall, FactorExpr::Const(0)) => break,
                (Quantifier::Exists, FactorExpr::Const(1)) => break,
                _ => {}
            }
        }
        self.frame[at] = None;
        made
    }
}

/// The place so many values further on.
pub(super) fn moved(place: &Place, by: u32) -> Place {
    Place { offset: place.offset + by, ..place.clone() }
}

/// An expression as 0 or 1.
fn truth(expr: FactorExpr) -> FactorExpr {
    match expr {
        FactorExpr::Const(value) => FactorExpr::Const(i32::from(value != 0)),
        FactorExpr::Any(_) => FactorExpr::Any(Interval::TRUTH),
        one if one.is_truth() => one,
        other => other.binary(Binary::NotEqual, FactorExpr::Const(0)),
    }
}

/// An operator on two numbers.
pub(super) fn binary(op: TimedOperator, left: FactorExpr, right: FactorExpr) -> FactorExpr {
    let plain = match op {
        TimedOperator::Add => Binary::Add,
        TimedOperator::Sub => Binary::Subtract,
        TimedOperator::Mul => Binary::Multiply,
        TimedOperator::Div => Binary::Divide,
        TimedOperator::Mod => Binary::Modulo,
        TimedOperator::BitAnd => Binary::BitAnd,
        TimedOperator::BitOr => Binary::BitOr,
        TimedOperator::BitXor => Binary::BitXor,
        TimedOperator::ShiftLeft => Binary::ShiftLeft,
        TimedOperator::ShiftRight => Binary::ShiftRight,
        TimedOperator::Less => Binary::Less,
        TimedOperator::LessEqual => Binary::LessEqual,
        TimedOperator::Equal => Binary::Equal,
        TimedOperator::NotEqual => Binary::NotEqual,
        TimedOperator::Greater => return right.binary(Binary::Less, left),
        TimedOperator::GreaterEqual => return right.binary(Binary::LessEqual, left),
        TimedOperator::And => return truth(left).and(truth(right)),
        TimedOperator::Or => return truth(left).or(truth(right)),
        TimedOperator::Imply => return truth(left).negated().or(truth(right)),
        TimedOperator::Min | TimedOperator::Max => {
            let is_less = left.clone().binary(Binary::LessEqual, right.clone());
            let (yes, no) = if op == TimedOperator::Min { (left, right) } else { (right, left) };
            return match is_less {
                FactorExpr::Const(0) => no,
                FactorExpr::Const(_) => yes,
                is_less => FactorExpr::Conditional(Box::new(is_less), Box::new(yes), Box::new(no)),
            };
        }
    };
    left.binary(plain, right)
}

/// Whether evaluating an expression may change something.
pub(super) fn has_effects(net: &TimedNetwork, code: &Code) -> bool {
    let mut found = false;
    visit(code, &mut |one| {
        found |= match one {
            Code::Assign(_) | Code::Copy(_) | Code::Fill(_) | Code::Reset(_) => true,
            Code::Call(function, _) => {
                let function = &net.functions[*function as usize];
                function.has_effects || function.writes_references
            }
            _ => false,
        };
    });
    found
}
