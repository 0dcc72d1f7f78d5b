//! A worker: expands states of a level, and stores their successors.

use beeline_kernel::{Expander, Expansion, ExpansionEnd, SleepSet};

use super::counters::Counters;
use super::findings::LevelFindings;
use super::level::{Level, NewStates, RecordRange};
use super::sleep_sets::SleepSets;
use super::team::{Pause, Team};
use crate::finding::FindingKind;
use crate::stats::Stats;
use crate::store::shared::{RecordId, RecordWriter, SharedInsertion, SharedProbes, SlotTable};

/// Expanded states per batch: enough for their prefetches to overlap.
const BATCH: usize = 16;

/// Why a worker returns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Returned {
    /// The budget is used up.
    Budget,
    /// No piece of the level is left, or all workers pause.
    Waiting,
}

/// One thread's part of the search.
pub(super) struct Worker<'a> {
    expander: Box<dyn Expander + 'a>,
    pub(super) writer: RecordWriter,
    batch: Batch,
    /// The rest of the piece that is expanded.
    rest: Rest,
    pub(super) new_states: NewStates,
    sleep_sets: SleepSets,
    pub(super) findings: LevelFindings,
    stats: Stats,
    /// The depth of the states that it stores.
    depth: u32,
}

/// The states of a piece that are not expanded yet.
struct Rest {
    next: Option<RecordId>,
    count: u32,
}

/// Expanded states, whose successors are not stored yet.
#[derive(Default)]
struct Batch {
    expanded: Vec<Expanded>,
    expansion: Expansion,
    /// Where the successors of each end.
    ends: Vec<ExpansionEnd>,
    probes: SharedProbes,
    /// The first of the expanded states whose successors are not all stored, and the first
    /// successor that is not.
    settled: usize,
    stored: usize,
    /// Whether the table has changed since the probes were made.
    is_stale: bool,
}

/// An expanded state.
#[derive(Clone, Copy)]
struct Expanded {
    id: RecordId,
    asleep: SleepSet,
    /// The end of its successors in the batch.
    end: usize,
    has_faults: bool,
}

impl<'a> Worker<'a> {
    /// A worker with an expander of its own.
    pub(super) fn new(expander: Box<dyn Expander + 'a>, writer: RecordWriter) -> Worker<'a> {
        Worker {
            expander,
            writer,
            batch: Batch::default(),
            rest: Rest { next: None, count: 0 },
            new_states: NewStates::default(),
            sleep_sets: SleepSets::default(),
            findings: LevelFindings::default(),
            stats: Stats::default(),
            depth: 0,
        }
    }

    /// Stores the initial state, of which it makes a level. `None` if there is no room.
    pub(super) fn begin(&mut self, team: &Team<'_>, initial: &[u8]) -> Option<Level> {
        let inserted = team.store.insert(&team.store.table(), &mut self.writer, initial);
        let SharedInsertion::New(id) = inserted else { return None };
        self.new_states.add(id);
        self.stats.stored = 1;
        team.counters[0].publish(&self.stats, self.writer.longest);
        Some(Level::new(0, self.release()))
    }

    /// States expanded so far.
    pub(super) fn expanded(&self) -> u64 {
        self.stats.expanded
    }

    /// Expands states of a level, about as many as the budget says.
    pub(super) fn expand(
        &mut self,
        team: &Team<'_>,
        counters: &Counters,
        level: &Level,
        budget: u64,
    ) -> Returned {
        if self.depth != level.depth + 1 {
            self.depth = level.depth + 1;
            team.store.begin_level(&mut self.writer, self.depth);
        }
        let table = team.store.table();
        let end = self.stats.expanded.saturating_add(budget);
        loop {
            if team.is_pausing() {
                return Returned::Waiting;
            }
            if self.batch.settled < self.batch.expanded.len() {
                let settled = self.settle(team, &table);
                counters.publish(&self.stats, self.writer.longest);
                if let Err(pause) = settled {
                    team.pause(pause);
                    return Returned::Waiting;
                }
            }
            if self.stats.expanded >= end {
                return Returned::Budget;
            }
            if self.rest.count == 0 && !self.take(level) {
                return Returned::Waiting;
            }
            self.expand_batch(team, &table);
        }
    }

    /// Gives back what belongs to the table, which may be replaced. The pieces of new states are
    /// closed.
    pub(super) fn release(&mut self) -> Vec<RecordRange> {
        self.writer.return_credit();
        self.batch.is_stale = true;
        self.new_states.take()
    }

    /// Takes the next piece of the level.
    fn take(&mut self, level: &Level) -> bool {
        let Some(RecordRange { first, count }) = level.take() else { return false };
        self.rest = Rest { next: Some(first), count };
        true
    }

    /// Expands the next states of the piece, up to the first finding, and probes their successors.
    #[inline]
    fn expand_batch(&mut self, team: &Team<'_>, table: &SlotTable) {
        let Worker { expander, batch, rest, stats, findings, .. } = self;
        let Some(first) = rest.next else { return };
        let Batch { expanded, expansion, ends, probes, .. } = batch;
        expansion.clear();
        expanded.clear();
        ends.clear();
        (batch.settled, batch.stored, batch.is_stale) = (0, 0, false);
        let mut records = team.store.records(first, rest.count);
        let mut states: [(&[u8], SleepSet); BATCH] = [(&[], SleepSet::EMPTY); BATCH];
        for place in &mut states {
            let Some((id, state, asleep)) = records.next_with_sleep_set() else { break };
            *place = (state, asleep);
            expanded.push(Expanded { id, asleep, end: 0, has_faults: false });
        }
        expander.expand_batch(&states[..expanded.len()], expansion, ends);
        rest.next = match expanded.get(ends.len()) {
            Some(next) => Some(next.id),
            None => records.next_id(),
        };
        rest.count -= ends.len() as u32;
        expanded.truncate(ends.len());
        for (state, end) in expanded.iter_mut().zip(ends) {
            state.end = end.successors as usize;
        }
        if let Some(last) = expanded.last_mut()
            && expansion.has_findings()
        {
            last.has_faults = !expansion.faults.is_empty();
            for kind in FindingKind::of(expansion) {
                stats.errors += 1;
                findings.add(kind, last.id, &team.store);
            }
        }
        stats.expanded += expanded.len() as u64;
        stats.atomic_steps += expansion.hidden_steps;
        // A pruned transition leads to a stored state, and counts as one that was looked up.
        let pruned = expansion.pruned_by_sleep;
        stats.slept += pruned;
        stats.matched += pruned;
        stats.generated += expansion.len() as u64 + pruned;
        team.store.prefetch_slots(table, &expansion.successors, probes);
        team.store.prefetch_candidates(table, &expansion.successors, probes);
    }

    /// Stores the successors of the batch that are not stored yet.
    #[inline]
    fn settle(&mut self, team: &Team<'_>, table: &SlotTable) -> Result<(), Pause> {
        let Worker { expander, writer, batch, new_states, sleep_sets, stats, depth, .. } = self;
        let Batch { expanded, expansion, probes, settled, stored, is_stale, .. } = batch;
        if *is_stale {
            team.store.restart(table, *stored, probes);
            *is_stale = false;
        }
        let transitions = expansion.successors.transitions();
        while let Some(&Expanded { id, asleep, end, has_faults }) = expanded.get(*settled) {
            let begin = settled.checked_sub(1).map_or(0, |before| expanded[before].end);
            sleep_sets.begin();
            let mut matched = 0;
            let mut at = *stored;
            let mut pause = None;
            for state in expansion.successors.states_in(at..end) {
                match team.store.insert_probed(table, writer, state, (at, probes)) {
                    SharedInsertion::New(id) => {
                        new_states.add(id);
                        sleep_sets.record(at - begin, id);
                    }
                    SharedInsertion::Old(id) => {
                        matched += 1;
                        if sleep_sets.is_recording() && team.store.is_of_level(id, *depth) {
                            sleep_sets.record(at - begin, id);
                        }
                    }
                    SharedInsertion::TableFull => pause = Some(Pause::TableFull),
                    SharedInsertion::MemoryFull => pause = Some(Pause::MemoryFull),
                }
                if pause.is_some() {
                    break;
                }
                at += 1;
            }
            stats.stored += (at - *stored) as u64 - matched;
            stats.matched += matched;
            *stored = at;
            if let Some(pause) = pause {
                return Err(pause);
            }
            if !has_faults && sleep_sets.has_successors() {
                let own = &transitions[begin..end];
                let state = (team.store.state(id), asleep);
                sleep_sets.assign(state, own, &mut **expander, &team.store);
            }
            *settled += 1;
        }
        Ok(())
    }
}
