//! A model seen from the states that are stored.
//!
//! [`TransitionSystem`](crate::TransitionSystem) takes single steps, which replay
//! and reduction need. A search over a whole state space wants less often more:
//! everything that follows a state at once, in one flat buffer, with sequences
//! that nobody can interrupt already run to their end.

use crate::Fault;

/// A way from a state to a successor.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(C)]
pub struct Way {
    /// Where in the buffer the successor ends.
    pub end: u32,
    /// How many steps it takes: more than one through states that are not stored.
    pub steps: u32,
}

/// A way from a state to a fault.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Failure {
    /// What went wrong.
    pub fault: Fault,
    /// How many steps it takes, with the one that failed.
    pub steps: u32,
}

/// Everything that follows a state.
#[derive(Clone, Debug, Default)]
pub struct Expansion {
    /// Longer than what is used, so that it need not grow again and again.
    bytes: Vec<u8>,
    ways: Vec<Way>,
    /// What went wrong on the ways, in order.
    pub faults: Vec<Failure>,
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
        self.ways.clear();
        self.faults.clear();
        self.broken.clear();
        self.deadlock = false;
        self.hidden_steps = 0;
    }

    /// Adds a successor that is one step away.
    #[inline]
    pub fn push(&mut self, state: &[u8]) {
        self.push_behind(1, state);
    }

    /// Adds a successor that is so many steps away.
    #[inline]
    pub fn push_behind(&mut self, steps: u32, state: &[u8]) {
        let start = self.ways.last().map_or(0, |way| way.end as usize);
        let end = start + state.len();
        if end > self.bytes.len() {
            self.bytes.resize(end.next_power_of_two(), 0);
        }
        self.bytes[start..end].copy_from_slice(state);
        self.ways.push(Way { end: end as u32, steps });
    }

    /// How many successors there are, one for each way that leads to one.
    #[inline]
    pub fn len(&self) -> usize {
        self.ways.len()
    }

    /// Whether there is no successor.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.ways.is_empty()
    }

    /// The buffer and the ways to the successors in it, for filling them by hand.
    /// The buffer may be longer than what is used.
    #[inline]
    pub fn parts(&mut self) -> (&mut Vec<u8>, &mut Vec<Way>) {
        (&mut self.bytes, &mut self.ways)
    }

    /// How many steps away a successor is.
    #[inline]
    pub fn steps(&self, at: usize) -> u32 {
        self.ways[at].steps
    }

    /// A successor, in the order found.
    #[inline]
    pub fn state(&self, at: usize) -> &[u8] {
        let start = if at == 0 { 0 } else { self.ways[at - 1].end };
        &self.bytes[start as usize..self.ways[at].end as usize]
    }

    /// All successors, in the order found.
    #[inline]
    pub fn states(&self) -> impl Iterator<Item = &[u8]> {
        let mut start = 0;
        self.ways.iter().map(move |way| {
            let state = &self.bytes[start..way.end as usize];
            start = way.end as usize;
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
