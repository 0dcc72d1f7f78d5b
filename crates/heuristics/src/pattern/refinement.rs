//! Pattern selection by counterexample-guided abstraction refinement: a shortest abstract path to
//! an error is followed in the system. If it is spurious because of a factor outside of the
//! pattern, that factor is added; otherwise refinement ends.
//!
//! Source: [EMJ05] Abstraction as Simulation, the abstract-and-refine loop; [CGJLV03] for the
//! method.
//! A factor that makes the abstract system too large is abandoned and ignored from then on. The
//! path only selects patterns: an imprecision here cannot make an estimate wrong.

use beeline_factored::{
    Assignment, AssignmentTarget, FactorExpr, FactorId, FactorKind, Interval, evaluate,
};

use super::budget::PatternBudget;
use super::combination::TableCombination;
use super::cost_partitioning::CostShare;
use super::database::Database;
use super::exploration::{AbstractSpace, NEVER};
use super::feature::Feature;
use super::projection::require;
use super::tables::explore;
use super::task::{AbstractTarget, PatternTask};

/// Settings of pattern selection.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RefinementSettings {
    /// Abstract states of one database.
    pub states: usize,
}

impl Default for RefinementSettings {
    fn default() -> Self {
        RefinementSettings { states: 100_000 }
    }
}

/// Refinement starts with the factors of the errors if they are at most this many.
const WIDEST_CONE: usize = 24;

/// Additional databases for a group.
const MORE: usize = 3;

/// Databases for a group of errors within a budget; none if not even the smallest fits.
///
/// Refinement starts with the factors of the errors if they are few. Each abandoned factor starts
/// an additional database. If the sum of the distances with cost partitioning exceeds the maximum,
/// they are added.
pub(crate) fn refine(
    task: &PatternTask,
    targets: &[AbstractTarget],
    budget: &mut PatternBudget,
) -> (Vec<Database>, TableCombination) {
    let all = CostShare::all(task);
    // Work reserved for additional databases.
    let reserve = budget.work / 4;
    let mut given_up = vec![false; task.system.factors.len()];
    let Some(first) = grow(task, targets, cone(task, targets, budget), &mut given_up, budget)
    else {
        return (Vec::new(), TableCombination::Max);
    };
    let mut rest = all.clone();
    first.explored.saturate(&mut rest);
    let mut alone = vec![first.database()];
    let mut summed = vec![first.database()];
    budget.work = budget.work.saturating_add(reserve);
    for at in (0..given_up.len()).filter(|&at| given_up[at]).take(MORE) {
        if first.explored.distances[0] == NEVER || budget.work == 0 {
            break;
        }
        let start = vec![FactorId(at as u32)];
        let mut also = vec![false; given_up.len()];
        let Some(other) = grow(task, targets, start, &mut also, budget) else { continue };
        alone.push(other.database());
        let features = kept(&other.pattern);
        if let Ok(explored) = explore(task, &features, targets, &rest, budget)
            && explored.distances[0] > 0
        {
            explored.saturate(&mut rest);
            summed.push(Database::new(features, &explored));
        }
    }
    let initial =
        |all: &[Database], how: TableCombination| how.of(all.iter().map(Database::initial));
    if initial(&summed, TableCombination::Sum) >= initial(&alone, TableCombination::Max) {
        (summed, TableCombination::Sum)
    } else {
        (alone, TableCombination::Max)
    }
}

/// A pattern with its abstract space.
struct Grown {
    pattern: Vec<FactorId>,
    explored: AbstractSpace,
}

impl Grown {
    fn database(&self) -> Database {
        Database::new(kept(&self.pattern), &self.explored)
    }
}

fn kept(pattern: &[FactorId]) -> Vec<Feature> {
    pattern.iter().copied().map(Feature::Value).collect()
}

/// The factors of the errors if they are few; otherwise none.
fn cone(
    task: &PatternTask,
    targets: &[AbstractTarget],
    budget: &mut PatternBudget,
) -> Vec<FactorId> {
    let mut cone = Vec::new();
    for condition in targets.iter().flat_map(|target| &target.conditions) {
        condition.factors(&mut |factor| cone.push(factor));
    }
    cone.sort_unstable();
    cone.dedup();
    cone.retain(|&factor| !task.is_summary(factor));
    if cone.len() > WIDEST_CONE {
        return Vec::new();
    }
    let mut own = PatternBudget { states: budget.states / 16, work: budget.work / 16, ..*budget };
    let fits = explore(task, &kept(&cone), targets, &CostShare::all(task), &mut own).is_ok();
    budget.work -= (budget.work / 16).saturating_sub(own.work);
    (budget.explored, budget.short_of) = (own.explored, own.short_of);
    if fits { cone } else { Vec::new() }
}

/// Refines a pattern. `None` if not even the first fits.
fn grow(
    task: &PatternTask,
    targets: &[AbstractTarget],
    mut pattern: Vec<FactorId>,
    given_up: &mut [bool],
    budget: &mut PatternBudget,
) -> Option<Grown> {
    let all = CostShare::all(task);
    let mut explored = explore(task, &kept(&pattern), targets, &all, budget).ok()?;
    loop {
        let follower = PathReplay::new(task, &pattern, given_up);
        let Some(factor) = follower.flaw(&explored, targets) else { break };
        pattern.push(factor);
        match explore(task, &kept(&pattern), targets, &all, budget) {
            Ok(larger) => explored = larger,
            Err(_) => {
                pattern.pop();
                given_up[factor.index()] = true;
                if budget.work == 0 {
                    break;
                }
            }
        }
    }
    Some(Grown { pattern, explored })
}

/// Follows an abstract path in the system, with intervals for all factors.
struct PathReplay<'t> {
    task: &'t PatternTask,
    pattern: &'t [FactorId],
    /// Factors that are in the pattern or abandoned.
    is_settled: Vec<bool>,
    now: Vec<Interval>,
    old: Vec<(FactorId, Interval)>,
}

impl<'t> PathReplay<'t> {
    fn new(task: &'t PatternTask, pattern: &'t [FactorId], given_up: &[bool]) -> Self {
        let crowds = task.system.factors.iter().map(|factor| factor.is_summary);
        let mut is_settled: Vec<bool> =
            crowds.zip(given_up).map(|(crowd, &given_up)| crowd || given_up).collect();
        pattern.iter().for_each(|factor| is_settled[factor.index()] = true);
        let now = (0..task.system.factors.len()).map(|at| {
            let crowd = task.system.factors[at].is_summary;
            let range = task.ranges.get(FactorId(at as u32));
            if crowd { range } else { Interval::one(task.system.initial[at]) }
        });
        PathReplay { task, pattern, is_settled, now: now.collect(), old: Vec::new() }
    }

    /// The factor that makes a shortest abstract path spurious, if any.
    fn flaw(mut self, explored: &AbstractSpace, targets: &[AbstractTarget]) -> Option<FactorId> {
        let mut at = 0;
        for edge in explored.shortest_path()? {
            let flat = &self.task.moves[edge.step as usize].flat;
            let after = explored.state(edge.to as usize);
            if let Some(factor) = self.require_all(&flat.conditions) {
                return Some(factor);
            }
            if let Some(factor) = self.take(&flat.effects, after) {
                return Some(factor);
            }
            at = edge.to as usize;
        }
        // A target that may hold is enough; otherwise the first that holds in the abstract state.
        let mut abstract_now = self.ranges();
        for (factor, &value) in self.pattern.iter().zip(explored.state(at)) {
            abstract_now[factor.index()] = Interval::one(value);
        }
        let mut blamed = None;
        for target in targets {
            let seems = may_all(self.task, &target.conditions, &abstract_now);
            if !seems {
                continue;
            }
            if may_all(self.task, &target.conditions, &self.now) {
                return None;
            }
            if blamed.is_none() {
                let now = self.now.clone();
                blamed = self.require_all(&target.conditions);
                self.now = now;
            }
        }
        blamed
    }

    fn ranges(&self) -> Vec<Interval> {
        (0..self.now.len()).map(|at| self.task.ranges.get(FactorId(at as u32))).collect()
    }

    /// The factor that falsifies the first false condition. A condition without such a factor
    /// counts as true.
    fn require_all(&mut self, conditions: &[FactorExpr]) -> Option<FactorId> {
        for condition in conditions {
            if require(self.task, condition, &mut self.now, &mut self.old) {
                continue;
            }
            let fails = |now: &[Interval]| {
                !evaluate(condition, &|factor| now[factor.index()])
                    .is_some_and(Interval::may_be_true)
            };
            if let Some(factor) = self.choose(&[condition], fails) {
                return Some(factor);
            }
        }
        self.old.clear();
        None
    }

    /// Applies an operator that leads to an abstract state; returns the factor that prevents it.
    fn take(&mut self, effects: &[Assignment], after: &[i32]) -> Option<FactorId> {
        let mut set: Vec<(FactorId, Interval)> = Vec::new();
        for one in effects {
            let of = |factor: FactorId| self.now[factor.index()];
            let value = evaluate(&one.value, &of).unwrap_or(Interval::ALL);
            match &one.place {
                AssignmentTarget::Factor(factor) => set.push((*factor, value)),
                AssignmentTarget::Element(element) => {
                    let row = Interval { least: 0, greatest: i64::from(element.count) - 1 };
                    let index = evaluate(&element.index, &of).and_then(|index| index.meet(row));
                    let index = index.unwrap_or(row);
                    for at in index.least..=index.greatest {
                        let factor = FactorId(element.first.0 + at as u32 * element.stride);
                        let is_sure = index.single().is_some();
                        let other = if is_sure { value } else { of(factor) };
                        set.push((factor, value.hull(other)));
                    }
                }
            }
        }
        let mut next = self.now.clone();
        for (factor, value) in set {
            let range = self.task.ranges.get(factor);
            let value = value.meet(range).unwrap_or(range);
            let is_summary = self.task.is_summary(factor);
            next[factor.index()] =
                if is_summary { value.hull(next[factor.index()]) } else { value };
        }
        for (&factor, &value) in self.pattern.iter().zip(after) {
            if !next[factor.index()].contains(value)
                && let Some(blamed) = self.explain(effects, factor, value)
            {
                return Some(blamed);
            }
            next[factor.index()] = Interval::one(value);
        }
        self.now = next;
        None
    }

    /// A factor that explains why a factor of the pattern does not get a value.
    fn explain(&self, effects: &[Assignment], kept: FactorId, value: i32) -> Option<FactorId> {
        let mut parts = Vec::new();
        for one in effects.iter().filter(|one| one.place.factors().any(|factor| factor == kept)) {
            parts.push(&one.value);
            if let AssignmentTarget::Element(element) = &one.place {
                parts.push(&element.index);
            }
        }
        let excludes = |now: &[Interval]| {
            let of = |factor: FactorId| now[factor.index()];
            !parts.iter().any(|part| evaluate(part, &of).is_some_and(|all| all.contains(value)))
        };
        self.choose(&parts, excludes)
    }

    /// A factor of some expressions that can be added: one that explains the flaw by its value,
    /// else a location, else the first.
    fn choose(
        &self,
        parts: &[&FactorExpr],
        explains: impl Fn(&[Interval]) -> bool,
    ) -> Option<FactorId> {
        let mut candidates = Vec::new();
        for part in parts {
            used(part, &self.now, &mut candidates);
        }
        candidates.retain(|factor| !self.is_settled[factor.index()]);
        candidates.sort_unstable();
        candidates.dedup();
        let mut known = self.ranges();
        for factor in self.pattern {
            known[factor.index()] = self.now[factor.index()];
        }
        let alone = candidates.iter().copied().find(|factor| {
            let range = std::mem::replace(&mut known[factor.index()], self.now[factor.index()]);
            let does = explains(&known);
            known[factor.index()] = range;
            does
        });
        let place =
            |factor: &FactorId| self.task.system.factor(*factor).kind == FactorKind::Location;
        alone.or_else(|| candidates.iter().copied().find(place)).or(candidates.first().copied())
    }
}

/// Whether all conditions may hold with these intervals.
fn may_all(task: &PatternTask, conditions: &[FactorExpr], now: &[Interval]) -> bool {
    let (mut now, mut old) = (now.to_vec(), Vec::new());
    conditions.iter().all(|condition| require(task, condition, &mut now, &mut old))
}

/// The factors that the value of an expression depends on.
fn used(expr: &FactorExpr, now: &[Interval], found: &mut Vec<FactorId>) {
    match expr {
        FactorExpr::Const(_) | FactorExpr::Any(_) => {}
        FactorExpr::Factor(factor) => found.push(*factor),
        FactorExpr::Element(element) => {
            used(&element.index, now, found);
            let row = Interval { least: 0, greatest: i64::from(element.count) - 1 };
            let index = evaluate(&element.index, &|factor| now[factor.index()]);
            if let Some(index) = index.and_then(|index| index.meet(row)) {
                let all = index.least..=index.greatest;
                found.extend(all.map(|at| FactorId(element.first.0 + at as u32 * element.stride)));
            }
        }
        FactorExpr::Unary(_, operand) => used(operand, now, found),
        FactorExpr::Binary(_, left, right) => {
            used(left, now, found);
            used(right, now, found);
        }
        FactorExpr::Conditional(condition, yes, no) => {
            [condition, yes, no].into_iter().for_each(|part| used(part, now, found));
        }
    }
}
