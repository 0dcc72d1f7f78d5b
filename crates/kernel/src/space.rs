//! A model seen from the states that are stored.
//!
//! [`TransitionSystem`](crate::TransitionSystem) takes single steps, which replay
//! and reduction need. A search over a whole state space wants less often more:
//! everything that follows a state at once, in one flat buffer, with sequences
//! that nobody can interrupt already run to their end.

use crate::Fault;

/// Everything that follows a state.
#[derive(Clone, Debug, Default)]
pub struct Expansion {
    /// Longer than what is used, so that it need not grow again and again.
    bytes: Vec<u8>,
    ends: Vec<usize>,
    /// What went wrong on the ways, in order.
    pub faults: Vec<Fault>,
    /// Nothing can happen, although something should.
    pub deadlock: bool,
    /// The invariants that do not hold in the state itself, by number.
    pub broken: Vec<u32>,
    /// Steps that were taken between the state and its successors without
    /// being stored.
    pub hidden_steps: u64,
}

impl Expansion {
    /// Forgets everything, keeping the memory.
    #[inline]
    pub fn clear(&mut self) {
        self.ends.clear();
        self.faults.clear();
        self.broken.clear();
        self.deadlock = false;
        self.hidden_steps = 0;
    }

    /// Adds a successor.
    #[inline]
    pub fn push(&mut self, state: &[u8]) {
        let start = self.ends.last().copied().unwrap_or(0);
        let end = start + state.len();
        if end > self.bytes.len() {
            self.bytes.resize(end.next_power_of_two(), 0);
        }
        self.bytes[start..end].copy_from_slice(state);
        self.ends.push(end);
    }

    /// How many successors there are, one for each way that leads to one.
    #[inline]
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Whether there is no successor.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// The buffer and the end of each successor in it, for filling them by hand.
    /// The buffer may be longer than what is used.
    #[inline]
    pub fn parts(&mut self) -> (&mut Vec<u8>, &mut Vec<usize>) {
        (&mut self.bytes, &mut self.ends)
    }

    /// A successor, in the order found.
    #[inline]
    pub fn state(&self, at: usize) -> &[u8] {
        let start = if at == 0 { 0 } else { self.ends[at - 1] };
        &self.bytes[start..self.ends[at]]
    }

    /// All successors, in the order found.
    #[inline]
    pub fn states(&self) -> impl Iterator<Item = &[u8]> {
        let mut start = 0;
        self.ends.iter().map(move |&end| {
            let state = &self.bytes[start..end];
            start = end;
            state
        })
    }
}

/// A state space.
pub trait Space: Sync {
    /// Writes the initial state, replacing what is in `state`.
    ///
    /// # Errors
    ///
    /// When the model fails before its first step.
    fn initial(&self, state: &mut Vec<u8>) -> Result<(), Fault>;

    /// Finds everything that follows `state`, replacing what is in `expansion`.
    /// Deterministic and ordered.
    fn expand(&self, state: &[u8], expansion: &mut Expansion);

    /// Someone who expands many states; each thread wants its own.
    fn expander(&self) -> Box<dyn Expander + '_> {
        Box::new(Forgetful(self))
    }
}

/// Finds what follows a state, with whatever memory it likes to keep between one
/// state and the next. The memory makes it fast, and has no influence on what it finds.
pub trait Expander: Send {
    /// The same as [`Space::expand`].
    fn expand(&mut self, state: &[u8], expansion: &mut Expansion);
}

/// Keeps nothing between states.
struct Forgetful<'a, S: ?Sized>(&'a S);

impl<S: Space + ?Sized> Expander for Forgetful<'_, S> {
    fn expand(&mut self, state: &[u8], expansion: &mut Expansion) {
        self.0.expand(state, expansion);
    }
}
