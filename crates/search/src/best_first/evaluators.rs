//! Evaluators beside the heuristic of the search: other heuristics, preferred and useless steps,
//! and novelty.
//!
//! The search keeps the estimates of its own heuristic, number 0, in its nodes. The others are
//! here, numbered from 1. A state is pruned when any safe one proves a dead end.
//!
//! Sources: [RW10] for several heuristics and preferred steps; [WKP08] for useless steps;
//! Deviation from [WKP08]: a state that a useless step reaches is ranked after all others of its
//! list.

use beeline_kernel::{Estimate, Expansion, Heuristic, StateId, StepPreference};

use super::estimate_table::EstimateTable;
use crate::diversification::{Diversification, UselessSteps};
use crate::nodes::SearchNode;
use crate::novelty::{Novelty, NoveltyScope};
use crate::open_list::Rank;
use crate::store::chunked_vec::ChunkedVec;

/// Added to the rank of states after useless steps: greater than all other ranks in practice.
const USELESS_PENALTY: u64 = 1 << 48;

/// All evaluators but the heuristic of the search; usually none.
#[derive(Default)]
pub(super) struct Evaluators<'a>(Option<Box<Further<'a>>>);

/// The evaluators, with their values for each stored state.
struct Further<'a> {
    diversification: Diversification,
    others: Vec<EstimateTable<'a>>,
    novelty: Option<Novelty>,
    /// The novelty of each stored state, for each heuristic.
    novelties: ChunkedVec<u8>,
    /// The best preference of any step to each stored state.
    best_preferences: ChunkedVec<StepPreference>,
    /// The least estimate of each heuristic.
    least: Vec<Estimate>,
    /// The preferences of the transitions of the state that is being expanded.
    preferences: Vec<StepPreference>,
    /// Kept for its memory.
    scratch: Vec<StepPreference>,
    /// The number of states before the successors of that state.
    known: usize,
}

/// An expanded state and its new successors, whose nodes are recorded in this order.
pub(super) struct Generation<'s, N> {
    pub(super) parent: StateId,
    pub(super) node: SearchNode,
    pub(super) state: &'s [u8],
    pub(super) expansion: &'s Expansion,
    /// The numbers of the transitions to new states.
    pub(super) new: &'s [usize],
    /// Maps number and transition of a new state to its node.
    pub(super) nodes: N,
    /// Whether the new states have the estimates of the expanded one for now.
    pub(super) is_lazy: bool,
}

impl<'a> Evaluators<'a> {
    /// These heuristics, and the evaluators of the diversification. Evaluates the initial state.
    pub(super) fn new(
        diversification: Diversification,
        others: Vec<Box<dyn Heuristic + 'a>>,
        initial: &[u8],
        node: SearchNode,
    ) -> Evaluators<'a> {
        let table = |heuristic| EstimateTable::new(heuristic, initial);
        let others: Vec<EstimateTable<'_>> = others.into_iter().map(table).collect();
        let root = StateId::new(0).expect("there is a first number");
        let first = std::iter::once(node.estimate());
        let mut further = Further {
            diversification,
            novelty: diversification.novelty.map(Novelty::new),
            novelties: ChunkedVec::new(),
            best_preferences: ChunkedVec::new(),
            least: first.chain(others.iter().map(|other| other.of(root))).collect(),
            others,
            preferences: Vec::new(),
            scratch: Vec::new(),
            known: 0,
        };
        further.add(root, node, initial, StepPreference::default(), None);
        Evaluators(Some(Box::new(further)))
    }

    /// The number of heuristics beside that of the search.
    #[inline]
    pub(super) fn others(&self) -> usize {
        self.0.as_ref().map_or(0, |further| further.others.len())
    }

    /// Whether there are none, so that nothing is recorded for states.
    #[inline]
    pub(super) fn is_empty(&self) -> bool {
        self.0.is_none()
    }

    /// Whether one of them proves that a stored state is a dead end.
    #[inline]
    pub(super) fn is_proven_dead_end(&self, id: StateId) -> bool {
        self.0.as_ref().is_some_and(|further| further.is_proven_dead_end(id))
    }

    /// The same of a new successor, by its number.
    #[inline]
    pub(super) fn is_new_dead_end(&self, number: usize) -> bool {
        self.0.as_ref().is_some_and(|further| {
            let id = StateId::new(further.known + number).expect("it is stored, so it has an id");
            further.is_proven_dead_end(id)
        })
    }

    /// Asks all heuristics for preferred steps; `first` is that of the search.
    pub(super) fn ask_preferences(
        &mut self,
        first: &mut dyn Heuristic,
        state: &[u8],
        expansion: &Expansion,
    ) {
        let Some(further) = &mut self.0 else { return };
        if !further.diversification.wants_preferences() {
            return;
        }
        first.step_preferences(state, expansion, &mut further.preferences);
        for other in &mut further.others {
            other.step_preferences(state, expansion, &mut further.scratch);
            StepPreference::combine_all(&mut further.preferences, &further.scratch);
        }
    }

    /// Estimates the new successors of a state by the other heuristics. `estimates` is scratch
    /// memory.
    pub(super) fn estimate(
        &mut self,
        state: &[u8],
        new: &Expansion,
        estimates: &mut Vec<Estimate>,
    ) {
        if let Some(further) = &mut self.0 {
            further.others.iter_mut().for_each(|other| other.add(state, new, estimates));
        }
    }

    /// Estimates a stored state by the other heuristics again. Returns the number of heuristics
    /// that have a new least estimate.
    pub(super) fn reevaluate(&mut self, id: StateId, node: SearchNode, state: &[u8]) -> usize {
        let Some(further) = &mut self.0 else { return 0 };
        further.others.iter_mut().for_each(|other| other.estimate(id, state));
        further.progress(id, node)
    }

    /// Records new successors. Returns how often a heuristic got a new least estimate.
    pub(super) fn add_new<N: Fn(usize, usize) -> SearchNode>(
        &mut self,
        generation: &Generation<'_, N>,
    ) -> usize {
        let Some(further) = &mut self.0 else { return 0 };
        let &Generation { parent, node, state, expansion, new, ref nodes, is_lazy } = generation;
        if is_lazy {
            further.others.iter_mut().for_each(|other| other.add_like(parent, new.len()));
        }
        further.known = further.best_preferences.len();
        let mut progress = 0;
        for (number, &at) in new.iter().enumerate() {
            let id = StateId::new(further.known + number).expect("it is stored, so it has an id");
            let (new_node, preference) = (nodes(number, at), further.preference(at));
            let from = Some((parent, node, state));
            further.add(id, new_node, expansion.state(at), preference, from);
            if !is_lazy {
                progress += further.progress(id, new_node);
            }
        }
        progress
    }

    /// Records that a transition leads to a known state. Returns whether its step is preferred
    /// to all steps that led there before.
    #[inline]
    pub(super) fn reached_by(&mut self, id: StateId, at: usize) -> bool {
        self.0.as_mut().is_some_and(|further| further.reached_by(id, at))
    }

    /// Gives an open state the estimates of another state that leads to it, where they are less.
    /// Returns whether any is.
    pub(super) fn inherit(&mut self, id: StateId, parent: StateId) -> bool {
        let Some(further) = &mut self.0 else { return false };
        let less =
            further.others.iter_mut().filter_map(|other| other.lower_to(id, parent).then_some(()));
        less.count() > 0
    }

    /// The rank of a state in the list of a heuristic. `rank` is that by an estimate.
    #[inline]
    pub(super) fn rank(
        &self,
        heuristic: usize,
        id: StateId,
        node: SearchNode,
        rank: impl FnOnce(Estimate) -> Rank,
    ) -> Rank {
        match &self.0 {
            None => rank(node.estimate()),
            Some(further) => {
                further.diversified(heuristic, id, rank(further.estimate(heuristic, id, node)))
            }
        }
    }

    /// Whether a preferred step leads to a stored state.
    pub(super) fn is_preferred(&self, id: StateId) -> bool {
        self.0.as_ref().is_some_and(|further| {
            further.best_preferences.at(id.index()) == StepPreference::Preferred
        })
    }

    /// Memory held.
    #[inline]
    pub(super) fn bytes(&self) -> usize {
        self.0.as_ref().map_or(0, |further| further.bytes())
    }
}

impl Further<'_> {
    /// The estimate of a stored state by a heuristic.
    fn estimate(&self, heuristic: usize, id: StateId, node: SearchNode) -> Estimate {
        match heuristic.checked_sub(1) {
            None => node.estimate(),
            Some(other) => self.others[other].of(id),
        }
    }

    fn is_proven_dead_end(&self, id: StateId) -> bool {
        self.others.iter().any(|other| other.is_proven_dead_end(id))
    }

    /// The preference of a transition of the state that is being expanded.
    fn preference(&self, at: usize) -> StepPreference {
        self.preferences.get(at).copied().unwrap_or_default()
    }

    /// Records a state, reached by a step of this preference from another state, if any.
    fn add(
        &mut self,
        id: StateId,
        node: SearchNode,
        state: &[u8],
        preference: StepPreference,
        from: Option<(StateId, SearchNode, &[u8])>,
    ) {
        self.best_preferences.push(preference);
        let Some(mut novelty) = self.novelty.take() else { return };
        for heuristic in 0..self.least.len() {
            let estimate = self.estimate(heuristic, id, node);
            let before = from.map(|(parent, node, _)| self.estimate(heuristic, parent, node));
            let parent = from.map_or(&[][..], |(_, _, state)| state);
            // Dead ends are expanded last, whatever their novelty.
            self.novelties.push(estimate.finite().map_or(0, |h| {
                let scope =
                    NoveltyScope { heuristic, h: h.0, has_parent: before == Some(estimate) };
                novelty.rate(scope, state, parent)
            }));
        }
        self.novelty = Some(novelty);
    }

    /// Updates the least estimates. Returns how many decreased.
    fn progress(&mut self, id: StateId, node: SearchNode) -> usize {
        let mut progress = 0;
        for heuristic in 0..self.least.len() {
            let estimate = self.estimate(heuristic, id, node);
            if estimate < self.least[heuristic] {
                self.least[heuristic] = estimate;
                progress += 1;
            }
        }
        progress
    }

    fn reached_by(&mut self, id: StateId, at: usize) -> bool {
        let preference = self.preference(at);
        let is_better = preference > self.best_preferences.at(id.index());
        if is_better {
            self.best_preferences.set(id.index(), preference);
        }
        is_better
    }

    /// A rank, changed by novelty and useless steps.
    fn diversified(&self, heuristic: usize, id: StateId, mut rank: Rank) -> Rank {
        if rank == Rank::LAST {
            return rank;
        }
        if self.diversification.novelty.is_some() {
            let novelty = self.novelties.at(id.index() * self.least.len() + heuristic);
            let tie = u32::try_from(rank.f).unwrap_or(u32::MAX);
            rank = Rank { f: u64::from(novelty), tie };
        }
        let is_useless = || self.best_preferences.at(id.index()) == StepPreference::Useless;
        if self.diversification.useless == UselessSteps::Last && is_useless() {
            rank.f = rank.f.saturating_add(USELESS_PENALTY).min(Rank::LAST.f - 1);
        }
        rank
    }

    fn bytes(&self) -> usize {
        let others: usize = self.others.iter().map(EstimateTable::bytes).sum();
        let novelty = self.novelty.as_ref().map_or(0, Novelty::bytes);
        others + novelty + self.novelties.bytes() + self.best_preferences.bytes()
    }
}
