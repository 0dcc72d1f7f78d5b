//! Tries all orders of the steps of threads, with few preemptions, and all values that reads may
//! see: in insertions, in the publication of records, and while threads fill a longer table.
//! The table and the portions of threads are as small as possible.
//!
//! They run with loom, which takes a build of its own: `.ci/run` has the command.

use loom::model::Builder;
use loom::thread;

use super::*;

/// Preemptions of one run: two orders of three threads differ by fewer in known errors.
const PREEMPTIONS: usize = 3;

fn check(test: impl Fn() + Sync + Send + 'static) {
    let mut builder = Builder::new();
    builder.preemption_bound = Some(PREEMPTIONS);
    builder.check(test);
}

fn empty(threads: usize) -> Arc<SharedStore> {
    let limits = StoreLimits { bytes: usize::MAX, states: usize::MAX };
    Arc::new(SharedStore::new(limits, threads))
}

/// Inserts states of one byte.
fn insert(store: &SharedStore, states: &[u8]) -> Vec<(u8, SharedInsertion)> {
    let (table, mut writer) = (store.table(), store.writer());
    let inserted = states.iter().map(|&state| (state, store.insert(&table, &mut writer, &[state])));
    inserted.collect()
}

/// Inserts these states in as many threads, and checks that one insertion of each state finds it new,
/// and the others find it there.
fn insert_at_once(store: &Arc<SharedStore>, of_threads: &[&'static [u8]]) {
    let spawn = |&states: &&'static [u8]| {
        let store = Arc::clone(store);
        thread::spawn(move || insert(&store, states))
    };
    let (own, others) = of_threads.split_first().expect("there is a thread");
    let others: Vec<_> = others.iter().map(spawn).collect();
    let mut inserted = insert(store, own);
    inserted.extend(others.into_iter().flat_map(|other| other.join().expect("it ends")));
    let mut states: Vec<u8> = inserted.iter().map(|&(state, _)| state).collect();
    states.sort_unstable();
    states.dedup();
    for state in states {
        let of_state = inserted.iter().filter(|&&(of, _)| of == state);
        let (new, old): (Vec<_>, Vec<_>) = of_state
            .map(|&(_, inserted)| inserted)
            .partition(|inserted| matches!(inserted, SharedInsertion::New(_)));
        let [SharedInsertion::New(id)] = new[..] else { panic!("new more than once: {new:?}") };
        assert!(old.iter().all(|&inserted| inserted == SharedInsertion::Old(id)), "{old:?}");
        assert_eq!(store.state(id), [state]);
    }
}

#[test]
fn loom_one_insertion_of_a_state_finds_it_new() {
    check(|| insert_at_once(&empty(2), &[&[1, 2], &[2, 1]]));
}

#[test]
fn loom_three_threads_insert_one_state() {
    check(|| insert_at_once(&empty(3), &[&[1], &[1], &[1]]));
}

#[test]
fn loom_two_threads_fill_a_longer_table() {
    check(|| {
        let store = empty(2);
        let states: Vec<u8> = (0..12).collect();
        let before = insert(&store, &states);
        assert_eq!(insert(&store, &[12]), [(12, SharedInsertion::TableFull)]);
        let Lengthening::Copy(copy) = store.lengthen(states.len()) else {
            panic!("the table is copied");
        };
        let copy = Arc::new(copy);
        let fill = |store: &SharedStore, copy: &TableCopy| {
            let table = store.table();
            while store.copy_part(&table, copy) {}
        };
        let (of_other, copy_of_other) = (Arc::clone(&store), Arc::clone(&copy));
        let other = thread::spawn(move || fill(&of_other, &copy_of_other));
        fill(&store, &copy);
        other.join().expect("it ends");
        store.end_copy(&copy);
        let old = insert(&store, &states);
        for ((_, before), (state, now)) in before.into_iter().zip(old) {
            let SharedInsertion::New(id) = before else { panic!("{state} was new") };
            assert_eq!(now, SharedInsertion::Old(id), "{state}");
        }
    });
}

#[test]
fn loom_insertions_go_on_in_a_longer_table() {
    check(|| {
        let store = empty(2);
        insert(&store, &(0..12).collect::<Vec<u8>>());
        let Lengthening::Copy(copy) = store.lengthen(12) else { panic!("the table is copied") };
        let table = store.table();
        while store.copy_part(&table, &copy) {}
        drop(table);
        store.end_copy(&copy);
        insert_at_once(&store, &[&[12], &[12]]);
    });
}

/// What these tests would say of a wrong protocol.
#[test]
#[should_panic(expected = "Causality violation")]
fn loom_finds_a_publication_without_order() {
    check(|| {
        let store = empty(2);
        let of_other = Arc::clone(&store);
        let other = thread::spawn(move || insert(&of_other, &[1]));
        let (table, mut writer) = (store.table(), store.writer());
        let hash = FoldedMultiply::hash(&[1]);
        let id = store.records.write(&mut writer, &[1], 0).expect("there is memory");
        table.publish_without_order(table.home(hash), hash, id);
        other.join().expect("it ends");
    });
}
