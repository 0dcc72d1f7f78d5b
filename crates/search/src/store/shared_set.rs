//! The contract of sets of states that several threads fill at once, and that recognise states
//! without giving them back: [compact](super::shared::compact) without loss, hash compaction and
//! bit-state hashing, which are in `visited`, with loss. The [shared exact store](super::shared) gives states back, and has a contract of its own.
//!
//! A thread inserts by a writer of its own, in three steps, so that memory accesses of a batch
//! overlap: [`fingerprint`](SharedSet::fingerprint), [`prefetch`](SharedSet::prefetch),
//! [`insert`](SharedSet::insert). A thread that finds no room is told so. When all threads have
//! [released](SharedSet::release) their writers and returned the table, one of them calls
//! [`make_room`](SharedSet::make_room), and all of them [`refill`](SharedSet::refill).

use std::sync::Arc;

/// The result of an insertion.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum SetInsertion {
    /// The state was not in the set, and is now. In a set with loss, two threads that insert a
    /// state at the same time may both be told so.
    New,
    /// The state was in the set; in a set with loss, perhaps another one.
    Old,
    /// The state is not in the set: room has to be made.
    TableFull,
    /// The state is not in the set, and there is no memory for it.
    MemoryFull,
}

/// What making room has led to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Room {
    /// There is a new table, which all threads have to fill.
    Refill,
    /// The table is as before, and some insertions are possible.
    LastSlots,
    /// There is no room.
    Impossible,
}

/// A set of states for several threads.
pub(crate) trait SharedSet: Sync {
    /// Whether states are told apart without loss.
    const IS_EXACT: bool;

    /// The table between two calls of [`make_room`](SharedSet::make_room).
    type Table: Send + Sync;

    /// What a thread needs for insertions.
    type Writer: Send;

    /// What represents a state in the table.
    type Fingerprint: Copy + Send;

    /// The table. To be dropped before room is made.
    fn table(&self) -> Arc<Self::Table>;

    /// A writer for a thread.
    fn writer(&self) -> Self::Writer;

    /// The fingerprint of a state. Prefetches its place in the table.
    fn fingerprint(
        &self,
        table: &Self::Table,
        writer: &mut Self::Writer,
        state: &[u8],
    ) -> Self::Fingerprint;

    /// Prefetches what an insertion compares, when the place in the table has arrived.
    fn prefetch(&self, table: &Self::Table, fingerprint: Self::Fingerprint) {
        let _ = (table, fingerprint);
    }

    /// Inserts a state with a fingerprint for this table.
    fn insert(
        &self,
        table: &Self::Table,
        writer: &mut Self::Writer,
        fingerprint: Self::Fingerprint,
        state: &[u8],
    ) -> SetInsertion;

    /// Returns what a writer has reserved, and takes over what it has noted.
    fn release(&self, writer: &mut Self::Writer);

    /// Makes room when `stored` states are stored.
    fn make_room(&self, stored: usize) -> Room;

    /// Helps to fill a new table, until all of it is filled or is being filled by others.
    fn refill(&self);

    /// Frees what only a refill needs, when all threads have returned from it.
    fn end_refill(&self) {}

    /// Adapts to the states so far. Called between two levels, when all writers are released.
    fn adapt(&self, stored: usize) {
        let _ = stored;
    }

    /// Memory held.
    fn bytes(&self) -> usize;

    /// Its part in hash tables.
    fn table_bytes(&self) -> usize;

    /// The number of states in the set, and the expected number of omitted ones; `None` without
    /// loss.
    fn omitted(&self) -> Option<(usize, f64)>;
}
