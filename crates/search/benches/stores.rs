//! The cost of storing states: nanoseconds for new and for known ones, and bytes, for growing
//! numbers of states. `cargo bench -p beeline-search --bench stores`; arguments after `--`: a
//! number of millions (5 by default) and names of stores.
//!
//! The states are those of processes that move independently, in breadth-first order, as batches of
//! successors: the work of a search without its interpreter. Generating the successors is included;
//! it takes some 5 ns each. Each figure is for the states since the previous line, including the
//! growth of tables.

use std::time::{Duration, Instant};

use beeline_kernel::{Expansion, StateId};
use beeline_search::{CompactStore, ExactStore, Inserted, ProbeBatch, StateStore, StoreLimits};

/// A ring of processes with records of some bytes: a location, a counter, and
/// padding; with `grows`, a location can append and remove a record.
#[derive(Clone, Copy)]
struct Ring {
    name: &'static str,
    processes: usize,
    record: usize,
    grows: bool,
}

const RINGS: [Ring; 3] = [
    Ring { name: "24 bytes", processes: 4, record: 5, grows: false },
    Ring { name: "60 bytes", processes: 7, record: 8, grows: false },
    Ring { name: "60-100 bytes", processes: 7, record: 8, grows: true },
];

impl Ring {
    fn initial(self) -> Vec<u8> {
        vec![0; 4 + self.processes * self.record]
    }

    fn expand(self, state: &[u8], expansion: &mut Expansion, next: &mut Vec<u8>) {
        expansion.clear();
        for process in 0..self.processes {
            let at = 4 + process * self.record;
            next.clear();
            next.extend_from_slice(state);
            next[at] = (state[at] + 1) % 23;
            if state[at] % 4 == 3 {
                next[at + 2] = (state[at + 2] + state[0] + 1) % 17;
                next[0] = (state[0] + 1) % 5;
            }
            expansion.push(next);
            if state[at] == 7 {
                next[1] ^= 1 << (process % 8);
                if self.grows {
                    let records = next[1].count_ones() as usize;
                    next.resize(4 + self.processes * self.record + 5 * records, process as u8);
                }
                expansion.push(next);
            }
        }
    }
}

/// Counters since the last line.
#[derive(Default)]
struct Done {
    states: u64,
    fresh: u64,
}

fn measure<T: StateStore>(name: &str, ring: Ring, sizes: &[usize]) {
    let mut store = T::new(StoreLimits::NONE);
    store.insert(&ring.initial());
    let (mut expansion, mut next, mut inserted) = (Expansion::default(), Vec::new(), Vec::new());
    let mut done = Done::default();
    let mut ahead = ProbeBatch::default();
    let mut sizes = sizes.iter();
    let mut size = *sizes.next().expect("there is a size");
    let mut start = Instant::now();
    for turn in 0.. {
        if turn >= store.len() {
            println!("{name:8} {:13} ends at {} states", ring.name, store.len());
            return;
        }
        let opened = store.open(StateId::new(turn).expect("few states"));
        ring.expand(opened, &mut expansion, &mut next);
        inserted.clear();
        store.prefetch_slots(&expansion.successors, &mut ahead);
        store.prefetch_candidates(0..expansion.len(), &mut ahead);
        store.insert_batch(&expansion.successors, 0..expansion.len(), &ahead, |one| {
            inserted.push(one)
        });
        done.states += inserted.len() as u64;
        let fresh = inserted.iter().filter(|one| matches!(one, Inserted::New(_))).count();
        done.fresh += fresh as u64;
        if store.len() >= size {
            let elapsed = start.elapsed();
            // Lookups of stored states, in an order that defeats the caches.
            let known = look_up(&mut store, 1_000_000);
            println!(
                "{name:8} {:13} {:>9} states  {:6.1} ns/insert ({:4.1} % new)  {:6.1} ns/lookup  \
                 {:5.1} bytes/state  {:.2} s",
                ring.name,
                store.len(),
                elapsed.as_nanos() as f64 / done.states as f64,
                100.0 * done.fresh as f64 / done.states as f64,
                known,
                store.bytes() as f64 / store.len() as f64,
                elapsed.as_secs_f64(),
            );
            done = Done::default();
            let Some(&bigger) = sizes.next() else { return };
            size = bigger;
            start = Instant::now();
        }
    }
}

/// Nanoseconds to find a state that is stored, one at a time.
fn look_up<T: StateStore>(store: &mut T, count: usize) -> f64 {
    let (mut state, mut spent) = (Vec::new(), Duration::ZERO);
    let mut at = 1_usize;
    for _ in 0..count / 16 {
        let states: Vec<Vec<u8>> = (0..16)
            .map(|_| {
                at = at
                    .wrapping_mul(6_364_136_223_846_793_005)
                    .wrapping_add(1_442_695_040_888_963_407);
                let index = ((at >> 32) * store.len()) >> 32;
                store.load(StateId::new(index).expect("few states"), &mut state);
                state.clone()
            })
            .collect();
        let began = Instant::now();
        for state in &states {
            assert!(matches!(store.insert(state), Inserted::Old(_)));
        }
        spent += began.elapsed();
    }
    spent.as_nanos() as f64 / count as f64
}

fn main() {
    let args: Vec<String> = std::env::args().skip(1).filter(|arg| arg != "--bench").collect();
    let millions = args.iter().find_map(|arg| arg.parse::<usize>().ok()).unwrap_or(5);
    let wanted = |name: &str| {
        let mut names = args.iter().filter(|arg| arg.parse::<usize>().is_err()).peekable();
        names.peek().is_none() || names.any(|arg| arg == name)
    };
    let sizes = [100_000, 1_000_000, millions * 1_000_000];
    for ring in RINGS {
        if wanted("exact") {
            measure::<ExactStore>("exact", ring, &sizes);
        }
        if wanted("compact") {
            measure::<CompactStore>("compact", ring, &sizes);
        }
    }
}
