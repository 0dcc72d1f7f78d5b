//! Stores that several threads fill at once.

mod striped;

use beeline_kernel::StateId;

use super::Inserted;

pub use striped::StripedStore;

/// A set of states that several threads fill and read at once.
///
/// Contract:
///
/// - Insertions are linearizable: of all insertions of one state, exactly one returns
///   [`Inserted::New`], and all others that find it return [`Inserted::Old`] with the same id.
/// - An id that an insertion or a lookup returned to one thread is valid in every thread that
///   receives it, and names the same state for the life of the set.
/// - Ids are unique, but neither dense nor in the order of insertion; they depend on the order in
///   which threads insert. A search that needs dense numbers counts states itself.
/// - [`Inserted::Full`] is final for new states only: stored states are still found. Limits hold
///   at any time, whatever the number of threads.
///
/// A sequential search uses a [`StateStore`](super::StateStore), which pays for none of this.
pub trait SharedStore: Sync {
    /// Inserts a state, unless it is stored.
    fn insert(&self, state: &[u8]) -> Inserted;

    /// The id of a state, if it is stored. A concurrent insertion may or may not be seen.
    fn find(&self, state: &[u8]) -> Option<StateId>;

    /// Writes a stored state, replacing what is in `state`.
    ///
    /// # Panics
    ///
    /// If the id comes from another set.
    fn load(&self, id: StateId, state: &mut Vec<u8>);

    /// The number of stored states.
    fn len(&self) -> usize;

    /// Whether no state is stored.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Memory held.
    fn bytes(&self) -> usize;
}
