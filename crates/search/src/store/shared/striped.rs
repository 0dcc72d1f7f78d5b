//! Lock striping: a shared store of many sequential ones, each with a lock of its own.
//!
//! The hash of a state determines its stripe. Threads wait for each other only when they access the
//! same stripe, which is rare when there are many more stripes than threads. Any [`StateSet`] can
//! be a stripe, so a shared store is as exact and as small as its stripes.
//!
//! Source: the usual lock striping of concurrent hash maps. Two accesses to a stripe exclude each
//! other even if both only read.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use beeline_kernel::StateId;

use super::SharedStore;
use crate::store::{ExactStore, FoldedMultiply, Inserted, StateHash, StateSet, StoreLimits};

/// A set of states in stripes of type `S`.
#[derive(Debug)]
pub struct StripedStore<S = ExactStore> {
    /// Their number is a power of two.
    stripes: Vec<Mutex<S>>,
    /// The number of states that may still be inserted.
    room: AtomicUsize,
    max_states: usize,
}

impl<S: StateSet> StripedStore<S> {
    /// An empty set with 2^`bits` stripes. The limit on memory is divided evenly among them.
    pub fn new(limits: StoreLimits, bits: u32) -> StripedStore<S> {
        let stripe = StoreLimits { bytes: limits.bytes >> bits, states: usize::MAX };
        let stripes = (0..1_usize << bits).map(|_| Mutex::new(S::new(stripe))).collect();
        let room = AtomicUsize::new(limits.states);
        StripedStore { stripes, room, max_states: limits.states }
    }

    /// The number of the stripe of a state. Stripes hash states again, with other bits for slots.
    fn stripe_of(&self, state: &[u8]) -> usize {
        // The lowest bits: tables take slots from the upper ones.
        FoldedMultiply::hash(state) as usize & (self.stripes.len() - 1)
    }

    fn lock(&self, stripe: usize) -> MutexGuard<'_, S> {
        // A panic between two changes of a stripe is a bug of the stripe; its states stay readable.
        self.stripes[stripe].lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The id of a state in a stripe, if there are enough ids.
    fn global_id(&self, stripe: usize, id: StateId) -> Option<StateId> {
        StateId::new(id.index() * self.stripes.len() + stripe)
    }

    /// Reserves room for one state.
    fn take_room(&self) -> bool {
        let less = |room: usize| room.checked_sub(1);
        self.room.fetch_update(Ordering::Relaxed, Ordering::Relaxed, less).is_ok()
    }
}

impl<S: StateSet + Send> SharedStore for StripedStore<S> {
    fn insert(&self, state: &[u8]) -> Inserted {
        let stripe = self.stripe_of(state);
        let mut set = self.lock(stripe);
        if let Some(id) = set.find(state) {
            return self.global_id(stripe, id).map_or(Inserted::Full, Inserted::Old);
        }
        let next = StateId::new(set.len()).and_then(|id| self.global_id(stripe, id));
        let Some(next) = next else { return Inserted::Full };
        if !self.take_room() {
            return Inserted::Full;
        }
        if set.insert(state) == Inserted::Full {
            self.room.fetch_add(1, Ordering::Relaxed);
            return Inserted::Full;
        }
        Inserted::New(next)
    }

    fn find(&self, state: &[u8]) -> Option<StateId> {
        let stripe = self.stripe_of(state);
        let id = self.lock(stripe).find(state)?;
        self.global_id(stripe, id)
    }

    fn load(&self, id: StateId, state: &mut Vec<u8>) {
        let (index, stripe) = (id.index() / self.stripes.len(), id.index() % self.stripes.len());
        let id = StateId::new(index).expect("it is not larger than the id itself");
        self.lock(stripe).load(id, state);
    }

    fn len(&self) -> usize {
        self.max_states - self.room.load(Ordering::Relaxed)
    }

    fn bytes(&self) -> usize {
        (0..self.stripes.len()).map(|stripe| self.lock(stripe).bytes()).sum()
    }
}

#[cfg(test)]
mod tests {
    use std::collections::{HashMap, HashSet};
    use std::thread;

    use super::*;
    use crate::store::CompactStore;

    const THREADS: u32 = 4;
    const STATES: u32 = 20_000;

    fn state(number: u32) -> Vec<u8> {
        let mut state = number.to_le_bytes().to_vec();
        state.resize(4 + number as usize % 3 * 8, 7);
        state
    }

    /// The insertions of one thread, with a start and an order of its own.
    fn insert_all<S: StateSet + Send>(store: &StripedStore<S>, thread: u32) -> Vec<Inserted> {
        (0..STATES).map(|n| store.insert(&state((n * 7919 + thread * 5003) % STATES))).collect()
    }

    fn check<S: StateSet + Send>(limits: StoreLimits) -> (usize, usize) {
        let store = StripedStore::<S>::new(limits, 4);
        let results: Vec<Vec<Inserted>> = thread::scope(|scope| {
            let store = &store;
            let spawn = |thread| scope.spawn(move || insert_all(store, thread));
            let threads: Vec<_> = (0..THREADS).map(spawn).collect();
            threads.into_iter().map(|thread| thread.join().expect("no panic")).collect()
        });
        let mut ids: HashMap<u32, StateId> = HashMap::new();
        let (mut new, mut loaded) = (HashSet::new(), Vec::new());
        for (thread, results) in (0..THREADS).zip(&results) {
            for (n, &inserted) in (0..STATES).zip(results) {
                let number = (n * 7919 + thread * 5003) % STATES;
                let id = match inserted {
                    Inserted::Full => continue,
                    Inserted::New(id) => {
                        assert!(new.insert(number), "{number} was new twice");
                        id
                    }
                    Inserted::Old(id) => id,
                };
                assert_eq!(*ids.entry(number).or_insert(id), id);
                assert_eq!(store.find(&state(number)), Some(id));
                store.load(id, &mut loaded);
                assert_eq!(loaded, state(number));
            }
        }
        assert_eq!((new.len(), ids.len()), (store.len(), store.len()));
        assert_eq!(ids.values().collect::<HashSet<_>>().len(), ids.len(), "ids are unique");
        (store.len(), store.bytes())
    }

    #[test]
    fn several_threads_insert_each_state_once() {
        assert_eq!(check::<ExactStore>(StoreLimits::NONE).0, STATES as usize);
        assert_eq!(check::<CompactStore>(StoreLimits::NONE).0, STATES as usize);
    }

    #[test]
    fn several_threads_keep_to_the_limits() {
        let limits = StoreLimits { states: 1_000, ..StoreLimits::NONE };
        assert_eq!(check::<ExactStore>(limits).0, 1_000);
        let limits = StoreLimits { bytes: 200_000, ..StoreLimits::NONE };
        let (states, bytes) = check::<ExactStore>(limits);
        assert!(bytes <= 200_000 && (1_000..STATES as usize).contains(&states), "{states} {bytes}");
    }
}
