//! Best-first search in rounds agrees with that of one thread: the same verdict, for Dijkstra's
//! algorithm and A\* also the same cost with the same proof. All runs, with random
//! [delays](crate::delayed), agree with each other in everything: counters, errors and paths.

use beeline_engine::automata::AutomataOptions;
use beeline_engine::interpreter::Machine;
use beeline_heuristics::{HeuristicGoal, build};
use beeline_jit::NativeSpace;
use beeline_kernel::spec::Spec;
use beeline_kernel::{
    BoxedHeuristic, Claims, Cost, Estimate, Expansion, FaultKind, Faults, Heuristic, Space,
    StatePath,
};
use beeline_promela::hir::Model;
use beeline_search::{
    BestFirst, BestFirstConfig, Hit, Limits, Outcome, RoundKind, RoundSetup, Search, SearchQuery,
    SearchTarget, Stats, search_in_rounds,
};

use crate::delayed::{Delayed, DelayedRun};

/// Greedy search in rounds may find another error, far from the one that a single thread finds. It
/// is compared if it stores at most this many times the states.
const MORE: usize = 20;

/// What was compared.
#[derive(Clone, Copy, Debug, Default)]
pub struct Compared {
    /// Searches of one thread, each compared with several in rounds.
    pub searches: usize,
    /// Those that found an error.
    pub errors: usize,
}

/// A heuristic that claims to take so long that every round is worth several threads.
#[derive(Clone)]
struct Slow<'a> {
    heuristic: BoxedHeuristic<'a>,
    estimates: u64,
}

impl Heuristic for Slow<'_> {
    fn name(&self) -> &str {
        self.heuristic.name()
    }

    fn claims(&self) -> Claims {
        self.heuristic.claims()
    }

    fn estimate(&mut self, state: &[u8]) -> Estimate {
        self.estimates += 1;
        self.heuristic.estimate(state)
    }

    fn estimate_all(
        &mut self,
        state: &[u8],
        successors: &Expansion,
        estimates: &mut Vec<Estimate>,
    ) {
        self.estimates += successors.len() as u64;
        self.heuristic.estimate_all(state, successors, estimates);
    }

    fn effort(&self) -> u64 {
        self.estimates * 100_000
    }
}

/// All results of a search in rounds that are the same in every run.
type Seen = (Outcome, Stats, Vec<Hit>, Vec<StatePath>, Cost);

fn in_rounds(
    space: &dyn Space,
    heuristic: &BoxedHeuristic<'_>,
    config: BestFirstConfig,
    query: SearchQuery<'_>,
    run: DelayedRun,
) -> Seen {
    let slow = Slow { heuristic: heuristic.clone(), estimates: 0 };
    let space = &Delayed::new(space, run.seed);
    let setup = RoundSetup { space, heuristic: Box::new(slow), query, threads: run.threads };
    let mut seen = None;
    let started = search_in_rounds(RoundKind::BestFirst(config), setup, &mut |search| {
        let outcome = search.finish();
        let stats = Stats { store_bytes: 0, table_bytes: 0, effort: 0, ..search.stats() };
        let hits = search.hits();
        let paths = (0..hits.len()).map(|hit| search.path(hit)).collect();
        seen = Some((outcome, stats, hits, paths, search.lower_bound()));
    });
    started.expect("there is an initial state");
    seen.expect("a search that starts is run")
}

/// Compares searches for deadlocks and for faults in rounds with those of one thread that store at
/// most `most` states. `None` when the model cannot be compiled.
///
/// # Panics
///
/// When two searches differ.
pub fn check(
    name: &str,
    model: &Model,
    options: AutomataOptions,
    runs: &[DelayedRun],
    most: usize,
) -> Option<Compared> {
    let machine = Machine::new(model, options);
    let native = NativeSpace::compile(&machine).ok()?;
    let space: &dyn Space = &native;
    let faults = Faults::all_but(&[FaultKind::Trace, FaultKind::Claim]);
    let failing = SearchTarget { faults, ..SearchTarget::NOTHING };
    let (deadlock, stuck) = (SearchTarget::DEADLOCK, HeuristicGoal::Deadlock);
    let mut compared = Compared::default();
    for (target, goal, spec, config) in [
        (deadlock, &stuck, "blind", BestFirstConfig::DIJKSTRA),
        (deadlock, &stuck, "dangerous-states(half)", BestFirstConfig::A_STAR),
        (deadlock, &stuck, "dangerous-states", BestFirstConfig::GREEDY),
        (failing, &HeuristicGoal::Assertions, "assertion-distance", BestFirstConfig::A_STAR),
        (failing, &HeuristicGoal::Assertions, "assertion-distance", BestFirstConfig::GREEDY),
    ] {
        let parsed = Spec::parse(spec).expect("it is well formed");
        let Ok(heuristic) = build(&parsed, &machine, goal) else { continue };
        let limits = Limits { states: Some(most), ..Limits::default() };
        let query = SearchQuery { limits, ..SearchQuery::new(target) };
        let Ok(mut alone) = BestFirst::new(space, heuristic.clone(), config, query) else {
            continue;
        };
        let outcome = alone.finish();
        if let Outcome::Incomplete(_) = outcome {
            continue;
        }
        let limits = Limits { states: Some(MORE * most), ..Limits::default() };
        let query = SearchQuery { limits, ..SearchQuery::new(target) };
        let is_greedy = config.ranking == BestFirstConfig::GREEDY.ranking;
        let mut first = None;
        for &run in runs {
            let seen = in_rounds(space, &heuristic, config, query, run);
            if is_greedy && matches!(seen.0, Outcome::Incomplete(_)) {
                break;
            }
            let what = format!("{name}\n{run:?}, {spec} {:?}", config.ranking);
            assert_eq!(seen.0, outcome, "{what}");
            if !is_greedy {
                let cost = |hits: &[Hit]| hits.first().and_then(|hit| hit.cost);
                assert_eq!(cost(&seen.2), cost(&alone.hits()), "{what}");
                assert_eq!(seen.4, alone.lower_bound(), "{what}");
            }
            let first = first.get_or_insert_with(|| seen.clone());
            assert!(seen == *first, "{what}: differs from another run");
        }
        if first.is_none() {
            continue;
        }
        compared.searches += 1;
        compared.errors += usize::from(outcome == Outcome::Found);
    }
    Some(compared)
}
