//! Partial best-first search: the states that wait are known in full, of those that were
//! expanded a set keeps a few bits or a fingerprint, and a link to where they came from.
//!
//! With the rankings of [`Method`], this is Partial A\*, partial greedy search and so on; with
//! the least moves first, breadth-first search.
//!
//! A state is added to the set when it is expanded, and looked up there when it is generated.
//! So one that waits takes no bits, and is found again without fail: a cheaper way to it is
//! noticed. One that was expanded is never opened again, since the set cannot tell it from
//! others, nor what the way to it cost. The way to a hit is had by executing the moves of its
//! links again.
//!
//! With more than one run, everything is done again with another seed, and hits are gathered.
//!
//! Source: [ELL00] §3.2 and §3.3; [EMJ05], State Compaction and Incremental Hashing, section 3
//! (Partial A\*). Deviation: a state that waits is moved when a cheaper way to it is found.
//!
//! Promises: what it finds is there. It never ends as [`Outcome::Complete`]: having expanded
//! everything that the set did not hide, it ends as [`Stop::LossyStore`]. Nothing is proved
//! about costs but what the estimate of the initial state says.

mod links;
mod waiting;

use beeline_kernel::{Blind, Cost, Estimate, Expander, Expansion, Fault, Heuristic, Space};
use beeline_kernel::{StateId, Stop};

use crate::errand::{self, Errand, Turns};
use crate::finding::FindingKind;
use crate::limits::{Budget, Outcome, Progress};
use crate::method::{Evaluation, Method, Second, Successors, Test};
use crate::nodes::Node;
use crate::open::{Open, Rank};
use crate::pending::Pending;
use crate::quest::{Quest, Then};
use crate::search::{Hit, Search};
use crate::stats::Stats;
use crate::visited::{Again, Omissions, Runs, Seen, Visited};

use links::Links;
use waiting::{Place, Waiting};

/// What a way costs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Price {
    /// What the space says.
    Steps,
    /// One.
    Move,
}

/// A best-first search with the expanded states in a set of type `V`, which may overlook some.
pub struct Partial<'a, V: Visited> {
    errand: Errand<'a>,
    method: Method,
    price: Price,
    second: Option<Box<dyn Heuristic + 'a>>,
    /// Finds ways again.
    guide: Box<dyn Expander + 'a>,
    initial: Vec<u8>,
    visited: V,
    waiting: Waiting,
    open: Open,
    links: Links,
    pending: Pending,
    runs: Runs,
    /// What this run has probably overlooked so far.
    overlooked: f64,
    /// The most states of a run before.
    most_stored: usize,
    /// Whether there was a state beyond the depth limit.
    has_missed: bool,
    work: Work,
}

/// What belongs to the state that is being expanded. Kept for its memory.
#[derive(Default)]
struct Work {
    expansion: Expansion,
    /// Which successors seem to be new, and those again.
    new: Vec<usize>,
    fresh: Expansion,
    estimates: Vec<Estimate>,
    seconds: Vec<Estimate>,
    look: Expansion,
}

impl<'a, V: Visited> Partial<'a, V> {
    /// Estimates the initial state, and lets it wait. The set should be empty.
    ///
    /// # Errors
    ///
    /// When the model fails before its first step: there is nothing to search.
    pub fn new<S: Space + ?Sized>(
        space: &'a S,
        heuristic: Box<dyn Heuristic + 'a>,
        method: Method,
        (visited, again): (V, Again),
        quest: Quest<'a>,
    ) -> Result<Self, Fault> {
        let mut initial = Vec::new();
        let errand = Errand::new(space, heuristic, quest, &mut initial)?;
        let mut search = Partial {
            errand,
            method,
            price: Price::Steps,
            second: None,
            guide: space.expander(),
            initial,
            visited,
            waiting: Waiting::default(),
            open: Open::new(method.arrival, method.second != Second::Nothing),
            links: Links::new(),
            pending: Pending::default(),
            runs: Runs::new(again),
            overlooked: 0.0,
            most_stored: 0,
            has_missed: false,
            work: Work::default(),
        };
        search.begin();
        Ok(search)
    }

    /// Breadth-first: the fewest moves first, and the depth limit is one on moves.
    ///
    /// # Errors
    ///
    /// When the model fails before its first step: there is nothing to search.
    pub fn breadth_first<S: Space + ?Sized>(
        space: &'a S,
        set: (V, Again),
        quest: Quest<'a>,
    ) -> Result<Self, Fault> {
        let search = Partial::new(space, Box::new(Blind), Method::DIJKSTRA, set, quest)?;
        Ok(Partial { price: Price::Move, ..search })
    }

    /// Decides between states with equal `f` by this heuristic. Called before the search
    /// begins, and without effect unless the method says [`Second::Heuristic`].
    #[must_use]
    pub fn with_second(self, heuristic: Box<dyn Heuristic + 'a>) -> Self {
        Partial { second: Some(heuristic), ..self }
    }

    /// Begins a run: the initial state waits alone.
    fn begin(&mut self) {
        let estimate = self.errand.estimate_initial(&self.initial);
        let root = StateId::new(0).expect("there is a first number");
        if !self.errand.is_hopeless(estimate) {
            let node = Node::new(0, root, estimate);
            let at = self.waiting.add(&self.initial, node, 0, 0);
            self.open.push(self.rank(node, 0), at.expect("nobody waits yet"));
        }
    }

    /// Ends a run, and begins the next one if there is one.
    fn end_run(&mut self) -> Option<Outcome> {
        let Some(seed) = self.runs.next(self.omissions_now()) else {
            let stop = if self.has_missed { Stop::Depth } else { Stop::LossyStore };
            return Some(Outcome::Incomplete(stop));
        };
        self.most_stored = self.stored();
        self.visited.restart(seed);
        self.links = Links::new();
        self.overlooked = 0.0;
        self.begin();
        None
    }

    fn omissions_now(&self) -> Omissions {
        Omissions::new(self.visited.len() + self.waiting.len(), self.overlooked)
    }

    /// Of this run, or of the one before that had more.
    fn stored(&self) -> usize {
        self.most_stored.max(self.visited.len() + self.waiting.len())
    }

    /// The place of a state among those that wait.
    #[inline]
    fn rank(&self, node: Node, opinion: u32) -> Rank {
        let Estimate::Finite(h) = node.estimate() else { return Rank::LAST };
        let second = match self.method.second {
            Second::Nothing => 0,
            Second::LowH => h.0,
            Second::LowG => node.g,
            Second::Heuristic => opinion,
        };
        Rank { f: self.method.ranking.rank(node.g, h.0), second }
    }

    #[inline]
    fn cost(&self, at: usize) -> u32 {
        match self.price {
            Price::Steps => self.work.expansion.steps(at),
            Price::Move => 1,
        }
    }

    /// Expands a state that does not wait any more, and takes in what follows it.
    fn expand(&mut self, state: &[u8], place: &Place) -> Option<Outcome> {
        let mut node = place.node;
        if self.method.evaluation == Evaluation::Lazy && !self.visited.is_empty() {
            let estimate = self.errand.estimate(state);
            node = Node::new(node.g, node.parent, estimate);
            if self.errand.is_hopeless(estimate) {
                return None;
            }
        }
        // Where it is old already, it has its bits from others: it waited, so it is new.
        let has_room = self.visited.insert(state) != Seen::Full
            && self.visited.len() + self.waiting.len() <= self.errand.quest.max_states();
        let link = self.links.push(node.parent, place.way);
        let Some(link) = link.filter(|_| has_room) else {
            return Some(Outcome::Incomplete(Stop::Memory));
        };
        self.errand.expander.expand_only(state, &mut self.work.expansion);
        self.errand.count(node.g, &self.work.expansion);
        self.inspect(state, link, node)
            .or_else(|| self.take_successors(state, link, node))
            .or_else(|| self.errand.check_memory(Search::bytes(self)))
    }

    /// Looks for the target in and behind a state that was expanded.
    fn inspect(&mut self, state: &[u8], link: StateId, node: Node) -> Option<Outcome> {
        let target = self.errand.quest.target;
        let in_state: Vec<FindingKind> = target.in_state(&self.work.expansion).collect();
        let mut outcome = None;
        for kind in in_state {
            outcome = outcome.or(self.meet(kind, state, link));
        }
        for index in 0..self.work.expansion.faults.len() {
            let failure = self.work.expansion.faults[index];
            let kind = FindingKind::Fault(failure.fault);
            if !target.includes(kind) {
                continue;
            }
            if self.method.test == Test::Generation {
                outcome = outcome.or(self.meet(kind, state, link));
                continue;
            }
            let g = node.g.saturating_add(failure.steps);
            let f = self.method.ranking.rank(g, 0);
            // Where the first one is the end, only the best one will ever have its turn.
            let best = self.pending.best();
            if self.errand.quest.then != Then::Stop || best.is_none_or(|best| (f, g) < best) {
                self.pending.push(f, g, link, failure.fault);
            }
        }
        outcome
    }

    /// Takes note of a hit in or behind the state of an expansion.
    fn meet(&mut self, kind: FindingKind, state: &[u8], link: StateId) -> Option<Outcome> {
        let Partial { errand, links, initial, guide, .. } = self;
        errand.meet(kind, state, || links.path_to(link, initial, &mut **guide))
    }

    /// Lets the new successors wait, and moves those to which the way is cheaper now.
    fn take_successors(&mut self, state: &[u8], from: StateId, node: Node) -> Option<Outcome> {
        self.sift();
        self.evaluate(state);
        let count = self.work.expansion.len();
        let mut new = self.work.new.len();
        for turn in 0..count {
            let at = match self.method.successors {
                Successors::Forward => turn,
                Successors::Reversed => count - 1 - turn,
            };
            let number = match self.method.successors {
                Successors::Forward => self.work.new.len() - new,
                Successors::Reversed => new.wrapping_sub(1),
            };
            let is_new = new > 0 && self.work.new[number] == at;
            new -= usize::from(is_new);
            let g = node.g.saturating_add(self.cost(at));
            let known = self.waiting.find(self.work.expansion.state(at));
            self.errand.stats.generated += 1;
            match known {
                Some(place) => {
                    self.errand.stats.matched += 1;
                    self.reach_again(place, g, from, at as u32, node.estimate());
                }
                None if !is_new => self.errand.stats.matched += 1,
                None => {
                    let estimate = self.work.estimates.get(number).copied();
                    let next = Node::new(g, from, estimate.unwrap_or(node.estimate()));
                    if let Some(outcome) = self.wait(at, number, next) {
                        return Some(outcome);
                    }
                }
            }
        }
        None
    }

    /// Finds out which successors are neither in the set nor wait.
    fn sift(&mut self) {
        let Work { expansion, new, fresh, .. } = &mut self.work;
        new.clear();
        fresh.clear();
        for at in 0..expansion.len() {
            let state = expansion.state(at);
            let print = self.visited.print(state);
            if !self.visited.contains(print) && self.waiting.find(state).is_none() {
                new.push(at);
                fresh.push_behind(expansion.steps(at), state);
            }
        }
    }

    /// Estimates the new successors.
    fn evaluate(&mut self, state: &[u8]) {
        let Work { fresh, estimates, seconds, .. } = &mut self.work;
        estimates.clear();
        seconds.clear();
        if fresh.is_empty() {
            return;
        }
        if let Some(second) = &mut self.second {
            second.estimate_all(state, fresh, seconds);
        }
        if self.method.evaluation == Evaluation::Eager {
            self.errand.estimate_all(state, fresh, estimates);
        }
    }

    /// Lets a new successor wait, unless nothing can come of it.
    fn wait(&mut self, at: usize, number: usize, node: Node) -> Option<Outcome> {
        if self.errand.is_hopeless(node.estimate()) {
            return None;
        }
        if node.g > self.errand.quest.max_cost() {
            self.has_missed = true;
            return None;
        }
        let q = self.visited.risk();
        self.overlooked += q / (1.0 - q);
        let opinion = self
            .work
            .seconds
            .get(number)
            .map_or(0, |second| second.finite().map_or(u32::MAX, |h| h.0));
        let state = self.work.expansion.state(at);
        let stats = &mut self.errand.stats;
        stats.state_bytes = stats.state_bytes.max(state.len() as u64);
        let Some(place) = self.waiting.add(state, node, at as u32, opinion) else {
            return Some(Outcome::Incomplete(Stop::Memory));
        };
        self.open.push(self.rank(node, opinion), place);
        if self.method.test == Test::Generation { self.probe(at, node.parent) } else { None }
    }

    /// Expands a new state for a look. What lies behind it is no business of ours yet.
    fn probe(&mut self, at: usize, from: StateId) -> Option<Outcome> {
        let Partial { errand, links, initial, guide, work, .. } = self;
        let state = work.expansion.state(at);
        errand.expander.expand_only(state, &mut work.look);
        let in_state: Vec<FindingKind> = errand.quest.target.in_state(&work.look).collect();
        in_state.into_iter().find_map(|kind| {
            errand.meet(kind, state, || {
                let mut path = links.path_to(from, initial, &mut **guide);
                path.push(state.to_vec());
                path
            })
        })
    }

    /// A state that waits was reached at this cost, from a state with this estimate.
    fn reach_again(&mut self, at: StateId, g: u32, from: StateId, way: u32, hope: Estimate) {
        let &Place { node: old, second, .. } = self.waiting.at(at);
        if g >= old.g {
            return;
        }
        let mut node = old.moved(g, from);
        if self.method.evaluation == Evaluation::Lazy {
            node = Node::new(g, from, old.estimate().min(hope));
        }
        let rank = self.rank(node, second);
        let has_moved = rank != self.rank(old, second);
        self.waiting.reach_again(at, node, way, has_moved);
        if has_moved {
            self.open.push(rank, at);
        }
    }
}

impl<'a, V: Visited> Turns<'a> for Partial<'a, V> {
    fn errand(&mut self) -> &mut Errand<'a> {
        &mut self.errand
    }

    fn turn(&mut self) -> Option<Outcome> {
        if let Some((link, fault)) = self.pending.pop(|| self.open.least()) {
            let path = self.links.path_to(link, &self.initial, &mut *self.guide);
            let state = path.last().expect("a path has its end");
            return self.errand.meet(FindingKind::Fault(fault), state, || path.clone());
        }
        let Some((rank, at)) = self.open.pop() else { return self.end_run() };
        if !self.waiting.drop_entry(at) {
            return None;
        }
        let place = self.waiting.at(at);
        // An entry that was left behind: the state has another place.
        if self.rank(place.node, place.second) != rank {
            return None;
        }
        let (state, place) = self.waiting.take(at);
        self.expand(&state, &place)
    }
}

impl<V: Visited> Search for Partial<'_, V> {
    fn name(&self) -> &'static str {
        "partial best-first"
    }

    fn advance(&mut self, budget: Budget) -> Progress {
        errand::advance(self, budget)
    }

    /// Of all runs together, except for the states: of those, as many as the run had that had
    /// the most.
    fn stats(&self) -> Stats {
        let (visited, waiting) = (self.visited.bytes() as u64, self.waiting.bytes() as u64);
        Stats {
            stored: self.stored() as u64,
            store_bytes: visited + waiting,
            table_bytes: visited,
            ..self.errand.stats
        }
    }

    fn hits(&self) -> Vec<Hit> {
        self.errand.hits.clone()
    }

    fn path(&self, hit: usize) -> Vec<Vec<u8>> {
        self.errand.paths[hit].clone()
    }

    fn bytes(&self) -> usize {
        let waiting = self.waiting.bytes() + self.open.bytes() + self.pending.bytes();
        self.visited.bytes() + self.links.bytes() + waiting
    }

    fn lower_bound(&self) -> Cost {
        self.errand.least_possible()
    }

    fn omissions(&self) -> Option<Omissions> {
        Some(self.runs.omissions(self.omissions_now()))
    }
}
