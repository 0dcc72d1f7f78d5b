//! Comparison of two searches over instances.

use super::{Found, Instance, Table};

/// With fewer estimates, start-up dominates the time.
pub(crate) const ENOUGH: f64 = 5000.0;

/// The comparison of one search with another.
pub(crate) struct Comparison {
    /// The results of both, where both found an error: the one first, the other second.
    pub(crate) pairs: Vec<(Found, Found)>,
    pub(crate) only_one: usize,
    pub(crate) only_other: usize,
}

impl Comparison {
    pub(crate) fn of(table: &Table, instances: &[&Instance], one: &str, other: &str) -> Comparison {
        let mut result = Comparison { pairs: Vec::new(), only_one: 0, only_other: 0 };
        for instance in instances {
            match (table.found(instance, one), table.found(instance, other)) {
                (Some(a), Some(b)) => result.pairs.push((a, b)),
                (Some(_), None) => result.only_one += 1,
                (None, Some(_)) => result.only_other += 1,
                (None, None) => {}
            }
        }
        result
    }

    /// The number of instances in which the other took less; and in which they are equal.
    pub(crate) fn less(&self, of: fn(&Found) -> f64) -> (usize, usize) {
        let less = self.pairs.iter().filter(|(one, other)| of(other) < of(one)).count();
        let same = self.pairs.iter().filter(|(one, other)| of(other) == of(one)).count();
        (less, same)
    }

    /// The percentage of instances in which the other took less; an instance that only one of them
    /// solves counts for that one.
    pub(crate) fn share(&self, of: fn(&Found) -> f64) -> f64 {
        let all = self.pairs.len() + self.only_one + self.only_other;
        100.0 * (self.less(of).0 + self.only_other) as f64 / all.max(1) as f64
    }

    /// The median of the ratios of the other to the one.
    pub(crate) fn ratio(&self, of: fn(&Found) -> f64) -> f64 {
        let least = 1e-9;
        median(self.pairs.iter().map(|(a, b)| of(b).max(least) / of(a).max(least)).collect())
    }

    /// The additional microseconds of an estimate of the other: minimum, median, ninth decile,
    /// maximum, over instances with enough estimates. The cost of a state without estimates is from
    /// the same instance if the one has enough states, and otherwise not subtracted.
    pub(crate) fn costs(&self) -> (usize, [f64; 4]) {
        let per_state = |run: &Found| 1e6 * run.cpu / run.evaluated;
        let enough = self.pairs.iter().filter(|(_, other)| other.evaluated >= ENOUGH);
        let cost = |(one, other): &(Found, Found)| {
            let without = if one.evaluated >= ENOUGH { per_state(one) } else { 0.0 };
            (per_state(other) - without).max(0.0)
        };
        let mut costs: Vec<f64> = enough.map(cost).collect();
        costs.sort_by(f64::total_cmp);
        let at = |share: f64| {
            let last = costs.len().saturating_sub(1);
            costs.get((share * last as f64).round() as usize).copied().unwrap_or(f64::NAN)
        };
        (costs.len(), [0.0, 0.5, 0.9, 1.0].map(at))
    }
}

/// The median; 1 if there are no values.
fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    let middle = values.len() / 2;
    match values.len() {
        0 => 1.0,
        len if len % 2 == 1 => values[middle],
        _ => (values[middle - 1] + values[middle]) / 2.0,
    }
}
