//! States. A state is a string of bytes, `&[u8]`: stores, sockets, disks and bit-state hashing need
//! no more, and equality of states is equality of bytes. Only the transition system interprets the
//! bytes.

/// The number of a stored state, in the order of storing.
///
/// Four bytes, since parents and open lists hold one for every state. A store whose numbers run out
/// is full: see [`StateId::new`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct StateId(u32);

impl StateId {
    /// The id of the state with number `index`, from 0; `None` when the numbers run out, which a
    /// store reports as being full.
    #[inline]
    pub fn new(index: usize) -> Option<StateId> {
        u32::try_from(index).ok().map(StateId)
    }

    /// The number, as an array index.
    #[inline]
    pub fn index(self) -> usize {
        self.0 as usize
    }
}
