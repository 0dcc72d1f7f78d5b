//! A council: what a best-first search has in place of its open list when there is more to
//! follow than one estimate. Several heuristics, each with a list of its own; advice about
//! steps; novelty; and chance.
//!
//! The first heuristic is that of the search, which keeps its estimates. The council has the
//! others. A state is dropped when any of them that is safe calls it a dead end.
//!
//! Sources: [RW10] for lists in alternation and preferred steps; [WKP08] for useless ones;
//! [VSX14] for chance; `open_list/typed.rs` and `novelty.rs` have their own.
//! Deviation: a step that is useless puts the state behind all others of its list.

use beeline_kernel::{Estimate, Expansion, Heuristic, SplitMix64, StateId, StepPreference};

use super::estimate_table::EstimateTable;
use crate::best_first_config::{BestFirstConfig, TieBreak};
use crate::diversification::{Diversification, UselessSteps};
use crate::nodes::Node;
use crate::novelty::Novelty;
use crate::open_list::{AlternationOpenList, RandomPool, Rank};
use crate::store::chunked_vec::ChunkedVec;

/// Added to the rank of states behind useless steps: more than any rank that matters.
const BEHIND: u64 = 1 << 48;

/// What a search follows beside its own estimate.
pub(super) struct MultiOpenList<'a> {
    diversification: Diversification,
    others: Vec<EstimateTable<'a>>,
    lists: AlternationOpenList,
    /// All that wait, where any of them may be drawn.
    pool: Option<RandomPool>,
    rng: SplitMix64,
    novelty: Option<Novelty>,
    /// What is new about each stored state, for each heuristic.
    novelties: ChunkedVec<u8>,
    /// The best advice about any step to each stored state.
    best_preferences: ChunkedVec<StepPreference>,
    /// The least estimate of each heuristic.
    least: Vec<Estimate>,
    /// What is said about the steps from the state that is being expanded.
    preferences: Vec<StepPreference>,
    /// Kept for its memory.
    scratch: Vec<StepPreference>,
}

/// A successor that was just stored.
#[derive(Clone, Copy)]
pub(super) struct NewNode<'s> {
    pub(super) id: StateId,
    pub(super) node: Node,
    pub(super) state: &'s [u8],
    /// Which way led there.
    pub(super) way: usize,
}

impl<'a> MultiOpenList<'a> {
    /// Meets about the initial state, which does not wait yet.
    pub(super) fn new(
        config: BestFirstConfig,
        others: Vec<Box<dyn Heuristic + 'a>>,
        initial: &[u8],
        node: Node,
    ) -> Box<MultiOpenList<'a>> {
        let diversification = config.diversification;
        let tie = |heuristic| EstimateTable::new(heuristic, initial);
        let others: Vec<EstimateTable<'_>> = others.into_iter().map(tie).collect();
        let seconds = config.tie_break != TieBreak::Nothing || diversification.novelty.is_some();
        let mut lists = AlternationOpenList::default();
        for heuristic in 0..=others.len() {
            lists.add_all(heuristic, config.queue_order, seconds);
            if diversification.preferred.is_some() {
                lists.add_preferred(heuristic, config.queue_order, seconds);
            }
        }
        if diversification.types {
            lists.add_typed();
        }
        let root = StateId::new(0).expect("there is a first number");
        let mut multi = MultiOpenList {
            diversification,
            lists,
            pool: (diversification.chance.over > 0).then(RandomPool::default),
            rng: SplitMix64::new(diversification.seed),
            novelty: diversification.novelty.map(Novelty::new),
            novelties: ChunkedVec::new(),
            best_preferences: ChunkedVec::new(),
            least: std::iter::once(node.estimate())
                .chain(others.iter().map(|other| other.of(root)))
                .collect(),
            others,
            preferences: Vec::new(),
            scratch: Vec::new(),
        };
        let initial = NewNode { id: root, node, state: initial, way: 0 };
        multi.add_node(initial, &[], None);
        Box::new(multi)
    }

    /// What a heuristic says about a stored state, which is known to be this by the first.
    fn estimate(&self, heuristic: usize, id: StateId, node: Node) -> Estimate {
        match heuristic.checked_sub(1) {
            None => node.estimate(),
            Some(other) => self.others[other].of(id),
        }
    }

    /// How many estimates there are of a state beside the first.
    pub(super) fn others(&self) -> usize {
        self.others.len()
    }

    /// Whether one of the others knows that nothing that is looked for lies behind a state.
    pub(super) fn is_proven_dead_end(&self, id: StateId) -> bool {
        self.others.iter().any(|other| other.is_proven_dead_end(id))
    }

    /// The others estimate some successors of a state, which were just stored. The last
    /// argument is room to work in.
    pub(super) fn add(&mut self, state: &[u8], new: &Expansion, estimates: &mut Vec<Estimate>) {
        self.others.iter_mut().for_each(|other| other.add(state, new, estimates));
    }

    /// The others say the same about so many states, which were just stored, as about this one.
    pub(super) fn add_like(&mut self, id: StateId, count: usize) {
        self.others.iter_mut().for_each(|other| other.add_like(id, count));
    }

    /// The others estimate a stored state anew.
    pub(super) fn reevaluate(&mut self, id: StateId, state: &[u8]) {
        self.others.iter_mut().for_each(|other| other.estimate(id, state));
    }

    /// Asks all about the steps from a state.
    pub(super) fn ask_preferences(
        &mut self,
        first: &mut dyn Heuristic,
        state: &[u8],
        ways: &Expansion,
    ) {
        if !self.diversification.wants_preferences() {
            return;
        }
        first.step_preferences(state, ways, &mut self.preferences);
        for other in &mut self.others {
            other.step_preferences(state, ways, &mut self.scratch);
            StepPreference::combine_all(&mut self.preferences, &self.scratch);
        }
    }

    /// What they said about a step.
    fn preferences(&self, way: usize) -> StepPreference {
        self.preferences.get(way).copied().unwrap_or_default()
    }

    /// Takes note of a state that was just stored, and of what is new about it. It comes from
    /// another one, unless it is the initial state.
    pub(super) fn add_node(
        &mut self,
        new: NewNode<'_>,
        from: &[u8],
        parent: Option<(StateId, Node)>,
    ) {
        self.best_preferences.push(self.preferences(new.way));
        let Some(mut novelty) = self.novelty.take() else { return };
        for heuristic in 0..self.least.len() {
            let estimate = self.estimate(heuristic, new.id, new.node);
            let before = parent.map(|(id, node)| self.estimate(heuristic, id, node));
            // Dead ends wait for the end, whatever is new about them.
            self.novelties.push(estimate.finite().map_or(0, |h| {
                let is_within = before == Some(estimate);
                novelty.rate((heuristic, h.0), new.state, from, is_within)
            }));
        }
        self.novelty = Some(novelty);
    }

    /// Hears of the estimates of a state. Where one is less than any before, the lists of
    /// preferred steps get turns ahead.
    pub(super) fn update_progress(&mut self, id: StateId, node: Node) {
        for heuristic in 0..self.least.len() {
            let estimate = self.estimate(heuristic, id, node);
            if estimate < self.least[heuristic] {
                self.least[heuristic] = estimate;
                self.lists.boost(self.diversification.preferred.unwrap_or(0));
            }
        }
    }

    /// Hears that a known state was reached by a step. Says whether it is better than all steps
    /// that led there before, so that the state may wait elsewhere, too.
    pub(super) fn reached_by(&mut self, id: StateId, way: usize) -> bool {
        let preferences = self.preferences(way);
        let is_better = preferences > self.best_preferences.at(id.index());
        if is_better {
            self.best_preferences.set(id.index(), preferences);
        }
        is_better
    }

    /// Lets a state wait. `rank` is what the search makes of an estimate.
    pub(super) fn push(&mut self, id: StateId, node: Node, rank: impl Fn(Estimate) -> Rank) {
        let preference = self.best_preferences.at(id.index());
        let kind = (node.g, node.estimate().finite().map_or(u32::MAX, |h| h.0));
        let mut lists = std::mem::take(&mut self.lists);
        lists.push(id, preference == StepPreference::Preferred, kind, |heuristic| {
            let rank = rank(self.estimate(heuristic, id, node));
            self.place(heuristic, id, preference, rank)
        });
        self.lists = lists;
        if let Some(pool) = &mut self.pool {
            pool.push(id);
        }
    }

    /// The rank of a state in the list of a heuristic.
    fn place(
        &self,
        heuristic: usize,
        id: StateId,
        preference: StepPreference,
        mut rank: Rank,
    ) -> Rank {
        if rank == Rank::LAST {
            return rank;
        }
        if self.diversification.novelty.is_some() {
            let novelties = self.novelties.at(id.index() * self.least.len() + heuristic);
            let tie = u32::try_from(rank.f).unwrap_or(u32::MAX);
            rank = Rank { f: u64::from(novelties), tie };
        }
        if self.diversification.useless == UselessSteps::Last
            && preference == StepPreference::Useless
        {
            rank.f = rank.f.saturating_add(BEHIND).min(Rank::LAST.f - 1);
        }
        rank
    }

    /// The state whose turn it is. Those that are over are passed over.
    pub(super) fn next(&mut self, is_over: impl Fn(StateId) -> bool) -> Option<StateId> {
        let MultiOpenList { diversification, others, lists, pool, rng, .. } = self;
        let is_over = |id| {
            is_over(id)
                || others.iter().any(|other: &EstimateTable<'_>| other.is_proven_dead_end(id))
        };
        if let Some(pool) = pool
            && rng.below(usize::from(diversification.chance.under))
                < usize::from(diversification.chance.over)
        {
            while let Some(id) = pool.draw(rng) {
                if !is_over(id) {
                    return Some(id);
                }
            }
        }
        lists.pop(rng, is_over)
    }

    /// Memory held.
    pub(super) fn bytes(&self) -> usize {
        let others: usize = self.others.iter().map(EstimateTable::bytes).sum();
        let novelty = self.novelty.as_ref().map_or(0, Novelty::bytes);
        let notes = self.novelties.bytes() + self.best_preferences.bytes();
        others
            + novelty
            + notes
            + self.lists.bytes()
            + self.pool.as_ref().map_or(0, RandomPool::bytes)
    }
}
