//! What is left of a system when only the factors of a pattern are kept: steps that set one of
//! them, with all values that they may get.
//!
//! Factors that are not kept have any value of their range, within the bounds that a step requires.
//! A step that sets no kept factor stays where it is, and is left out.

use beeline_factored::{Assignment, Expr, FactorId, Interval, Kind, Place, evaluate, narrow};

use super::exploration::TooLarge;
use super::task::{Target, Task};

/// Ways of one step that are followed at most.
const MOST_WAYS: usize = 4_096;

/// Steps of a projection that wait for a value of a kept factor, or for none.
#[derive(Default)]
struct Index {
    /// By place in the pattern, then by value behind the least.
    by_value: Vec<Vec<Vec<u32>>>,
    always: Vec<u32>,
}

/// Conditions that depend on the pattern, and what others say about factors that are not kept.
struct Guard {
    bounds: Vec<(FactorId, Interval)>,
    conditions: Vec<Expr>,
}

struct Abstract {
    /// Which step of the task.
    number: u32,
    guard: Guard,
    effects: Vec<Assignment>,
}

struct End {
    guard: Guard,
    cost: u32,
}

/// A system with a pattern.
pub(crate) struct Projection<'t> {
    task: &'t Task,
    pub(crate) pattern: Vec<FactorId>,
    /// The place of each factor in the pattern.
    places: Vec<Option<u32>>,
    steps: Vec<Abstract>,
    ends: Vec<End>,
    index: Index,
    /// The values of all factors, as far as they are known.
    now: Vec<Interval>,
    /// What has been narrowed, to be put back.
    old: Vec<(FactorId, Interval)>,
}

impl<'t> Projection<'t> {
    pub(crate) fn new(task: &'t Task, pattern: &[FactorId], targets: &[Target]) -> Self {
        let factors = task.system.factors.len();
        let mut places = vec![None; factors];
        for (at, factor) in pattern.iter().enumerate() {
            places[factor.index()] = Some(at as u32);
        }
        let mut projection = Projection {
            task,
            pattern: pattern.to_vec(),
            places,
            steps: Vec::new(),
            ends: Vec::new(),
            index: Index::default(),
            now: (0..factors).map(|at| task.ranges.get(FactorId(at as u32))).collect(),
            old: Vec::new(),
        };
        for (number, one) in task.moves.iter().enumerate() {
            let is_kept = |factor: FactorId| projection.places[factor.index()].is_some();
            let effects = one.flat.effects.iter().filter(|one| one.place.factors().any(is_kept));
            let effects: Vec<Assignment> = effects.cloned().collect();
            if effects.is_empty() {
                continue;
            }
            if let Some(guard) = projection.guard(&one.flat.conditions) {
                projection.steps.push(Abstract { number: number as u32, guard, effects });
            }
        }
        for target in targets {
            if let Some(guard) = projection.guard(&target.conditions) {
                projection.ends.push(End { guard, cost: target.cost });
            }
        }
        projection.sort();
        projection
    }

    /// Looks at the conditions that do not depend on the pattern; none if they are never true.
    fn guard(&mut self, conditions: &[Expr]) -> Option<Guard> {
        let mut dependent = Vec::new();
        let mut possible = true;
        for condition in conditions {
            let mut depends = false;
            condition.factors(&mut |factor| depends |= self.places[factor.index()].is_some());
            if depends {
                dependent.push(condition.clone());
            } else {
                possible = possible && require(self.task, condition, &mut self.now, &mut self.old);
            }
        }
        let touched: Vec<FactorId> = self.old.iter().map(|&(factor, _)| factor).collect();
        let mut bounds: Vec<(FactorId, Interval)> =
            touched.into_iter().map(|factor| (factor, self.now[factor.index()])).collect();
        bounds.sort_unstable_by_key(|&(factor, _)| factor);
        bounds.dedup();
        self.put_back();
        possible.then_some(Guard { bounds, conditions: dependent })
    }

    fn put_back(&mut self) {
        while let Some((factor, interval)) = self.old.pop() {
            self.now[factor.index()] = interval;
        }
    }

    fn sort(&mut self) {
        let sizes = self.pattern.iter().map(|&factor| self.task.ranges.get(factor).size());
        // A row of steps for each value is worth it where there are few values.
        let rows = sizes.map(|size| if size <= 4_096 { size as usize } else { 0 });
        self.index.by_value = rows.map(|size| vec![Vec::new(); size]).collect();
        for (at, step) in self.steps.iter().enumerate() {
            let waits = step.guard.conditions.iter().filter_map(|one| self.waits_for(one));
            let best = waits.max_by_key(|&(place, _)| {
                let kind = self.task.system.factor(self.pattern[place]).kind;
                (kind == Kind::Location, std::cmp::Reverse(place))
            });
            match best {
                Some((place, behind)) => self.index.by_value[place][behind].push(at as u32),
                None => self.index.always.push(at as u32),
            }
        }
    }

    /// The place in the pattern and the value that a condition asks for.
    fn waits_for(&self, condition: &Expr) -> Option<(usize, usize)> {
        let Expr::Binary(beeline_factored::Binary::Equal, left, right) = condition else {
            return None;
        };
        let (Expr::Factor(factor), Expr::Const(value)) = (left.as_ref(), right.as_ref()) else {
            return None;
        };
        let place = self.places[factor.index()]? as usize;
        let behind = i64::from(*value) - self.task.ranges.get(*factor).least;
        let behind = usize::try_from(behind).ok()?;
        (behind < self.index.by_value[place].len()).then_some((place, behind))
    }

    /// From now on it is about this abstract state.
    pub(crate) fn enter(&mut self, values: &[i32]) {
        for (factor, &value) in self.pattern.iter().zip(values) {
            self.now[factor.index()] = Interval::one(value);
        }
    }

    /// What the nearest error costs from here without any other step, if there is one here.
    pub(crate) fn end(&mut self) -> Option<u32> {
        let mut best: Option<u32> = None;
        for at in 0..self.ends.len() {
            let End { guard, cost } = &self.ends[at];
            if best.is_some_and(|best| best <= *cost) {
                continue;
            }
            if allows(self.task, guard, &mut self.now, &mut self.old) {
                best = Some(*cost);
            }
            self.put_back();
        }
        best
    }

    /// Calls `tell` with the number of a step and the values behind it, for all that may be; tells
    /// how many steps were looked at.
    pub(crate) fn successors(
        &mut self,
        values: &[i32],
        tell: &mut impl FnMut(u32, &[i32]),
    ) -> Result<usize, TooLarge> {
        let mut looked = 0;
        let mut ways = Ways::default();
        for place in 0..=values.len() {
            let list = match values.get(place) {
                None => &self.index.always,
                Some(&value) => {
                    let behind = i64::from(value) - self.task.ranges.get(self.pattern[place]).least;
                    let Some(list) = self.index.by_value[place].get(behind as usize) else {
                        continue;
                    };
                    list
                }
            };
            for &at in list {
                looked += 1;
                let step = &self.steps[at as usize];
                let possible = allows(self.task, &step.guard, &mut self.now, &mut self.old)
                    && ways.of(self.task, &self.places, &step.effects, &self.now)?;
                while let Some((factor, interval)) = self.old.pop() {
                    self.now[factor.index()] = interval;
                }
                if possible {
                    ways.each(values, &mut |after| tell(step.number, after));
                }
            }
        }
        Ok(looked)
    }
}

/// Whether conditions may be true; what they say about factors is noted.
fn allows(
    task: &Task,
    guard: &Guard,
    now: &mut [Interval],
    old: &mut Vec<(FactorId, Interval)>,
) -> bool {
    for &(factor, bound) in &guard.bounds {
        old.push((factor, now[factor.index()]));
        now[factor.index()] = bound;
    }
    guard.conditions.iter().all(|condition| require(task, condition, now, old))
}

/// Whether a condition may be true; the values of factors are narrowed to those where it may.
pub(crate) fn require(
    task: &Task,
    condition: &Expr,
    now: &mut [Interval],
    old: &mut Vec<(FactorId, Interval)>,
) -> bool {
    let value = evaluate(condition, &|factor| now[factor.index()]);
    if !value.is_some_and(Interval::may_be_true) {
        return false;
    }
    let first = old.len();
    narrow(condition, &|factor| Some(now[factor.index()]), &mut |factor, bound| {
        // One of a crowd says nothing about the others.
        if !task.is_crowd(factor) {
            old.push((factor, bound));
        }
    });
    for at in first..old.len() {
        let (factor, bound) = old[at];
        let before = now[factor.index()];
        old[at].1 = before;
        match before.meet(bound) {
            Some(met) => now[factor.index()] = met,
            None => return undo(old, at + 1),
        }
    }
    true
}

/// Forgets what has not been narrowed yet.
fn undo(old: &mut Vec<(FactorId, Interval)>, from: usize) -> bool {
    old.truncate(from);
    false
}

/// What a step may set: for each of its effects, places in the pattern and their values; no place
/// where something is set that is not kept.
#[derive(Default)]
struct Ways {
    choices: Vec<Vec<(Option<u32>, i32)>>,
    after: Vec<i32>,
}

impl Ways {
    /// Finds what effects may be; whether there is any way.
    fn of(
        &mut self,
        task: &Task,
        places: &[Option<u32>],
        effects: &[Assignment],
        now: &[Interval],
    ) -> Result<bool, TooLarge> {
        self.choices.clear();
        let mut count: usize = 1;
        for one in effects {
            let mut choices = Vec::new();
            let of = |factor: FactorId| now[factor.index()];
            let Some(value) = evaluate(&one.value, &of) else { return Ok(false) };
            let mut set = |factor: FactorId| {
                let Some(place) = places[factor.index()] else {
                    choices.push((None, 0));
                    return Ok(());
                };
                // Nothing that can be reached is outside of its range.
                let Some(value) = value.meet(task.ranges.get(factor)) else { return Ok(()) };
                if value.size() > MOST_WAYS as u64 {
                    return Err(TooLarge);
                }
                let all = value.least..=value.greatest;
                choices.extend(all.map(|value| (Some(place), value as i32)));
                Ok(())
            };
            match &one.place {
                Place::Factor(factor) => set(*factor)?,
                Place::Element(element) => {
                    let row = Interval { least: 0, greatest: i64::from(element.count) - 1 };
                    let index = evaluate(&element.index, &of).and_then(|index| index.meet(row));
                    let Some(index) = index else { return Ok(false) };
                    for at in index.least..=index.greatest {
                        set(FactorId(element.first.0 + at as u32 * element.stride))?;
                    }
                }
            }
            choices.sort_unstable();
            choices.dedup();
            count = count.saturating_mul(choices.len());
            if count > MOST_WAYS {
                return Err(TooLarge);
            }
            self.choices.push(choices);
        }
        Ok(count > 0)
    }

    /// Every combination, the later effects over the earlier ones.
    fn each(&mut self, values: &[i32], tell: &mut impl FnMut(&[i32])) {
        let mut at = vec![0; self.choices.len()];
        loop {
            self.after.clear();
            self.after.extend_from_slice(values);
            for (choices, &at) in self.choices.iter().zip(&at) {
                if let (Some(place), value) = choices[at] {
                    self.after[place as usize] = value;
                }
            }
            tell(&self.after);
            let Some(turn) = (0..at.len()).rev().find(|&i| at[i] + 1 < self.choices[i].len())
            else {
                return;
            };
            at[turn] += 1;
            at[turn + 1..].fill(0);
        }
    }
}
