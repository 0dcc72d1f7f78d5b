//! Parallel breadth-first search with a [`SharedSet`], which recognises states and does not give
//! them back: the sets without loss or with loss of `store` and `visited`.
//!
//! Two levels of states are kept in full. Promises as in the [parallel search](super) with the
//! exact store, with these differences: paths depend on the run, though not their lengths; with a
//! set that may omit states, all counters do, and the search never ends as
//! [`Outcome::Complete`].

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use beeline_kernel::{Cost, Fault, Space, StatePath, Stop};

use super::counters::Counters;
use super::crew::{Crew, Pause, lock};
use super::options::ParallelOptions;
use super::set_worker::{LeastStates, Returned, SetResults, SetRound, SetTeam, SetWorker};
use super::state_pieces::{LinkHistory, Piece, Place, StateLevel};
use crate::finding::FindingKind;
use crate::hit::Hit;
use crate::limits::{Limits, Outcome};
use crate::search::Search;
use crate::stats::Stats;
use crate::store::StoreLimits;
use crate::store::shared::compact::SharedCompact;
use crate::store::shared_set::{Room, SharedSet};
use crate::sync::Mutex;
use crate::visited::{Omissions, SharedBitstate, SharedHashCompact};

/// Levels of fewer pieces are expanded by one thread.
const WORTH_THREADS: usize = 4;

/// A set of states for several threads that does not give them back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SharedSetKind {
    /// Few bytes for each state, without loss.
    Compact,
    /// A fingerprint of 64 bits for each state, by the hash function of this seed.
    HashCompact {
        /// The seed.
        seed: u64,
    },
    /// Some bits of an array for each state, by the hash function of this seed.
    Bitstate {
        /// The seed.
        seed: u64,
        /// The length of the array.
        bytes: usize,
        /// Bits for each state.
        bits: u32,
    },
}

/// Why a search with a shared set does not start.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoSetSearch {
    /// The model fails before its first step.
    Fault(Fault),
    /// There is no memory for the array.
    Memory,
}

/// Explores a space in threads with a shared set, as [`explore_in_parallel`] does with the exact
/// store.
///
/// # Errors
///
/// If there is nothing to explore, or no memory for the set.
///
/// # Panics
///
/// As [`explore_in_parallel`].
///
/// [`explore_in_parallel`]: super::explore_in_parallel
pub fn explore_with_shared_set<R>(
    space: &dyn Space,
    kind: SharedSetKind,
    options: ParallelOptions<'_>,
    body: impl FnOnce(&mut dyn Search) -> R,
) -> Result<R, NoSetSearch> {
    let threads = options.threads.max(1);
    let Limits { bytes, states, .. } = options.limits;
    let (bytes, states) = (bytes.unwrap_or(usize::MAX), states.unwrap_or(usize::MAX));
    let limits = StoreLimits { bytes, states };
    match kind {
        SharedSetKind::Compact => {
            explore(space, SharedCompact::new(limits, threads), options, body)
        }
        SharedSetKind::HashCompact { seed } => {
            explore(space, SharedHashCompact::new(seed, limits, threads), options, body)
        }
        SharedSetKind::Bitstate { seed, bytes, bits } => {
            let set = SharedBitstate::new(seed, bytes, bits).ok_or(NoSetSearch::Memory)?;
            explore(space, set, options, body)
        }
    }
}

fn explore<S: SharedSet, R>(
    space: &dyn Space,
    set: S,
    options: ParallelOptions<'_>,
    body: impl FnOnce(&mut dyn Search) -> R,
) -> Result<R, NoSetSearch> {
    let mut initial = Vec::new();
    space.initial(&mut initial).map_err(NoSetSearch::Fault)?;
    let threads = options.threads.max(1);
    let team = SetTeam {
        space,
        set,
        crew: Crew::new(SetRound::End),
        counters: (0..threads).map(|_| Counters::default()).collect(),
        results: Mutex::default(),
        held: AtomicUsize::new(0),
        limit: options.limits.bytes.unwrap_or(usize::MAX),
    };
    Ok(thread::scope(|scope| {
        let _end = EndOfCrew(&team.crew);
        let spawn = |index: usize, seen: usize| {
            let team = &team;
            let thread = thread::Builder::new().name(format!("worker {index}"));
            thread.spawn_scoped(scope, move || work(team, index, seen)).is_ok()
        };
        body(&mut SetSearch::new(&team, initial, options, &spawn))
    }))
}

/// Ends the threads of a crew, even after a panic.
struct EndOfCrew<'t>(&'t Crew<SetRound>);

impl Drop for EndOfCrew<'_> {
    fn drop(&mut self) {
        self.0.pause(Pause::Stopped);
        self.0.begin(SetRound::End, 0);
    }
}

/// Takes part in rounds, from the one after `seen` on. A panic ends the search.
fn work<S: SharedSet>(team: &SetTeam<'_, S>, index: usize, mut seen: usize) {
    let mut worker = None;
    loop {
        let round;
        (seen, round) = team.crew.next_round(seen);
        if matches!(round, SetRound::End) {
            return;
        }
        let result = catch_unwind(AssertUnwindSafe(|| match &round {
            SetRound::Expand(level) => {
                let worker = worker.get_or_insert_with(|| SetWorker::new(team));
                worker.expand(team, &team.counters[index], level, u64::MAX);
                worker.release(team);
            }
            SetRound::Refill => team.set.refill(),
            SetRound::End => {}
        }));
        drop(round);
        if let Err(panic) = result {
            team.crew.pause(Pause::Stopped);
            lock(&team.results).panic.get_or_insert(panic);
        }
        team.crew.announce_return();
    }
}

/// A breadth-first search by levels with a shared set.
struct SetSearch<'t, 'a, S: SharedSet> {
    team: &'t SetTeam<'a, S>,
    options: ParallelOptions<'t>,
    /// Starts the thread of this number, which waits for the round after the given one. Returns
    /// whether the system could.
    spawn: &'t dyn Fn(usize, usize) -> bool,
    /// Threads beside this one, once a level was large enough for them.
    others: Option<usize>,
    initial: Vec<u8>,
    worker: SetWorker<'a, S>,
    /// The level that is expanded, and its number.
    level: Arc<StateLevel>,
    depth: u32,
    /// The links of all levels up to this one.
    history: LinkHistory,
    /// Whether the other threads take part in the level.
    is_shared: bool,
    /// Whether a round has begun, and whether this thread has returned from it.
    is_in_round: bool,
    has_returned: bool,
    /// New states of the rounds before, and findings of the level.
    next: Vec<Piece>,
    findings: LeastStates,
    hits: Vec<LevelHit>,
    outcome: Option<Outcome>,
}

/// An error, with the place of its state and the number of its level.
#[derive(Clone, Copy, Debug)]
struct LevelHit {
    kind: FindingKind,
    place: Place,
    depth: u32,
}

impl<'t, 'a, S: SharedSet> SetSearch<'t, 'a, S> {
    /// Inserts the initial state.
    fn new(
        team: &'t SetTeam<'a, S>,
        initial: Vec<u8>,
        options: ParallelOptions<'t>,
        spawn: &'t dyn Fn(usize, usize) -> bool,
    ) -> SetSearch<'t, 'a, S> {
        let mut worker = SetWorker::new(team);
        let has_room = worker.begin(team, &initial);
        worker.release(team);
        let pieces = std::mem::take(&mut lock(&team.results).pieces);
        SetSearch {
            team,
            options,
            spawn,
            others: None,
            initial,
            worker,
            level: Arc::new(StateLevel::new(pieces).0),
            depth: 0,
            history: LinkHistory::default(),
            is_shared: false,
            is_in_round: false,
            has_returned: false,
            next: Vec::new(),
            findings: LeastStates::default(),
            hits: Vec::new(),
            outcome: (!has_room).then_some(Outcome::Incomplete(Stop::Memory)),
        }
    }

    /// Begins a round of the level, with other threads if that is worthwhile.
    fn begin_round(&mut self) {
        (self.is_in_round, self.has_returned) = (true, false);
        self.is_shared |= self.level.len() >= WORTH_THREADS;
        if self.is_shared {
            let others = self.others();
            self.team.crew.begin(SetRound::Expand(Arc::clone(&self.level)), others);
        }
    }

    /// The number of the other threads. Starts them at the first call.
    fn others(&mut self) -> usize {
        *self.others.get_or_insert_with(|| {
            let seen = self.team.crew.round();
            (1..self.options.threads).take_while(|&index| (self.spawn)(index, seen)).count()
        })
    }

    /// Collects the results of a round, from which all threads have returned. Returns whether there
    /// are new hits.
    fn end_round(&mut self) -> bool {
        self.is_in_round = false;
        let results = std::mem::take(&mut *lock(&self.team.results));
        let SetResults { pieces, mut findings, panic } = results;
        if let Some(panic) = panic {
            std::panic::resume_unwind(panic);
        }
        self.next.extend(pieces);
        self.findings.merge(&mut findings);
        if self.team.crew.is_asked(Pause::MemoryFull) {
            self.end(Outcome::Incomplete(Stop::Memory));
            return self.publish_hits();
        }
        if self.team.crew.is_asked(Pause::TableFull) {
            self.make_room();
            return self.outcome.is_some() && self.publish_hits();
        }
        let has_hits = self.publish_hits();
        self.end_level(has_hits);
        has_hits
    }

    /// Publishes the findings of kinds that had none. Returns whether there are any.
    fn publish_hits(&mut self) -> bool {
        let known = self.hits.len();
        for (kind, place) in self.findings.take() {
            if self.hits[..known].iter().all(|hit| hit.kind != kind) {
                self.hits.push(LevelHit { kind, place, depth: self.depth });
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
            let is_proof = S::IS_EXACT;
            let lossy = Outcome::Incomplete(Stop::LossyStore);
            return self.end(if is_proof { Outcome::Complete } else { lossy });
        }
        if self.options.limits.depth == Some(self.depth) {
            return self.end(Outcome::Incomplete(Stop::Depth));
        }
        let (level, links) = StateLevel::new(std::mem::take(&mut self.next));
        self.history.push(links);
        self.level = Arc::new(level);
        self.depth += 1;
        self.is_shared = false;
        let held = self.history.bytes() + self.level.bytes();
        self.team.held.store(held, Ordering::Relaxed);
        self.team.set.adapt(Search::stats(self).stored as usize);
        if self.options.limits.bytes.is_some_and(|limit| self.bytes() > limit) {
            self.end(Outcome::Incomplete(Stop::Memory));
        }
    }

    /// Makes room in the set; all threads fill a new table.
    fn make_room(&mut self) {
        match self.team.set.make_room(Search::stats(self).stored as usize) {
            Room::Impossible => return self.end(Outcome::Incomplete(Stop::Memory)),
            Room::LastSlots => {}
            Room::Refill => {
                self.team.crew.begin(SetRound::Refill, self.others.unwrap_or(0));
                self.team.set.refill();
                while !self.team.crew.wait_a_little() {}
                self.team.set.end_refill();
            }
        }
        self.team.crew.resume();
    }

    fn end(&mut self, outcome: Outcome) {
        self.team.crew.pause(Pause::Stopped);
        self.outcome.get_or_insert(outcome);
    }
}

impl<S: SharedSet> Search for SetSearch<'_, '_, S> {
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

    fn step(&mut self, most: u64) -> u64 {
        if !self.is_in_round {
            self.begin_round();
        }
        let before = self.worker.expanded();
        if !self.has_returned {
            let counters = &self.team.counters[0];
            let returned = self.worker.expand(self.team, counters, &self.level, most);
            if returned == Returned::Budget {
                return self.worker.expanded() - before;
            }
            self.worker.release(self.team);
            self.has_returned = true;
        }
        // While it waits, and after new hits, the caller has control.
        if self.is_shared && !self.team.crew.wait_a_little() || self.end_round() {
            return most;
        }
        self.worker.expanded() - before
    }

    fn stats(&self) -> Stats {
        let mut stats = Stats::default();
        self.team.counters.iter().for_each(|counters| stats.add(&counters.read()));
        stats.depth = u64::from(self.depth);
        stats.store_bytes = self.team.set.bytes() as u64;
        stats.table_bytes = self.team.set.table_bytes() as u64;
        stats
    }

    fn hits(&self) -> Vec<Hit> {
        self.hits.iter().map(|hit| Hit { kind: hit.kind, cost: None }).collect()
    }

    fn path(&self, hit: usize) -> StatePath {
        let LevelHit { place, depth, .. } = self.hits[hit];
        let mut expander = self.team.space.expander();
        self.history.path_to(depth, place, &self.initial, &mut *expander)
    }

    fn bytes(&self) -> usize {
        self.team.set.bytes() + self.team.held.load(Ordering::Relaxed)
    }

    /// Transitions are counted, not costs, so nothing is proved about costs.
    fn lower_bound(&self) -> Cost {
        Cost::ZERO
    }

    fn omissions(&self) -> Option<Omissions> {
        let (known, expected) = self.team.set.omitted()?;
        Some(Omissions::new(known, expected))
    }
}
