//! Projection: the abstract system for some features, with the operators that change a feature.
//!
//! Other factors have any value of their range, within the bounds that an operator requires.
//! Operators that change no feature are self-loops and left out.

use std::collections::HashMap;

use beeline_factored::{
    Assignment, AssignmentTarget, FactorExpr, FactorId, FactorKind, Interval, evaluate, narrow,
};

use super::abstract_effects::{AbstractEffects, Change, KeptFeatures};
use super::budget::PatternTooLarge;
use super::enumerate::Enumeration;
use super::feature::Feature;
use super::task::{AbstractTarget, PatternTask};

/// Index of the operators by a required feature value.
#[derive(Default)]
struct Index {
    /// By feature, then by value relative to the least.
    by_value: Vec<Vec<Vec<u32>>>,
    always: Vec<u32>,
}

/// Conditions over features, and bounds on other factors.
struct Guard {
    bounds: Vec<(FactorId, Interval)>,
    conditions: Vec<FactorExpr>,
}

/// Possible values of the features that an operator may change.
type Outcomes = Vec<Box<[i32]>>;

struct Abstract {
    /// The operator of the task.
    number: u32,
    guard: Guard,
    effects: Vec<Assignment>,
    /// The predicates that may change.
    truths: Vec<u32>,
    trials: Enumeration,
    /// Features that it reads and writes: if values are enumerated, outcomes are memoised by them.
    reads: Vec<u32>,
    writes: Vec<u32>,
    known: HashMap<Box<[i32]>, Outcomes>,
}

struct End {
    guard: Guard,
    cost: u32,
    trials: Enumeration,
}

/// An abstract system.
pub(crate) struct Projection<'t> {
    task: &'t PatternTask,
    pub(crate) features: Vec<Feature>,
    /// By factor: the feature with its value or class.
    places: Vec<Option<u32>>,
    /// By factor: whether a feature depends on it.
    is_seen: Vec<bool>,
    steps: Vec<Abstract>,
    ends: Vec<End>,
    index: Index,
    /// No state has these feature values.
    is_void: bool,
    /// Intervals of all factors in the current abstract state.
    now: Vec<Interval>,
    /// Narrowed intervals, to be restored.
    old: Vec<(FactorId, Interval)>,
}

impl<'t> Projection<'t> {
    pub(crate) fn new(
        task: &'t PatternTask,
        features: &[Feature],
        targets: &[AbstractTarget],
    ) -> Self {
        let factors = task.system.factors.len();
        let mut places = vec![None; factors];
        let mut is_seen = vec![false; factors];
        for (at, feature) in features.iter().enumerate() {
            feature.factors(&mut |factor| is_seen[factor.index()] = true);
            if let Feature::Value(factor) | Feature::Class(factor, _) = feature {
                places[factor.index()] = Some(at as u32);
            }
        }
        let mut projection = Projection {
            task,
            features: features.to_vec(),
            places,
            is_seen,
            steps: Vec::new(),
            ends: Vec::new(),
            index: Index::default(),
            is_void: false,
            now: (0..factors).map(|at| task.ranges.get(FactorId(at as u32))).collect(),
            old: Vec::new(),
        };
        for (number, one) in task.moves.iter().enumerate() {
            let is_seen = |factor: FactorId| projection.is_seen[factor.index()];
            let effects = one.flat.effects.iter().filter(|one| one.place.factors().any(is_seen));
            let effects: Vec<Assignment> = effects.cloned().collect();
            if effects.is_empty() {
                continue;
            }
            if let Some(guard) = projection.guard(&one.flat.conditions) {
                projection.steps.push(projection.step(number as u32, guard, effects));
            }
        }
        for target in targets {
            if let Some(guard) = projection.guard(&target.conditions) {
                let mut looks_at = Vec::new();
                guard.conditions.iter().for_each(|one| one.factors(&mut |it| looks_at.push(it)));
                let trials = Enumeration::new(&projection.kept(), looks_at);
                projection.ends.push(End { guard, cost: target.cost, trials });
            }
        }
        projection.sort();
        projection
    }

    fn kept(&self) -> KeptFeatures<'_> {
        KeptFeatures { features: &self.features, places: &self.places }
    }

    /// Compiles an operator that changes a feature.
    fn step(&self, number: u32, guard: Guard, effects: Vec<Assignment>) -> Abstract {
        let mut looks_at = Vec::new();
        guard.conditions.iter().for_each(|one| one.factors(&mut |it| looks_at.push(it)));
        let mut set = Vec::new();
        for one in &effects {
            set.extend(one.place.factors());
            one.value.factors(&mut |factor| looks_at.push(factor));
            if let AssignmentTarget::Element(element) = &one.place {
                element.index.factors(&mut |factor| looks_at.push(factor));
            }
        }
        // An array assignment keeps the other elements.
        let rows = effects.iter().filter(|one| matches!(one.place, AssignmentTarget::Element(_)));
        looks_at.extend(rows.flat_map(|one| one.place.factors()));
        let about = |feature: &Feature, all: &[FactorId]| {
            let mut is_about = false;
            feature.factors(&mut |factor| is_about |= all.contains(&factor));
            is_about
        };
        let (mut truths, mut writes) = (Vec::new(), Vec::new());
        for (place, feature) in
            self.features.iter().enumerate().filter(|(_, feature)| about(feature, &set))
        {
            writes.push(place as u32);
            if matches!(feature, Feature::Predicate(_)) {
                truths.push(place as u32);
                feature.factors(&mut |factor| looks_at.push(factor));
            }
        }
        let trials = Enumeration::new(&self.kept(), looks_at.iter().copied());
        // The transitive closure of features over shared factors.
        let mut reads = Vec::new();
        loop {
            let is_new = |place: usize| !reads.contains(&(place as u32));
            let all = self.features.iter().enumerate();
            let mut more = all.filter(|(at, feature)| is_new(*at) && about(feature, &looks_at));
            let Some((place, feature)) = more.next() else { break };
            feature.factors(&mut |factor| looks_at.push(factor));
            reads.push(place as u32);
        }
        let known = HashMap::new();
        Abstract { number, guard, effects, truths, trials, reads, writes, known }
    }

    /// Evaluates the conditions that no feature affects; `None` if they are never true.
    fn guard(&mut self, conditions: &[FactorExpr]) -> Option<Guard> {
        let mut dependent = Vec::new();
        let mut possible = true;
        for condition in conditions {
            let mut depends = false;
            condition.factors(&mut |factor| depends |= self.is_seen[factor.index()]);
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
        restore(&mut self.now, &mut self.old);
        possible.then_some(Guard { bounds, conditions: dependent })
    }

    fn sort(&mut self) {
        // Indexing by value pays for features with few values.
        let rows = self.features.iter().map(|feature| match feature {
            Feature::Value(factor) => self.task.ranges.get(*factor).size(),
            Feature::Class(..) | Feature::Predicate(_) => 0,
        });
        let rows = rows.map(|size| if size <= 4_096 { size as usize } else { 0 });
        self.index.by_value = rows.map(|size| vec![Vec::new(); size]).collect();
        for (at, step) in self.steps.iter().enumerate() {
            let waits = step.guard.conditions.iter().filter_map(|one| self.waits_for(one));
            let best = waits.max_by_key(|&(factor, place, _)| {
                let kind = self.task.system.factor(factor).kind;
                (kind == FactorKind::Location, std::cmp::Reverse(place))
            });
            match best {
                Some((_, place, behind)) => self.index.by_value[place][behind].push(at as u32),
                None => self.index.always.push(at as u32),
            }
        }
    }

    /// The factor and value that a condition requires, and its feature.
    fn waits_for(&self, condition: &FactorExpr) -> Option<(FactorId, usize, usize)> {
        let FactorExpr::Binary(beeline_factored::Binary::Equal, left, right) = condition else {
            return None;
        };
        let (FactorExpr::Factor(factor), FactorExpr::Const(value)) =
            (left.as_ref(), right.as_ref())
        else {
            return None;
        };
        let place = self.places[factor.index()]? as usize;
        let behind = i64::from(*value) - self.task.ranges.get(*factor).least;
        let behind = usize::try_from(behind).ok()?;
        (behind < self.index.by_value[place].len()).then_some((*factor, place, behind))
    }

    /// Sets the current abstract state.
    pub(crate) fn enter(&mut self, values: &[i32]) {
        self.is_void = false;
        for feature in &self.features {
            let (now, ranges) = (&mut self.now, &self.task.ranges);
            feature.factors(&mut |factor| now[factor.index()] = ranges.get(factor));
        }
        for (feature, &value) in self.features.iter().zip(values) {
            match feature {
                Feature::Value(factor) => self.now[factor.index()] = Interval::one(value),
                Feature::Class(factor, classes) => {
                    match classes.within(value, self.task.ranges.get(*factor)) {
                        Some(values) => self.now[factor.index()] = values,
                        None => self.is_void = true,
                    }
                }
                Feature::Predicate(_) => {}
            }
        }
        for (feature, &value) in self.features.iter().zip(values) {
            let Feature::Predicate(truth) = feature else { continue };
            let conditions = if value == 0 { &truth.no } else { &truth.yes };
            for condition in conditions {
                self.is_void |= !require(self.task, condition, &mut self.now, &mut self.old);
            }
        }
        // These bounds hold until the next state.
        self.old.clear();
    }

    /// The cost of the cheapest target that holds here, if any.
    pub(crate) fn end(&mut self, here: &[i32]) -> Option<u32> {
        let mut best: Option<u32> = None;
        for at in 0..self.ends.len() {
            let End { guard, cost, trials } = &self.ends[at];
            if self.is_void || best.is_some_and(|best| best <= *cost) {
                continue;
            }
            let mut possible = allows(self.task, guard, &mut self.now, &mut self.old);
            if possible && !trials.is_empty() {
                possible = false;
                let kept = KeptFeatures { features: &self.features, places: &self.places };
                let tried = trials.each(&kept, here, &guard.conditions, &mut self.now, &mut |_| {
                    possible = true;
                    Ok(true)
                });
                possible |= tried.is_err();
            }
            if possible {
                best = Some(*cost);
            }
            restore(&mut self.now, &mut self.old);
        }
        best
    }

    /// Enumerates operators and abstract successors; returns the number of visited operators and
    /// enumerated combinations.
    pub(crate) fn successors(
        &mut self,
        values: &[i32],
        tell: &mut impl FnMut(u32, &[i32]),
    ) -> Result<usize, PatternTooLarge> {
        let mut looked = 0;
        if self.is_void {
            return Ok(looked);
        }
        let mut ways = AbstractEffects::default();
        for place in 0..=values.len() {
            let list = match (values.get(place), self.features.get(place)) {
                (Some(&value), Some(Feature::Value(factor))) => {
                    let behind = i64::from(value) - self.task.ranges.get(*factor).least;
                    self.index.by_value[place].get(behind as usize)
                }
                (Some(_), _) => None,
                (None, _) => Some(&self.index.always),
            };
            for &at in list.into_iter().flatten() {
                looked += 1;
                let step = &mut self.steps[at as usize];
                let kept = KeptFeatures { features: &self.features, places: &self.places };
                if step.trials.is_empty() {
                    let change = Change { effects: &step.effects, predicates: &step.truths };
                    let possible = allows(self.task, &step.guard, &mut self.now, &mut self.old)
                        && ways.of(self.task, &kept, change, &self.now)?;
                    restore(&mut self.now, &mut self.old);
                    if possible {
                        ways.each(values, &mut |after| tell(step.number, after));
                    }
                    continue;
                }
                let key: Box<[i32]> =
                    step.reads.iter().map(|&place| values[place as usize]).collect();
                if !step.known.contains_key(&key) {
                    let narrowed = Narrowed { now: &mut self.now, old: &mut self.old };
                    let (tried, found) =
                        step.outcomes(self.task, &kept, values, narrowed, &mut ways)?;
                    looked += tried;
                    step.known.insert(key.clone(), found);
                }
                let mut after = values.to_vec();
                for outcome in &step.known[&key] {
                    for (&place, &value) in step.writes.iter().zip(outcome) {
                        after[place as usize] = value;
                    }
                    tell(step.number, &after);
                }
            }
        }
        Ok(looked)
    }
}

impl Abstract {
    /// The possible outcomes of an operator by enumeration, and the number of enumerated
    /// combinations.
    fn outcomes(
        &self,
        task: &PatternTask,
        kept: &KeptFeatures<'_>,
        values: &[i32],
        narrowed: Narrowed<'_>,
        ways: &mut AbstractEffects,
    ) -> Result<(usize, Outcomes), PatternTooLarge> {
        let Narrowed { now, old } = narrowed;
        let mut found: Outcomes = Vec::new();
        let mut tried = Ok(0);
        if allows(task, &self.guard, now, old) {
            let change = Change { effects: &self.effects, predicates: &self.truths };
            let mut visit = |now: &[Interval]| {
                if ways.of(task, kept, change, now)? {
                    ways.each(values, &mut |after| {
                        found.push(self.writes.iter().map(|&at| after[at as usize]).collect());
                    });
                    if found.len() > 4_096 {
                        found.sort_unstable();
                        found.dedup();
                    }
                }
                Ok(false)
            };
            tried = self.trials.each(kept, values, &self.guard.conditions, now, &mut visit);
        }
        restore(now, old);
        found.sort_unstable();
        found.dedup();
        Ok((tried?, found))
    }
}

/// Intervals of all factors, with those to restore.
struct Narrowed<'n> {
    now: &'n mut [Interval],
    old: &'n mut Vec<(FactorId, Interval)>,
}

/// Restores narrowed intervals.
fn restore(now: &mut [Interval], old: &mut Vec<(FactorId, Interval)>) {
    while let Some((factor, interval)) = old.pop() {
        now[factor.index()] = interval;
    }
}

/// Whether conditions may hold; narrows the intervals accordingly.
fn allows(
    task: &PatternTask,
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

/// Whether a condition may hold; narrows the intervals of its factors accordingly.
pub(crate) fn require(
    task: &PatternTask,
    condition: &FactorExpr,
    now: &mut [Interval],
    old: &mut Vec<(FactorId, Interval)>,
) -> bool {
    let value = evaluate(condition, &|factor| now[factor.index()]);
    if !value.is_some_and(Interval::may_be_true) {
        return false;
    }
    let first = old.len();
    narrow(condition, &|factor| Some(now[factor.index()]), &mut |factor, bound| {
        // A summary factor has several values: it is not narrowed.
        if !task.is_summary(factor) {
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

/// Discards the recorded narrowings from an index on.
fn undo(old: &mut Vec<(FactorId, Interval)>, from: usize) -> bool {
    old.truncate(from);
    false
}
