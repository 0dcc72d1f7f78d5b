//! Hill climbing: from a state to a better one, and never back. It forgets everything but
//! the path it is on, and where no better state is to be had, it ends.
//!
//! Steepest ascent looks at the successors only. Enforced hill climbing looks further,
//! breadth-first, until it meets a better state.
//!
//! Source: [EMJ05], Directed Search, section 6. (What is called hill climbing there can
//! turn back: that is [`DepthFirst`](crate::DepthFirst), the most promising first.)
//! Enforced: Hoffmann and Nebel, "The FF planning system", JAIR 14, 2001.
//!
//! Claims: none about costs. It is complete only if it never left the initial state
//! behind and saw everything from there.

use beeline_kernel::{Cost, Estimate, Expansion, Fault, Heuristic, Space, StateId, Stop};

use crate::errand::{self, Errand, Turns, load_all};
use crate::finding::FindingKind;
use crate::limits::{Budget, Outcome, Progress};
use crate::quest::Quest;
use crate::search::{Hit, Search};
use crate::stats::Stats;
use crate::store::{ExactStore, Inserted, StateStore};
use crate::tree::Tree;

/// How far to look for a better state.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Climb {
    /// At the successors, of which the best is taken.
    #[default]
    Steepest,
    /// Until there is one.
    Enforced,
}

/// A climb, with the states seen from the present one kept in a store of type `T`.
pub struct HillClimbing<'a, T: StateStore = ExactStore> {
    errand: Errand<'a>,
    climb: Climb,
    /// The way to the present state, which is the first one of the store.
    path: Vec<Vec<u8>>,
    /// Its estimate.
    height: Estimate,
    /// What is seen from there, in breadth-first order.
    store: T,
    tree: Tree,
    /// What the way to each costs, and its estimate.
    seen: Vec<(u32, Estimate)>,
    /// How many of them have had their turn.
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
        climb: Climb,
        quest: Quest<'a>,
    ) -> Result<Self, Fault> {
        Self::with_store(space, heuristic, climb, quest)
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
        climb: Climb,
        quest: Quest<'a>,
    ) -> Result<Self, Fault> {
        let mut initial = Vec::new();
        let mut errand = Errand::new(space, heuristic, quest, &mut initial)?;
        let height = errand.estimate_initial(&initial);
        let mut search = HillClimbing {
            climb,
            path: Vec::new(),
            height,
            store: errand.store(),
            tree: Tree::new(),
            seen: Vec::new(),
            done: 0,
            has_climbed: false,
            is_cut: false,
            expansion: Expansion::default(),
            estimates: Vec::new(),
            errand,
        };
        let outcome = search.stand_on(vec![initial], 0, height);
        outcome.into_iter().for_each(|outcome| search.errand.end(outcome));
        Ok(search)
    }

    /// Looks around from the last state of a path.
    fn stand_on(&mut self, path: Vec<Vec<u8>>, g: u32, height: Estimate) -> Option<Outcome> {
        self.store = self.errand.store();
        self.tree = Tree::new();
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

    /// The way to a state that is seen from the present one.
    fn path_to(&self, id: StateId) -> Vec<Vec<u8>> {
        let mut path = self.path.clone();
        path.extend(load_all(&self.store, &self.tree.path_to(id)[1..]));
        path
    }

    fn expand(&mut self, id: StateId) -> Option<Outcome> {
        let (g, _) = self.seen[id.index()];
        self.errand.expander.expand_only(self.store.open(id), &mut self.expansion);
        self.errand.count(g, &self.expansion);
        if let Some(outcome) = self.inspect(id) {
            return Some(outcome);
        }
        let state = self.store.open(id);
        self.errand.estimate_all(state, &self.expansion, &mut self.estimates);
        let mut best: Option<StateId> = None;
        for at in 0..self.expansion.len() {
            let stats = &mut self.errand.stats;
            let state = self.expansion.state(at);
            let new = match self.store.insert(state) {
                Inserted::New(new) => new,
                Inserted::Old(_) => {
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
            if g > self.errand.quest.max_cost() {
                self.is_cut = true;
                continue;
            }
            let least = best.map_or(self.height, |best| self.seen[best.index()].1);
            if height < least {
                best = Some(new);
                if self.climb == Climb::Enforced {
                    break;
                }
            }
        }
        let outcome = self.errand.check_memory(Search::bytes(self));
        outcome.or_else(|| best.and_then(|best| self.climb_to(best)))
    }

    fn climb_to(&mut self, id: StateId) -> Option<Outcome> {
        let (g, height) = self.seen[id.index()];
        self.has_climbed = true;
        self.stand_on(self.path_to(id), g, height)
    }

    /// Looks for the target in and behind a state that was expanded.
    fn inspect(&mut self, id: StateId) -> Option<Outcome> {
        let kinds: Vec<FindingKind> = self.errand.targets(&self.expansion);
        let mut outcome = None;
        for kind in kinds {
            let path = self.path_to(id);
            let state = path.last().expect("a path is not empty").clone();
            outcome = outcome.or(self.errand.meet(kind, &state, || path));
        }
        outcome
    }

    /// How the search ends when there is no better state.
    fn conclude(&self) -> Outcome {
        match (self.has_climbed || self.done < self.store.len(), self.is_cut) {
            (true, _) => Outcome::Incomplete(Stop::IncompleteMethod),
            (false, true) => Outcome::Incomplete(Stop::Depth),
            (false, false) => Outcome::Complete,
        }
    }
}

impl<'a, T: StateStore> Turns<'a> for HillClimbing<'a, T> {
    fn errand(&mut self) -> &mut Errand<'a> {
        &mut self.errand
    }

    fn turn(&mut self) -> Option<Outcome> {
        let stays = self.climb == Climb::Steepest && self.done == 1;
        if self.done == self.store.len() || stays {
            return Some(self.conclude());
        }
        let id = StateId::new(self.done).expect("it is stored, so it has an id");
        self.done += 1;
        let (g, height) = self.seen[id.index()];
        // Nothing can come of it, or it is too far away.
        if self.errand.is_hopeless(height) || g > self.errand.quest.max_cost() {
            return None;
        }
        self.expand(id)
    }
}

impl<T: StateStore> Search for HillClimbing<'_, T> {
    fn name(&self) -> &'static str {
        match self.climb {
            Climb::Steepest => "hill climbing",
            Climb::Enforced => "enforced hill climbing",
        }
    }

    fn advance(&mut self, budget: Budget) -> Progress {
        errand::advance(self, budget)
    }

    /// `stored` counts the states seen from the present one.
    fn stats(&self) -> Stats {
        self.errand.stats_with(&self.store)
    }

    fn hits(&self) -> Vec<Hit> {
        self.errand.hits.clone()
    }

    fn path(&self, hit: usize) -> Vec<Vec<u8>> {
        self.errand.paths[hit].clone()
    }

    fn bytes(&self) -> usize {
        let state = size_of::<Vec<u8>>() + self.errand.stats.state_bytes as usize;
        let seen = self.seen.capacity() * size_of::<(u32, Estimate)>();
        self.store.bytes() + self.tree.bytes() + seen + self.path.len() * state
    }

    fn lower_bound(&self) -> Cost {
        self.errand.least_possible()
    }
}
