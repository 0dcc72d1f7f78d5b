//! Enumeration of values of factors that the features do not determine: an operator may be
//! applicable for some values only, or have different effects.
//!
//! Intervals alone lose that an odd number plus one is even, or that `x < y` may change by `x++`.
//! Enumeration is more precise and still an over-approximation: factors that are not enumerated
//! keep their intervals.

use beeline_factored::{FactorExpr, FactorId, Interval, evaluate};

use super::abstract_effects::KeptFeatures;
use super::budget::PatternTooLarge;
use super::feature::Feature;

/// Upper bound on the enumerated combinations of one operator in one abstract state.
const MOST_TRIALS: u64 = 1 << 17;

/// The enumeration of an operator or a target.
#[derive(Default)]
pub(crate) struct Enumeration {
    /// Its own factors first, then those that predicates relate to them.
    tried: Vec<FactorId>,
    /// The predicates over these factors.
    truths: Vec<u32>,
}

impl Enumeration {
    /// The enumeration for the given factors.
    pub(crate) fn new(
        kept: &KeptFeatures<'_>,
        looks_at: impl IntoIterator<Item = FactorId>,
    ) -> Enumeration {
        let mut trials = Enumeration::default();
        looks_at.into_iter().for_each(|factor| trials.add(kept, factor));
        let mut at = 0;
        while at < trials.tried.len() {
            let factor = trials.tried[at];
            for (place, feature) in kept.features.iter().enumerate() {
                let (mut all, mut is_about) = (Vec::new(), false);
                feature.factors(&mut |other| {
                    is_about |= other == factor;
                    all.push(other);
                });
                let is_new = !trials.truths.contains(&(place as u32));
                if is_about && is_new && matches!(feature, Feature::Predicate(_)) {
                    trials.truths.push(place as u32);
                    all.into_iter().for_each(|other| trials.add(kept, other));
                }
            }
            at += 1;
        }
        trials
    }

    fn add(&mut self, kept: &KeptFeatures<'_>, factor: FactorId) {
        let place = kept.places[factor.index()];
        let is_known =
            place.is_some_and(|at| matches!(kept.features[at as usize], Feature::Value(_)));
        let mut is_seen = false;
        let features = kept.features.iter();
        features.for_each(|feature| feature.factors(&mut |other| is_seen |= other == factor));
        if is_seen && !is_known && !self.tried.contains(&factor) {
            self.tried.push(factor);
        }
    }

    /// Whether no factor is enumerated.
    pub(crate) fn is_empty(&self) -> bool {
        self.tried.is_empty()
    }

    /// Calls `visit` with intervals in which all conditions may hold, until it returns `true`;
    /// returns the number of enumerated combinations. `now` is unchanged in the end.
    pub(crate) fn each(
        &self,
        kept: &KeptFeatures<'_>,
        here: &[i32],
        conditions: &[FactorExpr],
        now: &mut [Interval],
        visit: &mut impl FnMut(&[Interval]) -> Result<bool, PatternTooLarge>,
    ) -> Result<usize, PatternTooLarge> {
        let before: Vec<Interval> = self.tried.iter().map(|factor| now[factor.index()]).collect();
        // As many factors as the bound allows.
        let (mut product, mut count) = (1u64, 0);
        for interval in &before {
            product = product.saturating_mul(interval.size());
            if product > MOST_TRIALS {
                break;
            }
            count += 1;
        }
        let tried = &self.tried[..count];
        let mut values: Vec<i64> = before[..count].iter().map(|one| one.least).collect();
        let mut trials = 0;
        let mut is_done = false;
        while !is_done {
            trials += 1;
            let mut fits = true;
            for (factor, &value) in tried.iter().zip(&values) {
                now[factor.index()] = Interval::one(value as i32);
                if let Some(place) = kept.places[factor.index()] {
                    let feature = &kept.features[place as usize];
                    fits &= !matches!(feature, Feature::Class(_, classes)
                        if classes.of(value as i32) != here[place as usize]);
                }
            }
            if fits && self.agrees(kept, here, now) && all_may(conditions, now) {
                is_done = visit(now)?;
            }
            let turn = (0..count).rev().find(|&at| values[at] < before[at].greatest);
            let Some(turn) = turn else { break };
            values[turn] += 1;
            for at in turn + 1..count {
                values[at] = before[at].least;
            }
        }
        for (factor, interval) in self.tried.iter().zip(before) {
            now[factor.index()] = interval;
        }
        Ok(trials)
    }

    /// Whether the predicates may have their values of this abstract state.
    fn agrees(&self, kept: &KeptFeatures<'_>, here: &[i32], now: &[Interval]) -> bool {
        self.truths.iter().all(|&place| match &kept.features[place as usize] {
            Feature::Predicate(truth) if here[place as usize] != 0 => all_may(&truth.yes, now),
            Feature::Predicate(truth) => all_may(&truth.no, now),
            _ => true,
        })
    }
}

/// Whether all conditions may hold.
fn all_may(conditions: &[FactorExpr], now: &[Interval]) -> bool {
    let of = |factor: FactorId| now[factor.index()];
    conditions.iter().all(|one| evaluate(one, &of).is_some_and(Interval::may_be_true))
}
