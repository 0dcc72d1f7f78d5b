//! Patterns by abstraction and refinement: a shortest way to an error in the abstract system is
//! followed in the system itself. Where it is not possible, because of a factor that is not kept,
//! that factor is kept from then on; where it is, there is nothing to be gained.
//!
//! Source: [EMJ05] Abstraction as Simulation, the abstract-and-refine loop.
//! A factor that makes the abstract system too large is given up, and what it does not allow is
//! allowed from then on. What is followed only chooses patterns: a mistake here cannot make an
//! estimate wrong.

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

/// How patterns are chosen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RefinementSettings {
    /// Abstract states of one database, at most.
    pub states: usize,
}

impl Default for RefinementSettings {
    fn default() -> Self {
        RefinementSettings { states: 100_000 }
    }
}

/// What errors look at is where to begin if it has at most so many factors.
const WIDEST_CONE: usize = 24;

/// Further databases for a group, at most.
const MORE: usize = 3;

/// The best databases for a group of errors within a budget; none if not even the smallest fits.
///
/// Begins with what the errors themselves look at, if that is small. Each of the factors that
/// were too large begins a database of its own. If these say more about what is left of the steps
/// than the greatest of all distances does, they are added up.
pub(crate) fn refine(
    task: &PatternTask,
    targets: &[AbstractTarget],
    budget: &mut PatternBudget,
) -> (Vec<Database>, TableCombination) {
    let all = CostShare::all(task);
    // What is spent on more than one is on top of it.
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

/// A pattern, and what is left with it.
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

/// What the errors look at, if it is small; otherwise nothing.
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

/// Keeps more and more, beginning with a pattern. None if not even that fits.
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
        let follower = Follower::new(task, &pattern, given_up);
        let Some(factor) = follower.blame(&explored, targets) else { break };
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

/// Follows a way through the system, with what is known about the values of all factors.
struct Follower<'t> {
    task: &'t PatternTask,
    pattern: &'t [FactorId],
    /// Factors that are kept, or cannot be.
    is_settled: Vec<bool>,
    now: Vec<Interval>,
    old: Vec<(FactorId, Interval)>,
}

impl<'t> Follower<'t> {
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
        Follower { task, pattern, is_settled, now: now.collect(), old: Vec::new() }
    }

    /// The factor that does not allow a shortest way, if there is a way, and such a factor.
    fn blame(mut self, explored: &AbstractSpace, targets: &[AbstractTarget]) -> Option<FactorId> {
        let mut at = 0;
        for edge in explored.way()? {
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
        // A target that is allowed there is enough; else the first that seemed to be.
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

    /// The factor to blame for the first condition that is not true. One that nothing can be done
    /// about counts as true.
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

    /// Takes a step to an abstract state; the factor to blame if it does not lead there.
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

    /// What else has to be known to see that a kept factor does not get a value.
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

    /// One of the factors in some expressions that can still be kept: one that explains it all by
    /// its value, or else a place of a process, or else the first.
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

/// Whether all conditions may be true with these values.
fn may_all(task: &PatternTask, conditions: &[FactorExpr], now: &[Interval]) -> bool {
    let (mut now, mut old) = (now.to_vec(), Vec::new());
    conditions.iter().all(|condition| require(task, condition, &mut now, &mut old))
}

/// The factors whose values an expression asks for, in a state where they have these values.
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
