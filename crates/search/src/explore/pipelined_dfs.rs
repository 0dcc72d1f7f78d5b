//! Going down: the loop of an exploration in depth-first order.
//!
//! Which state comes next is known as soon as the first successor is found that was not
//! expanded yet. So that one is stored, and expanded at once; its brothers are stored
//! afterwards, when the memory that was asked for has come. So it is with the state that
//! waits on top, when all successors seem to be expanded. Nobody can tell the difference: it
//! takes no store to expand a state, and all states are stored in the same order as if one
//! had waited. For the same reason, someone may have a [prediction](super::successor_predictor) which it is, and that
//! one is expanded before the store is asked.
//!
//! A successor that looks like an expanded state is passed over without comparing the two;
//! they are compared when the brothers are stored. If they differ, which hardly ever
//! happens, it is a new state like any other, whose turn is later than in the recursive
//! search.

use std::ops::Range;

use beeline_kernel::{SleepSet, StateId, Stop};

use super::{Expanded, ExpansionBatch, Exploration, Offsets};
use crate::frontier::FrontierEntry;
use crate::limits::Outcome;
use crate::store::{Inserted, StateStore};

/// There was no room for a successor.
struct Full;

impl<T: StateStore> Exploration<'_, T> {
    /// Expands the next state and some more, `most` in all, and stores what follows them.
    /// Says how the exploration ended, if it did.
    pub(super) fn expand_pipelined(&mut self, most: u64) -> Option<Outcome> {
        let mut next = None;
        self.predictor.measure(self.store.bytes());
        for done in 1..=most {
            let Some(turn) = next.or_else(|| self.backtrack()) else {
                // A stored state was not expanded, but none is waiting.
                return Some(Outcome::Incomplete(Stop::Depth));
            };
            std::mem::swap(&mut self.now, &mut self.next);
            let (end, deadlock) = (Offsets::of(&self.now.expansion), self.now.expansion.deadlock);
            let asleep = SleepSet::EMPTY;
            if self.count(Expanded { turn, asleep, end, deadlock }, Offsets::default()) {
                return Some(Outcome::Found);
            }
            let found = self.descend(turn, done < most);
            let rest = self.deferred.len() + self.successors.len()..end.successors;
            let room = self.store_deferred(turn) && found.is_ok() && self.store_rest(turn, rest);
            if !room {
                return Some(Outcome::Incomplete(Stop::Memory));
            }
            next = found.unwrap_or(None);
            self.frontier.push(turn, &self.successors);
            if self.stats.expanded == self.store.len() as u64 {
                return Some(Outcome::Complete);
            }
        }
        self.check_memory()
    }

    /// Stores the successors up to the first that was not expanded, but for some that are
    /// passed over, and expands that one; or, where all were expanded, one that waits.
    #[inline]
    fn descend(
        &mut self,
        turn: FrontierEntry,
        may_go: bool,
    ) -> Result<Option<FrontierEntry>, Full> {
        self.successors.clear();
        self.deferred.clear();
        if !may_go || self.frontier.leaves_early(turn) {
            return Ok(None);
        }
        let hunch = self.predictor.place(self.now.expansion.len());
        if let Some(at) = hunch {
            self.expand_successor(at);
        }
        for at in 0..self.now.expansion.len() {
            let likely = self.store.find_candidate(at, &mut self.now.ahead);
            if likely.is_some_and(|id| self.frontier.has_expanded(id)) {
                self.deferred.push(at);
                continue;
            }
            let id = self.store_one(turn, at)?;
            if !self.frontier.has_expanded(id) {
                self.predictor.learn(Some(at));
                if hunch != Some(at) {
                    self.expand_successor(at);
                }
                return Ok(Some(self.frontier.go_down(turn, id, &mut self.tree)));
            }
        }
        self.predictor.learn(None);
        Ok(self.backtrack())
    }

    /// Expands a successor.
    #[inline]
    fn expand_successor(&mut self, at: usize) {
        self.expander.expand_only(self.now.expansion.state(at), &mut self.next.expansion);
        self.store.prefetch_slots(&self.next.expansion.successors, &mut self.next.ahead);
    }

    /// Expands a state that waits, if there is one.
    #[inline]
    fn backtrack(&mut self) -> Option<FrontierEntry> {
        let turn = self.frontier.pop(self.store.len(), &mut self.tree)?;
        self.expander.expand_only(self.store.open(turn.id), &mut self.next.expansion);
        self.store.prefetch_slots(&self.next.expansion.successors, &mut self.next.ahead);
        Some(turn)
    }

    /// Stores a successor that was looked for a moment ago.
    #[inline]
    fn store_one(&mut self, turn: FrontierEntry, at: usize) -> Result<StateId, Full> {
        let ExpansionBatch { expansion, ahead } = &*self.now;
        let id = match self.store.insert_probed(expansion.state(at), at, ahead) {
            Inserted::New(id) => {
                self.tree.add(turn.id);
                id
            }
            Inserted::Old(id) => {
                self.stats.matched += 1;
                id
            }
            Inserted::Full => return Err(Full),
        };
        self.stats.generated += 1;
        self.successors.push(id);
        Ok(id)
    }

    /// Stores the successors that were passed over, unless they are what they seem to be.
    /// Says whether there was room for them.
    #[inline]
    fn store_deferred(&mut self, turn: FrontierEntry) -> bool {
        for number in 0..self.deferred.len() {
            let at = self.deferred[number];
            if self.store.confirm(self.now.expansion.state(at), at, &self.now.ahead) {
                self.stats.matched += 1;
                self.stats.generated += 1;
            } else if !self.store_some(turn, at..at + 1) {
                return false;
            }
        }
        true
    }

    /// Stores the successors that are left. Says whether there was room for all of them.
    #[inline]
    fn store_rest(&mut self, turn: FrontierEntry, rest: Range<usize>) -> bool {
        self.store.prefetch_candidates(rest.clone(), &mut self.now.ahead);
        rest.is_empty() || self.store_some(turn, rest)
    }
}
