//! The parallel exploration as a [`Search`]: rounds, levels, limits and hits.

use std::sync::Arc;
use std::sync::atomic::Ordering;

use beeline_kernel::{Cost, StatePath, Stop};

use super::findings::LevelFindings;
use super::level::{Level, RecordRange};
use super::member::return_results;
use super::options::ParallelOptions;
use super::shortest_path::path_to;
use super::table_growth::TableGrowth;
use super::team::{Pause, Results, Round, Team, lock};
use super::worker::{Returned, Worker};
use crate::finding::FindingKind;
use crate::hit::Hit;
use crate::limits::Outcome;
use crate::search::Search;
use crate::stats::Stats;
use crate::store::shared::{Lengthening, RecordId};

/// Levels of fewer pieces are expanded by one thread.
const WORTH_THREADS: usize = 4;

/// A breadth-first search by levels.
pub(super) struct LevelSearch<'t, 'a> {
    team: &'t Team<'a>,
    options: ParallelOptions<'t>,
    /// Starts the thread of this number, which waits for the round after the given one. Returns
    /// whether the system could.
    spawn: &'t dyn Fn(usize, usize) -> bool,
    /// Threads beside this one, once a level was large enough for them.
    others: Option<usize>,
    worker: Worker<'a>,
    /// The level that is expanded, and its number.
    level: Arc<Level>,
    depth: u32,
    /// Memory of the level.
    level_bytes: usize,
    /// Whether the other threads take part in the level.
    is_shared: bool,
    phase: Phase,
    /// New states of the rounds before, and findings of the level.
    next: Vec<RecordRange>,
    findings: LevelFindings,
    /// The states of all levels before.
    history: Vec<Vec<RecordRange>>,
    hits: Vec<LevelHit>,
    outcome: Option<Outcome>,
}

/// The part of a round that this thread is in.
#[derive(Clone, Debug)]
enum Phase {
    /// Before the first one, or between two.
    Between,
    /// It expands states.
    Expanding,
    /// It waits for the others.
    Waiting,
    /// It fills a longer table.
    Growing(Arc<TableGrowth>),
    /// It waits until the others have filled theirs.
    Grown(Arc<TableGrowth>),
}

/// An error, with its state and the number of its level.
#[derive(Clone, Copy, Debug)]
struct LevelHit {
    kind: FindingKind,
    state: RecordId,
    depth: u32,
}

impl<'t, 'a> LevelSearch<'t, 'a> {
    /// Stores the initial state.
    pub(super) fn new(
        team: &'t Team<'a>,
        initial: &[u8],
        options: ParallelOptions<'t>,
        spawn: &'t dyn Fn(usize, usize) -> bool,
    ) -> LevelSearch<'t, 'a> {
        let mut worker = Worker::new(team.space.expander(), team.store.writer());
        let level = worker.begin(team, initial);
        let outcome = level.is_none().then_some(Outcome::Incomplete(Stop::Memory));
        let level = Arc::new(level.unwrap_or_default());
        LevelSearch {
            team,
            options,
            spawn,
            others: None,
            worker,
            level,
            depth: 0,
            level_bytes: 0,
            is_shared: false,
            phase: Phase::Between,
            next: Vec::new(),
            findings: LevelFindings::default(),
            history: Vec::new(),
            hits: Vec::new(),
            outcome,
        }
    }

    /// Begins a round of the level, with other threads if that is worthwhile.
    fn begin_round(&mut self) {
        self.phase = Phase::Expanding;
        self.is_shared |= self.level.len() >= WORTH_THREADS;
        if self.is_shared {
            let others = self.others();
            self.team.begin(Round::Expand(Arc::clone(&self.level)), others);
        }
    }

    /// The number of the other threads. Starts them at the first call.
    fn others(&mut self) -> usize {
        *self.others.get_or_insert_with(|| {
            let seen = self.team.round();
            (1..self.options.threads).take_while(|&index| (self.spawn)(index, seen)).count()
        })
    }

    /// Collects the results of a round, from which all threads have returned. Returns whether there
    /// are new hits.
    fn end_round(&mut self) -> bool {
        self.phase = Phase::Between;
        let Results { pieces, mut findings, panic } =
            std::mem::take(&mut *lock(&self.team.results));
        if let Some(panic) = panic {
            std::panic::resume_unwind(panic);
        }
        self.next.extend(pieces);
        self.findings.merge(&mut findings, &self.team.store);
        if self.team.is_asked(Pause::MemoryFull) {
            self.end(Outcome::Incomplete(Stop::Memory));
            return self.publish_hits();
        }
        if self.team.is_asked(Pause::TableFull) {
            self.lengthen_table();
            return self.outcome.is_some() && self.publish_hits();
        }
        let has_hits = self.publish_hits();
        self.end_level(has_hits);
        has_hits
    }

    /// Publishes the findings of kinds that had none. Returns whether there are any.
    fn publish_hits(&mut self) -> bool {
        let known = self.hits.len();
        for (kind, state) in self.findings.take() {
            if self.hits[..known].iter().all(|hit| hit.kind != kind) {
                self.hits.push(LevelHit { kind, state, depth: self.depth });
            }
        }
        self.hits.len() > known
    }

    /// Continues with the next level, unless the search is over.
    fn end_level(&mut self, has_hits: bool) {
        let until = self.options.until;
        if has_hits && self.hits.iter().any(|hit| until.is_met_by(hit.kind)) {
            return self.end(Outcome::Found);
        }
        if self.next.is_empty() {
            return self.end(Outcome::Complete);
        }
        if self.options.limits.depth == Some(self.depth) {
            return self.end(Outcome::Incomplete(Stop::Depth));
        }
        self.history.push(joined(self.level.ranges()));
        self.depth += 1;
        self.level = Arc::new(Level::new(self.depth, std::mem::take(&mut self.next)));
        self.level_bytes = self.level.bytes();
        self.is_shared = false;
        if self.options.limits.bytes.is_some_and(|limit| self.bytes() > limit) {
            self.end(Outcome::Incomplete(Stop::Memory));
        }
    }

    /// Replaces the table by a longer one, which all threads fill.
    fn lengthen_table(&mut self) {
        let stored = Search::stats(self).stored as usize;
        let growth = match self.team.store.lengthen(stored) {
            Lengthening::Impossible => return self.end(Outcome::Incomplete(Stop::Memory)),
            Lengthening::LastSlots => return self.team.resume(),
            Lengthening::Copy(copy) => TableGrowth::Copy(copy),
            Lengthening::Refill => {
                let history = self.history.iter().flatten().copied();
                let next = self.next.iter().copied();
                let ranges = history.chain(self.level.ranges()).chain(next);
                TableGrowth::refill(ranges.collect())
            }
        };
        let growth = Arc::new(growth);
        let others = self.others.unwrap_or(0);
        self.team.begin(Round::Grow(Arc::clone(&growth)), others);
        self.phase = Phase::Growing(growth);
    }

    /// Continues with a new table when all threads have filled their parts.
    fn end_growth(&mut self, growth: &TableGrowth) {
        self.phase = Phase::Between;
        if let Some(panic) = lock(&self.team.results).panic.take() {
            std::panic::resume_unwind(panic);
        }
        growth.end(&self.team.store);
        self.team.forget_round();
        self.team.resume();
    }

    fn end(&mut self, outcome: Outcome) {
        self.team.pause(Pause::Stopped);
        self.outcome.get_or_insert(outcome);
    }
}

/// At most this many records in a range: a range is the unit of work when a table is filled.
const LARGEST: u32 = 1 << 14;

/// Ranges of records, those joined that follow each other.
fn joined(ranges: impl Iterator<Item = RecordRange>) -> Vec<RecordRange> {
    let mut joined: Vec<RecordRange> = Vec::new();
    let mut sorted: Vec<RecordRange> = ranges.collect();
    sorted.sort_unstable_by_key(|range| range.first);
    for range in sorted {
        match joined.last_mut() {
            Some(last) if last.first.is_beside(range.first) && last.count < LARGEST => {
                last.count += range.count;
            }
            _ => joined.push(range),
        }
    }
    joined
}

impl Search for LevelSearch<'_, '_> {
    fn name(&self) -> &'static str {
        "parallel exploration"
    }

    #[inline]
    fn outcome(&self) -> Option<Outcome> {
        self.outcome
    }

    fn poll(&mut self) {
        if self.options.stop.is_some_and(|stop| stop.load(Ordering::Relaxed)) {
            self.end(Outcome::Incomplete(Stop::Interrupted));
        }
    }

    /// While this thread waits or fills a table, and after new hits, the caller has control.
    fn step(&mut self, most: u64) -> u64 {
        if matches!(self.phase, Phase::Between) {
            self.begin_round();
        }
        let before = self.worker.expanded();
        match self.phase.clone() {
            Phase::Between | Phase::Expanding => {
                let counters = &self.team.counters[0];
                let returned = self.worker.expand(self.team, counters, &self.level, most);
                if returned == Returned::Waiting {
                    return_results(self.team, &mut self.worker);
                    self.phase = Phase::Waiting;
                    if !self.is_shared && self.end_round() {
                        return most;
                    }
                }
            }
            Phase::Waiting => {
                if !self.team.wait_a_little() || self.end_round() {
                    return most;
                }
            }
            Phase::Growing(growth) => {
                if !growth.help_once(&self.team.store) {
                    self.phase = Phase::Grown(growth);
                }
                return most;
            }
            Phase::Grown(growth) => {
                if self.team.wait_a_little() {
                    self.end_growth(&growth);
                }
                return most;
            }
        }
        self.worker.expanded() - before
    }

    fn stats(&self) -> Stats {
        let mut stats = Stats::default();
        self.team.counters.iter().for_each(|counters| stats.add(&counters.read()));
        stats.depth = u64::from(self.depth);
        stats.store_bytes = self.team.store.bytes() as u64;
        stats.table_bytes = self.team.store.table_bytes() as u64;
        stats
    }

    fn hits(&self) -> Vec<Hit> {
        self.hits.iter().map(|hit| Hit { kind: hit.kind, cost: None }).collect()
    }

    fn path(&self, hit: usize) -> StatePath {
        let LevelHit { state, depth, .. } = self.hits[hit];
        let levels = &self.history[..depth as usize];
        let path = path_to(state, levels, &self.team.store, &mut *self.team.space.expander());
        path.expect("each state of a level has a predecessor in the level before")
    }

    fn bytes(&self) -> usize {
        let ranges = self.history.len() * size_of::<Vec<RecordRange>>();
        self.team.store.bytes() + self.level_bytes + ranges
    }

    /// Transitions are counted, not costs, so nothing is proved about costs.
    fn lower_bound(&self) -> Cost {
        Cost::ZERO
    }
}
