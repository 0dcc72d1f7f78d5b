//! Pipelined depth-first search: the loop of an exploration in depth-first order.
//!
//! The next state is known as soon as the first successor is found that was not expanded yet. So
//! that successor is stored and expanded at once; its siblings are stored afterwards, when the
//! memory that was prefetched for them has arrived. The same holds for the state on top of the
//! stack if all successors seem to be expanded. The result is the same as without the pipeline: an
//! expansion does not use the store, and states are stored in the same order. For the same reason,
//! a [predicted](super::successor_predictor) successor may be expanded before the store is read.
//!
//! A successor whose candidate was expanded is deferred without a comparison; it is compared when
//! the siblings are stored. If the two differ, which almost never happens, it is a new state like
//! any other, and expanded later than in the recursive search. Source: ours.

use std::ops::Range;

use beeline_kernel::{ExpansionEnd, StateId, Stop};

use super::{ExpansionBatch, Exploration, Group, Parents};
use crate::frontier::FrontierEntry;
use crate::limits::Outcome;
use crate::store::{Inserted, StateStore};

/// There was no room for a successor.
struct Full;

impl<T: StateStore> Exploration<'_, T> {
    /// Expands up to `most` states, and stores their successors. Returns how the exploration ended,
    /// if it did.
    pub(super) fn expand_pipelined(&mut self, most: u64) -> Option<Outcome> {
        let mut next = None;
        self.work.predictor.note_store_size(self.store.bytes());
        for done in 1..=most {
            let Some(entry) = next.or_else(|| self.backtrack()) else {
                // The frontier is empty although some stored state was not expanded.
                return Some(Outcome::Incomplete(Stop::Depth));
            };
            std::mem::swap(&mut self.work.current, &mut self.work.next);
            let expansion = &self.work.current.expansion;
            let (begin, end) = (ExpansionEnd::default(), expansion.end());
            let group = Group { states: 0..1, begin, end, has_findings: expansion.has_findings() };
            if self.count(entry, &group) {
                return Some(Outcome::Found);
            }
            let found = self.descend(entry, done < most);
            let rest =
                self.work.deferred.len() + self.work.successors.len()..group.successors().end;
            let has_room =
                self.store_deferred(entry) && found.is_ok() && self.store_rest(entry, rest);
            if !has_room {
                return Some(Outcome::Incomplete(Stop::Memory));
            }
            next = found.unwrap_or(None);
            self.frontier.push(entry, &self.work.successors);
            if self.stats.expanded == self.store.len() as u64 {
                return Some(Outcome::Complete);
            }
        }
        self.check_memory()
    }

    /// Stores the successors up to the first that was not expanded, except for deferred ones, and
    /// expands that one. If all were expanded, expands the state on top of the stack. Returns the
    /// state that was expanded.
    #[inline]
    fn descend(
        &mut self,
        from: FrontierEntry,
        may_expand: bool,
    ) -> Result<Option<FrontierEntry>, Full> {
        self.work.successors.clear();
        self.work.deferred.clear();
        if !may_expand || self.frontier.leaves_early(from) {
            return Ok(None);
        }
        let predicted = self.work.predictor.predict(self.work.current.expansion.len());
        if let Some(at) = predicted {
            self.expand_successor(at);
        }
        for at in 0..self.work.current.expansion.len() {
            let candidate = self.store.find_candidate(at, &mut self.work.current.probes);
            if candidate.is_some_and(|id| self.frontier.has_expanded(id)) {
                self.work.deferred.push(at);
                continue;
            }
            let id = self.store_one(from, at)?;
            if !self.frontier.has_expanded(id) {
                self.work.predictor.learn(Some(at));
                if predicted != Some(at) {
                    self.expand_successor(at);
                }
                return Ok(Some(self.frontier.go_down(from, id, &mut self.tree)));
            }
        }
        self.work.predictor.learn(None);
        Ok(self.backtrack())
    }

    /// Expands a successor ahead.
    #[inline]
    fn expand_successor(&mut self, at: usize) {
        let ExpansionBatch { expansion, probes } = &mut *self.work.next;
        self.expander.expand_only(self.work.current.expansion.state(at), expansion);
        self.store.prefetch_slots(&expansion.successors, probes);
    }

    /// Expands the state on top of the stack ahead, if there is one.
    #[inline]
    fn backtrack(&mut self) -> Option<FrontierEntry> {
        let entry = self.frontier.pop(self.store.len(), &mut self.tree)?;
        let ExpansionBatch { expansion, probes } = &mut *self.work.next;
        self.expander.expand_only(self.store.open(entry.id), expansion);
        self.store.prefetch_slots(&expansion.successors, probes);
        Some(entry)
    }

    /// Stores a successor whose slot was just read.
    #[inline]
    fn store_one(&mut self, from: FrontierEntry, at: usize) -> Result<StateId, Full> {
        let ExpansionBatch { expansion, probes } = &*self.work.current;
        let id = match self.store.insert_probed(expansion.state(at), at, probes) {
            Inserted::New(id) => {
                self.tree.add(from.id);
                id
            }
            Inserted::Old(id) => {
                self.stats.matched += 1;
                id
            }
            Inserted::Covered => {
                self.stats.matched += 1;
                from.id
            }
            Inserted::Full => return Err(Full),
        };
        self.work.successors.push(id);
        Ok(id)
    }

    /// Stores deferred successors that differ from their candidates. Returns whether there was room
    /// for them.
    #[inline]
    fn store_deferred(&mut self, from: FrontierEntry) -> bool {
        for number in 0..self.work.deferred.len() {
            let at = self.work.deferred[number];
            let ExpansionBatch { expansion, probes } = &*self.work.current;
            if self.store.confirm(expansion.state(at), at, probes) {
                self.stats.matched += 1;
            } else if self.store_range(Parents::One(from.id), at..at + 1) == 0 {
                return false;
            }
        }
        true
    }

    /// Stores the remaining successors. Returns whether there was room for all of them.
    #[inline]
    fn store_rest(&mut self, from: FrontierEntry, rest: Range<usize>) -> bool {
        self.store.prefetch_candidates(rest.clone(), &mut self.work.current.probes);
        let len = rest.len();
        len == 0 || self.store_range(Parents::One(from.id), rest) == len
    }
}
