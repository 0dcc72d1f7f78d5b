//! Permutations of the values of states.

use super::description_graph::{DescriptionGraph, VertexId};
use crate::encode::EncodedTask;
use crate::layout::PlanningLayout;

/// The slots of a state: one for each factor, then one for each numeric fluent. A *point* is a value
/// of a factor, or a fluent.
#[derive(Clone, Debug)]
pub(crate) struct StateSlots {
    /// By slot: its first point.
    first: Vec<u32>,
    /// By point: its slot.
    slot: Vec<u32>,
    factors: usize,
}

/// Values of all slots.
pub(super) type SlotValues = Vec<i64>;

/// A permutation of points that maps the points of a slot to those of a slot.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct StatePermutation {
    /// By point: its image.
    points: Vec<u32>,
    /// The slots whose values may change, ascending, each with the slot that its value is from.
    moved: Vec<(u32, u32)>,
}

impl StatePermutation {
    pub(super) fn is_identity(&self) -> bool {
        self.moved.is_empty()
    }
}

impl StateSlots {
    pub(super) fn new(task: &EncodedTask) -> StateSlots {
        let factors = task.groups.len();
        let sizes = task.groups.iter().map(|group| group.size());
        let (mut first, mut slot) = (Vec::new(), Vec::new());
        for (at, size) in (0..).zip(sizes.chain(task.numbers.iter().map(|_| 1))) {
            first.push(slot.len() as u32);
            slot.extend((0..size).map(|_| at));
        }
        StateSlots { first, slot, factors }
    }

    /// What an automorphism of the graph does to states.
    pub(super) fn permutation(
        &self,
        graph: &DescriptionGraph,
        images: &[VertexId],
    ) -> StatePermutation {
        // The vertices of points come first, in order.
        let points = images[..graph.points()].iter().map(|image| image.0).collect();
        self.of_points(points)
    }

    fn of_points(&self, points: Vec<u32>) -> StatePermutation {
        let mut moved = Vec::new();
        for (slot, &first) in (0..).zip(&self.first) {
            let target = self.slot[points[first as usize] as usize];
            let ends = self.first.get(slot as usize + 1).copied();
            let end = ends.unwrap_or(self.slot.len() as u32);
            if (first..end).any(|point| points[point as usize] != point) {
                moved.push((target, slot));
            }
        }
        moved.sort_unstable();
        StatePermutation { points, moved }
    }

    pub(super) fn identity(&self) -> StatePermutation {
        self.of_points((0..self.slot.len() as u32).collect())
    }

    /// First `b`, then `a`.
    pub(super) fn product(&self, a: &StatePermutation, b: &StatePermutation) -> StatePermutation {
        self.of_points(b.points.iter().map(|&point| a.points[point as usize]).collect())
    }

    pub(super) fn inverse(&self, of: &StatePermutation) -> StatePermutation {
        let mut points = vec![0; of.points.len()];
        for (point, &image) in (0..).zip(&of.points) {
            points[image as usize] = point;
        }
        self.of_points(points)
    }

    /// The values of a state.
    pub(super) fn read(&self, layout: &PlanningLayout, state: &[u8], values: &mut SlotValues) {
        values.clear();
        values.extend((0..self.factors as u32).map(|at| i64::from(layout.get(state, at))));
        let fluents = (self.first.len() - self.factors) as u32;
        values.extend((0..fluents).map(|at| layout.number(state, at)));
    }

    /// Makes a state of values.
    pub(super) fn write(&self, layout: &PlanningLayout, values: &SlotValues, state: &mut [u8]) {
        let (factors, fluents) = values.split_at(self.factors);
        (0..).zip(factors).for_each(|(at, &value)| layout.set(state, at, value as u32));
        for (at, &value) in (0..).zip(fluents) {
            // The value is in the range, as it was read from a state.
            let _fits = layout.set_number(state, at, value);
        }
    }

    /// The value of a slot in the image of a state, which is that of another slot in the state.
    #[inline]
    fn image(&self, of: &StatePermutation, (to, from): (u32, u32), values: &SlotValues) -> i64 {
        let value = values[from as usize];
        if from as usize >= self.factors {
            return value;
        }
        let point = self.first[from as usize] + value as u32;
        i64::from(of.points[point as usize] - self.first[to as usize])
    }

    /// Whether the image of a state is less than the state, in the lexicographic order of slots.
    #[inline]
    pub(super) fn decreases(&self, of: &StatePermutation, values: &SlotValues) -> bool {
        for &pair in &of.moved {
            let (new, old) = (self.image(of, pair, values), values[pair.0 as usize]);
            if new != old {
                return new < old;
            }
        }
        false
    }

    /// Replaces values by those of the image.
    pub(super) fn apply(
        &self,
        of: &StatePermutation,
        values: &mut SlotValues,
        images: &mut SlotValues,
    ) {
        images.clone_from(values);
        for &pair in &of.moved {
            images[pair.0 as usize] = self.image(of, pair, values);
        }
        std::mem::swap(values, images);
    }
}
