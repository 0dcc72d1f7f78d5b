//! Hill climbing: from a state to a better one, without backtracking. Only the current path is
//! kept; if there is no better state, the search ends.
//!
//! Steepest ascent considers the successors only. Enforced hill climbing searches breadth-first
//! until it reaches a better state.
//!
//! Source: [EMJ05], Directed Search, section 6. (Hill climbing as described there can backtrack:
//! that is [`DepthFirst`](crate::DepthFirst) with the most promising successor first.)
//! Enforced: [HN01].
//!
//! Claims: none about costs. Complete only if it never left the initial state and expanded
//! everything that is reachable from there.

use beeline_kernel::{Estimate, Expansion, Fault, Heuristic, Space, StateId, StatePath, Stop};

use crate::algorithm::{Algorithm, SearchSetup, StartedSearch};
use crate::finding::FindingKind;
use crate::limits::Outcome;
use crate::query::SearchQuery;
use crate::search_core::{SearchCore, StepSearch, load_path};
use crate::search_tree::SearchTree;
use crate::stats::Stats;
use crate::store::{ExactStore, Inserted, StateStore};

/// The range of the search for a better state.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ClimbKind {
    /// The successors, of which the best is taken.
    #[default]
    Steepest,
    /// Breadth-first until a better state is found.
    Enforced,
}

impl Algorithm for ClimbKind {
    fn start<'a, T: StateStore + 'a>(&self, setup: SearchSetup<'a>) -> StartedSearch<'a> {
        setup.refuse_reduction()?;
        let SearchSetup { space, heuristics, query, .. } = setup;
        Ok(Box::new(HillClimbing::<T>::with_store(space, heuristics.first, *self, query)?))
    }
}

/// A hill-climbing search; the states generated from the current one are in a store of type `T`.
pub struct HillClimbing<'a, T: StateStore = ExactStore> {
    core: SearchCore<'a>,
    climb: ClimbKind,
    /// The path to the current state, which is the first one of the store.
    path: StatePath,
    /// Its estimate.
    height: Estimate,
    /// The states generated from there, in breadth-first order.
    store: T,
    tree: SearchTree,
    /// The cost of each, and its estimate.
    seen: Vec<(u32, Estimate)>,
    /// The number of expanded ones.
    done: usize,
    has_climbed: bool,
    is_cut: bool,
    expansion: Expansion,
    estimates: Vec<Estimate>,
}

impl<'a> HillClimbing<'a> {
    /// Estimates the initial state.
    ///
    /// # Errors
    ///
    /// When the model fails before its first step: there is nothing to search.
    pub fn new<S: Space + ?Sized>(
        space: &'a S,
        heuristic: Box<dyn Heuristic + 'a>,
        climb: ClimbKind,
        query: SearchQuery<'a>,
    ) -> Result<Self, Fault> {
        Self::with_store(space, heuristic, climb, query)
    }
}

impl<'a, T: StateStore> HillClimbing<'a, T> {
    /// The same, with a store of any type.
    ///
    /// # Errors
    ///
    /// When the model fails before its first step: there is nothing to search.
    pub fn with_store<S: Space + ?Sized>(
        space: &'a S,
        heuristic: Box<dyn Heuristic + 'a>,
        climb: ClimbKind,
        query: SearchQuery<'a>,
    ) -> Result<Self, Fault> {
        let mut initial = Vec::new();
        let mut core = SearchCore::new(space, heuristic, query, &mut initial)?;
        let height = core.estimate_initial(&initial);
        let mut search = HillClimbing {
            climb,
            path: StatePath::new(),
            height,
            store: core.store(),
            tree: SearchTree::new(),
            seen: Vec::new(),
            done: 0,
            has_climbed: false,
            is_cut: false,
            expansion: Expansion::default(),
            estimates: Vec::new(),
            core,
        };
        let outcome = search.stand_on([initial].into_iter().collect(), 0, height);
        outcome.into_iter().for_each(|outcome| search.core.end(outcome));
        Ok(search)
    }

    /// Starts from the last state of a path.
    fn stand_on(&mut self, path: StatePath, g: u32, height: Estimate) -> Option<Outcome> {
        self.store = self.core.store();
        self.tree = SearchTree::new();
        self.seen.clear();
        self.done = 0;
        let state = path.last().expect("a path is not empty");
        let Inserted::New(root) = self.store.insert(state) else {
            return Some(Outcome::Incomplete(Stop::Memory));
        };
        self.tree.add(root);
        self.seen.push((g, height));
        self.height = height;
        self.path = path;
        None
    }

    /// The path to a state that was generated from the current one.
    fn path_to(&self, id: StateId) -> StatePath {
        let mut path = self.path.clone();
        path.append(&load_path(&self.store, &self.tree.path_to(id)[1..]));
        path
    }

    fn expand(&mut self, id: StateId) -> Option<Outcome> {
        let (g, _) = self.seen[id.index()];
        self.core.expander.expand_only(self.store.open(id), &mut self.expansion);
        self.core.count(g, &self.expansion);
        if let Some(outcome) = self.inspect(id) {
            return Some(outcome);
        }
        let state = self.store.open(id);
        self.core.estimate_all(state, &self.expansion, &mut self.estimates);
        let mut best: Option<StateId> = None;
        for at in 0..self.expansion.len() {
            let stats = &mut self.core.stats;
            let state = self.expansion.state(at);
            let new = match self.store.insert(state) {
                Inserted::New(new) => new,
                Inserted::Old(_) | Inserted::Covered => {
                    stats.generated += 1;
                    stats.matched += 1;
                    continue;
                }
                Inserted::Full => return Some(Outcome::Incomplete(Stop::Memory)),
            };
            stats.generated += 1;
            stats.state_bytes = stats.state_bytes.max(state.len() as u64);
            let (g, height) = (g.saturating_add(self.expansion.steps(at)), self.estimates[at]);
            self.tree.add(id);
            self.seen.push((g, height));
            if g > self.core.query.max_cost() {
                self.is_cut = true;
                continue;
            }
            let least = best.map_or(self.height, |best| self.seen[best.index()].1);
            if height < least {
                best = Some(new);
                if self.climb == ClimbKind::Enforced {
                    break;
                }
            }
        }
        let outcome = self.core.check_memory(self.bytes());
        outcome.or_else(|| best.and_then(|best| self.climb_to(best)))
    }

    fn climb_to(&mut self, id: StateId) -> Option<Outcome> {
        let (g, height) = self.seen[id.index()];
        self.has_climbed = true;
        self.stand_on(self.path_to(id), g, height)
    }

    /// Tests an expanded state and its transitions for the target.
    fn inspect(&mut self, id: StateId) -> Option<Outcome> {
        let kinds: Vec<FindingKind> = self.core.targets(&self.expansion);
        let mut outcome = None;
        for kind in kinds {
            let path = self.path_to(id);
            let state = path.last().expect("a path is not empty").to_vec();
            outcome = outcome.or(self.core.record_hit(kind, &state, || path));
        }
        outcome
    }

    /// The outcome when there is no better state.
    fn conclude(&self) -> Outcome {
        match (self.has_climbed || self.done < self.store.len(), self.is_cut) {
            (true, _) => Outcome::Incomplete(Stop::IncompleteMethod),
            (false, true) => Outcome::Incomplete(Stop::Depth),
            (false, false) => Outcome::Complete,
        }
    }
}

impl<'a, T: StateStore> StepSearch<'a> for HillClimbing<'a, T> {
    fn name(&self) -> &'static str {
        match self.climb {
            ClimbKind::Steepest => "hill climbing",
            ClimbKind::Enforced => "enforced hill climbing",
        }
    }

    #[inline]
    fn core(&self) -> &SearchCore<'a> {
        &self.core
    }

    #[inline]
    fn core_mut(&mut self) -> &mut SearchCore<'a> {
        &mut self.core
    }

    fn step(&mut self) -> Option<Outcome> {
        let stays = self.climb == ClimbKind::Steepest && self.done == 1;
        if self.done == self.store.len() || stays {
            return Some(self.conclude());
        }
        let id = StateId::new(self.done).expect("it is stored, so it has an id");
        self.done += 1;
        let (g, height) = self.seen[id.index()];
        // The state is a dead end, or beyond the depth limit.
        if self.core.is_proven_dead_end(height) || g > self.core.query.max_cost() {
            return None;
        }
        self.expand(id)
    }

    /// `stored` counts the states generated from the current one.
    fn stats(&self) -> Stats {
        self.core.stats_with(&self.store)
    }

    fn bytes(&self) -> usize {
        let seen = self.seen.capacity() * size_of::<(u32, Estimate)>();
        self.store.bytes() + self.tree.bytes() + seen + self.path.bytes()
    }
}
