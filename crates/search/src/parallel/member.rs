//! A thread beside the one that runs the search: it takes part in rounds until the end.

use std::panic::{AssertUnwindSafe, catch_unwind};

use super::team::{Pause, Round, Team, lock};
use super::worker::Worker;

/// Takes part in rounds, from the one after `seen` on. A panic ends the search.
pub(super) fn work(team: &Team<'_>, index: usize, mut seen: usize) {
    let mut worker = None;
    loop {
        let round;
        (seen, round) = team.next_round(seen);
        if matches!(round, Round::End) {
            return;
        }
        let result = catch_unwind(AssertUnwindSafe(|| {
            let start = || Worker::new(team.space.expander(), team.store.writer());
            let worker = worker.get_or_insert_with(start);
            match &round {
                Round::Expand(level) => {
                    worker.expand(team, &team.counters[index], level, u64::MAX);
                }
                // A growth that is not completed ends the search.
                Round::Grow(growth) => {
                    while !team.is_asked(Pause::Stopped) && growth.help_once(&team.store) {}
                }
                Round::End => {}
            }
            return_results(team, worker);
        }));
        drop(round);
        if let Err(panic) = result {
            team.pause(Pause::Stopped);
            lock(&team.results).panic.get_or_insert(panic);
        }
        team.announce_return();
    }
}

/// Adds what a worker has done in a round to the results.
pub(super) fn return_results(team: &Team<'_>, worker: &mut Worker<'_>) {
    let pieces = worker.release();
    let mut results = lock(&team.results);
    results.pieces.extend(pieces);
    results.findings.merge(&mut worker.findings, &team.store);
}
