//! Parallel nested depth-first search: each thread searches for an accepting cycle in its own order,
//! in one [shared store](crate::store::shared), and the threads tell each other by colours which
//! states need not be searched again.
//!
//! Source: CNDFS of [ELPP12]. A thread that enters a state paints it cyan, for itself only.
//! When all its successors are searched, it becomes blue, for all threads; no thread enters a blue
//! state. Before a thread leaves a seed, an accepting state, its red search visits what can be
//! reached and is not red. A cyan state among it closes an accepting cycle. Otherwise, when all other
//! seeds among it are red, all of it becomes red, for all threads.
//!
//! Deviations, each for one of the [kinds](beeline_kernel::CycleKind) of components of a claim. A
//! cycle stays within one component *C*, so each component may be searched for itself:
//!
//! 1. *No cycle accepts.* A state of C becomes blue as soon as it is expanded, and its new successors
//!    begin paths of their own, in whichever thread has nothing else to do. No red search enters C.
//! 2. *Every cycle accepts.* There are no seeds. A transition to a cyan state that is not blue closes
//!    a cycle. No cycle is missed: consider the first state *c* of a cycle that becomes blue, by thread
//!    *t*, and its successor *d* on the cycle, which is not blue at that time. When t saw the
//!    transition, d was cyan for t, so that the cycle was reported, or else t has searched d before c
//!    became blue, which made d blue: a contradiction.
//! 3. *Some cycles accept.* This is CNDFS, but a red search stays within the *class* of its seed: the
//!    states whose component has the same number modulo 255, without those of the first kind. So the
//!    graph of the algorithm is that of the transitions within the class, and several paths of one
//!    thread begin in it, one after the other. The proof of [ELPP12] needs that all successors of a
//!    state in this graph are blue, or cyan for the thread, when the state becomes blue, which holds.
//!    A red search may reach states that no thread has entered yet, from states on the path of another
//!    thread; only their expansion tells their class. Should it store new states, the thread searches
//!    them later, since no other one takes them for new.
//!
//! Two more: a cycle that the blue search closes through an accepting state is reported at once
//! [SE05]; and a state becomes red without a red search if all its successors are red [GS09]. The
//! latter is right although the states of one red search become red one by one: its other seeds are
//! red before, so a seed can be missed by nobody but its own thread, which has found no cycle through
//! it.
//!
//! Promises: complete only when no accepting cycle is reachable; marks are ignored, see
//! [`Degeneralized`](super::Degeneralized). Which of several cycles is found, and all counters but
//! `stored` of a complete search, depend on the threads. With one thread it is a sequential search,
//! but slower than [`NestedDfs`](super::NestedDfs). The depth limit of the query does not apply, since
//! paths do not begin with the initial state; and the first hit or cycle ends the search. Memory:
//! that of the shared store, eight bytes for each state, and eight for each open state of each thread.

mod colours;
mod crew;
mod kind;
mod red;
mod rounds;
mod search;
mod walk;
mod worker;

use std::sync::Mutex;
use std::sync::atomic::AtomicUsize;
use std::thread;

use beeline_kernel::{Fault, Space};

use super::CycleSearch;
use crate::parallel::RecordRange;
use crate::query::SearchQuery;
use crate::store::StoreLimits;
use crate::store::shared::{SharedInsertion, SharedStore};
use rounds::{EndOfRounds, Rounds};

use colours::MARKS;
use crew::{Crew, CrewWork, Pool, ThreadReport};
pub use kind::CycleRule;
use search::ParallelCycleSearch;
use worker::Worker;

/// The threads of a search.
#[derive(Clone, Copy, Debug)]
pub struct CycleThreads<'t> {
    /// The number of threads that may run, the calling one included. It may be raised meanwhile.
    pub wanted: &'t AtomicUsize,
    /// The greatest number.
    pub most: usize,
}

/// Searches for an accepting cycle in threads, which live while `body` runs: it advances the search,
/// and returns when it needs no more of it.
///
/// # Errors
///
/// If the model fails before its first step: there is nothing to search.
///
/// # Panics
///
/// If a thread panics, [`Search::advance`](crate::Search::advance) panics in the same way.
pub fn search_cycles_in_parallel<R>(
    space: &dyn Space,
    rule: CycleRule,
    query: SearchQuery<'_>,
    threads: CycleThreads<'_>,
    body: impl FnOnce(&mut dyn CycleSearch) -> R,
) -> Result<R, Fault> {
    let mut initial = Vec::new();
    space.initial(&mut initial)?;
    let most = threads.most.max(1);
    let limits = StoreLimits { bytes: query.max_bytes(), states: query.max_states() };
    let store = SharedStore::new(limits, most + 1).with_marks(MARKS);
    let mut writer = store.writer();
    let inserted = store.insert(&store.table(), &mut writer, &initial);
    writer.return_credit();
    let root = match inserted {
        SharedInsertion::New(root) => Some(root),
        _ => None,
    };
    let written = root.map(|first| RecordRange { first, count: 1 });
    let crew = Crew {
        space,
        store,
        root,
        query,
        rounds: Rounds::new(),
        reports: (0..most).map(|_| ThreadReport::default()).collect(),
        found: Mutex::new(None),
        written: Mutex::new(written.into_iter().collect()),
        pool: Pool::default(),
    };
    Ok(thread::scope(|scope| {
        let _end = EndOfRounds(&crew.rounds);
        let spawn = |index: usize, seen: usize| {
            let crew = &crew;
            let thread = thread::Builder::new().name(format!("worker {index}"));
            thread.spawn_scoped(scope, move || take_part(crew, index, rule, seen)).is_ok()
        };
        body(&mut ParallelCycleSearch::new(&crew, rule, threads.wanted, &spawn))
    }))
}

/// The work of a thread besides the leader, in all rounds after the round `seen`.
fn take_part(crew: &Crew<'_>, index: usize, rule: CycleRule, seen: usize) {
    let mut worker = None;
    crew.rounds.take_part(seen, |work| {
        let worker = worker.get_or_insert_with(|| Worker::new(crew, index, rule));
        match work {
            CrewWork::Search => {
                worker.search(crew, u64::MAX);
                worker.release(crew);
            }
            CrewWork::Grow(growth) => while growth.help_once(&crew.store) {},
        }
    });
}
