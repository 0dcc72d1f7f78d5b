//! A council: what a best-first search has in place of its open list when there is more to
//! follow than one estimate. Several heuristics, each with a list of its own; advice about
//! steps; novelty; and chance.
//!
//! The first heuristic is that of the search, which keeps its estimates. The council has the
//! others. A state is dropped when any of them that is safe calls it a dead end.
//!
//! Sources: [RW10] for lists in alternation and preferred steps; [WKP08] for useless ones;
//! [VSX14] for chance; `open/typed.rs` and `novelty.rs` have their own.
//! Deviation: a step that is useless puts the state behind all others of its list.

use beeline_kernel::{Advice, Estimate, Expansion, Heuristic, SplitMix64, StateId};

use super::opinion::Opinion;
use crate::method::{Method, Second};
use crate::nodes::Node;
use crate::novelty::Novelty;
use crate::open::{Alternation, Bag, Rank};
use crate::store::pages::Pages;
use crate::variety::{Useless, Variety};

/// Added to the rank of states behind useless steps: more than any rank that matters.
const BEHIND: u64 = 1 << 48;

/// What a search follows beside its own estimate.
pub(super) struct Council<'a> {
    variety: Variety,
    others: Vec<Opinion<'a>>,
    lists: Alternation,
    /// All that wait, where any of them may be drawn.
    bag: Option<Bag>,
    rng: SplitMix64,
    novelty: Option<Novelty>,
    /// What is new about each stored state, for each heuristic.
    news: Pages<u8>,
    /// The best advice about any step to each stored state.
    standings: Pages<Advice>,
    /// The least estimate of each heuristic.
    least: Vec<Estimate>,
    /// What is said about the steps from the state that is being expanded.
    advice: Vec<Advice>,
    /// Kept for its memory.
    one: Vec<Advice>,
}

/// A successor that was just stored.
#[derive(Clone, Copy)]
pub(super) struct Newcomer<'s> {
    pub(super) id: StateId,
    pub(super) node: Node,
    pub(super) state: &'s [u8],
    /// Which way led there.
    pub(super) way: usize,
}

impl<'a> Council<'a> {
    /// Meets about the initial state, which does not wait yet.
    pub(super) fn new(
        method: Method,
        others: Vec<Box<dyn Heuristic + 'a>>,
        initial: &[u8],
        node: Node,
    ) -> Box<Council<'a>> {
        let variety = method.variety;
        let opinion = |heuristic| Opinion::new(heuristic, initial);
        let others: Vec<Opinion<'_>> = others.into_iter().map(opinion).collect();
        let seconds = method.second != Second::Nothing || variety.novelty.is_some();
        let mut lists = Alternation::default();
        for heuristic in 0..=others.len() {
            lists.add_all(heuristic, method.arrival, seconds);
            if variety.preferred.is_some() {
                lists.add_preferred(heuristic, method.arrival, seconds);
            }
        }
        if variety.types {
            lists.add_typed();
        }
        let root = StateId::new(0).expect("there is a first number");
        let mut council = Council {
            variety,
            lists,
            bag: (variety.chance.over > 0).then(Bag::default),
            rng: SplitMix64::new(variety.seed),
            novelty: variety.novelty.map(Novelty::new),
            news: Pages::new(),
            standings: Pages::new(),
            least: std::iter::once(node.estimate())
                .chain(others.iter().map(|other| other.of(root)))
                .collect(),
            others,
            advice: Vec::new(),
            one: Vec::new(),
        };
        let initial = Newcomer { id: root, node, state: initial, way: 0 };
        council.welcome(initial, &[], None);
        Box::new(council)
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
    pub(super) fn is_hopeless(&self, id: StateId) -> bool {
        self.others.iter().any(|other| other.is_hopeless(id))
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
    pub(super) fn reconsider(&mut self, id: StateId, state: &[u8]) {
        self.others.iter_mut().for_each(|other| other.estimate(id, state));
    }

    /// Asks all about the steps from a state.
    pub(super) fn ask(&mut self, first: &mut dyn Heuristic, state: &[u8], ways: &Expansion) {
        if !self.variety.wants_advice() {
            return;
        }
        first.advise(state, ways, &mut self.advice);
        for other in &mut self.others {
            other.advise(state, ways, &mut self.one);
            Advice::join_all(&mut self.advice, &self.one);
        }
    }

    /// What they said about a step.
    fn advice(&self, way: usize) -> Advice {
        self.advice.get(way).copied().unwrap_or_default()
    }

    /// Takes note of a state that was just stored, and of what is new about it. It comes from
    /// another one, unless it is the initial state.
    pub(super) fn welcome(
        &mut self,
        new: Newcomer<'_>,
        from: &[u8],
        parent: Option<(StateId, Node)>,
    ) {
        self.standings.push(self.advice(new.way));
        let Some(mut novelty) = self.novelty.take() else { return };
        for heuristic in 0..self.least.len() {
            let estimate = self.estimate(heuristic, new.id, new.node);
            let before = parent.map(|(id, node)| self.estimate(heuristic, id, node));
            // Dead ends wait for the end, whatever is new about them.
            self.news.push(estimate.finite().map_or(0, |h| {
                let is_within = before == Some(estimate);
                novelty.rate((heuristic, h.0), new.state, from, is_within)
            }));
        }
        self.novelty = Some(novelty);
    }

    /// Hears of the estimates of a state. Where one is less than any before, the lists of
    /// preferred steps get turns ahead.
    pub(super) fn notice(&mut self, id: StateId, node: Node) {
        for heuristic in 0..self.least.len() {
            let estimate = self.estimate(heuristic, id, node);
            if estimate < self.least[heuristic] {
                self.least[heuristic] = estimate;
                self.lists.boost(self.variety.preferred.unwrap_or(0));
            }
        }
    }

    /// Hears that a known state was reached by a step. Says whether it is better than all steps
    /// that led there before, so that the state may wait elsewhere, too.
    pub(super) fn reached(&mut self, id: StateId, way: usize) -> bool {
        let advice = self.advice(way);
        let is_better = advice > self.standings.at(id.index());
        if is_better {
            self.standings.set(id.index(), advice);
        }
        is_better
    }

    /// Lets a state wait. `rank` is what the search makes of an estimate.
    pub(super) fn push(&mut self, id: StateId, node: Node, rank: impl Fn(Estimate) -> Rank) {
        let standing = self.standings.at(id.index());
        let kind = (node.g, node.estimate().finite().map_or(u32::MAX, |h| h.0));
        let mut lists = std::mem::take(&mut self.lists);
        lists.push(id, standing == Advice::Preferred, kind, |heuristic| {
            let rank = rank(self.estimate(heuristic, id, node));
            self.place(heuristic, id, standing, rank)
        });
        self.lists = lists;
        if let Some(bag) = &mut self.bag {
            bag.push(id);
        }
    }

    /// The rank of a state in the list of a heuristic.
    fn place(&self, heuristic: usize, id: StateId, standing: Advice, mut rank: Rank) -> Rank {
        if rank == Rank::LAST {
            return rank;
        }
        if self.variety.novelty.is_some() {
            let news = self.news.at(id.index() * self.least.len() + heuristic);
            let second = u32::try_from(rank.f).unwrap_or(u32::MAX);
            rank = Rank { f: u64::from(news), second };
        }
        if self.variety.useless == Useless::Last && standing == Advice::Useless {
            rank.f = rank.f.saturating_add(BEHIND).min(Rank::LAST.f - 1);
        }
        rank
    }

    /// The state whose turn it is. Those that are over are passed over.
    pub(super) fn next(&mut self, is_over: impl Fn(StateId) -> bool) -> Option<StateId> {
        let Council { variety, others, lists, bag, rng, .. } = self;
        let is_over =
            |id| is_over(id) || others.iter().any(|other: &Opinion<'_>| other.is_hopeless(id));
        if let Some(bag) = bag
            && rng.below(usize::from(variety.chance.under)) < usize::from(variety.chance.over)
        {
            while let Some(id) = bag.draw(rng) {
                if !is_over(id) {
                    return Some(id);
                }
            }
        }
        lists.pop(rng, is_over)
    }

    /// Memory held.
    pub(super) fn bytes(&self) -> usize {
        let others: usize = self.others.iter().map(Opinion::bytes).sum();
        let novelty = self.novelty.as_ref().map_or(0, Novelty::bytes);
        let notes = self.news.bytes() + self.standings.bytes();
        others + novelty + notes + self.lists.bytes() + self.bag.as_ref().map_or(0, Bag::bytes)
    }
}
