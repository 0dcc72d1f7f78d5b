//! Abstract effects: the feature values that an operator may lead to, where each factor has an
//! interval of values.

use beeline_factored::{Assignment, AssignmentTarget, FactorId, Interval, evaluate};

use super::budget::PatternTooLarge;
use super::feature::{Feature, Predicate};
use super::task::PatternTask;

/// Upper bound on the abstract successors of one operator.
const MOST_WAYS: usize = 4_096;

/// For each effect, the possible features and values; `None` for an assignment that no feature
/// observes. Then the same for each predicate that may change.
#[derive(Default)]
pub(crate) struct AbstractEffects {
    choices: Vec<Vec<(Option<u32>, i32)>>,
    /// Intervals of the factors that the operator assigns.
    set: Vec<(FactorId, Interval)>,
    after: Vec<i32>,
}

/// The features, and the feature of each factor's value or class.
pub(crate) struct KeptFeatures<'k> {
    pub(crate) features: &'k [Feature],
    pub(crate) places: &'k [Option<u32>],
}

/// What an operator may change.
#[derive(Clone, Copy)]
pub(crate) struct Change<'c> {
    pub(crate) effects: &'c [Assignment],
    /// Features that are predicates and may change.
    pub(crate) predicates: &'c [u32],
}

impl AbstractEffects {
    /// Computes the possible effects; returns whether there are any.
    pub(crate) fn of(
        &mut self,
        task: &PatternTask,
        kept: &KeptFeatures<'_>,
        change: Change<'_>,
        now: &[Interval],
    ) -> Result<bool, PatternTooLarge> {
        self.choices.clear();
        self.set.clear();
        let mut count: usize = 1;
        for one in change.effects {
            let mut choices = Vec::new();
            let of = |factor: FactorId| now[factor.index()];
            let Some(value) = evaluate(&one.value, &of) else { return Ok(false) };
            match &one.place {
                AssignmentTarget::Factor(factor) => {
                    choose(task, kept, *factor, value, &mut choices)?;
                    self.set(task, *factor, value, true, now);
                }
                AssignmentTarget::Element(element) => {
                    let row = Interval { least: 0, greatest: i64::from(element.count) - 1 };
                    let index = evaluate(&element.index, &of).and_then(|index| index.meet(row));
                    let Some(index) = index else { return Ok(false) };
                    for at in index.least..=index.greatest {
                        let factor = FactorId(element.first.0 + at as u32 * element.stride);
                        choose(task, kept, factor, value, &mut choices)?;
                        self.set(task, factor, value, index.single().is_some(), now);
                    }
                }
            }
            choices.sort_unstable();
            choices.dedup();
            count = count.saturating_mul(choices.len());
            if count > MOST_WAYS {
                return Err(PatternTooLarge);
            }
            self.choices.push(choices);
        }
        for &place in change.predicates {
            let Feature::Predicate(truth) = &kept.features[place as usize] else { continue };
            self.judge(truth, place, now);
            count = count.saturating_mul(self.choices.last().map_or(0, Vec::len));
        }
        if count > MOST_WAYS { Err(PatternTooLarge) } else { Ok(count > 0) }
    }

    /// Records an assignment; unless `is_sure`, the factor may keep its value.
    fn set(
        &mut self,
        task: &PatternTask,
        factor: FactorId,
        value: Interval,
        is_sure: bool,
        now: &[Interval],
    ) {
        let range = task.ranges.get(factor);
        let value = value.meet(range).unwrap_or(range);
        let before = lookup(&self.set, factor).unwrap_or(now[factor.index()]);
        let is_lost = is_sure && !task.is_summary(factor);
        self.set.push((factor, if is_lost { value } else { value.hull(before) }));
    }

    /// Adds the possible truth values of a predicate after the operator.
    fn judge(&mut self, truth: &Predicate, place: u32, now: &[Interval]) {
        let of = |factor: FactorId| lookup(&self.set, factor).unwrap_or(now[factor.index()]);
        let value = evaluate(&truth.condition, &of).unwrap_or(Interval::TRUTH);
        let no = value.may_be_false().then_some((Some(place), 0));
        let yes = value.may_be_true().then_some((Some(place), 1));
        self.choices.push(no.into_iter().chain(yes).collect());
    }

    /// Enumerates the combinations; later effects override earlier ones.
    pub(crate) fn each(&mut self, values: &[i32], tell: &mut impl FnMut(&[i32])) {
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

/// The last assigned interval.
fn lookup(set: &[(FactorId, Interval)], factor: FactorId) -> Option<Interval> {
    set.iter().rev().find(|one| one.0 == factor).map(|one| one.1)
}

/// The feature values of a factor that gets a value of an interval.
fn choose(
    task: &PatternTask,
    kept: &KeptFeatures<'_>,
    factor: FactorId,
    value: Interval,
    choices: &mut Vec<(Option<u32>, i32)>,
) -> Result<(), PatternTooLarge> {
    let Some(place) = kept.places[factor.index()] else {
        choices.push((None, 0));
        return Ok(());
    };
    // Reachable values are within the range of the factor.
    let Some(value) = value.meet(task.ranges.get(factor)) else { return Ok(()) };
    if let Feature::Class(_, classes) = &kept.features[place as usize] {
        classes.each_in(value, &mut |class| choices.push((Some(place), class)));
        return Ok(());
    }
    if value.size() > MOST_WAYS as u64 {
        return Err(PatternTooLarge);
    }
    let all = value.least..=value.greatest;
    choices.extend(all.map(|value| (Some(place), value as i32)));
    Ok(())
}
