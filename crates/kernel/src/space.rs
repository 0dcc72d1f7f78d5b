//! The interface of a transition system for searches: all successors of a state at once, in one
//! flat buffer. A transition may comprise several steps, as an atomic sequence does.

use std::ops::Range;

use crate::{AcceptanceMarks, ClaimComponent, Fault, SleepSet};

/// The label of a step: its process and edge. Spaces without processes use the default.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(C)]
pub struct StepLabel {
    /// The number of the edge.
    pub edge: u32,
    /// The number of the process.
    pub process: u32,
}

/// A transition from a state to a successor.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(C)]
pub struct Transition {
    /// The end of the successor in the buffer.
    pub end: u32,
    /// Its cost in steps: more than one where states in between are not stored.
    pub steps: u32,
    /// The label of its first step.
    pub label: StepLabel,
}

/// A transition that ends in a fault.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FaultTransition {
    /// The fault.
    pub fault: Fault,
    /// Its cost in steps, including the failing one.
    pub steps: u32,
}

/// States in one buffer, each with the transition to it.
#[derive(Clone, Debug, Default)]
pub struct Successors {
    /// Both vectors are longer than the used part, so that they seldom grow.
    bytes: Vec<u8>,
    transitions: Vec<Transition>,
    len: usize,
}

impl Successors {
    /// Removes all but the first `len` states, keeping the memory.
    #[inline]
    pub fn truncate(&mut self, len: usize) {
        self.len = self.len.min(len);
    }

    /// Adds a successor with its cost in steps and the label of the first step.
    #[inline]
    pub fn push(&mut self, steps: u32, label: StepLabel, state: &[u8]) {
        let start = self.used();
        let end = start + state.len();
        if end > self.bytes.len() {
            self.bytes.resize(end.next_power_of_two(), 0);
        }
        self.bytes[start..end].copy_from_slice(state);
        if self.len == self.transitions.len() {
            self.transitions.resize((2 * self.len).max(64), Transition::default());
        }
        self.transitions[self.len] = Transition { end: end as u32, steps, label };
        self.len += 1;
    }

    /// The number of states.
    #[inline]
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether there are no states.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// The number of used bytes of the buffer.
    #[inline]
    pub fn used(&self) -> usize {
        if self.len == 0 { 0 } else { self.transitions[self.len - 1].end as usize }
    }

    /// All states, one after the other.
    #[inline]
    pub fn buffer(&self) -> &[u8] {
        &self.bytes[..self.used()]
    }

    /// The length of all states; 0 if they differ, or if there are none.
    #[inline]
    pub fn common_length(&self) -> usize {
        let length = self.transitions().first().map_or(0, |first| first.end);
        let mut end = 0;
        let differs = self.transitions().iter().fold(0, |differs, transition| {
            end += length;
            differs | (transition.end ^ end)
        });
        if differs == 0 { length as usize } else { 0 }
    }

    /// The buffer, the transitions, and the number of used transitions, for generated code. Buffer
    /// and transitions may be longer than the used part.
    #[inline]
    pub fn parts(&mut self) -> (&mut Vec<u8>, &mut Vec<Transition>, &mut usize) {
        (&mut self.bytes, &mut self.transitions, &mut self.len)
    }

    /// Memory in bytes.
    pub fn bytes(&self) -> usize {
        self.bytes.capacity() + self.transitions.capacity() * size_of::<Transition>()
    }

    /// The transitions to the states, in order.
    #[inline]
    pub fn transitions(&self) -> &[Transition] {
        &self.transitions[..self.len]
    }

    /// A state, by its position.
    #[inline]
    pub fn state(&self, at: usize) -> &[u8] {
        let start = if at == 0 { 0 } else { self.transitions[at - 1].end };
        &self.bytes[start as usize..self.transitions[at].end as usize]
    }

    /// A state, for modification; it keeps its length.
    #[inline]
    pub fn state_mut(&mut self, at: usize) -> &mut [u8] {
        let start = if at == 0 { 0 } else { self.transitions[at - 1].end };
        &mut self.bytes[start as usize..self.transitions[at].end as usize]
    }

    /// All states, in the order found.
    #[inline]
    pub fn states(&self) -> impl ExactSizeIterator<Item = &[u8]> {
        self.states_in(0..self.len)
    }

    /// A range of the states, in the order found.
    #[inline]
    pub fn states_in(&self, range: Range<usize>) -> impl ExactSizeIterator<Item = &[u8]> {
        let mut start =
            if range.start == 0 { 0 } else { self.transitions[range.start - 1].end as usize };
        self.transitions[range].iter().map(move |transition| {
            let state = &self.bytes[start..transition.end as usize];
            start = transition.end as usize;
            state
        })
    }
}

/// The expansion of a state, or of several states in sequence.
#[derive(Clone, Debug, Default)]
pub struct Expansion {
    /// The successors, one for each transition.
    pub successors: Successors,
    /// The transitions that end in faults, in order.
    pub faults: Vec<FaultTransition>,
    /// Whether the state that was expanded last is a deadlock: no process can move, and some
    /// process is not at a valid end.
    pub deadlock: bool,
    /// The invariants that the state violates, by number.
    pub violated_invariants: Vec<u32>,
    /// Steps between the state and its successors to states that are not stored.
    pub hidden_steps: u64,
    /// Transitions that were pruned by a sleep set.
    pub pruned_by_sleep: u64,
    /// Whether the state that was expanded last is accepting.
    pub accepting: bool,
    /// Its component of the claim.
    pub component: ClaimComponent,
    /// With generalised acceptance: the marks of each transition. Otherwise empty.
    pub marks: Vec<AcceptanceMarks>,
}

impl Expansion {
    /// Clears everything, keeping the memory.
    #[inline]
    pub fn clear(&mut self) {
        self.successors.truncate(0);
        self.faults.clear();
        self.violated_invariants.clear();
        self.deadlock = false;
        self.hidden_steps = 0;
        self.pruned_by_sleep = 0;
        self.accepting = false;
        self.component = ClaimComponent::default();
        self.marks.clear();
    }

    /// Adds a successor with a cost of one step.
    #[inline]
    pub fn push(&mut self, state: &[u8]) {
        self.push_with_cost(1, state);
    }

    /// Adds a successor with this cost in steps.
    #[inline]
    pub fn push_with_cost(&mut self, steps: u32, state: &[u8]) {
        self.push_labelled(steps, StepLabel::default(), state);
    }

    /// The same, with the label of the first step.
    #[inline]
    pub fn push_labelled(&mut self, steps: u32, label: StepLabel, state: &[u8]) {
        self.successors.push(steps, label, state);
    }

    /// Adds the expansion of another state.
    pub fn append(&mut self, other: &Expansion) {
        for (transition, state) in other.successors.transitions().iter().zip(other.states()) {
            self.push_labelled(transition.steps, transition.label, state);
        }
        self.faults.extend_from_slice(&other.faults);
        self.violated_invariants.extend_from_slice(&other.violated_invariants);
        self.deadlock = other.deadlock;
        self.hidden_steps += other.hidden_steps;
        self.pruned_by_sleep += other.pruned_by_sleep;
        self.accepting = other.accepting;
        self.component = other.component;
        self.marks.extend_from_slice(&other.marks);
    }

    /// The number of successors.
    #[inline]
    pub fn len(&self) -> usize {
        self.successors.len()
    }

    /// Whether there are no successors.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.successors.is_empty()
    }

    /// Whether there is a deadlock, a fault or a violated invariant.
    #[inline]
    pub fn has_findings(&self) -> bool {
        self.deadlock || !self.faults.is_empty() || !self.violated_invariants.is_empty()
    }

    /// The end of what is there.
    #[inline]
    pub fn end(&self) -> ExpansionEnd {
        ExpansionEnd {
            successors: self.len() as u32,
            pruned_by_sleep: self.pruned_by_sleep as u32,
            hidden_steps: self.hidden_steps,
        }
    }

    /// The cost of a transition in steps.
    #[inline]
    pub fn steps(&self, at: usize) -> u32 {
        self.successors.transitions()[at].steps
    }

    /// A successor, in the order found.
    #[inline]
    pub fn state(&self, at: usize) -> &[u8] {
        self.successors.state(at)
    }

    /// All successors, in the order found.
    #[inline]
    pub fn states(&self) -> impl ExactSizeIterator<Item = &[u8]> {
        self.successors.states()
    }
}

/// The end of the part of an [`Expansion`] that belongs to a state and those before it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ExpansionEnd {
    /// The number of successors up to here.
    pub successors: u32,
    /// [`Expansion::pruned_by_sleep`] up to here.
    pub pruned_by_sleep: u32,
    /// [`Expansion::hidden_steps`] up to here.
    pub hidden_steps: u64,
}

/// A state space.
pub trait Space: Sync {
    /// Writes the initial state, replacing what is in `state`.
    ///
    /// # Errors
    ///
    /// When the model fails before its first step.
    fn initial(&self, state: &mut Vec<u8>) -> Result<(), Fault>;

    /// Computes the successors of `state`, replacing what is in `expansion`. The result and its
    /// order are deterministic.
    fn expand(&self, state: &[u8], expansion: &mut Expansion);

    /// Whether states can cover others: a store may leave out a state if one with the same key and
    /// no smaller bound is stored. The form of such states is that of a covering store.
    fn has_coverage(&self) -> bool {
        false
    }

    /// An expander for many states. Each thread needs its own.
    fn expander(&self) -> Box<dyn Expander + '_> {
        Box::new(StatelessExpander { space: self, expansion: Expansion::default() })
    }
}

/// Expands states, with caches that persist between them. The caches have no influence on the
/// result.
pub trait Expander: Send {
    /// Like [`Space::expand`], but adds to what is in `expansion`.
    fn expand(&mut self, state: &[u8], expansion: &mut Expansion);

    /// The same, replacing what is in `expansion`.
    fn expand_only(&mut self, state: &[u8], expansion: &mut Expansion) {
        expansion.clear();
        self.expand(state, expansion);
    }

    /// Expands a state with a sleep set: the transitions of its processes may be pruned, which is
    /// counted.
    fn expand_except(&mut self, state: &[u8], except: SleepSet, expansion: &mut Expansion) {
        let _ = except;
        self.expand(state, expansion);
    }

    /// Expands states in sequence, each with its sleep set, and tells where the part of each ends. The
    /// last one is the last of them, or the first with a finding: only that one has any.
    ///
    /// What is in `expansion` has no findings.
    fn expand_batch(
        &mut self,
        states: &[(&[u8], SleepSet)],
        expansion: &mut Expansion,
        ends: &mut Vec<ExpansionEnd>,
    ) {
        expand_each(self, states, expansion, ends);
    }

    /// Independence for sleep sets: those of the processes `others`, each of which has exactly one
    /// transition of one step in `state`, that a transition out of `state` neither disables nor
    /// affects, so that both orders reach the same state. `None` when that is not known, or not
    /// yet.
    fn commuting_with(
        &mut self,
        state: &[u8],
        transition: StepLabel,
        others: SleepSet,
    ) -> Option<SleepSet> {
        let _ = (state, transition, others);
        None
    }
}

/// Expands states as [`Expander::expand_batch`] does, one call for each.
pub fn expand_each<E: Expander + ?Sized>(
    expander: &mut E,
    states: &[(&[u8], SleepSet)],
    expansion: &mut Expansion,
    ends: &mut Vec<ExpansionEnd>,
) {
    for &(state, asleep) in states {
        expansion.deadlock = false;
        expander.expand_except(state, asleep, expansion);
        ends.push(expansion.end());
        if expansion.has_findings() {
            break;
        }
    }
}

/// Expands each state from scratch.
struct StatelessExpander<'a, S: ?Sized> {
    space: &'a S,
    expansion: Expansion,
}

impl<S: Space + ?Sized> Expander for StatelessExpander<'_, S> {
    fn expand(&mut self, state: &[u8], expansion: &mut Expansion) {
        self.space.expand(state, &mut self.expansion);
        expansion.append(&self.expansion);
    }
}
