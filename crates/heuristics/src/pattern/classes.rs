//! Value classes (data abstraction): intervals, sets of intervals, or residues.

use beeline_factored::Interval;

/// A partition of all numbers into classes, numbered from 0.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ValueClasses {
    /// Each class is a union of disjoint intervals; all other values form one more class.
    Sets(Vec<Vec<Interval>>),
    /// Residue classes; the modulus is at least 2.
    Modulo(i32),
}

impl ValueClasses {
    /// The class of a value.
    pub fn of(&self, value: i32) -> i32 {
        match self {
            ValueClasses::Modulo(by) => value.rem_euclid(*by),
            ValueClasses::Sets(sets) => {
                let is_in = |set: &Vec<Interval>| set.iter().any(|part| part.contains(value));
                sets.iter().position(is_in).unwrap_or(sets.len()) as i32
            }
        }
    }

    /// Number of classes, at most.
    fn count(&self) -> i32 {
        match self {
            ValueClasses::Modulo(by) => *by,
            ValueClasses::Sets(sets) => sets.len() as i32 + 1,
        }
    }

    /// The hull of the values of a class within a range; `None` if there are none.
    pub(crate) fn within(&self, class: i32, range: Interval) -> Option<Interval> {
        match self {
            ValueClasses::Modulo(by) => {
                let by = i64::from(*by);
                let class = i64::from(class);
                let least = range.least + (class - range.least).rem_euclid(by);
                let greatest = range.greatest - (range.greatest - class).rem_euclid(by);
                (least <= greatest).then_some(Interval { least, greatest })
            }
            ValueClasses::Sets(sets) => match sets.get(class as usize) {
                Some(set) => set.iter().filter_map(|part| part.meet(range)).reduce(Interval::hull),
                None => outside(sets.iter().flatten(), range),
            },
        }
    }

    /// Enumerates the classes with values in an interval.
    pub(crate) fn each_in(&self, values: Interval, tell: &mut impl FnMut(i32)) {
        let count = self.count();
        if values.size() < count as u64 {
            let all = values.least..=values.greatest;
            all.for_each(|value| tell(self.of(value as i32)));
            return;
        }
        (0..count).filter(|&class| self.within(class, values).is_some()).for_each(tell);
    }
}

/// The hull of a range without some intervals.
fn outside<'i>(
    parts: impl Iterator<Item = &'i Interval> + Clone,
    range: Interval,
) -> Option<Interval> {
    let Interval { mut least, mut greatest } = range;
    let around = |value: i64| {
        let mut parts = parts.clone();
        parts.find(|part| part.least <= value && value <= part.greatest)
    };
    while let Some(part) = around(least).filter(|_| least <= greatest) {
        least = part.greatest + 1;
    }
    while let Some(part) = around(greatest).filter(|_| least <= greatest) {
        greatest = part.least - 1;
    }
    (least <= greatest).then_some(Interval { least, greatest })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn interval(least: i64, greatest: i64) -> Interval {
        Interval { least, greatest }
    }

    #[test]
    fn what_is_within_a_class_and_what_meets_it_is_what_has_it() {
        let sets = |sets: &[&[(i64, i64)]]| {
            let set = |set: &&[(i64, i64)]| set.iter().map(|&(a, b)| interval(a, b)).collect();
            ValueClasses::Sets(sets.iter().map(set).collect())
        };
        let all = [
            ValueClasses::Modulo(2),
            ValueClasses::Modulo(5),
            sets(&[&[(0, 0)], &[(1, 3)], &[(4, i64::from(i32::MAX))]]),
            sets(&[&[(-3, -2), (1, 1), (5, 6)], &[(2, 2), (4, 4)]]),
            sets(&[&[(-10, 10)]]),
        ];
        for classes in all {
            for (least, greatest) in [(-7, 9), (0, 0), (2, 3), (-2, 4), (1, 6), (5, 8)] {
                let range = interval(least, greatest);
                let mut met = Vec::new();
                classes.each_in(range, &mut |class| met.push(class));
                met.sort_unstable();
                met.dedup();
                let truly = |class: i32| {
                    let all = (least as i32..=greatest as i32).map(i64::from);
                    all.filter(|&value| classes.of(value as i32) == class).collect::<Vec<_>>()
                };
                for class in 0..classes.count() {
                    let values = truly(class);
                    let hull = values.first().zip(values.last()).map(|(&a, &b)| interval(a, b));
                    assert_eq!(classes.within(class, range), hull, "{classes:?} {class} {range:?}");
                    assert_eq!(met.contains(&class), hull.is_some(), "{classes:?} {class}");
                }
            }
        }
    }
}
