//! The largest constants that clocks are compared with, by location: what extrapolation may
//! forget.
//!
//! Source: \[BBFL03\] for bounds by location (and in `value_bounds`, by the values of variables),
//! \[BBLP06\] for lower and upper bounds. A clock that is reset before it is compared has no bound: it
//! is inactive, and its value is forgotten.
//!
//! A bound that depends on variables counts with the largest value of their types. If a condition
//! compares a difference of clocks, nothing is extrapolated: the result is sound, and the search
//! may have no end.

use super::comparisons::{Comparisons, Pair, SparseBounds, certain_resets};
use super::goal::QueryGoal;
use super::value_bounds::{BoundTable, ValueAnalysis};
use crate::network::TimedNetwork;
use crate::network::code::Code;
use crate::network::memory::Memory;
use crate::network::traverse::visit;
use crate::zones::Dbm;
use crate::zones::bound::LARGEST;
use crate::zones::dbm::Largest;

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
        let everywhere = comparisons.of_conditions(goals.iter().map(|goal| &goal.code));
        let mut is_exact = false;
        for goal in goals {
            visit(&goal.code, &mut |one| is_exact |= matches!(one, Code::Deadlock));
        }
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
        let has_differences = comparisons.has_differences();
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
