//! Beam search: breadth-first, but of each layer only the most promising states are expanded, so
//! that the work grows with the depth and the width of the beam only.
//!
//! Source: [EMJ05], Directed Search, section 6 (a bounded open list). Deviation: it is bounded
//! layer by layer, so that states near the initial one do not displace states near the error.
//!
//! Claims: none about costs. Complete only if no layer was wider than the beam.

use beeline_kernel::{Estimate, Expansion, Fault, Heuristic, Space, StateId, Stop};

use crate::algorithm::{Algorithm, SearchSetup, StartedSearch};
use crate::limits::Outcome;
use crate::parallel::rounds::RoundKind;
use crate::query::SearchQuery;
use crate::search_core::{SearchCore, StepSearch, load_path};
use crate::search_tree::SearchTree;
use crate::stats::Stats;
use crate::store::{ExactStore, Inserted, StateStore};

/// The configuration of [`Beam`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BeamConfig {
    /// The number of states of a layer that are kept.
    pub width: usize,
}

impl Algorithm for BeamConfig {
    fn start<'a, T: StateStore + 'a>(&self, setup: SearchSetup<'a>) -> StartedSearch<'a> {
        setup.refuse_reduction()?;
        let SearchSetup { space, heuristics, query, .. } = setup;
        Ok(Box::new(Beam::<T>::with_store(space, heuristics.first, self.width, query)?))
    }

    fn in_rounds(&self) -> Option<RoundKind> {
        Some(RoundKind::Beam(self.width))
    }
}

/// A beam search, with the states kept in a store of type `T`.
pub struct Beam<'a, T: StateStore = ExactStore> {
    core: SearchCore<'a>,
    width: usize,
    store: T,
    tree: SearchTree,
    /// The layer that is being expanded, best first, and the number of its expanded states.
    layer: Vec<Candidate>,
    done: usize,
    /// The next layer.
    next: Vec<Candidate>,
    /// Why states were left out, if any.
    left_out: Option<Stop>,
    expansion: Expansion,
    /// The successors of one state that were not known, and their numbers.
    fresh: Expansion,
    new: Vec<StateId>,
    estimates: Vec<Estimate>,
}

/// A state of a layer.
#[derive(Clone, Copy)]
struct Candidate {
    estimate: Estimate,
    id: StateId,
    g: u32,
}

impl<'a> Beam<'a> {
    /// A beam of this width, which is at least 1, with an exact store.
    ///
    /// # Errors
    ///
    /// When the model fails before its first step: there is nothing to search.
    pub fn new<S: Space + ?Sized>(
        space: &'a S,
        heuristic: Box<dyn Heuristic + 'a>,
        width: usize,
        query: SearchQuery<'a>,
    ) -> Result<Self, Fault> {
        Self::with_store(space, heuristic, width, query)
    }
}

impl<'a, T: StateStore> Beam<'a, T> {
    /// A beam of this width, which is at least 1, with a store of any type.
    ///
    /// # Errors
    ///
    /// When the model fails before its first step: there is nothing to search.
    pub fn with_store<S: Space + ?Sized>(
        space: &'a S,
        heuristic: Box<dyn Heuristic + 'a>,
        width: usize,
        query: SearchQuery<'a>,
    ) -> Result<Self, Fault> {
        let mut initial = Vec::new();
        let mut core = SearchCore::new(space, heuristic, query, &mut initial)?;
        let (store, mut tree): (T, SearchTree) = (core.store_with(&initial), SearchTree::new());
        let mut layer = Vec::new();
        if !store.is_empty() {
            let id = StateId::new(0).expect("there is a first number");
            tree.add(id);
            let estimate = core.estimate_initial(&initial);
            if !core.is_proven_dead_end(estimate) {
                layer.push(Candidate { estimate, id, g: 0 });
            }
        }
        Ok(Beam {
            core,
            width: width.max(1),
            store,
            tree,
            layer,
            done: 0,
            next: Vec::new(),
            left_out: None,
            expansion: Expansion::default(),
            fresh: Expansion::default(),
            new: Vec::new(),
            estimates: Vec::new(),
        })
    }

    /// Continues with the best states of the next layer.
    fn go_deeper(&mut self) -> Option<Outcome> {
        if self.next.is_empty() {
            return Some(self.left_out.map_or(Outcome::Complete, Outcome::Incomplete));
        }
        // Among equals, the order of generation.
        self.next.sort_by_key(|candidate| candidate.estimate);
        if self.next.len() > self.width {
            self.next.truncate(self.width);
            self.left_out = Some(Stop::IncompleteMethod);
        }
        std::mem::swap(&mut self.layer, &mut self.next);
        self.next.clear();
        self.done = 0;
        None
    }

    fn expand(&mut self, from: Candidate) -> Option<Outcome> {
        let Beam { core, store, tree, expansion, .. } = self;
        core.expander.expand_only(store.open(from.id), expansion);
        core.count(from.g, expansion);
        let mut outcome = None;
        for kind in core.targets(expansion) {
            let path = tree.path_to(from.id);
            let state = store.open(from.id).to_vec();
            outcome = outcome.or(core.record_hit(kind, &state, || load_path(store, &path)));
        }
        if outcome.is_some() {
            return outcome;
        }
        self.fresh.clear();
        self.new.clear();
        for at in 0..expansion.len() {
            let state = expansion.state(at);
            match store.insert(state) {
                Inserted::New(id) => {
                    tree.add(from.id);
                    self.fresh.push_with_cost(expansion.steps(at), state);
                    self.new.push(id);
                }
                Inserted::Old(_) | Inserted::Covered => core.stats.matched += 1,
                Inserted::Full => return Some(Outcome::Incomplete(Stop::Memory)),
            }
            core.stats.generated += 1;
        }
        core.estimate_all(store.open(from.id), &self.fresh, &mut self.estimates);
        for (at, (&id, &estimate)) in self.new.iter().zip(&self.estimates).enumerate() {
            let g = from.g.saturating_add(self.fresh.steps(at));
            if core.is_proven_dead_end(estimate) {
                continue;
            }
            if g > core.query.max_cost() {
                self.left_out = self.left_out.or(Some(Stop::Depth));
                continue;
            }
            self.next.push(Candidate { estimate, id, g });
        }
        self.core.check_memory(self.bytes())
    }
}

impl<'a, T: StateStore> StepSearch<'a> for Beam<'a, T> {
    fn name(&self) -> &'static str {
        "beam"
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
        let Some(&next) = self.layer.get(self.done) else { return self.go_deeper() };
        self.done += 1;
        self.expand(next)
    }

    fn stats(&self) -> Stats {
        self.core.stats_with(&self.store)
    }

    fn bytes(&self) -> usize {
        let candidates = self.layer.capacity() + self.next.capacity();
        self.store.bytes() + self.tree.bytes() + candidates * size_of::<Candidate>()
    }
}
