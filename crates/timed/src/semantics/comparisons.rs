//! The numbers with which conditions compare clocks, and the clocks that updates reset.
//!
//! A number that depends on variables counts with the largest value that it may have.

use crate::network::code::{Base, ClockComparison, Code, Place};
use crate::network::memory::{CONSTANTS, FRAMES};
use crate::network::operators::{Quantifier, TimedOperator};
use crate::network::types::DEFAULT_INT;
use crate::network::{Sync, TimedEdge, TimedLocation, TimedNetwork};
use crate::zones::bound::LARGEST;
use crate::zones::dbm::Largest;

/// Any number.
const ANY: (i64, i64) = (i32::MIN as i64, i32::MAX as i64);

/// The bounds of a clock.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Pair {
    /// The largest constant of `x > c` and `x >= c`.
    pub(super) lower: Largest,
    /// The largest constant of `x < c` and `x <= c`.
    pub(super) upper: Largest,
}

impl Pair {
    pub(super) fn join(&mut self, other: Pair) -> bool {
        let joined =
            Pair { lower: self.lower.max(other.lower), upper: self.upper.max(other.upper) };
        let is_changed = *self != joined;
        *self = joined;
        is_changed
    }

    /// The least of both.
    pub(super) fn least(self, other: Pair) -> Pair {
        Pair { lower: self.lower.min(other.lower), upper: self.upper.min(other.upper) }
    }
}

/// Clocks with their bounds, in ascending order.
pub(super) type SparseBounds = Vec<(u32, Pair)>;

/// The clocks that updates reset in any case.
pub(super) fn certain_resets(updates: &[Code]) -> Vec<u32> {
    let resets = updates.iter().filter_map(|update| match update {
        Code::Reset(reset) => reset.0.known().map(|clock| clock as u32),
        _ => None,
    });
    resets.collect()
}

/// The numbers with which conditions compare clocks.
pub(super) struct Comparisons<'n> {
    collector: Collector<'n>,
}

impl<'n> Comparisons<'n> {
    pub(super) fn new(net: &'n TimedNetwork) -> Comparisons<'n> {
        let pairs = vec![Pair::default(); net.clocks.len()];
        let collector = Collector { net, pairs, has_differences: false, frame: Vec::new() };
        Comparisons { collector }
    }

    /// Whether a difference of clocks was compared so far.
    pub(super) fn has_differences(&self) -> bool {
        self.collector.has_differences
    }

    /// By clock: those of conditions, which may hold or not.
    pub(super) fn of_conditions<'c>(
        &mut self,
        conditions: impl Iterator<Item = &'c Code>,
    ) -> Vec<Pair> {
        for condition in conditions {
            self.collector.condition(condition, true);
            self.collector.condition(condition, false);
        }
        self.taken()
    }

    fn taken(&mut self) -> Vec<Pair> {
        let clocks = self.collector.pairs.len();
        std::mem::replace(&mut self.collector.pairs, vec![Pair::default(); clocks])
    }

    /// By clock: those of the invariant of a location.
    pub(super) fn of_invariant(&mut self, location: &TimedLocation) -> Vec<Pair> {
        if let Some(invariant) = &location.invariant {
            self.collector.condition(invariant, true);
        }
        self.taken()
    }

    /// By clock: those of the guard of an edge.
    pub(super) fn of_guard(&mut self, edge: &TimedEdge) -> Vec<Pair> {
        if let Some(guard) = &edge.guard {
            self.choose(edge);
            self.collector.condition(guard, true);
            // A broadcast passes a process whose guard does not hold.
            if matches!(edge.sync, Sync::Receive(_)) {
                self.collector.condition(guard, false);
            }
        }
        self.taken()
    }

    /// The values between which an expression in an update of an edge is.
    pub(super) fn interval(&mut self, edge: &TimedEdge, code: &Code) -> (i64, i64) {
        self.choose(edge);
        self.collector.interval(code)
    }

    fn choose(&mut self, edge: &TimedEdge) {
        let choices = edge.selects.iter();
        self.collector.frame = choices.map(|one| (i64::from(one.1), i64::from(one.2))).collect();
    }
}

struct Collector<'n> {
    net: &'n TimedNetwork,
    pairs: Vec<Pair>,
    has_differences: bool,
    /// The bounds of the values of the frame: chosen values, bound variables.
    frame: Vec<(i64, i64)>,
}

impl Collector<'_> {
    /// Adds the comparisons of a condition that must hold, or must not.
    fn condition(&mut self, code: &Code, holds: bool) {
        match code {
            Code::Not(inner) => self.condition(inner, !holds),
            Code::And(left, right) | Code::Or(left, right) => {
                self.condition(left, holds);
                self.condition(right, holds);
            }
            Code::Conditional(_, yes, no) => {
                self.condition(yes, holds);
                self.condition(no, holds);
            }
            Code::Quantified(quantifier, at, low, high, body) if *quantifier != Quantifier::Sum => {
                let at = *at as usize;
                if self.frame.len() <= at {
                    self.frame.resize(at + 1, ANY);
                }
                self.frame[at] = (i64::from(*low), i64::from(*high));
                self.condition(body, holds);
            }
            Code::Clocks(comparison) => self.comparison(comparison, holds),
            _ => {}
        }
    }

    fn comparison(&mut self, comparison: &ClockComparison, holds: bool) {
        let ClockComparison { plus, minus, op, bound } = comparison;
        let (_, high) = self.interval(bound);
        self.has_differences |= minus.is_some();
        let op = if holds { *op } else { op.negated() };
        let largest = Some(high.clamp(0, i64::from(LARGEST)) as i32);
        let is_upper = !matches!(op, TimedOperator::Greater | TimedOperator::GreaterEqual);
        let is_lower = !matches!(op, TimedOperator::Less | TimedOperator::LessEqual);
        let pair =
            Pair { lower: largest.filter(|_| is_lower), upper: largest.filter(|_| is_upper) };
        for place in [plus, minus].into_iter().flatten() {
            let (first, last) = place.range().unwrap_or((1, self.pairs.len() - 1));
            for clock in first..=last.min(self.pairs.len() - 1) {
                self.pairs[clock].join(pair);
            }
        }
    }

    /// The least and the greatest value that an expression may have.
    fn interval(&self, code: &Code) -> (i64, i64) {
        let within = |(low, high): (i64, i64)| (low.max(ANY.0), high.min(ANY.1));
        match code {
            Code::Const(value) => (i64::from(*value), i64::from(*value)),
            Code::Load(place) => self.load_interval(place),
            Code::Negate(inner, _) => {
                let (low, high) = self.interval(inner);
                (-high, -low)
            }
            Code::Binary(op, left, right, _) => {
                let ((a, b), (c, d)) = (self.interval(left), self.interval(right));
                match op {
                    TimedOperator::Add => within((a + c, b + d)),
                    TimedOperator::Sub => within((a - d, b - c)),
                    TimedOperator::Mul => {
                        let products = [a * c, a * d, b * c, b * d];
                        let low = products.into_iter().min().unwrap_or(ANY.0);
                        within((low, products.into_iter().max().unwrap_or(ANY.1)))
                    }
                    TimedOperator::Div if c > 0 => {
                        let quotients = [a / c, a / d, b / c, b / d];
                        let low = quotients.into_iter().min().unwrap_or(ANY.0);
                        (low, quotients.into_iter().max().unwrap_or(ANY.1))
                    }
                    TimedOperator::Mod if c > 0 => (-(d - 1), d - 1),
                    TimedOperator::Min => (a.min(c), b.min(d)),
                    TimedOperator::Max => (a.max(c), b.max(d)),
                    _ if op.is_comparison() => (0, 1),
                    _ => ANY,
                }
            }
            Code::Conditional(_, yes, no) => {
                let ((a, b), (c, d)) = (self.interval(yes), self.interval(no));
                (a.min(c), b.max(d))
            }
            Code::Call(function, _) => {
                let (low, high) = self.net.functions[*function as usize].result.bounds();
                (i64::from(low), i64::from(high))
            }
            Code::Not(_) | Code::And(..) | Code::Or(..) | Code::Same(_) | Code::At(..) => (0, 1),
            _ => ANY,
        }
    }

    fn load_interval(&self, place: &Place) -> (i64, i64) {
        let default = (i64::from(DEFAULT_INT.0), i64::from(DEFAULT_INT.1));
        let Some((first, last)) = place.range() else {
            // A value that an edge chooses, or one of a function, has the bounds of some type.
            return match place.base {
                Base::Frame(at) if place.subscripts.is_empty() => {
                    self.frame.get(at as usize).copied().unwrap_or(ANY)
                }
                Base::Frame(_) => ANY,
                _ => default,
            };
        };
        let of_address = |address: usize| {
            if address >= FRAMES {
                default
            } else if address >= CONSTANTS {
                let value = i64::from(self.net.constants[address - CONSTANTS]);
                (value, value)
            } else {
                let variable = &self.net.variables[address];
                if variable.is_written {
                    (i64::from(variable.low), i64::from(variable.high))
                } else {
                    (i64::from(variable.initial), i64::from(variable.initial))
                }
            }
        };
        let bounds = (first..=last).map(of_address);
        bounds.reduce(|(a, b), (c, d)| (a.min(c), b.max(d))).unwrap_or(default)
    }
}
