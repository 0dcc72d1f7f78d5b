//! The proof of the automatic strategy: breadth-first search of all states. It starts with the
//! exact store and changes to the compact store when memory runs low. In a large space, several
//! threads take it over. Where states can cover others, it has the covering store to its end.

use std::sync::Arc;

use beeline_kernel::{Fault, Space, StatePath};
use beeline_search::{
    CompactStore, CoveringStore, ExactStore, Exploration, ExplorationOptions, ExplorationOrder,
    Finding, FindingKind, MigrationStatus, Outcome, Search, Stats, StopCondition, StoreMigration,
};

use super::shared_proof::SharedProof;
use crate::plan::{Plan, Store};
use crate::work::{advance, cost_of_one};

/// An exploration that changes to the compact store when memory runs low.
pub(super) struct Proof<'a> {
    states: ProofStore<'a>,
    outcome: Option<Outcome>,
    /// With more bytes than this, the states move to the compact store.
    enough: usize,
    /// Notices for the observer.
    news: Vec<String>,
}

enum ProofStore<'a> {
    Exact(Exploration<'a, ExactStore>),
    /// On their way to the compact store.
    Moving(Box<StoreMigration<'a, ExactStore, CompactStore>>),
    Compact(Exploration<'a, CompactStore>),
    Covering(Exploration<'a, CoveringStore>),
    /// The states of other threads.
    Shared(Arc<SharedProof>),
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
            any_paths: false,
        };
        let mut initial = Vec::new();
        space.initial(&mut initial)?;
        let states = match plan.store.chosen(initial.len(), space.has_coverage()) {
            Store::Covering => ProofStore::Covering(Exploration::with_store(space, options)?),
            Store::Compact => ProofStore::Compact(Exploration::with_store(space, options)?),
            _ => ProofStore::Exact(Exploration::with_store(space, options)?),
        };
        let may_move = plan.store != Store::Exact && matches!(states, ProofStore::Exact(_));
        // During the migration, both stores need memory, and tables grow in leaps.
        let enough = if may_move { bytes / 10 * 7 } else { usize::MAX };
        Ok(Proof { states, outcome: None, enough, news: Vec::new() })
    }

    fn search(&self) -> Option<&dyn Search> {
        match &self.states {
            ProofStore::Exact(exploration) => Some(exploration),
            ProofStore::Moving(moving) => Some(moving.exploration()),
            ProofStore::Compact(exploration) => Some(exploration),
            ProofStore::Covering(exploration) => Some(exploration),
            ProofStore::Shared(_) | ProofStore::Dropped => None,
        }
    }

    /// Frees the states, which other threads begin to compute again. `None` if not all states are
    /// in the exact store.
    pub(super) fn share(&mut self) -> Option<Arc<SharedProof>> {
        let ProofStore::Exact(_) = &self.states else { return None };
        let shared = Arc::new(SharedProof::after(self.stats()));
        self.states = ProofStore::Shared(Arc::clone(&shared));
        Some(shared)
    }

    /// Advances the search by this much work, or until it is over or has a new finding.
    pub(super) fn advance(&mut self, more: u64) {
        let known = self.errors().len();
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
            ProofStore::Covering(search) => {
                advance(search, more, |search| search.findings().len() > known)
            }
            ProofStore::Shared(_) | ProofStore::Dropped => None,
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

    /// Whether the states are freed, so that there are no counters any more.
    pub(super) fn is_dropped(&self) -> bool {
        matches!(self.states, ProofStore::Dropped)
    }

    /// The outcome, if the search is over.
    pub(super) fn outcome(&self) -> Option<Outcome> {
        match &self.states {
            ProofStore::Shared(shared) => shared.outcome(),
            _ => self.outcome,
        }
    }

    /// The errors that were found, in the order found.
    pub(super) fn errors(&self) -> Vec<FindingKind> {
        let kinds = |findings: &[Finding]| findings.iter().map(|finding| finding.kind).collect();
        match &self.states {
            ProofStore::Exact(exploration) => kinds(exploration.findings()),
            ProofStore::Moving(moving) => kinds(moving.exploration().findings()),
            ProofStore::Compact(exploration) => kinds(exploration.findings()),
            ProofStore::Covering(exploration) => kinds(exploration.findings()),
            ProofStore::Shared(shared) => shared.errors(),
            ProofStore::Dropped => Vec::new(),
        }
    }

    /// The path to an error.
    pub(super) fn path(&self, at: usize) -> StatePath {
        match &self.states {
            ProofStore::Shared(shared) => shared.path(at),
            _ => self.search().map_or_else(StatePath::new, |search| search.path(at)),
        }
    }

    pub(super) fn bytes(&self) -> usize {
        match &self.states {
            ProofStore::Moving(moving) => moving.bytes(),
            ProofStore::Shared(shared) => shared.bytes(),
            _ => self.search().map_or(0, Search::bytes),
        }
    }

    pub(super) fn stats(&self) -> Stats {
        match &self.states {
            ProofStore::Shared(shared) => shared.stats(),
            _ => self.search().map_or_else(Stats::default, Search::stats),
        }
    }

    /// The current store.
    pub(super) fn store(&self) -> Store {
        match &self.states {
            ProofStore::Compact(_) => Store::Compact,
            ProofStore::Covering(_) => Store::Covering,
            ProofStore::Shared(shared) => shared.store(),
            _ => Store::Exact,
        }
    }

    /// The notices since the last call.
    pub(super) fn take_news(&mut self) -> Vec<String> {
        let mut news = std::mem::take(&mut self.news);
        if let ProofStore::Shared(shared) = &self.states {
            news.append(&mut shared.take_news());
        }
        news
    }
}
