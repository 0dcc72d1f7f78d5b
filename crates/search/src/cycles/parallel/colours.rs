//! The marks of a stored state: colours and the class of its component, which all threads see, and its
//! parent.
//!
//! A colour is set once and never removed. Changes are sequentially consistent, so all threads
//! agree on their order.

use std::collections::HashSet;
use std::hash::BuildHasherDefault;
use std::sync::atomic::{AtomicU8, Ordering};

use super::super::number_hash::NumberHash;
use crate::store::shared::{RecordId, SharedStore};

/// The place of the class among the marks, after the colours.
const CLASS: usize = 1;
/// The first place of the parent, which takes the rest.
const PARENT: usize = 2;
/// Bytes of marks of a state.
pub(super) const MARKS: usize = 8;
const _: () = assert!(RecordId::BITS as usize <= 8 * (MARKS - PARENT));

/// Colours of a state, as bits.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct SharedColours(u8);

impl SharedColours {
    /// Some thread has entered the state.
    pub(super) const ENTERED: SharedColours = SharedColours(1);
    /// Some thread has left the state: all its successors were searched.
    pub(super) const BLUE: SharedColours = SharedColours(2);
    /// No accepting cycle can be reached from the state any more.
    pub(super) const RED: SharedColours = SharedColours(4);
    /// A red search from the state is necessary.
    pub(super) const SEED: SharedColours = SharedColours(8);

    /// The colours of a state.
    #[inline]
    pub(super) fn of(store: &SharedStore, id: RecordId) -> SharedColours {
        SharedColours(store.marks(id)[0].load(Ordering::SeqCst))
    }

    /// Adds colours to a state.
    #[inline]
    pub(super) fn paint(self, store: &SharedStore, id: RecordId) {
        store.marks(id)[0].fetch_or(self.0, Ordering::SeqCst);
    }

    /// Whether all of these colours are there.
    #[inline]
    pub(super) fn has(self, others: SharedColours) -> bool {
        self.0 & others.0 == others.0
    }

    /// The colours of both.
    #[inline]
    pub(super) fn and(self, others: SharedColours) -> SharedColours {
        SharedColours(self.0 | others.0)
    }
}

/// Sets the class of a state, before it is entered.
#[inline]
pub(super) fn set_class(store: &SharedStore, id: RecordId, class: u8) {
    store.marks(id)[CLASS].store(class, Ordering::Relaxed);
}

/// The class of a state that some thread has entered, as its colours tell.
#[inline]
pub(super) fn class(store: &SharedStore, id: RecordId) -> u8 {
    store.marks(id)[CLASS].load(Ordering::Relaxed)
}

/// Sets the parent of a state. Only the thread that has stored the state does so, once.
#[inline]
pub(super) fn set_parent(store: &SharedStore, id: RecordId, parent: RecordId) {
    let bytes = parent.number().to_le_bytes();
    let places: &[AtomicU8] = &store.marks(id)[PARENT..];
    places.iter().zip(bytes).for_each(|(place, byte)| place.store(byte, Ordering::Relaxed));
}

/// The parent of a state; `None` for the initial state. To be called when no thread stores states.
pub(super) fn parent(store: &SharedStore, id: RecordId) -> Option<RecordId> {
    let mut bytes = [0; 8];
    let places: &[AtomicU8] = &store.marks(id)[PARENT..];
    bytes.iter_mut().zip(places).for_each(|(byte, place)| *byte = place.load(Ordering::Relaxed));
    RecordId::of_number(u64::from_le_bytes(bytes))
}

/// States that one thread knows.
#[derive(Debug, Default)]
pub(super) struct LocalStates {
    states: HashSet<RecordId, BuildHasherDefault<NumberHash>>,
}

impl LocalStates {
    /// Adds a state. Returns whether it is new.
    #[inline]
    pub(super) fn insert(&mut self, id: RecordId) -> bool {
        self.states.insert(id)
    }

    /// Removes a state.
    #[inline]
    pub(super) fn remove(&mut self, id: RecordId) {
        self.states.remove(&id);
    }

    /// Whether a state is there.
    #[inline]
    pub(super) fn has(&self, id: RecordId) -> bool {
        self.states.contains(&id)
    }

    /// Takes all states, in no particular order, and keeps the memory.
    pub(super) fn drain(&mut self) -> impl Iterator<Item = RecordId> {
        self.states.drain()
    }

    /// Memory held.
    pub(super) fn bytes(&self) -> usize {
        self.states.capacity() * (size_of::<RecordId>() + 1)
    }
}
