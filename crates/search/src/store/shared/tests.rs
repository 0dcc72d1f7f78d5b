//! Threads with random delays insert random states; the result is compared with a set.

use std::collections::{HashMap, HashSet};
use std::sync::Barrier;
use std::sync::atomic::AtomicBool;
use std::thread;

use beeline_kernel::SplitMix64;

use super::*;

/// What a thread inserted: new states, and how many were stored before.
struct Inserted {
    new: Vec<(Vec<u8>, RecordId)>,
    old: usize,
}

/// A state of one of `variety` values, of one of three lengths.
fn state(number: usize) -> Vec<u8> {
    let mut state = vec![number as u8; [3, 40, 300][number % 3]];
    state.extend_from_slice(&(number as u32).to_le_bytes());
    state
}

/// Threads insert the numbered states in different orders, and lengthen the table together.
fn insert_in_threads(threads: usize, variety: usize, seed: u64) -> (SharedStore, Vec<Inserted>) {
    let store = SharedStore::new(StoreLimits::NONE, threads);
    let (barrier, is_over) = (Barrier::new(threads), AtomicBool::new(false));
    let done = AtomicUsize::new(0);
    let new_records = Mutex::new(Vec::new());
    let growth: Mutex<Option<Arc<Lengthening>>> = Mutex::default();
    let work = |thread: usize| {
        let mut rng = SplitMix64::new(seed * 100 + thread as u64);
        let mut order: Vec<usize> = (0..variety).collect();
        (1..variety).rev().for_each(|at| order.swap(at, rng.below(at + 1)));
        let mut result = Inserted { new: Vec::new(), old: 0 };
        let (mut writer, mut at, mut is_done) = (store.writer(), 0, false);
        // In rounds: insert until the table is full, wait for all, lengthen, refill.
        loop {
            let table = store.table();
            while at < order.len() {
                let state = state(order[at]);
                if rng.below(50) == 0 {
                    thread::yield_now();
                }
                match store.insert(&table, &mut writer, &state) {
                    SharedInsertion::New(id) => {
                        new_records.lock().unwrap().push(id);
                        result.new.push((state, id));
                    }
                    SharedInsertion::Old(_) => result.old += 1,
                    SharedInsertion::TableFull => break,
                    SharedInsertion::MemoryFull => panic!("memory is not limited"),
                }
                at += 1;
            }
            drop(table);
            writer.return_credit();
            if at == order.len() && !is_done {
                is_done = true;
                done.fetch_add(1, Ordering::SeqCst);
            }
            let is_first = barrier.wait().is_leader();
            if is_first {
                is_over.store(done.load(Ordering::SeqCst) == threads, Ordering::SeqCst);
                let stored = new_records.lock().unwrap().len();
                if done.load(Ordering::SeqCst) < threads {
                    *growth.lock().unwrap() = Some(Arc::new(store.lengthen(stored)));
                }
            }
            barrier.wait();
            if is_over.load(Ordering::SeqCst) {
                return result;
            }
            let (table, records) = (store.table(), new_records.lock().unwrap().clone());
            let lengthening = growth.lock().unwrap().clone().expect("it was lengthened");
            match &*lengthening {
                Lengthening::Copy(copy) => while store.copy_part(&table, copy) {},
                Lengthening::Refill => {
                    let own = records.iter().skip(thread).step_by(threads);
                    own.for_each(|&id| store.refill(&table, id, 1));
                }
                other => panic!("{other:?}"),
            }
            drop(table);
            if barrier.wait().is_leader()
                && let Lengthening::Copy(copy) = &*lengthening
            {
                store.end_copy(copy);
            }
            barrier.wait();
        }
    };
    let results = thread::scope(|scope| {
        let workers: Vec<_> =
            (0..threads).map(|thread| scope.spawn(move || work(thread))).collect();
        workers.into_iter().map(|worker| worker.join().unwrap()).collect()
    });
    (store, results)
}

#[test]
fn of_all_insertions_of_a_state_one_is_new() {
    for (threads, variety, seeds) in [(1, 20_000, 1), (2, 20_000, 2), (4, 6_000, 2), (16, 5_000, 2)]
    {
        for seed in 0..seeds {
            let (store, results) = insert_in_threads(threads, variety, seed);
            let new: Vec<_> = results.iter().flat_map(|result| &result.new).collect();
            let states: HashSet<&Vec<u8>> = new.iter().map(|(state, _)| state).collect();
            assert_eq!((new.len(), states.len()), (variety, variety), "{threads} {seed}");
            let old: usize = results.iter().map(|result| result.old).sum();
            assert_eq!(old, (threads - 1) * variety);
            let (table, ids) = (store.table(), new.iter().map(|(state, id)| (state, *id)));
            for (state, id) in ids.collect::<HashMap<_, _>>() {
                assert_eq!(store.state(id), state.as_slice());
                let found = table.find_from(
                    table.home(FoldedMultiply::hash(state)),
                    FoldedMultiply::hash(state),
                    |id| store.state(id) == state.as_slice(),
                );
                assert_eq!(found.1, Some(id));
            }
        }
    }
}

#[test]
fn records_of_any_length_follow_each_other() {
    let store = SharedStore::new(StoreLimits::NONE, 1);
    let (table, mut writer) = (store.table(), store.writer());
    let lengths = [0, 1, 127, 128, 16_383, 16_384, 40_000];
    let ids: Vec<RecordId> = lengths
        .iter()
        .map(|&length| match store.insert(&table, &mut writer, &vec![7; length]) {
            SharedInsertion::New(id) => id,
            other => panic!("{other:?}"),
        })
        .collect();
    for (&id, &length) in ids.iter().zip(&lengths) {
        assert_eq!(store.state(id), vec![7; length]);
    }
    let first: Vec<_> = store.records(ids[0], 6).map(|(id, state)| (id, state.len())).collect();
    let expected: Vec<_> = ids.iter().copied().zip(lengths).take(6).collect();
    assert_eq!(first[..5], expected[..5]);
    assert_eq!(writer.longest, 40_000);
    assert_eq!(store.insert(&table, &mut writer, &vec![7; 5 << 20]), SharedInsertion::MemoryFull);
}

#[test]
fn limits_hold_and_stored_states_are_still_found() {
    let limits = StoreLimits { bytes: 200_000, states: usize::MAX };
    let store = SharedStore::new(limits, 2);
    let (mut table, mut writer, mut stored) = (store.table(), store.writer(), 0);
    let mut ids = Vec::new();
    loop {
        match store.insert(&table, &mut writer, &state(stored)) {
            SharedInsertion::New(id) => {
                stored += 1;
                ids.push(id);
            }
            SharedInsertion::Old(_) => panic!("{stored} is new"),
            SharedInsertion::MemoryFull => break,
            SharedInsertion::TableFull => {
                drop(table);
                writer.return_credit();
                let lengthening = store.lengthen(stored);
                table = store.table();
                match lengthening {
                    Lengthening::LastSlots => {}
                    Lengthening::Impossible => break,
                    Lengthening::Copy(copy) => {
                        while store.copy_part(&table, &copy) {}
                        store.end_copy(&copy);
                    }
                    Lengthening::Refill => {
                        ids.iter().for_each(|&id| store.refill(&table, id, 1));
                    }
                }
            }
        }
        assert!(store.bytes() <= limits.bytes);
    }
    assert!(stored > 500, "{stored}");
    for (number, &id) in ids.iter().enumerate() {
        let old = SharedInsertion::Old(id);
        assert_eq!(store.insert(&table, &mut writer, &state(number)), old);
    }
}

#[test]
fn no_more_states_are_stored_than_allowed() {
    let store = SharedStore::new(StoreLimits { bytes: usize::MAX, states: 100 }, 2);
    let (mut writers, mut stored) = ([store.writer(), store.writer()], 0);
    let table = store.table();
    while let SharedInsertion::New(_) =
        store.insert(&table, &mut writers[stored % 2], &state(stored))
    {
        stored += 1;
    }
    assert!(stored <= 100 && stored > 60, "{stored}");
    drop(table);
    writers.iter_mut().for_each(RecordWriter::return_credit);
    assert!(!matches!(store.lengthen(100), Lengthening::Refill | Lengthening::Copy(_)));
}
