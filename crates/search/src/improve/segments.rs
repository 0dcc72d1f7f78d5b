//! Divide and conquer: if a whole path cannot be shortened in the available memory, its halves may
//! be, or their halves.
//!
//! Source: [EMJ05], Trail Improvement, "DAC strategy".
//! Deviation: the segments overlap by half, so that a detour around the middle is not overlooked,
//! and each segment has its own budget of expansions instead of all memory. The next round over all
//! segments halves their length; after the shortest ones, everything is repeated with ten times the
//! expansions.
//!
//! Promises: the path stays a path, and never becomes longer. Nothing is proved.

use beeline_kernel::{Cost, Heuristic, Space, StatePath, Stop};

use super::goal_expander::GoalExpander;
use crate::best_first::BestFirst;
use crate::best_first_config::BestFirstConfig;
use crate::hit::Hit;
use crate::known_path::KnownPath;
use crate::limits::{Limits, Outcome, SliceBudget};
use crate::query::{AfterHit, SearchQuery};
use crate::search::{PathImprover, Search};
use crate::stats::Stats;
use crate::target::SearchTarget;

/// The expansions for a segment in the first rounds.
const FIRST: u64 = 200;
/// The least length of segments.
const SHORTEST: usize = 4;
/// The search ends after rounds with more expansions than this for each segment.
const MOST: u64 = 2_000_000;

/// Makes a heuristic for a given goal state.
pub type GoalHeuristics<'a> = Box<dyn Fn(&[u8]) -> Box<dyn Heuristic + 'a> + 'a>;

/// Shortens segments of a path.
pub struct SegmentSearch<'a> {
    space: &'a dyn Space,
    heuristics: GoalHeuristics<'a>,
    /// Memory for the states of one segment.
    bytes: usize,
    known: KnownPath,
    /// Whether this search found the path.
    found: bool,
    stats: Stats,
    /// Start and length of the next segment, in states.
    at: usize,
    length: usize,
    /// The expansions for each segment.
    expansions: u64,
    outcome: Option<Outcome>,
}

impl<'a> SegmentSearch<'a> {
    /// A search that begins with a path, and has memory for the states of one segment.
    pub fn new(
        space: &'a dyn Space,
        heuristics: GoalHeuristics<'a>,
        known: KnownPath,
        bytes: usize,
    ) -> Self {
        let length = (known.states.len() - 1).max(1);
        let stats = Stats::default();
        let (at, expansions, found) = (0, FIRST, false);
        let outcome = None;
        SegmentSearch {
            space,
            heuristics,
            bytes,
            known,
            found,
            stats,
            at,
            length,
            expansions,
            outcome,
        }
    }

    /// Proceeds to the next segment. Returns whether there is one.
    fn next_part(&mut self) -> bool {
        self.at += self.length.div_ceil(2);
        if self.at + 1 < self.known.states.len() {
            return true;
        }
        self.at = 0;
        self.length = self.length.div_ceil(2);
        if self.length < SHORTEST {
            self.length = self.known.states.len() - 1;
            self.expansions *= 10;
        }
        self.expansions <= MOST && self.length >= 2
    }

    /// Searches for a shorter path between the ends of the segment.
    fn shorten(&mut self) {
        let last = self.known.states.len() - 1;
        let (from, to) = (self.at, (self.at + self.length).min(last));
        if to - from < 2 {
            return;
        }
        let state = |at| self.known.states.get(at).expect("the segment is a part of the path");
        let (start, end) = (state(from), state(to));
        let part =
            || Box::new(GoalExpander::new(self.space.expander(), &[&end].into_iter().collect()));
        let query = SearchQuery {
            after_hit: AfterHit::Shorten,
            bound: Some(Cost(self.known.cost_between(from, to).0 - 1)),
            limits: Limits { bytes: Some(self.bytes), ..Limits::default() },
            ..SearchQuery::new(SearchTarget::invariant(0))
        };
        let heuristic = (self.heuristics)(&end);
        let mut search: BestFirst<'_> =
            BestFirst::from_state(part(), &start, heuristic, BestFirstConfig::A_STAR, query);
        search.advance(SliceBudget::expansions(self.expansions));
        self.stats.add(&search.stats());
        if let Some(hit) = search.hits().first() {
            let path = Search::path(&search, 0);
            let better = KnownPath::new(&mut *part(), path, hit.kind)
                .expect("the path was found by following it");
            self.known.replace(from, to, better);
            self.found = true;
        }
    }
}

impl Search for SegmentSearch<'_> {
    fn name(&self) -> &'static str {
        "segments"
    }

    fn outcome(&self) -> Option<Outcome> {
        self.outcome
    }

    /// Its portfolio stops it.
    fn poll(&mut self) {}

    fn step(&mut self, _: u64) -> u64 {
        let before = self.stats.expanded;
        self.shorten();
        if !self.next_part() {
            self.outcome = Some(Outcome::Incomplete(Stop::IncompleteMethod));
        }
        self.stats.expanded - before
    }

    fn stats(&self) -> Stats {
        self.stats
    }

    fn hits(&self) -> Vec<Hit> {
        if self.found { vec![self.known.hit()] } else { Vec::new() }
    }

    fn path(&self, _: usize) -> StatePath {
        self.known.states.clone()
    }

    fn bytes(&self) -> usize {
        self.known.states.bytes()
    }

    fn lower_bound(&self) -> Cost {
        Cost::ZERO
    }
}

impl PathImprover for SegmentSearch<'_> {
    fn follow(&mut self, known: &KnownPath) {
        self.length = self.length.min(known.states.len() - 1).max(1);
        self.known = known.clone();
        self.found = false;
        self.at = 0;
    }
}
