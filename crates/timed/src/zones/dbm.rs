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

    /// The matrix of `size` clocks in which only some have bounds, among them clock 0: those outside
    /// the diagonal, by rows. The others may have any value.
    ///
    /// # Panics
    ///
    /// When there are not as many.
    pub fn of_active(
        size: usize,
        active: &[u32],
        mut differences: impl Iterator<Item = Bound>,
    ) -> Dbm {
        let mut dbm = Dbm { size, bounds: vec![UNBOUNDED; size * size] };
        for &i in active {
            let row = &mut dbm.bounds[i as usize * size..][..size];
            for &j in active {
                row[j as usize] = match j == i {
                    true => LE_ZERO,
                    false => differences.next().expect("a bound for each difference"),
                };
            }
        }
        assert!(differences.next().is_none(), "a bound for each difference");
        dbm.forget_others(&active[1..]);
        dbm
    }

    /// The bounds of `x_i - x_j` for all `j`.
    pub fn row(&self, i: usize) -> &[Bound] {
        &self.bounds[i * self.size..][..self.size]
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
    /// constant of lower bounds (`x > c`), `upper` that of upper bounds (`x < c`), for each clock. The
    /// clocks that have one of them are the `active` ones, in ascending order; the values of the
    /// others are forgotten.
    pub fn extrapolate(&mut self, active: &[u32], lower: &[Largest], upper: &[Largest]) {
        let n = self.size;
        let mut first = Row::new(n);
        first.copy(&self.bounds[..n]);
        let first = first.get();
        // Whether the least value of a clock exceeds the constant; without one, each value does.
        let exceeds = |clock: usize, largest: Largest| {
            largest.is_none_or(|largest| first[clock] < below(-largest))
        };
        // The rows in which a bound was forgotten. The other bounds are canonical still.
        let mut changed = Row::new(active.len() + 1);
        let mut rows = 0;
        let mut change = |row: u32, changed: &mut Row| {
            changed.slice()[rows] = row as Bound;
            rows += 1;
        };
        let mut is_changed = false;
        let mut beyond = Row::new(n);
        let beyond = beyond.slice();
        for &j in active {
            let j = j as usize;
            let exceeds = exceeds(j, upper[j]);
            beyond[j] = Bound::from(exceeds);
            if exceeds {
                let new = upper[j].map_or(LE_ZERO, |largest| below(-largest));
                is_changed |= new != self.bounds[j];
                self.bounds[j] = new;
            }
        }
        if is_changed {
            change(0, &mut changed);
        }
        for &i in active {
            let largest = lower[i as usize];
            let row = &mut self.bounds[i as usize * n..][..n];
            // A bound above this one is forgotten.
            let most = match largest {
                Some(constant) if !exceeds(i as usize, largest) => at_most(constant),
                _ => Bound::MIN,
            };
            let mut is_changed = row[0] > most && row[0] != UNBOUNDED;
            if is_changed {
                row[0] = UNBOUNDED;
            }
            for &j in active {
                let bound = &mut row[j as usize];
                let is_free = *bound > most || beyond[j as usize] != 0;
                if is_free && i != j && *bound != UNBOUNDED {
                    *bound = UNBOUNDED;
                    is_changed = true;
                }
            }
            if is_changed {
                change(i, &mut changed);
            }
        }
        self.close_rows(active, &changed.get()[..rows]);
        self.forget_others(active);
    }

    /// Restores the canonical form of these rows, where all other bounds of the active clocks are
    /// canonical.
    fn close_rows(&mut self, active: &[u32], rows: &[Bound]) {
        let n = self.size;
        let mut via = Row::new(n);
        for k in std::iter::once(0).chain(active.iter().map(|&clock| clock as usize)) {
            let mut is_read = false;
            for &i in rows {
                let i = i as usize;
                let first = self.bounds[i * n + k];
                if i == k || first == UNBOUNDED {
                    continue;
                }
                if !std::mem::replace(&mut is_read, true) {
                    via.copy(&self.bounds[k * n..][..n]);
                }
                shorten(&mut self.bounds[i * n..][..n], first, via.get());
            }
        }
    }

    /// Forgets the values of the clocks that are not active.
    fn forget_others(&mut self, active: &[u32]) {
        let n = self.size;
        if active.len() + 1 == n {
            return;
        }
        let mut is_active = Row::new(n);
        is_active.slice()[0] = 1;
        active.iter().for_each(|&clock| is_active.slice()[clock as usize] = 1);
        let is_active = is_active.get();
        for (i, row) in self.bounds.chunks_exact_mut(n).enumerate() {
            if is_active[i] == 0 {
                row.fill(UNBOUNDED);
                row[i] = LE_ZERO;
                continue;
            }
            let most = row[0];
            for (bound, &is_active) in row.iter_mut().zip(is_active) {
                *bound = if is_active == 0 { most } else { *bound };
            }
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

    fn slice(&mut self) -> &mut [Bound] {
        match self {
            Row::Short(row, length) => &mut row[..*length],
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
