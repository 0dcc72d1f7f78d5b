//! A relaxed state: a growing set of values for each cell. Added values count after a commit.

use std::sync::Arc;

use beeline_factored::{FactorReader, Interval};

use super::cells::{Cell, CellShape, Cells, LISTED, ValueSets, WIDE};

/// The values of a cell that is no bit set.
#[derive(Clone, Debug)]
pub(super) struct ValueList {
    values: [i32; LISTED],
    count: usize,
    /// The interval, if it became one.
    hull: Option<Interval>,
    next_hull: Option<Interval>,
}

/// A relaxed state.
#[derive(Clone, Debug)]
pub(super) struct RelaxedState {
    pub(super) cells: Arc<Cells>,
    /// Committed values of all cells.
    pub(super) now: Vec<u64>,
    /// Added values.
    next: Vec<u64>,
    lists: Vec<ValueList>,
    /// Cells with added values.
    pub(super) touched: Vec<u32>,
    is_touched: Vec<bool>,
    /// By value: the operator that added it first.
    pub(super) support: Vec<u32>,
    /// By value: the number of earlier values.
    pub(super) rank: Vec<u32>,
    /// By cell: the last operator that added a value.
    last: Vec<u32>,
    /// Number of values.
    pub(super) count: u32,
    /// The operator that is being applied.
    pub(super) adding: u32,
}

impl RelaxedState {
    pub(super) fn new(cells: Arc<Cells>) -> RelaxedState {
        let words = cells.words as usize;
        let list = ValueList { values: [0; LISTED], count: 0, hull: None, next_hull: None };
        RelaxedState {
            now: vec![0; words],
            next: vec![0; words],
            lists: vec![list; cells.lists as usize],
            touched: Vec::with_capacity(cells.all.len()),
            is_touched: vec![false; cells.all.len()],
            support: vec![0; words * 64],
            rank: vec![0; words * 64],
            last: vec![0; cells.all.len()],
            count: 0,
            adding: 0,
            cells,
        }
    }

    /// Removes all values.
    fn clear(&mut self) {
        self.now.fill(0);
        self.next.fill(0);
        self.is_touched.fill(false);
        self.touched.clear();
        self.count = 0;
        for list in &mut self.lists {
            (list.count, list.hull, list.next_hull) = (0, None, None);
        }
    }

    /// Starts with the values of a state; `false` if it cannot be read.
    pub(super) fn read(&mut self, reading: &dyn FactorReader, state: &[u8]) -> bool {
        self.clear();
        let mut fits = true;
        let is_read = reading.read(state, &mut |factor, value| {
            let cell = self.cells.cell_of(factor);
            fits &= self.cells.get(cell).range.contains(value);
            self.add(cell, value);
        });
        is_read && fits
    }

    /// Adds bits to a word of a bit set.
    #[inline]
    pub(super) fn add_bits(&mut self, cell: u32, word: u32, bits: u64) {
        let at = (self.cells.get(cell).first + word) as usize;
        let new = bits & !self.now[at] & !self.next[at];
        if new == 0 {
            return;
        }
        self.next[at] |= new;
        let mut left = new;
        while left != 0 {
            self.support[at * 64 + left.trailing_zeros() as usize] = self.adding;
            left &= left - 1;
        }
        self.touch(cell);
    }

    #[inline]
    fn touch(&mut self, cell: u32) {
        self.last[cell as usize] = self.adding;
        if !std::mem::replace(&mut self.is_touched[cell as usize], true) {
            self.touched.push(cell);
        }
    }

    /// Adds a value. Values outside of the range are unreachable and ignored.
    #[inline]
    pub(super) fn add(&mut self, cell: u32, value: i32) {
        let of = self.cells.get(cell);
        if !of.range.contains(value) {
            return;
        }
        match of.shape {
            CellShape::Bits => {
                let bit = of.bit(value);
                self.add_bits(cell, bit / 64, 1 << (bit % 64));
            }
            CellShape::List(list) => self.add_to_list(cell, list, value),
        }
    }

    fn add_to_list(&mut self, cell: u32, list: u32, value: i32) {
        let of = &mut self.lists[list as usize];
        if of.hull.is_some() || of.next_hull.is_some() || self.cells.values == ValueSets::Intervals
        {
            return self.widen(cell, list, Interval::one(value));
        }
        if of.values[..of.count].contains(&value) {
            return;
        }
        if of.count == LISTED {
            return self.widen(cell, list, Interval::one(value));
        }
        of.values[of.count] = value;
        of.count += 1;
        let at = self.cells.get(cell).first as usize;
        let bit = of.count - 1;
        self.next[at] |= 1 << bit;
        self.support[at * 64 + bit] = self.adding;
        self.touch(cell);
    }

    /// Adds all values of an interval.
    pub(super) fn add_interval(&mut self, cell: u32, interval: Interval) {
        let of = *self.cells.get(cell);
        let Some(met) = interval.meet(of.range) else { return };
        match of.shape {
            CellShape::Bits => (0..of.words).for_each(|word| {
                self.add_bits(cell, word, of.bits_within(word, met));
            }),
            CellShape::List(_) if met.size() <= LISTED as u64 => {
                (met.least..=met.greatest).for_each(|value| self.add(cell, value as i32));
            }
            CellShape::List(list) => self.widen(cell, list, met),
        }
    }

    /// Turns a list into an interval, or extends the interval.
    fn widen(&mut self, cell: u32, list: u32, met: Interval) {
        let list = &mut self.lists[list as usize];
        let known = list.next_hull.or(list.hull);
        if known.is_some_and(|known| known.covers(met)) {
            return;
        }
        let mut hull = known.map_or(met, |known| known.hull(met));
        for &value in &list.values[..list.count] {
            hull = hull.hull(Interval::one(value));
        }
        list.next_hull = Some(hull);
        let at = self.cells.get(cell).first as usize;
        if self.now[at] & WIDE == 0 && self.next[at] & WIDE == 0 {
            self.next[at] |= WIDE;
            self.support[at * 64 + LISTED] = self.adding;
        }
        self.touch(cell);
    }

    /// Commits the added values of a cell and appends them to `fresh`. Returns whether the cell has
    /// grown.
    pub(super) fn commit(&mut self, cell: u32, fresh: &mut Vec<u32>) -> bool {
        self.is_touched[cell as usize] = false;
        let of = *self.cells.get(cell);
        let mut grown = false;
        match of.shape {
            CellShape::Bits => self.complete(cell, &of),
            CellShape::List(list) => {
                let list = &mut self.lists[list as usize];
                if let Some(hull) = list.next_hull.take() {
                    grown = list.hull != Some(hull);
                    list.hull = Some(hull);
                }
            }
        }
        for at in of.first..of.first + of.words {
            let new = std::mem::take(&mut self.next[at as usize]);
            if new == 0 {
                continue;
            }
            self.now[at as usize] |= new;
            grown = true;
            let mut left = new;
            while left != 0 {
                let value = at * 64 + left.trailing_zeros();
                self.rank[value as usize] = self.count;
                self.count += 1;
                fresh.push(value);
                left &= left - 1;
            }
        }
        grown
    }

    /// Adds the values that the representation implies.
    fn complete(&mut self, cell: u32, of: &Cell) {
        if !of.fills && self.cells.values == ValueSets::Sets {
            return;
        }
        let words = of.first..of.first + of.words;
        let all = |at: u32| self.now[at as usize] | self.next[at as usize];
        let least = words.clone().find(|&at| all(at) != 0);
        let greatest = words.clone().rev().find(|&at| all(at) != 0);
        let (Some(least), Some(greatest)) = (least, greatest) else { return };
        let value = |at: u32, bit: u32| of.range.least + i64::from((at - of.first) * 64 + bit);
        let mut hull = Interval {
            least: value(least, all(least).trailing_zeros()),
            greatest: value(greatest, 63 - all(greatest).leading_zeros()),
        };
        if of.fills && hull != Interval::one(0) {
            hull = of.range;
        } else if self.cells.values == ValueSets::Sets {
            return;
        }
        self.adding = self.last[cell as usize];
        for word in 0..of.words {
            self.add_bits(cell, word, of.bits_within(word, hull));
        }
        if self.is_touched[cell as usize] {
            self.is_touched[cell as usize] = false;
            self.touched.pop();
        }
    }

    /// The hull of a cell's values; `None` if it has none.
    pub(super) fn hull(&self, cell: u32) -> Option<Interval> {
        let of = self.cells.get(cell);
        let words = &self.now[of.first as usize..(of.first + of.words) as usize];
        self.hull_of(of, words, None)
    }

    /// The hull of some words of a cell, or of its interval.
    pub(super) fn hull_of(
        &self,
        of: &Cell,
        words: &[u64],
        wide: Option<Interval>,
    ) -> Option<Interval> {
        match of.shape {
            CellShape::Bits => {
                let least = words.iter().position(|&word| word != 0)?;
                let greatest = words.iter().rposition(|&word| word != 0)?;
                let value =
                    |at: usize, bit: u32| of.range.least + (at as i64) * 64 + i64::from(bit);
                Some(Interval {
                    least: value(least, words[least].trailing_zeros()),
                    greatest: value(greatest, 63 - words[greatest].leading_zeros()),
                })
            }
            CellShape::List(list) => {
                let list = &self.lists[list as usize];
                if words[0] & WIDE != 0 {
                    return wide.or(list.hull);
                }
                let mut hull: Option<Interval> = None;
                let mut left = words[0];
                while left != 0 {
                    let one = Interval::one(list.values[left.trailing_zeros() as usize]);
                    hull = Some(hull.map_or(one, |hull| hull.hull(one)));
                    left &= left - 1;
                }
                hull
            }
        }
    }

    /// Whether a cell has all reachable values of an interval.
    pub(super) fn has(&self, cell: u32, values: Interval) -> bool {
        let of = self.cells.get(cell);
        let Some(met) = values.meet(of.range) else { return true };
        match of.shape {
            CellShape::Bits => (0..of.words)
                .all(|word| of.bits_within(word, met) & !self.now[(of.first + word) as usize] == 0),
            CellShape::List(list) => match (self.wide(list), met.single()) {
                (Some(hull), _) => hull.covers(met),
                (None, Some(value)) => self.place(cell, value).is_some(),
                (None, None) => false,
            },
        }
    }

    /// A value of a list.
    #[inline]
    pub(super) fn listed(&self, list: u32, bit: u32) -> i32 {
        self.lists[list as usize].values[bit as usize]
    }

    /// The interval that replaced a list.
    #[inline]
    pub(super) fn wide(&self, list: u32) -> Option<Interval> {
        self.lists[list as usize].hull
    }

    /// The index of a value among all bits, if it is present.
    pub(super) fn place(&self, cell: u32, value: i32) -> Option<u32> {
        let of = self.cells.get(cell);
        let bit = match of.shape {
            CellShape::Bits => {
                if !of.range.contains(value) {
                    return None;
                }
                of.bit(value)
            }
            CellShape::List(list) => {
                let list = &self.lists[list as usize];
                let at = list.values[..list.count].iter().position(|&one| one == value);
                match at.map(|at| at as u32) {
                    Some(bit) if self.now[of.first as usize] & 1 << bit != 0 => bit,
                    _ if list.hull.is_some_and(|hull| hull.contains(value)) => LISTED as u32,
                    _ => return None,
                }
            }
        };
        let at = of.first * 64 + bit;
        (self.now[(at / 64) as usize] & 1 << (at % 64) != 0).then_some(at)
    }
}
