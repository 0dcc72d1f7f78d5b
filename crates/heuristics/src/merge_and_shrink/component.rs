//! Components: what a system is made of.

/// What a component does alone.
pub const TAU: u32 = FREE - 1;

/// Added to a label, or to [`TAU`]: what counts as no step, since it happens along with others.
pub const FREE: u32 = 1 << 31;

/// A state that is none: it cannot be reached, or no error can be reached from it.
pub(crate) const BOTTOM: u32 = u32::MAX;

/// What a component can do.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct LabelledEdge {
    /// Where it begins.
    pub from: u32,
    /// Which label it has: a number, or [`TAU`]; with [`FREE`] if it counts as no step.
    pub label: u32,
    /// Where it ends.
    pub to: u32,
}

impl LabelledEdge {
    /// The number of its label, or [`TAU`].
    #[inline]
    pub fn number(self) -> u32 {
        self.label & !FREE
    }

    /// As how many steps it counts.
    #[inline]
    pub fn cost(self) -> u32 {
        u32::from(self.label & FREE == 0)
    }

    /// The label that it has when nobody else takes part any more.
    #[inline]
    pub(crate) fn alone(self) -> u32 {
        TAU | self.label & FREE
    }
}

/// A part of a system.
#[derive(Clone, Debug, Default)]
pub struct LabelledComponent {
    /// How many states it has, numbered from 0.
    pub states: usize,
    /// Where it can begin.
    pub initial: Vec<u32>,
    /// Whether each state is one of an error.
    pub error: Vec<bool>,
    /// What it can do.
    pub edges: Vec<LabelledEdge>,
}

impl LabelledComponent {
    /// Sorts what it can do, and leaves out what is there twice or leads nowhere.
    pub(crate) fn tidy(&mut self) {
        self.edges.retain(|edge| edge.number() != TAU || edge.from != edge.to);
        self.edges.sort_unstable();
        self.edges.dedup();
    }

    /// Where the edges of each state begin, when they are sorted; those of a state end where
    /// those of the next begin.
    pub(crate) fn starts(&self) -> Vec<usize> {
        starts(self.states, self.edges.iter().map(|edge| edge.from))
    }

    /// Whether an error does not depend on it.
    pub(crate) fn is_indifferent(&self) -> bool {
        self.states > 0 && self.error.iter().all(|&error| error)
    }
}

/// Where the ones of each key begin in a list when it is sorted by keys.
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

/// All components of a system.
#[derive(Clone, Debug, Default)]
pub struct LabelledComponents {
    /// The components.
    pub each: Vec<LabelledComponent>,
    /// For each label the components that do it together, ascending.
    pub participants: Vec<Vec<u32>>,
}

/// How states of a system become states of its components.
pub trait StateFactors: Send + Sync {
    /// Writes the state of each component. `false` where the system has not begun yet: then
    /// nothing is known about the distance.
    fn locals(&self, state: &[u8], locals: &mut [u32]) -> bool;
}

impl<F: StateFactors + ?Sized> StateFactors for &F {
    fn locals(&self, state: &[u8], locals: &mut [u32]) -> bool {
        (**self).locals(state, locals)
    }
}
