//! The largest constants that clocks are compared with, by location: what extrapolation may
//! forget.
//!
//! Source: \[BBFL03\] for bounds by location (and in `value_bounds`, by the values of variables), \[BBLP06\] for lower and upper bounds. A clock that is
//! reset before it is compared has no bound: it is inactive, and its value is forgotten.
//!
//! A bound that depends on variables counts with the largest value of their types. If a condition
//! compares a difference of clocks, nothing is extrapolated: the result is sound, and the search
//! may have no end.

use super::goal::QueryGoal;
use super::value_bounds::{BoundTable, ValueAnalysis};
use crate::network::code::{Base, ClockComparison, Code, Place};
use crate::network::memory::{CONSTANTS, FRAMES, Memory};
use crate::network::operators::{Quantifier, TimedOperator};
use crate::network::traverse::visit;
use crate::network::types::DEFAULT_INT;
use crate::network::{Sync, TimedEdge, TimedLocation, TimedNetwork};
use crate::zones::Dbm;
use crate::zones::bound::LARGEST;
use crate::zones::dbm::Largest;

/// Any number.
const ANY: (i64, i64) = (i32::MIN as i64, i32::MAX as i64);

/// The bounds of a clock.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Pair {
    /// The largest constant of `x > c` and `x >= c`.
    lower: Largest,
    /// The largest constant of `x < c` and `x <= c`.
    upper: Largest,
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
    fn least(self, other: Pair) -> Pair {
        Pair { lower: self.lower.min(other.lower), upper: self.upper.min(other.upper) }
    }
}

/// Clocks with their bounds, in ascending order.
pub(super) type SparseBounds = Vec<(u32, Pair)>;

/// The bounds of all clocks in all locations.
#[derive(Clone, Debug)]
pub struct ClockBounds {
    clocks: usize,
    /// Those that goals need everywhere.
    everywhere: Vec<Pair>,
    /// By process: tables of which each has bounds that suffice.
    local: Vec<Vec<BoundTable>>,
    /// Whether a condition compares a difference of clocks.
    has_differences: bool,
    /// Whether only extrapolation that keeps all steps is sound: goals ask for deadlocks.
    is_exact: bool,
    /// The clock whose least values count, which no condition compares.
    minimized: Option<usize>,
}

impl ClockBounds {
    /// Computes the bounds.
    pub(super) fn new(net: &TimedNetwork, goals: &[QueryGoal]) -> ClockBounds {
        let clocks = net.clocks.len();
        let mut comparisons = Comparisons::new(net);
        let collector = &mut comparisons.collector;
        let mut is_exact = false;
        for goal in goals {
            collector.condition(&goal.code, true);
            collector.condition(&goal.code, false);
            visit(&goal.code, &mut |one| is_exact |= matches!(one, Code::Deadlock));
        }
        let everywhere = comparisons.taken();
        let mut local = Vec::new();
        let mut values = (!goals.is_empty()).then(|| ValueAnalysis::new(net));
        for (number, process) in net.processes.iter().enumerate() {
            let mut bounds = Vec::new();
            for (at, location) in process.locations.iter().enumerate() {
                let mut row = comparisons.of_invariant(location);
                for &edge in &process.leaving[at] {
                    let compared = comparisons.of_guard(&process.edges[edge as usize]);
                    row.iter_mut().zip(compared).for_each(|(one, other)| _ = one.join(other));
                }
                bounds.push(row);
            }
            let resets: Vec<Vec<u32>> =
                process.edges.iter().map(|edge| certain_resets(&edge.updates)).collect();
            let mut is_changed = true;
            while is_changed {
                is_changed = false;
                for (edge, resets) in process.edges.iter().zip(&resets) {
                    let (from, to) = (edge.from as usize, edge.to as usize);
                    for clock in (1..clocks).filter(|&clock| !resets.contains(&(clock as u32))) {
                        let needed = bounds[to][clock];
                        is_changed |= bounds[from][clock].join(needed);
                    }
                }
            }
            let sparse = bounds.into_iter().map(|pairs| {
                let numbered = pairs.into_iter().enumerate();
                let bounded = numbered.filter(|(_, pair)| *pair != Pair::default());
                bounded.map(|(clock, pair)| (clock as u32, pair)).collect()
            });
            let by_location: Vec<SparseBounds> = sparse.collect();
            // Without goals, zones are counted with the bounds of locations, as other tools do.
            let mut tables = match &mut values {
                Some(values) => values.tables(number, &by_location, &mut comparisons),
                None => Vec::new(),
            };
            if tables.is_empty() {
                tables.push(BoundTable::by_location(by_location));
            }
            local.push(tables);
        }
        let has_differences = comparisons.collector.has_differences;
        ClockBounds { clocks, everywhere, local, has_differences, is_exact, minimized: None }
    }

    /// From now on, only extrapolation that keeps all steps counts as sound.
    pub(super) fn keep_runs(&mut self) {
        self.is_exact = true;
    }

    /// From now on, the least values of a clock count, which no condition compares: it has upper
    /// bounds alone, of any size.
    pub(super) fn minimize(&mut self, clock: usize) {
        self.everywhere[clock] = Pair { lower: None, upper: Some(LARGEST) };
        self.minimized = Some(clock);
    }

    /// The largest number that a clock is compared with; `None` if a difference is compared.
    pub(super) fn largest(&self) -> Option<i32> {
        let tables = self.local.iter().flatten();
        let local = tables.flat_map(|table| table.bounds.iter().flatten().map(|(_, pair)| pair));
        let everywhere = self.everywhere.iter().enumerate();
        let compared = everywhere.filter(|(clock, _)| self.minimized != Some(*clock));
        let all = compared.map(|(_, pair)| pair).chain(local);
        let largest = all.filter_map(|pair| pair.lower.max(pair.upper)).max().unwrap_or(0);
        (!self.has_differences).then_some(largest)
    }

    /// Extrapolates zones of the discrete state in memory, whose active clocks these are.
    pub(super) fn extrapolate(&self, memory: &Memory<'_>, active: &[u32], zones: &mut [Dbm]) {
        if self.has_differences {
            return;
        }
        debug_assert_eq!(self.everywhere.len(), self.clocks);
        let mut lower: Vec<Largest> = self.everywhere.iter().map(|pair| pair.lower).collect();
        let mut upper: Vec<Largest> = self.everywhere.iter().map(|pair| pair.upper).collect();
        for (tables, &location) in self.local.iter().zip(&memory.locations) {
            let mut rows = tables.iter().map(|one| one.row(location, &memory.variables));
            let first = rows.next().expect("a process has a table");
            for &(clock, mut pair) in first {
                for row in rows.clone() {
                    let other = row.iter().find(|(its, _)| *its == clock);
                    pair = pair.least(other.map_or(Pair::default(), |(_, pair)| *pair));
                }
                let (lower, upper) = (&mut lower[clock as usize], &mut upper[clock as usize]);
                (*lower, *upper) = ((*lower).max(pair.lower), (*upper).max(pair.upper));
            }
        }
        if self.is_exact {
            for (lower, upper) in lower.iter_mut().zip(&mut upper) {
                let both = (*lower).max(*upper);
                (*lower, *upper) = (both, both);
            }
            if let Some(clock) = self.minimized {
                lower[clock] = None;
            }
        }
        for zone in zones {
            zone.extrapolate(active, &lower, &upper);
        }
    }

    /// The number of clocks, with clock 0.
    pub(super) fn clocks(&self) -> usize {
        self.clocks
    }

    /// By process: its tables.
    pub(super) fn tables(&self) -> &[Vec<BoundTable>] {
        &self.local
    }

    /// The clocks with bounds in all locations: all clocks, if a difference is compared.
    pub(super) fn everywhere(&self) -> impl Iterator<Item = u32> {
        let has_bounds =
            |clock: usize| self.has_differences || self.everywhere[clock] != Pair::default();
        (1..self.clocks).filter(move |&clock| has_bounds(clock)).map(|clock| clock as u32)
    }
}

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
    fn new(net: &'n TimedNetwork) -> Comparisons<'n> {
        let pairs = vec![Pair::default(); net.clocks.len()];
        let collector = Collector { net, pairs, has_differences: false, frame: Vec::new() };
        Comparisons { collector }
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
