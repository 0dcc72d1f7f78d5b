//! Labelled components: the transition systems that are merged and shrunk.

/// The label of internal steps.
pub const TAU: u32 = FREE - 1;

/// Flag of labels with cost 0, added to a label or to [`TAU`].
pub const FREE: u32 = 1 << 31;

/// The image of pruned states: unreachable, or no error is reachable.
pub(crate) const BOTTOM: u32 = u32::MAX;

/// An edge of a component.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct LabelledEdge {
    /// The source state.
    pub from: u32,
    /// The label number or [`TAU`]; with [`FREE`] if its cost is 0.
    pub label: u32,
    /// The target state.
    pub to: u32,
}

impl LabelledEdge {
    /// The number of its label, or [`TAU`].
    #[inline]
    pub fn number(self) -> u32 {
        self.label & !FREE
    }

    /// The cost.
    #[inline]
    pub fn cost(self) -> u32 {
        u32::from(self.label & FREE == 0)
    }

    /// The internal label that replaces it when no other component takes part.
    #[inline]
    pub(crate) fn alone(self) -> u32 {
        TAU | self.label & FREE
    }
}

/// A labelled transition system.
#[derive(Clone, Debug, Default)]
pub struct LabelledComponent {
    /// Number of states, numbered from 0.
    pub states: usize,
    /// Initial states.
    pub initial: Vec<u32>,
    /// Whether each state is an error state.
    pub error: Vec<bool>,
    /// Edges.
    pub edges: Vec<LabelledEdge>,
}

impl LabelledComponent {
    /// Sorts edges; removes duplicates and self-loops of internal steps.
    pub(crate) fn tidy(&mut self) {
        self.edges.retain(|edge| edge.number() != TAU || edge.from != edge.to);
        self.edges.sort_unstable();
        self.edges.dedup();
    }

    /// Index of the first edge of each state; edges are sorted.
    pub(crate) fn starts(&self) -> Vec<usize> {
        starts(self.states, self.edges.iter().map(|edge| edge.from))
    }

    /// Whether all states are error states, so that errors do not depend on this component.
    pub(crate) fn is_indifferent(&self) -> bool {
        self.states > 0 && self.error.iter().all(|&error| error)
    }
}

/// Start index of each key in a list sorted by keys.
pub(crate) fn starts(keys: usize, all: impl Iterator<Item = u32>) -> Vec<usize> {
    let mut starts = vec![0; keys + 1];
    for key in all {
        starts[key as usize + 1] += 1;
    }
    for at in 0..keys {
        starts[at + 1] += starts[at];
    }
    starts
}

/// The components of a system.
#[derive(Clone, Debug, Default)]
pub struct LabelledComponents {
    /// The components.
    pub each: Vec<LabelledComponent>,
    /// By label: the participating components, ascending.
    pub participants: Vec<Vec<u32>>,
}

/// Maps states of a system to states of its components.
pub trait StateFactors: Send + Sync {
    /// Writes the state of each component. `false` if the system has not chosen its initial state:
    /// then the estimate is 0.
    fn locals(&self, state: &[u8], locals: &mut [u32]) -> bool;
}

impl<F: StateFactors + ?Sized> StateFactors for &F {
    fn locals(&self, state: &[u8], locals: &mut [u32]) -> bool {
        (**self).locals(state, locals)
    }
}
