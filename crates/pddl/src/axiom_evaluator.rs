//! Derived facts of a state: each stratum by forward chaining, with a counter of open conditions
//! for each axiom.
//!
//! Source: [Hel09] for the semantics of layered axioms.

use std::sync::Arc;

use crate::encode::{EncodedTask, StateCondition};
use crate::layout::PlanningLayout;

/// The axioms, prepared for evaluation.
#[derive(Debug)]
struct CompiledAxioms {
    heads: Vec<u32>,
    /// By axiom: the conditions that are no positive derived facts of the same or a lower stratum.
    conditions: Vec<Vec<StateCondition>>,
    /// By axiom: the number of positive derived facts in its body.
    open: Vec<u32>,
    /// By derived fact: the axioms with it in their bodies.
    users: Vec<Vec<u32>>,
    /// By stratum: its axioms.
    layers: Vec<Vec<u32>>,
    layer_of: Vec<u32>,
}

/// Evaluates axioms; with buffers of its own for each thread.
#[derive(Clone, Debug)]
pub(crate) struct AxiomEvaluator {
    axioms: Arc<CompiledAxioms>,
    open: Vec<u32>,
    /// By derived fact: whether it holds in the last state.
    pub(crate) holds: Vec<bool>,
    queue: Vec<u32>,
}

impl AxiomEvaluator {
    pub(crate) fn new(task: &EncodedTask) -> AxiomEvaluator {
        let count = task.derived.iter().map(|one| one.layer as usize + 1).max().unwrap_or(0);
        let mut compiled = CompiledAxioms {
            heads: Vec::new(),
            conditions: Vec::new(),
            open: Vec::new(),
            users: vec![Vec::new(); task.derived.len()],
            layers: vec![Vec::new(); count],
            layer_of: task.derived.iter().map(|one| one.layer).collect(),
        };
        for (at, axiom) in (0u32..).zip(&task.axioms) {
            compiled.heads.push(axiom.head);
            let is_derived =
                |one: &&StateCondition| matches!(one, StateCondition::Derived(_, true));
            let derived: Vec<u32> = axiom
                .body
                .iter()
                .filter_map(|one| match one {
                    StateCondition::Derived(fact, true) => Some(*fact),
                    _ => None,
                })
                .collect();
            compiled.open.push(derived.len() as u32);
            derived.iter().for_each(|&fact| compiled.users[fact as usize].push(at));
            let others = axiom.body.iter().filter(|one| !is_derived(one)).copied().collect();
            compiled.conditions.push(others);
            let layer = task.derived[axiom.head as usize].layer;
            compiled.layers[layer as usize].push(at);
        }
        AxiomEvaluator {
            open: vec![0; compiled.heads.len()],
            holds: vec![false; task.derived.len()],
            queue: Vec::new(),
            axioms: Arc::new(compiled),
        }
    }

    /// Whether there are no axioms.
    pub(crate) fn is_empty(&self) -> bool {
        self.holds.is_empty()
    }

    /// Computes the derived facts of a state.
    pub(crate) fn evaluate(&mut self, task: &EncodedTask, layout: &PlanningLayout, state: &[u8]) {
        let axioms = self.axioms.clone();
        self.holds.fill(false);
        self.open.copy_from_slice(&axioms.open);
        for layer in 0..axioms.layers.len() {
            for &axiom in &axioms.layers[layer] {
                if self.open[axiom as usize] == 0 {
                    self.fire(&axioms, axiom, task, layout, state);
                }
            }
            while let Some(fact) = self.queue.pop() {
                for &axiom in &axioms.users[fact as usize] {
                    let open = &mut self.open[axiom as usize];
                    *open -= 1;
                    let head = axioms.heads[axiom as usize];
                    // Higher strata wait: their negative conditions are not known yet.
                    if *open == 0 && axioms.layer_of[head as usize] as usize == layer {
                        self.fire(&axioms, axiom, task, layout, state);
                    }
                }
            }
        }
    }

    fn fire(
        &mut self,
        axioms: &CompiledAxioms,
        axiom: u32,
        task: &EncodedTask,
        layout: &PlanningLayout,
        state: &[u8],
    ) {
        let head = axioms.heads[axiom as usize] as usize;
        if self.holds[head] {
            return;
        }
        let conditions = axioms.conditions[axiom as usize].iter();
        if conditions.copied().all(|one| holds(one, task, layout, state, &self.holds)) {
            self.holds[head] = true;
            self.queue.push(head as u32);
        }
    }
}

/// Whether a condition holds in a state with these derived facts.
#[inline]
pub(crate) fn holds(
    condition: StateCondition,
    task: &EncodedTask,
    layout: &PlanningLayout,
    state: &[u8],
    derived: &[bool],
) -> bool {
    match condition {
        StateCondition::Is(factor, value) => layout.get(state, factor) == value,
        StateCondition::IsNot(factor, value) => layout.get(state, factor) != value,
        StateCondition::Derived(fact, is) => derived[fact as usize] == is,
        StateCondition::Compare(comparison, is) => {
            let of = &task.comparisons[comparison as usize];
            of.holds(&|fluent| layout.number(state, fluent)) == is
        }
    }
}
