//! Difference bound matrices.
//!
//! Source: \[BY04\], algorithms close, up, and, reset; \[BBLP06\] for the extrapolation Extra⁺_LU.
//! Promises: a matrix that is not empty is canonical after each operation, except within
//! [`Dbm::constrain_all`] and the like, which end with closing.

use super::bound::{Bound, LE_ZERO, UNBOUNDED, at_most, below, constant, negated, sum};

/// `x_plus - x_minus` has this bound. Clock 0 is the constant 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Constraint {
    /// The clock that is added.
    pub plus: usize,
    /// The clock that is subtracted.
    pub minus: usize,
    /// The bound.
    pub bound: Bound,
}

impl Constraint {
    /// The constraint that holds where this one does not.
    #[must_use]
    pub fn negated(self) -> Constraint {
        Constraint { plus: self.minus, minus: self.plus, bound: negated(self.bound) }
    }
}

/// A bound of a clock for extrapolation: no guard compares it with more. `None`: no guard does.
pub type Largest = Option<i32>;

/// A zone.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Dbm {
    size: usize,
    /// By rows: the bound of `x_i - x_j`.
    bounds: Vec<Bound>,
}

impl Dbm {
    /// The valuation in which all clocks are 0; `size` counts clock 0.
    pub fn zero(size: usize) -> Dbm {
        Dbm { size, bounds: vec![LE_ZERO; size * size] }
    }

    /// A canonical matrix from its bounds, by rows.
    pub fn of(size: usize, bounds: Vec<Bound>) -> Dbm {
        debug_assert_eq!(bounds.len(), size * size);
        Dbm { size, bounds }
    }

    /// The number of clocks, with clock 0.
    pub fn size(&self) -> usize {
        self.size
    }

    /// The bounds, by rows.
    pub fn bounds(&self) -> &[Bound] {
        &self.bounds
    }

    /// The bound of `x_i - x_j`.
    #[inline]
    pub fn at(&self, i: usize, j: usize) -> Bound {
        self.bounds[i * self.size + j]
    }

    #[inline]
    fn set(&mut self, i: usize, j: usize, bound: Bound) {
        self.bounds[i * self.size + j] = bound;
    }

    /// Restores the canonical form. `false` if the zone is empty.
    pub fn close(&mut self) -> bool {
        let n = self.size;
        for k in 0..n {
            for i in 0..n {
                let through = self.at(i, k);
                if through == UNBOUNDED || i == k {
                    continue;
                }
                for j in 0..n {
                    let detour = sum(through, self.at(k, j));
                    if detour < self.at(i, j) {
                        self.set(i, j, detour);
                    }
                }
            }
            if self.at(k, k) < LE_ZERO {
                return false;
            }
        }
        (0..n).all(|i| self.at(i, i) >= LE_ZERO)
    }

    /// Intersects with a constraint. `false` if the zone is empty then.
    pub fn constrain(&mut self, constraint: Constraint) -> bool {
        let Constraint { plus, minus, bound } = constraint;
        if bound >= self.at(plus, minus) {
            return plus != minus || bound >= LE_ZERO;
        }
        if sum(bound, self.at(minus, plus)) < LE_ZERO {
            return false;
        }
        self.set(plus, minus, bound);
        let n = self.size;
        for i in 0..n {
            let to = sum(self.at(i, plus), bound);
            if to == UNBOUNDED {
                continue;
            }
            for j in 0..n {
                let detour = sum(to, self.at(minus, j));
                if detour < self.at(i, j) {
                    self.set(i, j, detour);
                }
            }
        }
        true
    }

    /// Intersects with several constraints. `false` if the zone is empty then.
    pub fn constrain_all(&mut self, constraints: &[Constraint]) -> bool {
        constraints.iter().all(|&one| self.constrain(one))
    }

    /// Lets any time pass.
    pub fn up(&mut self) {
        for i in 1..self.size {
            self.set(i, 0, UNBOUNDED);
        }
    }

    /// The valuations from which time leads here.
    pub fn down(&mut self) {
        for j in 1..self.size {
            let mut bound = LE_ZERO;
            for i in 1..self.size {
                bound = bound.min(self.at(i, j));
            }
            self.set(0, j, bound);
        }
    }

    /// Sets a clock to a number.
    pub fn reset(&mut self, clock: usize, value: i32) {
        for j in 0..self.size {
            if j != clock {
                self.set(clock, j, sum(at_most(value), self.at(0, j)));
                self.set(j, clock, sum(self.at(j, 0), at_most(-value)));
            }
        }
        self.set(clock, clock, LE_ZERO);
    }

    /// Forgets the value of a clock: the valuations in which it has any value.
    pub fn free(&mut self, clock: usize) {
        for j in 0..self.size {
            if j != clock {
                self.set(clock, j, UNBOUNDED);
                self.set(j, clock, self.at(j, 0));
            }
        }
        self.set(0, clock, LE_ZERO);
    }

    /// Whether it contains all valuations of another zone.
    pub fn includes(&self, other: &Dbm) -> bool {
        self.bounds.iter().zip(&other.bounds).all(|(one, other)| other <= one)
    }

    /// Whether it satisfies a constraint somewhere.
    pub fn meets(&self, constraint: Constraint) -> bool {
        let Constraint { plus, minus, bound } = constraint;
        if plus == minus {
            return bound >= LE_ZERO;
        }
        sum(bound, self.at(minus, plus)) >= LE_ZERO
    }

    /// Extra⁺_LU: forgets bounds that no later comparison can notice. `lower` has the largest
    /// constant of lower bounds (`x > c`), `upper` that of upper bounds (`x < c`), for each clock.
    pub fn extrapolate(&mut self, lower: &[Largest], upper: &[Largest]) {
        let n = self.size;
        // By clock: its least value exceeds the constant; without a constant each value does.
        let exceeds = |least: Bound, largest: Largest| match largest {
            None => true,
            Some(largest) => -constant(least) > largest,
        };
        let least: Vec<Bound> = self.bounds[..n].to_vec();
        let mut is_changed = false;
        for i in 0..n {
            for j in 0..n {
                if i == j {
                    continue;
                }
                let old = self.at(i, j);
                let is_beyond = |largest: Largest| match largest {
                    None => true,
                    Some(largest) => old != UNBOUNDED && constant(old) > largest,
                };
                let new = if i == 0 {
                    match upper[j] {
                        Some(largest) if exceeds(least[j], upper[j]) => below(-largest),
                        None => LE_ZERO,
                        Some(_) => old,
                    }
                } else if is_beyond(lower[i])
                    || exceeds(least[i], lower[i])
                    || exceeds(least[j], upper[j]) && j != 0
                {
                    UNBOUNDED
                } else {
                    old
                };
                if new != old {
                    self.set(i, j, new);
                    is_changed = true;
                }
            }
        }
        if is_changed {
            let is_not_empty = self.close();
            debug_assert!(is_not_empty, "extrapolation only adds valuations");
        }
    }
}

#[cfg(test)]
mod tests;
