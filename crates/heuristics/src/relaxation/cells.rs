//! Cells of a relaxed state: one for each factor, or one for each message field of a channel.
//!
//! A cell with few possible values is a bit set. A larger one is a list of the values so far, and
//! an interval when they become too many.

use beeline_factored::{FactorId, FactorKind, Interval, Ranges, System};

/// Representation of value sets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ValueSets {
    /// Exact sets.
    Sets,
    /// Intervals.
    Intervals,
}

/// Representation of channels.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ChannelModel {
    /// A set of values for each message field, without order and length.
    Pooled,
    /// The possible lengths, and a set of values for each slot and field.
    Slots,
}

/// Options of the relaxation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RelaxationOptions {
    /// Value sets.
    pub values: ValueSets,
    /// Channels.
    pub channels: ChannelModel,
}

/// Upper bound on the possible values of a bit set.
const SMALL: u64 = 256;

/// Upper bound on the values of a list: the bits of a word but the last.
pub(super) const LISTED: usize = 63;

/// The bit of a list that has become an interval.
pub(super) const WIDE: u64 = 1 << LISTED;

/// Representation of a cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum CellShape {
    /// A bit for each possible value.
    Bits,
    /// A list or an interval, by its number.
    List(u32),
}

/// A cell.
#[derive(Clone, Copy, Debug)]
pub(super) struct Cell {
    /// The reachable values.
    pub(super) range: Interval,
    pub(super) shape: CellShape,
    /// Its first word.
    pub(super) first: u32,
    pub(super) words: u32,
    /// The first non-zero value makes it the full range: the length of a channel of unknown
    /// capacity.
    pub(super) fills: bool,
}

impl Cell {
    /// The bit of a value of a bit set.
    #[inline]
    pub(super) fn bit(&self, value: i32) -> u32 {
        (i64::from(value) - self.range.least) as u32
    }

    /// The value of a bit of a bit set.
    #[inline]
    pub(super) fn value(&self, bit: u32) -> i32 {
        (self.range.least + i64::from(bit)) as i32
    }

    /// The bits of a word with values in an interval.
    pub(super) fn bits_within(&self, word: u32, interval: Interval) -> u64 {
        let base = self.range.least + i64::from(word) * 64;
        let Some(met) = interval.meet(self.range) else { return 0 };
        let least = (met.least - base).max(0);
        let greatest = (met.greatest - base).min(63);
        if least > greatest {
            return 0;
        }
        (u64::MAX >> (63 - greatest)) & (u64::MAX << least)
    }
}

/// All cells.
#[derive(Clone, Debug)]
pub(super) struct Cells {
    pub(super) all: Vec<Cell>,
    /// By factor.
    pub(super) of: Vec<u32>,
    pub(super) words: u32,
    pub(super) lists: u32,
    pub(super) values: ValueSets,
}

impl Cells {
    pub(super) fn new(system: &System, ranges: &Ranges, options: RelaxationOptions) -> Cells {
        let is_pooled = options.channels == ChannelModel::Pooled;
        let mut cells =
            Cells { all: Vec::new(), of: Vec::new(), words: 0, lists: 0, values: options.values };
        let leader = |at: usize| {
            if is_pooled { system.factors[at].pool } else { FactorId(at as u32) }
        };
        let mut spans: Vec<Option<Interval>> = vec![None; system.factors.len()];
        for at in 0..system.factors.len() {
            let range = ranges.get(FactorId(at as u32));
            let span = &mut spans[leader(at).index()];
            *span = Some(span.map_or(range, |span| span.hull(range)));
        }
        let mut made = vec![u32::MAX; system.factors.len()];
        for (at, factor) in system.factors.iter().enumerate() {
            let leader = leader(at).index();
            if let Some(span) = spans[leader].take() {
                made[leader] = cells.all.len() as u32;
                cells.add(span, is_pooled && factor.kind == FactorKind::Length);
            }
            cells.of.push(made[leader]);
        }
        cells
    }

    fn add(&mut self, range: Interval, fills: bool) {
        let (shape, words) = if range.size() <= SMALL {
            (CellShape::Bits, range.size().div_ceil(64) as u32)
        } else {
            self.lists += 1;
            (CellShape::List(self.lists - 1), 1)
        };
        self.all.push(Cell { range, shape, first: self.words, words, fills });
        self.words += words;
    }

    #[inline]
    pub(super) fn get(&self, cell: u32) -> &Cell {
        &self.all[cell as usize]
    }

    #[inline]
    pub(super) fn cell_of(&self, factor: FactorId) -> u32 {
        self.of[factor.index()]
    }
}
