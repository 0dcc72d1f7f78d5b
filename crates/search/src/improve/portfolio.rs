//! A portfolio of searches for a cheaper path than the known one, which take turns. Each path found
//! is shared with all searches.
//!
//! Source: ours. The tables of [ELL01] §5 show that different methods shorten different trails.
//!
//! Promises: each path is cheaper than the last; the order of turns depends on the searches only.
//! A lower bound that one of them proves holds for all.

use beeline_kernel::{Cost, Space, StatePath, Stop};

use crate::hit::Hit;
use crate::known_path::KnownPath;
use crate::limits::{Outcome, Progress, SliceBudget};
use crate::search::{PathImprover, Search};
use crate::stats::Stats;

/// The expansions of one turn.
const TURN: u64 = 512;

/// Searches that take turns.
pub struct Portfolio<'a> {
    space: &'a dyn Space,
    members: Vec<Member<'a>>,
    known: KnownPath,
    /// The member that found the path, if it is cheaper than the initial one.
    finder: Option<usize>,
    /// The lower bound proved by members that are over.
    proved: Cost,
    bytes: usize,
}

struct Member<'a> {
    name: String,
    /// `None` when the search is over: its memory is freed.
    search: Option<Box<dyn PathImprover + 'a>>,
    stats: Stats,
    /// The expansions of its turns.
    used: u64,
}

impl Member<'_> {
    fn bytes(&self) -> usize {
        self.search.as_ref().map_or(0, |search| search.bytes())
    }

    /// Ends the search, and returns its lower bound.
    fn retire(&mut self) -> Cost {
        self.search.take().map_or(Cost::ZERO, |search| search.lower_bound())
    }
}

impl<'a> Portfolio<'a> {
    /// Runs these named searches for a cheaper path than `known`, with a memory limit for all
    /// together.
    pub fn new(
        space: &'a dyn Space,
        members: Vec<(String, Box<dyn PathImprover + 'a>)>,
        known: KnownPath,
        bytes: usize,
    ) -> Portfolio<'a> {
        let member = |(name, search)| Member {
            name,
            search: Some(search),
            stats: Stats::default(),
            used: 0,
        };
        let members = members.into_iter().map(member).collect();
        Portfolio { space, members, known, finder: None, proved: Cost::ZERO, bytes }
    }

    /// The best path so far.
    pub fn best_path(&self) -> &KnownPath {
        &self.known
    }

    /// The name of the member that found it, if it is not the initial one.
    pub fn finder(&self) -> Option<&str> {
        self.finder.map(|at| &*self.members[at].name)
    }

    /// Takes over the path of a member, if it is cheaper, and shares it with the others.
    fn take(&mut self, at: usize) {
        let Some(search) = &self.members[at].search else { return };
        let Some(hit) = search.hits().first().copied() else { return };
        if hit.cost.is_none_or(|cost| cost >= self.known.cost()) {
            return;
        }
        let path = search.path(0);
        let Some(known) = KnownPath::new(&mut *self.space.expander(), path, hit.kind) else {
            return;
        };
        self.known = known;
        self.finder = Some(at);
        let others = self.members.iter_mut().enumerate().filter(|(other, _)| *other != at);
        for search in others.filter_map(|(_, member)| member.search.as_mut()) {
            search.follow(&self.known);
        }
    }

    /// Runs the search with the least work so far. A search that cannot pause may exceed its slice;
    /// it waits then until the others have had as much.
    fn run_slice(&mut self) {
        let under_way = self.members.iter_mut().enumerate();
        let under_way = under_way.filter(|(_, member)| member.search.is_some());
        let Some((at, member)) = under_way.min_by_key(|(_, member)| member.used) else { return };
        let Some(search) = &mut member.search else { return };
        let progress = search.advance(SliceBudget::expansions(TURN));
        member.stats = search.stats();
        member.used = (member.used + TURN).max(member.stats.expanded);
        self.take(at);
        if let Progress::Done(_) = progress {
            self.proved = self.proved.max(self.members[at].retire());
        } else if Search::bytes(self) > self.bytes {
            // If the memory is not enough for all, the largest search ends.
            let largest = self.members.iter_mut().max_by_key(|member| member.bytes());
            self.proved = self.proved.max(largest.map_or(Cost::ZERO, Member::retire));
        }
    }
}

impl Search for Portfolio<'_> {
    fn name(&self) -> &'static str {
        "portfolio"
    }

    fn outcome(&self) -> Option<Outcome> {
        if self.proved >= self.known.cost() {
            return Some(self.finder.map_or(Outcome::Complete, |_| Outcome::Found));
        }
        let all_done = self.members.iter().all(|member| member.search.is_none());
        all_done.then_some(Outcome::Incomplete(Stop::IncompleteMethod))
    }

    /// Its caller stops it between two slices.
    fn poll(&mut self) {}

    fn step(&mut self, _: u64) -> u64 {
        let before = self.stats().expanded;
        self.run_slice();
        self.stats().expanded - before
    }

    fn stats(&self) -> Stats {
        let mut all = Stats::default();
        self.members.iter().for_each(|member| all.add(&member.stats));
        all
    }

    /// The best path, if it is better than the initial one.
    fn hits(&self) -> Vec<Hit> {
        self.finder.map(|_| self.known.hit()).into_iter().collect()
    }

    fn path(&self, _: usize) -> StatePath {
        self.known.states.clone()
    }

    fn bytes(&self) -> usize {
        self.members.iter().map(Member::bytes).sum()
    }

    fn lower_bound(&self) -> Cost {
        let searches = self.members.iter().filter_map(|member| member.search.as_ref());
        let bounds = searches.map(|search| search.lower_bound());
        bounds.fold(self.proved, Cost::max).min(self.known.cost())
    }
}

impl PathImprover for Portfolio<'_> {
    fn follow(&mut self, known: &KnownPath) {
        if known.cost() < self.known.cost() {
            (self.known, self.finder) = (known.clone(), None);
            let searches = self.members.iter_mut().filter_map(|member| member.search.as_mut());
            searches.for_each(|search| search.follow(known));
        }
    }
}
