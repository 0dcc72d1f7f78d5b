//! A worker of a search in rounds: it expands open states, evaluates their new successors, and
//! opens states between two rounds.

use std::any::Any;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use beeline_kernel::{Claims, Cost, Estimate, Expander, Expansion, Heuristic, Space};

use super::open_groups::{OpenNode, Opened};
use super::ranking::RoundRanking;
use crate::best_first_config::Reopening;
use crate::finding::FindingKind;
use crate::parallel::crew::{Crew, Pause, lock};
use crate::query::SearchQuery;
use crate::reduction::{ExpansionPart, Reduction, SuccessorStatus};
use crate::stats::Stats;
use crate::store::shared::nodes::{
    Link, MOST_COST, NewNode, Node, NodeId, NodeInsertion, NodeProbe, NodeStore, NodeWriter,
};
use crate::store::shared::words::AtomicWords;
use crate::sync::Mutex;

/// Open states that a worker takes at once.
const PIECE: usize = 8;
/// Known successors are estimated, too, if there is at most one of them for this many new ones.
const NEW_PER_KNOWN: usize = 8;

/// The status of a state that was never opened.
const FRESH: u32 = u32::MAX;
/// The bit of a closed state; the others are those of the round that closed it. An open state has
/// the cost of its last entry.
const CLOSED: u32 = 1 << 31;
/// The estimate of a dead end; others are costs.
const DEAD_END: u32 = u32::MAX;

/// The work of a round.
#[derive(Clone, Debug)]
pub(super) enum Round {
    /// Expand open states.
    Expand(Arc<Batch>),
    /// Open the states that were reached.
    Open(Arc<Reached>),
    /// Fill a new table.
    Refill,
    /// End the thread, or nothing at all before the first round.
    End,
}

/// Open states that are expanded in one round. Each piece is taken once.
#[derive(Debug, Default)]
pub(super) struct Batch {
    pub(super) states: Vec<OpenNode>,
    taken: AtomicUsize,
    pub(super) round: u32,
}

impl Batch {
    pub(super) fn new(states: Vec<OpenNode>, round: u32) -> Batch {
        Batch { states, taken: AtomicUsize::new(0), round }
    }

    #[inline]
    fn take(&self) -> Option<(usize, usize)> {
        let begin = self.taken.fetch_add(PIECE, Ordering::Relaxed);
        let end = self.states.len().min(begin.saturating_add(PIECE));
        (begin < end).then_some((begin, end))
    }
}

/// States that a round has reached, new or at less cost, in lists that are each taken once. A state
/// may occur several times.
#[derive(Debug, Default)]
pub(super) struct Reached {
    lists: Vec<Vec<NodeId>>,
    taken: AtomicUsize,
}

impl Reached {
    pub(super) fn new(lists: Vec<Vec<NodeId>>) -> Reached {
        Reached { lists, taken: AtomicUsize::new(0) }
    }

    /// The number of states, with repetitions.
    pub(super) fn len(&self) -> usize {
        self.lists.iter().map(Vec::len).sum()
    }
}

/// What the threads of a search share.
pub(super) struct Team<'a> {
    pub(super) space: &'a dyn Space,
    pub(super) store: NodeStore,
    pub(super) crew: Crew<Round>,
    pub(super) rules: Rules<'a>,
    /// The counters of each thread.
    pub(super) counters: Box<[Mutex<Stats>]>,
    /// Makes the reduction of a thread, if there is one.
    pub(super) reduction: Option<&'a ReductionOfThread<'a>>,
    /// The results of the round.
    pub(super) results: Mutex<Results>,
}

/// Makes a reduction for each thread.
pub(super) type ReductionOfThread<'a> = dyn Fn() -> Reduction<'a> + Sync + 'a;

/// What states are opened and reported.
#[derive(Clone, Copy)]
pub(super) struct Rules<'a> {
    pub(super) query: SearchQuery<'a>,
    pub(super) claims: Claims,
    pub(super) ranking: RoundRanking,
}

impl Rules<'_> {
    /// Whether an estimate proves that no target is reachable.
    #[inline]
    pub(super) fn is_proven_dead_end(&self, estimate: Estimate) -> bool {
        estimate == Estimate::DeadEnd && self.claims.safe
    }

    /// A lower bound on the cost of any path through a state at its least cost.
    #[inline]
    pub(super) fn bound(&self, g: u32, estimate: Estimate) -> u32 {
        let h = if self.claims.admissible { estimate.finite().map_or(0, |h| h.0) } else { 0 };
        g.saturating_add(h)
    }

    /// Whether a state is beyond the depth limit, or all paths through it are beyond the bound.
    #[inline]
    pub(super) fn is_cut(&self, g: u32, estimate: Estimate) -> bool {
        let is_beyond = |most: Cost| self.bound(g, estimate) > most.0;
        g > self.query.max_cost() || g >= MOST_COST || self.query.bound.is_some_and(is_beyond)
    }
}

/// What the threads have done in a round.
#[derive(Default)]
pub(super) struct Results {
    pub(super) reached: Vec<Vec<NodeId>>,
    pub(super) opened: Vec<Opened>,
    pub(super) errors: Vec<RoundError>,
    /// The least estimate of an expanded state.
    pub(super) least_h: Option<u32>,
    /// The state with the least estimate of the new ones.
    pub(super) nearest: Option<(u32, NodeId)>,
    /// The payload of a panic.
    pub(super) panic: Option<Box<dyn Any + Send>>,
}

/// An error of an expanded state, with its cost.
#[derive(Clone, Copy, Debug)]
pub(super) struct RoundError {
    pub(super) kind: FindingKind,
    pub(super) state: NodeId,
    pub(super) cost: u32,
}

/// The estimate of a node.
#[inline]
pub(super) fn estimate_of(node: &Node) -> Estimate {
    match node.estimate.load(Ordering::Relaxed) {
        DEAD_END => Estimate::DeadEnd,
        h => Estimate::Finite(Cost(h)),
    }
}

#[inline]
fn encoded(estimate: Estimate) -> u32 {
    estimate.finite().map_or(DEAD_END, |h| h.0.min(DEAD_END - 1))
}

/// Whether a state was expanded, and not reopened since then.
#[inline]
pub(super) fn is_closed(node: &Node) -> bool {
    let status = node.status.load(Ordering::Relaxed);
    status != FRESH && status & CLOSED != 0
}

/// Why a worker returns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Returned {
    /// The budget is used up.
    Budget,
    /// No state of the round is left, or all workers pause.
    Waiting,
}

/// One thread's part of the search.
pub(super) struct Worker<'a> {
    expander: Box<dyn Expander + 'a>,
    heuristic: Box<dyn Heuristic + 'a>,
    reduction: Option<Reduction<'a>>,
    writer: NodeWriter,
    /// The states that this thread has taken and not expanded.
    rest: (usize, usize),
    /// The expanded state whose successors are not all stored.
    current: Option<Current>,
    expansion: Expansion,
    probes: Vec<NodeProbe>,
    /// The new successors of the current state, with their transitions.
    new: Vec<(usize, NodeId)>,
    fresh: Expansion,
    estimates: Vec<Estimate>,
    reached: Vec<NodeId>,
    errors: Vec<RoundError>,
    least_h: Option<u32>,
    /// The state with the least estimate of all that this thread has stored.
    nearest: Option<(u32, NodeId)>,
    stats: Stats,
}

/// A state that is being expanded.
#[derive(Clone, Copy)]
struct Current {
    id: NodeId,
    g: u32,
    /// The first successor that is not stored.
    next: usize,
    /// Whether the table has changed since the successors were probed.
    is_stale: bool,
}

impl<'a> Worker<'a> {
    /// A worker with an expander and a heuristic of its own.
    pub(super) fn new(team: &Team<'a>, heuristic: Box<dyn Heuristic + 'a>) -> Worker<'a> {
        Worker {
            expander: team.space.expander(),
            heuristic,
            reduction: team.reduction.map(|make| make()),
            writer: team.store.writer(),
            rest: (0, 0),
            current: None,
            expansion: Expansion::default(),
            probes: Vec::new(),
            new: Vec::new(),
            fresh: Expansion::default(),
            estimates: Vec::new(),
            reached: Vec::new(),
            errors: Vec::new(),
            least_h: None,
            nearest: None,
            stats: Stats::default(),
        }
    }

    /// Stores the initial state with its estimate. `None` if there is no room.
    pub(super) fn begin(
        &mut self,
        team: &Team<'_>,
        initial: &[u8],
        estimate: Estimate,
    ) -> Option<NodeId> {
        let table = team.store.table();
        let probe = team.store.probe(&table, initial);
        let new = NewNode { link: None, round: 0, estimate: encoded(estimate), status: FRESH };
        let inserted = team.store.insert(&table, &mut self.writer, probe, initial, new);
        let NodeInsertion::New(id) = inserted else { return None };
        self.stats.stored = 1;
        self.reached.push(id);
        self.publish(team, 0);
        Some(id)
    }

    /// States expanded so far.
    pub(super) fn expanded(&self) -> u64 {
        self.stats.expanded
    }

    /// Work of the heuristic for each estimate so far.
    pub(super) fn effort_per_estimate(&self) -> u64 {
        self.heuristic.effort() / self.stats.evaluated.max(1)
    }

    /// Expands states of a batch, about as many as the budget says.
    pub(super) fn expand(
        &mut self,
        team: &Team<'_>,
        index: usize,
        batch: &Batch,
        budget: u64,
    ) -> Returned {
        let table = team.store.table();
        let end = self.stats.expanded.saturating_add(budget);
        let returned = loop {
            if team.crew.is_pausing() {
                break Returned::Waiting;
            }
            if self.current.is_some() {
                if let Err(pause) = self.settle(team, &table, batch.round) {
                    team.crew.pause(pause);
                    break Returned::Waiting;
                }
                continue;
            }
            if self.stats.expanded >= end {
                break Returned::Budget;
            }
            if self.rest.0 == self.rest.1 {
                self.publish(team, index);
                let Some(piece) = batch.take() else { break Returned::Waiting };
                self.rest = piece;
                let states = &batch.states[piece.0..piece.1];
                states.iter().for_each(|state| team.store.prefetch(state.id));
            }
            let open = batch.states[self.rest.0];
            self.rest.0 += 1;
            self.expand_open(team, &table, open, batch.round);
        };
        self.publish(team, index);
        returned
    }

    /// Adds what this worker has done in a round to the results. Probes belong to the table, which
    /// may be replaced.
    pub(super) fn release(&mut self, team: &Team<'_>) {
        team.store.release(&mut self.writer);
        if let Some(current) = &mut self.current {
            current.is_stale = true;
        }
        let mut results = lock(&team.results);
        if !self.reached.is_empty() {
            results.reached.push(std::mem::take(&mut self.reached));
        }
        results.errors.append(&mut self.errors);
        if let Some((h, id)) = self.nearest {
            results.nearest = Some(nearer(&team.store, results.nearest, h, id));
        }
        let least_h = self.least_h.take();
        results.least_h = [results.least_h, least_h].into_iter().flatten().min();
    }

    fn publish(&mut self, team: &Team<'_>, index: usize) {
        self.stats.effort = self.heuristic.effort();
        self.stats.state_bytes = self.writer.longest as u64;
        let stats = self.reduction.as_ref().map_or(self.stats, |one| one.stats(self.stats));
        *lock(&team.counters[index]) = stats;
    }

    /// Closes and expands a state, unless its entry is outdated.
    #[inline]
    fn expand_open(&mut self, team: &Team<'_>, table: &AtomicWords, open: OpenNode, round: u32) {
        let OpenNode { id, g, .. } = open;
        let node = team.store.node(id);
        let closed = CLOSED | round & (CLOSED - 1);
        let order = Ordering::Relaxed;
        if node.status.compare_exchange(g, closed, order, order).is_err() {
            return;
        }
        if let Estimate::Finite(Cost(h)) = estimate_of(node) {
            self.least_h = Some(self.least_h.map_or(h, |least| least.min(h)));
        }
        let Worker { expander, expansion, reduction, stats, errors, probes, .. } = self;
        expander.expand_only(team.store.state(id), expansion);
        stats.count(expansion, g);
        if expansion.deadlock
            || !expansion.violated_invariants.is_empty()
            || !expansion.faults.is_empty()
        {
            let target = team.rules.query.target;
            let of_state = target.state_errors(expansion).map(|kind| (kind, 0));
            errors.extend(of_state.chain(target.transition_errors(expansion)).map(
                |(kind, steps)| RoundError { kind, state: id, cost: g.saturating_add(steps) },
            ));
        }
        if let Some(reduction) = reduction {
            reduce(&team.store, table, id, reduction, expansion);
        }
        probe_all(&team.store, table, expansion, probes);
        self.new.clear();
        self.current = Some(Current { id, g, next: 0, is_stale: false });
    }

    /// Stores the successors of the current state that are not stored yet, and evaluates the new
    /// ones.
    #[inline]
    fn settle(&mut self, team: &Team<'_>, table: &AtomicWords, round: u32) -> Result<(), Pause> {
        let Some(mut current) = self.current else { return Ok(()) };
        if current.is_stale {
            probe_all(&team.store, table, &self.expansion, &mut self.probes);
            current.is_stale = false;
        }
        let stored = self.store_successors(team, table, &mut current, round);
        self.current = Some(current);
        stored?;
        self.evaluate_new(team, current.id);
        self.current = None;
        Ok(())
    }

    #[inline]
    fn store_successors(
        &mut self,
        team: &Team<'_>,
        table: &AtomicWords,
        current: &mut Current,
        round: u32,
    ) -> Result<(), Pause> {
        let Worker { writer, expansion, probes, new, reached, stats, .. } = self;
        let transitions = expansion.successors.transitions();
        for state in expansion.successors.states_in(current.next..transitions.len()) {
            let at = current.next;
            let cost =
                if team.rules.ranking.counts_transitions { 1 } else { transitions[at].steps };
            let g = current.g.saturating_add(cost);
            let link = Link::new(g, current.id);
            let node = NewNode { link: Some(link), round, estimate: DEAD_END, status: FRESH };
            match team.store.insert(table, writer, probes[at], state, node) {
                NodeInsertion::New(id) => {
                    stats.stored += 1;
                    new.push((at, id));
                    reached.push(id);
                }
                NodeInsertion::Old(id) => {
                    stats.matched += 1;
                    let node = team.store.node(id);
                    if may_improve(team, node, round) && team.store.improve(id, link, round) {
                        reached.push(id);
                    }
                }
                NodeInsertion::TableFull => return Err(Pause::TableFull),
                NodeInsertion::MemoryFull => return Err(Pause::MemoryFull),
            }
            stats.generated += 1;
            current.next += 1;
        }
        Ok(())
    }

    /// Estimates the new successors of the current state.
    #[inline]
    fn evaluate_new(&mut self, team: &Team<'_>, id: NodeId) {
        let Worker { heuristic, expansion, new, fresh, estimates, stats, .. } = self;
        if new.is_empty() {
            return;
        }
        let takes_all = new.len() + new.len() / NEW_PER_KNOWN >= expansion.len();
        let some = if takes_all {
            &*expansion
        } else {
            fresh.clear();
            for &(at, _) in &*new {
                fresh.push_with_cost(expansion.steps(at), expansion.state(at));
            }
            &*fresh
        };
        heuristic.estimate_all(team.store.state(id), some, estimates);
        if takes_all && new.len() < expansion.len() {
            for (number, &(at, _)) in new.iter().enumerate() {
                estimates[number] = estimates[at];
            }
            estimates.truncate(new.len());
        }
        stats.evaluate(estimates);
        for (&(_, id), &estimate) in new.iter().zip(&*estimates) {
            team.store.node(id).estimate.store(encoded(estimate), Ordering::Relaxed);
            if let Estimate::Finite(Cost(h)) = estimate
                && self.nearest.is_none_or(|(least, _)| h <= least)
            {
                self.nearest = Some(nearer(&team.store, self.nearest, h, id));
            }
        }
    }

    /// Opens reached states, until no list of them is left.
    pub(super) fn open(&mut self, team: &Team<'_>, index: usize, reached: &Reached) {
        let mut opened: Opened = Vec::new();
        let mut last = 0;
        while let Some(list) = reached.lists.get(reached.taken.fetch_add(1, Ordering::Relaxed)) {
            for &id in list {
                let node = team.store.node(id);
                let g = node.link().g;
                if !self.may_open(team, node, g) {
                    continue;
                }
                let rank = team.rules.ranking.rank(g, estimate_of(node));
                let open = OpenNode { id, g, hash: team.store.hash(id) };
                if opened.get(last).is_none_or(|(other, _)| *other != rank) {
                    last =
                        opened.iter().position(|(other, _)| *other == rank).unwrap_or_else(|| {
                            opened.push((rank, Vec::new()));
                            opened.len() - 1
                        });
                }
                opened[last].1.push(open);
            }
        }
        self.publish(team, index);
        lock(&team.results).opened.push(opened);
    }

    /// Gives a reached state the status of an open one, at this cost. Returns whether the state is
    /// to be opened: it is no dead end, not beyond the limits, and not open at this cost.
    #[inline]
    fn may_open(&mut self, team: &Team<'_>, node: &Node, g: u32) -> bool {
        let estimate = estimate_of(node);
        if team.rules.is_proven_dead_end(estimate) || team.rules.is_cut(g, estimate) {
            return false;
        }
        let order = Ordering::Relaxed;
        let status = node.status.load(order);
        let was_closed = status != FRESH && status & CLOSED != 0;
        if status == g || was_closed && team.rules.ranking.reopening == Reopening::Never {
            return false;
        }
        // Several threads may have the state in their lists; one of them opens it.
        let is_first = node.status.compare_exchange(status, g, order, order).is_ok();
        self.stats.reopened += u64::from(is_first && was_closed);
        is_first
    }
}

/// Prunes unnecessary transitions of a state. A successor that is not stored, or was reached for
/// the first time in this round, is new; all others count as expanded. So the choice does not
/// depend on the order of the threads.
///
/// This is sound with each condition that a search without a stack may have. Let *n* be the level
/// of the state. A new successor is in level *n* + 1, since all states of levels up to *n* were
/// opened before the round. So it chooses after the state does: the same order of choices as with
/// one thread, where successors that wait are taken into account as well, which only keeps fewer
/// transitions. A cycle of the reduced space cannot lead to later levels only; so with `duplicate`
/// it has a state that keeps all transitions.
fn reduce(
    store: &NodeStore,
    table: &AtomicWords,
    id: NodeId,
    reduction: &mut Reduction<'_>,
    expansion: &mut Expansion,
) {
    let part = ExpansionPart::whole(expansion);
    reduction.propose(store.state(id), &part);
    let choice = reduction.choose(&part, |successor| match store.find_state(table, successor) {
        Some(known) if store.node(known).status.load(Ordering::Relaxed) != FRESH => {
            SuccessorStatus::Expanded
        }
        _ => SuccessorStatus::New,
    });
    reduction.cut(choice, expansion);
}

/// The nearer one of two states by their estimates; of equal ones, the lesser state.
pub(super) fn nearer(
    store: &NodeStore,
    known: Option<(u32, NodeId)>,
    h: u32,
    id: NodeId,
) -> (u32, NodeId) {
    match known {
        Some((least, other))
            if least < h || least == h && store.state(other) <= store.state(id) =>
        {
            (least, other)
        }
        _ => (h, id),
    }
}

/// Whether a cheaper path to a known state counts.
#[inline]
fn may_improve(team: &Team<'_>, node: &Node, round: u32) -> bool {
    let ranking = &team.rules.ranking;
    if ranking.reopening == Reopening::Always {
        return true;
    }
    let status = node.status.load(Ordering::Relaxed);
    if ranking.is_layered {
        return status == FRESH;
    }
    // A state that is closed in this round may be closed before or after this look at it.
    status == FRESH || status & CLOSED == 0 || status & !CLOSED == round & (CLOSED - 1)
}

/// Probes all successors.
#[inline]
fn probe_all(
    store: &NodeStore,
    table: &AtomicWords,
    expansion: &Expansion,
    probes: &mut Vec<NodeProbe>,
) {
    probes.clear();
    probes.extend(expansion.states().map(|state| store.probe(table, state)));
    probes.iter().for_each(|&probe| store.prefetch_candidate(table, probe));
}
