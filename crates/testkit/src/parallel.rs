//! Breadth-first search in threads agrees with that of one thread: outcome, counters, and the kinds
//! of errors with the lengths of their paths. Runs with the exact store agree with each other in the
//! paths, too. The compact set agrees in all but paths, and so does hash compaction, which omits
//! nothing in spaces of this size. All searches in threads run with random [delays](crate::delayed).

use beeline_engine::automata::AutomataOptions;
use beeline_engine::interpreter::Machine;
use beeline_jit::NativeSpace;
use beeline_kernel::{Space, StatePath, Stop};
use beeline_promela::hir::Model;
use beeline_search::{
    Exploration, ExplorationOptions, FindingKind, Limits, Outcome, ParallelOptions, Search,
    SharedSetKind, SliceBudget, Stats, StopCondition, explore_in_parallel, explore_with_shared_set,
};

use crate::delayed::{Delayed, DelayedRun, THREADS};

/// What a search found: counters without those that may differ, and the errors with their paths.
struct Found {
    stats: Stats,
    errors: Vec<(FindingKind, StatePath)>,
}

impl Found {
    /// The kinds of errors with the lengths of their paths.
    fn lengths(&self) -> Vec<(FindingKind, usize)> {
        self.errors.iter().map(|(kind, path)| (*kind, path.transitions())).collect()
    }
}

fn found(search: &dyn Search) -> Found {
    let stats = Stats { slept: 0, store_bytes: 0, table_bytes: 0, ..search.stats() };
    let hits = search.hits().into_iter().enumerate();
    let mut errors: Vec<_> = hits.map(|(at, hit)| (hit.kind, search.path(at))).collect();
    errors.sort_by_key(|(kind, _)| format!("{kind:?}"));
    Found { stats, errors }
}

/// Compares these runs with the search of one thread, if there are at most `most` states. Returns
/// the number of transitions that sleep sets pruned; `None` when the model cannot be compiled, or
/// has more states.
///
/// # Panics
///
/// When two runs differ.
pub fn check(
    name: &str,
    model: &Model,
    options: AutomataOptions,
    runs: &[DelayedRun],
    most: u64,
) -> Option<u64> {
    let machine = Machine::new(model, options);
    let native = NativeSpace::compile(&machine).ok()?;
    let space: &dyn Space = &native;
    let mut sequential = Exploration::new(space, ExplorationOptions::default()).ok()?;
    sequential.advance(SliceBudget { expansions: most });
    if Search::outcome(&sequential) != Some(Outcome::Complete) {
        return None;
    }
    let expected = found(&sequential);
    let (mut slept, mut first) = (0, None);
    for &run in runs {
        let delayed = Delayed::new(space, run.seed);
        let same = explore_in_parallel(&delayed, exhaustive(run), |search| {
            assert_eq!(search.finish(), Outcome::Complete, "{name}\n{run:?}");
            slept += search.stats().slept;
            found(search)
        });
        let same = same.expect("there is an initial state");
        assert_eq!(same.stats, expected.stats, "{name}\n{run:?}");
        assert_eq!(same.lengths(), expected.lengths(), "{name}\n{run:?}");
        let first = first.get_or_insert_with(|| same.errors.clone());
        assert!(same.errors == *first, "{name}\n{run:?}: other paths");
    }
    // One run for each number of threads is enough here.
    for &run in runs.iter().take(THREADS.len()) {
        let delayed = Delayed::new(space, run.seed);
        for (kind, outcome) in [
            (SharedSetKind::Compact, Outcome::Complete),
            (SharedSetKind::HashCompact { seed: 1 }, Outcome::Incomplete(Stop::LossyStore)),
        ] {
            let same = explore_with_shared_set(&delayed, kind, exhaustive(run), |search| {
                assert_eq!(search.finish(), outcome, "{name}\n{run:?}, {kind:?}");
                found(search)
            });
            let same = same.expect("there is an initial state");
            assert_eq!(same.stats, expected.stats, "{name}\n{run:?}, {kind:?}");
            assert_eq!(same.lengths(), expected.lengths(), "{name}\n{run:?}, {kind:?}");
        }
    }
    Some(slept)
}

/// A search to the end.
fn exhaustive(run: DelayedRun) -> ParallelOptions<'static> {
    let (until, limits) = (StopCondition::Exhausted, Limits::default());
    ParallelOptions { threads: run.threads, until, limits, stop: None }
}
