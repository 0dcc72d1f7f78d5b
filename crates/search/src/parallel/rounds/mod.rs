//! Best-first search and beam search in rounds: of all open states, the best ones are expanded
//! together by several threads; then their new successors are opened.
//!
//! A round has two parts, and threads wait for each other after both. In the first one, threads
//! take states of the round, expand them, store and evaluate new successors, and improve the links
//! of known ones. In the second one, the reached states are opened: at the cost that the round has
//! found. What a round expands is fixed when it begins, and each state is expanded at the cost that
//! it had then; among equal paths that one round finds, the least parent counts; and the open list
//! takes [groups](open_groups) that depend on states alone. So all results, counters included, are
//! the same in every run and for any number of threads.
//!
//! The search is over when no state is open between two rounds, so *complete* needs no other
//! detection. Since a round never starts states of greater f before all of lesser f are expanded if
//! f is the cost, or the cost plus a weighted estimate of at most weight one ([ranking]), a hit of
//! A\* or Dijkstra's algorithm is cheapest as with one thread: at the end of each round, every path
//! to a target leads through an open state.
//!
//! Source: rounds of several best states are K-best-first search [FKK03]; that results are
//! deterministic, and the size of rounds: ours.
//!
//! [`explore_reduced_in_parallel`] is breadth-first search with partial order reduction: its rounds
//! are the levels, and a reduction may ask whether a successor is in the next one.
//!
//! A search starts with one thread, as it would without others, and begins again in rounds when it
//! has expanded some thousand states without an end ([`StartedAlone`]). So short searches take no
//! threads, and have the results of one thread.

mod open_groups;
mod ranking;
mod search;
mod started_alone;
mod worker;

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::thread;

use beeline_kernel::{Blind, Fault, Heuristic, Space};

use super::crew::{Crew, Pause, lock};
use super::options::ParallelOptions;
use crate::best_first_config::{BestFirstConfig, Evaluation, GoalTest, QueueOrder, TieBreak};
use crate::query::{AfterHit, SearchQuery};
use crate::reduction::Reduction;
use crate::search::Search;
use crate::search_core::SearchCore;
use crate::stats::Stats;
use crate::store::StoreLimits;
use crate::store::shared::nodes::NodeStore;
use crate::sync::Mutex;
use crate::target::SearchTarget;

use open_groups::OpenGroups;
use ranking::RoundRanking;
use search::RoundSearch;
pub(crate) use started_alone::StartedAlone;
use worker::{ReductionOfThread, Round, Rules, Team, Worker};

/// The kind of a search in rounds.
#[derive(Clone, Copy, Debug)]
pub enum RoundKind {
    /// Best-first search.
    BestFirst(BestFirstConfig),
    /// Beam search of this width.
    Beam(usize),
    /// Breadth-first search, by transitions.
    BreadthFirst,
}

/// What a search in rounds is started with.
pub struct RoundSetup<'a> {
    /// The states and their successors.
    pub space: &'a dyn Space,
    /// The heuristic, which is copied for each thread.
    pub heuristic: Box<dyn Heuristic + 'a>,
    /// The target and the limits. Searches for ever cheaper hits are not supported.
    pub query: SearchQuery<'a>,
    /// The number of threads, the calling one included.
    pub threads: usize,
}

impl RoundKind {
    /// Whether such a search is possible: with one heuristic that evaluates states when they are
    /// generated, and tests for errors when they are expanded.
    pub(crate) fn is_possible(self) -> bool {
        let RoundKind::BestFirst(config) = self else { return true };
        config.diversification.is_none()
            && config.evaluation == Evaluation::Eager
            && config.goal_test == GoalTest::Expansion
            && config.tie_break != TieBreak::Heuristic
    }
}

/// Searches in rounds, in threads that live while `body` runs.
///
/// # Errors
///
/// When the model fails before its first step: there is nothing to search.
///
/// # Panics
///
/// If a thread panics, [`Search::advance`] panics in the same way.
pub fn search_in_rounds<'a>(
    kind: RoundKind,
    setup: RoundSetup<'a>,
    body: &mut dyn FnMut(&mut dyn Search),
) -> Result<(), Fault> {
    search(kind, setup, None, body)
}

/// Explores a space breadth-first with a reduction of each thread that `reduction` makes. Finds the
/// errors of the reduced space, one of each kind.
///
/// # Errors
///
/// When the model fails before its first step.
///
/// # Panics
///
/// As [`search_in_rounds`]; and when the cycle condition needs a stack.
pub fn explore_reduced_in_parallel<'a, R>(
    space: &'a dyn Space,
    reduction: &'a (dyn Fn() -> Reduction<'a> + Sync),
    options: ParallelOptions<'a>,
    body: impl FnOnce(&mut dyn Search) -> R,
) -> Result<R, Fault> {
    assert!(!reduction().condition().needs_stack(), "there is no stack");
    let query = SearchQuery {
        after_hit: AfterHit::Continue,
        limits: options.limits,
        stop: options.stop,
        ..SearchQuery::new(SearchTarget::ANYTHING)
    };
    let setup = RoundSetup { space, heuristic: Box::new(Blind), query, threads: options.threads };
    let (mut body, mut result) = (Some(body), None);
    search(RoundKind::BreadthFirst, setup, Some(reduction), &mut |search| {
        result = body.take().map(|body| body(search));
    })?;
    Ok(result.expect("a search that starts is run"))
}

fn search<'a>(
    kind: RoundKind,
    setup: RoundSetup<'a>,
    reduction: Option<&'a ReductionOfThread<'a>>,
    body: &mut dyn FnMut(&mut dyn Search),
) -> Result<(), Fault> {
    let RoundSetup { space, heuristic, query, threads } = setup;
    let threads = threads.max(1);
    let mut initial = Vec::new();
    let core = SearchCore::new(space, heuristic, query, &mut initial)?;
    let (ranking, beam, order) = match kind {
        RoundKind::BestFirst(config) => (RoundRanking::new(&config), None, config.queue_order),
        RoundKind::Beam(width) => (RoundRanking::layered(), Some(width.max(1)), QueueOrder::Fifo),
        RoundKind::BreadthFirst => (RoundRanking::breadth_first(), None, QueueOrder::Fifo),
    };
    let limits = StoreLimits { bytes: query.max_bytes(), states: query.max_states() };
    let team = Team {
        space,
        store: NodeStore::new(limits, threads),
        crew: Crew::new(Round::End),
        rules: Rules { query, claims: core.claims, ranking },
        counters: (0..threads).map(|_| Mutex::new(Stats::default())).collect(),
        reduction,
        results: Mutex::default(),
    };
    thread::scope(|scope| {
        let _end = EndOfCrew(&team.crew);
        let spawn = |index: usize, seen: usize, heuristic: Box<dyn Heuristic + 'a>| {
            let team = &team;
            let thread = thread::Builder::new().name(format!("worker {index}"));
            thread.spawn_scoped(scope, move || work(team, heuristic, index, seen)).is_ok()
        };
        let open = OpenGroups::new(order);
        body(&mut RoundSearch::new(&team, core, &initial, beam, &spawn, open));
    });
    Ok(())
}

/// Ends the threads of a crew, even after a panic.
struct EndOfCrew<'t>(&'t Crew<Round>);

impl Drop for EndOfCrew<'_> {
    fn drop(&mut self) {
        self.0.pause(Pause::Stopped);
        self.0.begin(Round::End, 0);
    }
}

/// Takes part in rounds, from the one after `seen` on. A panic ends the search.
fn work<'a>(team: &Team<'a>, heuristic: Box<dyn Heuristic + 'a>, index: usize, mut seen: usize) {
    let (mut worker, mut heuristic) = (None, Some(heuristic));
    loop {
        let round: Round;
        (seen, round) = team.crew.next_round(seen);
        if matches!(round, Round::End) {
            return;
        }
        let result = catch_unwind(AssertUnwindSafe(|| {
            if let Some(heuristic) = heuristic.take() {
                worker = Some(Worker::new(team, heuristic));
            }
            let Some(worker) = &mut worker else { return };
            match &round {
                Round::Expand(batch) => {
                    worker.expand(team, index, Arc::as_ref(batch), u64::MAX);
                    worker.release(team);
                }
                Round::Open(reached) => worker.open(team, index, reached),
                Round::Refill => team.store.refill(),
                Round::End => {}
            }
        }));
        drop(round);
        if let Err(panic) = result {
            team.crew.pause(Pause::Stopped);
            lock(&team.results).panic.get_or_insert(panic);
        }
        team.crew.announce_return();
    }
}
