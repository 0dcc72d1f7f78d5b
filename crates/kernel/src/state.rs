//! States. A state is a string of bytes, `&[u8]`, and nothing else: stores,
//! sockets, disks and bit-state hashing need no more, and equality of states is
//! equality of bytes. What the bytes mean is known to the transition system.

/// The number of a stored state, in the order of storing.
///
/// Four bytes, since parents and open lists hold one for every state. Whoever
/// runs out of numbers has run out of memory too: see [`StateId::new`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct StateId(u32);

impl StateId {
    /// The id of the state stored as number `index`, from 0; `None` when the
    /// numbers have run out, which a store reports as being full.
    #[inline]
    pub fn new(index: usize) -> Option<StateId> {
        u32::try_from(index).ok().map(StateId)
    }

    /// The number, for looking things up in arrays.
    #[inline]
    pub fn index(self) -> usize {
        self.0 as usize
    }
}
