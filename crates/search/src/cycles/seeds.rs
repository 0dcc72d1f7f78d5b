//! Seeds: states at which an accepting cycle can begin, and the order in which they are searched.
//!
//! The work of the search from a seed back to it is not known, so there are levels. A seed whose
//! search did not end within its budget on one level moves to the next, where the budget is four
//! times as large. All levels get equal shares of the work.
//!
//! Source: ours.
//! Promises: each seed is reported once, and searched level by level.

use std::collections::VecDeque;
use std::sync::mpsc::{Receiver, Sender, channel};

use beeline_kernel::{Expander, Expansion, StateId};

use super::length::is_seed;
use crate::store::{ExactStore, Inserted, StateSet, StoreLimits};

/// Expansions for a seed on the first level.
const FIRST: u64 = 64;
/// Ratio of the budgets of two levels.
const MORE: u64 = 4;

/// The known seeds.
pub(super) struct Seeds {
    told: Receiver<Vec<u8>>,
    known: ExactStore,
    levels: Vec<Level>,
}

/// Seeds with equal budgets.
#[derive(Default)]
struct Level {
    waiting: VecDeque<StateId>,
    spent: u64,
}

/// A seed with its budget.
#[derive(Clone, Copy, Debug)]
pub(super) struct SeedSlice {
    pub(super) seed: StateId,
    level: usize,
    /// The remaining expansions.
    pub(super) expansions: u64,
}

impl Seeds {
    /// No seeds, and an expander that reports them.
    pub(super) fn new<'a>(expander: Box<dyn Expander + 'a>) -> (Seeds, SeedDetector<'a>) {
        let (tell, told) = channel();
        let known = ExactStore::new(StoreLimits::NONE);
        let seeds = Seeds { told, known, levels: vec![Level::default()] };
        (seeds, SeedDetector { expander, inner: Expansion::default(), tell })
    }

    /// Receives new seeds.
    pub(super) fn listen(&mut self) {
        while let Ok(seed) = self.told.try_recv() {
            // A state that is expanded again, at less cost, is not a new seed.
            if let Inserted::New(id) = self.known.insert(&seed) {
                self.levels[0].waiting.push_back(id);
            }
        }
    }

    /// Whether some seed is not searched to its end.
    pub(super) fn wait(&self) -> bool {
        self.levels.iter().any(|level| !level.waiting.is_empty())
    }

    /// The next seed: the first one on the level with the least work.
    pub(super) fn next(&mut self) -> Option<SeedSlice> {
        let levels = self.levels.iter_mut().enumerate();
        let waiting = levels.filter(|(_, level)| !level.waiting.is_empty());
        let (number, level) = waiting.min_by_key(|(_, level)| level.spent)?;
        let seed = level.waiting.pop_front()?;
        let expansions = FIRST.saturating_mul(MORE.saturating_pow(number as u32));
        Some(SeedSlice { seed, level: number, expansions })
    }

    /// Moves a seed to the next level, with a larger budget.
    pub(super) fn postpone(&mut self, turn: SeedSlice) {
        let next = turn.level + 1;
        if next == self.levels.len() {
            self.levels.push(Level::default());
        }
        self.levels[next].waiting.push_back(turn.seed);
    }

    /// Counts work for a seed.
    pub(super) fn spend(&mut self, turn: SeedSlice, work: u64) {
        self.levels[turn.level].spent += work;
    }

    /// The work for all seeds.
    pub(super) fn spent(&self) -> u64 {
        self.levels.iter().map(|level| level.spent).sum()
    }

    /// The state of a seed.
    pub(super) fn state(&mut self, turn: SeedSlice) -> &[u8] {
        self.known.open(turn.seed)
    }

    /// The number of known seeds.
    pub(super) fn len(&self) -> usize {
        self.known.len()
    }

    /// Memory held.
    pub(super) fn bytes(&self) -> usize {
        let waiting = self.levels.iter().map(|level| level.waiting.capacity()).sum::<usize>();
        self.known.bytes() + waiting * size_of::<StateId>()
    }
}

/// Expands states, and reports those that are seeds.
pub(super) struct SeedDetector<'a> {
    expander: Box<dyn Expander + 'a>,
    inner: Expansion,
    tell: Sender<Vec<u8>>,
}

impl Expander for SeedDetector<'_> {
    fn expand(&mut self, state: &[u8], expansion: &mut Expansion) {
        self.expander.expand_only(state, &mut self.inner);
        if is_seed(&self.inner) {
            // When the receiver is gone, the seeds are not needed any more.
            self.tell.send(state.to_vec()).ok();
        }
        expansion.append(&self.inner);
    }
}
