//! The state space with one state for several symmetric ones.

use std::sync::Arc;

use beeline_kernel::{Expander, Expansion, Fault, Space, StatePath};

use super::Symmetries;
use super::permutation::SlotValues;
use crate::space::PlanningSpace;

/// The space in which successors are replaced by canonical states: the least of its orbit that is
/// found by applying symmetries as long as one makes the state less.
pub(crate) struct OrbitSpace {
    plain: Arc<PlanningSpace>,
    symmetries: Arc<Symmetries>,
}

/// Buffers for canonical states.
#[derive(Default)]
struct OrbitBuffers {
    values: SlotValues,
    images: SlotValues,
}

impl OrbitSpace {
    pub(crate) fn new(plain: Arc<PlanningSpace>, symmetries: Arc<Symmetries>) -> OrbitSpace {
        OrbitSpace { plain, symmetries }
    }

    /// Makes a state canonical; calls `each` with the numbers of the symmetries that are applied.
    fn make_canonical(
        &self,
        state: &mut [u8],
        buffers: &mut OrbitBuffers,
        mut each: impl FnMut(usize),
    ) {
        let (slots, elements) = (&self.symmetries.slots, &self.symmetries.elements);
        let OrbitBuffers { values, images } = buffers;
        slots.read(&self.plain.layout, state, values);
        // The number of symmetries in a row that do not make the state less.
        let (mut at, mut idle, mut is_changed) = (0, 0, false);
        while idle < elements.len() {
            if slots.decreases(&elements[at], values) {
                slots.apply(&elements[at], values, images);
                each(at);
                (idle, is_changed) = (0, true);
            } else {
                idle += 1;
            }
            at = (at + 1) % elements.len();
        }
        if is_changed {
            slots.write(&self.plain.layout, values, state);
        }
    }

    fn canonical_successors(&self, expansion: &mut Expansion, from: usize, to: &mut OrbitBuffers) {
        for at in from..expansion.len() {
            self.make_canonical(expansion.successors.state_mut(at), to, |_| {});
        }
    }

    /// The path of the task for a path of this space; `None` if that is not one.
    pub(crate) fn plain_path(&self, path: &StatePath) -> Option<StatePath> {
        let (slots, elements) = (&self.symmetries.slots, &self.symmetries.elements);
        let mut buffers = OrbitBuffers::default();
        let mut expansion = Expansion::default();
        let mut plain: StatePath = path.first().into_iter().collect();
        // Maps the states of this space to those of the path of the task.
        let mut back = slots.identity();
        let mut pairs = path.pairs();
        while let Some((from, to)) = pairs.advance() {
            self.plain.expand(from, &mut expansion);
            let mut best: Option<(u32, Vec<u8>, Vec<usize>)> = None;
            let transitions = expansion.successors.transitions().iter();
            for (transition, state) in transitions.zip(expansion.states()) {
                let (mut canonical, mut applied) = (state.to_vec(), Vec::new());
                self.make_canonical(&mut canonical, &mut buffers, |one| applied.push(one));
                let is_cheaper = best.as_ref().is_none_or(|best| transition.steps < best.0);
                if canonical == to && is_cheaper {
                    best = Some((transition.steps, state.to_vec(), applied));
                }
            }
            let (_, mut state, applied) = best?;
            slots.read(&self.plain.layout, &state, &mut buffers.values);
            slots.apply(&back, &mut buffers.values, &mut buffers.images);
            slots.write(&self.plain.layout, &buffers.values, &mut state);
            plain.push(&state);
            for one in applied {
                back = slots.product(&back, &slots.inverse(&elements[one]));
            }
        }
        Some(plain)
    }
}

impl Space for OrbitSpace {
    fn initial(&self, state: &mut Vec<u8>) -> Result<(), Fault> {
        self.plain.initial(state)
    }

    fn expand(&self, state: &[u8], expansion: &mut Expansion) {
        self.plain.expand(state, expansion);
        self.canonical_successors(expansion, 0, &mut OrbitBuffers::default());
    }

    fn expander(&self) -> Box<dyn Expander + '_> {
        let buffers = OrbitBuffers::default();
        Box::new(OrbitExpander { space: self, plain: self.plain.expander(), buffers })
    }
}

/// Expands with buffers.
struct OrbitExpander<'a> {
    space: &'a OrbitSpace,
    plain: Box<dyn Expander + 'a>,
    buffers: OrbitBuffers,
}

impl Expander for OrbitExpander<'_> {
    fn expand(&mut self, state: &[u8], expansion: &mut Expansion) {
        let from = expansion.len();
        self.plain.expand(state, expansion);
        self.space.canonical_successors(expansion, from, &mut self.buffers);
    }
}
