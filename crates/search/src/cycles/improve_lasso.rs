//! Shortens a known lasso in two phases: another stem to its cycle, and from a state of the cycle
//! another path back to it.
//!
//! Source: [ELL01] §4.4, A\* guided by the seed in both phases; [EMJ05], Trail Improvement.
//! Deviation: the first phase may end at any state of the cycle; the second one tries all states of
//! the cycle that can be seeds, one after the other, and since another cycle may be further away, it
//! is kept only if the first phase finds a stem for it that is short enough. Each search has a
//! budget of expansions. When no seed has led to an improvement, the budget is ten times as large.
//!
//! Promises: the result is a lasso, never longer than the last one. Nothing is proved.

use std::collections::VecDeque;
use std::sync::Arc;
use std::sync::atomic::Ordering;

use beeline_kernel::{AcceptanceMarks, Cost, Expansion, Fault, Space, StatePath, Stop};

use super::CycleSearch;
use super::close_cycle::{ComponentExpander, CycleExpander, GuideHeuristic, place, state_of};
use super::dead_states::DeadStates;
use super::lasso::Lasso;
use super::length::{LassoLength, is_seed};
use crate::best_first::BestFirst;
use crate::best_first_config::BestFirstConfig;
use crate::hit::Hit;
use crate::improve::{GoalExpander, GoalHeuristics};
use crate::limits::{Limits, Outcome, Progress, SliceBudget};
use crate::query::{AfterHit, SearchQuery};
use crate::search::Search;
use crate::stats::Stats;
use crate::target::SearchTarget;

/// The expansions of a search in the first round.
const FIRST: u64 = 500;
/// The search ends after a round with more expansions than this for each search.
const MOST: u64 = 5_000_000;

/// Shortens a lasso.
pub struct LassoImprovement<'a> {
    space: &'a dyn Space,
    heuristics: GoalHeuristics<'a>,
    query: SearchQuery<'a>,
    initial: Vec<u8>,
    lasso: Lasso,
    length: LassoLength,
    /// The remaining tasks of this round.
    tasks: VecDeque<Task>,
    job: Option<Job<'a>>,
    /// The expansions of each search, and whether these were too few for one of them.
    expansions: u64,
    was_short: bool,
    stats: Stats,
    outcome: Option<Outcome>,
}

/// One search.
enum Task {
    /// A new stem for a lasso, which is the best one or a candidate.
    Stem(Lasso, LassoLength),
    /// A new cycle through a state of the best lasso's cycle.
    Cycle(usize),
}

struct Job<'a> {
    task: Task,
    search: BestFirst<'a>,
    left: u64,
}

impl<'a> LassoImprovement<'a> {
    /// Begins with a lasso of the space; `heuristics` makes a heuristic for a given goal state.
    /// `None` when it is not a lasso.
    ///
    /// # Errors
    ///
    /// When the model fails before its first step.
    pub fn new(
        space: &'a dyn Space,
        lasso: Lasso,
        heuristics: GoalHeuristics<'a>,
        query: SearchQuery<'a>,
    ) -> Result<Option<Self>, Fault> {
        let mut initial = Vec::new();
        space.initial(&mut initial)?;
        let length = lasso.length(&mut *space.expander());
        let Some(length) = length.filter(|_| lasso.is_valid(space)) else { return Ok(None) };
        let mut search = LassoImprovement {
            space,
            heuristics,
            query,
            initial,
            lasso,
            length,
            tasks: VecDeque::new(),
            job: None,
            expansions: FIRST,
            was_short: false,
            stats: Stats::default(),
            outcome: None,
        };
        search.begin_round();
        Ok(Some(search))
    }

    /// The cost of the lasso.
    pub fn length(&self) -> LassoLength {
        self.length
    }

    /// Both phases, for each state of the cycle that can be a seed.
    fn begin_round(&mut self) {
        self.was_short = false;
        let (mut expander, mut expansion) = (self.space.expander(), Expansion::default());
        self.tasks.clear();
        self.tasks.push_back(Task::Stem(self.lasso.clone(), self.length));
        for (at, state) in self.lasso.cycle.iter().enumerate() {
            expander.expand_only(&state, &mut expansion);
            if is_seed(&expansion) {
                self.tasks.push_back(Task::Cycle(at));
            }
        }
    }

    /// Begins the next search, or the next round.
    fn begin_job(&mut self) {
        let Some(task) = self.tasks.pop_front() else {
            let is_over = !self.was_short || self.expansions >= MOST;
            self.expansions *= 10;
            if is_over {
                self.outcome = Some(Outcome::Incomplete(Stop::IncompleteMethod));
            } else {
                self.begin_round();
            }
            return;
        };
        // A part that costs nothing cannot be improved.
        let search = match &task {
            Task::Stem(lasso, length) => {
                let most = self.length.total().0.saturating_sub(length.cycle.0);
                most.checked_sub(1).map(|most| self.search_stem(lasso, self.to_shorten(most)))
            }
            Task::Cycle(seed) => {
                let most = self.length.cycle.0.checked_sub(1);
                most.map(|most| self.search_cycle(*seed, self.to_shorten(most)))
            }
        };
        self.job = search.map(|search| Job { task, search, left: self.expansions });
    }

    fn to_shorten(&self, bound: u32) -> SearchQuery<'a> {
        let limits = Limits { bytes: self.query.limits.bytes, ..Limits::default() };
        let (after_hit, bound, stop) = (AfterHit::Shorten, Some(Cost(bound)), self.query.stop);
        SearchQuery {
            after_hit,
            bound,
            limits,
            stop,
            ..SearchQuery::new(SearchTarget::invariant(0))
        }
    }

    /// The first phase.
    fn search_stem(&self, lasso: &Lasso, query: SearchQuery<'a>) -> BestFirst<'a> {
        let towards = Box::new(GoalExpander::new(self.space.expander(), &lasso.cycle));
        let first = lasso.cycle.first().expect("a cycle has a state");
        // The heuristic leads to one of the goals, and makes no claims about the others.
        let guide = GuideHeuristic::towards((self.heuristics)(first));
        BestFirst::from_state(towards, &self.initial, guide, BestFirstConfig::A_STAR, query)
    }

    /// The second phase.
    fn search_cycle(&self, seed: usize, query: SearchQuery<'a>) -> BestFirst<'a> {
        let state = &self.lasso.cycle.get(seed).expect("the seed is a state of the cycle");
        let within =
            ComponentExpander::new(self.space.expander(), state, Arc::new(DeadStates::new()));
        let round = Box::new(CycleExpander::new(within, state));
        let (start, guide) =
            (place(state, AcceptanceMarks::NONE), GuideHeuristic::around((self.heuristics)(state)));
        BestFirst::from_state(round, &start, guide, BestFirstConfig::A_STAR, query)
    }

    /// Continues the current search.
    fn go_on(&mut self, most: u64) -> u64 {
        let Some(job) = &mut self.job else { return 0 };
        let before = job.search.stats().expanded;
        let progress = job.search.advance(SliceBudget::expansions(job.left.min(most)));
        let done = job.search.stats().expanded - before;
        job.left -= done;
        if progress == Progress::Paused && job.left > 0 {
            return done;
        }
        let Job { task, search, .. } = self.job.take().expect("it is under way");
        self.stats.add(&search.stats());
        match progress {
            Progress::Paused => self.was_short = true,
            Progress::Done(Outcome::Incomplete(Stop::Interrupted)) => self.poll(),
            Progress::Done(_) => {}
        }
        if !search.hits().is_empty() {
            self.take(&task, Search::path(&search, 0));
        }
        done
    }

    /// Takes over the result of a search.
    fn take(&mut self, task: &Task, mut path: StatePath) {
        let lasso = match task {
            Task::Stem(lasso, _) => {
                let entry = path.pop();
                let at = lasso.cycle.iter().position(|state| Some(state) == entry);
                let at = at.expect("it leads to the cycle");
                let mut cycle = lasso.cycle.part(at, lasso.cycle.len());
                cycle.append(&lasso.cycle.part(0, at));
                Lasso { stem: path, cycle }
            }
            Task::Cycle(seed) => {
                path.pop();
                // The stem follows the old cycle up to the seed.
                let mut stem = self.lasso.stem.clone();
                stem.append(&self.lasso.cycle.part(0, *seed));
                Lasso { stem, cycle: path.map(state_of) }
            }
        };
        let length = lasso.length(&mut *self.space.expander()).expect("it was followed");
        let is_better = length.total() < self.length.total();
        if is_better {
            (self.lasso, self.length) = (lasso, length);
            self.begin_round();
        } else if let Task::Cycle(_) = task {
            self.tasks.push_front(Task::Stem(lasso, length));
        }
    }
}

impl Search for LassoImprovement<'_> {
    fn name(&self) -> &'static str {
        "shorter lasso"
    }

    fn outcome(&self) -> Option<Outcome> {
        self.outcome
    }

    fn poll(&mut self) {
        if self.query.stop.is_some_and(|stop| stop.load(Ordering::Relaxed)) {
            self.outcome = Some(Outcome::Incomplete(Stop::Interrupted));
        }
    }

    fn step(&mut self, most: u64) -> u64 {
        if self.job.is_none() {
            self.begin_job();
        }
        self.go_on(most)
    }

    fn stats(&self) -> Stats {
        let mut stats = self.stats;
        self.job.iter().for_each(|job| stats.add(&job.search.stats()));
        stats
    }

    /// None: see [`lasso`](CycleSearch::lasso).
    fn hits(&self) -> Vec<Hit> {
        Vec::new()
    }

    fn path(&self, hit: usize) -> StatePath {
        panic!("there is no hit {hit}")
    }

    fn bytes(&self) -> usize {
        let states = self.lasso.stem.bytes() + self.lasso.cycle.bytes();
        states + self.job.as_ref().map_or(0, |job| Search::bytes(&job.search))
    }

    fn lower_bound(&self) -> Cost {
        Cost::ZERO
    }
}

impl CycleSearch for LassoImprovement<'_> {
    /// The shortest lasso so far.
    fn lasso(&self) -> Option<Lasso> {
        Some(self.lasso.clone())
    }
}
