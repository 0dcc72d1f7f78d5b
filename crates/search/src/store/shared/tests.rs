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

#[test]
fn threads_put_processes_to_sleep_in_states_of_the_last_level() {
    let store = SharedStore::new(StoreLimits::NONE, 2).with_sleep_sets(2);
    let (table, mut writers) = (store.table(), [store.writer(), store.writer()]);
    assert_eq!(store.can_sleep(), SleepSet(0xffff));
    let mut ids = Vec::new();
    for level in 1..=3 {
        writers.iter_mut().for_each(|writer| store.begin_level(writer, level));
        for number in 0..100 {
            let state = state(100 * level as usize + number);
            match store.insert(&table, &mut writers[number % 2], &state) {
                SharedInsertion::New(id) => ids.push((level, id, state)),
                other => panic!("{other:?}"),
            }
        }
        for (of, id, state) in &ids {
            assert_eq!(store.is_of_level(*id, level), *of == level);
            assert_eq!(store.state(*id), state);
        }
    }
    thread::scope(|scope| {
        for process in 0..16 {
            let (store, ids) = (&store, &ids);
            scope.spawn(move || {
                for (_, id, _) in ids.iter().skip(process as usize).step_by(3) {
                    store.put_asleep(*id, SleepSet::single(process));
                }
            });
        }
    });
    for (number, (_, id, state)) in ids.iter().enumerate() {
        let is_asleep = |&process: &usize| process <= number && (number - process) % 3 == 0;
        let expected = (0..16).filter(is_asleep).fold(0, |bits, process| bits | 1 << process);
        assert_eq!(store.sleep_set(*id), SleepSet(expected), "{number}");
        assert_eq!(store.state(*id), state);
    }
    let first: Vec<_> = ids.iter().step_by(2).take(50).map(|(_, id, _)| *id).collect();
    let records: Vec<_> = store.records(first[0], 50).map(|(id, _)| id).collect();
    assert_eq!(records, first);
}
