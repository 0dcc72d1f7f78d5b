//! The search in rounds as a [`Search`]: rounds, hits, limits and bounds.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::sync::Arc;

use beeline_kernel::{BoxedHeuristic, Cost, Estimate, StatePath, Stop};

use super::open_groups::OpenGroups;
use super::ranking::RoundSize;
use super::worker::{
    Batch, Reached, Results, Returned, Round, RoundError, Team, Worker, estimate_of, is_closed,
    nearer,
};
use crate::best_first_config::Reopening;
use crate::finding::FindingKind;
use crate::hit::Hit;
use crate::limits::Outcome;
use crate::parallel::crew::{Pause, lock};
use crate::parallel::findings::rank;
use crate::query::AfterHit;
use crate::search::{GuidedSearch, Search};
use crate::search_core::SearchCore;
use crate::stats::Stats;
use crate::store::shared::nodes::NodeId;
use crate::store::shared_set::Room;

/// A round is shared if it takes at least this time by estimate, in nanoseconds.
const WORTH_THREADS: u64 = 100_000;
/// The time of an expansion without estimates, about.
const EXPANSION: u64 = 1_000;
/// As many reached states are opened by one thread.
const FEW_REACHED: usize = 1_024;

/// A search in rounds.
pub(super) struct RoundSearch<'t, 'a> {
    team: &'t Team<'a>,
    core: SearchCore<'a>,
    /// The width of a beam search.
    beam: Option<usize>,
    /// Starts the thread of a number with its heuristic, which waits for the round after the given
    /// one. Returns whether the system could.
    spawn: &'t dyn Fn(usize, usize, BoxedHeuristic<'a>) -> bool,
    threads: usize,
    /// Threads beside this one, once a round was large enough for them.
    others: Option<usize>,
    worker: Worker<'a>,
    open: OpenGroups,
    /// Faults that are not reported yet: they are ranked like states of estimate 0.
    faults: BinaryHeap<Reverse<QueuedFault>>,
    queued: u64,
    size: RoundSize,
    batch: Arc<Batch>,
    /// f of the batch.
    level: u64,
    phase: Phase,
    /// Whether other threads take part in the phase, and whether this one has returned.
    is_shared: bool,
    has_returned: bool,
    /// Results of the parts of a round.
    reached: Vec<Vec<NodeId>>,
    errors: Vec<RoundError>,
    least_h: Option<u32>,
    /// The state with the least estimate.
    nearest: Option<(u32, NodeId)>,
    /// Whether the states of a beam were more than its width.
    has_dropped: bool,
    /// Whether a round, or the insertion of the initial state, was not completed.
    is_broken: bool,
}

/// What a search does at present.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Phase {
    /// It chooses the states of the next round.
    Choosing,
    /// The states of a round are expanded.
    Expanding,
}

/// A fault of a state: `f`, cost, and number; state and kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct QueuedFault {
    turn: (u64, u32, u64),
    state: NodeId,
    kind: FindingKind,
}

impl PartialOrd for QueuedFault {
    fn partial_cmp(&self, other: &QueuedFault) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for QueuedFault {
    fn cmp(&self, other: &QueuedFault) -> std::cmp::Ordering {
        self.turn.cmp(&other.turn)
    }
}

impl<'t, 'a> RoundSearch<'t, 'a> {
    /// Stores and opens the initial state.
    pub(super) fn new(
        team: &'t Team<'a>,
        mut core: SearchCore<'a>,
        initial: &[u8],
        beam: Option<usize>,
        spawn: &'t dyn Fn(usize, usize, BoxedHeuristic<'a>) -> bool,
        open: OpenGroups,
    ) -> RoundSearch<'t, 'a> {
        let mut worker = Worker::new(team, core.heuristic.clone());
        let estimate = core.estimate_initial(initial);
        let id = worker.begin(team, initial, estimate);
        if id.is_none() {
            core.end(Outcome::Incomplete(Stop::Memory));
        }
        worker.release(team);
        let mut search = RoundSearch {
            team,
            core,
            beam,
            spawn,
            threads: team.counters.len(),
            others: None,
            worker,
            open,
            faults: BinaryHeap::new(),
            queued: 0,
            size: RoundSize::new(&team.rules.ranking),
            batch: Arc::default(),
            level: 0,
            phase: Phase::Choosing,
            is_shared: false,
            has_returned: false,
            reached: Vec::new(),
            errors: Vec::new(),
            least_h: None,
            nearest: estimate.finite().map(|h| h.0).zip(id),
            has_dropped: false,
            is_broken: id.is_none(),
        };
        search.collect();
        search.open_reached();
        search
    }

    /// Chooses what comes next: a fault that is at least as good as all open states, the best open
    /// states, or the end.
    fn choose(&mut self) -> Option<Outcome> {
        let least_f = self.open.least_f();
        if let Some(Reverse(best)) = self.faults.peek()
            && least_f.is_none_or(|least| best.turn.0 <= least)
        {
            let Reverse(QueuedFault { state, kind, .. }) = self.faults.pop()?;
            return self.record_hit(kind, state);
        }
        let Some(level) = least_f else { return Some(self.end_of_states()) };
        if self.keeps_cheapest() && self.team.rules.ranking.bounds_cost(self.core.claims.admissible)
        {
            // All paths to targets lead through open states, and cost at least this.
            let faults = self.faults.peek().map_or(u64::MAX, |Reverse(best)| best.turn.0);
            let bound = level.min(faults).min(u64::from(self.least_hit()));
            let bound = Cost(u32::try_from(bound).unwrap_or(u32::MAX));
            self.core.proved = self.core.proved.max(bound);
        }
        let states = match self.beam {
            Some(width) => {
                let layer = self.open.take(width, true);
                self.has_dropped |= self.open.len() > 0;
                self.open.clear();
                layer
            }
            None => self.open.take(self.size.now(), self.size.mixes),
        };
        (self.level, self.is_shared) = (level, false);
        self.batch = Arc::new(Batch::new(states, self.batch.round.wrapping_add(1)));
        self.phase = Phase::Expanding;
        self.begin_part();
        None
    }

    /// Begins the next part of a round, with other threads if that is worthwhile.
    fn begin_part(&mut self) {
        self.has_returned = false;
        let each = EXPANSION + self.worker.effort_per_estimate();
        let is_worth = self.batch.states.len() as u64 * each >= WORTH_THREADS;
        // Threads that have begun a round also end it.
        self.is_shared = self.is_shared || is_worth && self.others() > 0;
        if self.is_shared {
            self.team.crew.begin(Round::Expand(Arc::clone(&self.batch)), self.others());
        }
    }

    /// The number of the other threads. Starts them at the first call.
    fn others(&mut self) -> usize {
        *self.others.get_or_insert_with(|| {
            let seen = self.team.crew.round();
            let heuristic = &self.core.heuristic;
            let start = |&index: &usize| (self.spawn)(index, seen, heuristic.clone());
            (1..self.threads).take_while(start).count()
        })
    }

    /// Collects the results of a part.
    fn collect(&mut self) {
        let results = std::mem::take(&mut *lock(&self.team.results));
        let Results { reached, opened, errors, least_h, nearest, panic } = results;
        if let Some(panic) = panic {
            std::panic::resume_unwind(panic);
        }
        self.reached.extend(reached);
        self.errors.extend(errors);
        self.least_h = [self.least_h, least_h].into_iter().flatten().min();
        self.open.open(opened.into_iter());
        if let Some((h, id)) = nearest {
            self.nearest = Some(nearer(&self.team.store, self.nearest, h, id));
        }
    }

    /// Ends a part of a round, from which all threads have returned: makes room if a thread needs
    /// it, else ends the round.
    fn end_part(&mut self) -> Option<Outcome> {
        self.collect();
        if self.team.crew.is_asked(Pause::MemoryFull) {
            self.is_broken = true;
            return Some(Outcome::Incomplete(Stop::Memory));
        }
        if self.team.crew.is_asked(Pause::TableFull) {
            if !self.make_room() {
                self.is_broken = true;
                return Some(Outcome::Incomplete(Stop::Memory));
            }
            self.begin_part();
            return None;
        }
        self.phase = Phase::Choosing;
        self.size.adapt(self.level, self.least_h.take());
        self.open_reached();
        let outcome = self.record_errors();
        outcome.or_else(|| self.core.check_memory(self.bytes()))
    }

    /// Makes room in the table; all threads fill a new one. Returns whether there is any.
    fn make_room(&mut self) -> bool {
        match self.team.store.make_room(Search::stats(self).stored as usize) {
            Room::Impossible => return false,
            Room::LastSlots => {}
            Room::Refill => {
                self.team.crew.begin(Round::Refill, self.others.unwrap_or(0));
                self.team.store.refill();
                while !self.team.crew.wait_a_little() {}
            }
        }
        self.team.crew.resume();
        true
    }

    /// Opens the states that a round has reached.
    fn open_reached(&mut self) {
        let reached = Arc::new(Reached::new(std::mem::take(&mut self.reached)));
        let others = self.others.unwrap_or(0);
        let is_shared = others > 0 && reached.len() > FEW_REACHED;
        if is_shared {
            self.team.crew.begin(Round::Open(Arc::clone(&reached)), others);
        }
        self.worker.open(self.team, 0, &reached);
        while is_shared && !self.team.crew.wait_a_little() {}
        self.collect();
    }

    /// Records the errors of a round, the cheapest first; faults wait until no open state is
    /// better.
    fn record_errors(&mut self) -> Option<Outcome> {
        let store = &self.team.store;
        let mut errors = std::mem::take(&mut self.errors);
        errors.sort_by(|a, b| {
            let by_cost = (a.cost, rank(a.kind)).cmp(&(b.cost, rank(b.kind)));
            by_cost.then_with(|| store.state(a.state).cmp(store.state(b.state)))
        });
        let stops = self.core.query.after_hit == AfterHit::Stop;
        let mut outcome = None;
        for RoundError { kind, state, cost } in errors {
            let is_blind = self.team.rules.ranking.counts_transitions;
            if self.beam.is_some() || is_blind || !matches!(kind, FindingKind::Fault(_)) {
                outcome = outcome.or(self.record_hit(kind, state));
                if stops {
                    return outcome;
                }
                continue;
            }
            let f = self.team.rules.ranking.ranking.rank(cost, 0);
            // If the search ends with the first hit, only the best fault is ever reported.
            let best = self.faults.peek().map(|Reverse(best)| (best.turn.0, best.turn.1));
            let is_wanted = !stops || best.is_none_or(|best| (f, cost) < best);
            if cost <= self.core.query.most() && is_wanted {
                let turn = (f, cost, self.queued);
                self.queued += 1;
                self.faults.push(Reverse(QueuedFault { turn, state, kind }));
            }
        }
        outcome
    }

    fn record_hit(&mut self, kind: FindingKind, id: NodeId) -> Option<Outcome> {
        let store = &self.team.store;
        let is_first = self.core.hits.is_empty();
        let path = || path_of(self.team, id);
        let outcome = self.core.record_hit(kind, store.state(id), path);
        if is_first && !self.core.hits.is_empty() && outcome.is_none() {
            // Later hits may be dropped, and then their cost is unknown.
            self.core.proved = self.least_cost();
        }
        outcome
    }

    /// No state is open.
    fn end_of_states(&self) -> Outcome {
        if self.has_dropped {
            return Outcome::Incomplete(Stop::IncompleteMethod);
        }
        let rules = &self.team.rules;
        let mut is_cut = false;
        self.for_each_unexpanded(|g, estimate| is_cut |= rules.is_cut(g, estimate));
        if is_cut { Outcome::Incomplete(Stop::Depth) } else { Outcome::Complete }
    }

    /// Calls `each` with cost and estimate of all states that are not expanded, without proved dead
    /// ends. Only between rounds.
    fn for_each_unexpanded(&self, mut each: impl FnMut(u32, Estimate)) {
        let rules = &self.team.rules;
        self.team.store.for_each(|_, node| {
            let estimate = estimate_of(node);
            if !is_closed(node) && !rules.is_proven_dead_end(estimate) {
                each(node.link().g, estimate);
            }
        });
    }

    /// Whether some open state is always on a cheapest path, at its least cost.
    fn keeps_cheapest(&self) -> bool {
        let ranking = &self.team.rules.ranking;
        let is_consistent = self.core.claims.consistent && ranking.ranking.is_monotone();
        let counts_steps = !ranking.counts_transitions && self.team.reduction.is_none();
        self.beam.is_none()
            && counts_steps
            && (ranking.reopening == Reopening::Always || is_consistent)
    }

    /// A lower bound on the cost of all hits so far, and of paths beyond the bound of the query.
    fn least_hit(&self) -> u32 {
        self.core.least_hit().min(self.core.query.most().saturating_add(1))
    }

    /// The lower bound: no target costs less.
    fn least_cost(&self) -> Cost {
        let least = self.least_hit();
        if !self.keeps_cheapest() {
            return Cost(self.core.least_possible().0.min(least));
        }
        if self.phase == Phase::Expanding || self.is_broken {
            return self.core.proved.max(Cost(self.core.least_possible().0.min(least)));
        }
        let faults = self.faults.iter().map(|Reverse(fault)| fault.turn.1);
        let mut least = faults.fold(least, u32::min);
        let rules = &self.team.rules;
        self.for_each_unexpanded(|g, estimate| least = least.min(rules.bound(g, estimate)));
        Cost(least).max(self.core.proved)
    }
}

fn path_of(team: &Team<'_>, id: NodeId) -> StatePath {
    team.store.path_to(id).into_iter().map(|id| team.store.state(id)).collect()
}

impl Search for RoundSearch<'_, '_> {
    fn name(&self) -> &'static str {
        match self.beam {
            Some(_) => "beam in rounds",
            None if self.team.rules.ranking.counts_transitions => "breadth-first in rounds",
            None => "best-first in rounds",
        }
    }

    #[inline]
    fn outcome(&self) -> Option<Outcome> {
        self.core.outcome()
    }

    fn poll(&mut self) {
        self.core.poll();
    }

    fn step(&mut self, most: u64) -> u64 {
        let before = self.worker.expanded();
        let outcome = match self.phase {
            Phase::Choosing => self.choose(),
            Phase::Expanding => {
                if !self.has_returned {
                    let returned = self.worker.expand(self.team, 0, &self.batch, most);
                    if returned == Returned::Budget {
                        return self.worker.expanded() - before;
                    }
                    self.worker.release(self.team);
                    self.has_returned = true;
                }
                // While it waits, the caller has control.
                if self.is_shared && !self.team.crew.wait_a_little() {
                    return most;
                }
                self.end_part()
            }
        };
        if let Some(outcome) = outcome {
            self.core.end(outcome);
        }
        self.worker.expanded() - before
    }

    fn stats(&self) -> Stats {
        let mut stats = self.core.stats;
        self.team.counters.iter().for_each(|counters| stats.add(&lock(counters)));
        stats.store_bytes = self.team.store.bytes() as u64;
        stats.table_bytes = self.team.store.table_bytes() as u64;
        stats
    }

    fn hits(&self) -> Vec<Hit> {
        self.core.hits.clone()
    }

    fn path(&self, hit: usize) -> StatePath {
        self.core.paths[hit].clone()
    }

    fn bytes(&self) -> usize {
        let faults = self.faults.capacity() * size_of::<QueuedFault>();
        self.team.store.bytes() + self.open.bytes() + faults
    }

    fn lower_bound(&self) -> Cost {
        self.least_cost()
    }

    fn as_guided(&self) -> Option<&dyn GuidedSearch> {
        self.beam.is_none().then_some(self)
    }
}

impl GuidedSearch for RoundSearch<'_, '_> {
    fn nearest(&self) -> Option<(Cost, StatePath)> {
        let (h, id) = self.nearest?;
        Some((Cost(h), path_of(self.team, id)))
    }
}
