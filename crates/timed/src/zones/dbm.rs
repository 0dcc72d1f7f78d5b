//! Difference bound matrices.
//!
//! Source: \[BY04\], algorithms close, up, and, reset; \[BBLP06\] for the extrapolation Extra⁺_LU.
//! Promises: a matrix that is not empty is canonical after each operation, except within
//! [`Dbm::constrain_all`] and the like, which end with closing.

use super::bound::{Bound, LARGEST, LE_ZERO, UNBOUNDED, at_most, below, negated, sum};

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

    /// A canonical matrix from the bounds outside its diagonal, by rows.
    ///
    /// # Panics
    ///
    /// When there are not as many.
    pub fn of_differences(size: usize, mut differences: impl Iterator<Item = Bound>) -> Dbm {
        let mut bounds = Vec::with_capacity(size * size);
        bounds.push(LE_ZERO);
        for _ in 1..size {
            bounds.extend(differences.by_ref().take(size));
            bounds.push(LE_ZERO);
        }
        assert_eq!(bounds.len(), size * size, "a bound for each difference");
        Dbm { size, bounds }
    }

    /// The bounds outside the diagonal, by rows.
    pub fn differences(&self) -> impl Iterator<Item = Bound> + Clone + '_ {
        // After the first bound, there are `size` of them before each one of the diagonal.
        let chunks = self.bounds[1..].chunks_exact(self.size + 1);
        chunks.flat_map(|chunk| &chunk[..self.size]).copied()
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
        let mut via = Row::new(n);
        for k in 0..n {
            via.copy(&self.bounds[k * n..][..n]);
            for (i, row) in self.bounds.chunks_exact_mut(n).enumerate() {
                if i != k && row[k] != UNBOUNDED {
                    shorten(row, row[k], via.get());
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
        let n = self.size;
        let mut via = Row::new(n);
        via.copy(&self.bounds[minus * n..][..n]);
        for row in self.bounds.chunks_exact_mut(n) {
            let to = sum(row[plus], bound);
            // Otherwise no path over the new bound is shorter, since the matrix is canonical.
            if to < row[minus] {
                shorten(row, to, via.get());
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

    /// Whether a bound is so large that sums of two might not fit.
    pub fn is_too_large(&self) -> bool {
        let most = at_most(LARGEST);
        self.bounds.iter().any(|&bound| bound != UNBOUNDED && !(-most..=most).contains(&bound))
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
        let mut first = Row::new(n);
        first.copy(&self.bounds[..n]);
        // Whether the least value of a clock exceeds the constant; without one, each value does.
        let exceeds = |clock: usize, largest: Largest| {
            largest.is_none_or(|largest| first.get()[clock] < below(-largest))
        };
        let mut is_changed = false;
        for (j, &constant) in upper.iter().enumerate().take(n).skip(1) {
            let new = match constant {
                None => LE_ZERO,
                Some(largest) if exceeds(j, constant) => below(-largest),
                Some(_) => continue,
            };
            is_changed |= new != self.bounds[j];
            self.bounds[j] = new;
        }
        for (i, &constant) in lower.iter().enumerate().take(n).skip(1) {
            let row = &mut self.bounds[i * n..][..n];
            // A bound above this one is forgotten.
            let most = match constant {
                Some(largest) if !exceeds(i, constant) => at_most(largest),
                _ => Bound::MIN,
            };
            for (j, bound) in row.iter_mut().enumerate() {
                let is_free = *bound > most || j != 0 && exceeds(j, upper[j]);
                if is_free && i != j && *bound != UNBOUNDED {
                    *bound = UNBOUNDED;
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

/// A copy of a row.
enum Row {
    Short([Bound; SHORT], usize),
    Long(Vec<Bound>),
}

/// The length of a row that needs no memory of its own.
const SHORT: usize = 32;

impl Row {
    fn new(length: usize) -> Row {
        if length <= SHORT { Row::Short([0; SHORT], length) } else { Row::Long(vec![0; length]) }
    }

    fn copy(&mut self, from: &[Bound]) {
        match self {
            Row::Short(row, length) => row[..*length].copy_from_slice(from),
            Row::Long(row) => row.copy_from_slice(from),
        }
    }

    fn get(&self) -> &[Bound] {
        match self {
            Row::Short(row, length) => &row[..*length],
            Row::Long(row) => row,
        }
    }
}

/// Lowers the bounds of a row to those of the paths with this first bound and then those of another
/// row. Without branches, so that several bounds are computed at a time.
#[inline]
fn shorten(row: &mut [Bound], first: Bound, via: &[Bound]) {
    for (bound, &then) in row.iter_mut().zip(via) {
        let both = (first & !1).wrapping_add(then & !1).wrapping_add(first & then & 1);
        let detour = if then == UNBOUNDED { UNBOUNDED } else { both };
        *bound = (*bound).min(detour);
    }
}

#[cfg(test)]
mod tests;
