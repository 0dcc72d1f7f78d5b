//! The proof of the automatic strategy: breadth-first search of all states. It starts with the
//! exact store and changes to the compact store when memory runs low.

use beeline_kernel::{Fault, Space, StatePath};
use beeline_search::{
    CompactStore, ExactStore, Exploration, ExplorationOptions, ExplorationOrder, Finding,
    MigrationStatus, Outcome, Search, Stats, StopCondition, StoreMigration,
};

use super::work::{advance, cost_of_one};
use crate::plan::{Plan, Store};

/// An exploration that changes to the compact store when memory runs low.
pub(super) struct Proof<'a> {
    states: ProofStore<'a>,
    outcome: Option<Outcome>,
    /// With more bytes than this, the states move to the compact store.
    enough: usize,
    /// Notices for the observer.
    pub(super) news: Vec<String>,
}

enum ProofStore<'a> {
    Exact(Exploration<'a, ExactStore>),
    /// On their way to the compact store.
    Moving(Box<StoreMigration<'a, ExactStore, CompactStore>>),
    Compact(Exploration<'a, CompactStore>),
    /// The states are freed.
    Dropped,
}

impl<'a> Proof<'a> {
    /// Starts the search: stores the initial state.
    ///
    /// # Errors
    ///
    /// When the model fails before its first step.
    pub(super) fn begin(space: &'a dyn Space, plan: &Plan, bytes: usize) -> Result<Self, Fault> {
        let mut limits = plan.limits();
        limits.bytes = Some(bytes);
        let options = ExplorationOptions {
            order: ExplorationOrder::Breadth,
            until: StopCondition::Exhausted,
            limits,
            keep: 1,
            stop: None,
        };
        let mut initial = Vec::new();
        space.initial(&mut initial)?;
        let states = match plan.store.chosen(initial.len(), false) {
            Store::Compact => ProofStore::Compact(Exploration::with_store(space, options)?),
            _ => ProofStore::Exact(Exploration::with_store(space, options)?),
        };
        // During the migration, both stores need memory, and tables grow in leaps.
        let enough = if plan.store == Store::Exact { usize::MAX } else { bytes / 10 * 7 };
        Ok(Proof { states, outcome: None, enough, news: Vec::new() })
    }

    fn search(&self) -> Option<&dyn Search> {
        match &self.states {
            ProofStore::Exact(exploration) => Some(exploration),
            ProofStore::Moving(moving) => Some(moving.exploration()),
            ProofStore::Compact(exploration) => Some(exploration),
            ProofStore::Dropped => None,
        }
    }

    /// Advances the search by this much work, or until it is over or has a new finding.
    pub(super) fn advance(&mut self, more: u64) {
        let known = self.findings().len();
        let outcome = match &mut self.states {
            ProofStore::Exact(search) => {
                let enough = self.enough;
                let is_done = |search: &Exploration<'a, ExactStore>| {
                    search.findings().len() > known || search.bytes() > enough
                };
                advance(search, more, is_done)
            }
            ProofStore::Moving(_) => self.go_on_moving(more),
            ProofStore::Compact(search) => {
                advance(search, more, |search| search.findings().len() > known)
            }
            ProofStore::Dropped => None,
        };
        self.outcome = self.outcome.or(outcome);
        if self.outcome.is_none() && self.bytes() > self.enough {
            self.compact();
        }
    }

    /// Starts the migration to the compact store.
    fn compact(&mut self) {
        self.enough = usize::MAX;
        let states = std::mem::replace(&mut self.states, ProofStore::Dropped);
        self.states = match states {
            ProofStore::Exact(exact) => {
                let (stored, bytes) = (exact.stats().stored, exact.bytes() >> 20);
                self.news.push(format!(
                    "memory: {stored} states in {bytes} MB move to the compact store"
                ));
                ProofStore::Moving(Box::new(exact.migrate()))
            }
            states => states,
        };
    }

    /// Moves states to the compact store, for this much work. The search continues after the last.
    fn go_on_moving(&mut self, more: u64) -> Option<Outcome> {
        let each = cost_of_one(&self.stats());
        let ProofStore::Moving(moving) = &mut self.states else { return None };
        match moving.advance((more / each).max(1) as usize) {
            MigrationStatus::Ongoing => return None,
            MigrationStatus::Full => self.states = ProofStore::Dropped,
            MigrationStatus::Complete => {
                let states = std::mem::replace(&mut self.states, ProofStore::Dropped);
                if let ProofStore::Moving(moving) = states {
                    self.states = moving.finish().map_or(ProofStore::Dropped, ProofStore::Compact);
                    self.news
                        .push(format!("memory: the compact store takes {} MB", self.bytes() >> 20));
                }
            }
        }
        let is_lost = matches!(self.states, ProofStore::Dropped);
        is_lost.then_some(Outcome::Incomplete(beeline_kernel::Stop::Memory))
    }

    /// Frees all states.
    pub(super) fn give_up(&mut self) {
        self.states = ProofStore::Dropped;
    }

    /// The outcome, if the search is over.
    pub(super) fn outcome(&self) -> Option<Outcome> {
        self.outcome
    }

    pub(super) fn findings(&self) -> &[Finding] {
        match &self.states {
            ProofStore::Exact(exploration) => exploration.findings(),
            ProofStore::Moving(moving) => moving.exploration().findings(),
            ProofStore::Compact(exploration) => exploration.findings(),
            ProofStore::Dropped => &[],
        }
    }

    /// The path to a finding.
    pub(super) fn path(&self, at: usize) -> StatePath {
        self.search().map_or_else(StatePath::new, |search| search.path(at))
    }

    pub(super) fn bytes(&self) -> usize {
        match &self.states {
            ProofStore::Moving(moving) => moving.bytes(),
            _ => self.search().map_or(0, Search::bytes),
        }
    }

    pub(super) fn stats(&self) -> Stats {
        self.search().map_or_else(Stats::default, Search::stats)
    }

    /// The current store.
    pub(super) fn store(&self) -> Store {
        if let ProofStore::Compact(_) = self.states { Store::Compact } else { Store::Exact }
    }
}
