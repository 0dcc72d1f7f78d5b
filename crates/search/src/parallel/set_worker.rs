//! A worker of a breadth-first search whose states are recognised by a [`SharedSet`]: it expands
//! states of a level, and keeps the new successors for the next one.

use std::any::Any;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use beeline_kernel::{Expander, Expansion, Space};

use super::counters::Counters;
use super::crew::{Crew, Pause, lock};
use super::findings::rank;
use super::state_pieces::{NewPieces, Piece, Place, Rest, StateLevel};
use crate::finding::FindingKind;
use crate::stats::Stats;
use crate::store::shared_set::{SetInsertion, SharedSet};
use crate::sync::Mutex;

/// Expanded states per batch: enough for their prefetches to overlap.
const BATCH: usize = 16;

/// The work of a round.
#[derive(Clone, Debug)]
pub(super) enum SetRound {
    /// Expand a level.
    Expand(Arc<StateLevel>),
    /// Fill a new table.
    Refill,
    /// End the thread, or nothing at all before the first round.
    End,
}

/// What the threads of a search share.
pub(super) struct SetTeam<'a, S> {
    pub(super) space: &'a dyn Space,
    pub(super) set: S,
    pub(super) crew: Crew<SetRound>,
    /// The counters of each thread.
    pub(super) counters: Box<[Counters]>,
    /// The results of the round.
    pub(super) results: Mutex<SetResults>,
    /// Memory of levels and links.
    pub(super) held: AtomicUsize,
    /// The limit of memory.
    pub(super) limit: usize,
}

/// What the threads have done in a round.
#[derive(Default)]
pub(super) struct SetResults {
    pub(super) pieces: Vec<Piece>,
    pub(super) findings: LeastStates,
    /// The payload of a panic.
    pub(super) panic: Option<Box<dyn Any + Send>>,
}

/// Of each kind of error, the least state that has it.
#[derive(Debug, Default)]
pub(super) struct LeastStates(Vec<(FindingKind, Box<[u8]>, Place)>);

impl LeastStates {
    /// Adds an error of a state.
    #[cold]
    fn add(&mut self, kind: FindingKind, state: &[u8], place: Place) {
        match self.0.iter_mut().find(|(other, ..)| *other == kind) {
            None => self.0.push((kind, state.into(), place)),
            Some(least) if state < &*least.1 => *least = (kind, state.into(), place),
            Some(_) => {}
        }
    }

    /// Adds findings of another thread.
    pub(super) fn merge(&mut self, other: &mut LeastStates) {
        other.0.drain(..).for_each(|(kind, state, place)| self.add(kind, &state, place));
    }

    /// Takes the findings, ordered by kind.
    pub(super) fn take(&mut self) -> Vec<(FindingKind, Place)> {
        self.0.sort_by_key(|&(kind, ..)| rank(kind));
        self.0.drain(..).map(|(kind, _, place)| (kind, place)).collect()
    }
}

/// Why a worker returns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Returned {
    /// The budget is used up.
    Budget,
    /// No piece of the level is left, or all workers pause.
    Waiting,
}

/// One thread's part of the search.
pub(super) struct SetWorker<'a, S: SharedSet> {
    expander: Box<dyn Expander + 'a>,
    writer: S::Writer,
    batch: Batch<S::Fingerprint>,
    /// The rest of the piece that is expanded.
    rest: Option<Rest>,
    new_pieces: NewPieces,
    findings: LeastStates,
    stats: Stats,
    longest: usize,
}

/// Expanded states, whose successors are not in the set yet.
struct Batch<F> {
    /// The expanded states, with the ends of their successors.
    expanded: Vec<(Place, usize)>,
    expansion: Expansion,
    fingerprints: Vec<F>,
    /// The first of the expanded states whose successors are not all inserted, and the first
    /// successor that is not.
    settled: usize,
    inserted: usize,
    /// Whether the table has changed since the fingerprints were made.
    is_stale: bool,
}

impl<'a, S: SharedSet> SetWorker<'a, S> {
    /// A worker with an expander of its own.
    pub(super) fn new(team: &SetTeam<'a, S>) -> SetWorker<'a, S> {
        SetWorker {
            expander: team.space.expander(),
            writer: team.set.writer(),
            batch: Batch {
                expanded: Vec::new(),
                expansion: Expansion::default(),
                fingerprints: Vec::new(),
                settled: 0,
                inserted: 0,
                is_stale: false,
            },
            rest: None,
            new_pieces: NewPieces::default(),
            findings: LeastStates::default(),
            stats: Stats::default(),
            longest: 0,
        }
    }

    /// Inserts the initial state. Returns whether there is room.
    pub(super) fn begin(&mut self, team: &SetTeam<'_, S>, initial: &[u8]) -> bool {
        let table = team.set.table();
        let fingerprint = team.set.fingerprint(&table, &mut self.writer, initial);
        let inserted = team.set.insert(&table, &mut self.writer, fingerprint, initial);
        if inserted != SetInsertion::New {
            return false;
        }
        self.new_pieces.add(initial, Place { piece: 0, at: 0 }, 0);
        (self.stats.stored, self.longest) = (1, initial.len());
        team.counters[0].publish(&self.stats, self.longest);
        true
    }

    /// States expanded so far.
    pub(super) fn expanded(&self) -> u64 {
        self.stats.expanded
    }

    /// Expands states of a level, about as many as the budget says.
    pub(super) fn expand(
        &mut self,
        team: &SetTeam<'_, S>,
        counters: &Counters,
        level: &StateLevel,
        budget: u64,
    ) -> Returned {
        let table = team.set.table();
        let end = self.stats.expanded.saturating_add(budget);
        loop {
            if team.crew.is_pausing() {
                return Returned::Waiting;
            }
            if self.batch.settled < self.batch.expanded.len() {
                let settled = self.settle(&team.set, &table);
                counters.publish(&self.stats, self.longest);
                if let Err(pause) = settled.and_then(|()| self.check_memory(team)) {
                    team.crew.pause(pause);
                    return Returned::Waiting;
                }
            }
            if self.stats.expanded >= end {
                return Returned::Budget;
            }
            if !self.expand_batch(&team.set, &table, level) {
                return Returned::Waiting;
            }
        }
    }

    /// Adds what this worker has done in a round to the results. Fingerprints belong to the table,
    /// which may be replaced.
    pub(super) fn release(&mut self, team: &SetTeam<'_, S>) {
        team.set.release(&mut self.writer);
        self.batch.is_stale = true;
        let pieces = self.new_pieces.take();
        team.held.fetch_add(self.new_pieces.take_bytes(), Ordering::Relaxed);
        let mut results = lock(&team.results);
        results.pieces.extend(pieces);
        results.findings.merge(&mut self.findings);
    }

    fn check_memory(&mut self, team: &SetTeam<'_, S>) -> Result<(), Pause> {
        let more = self.new_pieces.take_bytes();
        if more > 0 {
            let held = team.held.fetch_add(more, Ordering::Relaxed) + more;
            if held.saturating_add(team.set.bytes()) > team.limit {
                return Err(Pause::MemoryFull);
            }
        }
        Ok(())
    }

    /// Expands the next states of the level, and prefetches for their successors. Returns whether
    /// there were any.
    #[inline]
    fn expand_batch(&mut self, set: &S, table: &S::Table, level: &StateLevel) -> bool {
        let SetWorker { expander, writer, batch, rest, stats, findings, .. } = self;
        batch.expansion.clear();
        batch.expanded.clear();
        (batch.settled, batch.inserted, batch.is_stale) = (0, 0, false);
        while batch.expanded.len() < BATCH {
            let Some(piece) = rest.as_mut() else {
                *rest = level.take();
                if rest.is_none() {
                    break;
                }
                continue;
            };
            let Some((state, at)) = level.next(piece) else {
                *rest = None;
                continue;
            };
            let place = Place { piece: piece.piece as u32, at };
            let expansion = &mut batch.expansion;
            let (begin, faults) = (expansion.len(), expansion.faults.len());
            let violated = expansion.violated_invariants.len();
            expander.expand(state, expansion);
            stats.expanded += 1;
            stats.generated += (expansion.len() - begin) as u64;
            let of_faults = expansion.faults[faults..].iter();
            let kinds = of_faults.map(|failure| FindingKind::Fault(failure.fault));
            let of_state = expansion.violated_invariants[violated..].iter();
            let kinds = kinds.chain(of_state.map(|&number| FindingKind::Invariant(number)));
            for kind in kinds.chain(expansion.deadlock.then_some(FindingKind::Deadlock)) {
                stats.errors += 1;
                findings.add(kind, state, place);
            }
            batch.expanded.push((place, expansion.len()));
        }
        stats.atomic_steps += batch.expansion.hidden_steps;
        batch.fingerprint(set, table, writer);
        let fingerprints = &batch.fingerprints;
        fingerprints.iter().for_each(|&fingerprint| set.prefetch(table, fingerprint));
        !batch.expanded.is_empty()
    }

    /// Inserts the successors of the batch that are not inserted yet.
    #[inline]
    fn settle(&mut self, set: &S, table: &S::Table) -> Result<(), Pause> {
        let SetWorker { writer, batch, new_pieces, stats, longest, .. } = self;
        if batch.is_stale {
            batch.fingerprint(set, table, writer);
            batch.is_stale = false;
        }
        while let Some(&(parent, end)) = batch.expanded.get(batch.settled) {
            let begin = batch.settled.checked_sub(1).map_or(0, |before| batch.expanded[before].1);
            for state in batch.expansion.successors.states_in(batch.inserted..end) {
                let at = batch.inserted;
                match set.insert(table, writer, batch.fingerprints[at], state) {
                    SetInsertion::New => {
                        stats.stored += 1;
                        *longest = (*longest).max(state.len());
                        if !new_pieces.add(state, parent, at - begin) {
                            return Err(Pause::MemoryFull);
                        }
                    }
                    SetInsertion::Old => stats.matched += 1,
                    SetInsertion::TableFull => return Err(Pause::TableFull),
                    SetInsertion::MemoryFull => return Err(Pause::MemoryFull),
                }
                batch.inserted += 1;
            }
            new_pieces.close_if_large();
            batch.settled += 1;
        }
        Ok(())
    }
}

impl<F: Copy> Batch<F> {
    /// The fingerprints of all successors.
    #[inline]
    fn fingerprint<S: SharedSet<Fingerprint = F>>(
        &mut self,
        set: &S,
        table: &S::Table,
        writer: &mut S::Writer,
    ) {
        self.fingerprints.clear();
        let states = self.expansion.successors.states();
        self.fingerprints.extend(states.map(|state| set.fingerprint(table, writer, state)));
    }
}
