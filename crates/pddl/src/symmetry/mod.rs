//! Structural symmetries of a task, and the state space in which one state stands for those that are
//! symmetric to it.
//!
//! A *symmetry* is a permutation π of the factors, of their values, of the numeric fluents, of the
//! derived facts and of the operators that keeps the text of the task: costs, conditions, effects,
//! axioms and the goal. It need not keep the initial state.
//!
//! Promises: a plan from the initial state exists in the space of [`OrbitSpace`] if and only if one
//! exists in the space of the task, and the cheapest ones cost the same. This holds together with
//! stubborn sets, too.
//!
//! Proof: π keeps the text. So an operator `o` is applicable in a state `s` if and only if π(o) is in π(s),
//! it costs the same, it leads to the image of the successor, and `s` is in the goal if and only if
//! π(s) is. So `s` and π(s) have plans of the same costs and lengths. The orbit space replaces each
//! successor `t` by the image of `t` under some symmetry. By induction on the length of a plan from a
//! state, a state has a plan of n actions that cost c in the orbit space if it has one in the space of
//! the task, and conversely by applying the inverse symmetries: [`OrbitSpace::plain_path`]. A stubborn
//! set of a state has the first operator of a plan that costs as much as a given one and is as long, so
//! the same induction is on n.
//! A consistent heuristic may be inconsistent in the orbit space, unless symmetric states have equal
//! estimates. Admissible ones stay admissible.
//!
//! Source: [PZR11] for symmetries as automorphisms of a graph that describes the task, and for
//! canonical states by hill climbing; [DKS12] for symmetries that do not keep the initial state.
//! Deviation: conditional effects, axioms and numbers are part of the graph. A small group is
//! enumerated, so that its canonical states are the least ones of their orbits.

mod automorphisms;
mod coloring;
mod description_graph;
mod orbit_space;
mod permutation;
#[cfg(test)]
mod tests;

use beeline_kernel::Deadline;

use crate::encode::EncodedTask;
use crate::space::PlanningSpace;
use automorphisms::automorphisms;
use description_graph::DescriptionGraph;
#[cfg(test)]
use description_graph::GraphPart;
pub(crate) use orbit_space::OrbitSpace;
use permutation::{StatePermutation, StateSlots};

/// The most elements of a group that is enumerated.
const MOST_ELEMENTS: usize = 100;
/// The most powers of a generator, if the group is larger.
const MOST_POWERS: usize = 8;

/// Symmetries of a task that move some state.
#[derive(Debug)]
pub(crate) struct Symmetries {
    slots: StateSlots,
    elements: Vec<StatePermutation>,
    is_group: bool,
}

impl Symmetries {
    /// The symmetries that are found within limits of work and time; `None` if there is none.
    pub(crate) fn of(space: &PlanningSpace, deadline: Deadline) -> Option<Symmetries> {
        let graph = DescriptionGraph::of(&space.task)?;
        Symmetries::of_graph(&space.task, &graph, deadline)
    }

    /// The automorphisms of a graph.
    fn of_graph(
        task: &EncodedTask,
        graph: &DescriptionGraph,
        deadline: Deadline,
    ) -> Option<Symmetries> {
        let slots = StateSlots::new(task);
        let found = automorphisms(graph, deadline);
        let generators = found.iter().map(|one| slots.permutation(graph, one));
        let mut generators: Vec<StatePermutation> = generators.collect();
        generators.retain(|one| !one.is_identity());
        Symmetries::generated(slots, generators)
    }

    fn generated(slots: StateSlots, generators: Vec<StatePermutation>) -> Option<Symmetries> {
        if generators.is_empty() {
            return None;
        }
        let (elements, is_group) = match group(&slots, &generators) {
            Some(elements) => (elements, true),
            None => (powers(&slots, &generators), false),
        };
        Some(Symmetries { slots, elements, is_group })
    }

    /// The number of symmetries that are applied to a state, and whether they and the identity are a
    /// group.
    pub(crate) fn size(&self) -> (usize, bool) {
        (self.elements.len(), self.is_group)
    }
}

/// All products of generators but the identity; `None` if there are too many.
fn group(slots: &StateSlots, generators: &[StatePermutation]) -> Option<Vec<StatePermutation>> {
    let mut elements = vec![slots.identity()];
    let mut done = 0;
    while done < elements.len() {
        for generator in generators {
            let product = slots.product(generator, &elements[done]);
            if !elements.contains(&product) {
                elements.push(product);
            }
        }
        if elements.len() > MOST_ELEMENTS {
            return None;
        }
        done += 1;
    }
    elements.remove(0);
    Some(elements)
}

/// The generators with their inverses and some powers.
fn powers(slots: &StateSlots, generators: &[StatePermutation]) -> Vec<StatePermutation> {
    let mut all: Vec<StatePermutation> = Vec::new();
    for generator in generators {
        let mut power = generator.clone();
        for _ in 0..MOST_POWERS {
            if power.is_identity() {
                break;
            }
            let next = slots.product(generator, &power);
            for one in [slots.inverse(&power), power] {
                if !all.contains(&one) {
                    all.push(one);
                }
            }
            power = next;
        }
    }
    all
}
