//! Directed search for a lasso: a best-first search for seeds, states at which an accepting cycle
//! can begin; and from each of them a best-first search back to it.
//!
//! Source: the two searches of [EMJ05], Nested Depth-First Search, the second one guided by the seed
//! from which it started, [ELL01] §4.4. Deviation: best-first search has no post-order that would
//! let the second searches share their visited states. So when a seed does not lead back, all
//! states that it reaches are searched for other cycles: then there is one, or these states are
//! dead (`dead_states.rs`) and never searched again.
//!
//! It is not known which seed leads back, and how soon, so they take turns (`seeds.rs`). All seeds
//! together get as much work as the search for more seeds.
//!
//! Promises: every seed that is reached is searched until it leads back or is shown to lead to no
//! cycle, so on a finite space a lasso is found if there is one, and [`Outcome::Complete`] says
//! that there is none. The lasso need not be short. If the search for seeds finds the target of the
//! query, the search ends, too. Where the heuristic claims to be safe, its dead ends must lead
//! neither to a seed nor to the target.

use std::sync::Arc;
use std::sync::atomic::Ordering;

use beeline_kernel::{AcceptanceMarks, Cost, Fault, Heuristic, Space, StatePath, Stop};

use super::CycleSearch;
use super::close_cycle::{ComponentExpander, CycleExpander, GuideHeuristic, place, state_of};
use super::dead_states::DeadStates;
use super::lasso::Lasso;
use super::seeds::{SeedSlice, Seeds};
use super::shortest::ShortestLasso;
use crate::best_first::BestFirst;
use crate::best_first_config::BestFirstConfig;
use crate::diversification::Diversification;
use crate::hit::Hit;
use crate::improve::GoalHeuristics;
use crate::limits::{Limits, Outcome, Progress, SliceBudget};
use crate::query::{AfterHit, SearchQuery};
use crate::search::Search;
use crate::stats::Stats;
use crate::target::SearchTarget;

/// Expansions of one turn of the search for seeds.
const SEEK: u64 = 16;
/// The most work of one step.
const STEP: u64 = 256;

/// A directed search for a lasso.
pub struct DirectedLasso<'a> {
    space: &'a dyn Space,
    heuristics: GoalHeuristics<'a>,
    config: BestFirstConfig,
    query: SearchQuery<'a>,
    /// The search for seeds, its outcome, and the rest of its slice.
    seeking: BestFirst<'a>,
    sought: Option<Outcome>,
    left: u64,
    seeds: Seeds,
    seed_search: SeedSearch<'a>,
    dead_states: Arc<DeadStates>,
    /// The counters of all searches from seeds, except for the current one.
    stats: Stats,
    lasso: Option<Lasso>,
    outcome: Option<Outcome>,
}

/// The current search from a seed.
enum SeedSearch<'a> {
    Nothing,
    /// A search from the seed back to it.
    Around {
        turn: SeedSlice,
        component: u32,
        search: BestFirst<'a>,
    },
    /// A search for any cycle that is reachable from a seed that does not lead back.
    Clearing {
        turn: SeedSlice,
        component: u32,
        search: ShortestLasso<'a>,
    },
}

impl SeedSearch<'_> {
    fn search(&self) -> Option<&dyn Search> {
        match self {
            SeedSearch::Nothing => None,
            SeedSearch::Around { search, .. } => Some(search),
            SeedSearch::Clearing { search, .. } => Some(search),
        }
    }
}

impl<'a> DirectedLasso<'a> {
    /// Begins a search: `heuristic` leads to seeds, `heuristics` from a seed back to it.
    ///
    /// # Errors
    ///
    /// When the model fails before its first step: there is nothing to search.
    pub fn new(
        space: &'a dyn Space,
        heuristic: Box<dyn Heuristic + 'a>,
        heuristics: GoalHeuristics<'a>,
        config: BestFirstConfig,
        query: SearchQuery<'a>,
    ) -> Result<Self, Fault> {
        let mut initial = Vec::new();
        space.initial(&mut initial)?;
        let (seeds, scout) = Seeds::new(space.expander());
        let seek = SearchQuery { after_hit: AfterHit::Stop, bound: None, ..query };
        let seeking = BestFirst::from_state(Box::new(scout), &initial, heuristic, config, seek);
        Ok(DirectedLasso {
            space,
            heuristics,
            // The searches back are many and short.
            config: BestFirstConfig { diversification: Diversification::NONE, ..config },
            query,
            seeking,
            sought: None,
            left: 0,
            seeds,
            seed_search: SeedSearch::Nothing,
            dead_states: Arc::new(DeadStates::new()),
            stats: Stats::default(),
            lasso: None,
            outcome: None,
        })
    }

    /// Uses these heuristics for the search for seeds, too, each with an open list of its own.
    /// Called before the search begins.
    #[must_use]
    pub fn with_heuristics(mut self, others: Vec<Box<dyn Heuristic + 'a>>) -> Self {
        if !others.is_empty() {
            self.seeking = self.seeking.with_heuristics(others);
        }
        self
    }

    /// The number of seeds so far.
    pub fn seeds(&self) -> usize {
        self.seeds.len()
    }

    /// Executes a part of the next work, and returns its amount.
    fn work(&mut self, most: u64) -> u64 {
        match std::mem::replace(&mut self.seed_search, SeedSearch::Nothing) {
            SeedSearch::Nothing => {}
            SeedSearch::Around { turn, component, search } => {
                return self.go_round(turn, component, search, most);
            }
            SeedSearch::Clearing { turn, component, search } => {
                return self.clear(turn, component, search, most);
            }
        }
        let seeks = self.sought.is_none();
        if seeks && self.left > 0 {
            return self.seek(most);
        }
        if seeks && (!self.seeds.wait() || self.seeds.spent() > self.seeking.stats().expanded) {
            self.left = SEEK;
        } else if let Some(turn) = self.seeds.next() {
            self.begin_round(turn);
        } else {
            self.outcome = self.sought;
        }
        0
    }

    /// Searches for more seeds.
    fn seek(&mut self, most: u64) -> u64 {
        let before = self.seeking.stats().expanded;
        let progress = self.seeking.advance(SliceBudget::expansions(self.left.min(most)));
        let done = self.seeking.stats().expanded - before;
        self.left -= done;
        if let Progress::Done(outcome) = progress {
            self.sought = Some(outcome);
            self.outcome = self.sought.filter(|&outcome| outcome == Outcome::Found);
        }
        self.seeds.listen();
        done
    }

    /// Begins a search from a seed back to it, unless the seed is dead.
    fn begin_round(&mut self, turn: SeedSlice) {
        let state = self.seeds.state(turn);
        let within =
            ComponentExpander::new(self.space.expander(), state, Arc::clone(&self.dead_states));
        let component = within.component();
        if self.dead_states.has(state, component) {
            return;
        }
        let round = Box::new(CycleExpander::new(within, state));
        let (start, guide) =
            (place(state, AcceptanceMarks::NONE), GuideHeuristic::around((self.heuristics)(state)));
        let query = from_seed(&self.query, SearchTarget::invariant(0));
        let search = BestFirst::from_state(round, &start, guide, self.config, query);
        self.seed_search = SeedSearch::Around { turn, component, search };
    }

    /// Continues the search from a seed back to it.
    fn go_round(
        &mut self,
        mut turn: SeedSlice,
        component: u32,
        mut search: BestFirst<'a>,
        most: u64,
    ) -> u64 {
        let before = search.stats().expanded;
        let progress = search.advance(SliceBudget::expansions(turn.expansions.min(most)));
        let done = search.stats().expanded - before;
        turn.expansions -= done;
        self.seeds.spend(turn, done);
        if progress == Progress::Paused && turn.expansions > 0 {
            self.seed_search = SeedSearch::Around { turn, component, search };
            return done;
        }
        self.stats.add(&search.stats());
        match progress {
            Progress::Paused => self.seeds.postpone(turn),
            Progress::Done(Outcome::Found) => {
                let mut path = Search::path(&search, 0);
                path.pop();
                self.find(turn, Lasso { stem: StatePath::new(), cycle: path.map(state_of) });
            }
            Progress::Done(Outcome::Complete) => self.begin_clearing(turn, component),
            Progress::Done(incomplete) => self.outcome = Some(incomplete),
        }
        done
    }

    /// A seed does not lead back: searches for other cycles from there.
    fn begin_clearing(&mut self, turn: SeedSlice, component: u32) {
        let state = self.seeds.state(turn);
        let within =
            ComponentExpander::new(self.space.expander(), state, Arc::clone(&self.dead_states));
        let query = from_seed(&self.query, SearchTarget::NOTHING);
        let search = ShortestLasso::from_state(Box::new(within), state, query).accept_any();
        self.seed_search = SeedSearch::Clearing { turn, component, search };
    }

    /// Continues the search for other cycles.
    fn clear(
        &mut self,
        turn: SeedSlice,
        component: u32,
        mut search: ShortestLasso<'a>,
        most: u64,
    ) -> u64 {
        let before = search.worked();
        let progress = search.advance(SliceBudget::expansions(most));
        let done = search.worked() - before;
        self.seeds.spend(turn, done);
        let Progress::Done(outcome) = progress else {
            self.seed_search = SeedSearch::Clearing { turn, component, search };
            return done;
        };
        self.stats.add(&search.stats());
        if let Some(lasso) = search.lasso() {
            self.find(turn, lasso);
        } else if outcome == Outcome::Complete {
            let seen = search.reached();
            drop(search);
            let dead_states =
                Arc::get_mut(&mut self.dead_states).expect("no search looks at it now");
            let mut states = seen.cursor();
            while let Some(state) = states.advance() {
                dead_states.add(state, component);
            }
        } else {
            self.outcome = Some(outcome);
        }
        done
    }

    /// A lasso was found from a seed.
    fn find(&mut self, turn: SeedSlice, seed_search: Lasso) {
        let stem = self.seeking.path_to(self.seeds.state(turn));
        let mut stem = stem.expect("a seed was reached before it was reported");
        stem.pop();
        stem.append(&seed_search.stem);
        self.lasso = Some(Lasso { stem, cycle: seed_search.cycle });
        self.outcome = Some(Outcome::Found);
    }
}

/// The query of a search from a seed.
fn from_seed<'a>(query: &SearchQuery<'a>, target: SearchTarget) -> SearchQuery<'a> {
    let limits = Limits { bytes: query.limits.bytes, ..Limits::default() };
    SearchQuery { limits, stop: query.stop, ..SearchQuery::new(target) }
}

impl Search for DirectedLasso<'_> {
    fn name(&self) -> &'static str {
        "directed lasso"
    }

    fn outcome(&self) -> Option<Outcome> {
        self.outcome
    }

    fn poll(&mut self) {
        let raised = self.query.stop.is_some_and(|stop| stop.load(Ordering::Relaxed));
        let too_much = Search::bytes(self) > self.query.max_bytes();
        let why = if raised { Stop::Interrupted } else { Stop::Memory };
        if self.outcome.is_none() && (raised || too_much) {
            self.outcome = Some(Outcome::Incomplete(why));
        }
    }

    /// Steps are long, so the flag is polled after each.
    fn poll_interval(&self) -> u64 {
        1
    }

    fn step(&mut self, most: u64) -> u64 {
        self.work(most.min(STEP))
    }

    fn stats(&self) -> Stats {
        let mut stats = self.seeking.stats();
        stats.add(&self.stats);
        self.seed_search.search().iter().for_each(|search| stats.add(&search.stats()));
        stats
    }

    /// The target, if the search for seeds found it.
    fn hits(&self) -> Vec<Hit> {
        self.seeking.hits()
    }

    fn path(&self, hit: usize) -> StatePath {
        Search::path(&self.seeking, hit)
    }

    fn bytes(&self) -> usize {
        let seed_search = self.seed_search.search().map_or(0, |search| search.bytes());
        Search::bytes(&self.seeking) + self.seeds.bytes() + seed_search + self.dead_states.bytes()
    }

    /// Nothing is proved about costs, unless there is no lasso at all.
    fn lower_bound(&self) -> Cost {
        let nothing = self.outcome == Some(Outcome::Complete);
        if nothing { Cost(u32::MAX) } else { Cost::ZERO }
    }
}

impl CycleSearch for DirectedLasso<'_> {
    fn lasso(&self) -> Option<Lasso> {
        self.lasso.clone()
    }
}
