//! The parallel search as a [`CycleSearch`]: rounds, limits and the result.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use beeline_kernel::{Cost, StatePath, Stop};

use super::super::{CycleSearch, Lasso};
use super::colours::{LocalStates, parent};
use super::crew::{Crew, CrewWork, FoundStates};
use super::kind::CycleRule;
use super::rounds::{Pause, lock};
use super::worker::{Returned, Worker};
use crate::finding::FindingKind;
use crate::hit::Hit;
use crate::limits::Outcome;
use crate::parallel::TableGrowth;
use crate::search::Search;
use crate::stats::Stats;
use crate::store::shared::{Lengthening, RecordId};

/// A parallel search for an accepting cycle.
pub(super) struct ParallelCycleSearch<'t, 'a> {
    crew: &'t Crew<'a>,
    rule: CycleRule,
    /// Starts the thread of this number, which waits for the round after the given one. Returns
    /// whether the system could.
    spawn: &'t dyn Fn(usize, usize) -> bool,
    /// The number of threads that may run now.
    wanted: &'t AtomicUsize,
    /// The threads that were started besides this one, and whether the system starts more.
    others: usize,
    may_start: bool,
    worker: Worker<'a>,
    /// Whether a round has begun, and whether this thread has returned from it.
    is_in_round: bool,
    has_returned: bool,
    lasso: Option<Lasso>,
    hit: Option<(FindingKind, StatePath)>,
    outcome: Option<Outcome>,
}

impl<'t, 'a> ParallelCycleSearch<'t, 'a> {
    pub(super) fn new(
        crew: &'t Crew<'a>,
        rule: CycleRule,
        wanted: &'t AtomicUsize,
        spawn: &'t dyn Fn(usize, usize) -> bool,
    ) -> ParallelCycleSearch<'t, 'a> {
        ParallelCycleSearch {
            crew,
            rule,
            spawn,
            wanted,
            others: 0,
            may_start: true,
            worker: Worker::new(crew, 0, rule),
            is_in_round: false,
            has_returned: false,
            lasso: None,
            hit: None,
            outcome: crew.root.is_none().then_some(Outcome::Incomplete(Stop::Memory)),
        }
    }

    /// Starts more threads, if more may run now.
    fn start_threads(&mut self) {
        let most = self.wanted.load(Ordering::Relaxed).min(self.crew.reports.len());
        while self.may_start && self.others + 1 < most {
            let seen = self.crew.rounds.admit();
            if (self.spawn)(self.others + 1, seen) {
                self.others += 1;
            } else {
                self.crew.rounds.dismiss();
                self.may_start = false;
            }
        }
    }

    /// Collects the results of a round, from which all threads have returned.
    fn end_round(&mut self) {
        self.is_in_round = false;
        let rounds = &self.crew.rounds;
        if let Some(panic) = rounds.take_panic() {
            std::panic::resume_unwind(panic);
        }
        let found = lock(&self.crew.found).take();
        if let Some(found) = found {
            self.take(found);
            self.end(Outcome::Found);
        } else if rounds.is_asked(Pause::MemoryFull) {
            self.end(Outcome::Incomplete(Stop::Memory));
        } else if rounds.is_asked(Pause::TableFull) {
            self.lengthen_table();
        } else {
            self.end(Outcome::Complete);
        }
    }

    /// Replaces the table by a longer one, which all threads fill.
    fn lengthen_table(&mut self) {
        let Crew { store, rounds, written, .. } = self.crew;
        let (stats, _) = self.crew.counted();
        let growth = match store.lengthen(stats.stored as usize + 1) {
            Lengthening::Impossible => return self.end(Outcome::Incomplete(Stop::Memory)),
            Lengthening::LastSlots => return rounds.resume(),
            Lengthening::Copy(copy) => TableGrowth::Copy(copy),
            Lengthening::Refill => TableGrowth::refill(lock(written).clone()),
        };
        let growth = Arc::new(growth);
        rounds.begin(Some(CrewWork::Grow(Arc::clone(&growth))), self.others);
        while growth.help_once(store) {}
        while !rounds.wait_a_little() {}
        growth.end(store);
        rounds.forget_work();
        rounds.resume();
    }

    /// Loads the states of the result.
    #[cold]
    fn take(&mut self, found: FoundStates) {
        match found {
            FoundStates::Hit(kind, id) => {
                self.hit = Some((kind, self.load(&self.branch_to(id))));
            }
            FoundStates::Cycle(mut cycle) => {
                let mut stem = cycle.first().map_or_else(Vec::new, |&id| self.branch_to(id));
                // The lasso ends where its stem meets the cycle first.
                let mut on_cycle = LocalStates::default();
                cycle.iter().for_each(|&id| _ = on_cycle.insert(id));
                let meets = stem.iter().position(|&id| on_cycle.has(id));
                stem.truncate(meets.unwrap_or(stem.len()));
                let entry = meets.and_then(|at| {
                    let entry = self.branch_to(cycle[0])[at];
                    cycle.iter().position(|&id| id == entry)
                });
                cycle.rotate_left(entry.unwrap_or(0));
                self.lasso = Some(Lasso { stem: self.load(&stem), cycle: self.load(&cycle) });
            }
        }
    }

    /// The states from the initial one to this one, each stored by the expansion of the one before.
    fn branch_to(&self, id: RecordId) -> Vec<RecordId> {
        let mut branch = vec![id];
        let mut at = id;
        while let Some(before) = parent(&self.crew.store, at) {
            branch.push(before);
            at = before;
        }
        branch.reverse();
        branch
    }

    fn load(&self, ids: &[RecordId]) -> StatePath {
        let mut path = StatePath::new();
        ids.iter().for_each(|&id| path.push(self.crew.store.state(id)));
        path
    }

    fn end(&mut self, outcome: Outcome) {
        self.crew.rounds.pause(Pause::Stopped);
        self.outcome.get_or_insert(outcome);
    }
}

impl Search for ParallelCycleSearch<'_, '_> {
    fn name(&self) -> &'static str {
        match self.rule {
            CycleRule::Accepting | CycleRule::Components => "parallel nested depth-first search",
            CycleRule::Persistent => "parallel persistence",
        }
    }

    #[inline]
    fn outcome(&self) -> Option<Outcome> {
        self.outcome
    }

    fn poll(&mut self) {
        let query = &self.crew.query;
        if query.stop.is_some_and(|stop| stop.load(Ordering::Relaxed)) {
            self.end(Outcome::Incomplete(Stop::Interrupted));
        } else if self.outcome.is_none() && self.bytes() > query.max_bytes() {
            self.end(Outcome::Incomplete(Stop::Memory));
        }
    }

    fn step(&mut self, most: u64) -> u64 {
        if !self.is_in_round {
            (self.is_in_round, self.has_returned) = (true, false);
            self.crew.rounds.begin(Some(CrewWork::Search), self.others);
        }
        self.start_threads();
        let before = self.worker.expanded();
        if !self.has_returned {
            match self.worker.search(self.crew, most.min(u64::MAX - 1)) {
                Returned::Budget => return (self.worker.expanded() - before).max(1),
                Returned::Blocked => {
                    self.crew.rounds.wait_a_little();
                    return most;
                }
                Returned::Waiting => {
                    self.worker.release(self.crew);
                    self.has_returned = true;
                }
            }
        }
        // While it waits, the caller has control.
        if !self.crew.rounds.wait_a_little() {
            return most;
        }
        self.end_round();
        self.worker.expanded() - before
    }

    fn stats(&self) -> Stats {
        let (mut stats, _) = self.crew.counted();
        stats.stored += u64::from(self.crew.root.is_some());
        stats.store_bytes = self.crew.store.bytes() as u64;
        stats.table_bytes = self.crew.store.table_bytes() as u64;
        stats
    }

    fn hits(&self) -> Vec<Hit> {
        self.hit.iter().map(|&(kind, _)| Hit { kind, cost: None }).collect()
    }

    fn path(&self, hit: usize) -> StatePath {
        let hits = self.hit.as_slice();
        hits[hit].1.clone()
    }

    fn bytes(&self) -> usize {
        self.crew.store.bytes() + self.crew.counted().1
    }

    fn lower_bound(&self) -> Cost {
        let nothing = self.outcome == Some(Outcome::Complete);
        if nothing { Cost(u32::MAX) } else { Cost::ZERO }
    }
}

impl CycleSearch for ParallelCycleSearch<'_, '_> {
    fn lasso(&self) -> Option<Lasso> {
        self.lasso.clone()
    }
}
