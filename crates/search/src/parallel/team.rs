//! What the threads of a breadth-first search share, and the work of their rounds.

use std::any::Any;
use std::ops::Deref;
use std::sync::Arc;

use beeline_kernel::Space;

use super::counters::Counters;
use super::crew::Crew;
pub(super) use super::crew::{Pause, lock};
use super::findings::LevelFindings;
use super::level::{Level, RecordRange};
use super::table_growth::TableGrowth;
use crate::store::shared::SharedStore;
use crate::sync::Mutex;

/// The work of a round.
#[derive(Clone, Debug)]
pub(super) enum Round {
    /// Expand a level.
    Expand(Arc<Level>),
    /// Fill a longer table.
    Grow(Arc<TableGrowth>),
    /// End the thread.
    End,
}

/// What the threads of a search share.
pub(super) struct Team<'a> {
    pub(super) space: &'a dyn Space,
    pub(super) store: SharedStore,
    /// The counters of each thread.
    pub(super) counters: Box<[Counters]>,
    /// The results of the round.
    pub(super) results: Mutex<Results>,
    crew: Crew<Round>,
}

/// What the threads have done in a round.
#[derive(Default)]
pub(super) struct Results {
    pub(super) pieces: Vec<RecordRange>,
    pub(super) findings: LevelFindings,
    /// The payload of a panic.
    pub(super) panic: Option<Box<dyn Any + Send>>,
}

impl<'a> Team<'a> {
    /// A team of one thread, the current one, to which others may be added.
    pub(super) fn new(space: &'a dyn Space, store: SharedStore, threads: usize) -> Team<'a> {
        Team {
            space,
            store,
            counters: (0..threads).map(|_| Counters::default()).collect(),
            results: Mutex::default(),
            crew: Crew::new(Round::End),
        }
    }

    /// Frees the data of the round, from which all threads have returned.
    pub(super) fn forget_round(&self) {
        self.crew.forget_round(Round::End);
    }
}

/// A team works in rounds as its crew does.
impl Deref for Team<'_> {
    type Target = Crew<Round>;

    #[inline]
    fn deref(&self) -> &Crew<Round> {
        &self.crew
    }
}
