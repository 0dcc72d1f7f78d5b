//! The search from a seed back to it, on a path that has collected all marks.
//!
//! A node is a state followed by the collected marks, as bytes, so that any search can be used.
//! Only the component of the seed is entered, since a cycle does not leave it, and no dead states.

use std::sync::Arc;

use beeline_kernel::{AcceptanceMarks, Claims, Estimate, Expander, Expansion, Heuristic};

use super::dead_states::DeadStates;
use super::length::marks_to;

/// The bytes of the marks.
const SUFFIX: usize = size_of::<u64>();

/// The node of a state and the marks collected so far.
pub(super) fn place(state: &[u8], marks: AcceptanceMarks) -> Vec<u8> {
    [state, &marks.0.to_le_bytes()].concat()
}

/// The state of a node.
pub(super) fn state_of(place: &[u8]) -> &[u8] {
    &place[..place.len() - SUFFIX]
}

fn marks_at(place: &[u8]) -> AcceptanceMarks {
    let bytes = place.last_chunk().expect("marks are behind each state");
    AcceptanceMarks(u64::from_le_bytes(*bytes))
}

/// Expands states of one component, without dead states.
pub(super) struct ComponentExpander<'a> {
    expander: Box<dyn Expander + 'a>,
    inner: Expansion,
    component: u32,
    dead_states: Arc<DeadStates>,
}

impl<'a> ComponentExpander<'a> {
    /// The component of this state.
    pub(super) fn new(
        mut expander: Box<dyn Expander + 'a>,
        state: &[u8],
        dead_states: Arc<DeadStates>,
    ) -> ComponentExpander<'a> {
        let mut inner = Expansion::default();
        expander.expand_only(state, &mut inner);
        let component = inner.component.number;
        ComponentExpander { expander, inner, component, dead_states }
    }

    /// The number of the component.
    pub(super) fn component(&self) -> u32 {
        self.component
    }

    /// Reports each transition within the component: target, steps and marks.
    fn each(&mut self, state: &[u8], mut tell: impl FnMut(&[u8], u32, AcceptanceMarks)) {
        let ComponentExpander { expander, inner, component, dead_states } = self;
        expander.expand_only(state, inner);
        if *component != inner.component.number {
            return;
        }
        for at in (0..inner.len()).filter(|&at| !dead_states.has(inner.state(at), *component)) {
            tell(inner.state(at), inner.steps(at), marks_to(inner, at));
        }
    }
}

impl Expander for ComponentExpander<'_> {
    fn expand(&mut self, state: &[u8], expansion: &mut Expansion) {
        self.each(state, |there, steps, marks| {
            expansion.push_with_cost(steps, there);
            expansion.marks.push(marks);
        });
        expansion.hidden_steps += self.inner.hidden_steps;
    }
}

/// Expands nodes.
pub(super) struct CycleExpander<'a> {
    within: ComponentExpander<'a>,
    seed: Vec<u8>,
    place: Vec<u8>,
}

impl<'a> CycleExpander<'a> {
    /// An expander for cycles through `seed`.
    pub(super) fn new(within: ComponentExpander<'a>, seed: &[u8]) -> CycleExpander<'a> {
        CycleExpander { within, seed: seed.to_vec(), place: Vec::new() }
    }
}

impl Expander for CycleExpander<'_> {
    fn expand(&mut self, place: &[u8], expansion: &mut Expansion) {
        let (state, collected) = (state_of(place), marks_at(place));
        if collected.is_all() && state == self.seed {
            expansion.violated_invariants.push(0);
            return;
        }
        let next = &mut self.place;
        self.within.each(state, |there, steps, marks| {
            next.clear();
            next.extend_from_slice(there);
            next.extend_from_slice(&(collected | marks).0.to_le_bytes());
            expansion.push_with_cost(steps, next);
        });
        expansion.hidden_steps += self.within.inner.hidden_steps;
    }
}

/// A heuristic for states, applied to nodes or states, with other claims.
#[derive(Clone)]
pub(super) struct GuideHeuristic<'a> {
    heuristic: Box<dyn Heuristic + 'a>,
    suffix: usize,
    claims: Claims,
}

impl<'a> GuideHeuristic<'a> {
    /// For nodes. Its dead ends do not count as safe, so that a search that ends has expanded
    /// everything.
    pub(super) fn around(heuristic: Box<dyn Heuristic + 'a>) -> Box<GuideHeuristic<'a>> {
        let claims = Claims { safe: false, ..heuristic.claims() };
        Box::new(GuideHeuristic { heuristic, suffix: SUFFIX, claims })
    }

    /// For states, without claims.
    pub(super) fn towards(heuristic: Box<dyn Heuristic + 'a>) -> Box<GuideHeuristic<'a>> {
        Box::new(GuideHeuristic { heuristic, suffix: 0, claims: Claims::NONE })
    }
}

impl Heuristic for GuideHeuristic<'_> {
    fn name(&self) -> &str {
        self.heuristic.name()
    }

    fn claims(&self) -> Claims {
        self.claims
    }

    fn estimate(&mut self, state: &[u8]) -> Estimate {
        self.heuristic.estimate(&state[..state.len() - self.suffix])
    }
}
