//! Parallel composition of two components.
//!
//! Source: [DFP06] §2.1, for labels with any number of participants: components synchronise on
//! shared labels and interleave otherwise. A label without other participants becomes internal.
//! Only reachable pairs are built.

use beeline_kernel::Deadline;

use super::budget::Shortage;
use super::component::{BOTTOM, LabelledComponent, LabelledEdge, TAU};

/// States composed between two checks of the deadline.
const BETWEEN: usize = 256;

/// The role of a label in a composition.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum LabelRole {
    /// At most one of the two components takes part.
    Apart,
    /// Both take part, and others as well.
    Shared,
    /// Only these two take part.
    Settled,
}

/// The composition, and the state of each pair: pair (p, q) has index p · width + q, where width is
/// the number of states of the second component.
pub(crate) struct Composed {
    pub(crate) component: LabelledComponent,
    pub(crate) pairs: Vec<u32>,
    /// Number of visited edges.
    pub(crate) work: u64,
}

/// Composes two components with sorted edges; fails if a limit is reached.
pub(crate) fn compose(
    one: &LabelledComponent,
    two: &LabelledComponent,
    roles: &[LabelRole],
    most: u64,
    deadline: Deadline,
) -> Result<Composed, Shortage> {
    let mut composition = Composition::new(one, two, roles);
    for &p in &one.initial {
        for &q in &two.initial {
            let initial = composition.pair(p, q);
            composition.component.initial.push(initial);
        }
    }
    let (starts_one, starts_two) = (one.starts(), two.starts());
    let mut at = 0;
    while at < composition.queue.len() {
        let (p, q) = composition.queue[at];
        let edges_one = &one.edges[starts_one[p as usize]..starts_one[p as usize + 1]];
        let edges_two = &two.edges[starts_two[q as usize]..starts_two[q as usize + 1]];
        composition.expand(at as u32, edges_one, edges_two);
        at += 1;
        if composition.component.edges.len() as u64 > most {
            return Err(Shortage::Work);
        }
        if at.is_multiple_of(BETWEEN) && deadline.is_over() {
            return Err(Shortage::Time);
        }
    }
    Ok(composition.finish(one, two))
}

/// A composition under construction.
struct Composition<'r> {
    roles: &'r [LabelRole],
    /// Number of states of the second component.
    width: usize,
    /// State of each pair; [`BOTTOM`] if it is not reached.
    pairs: Vec<u32>,
    /// Pair of each state.
    queue: Vec<(u32, u32)>,
    component: LabelledComponent,
}

impl<'r> Composition<'r> {
    fn new(one: &LabelledComponent, two: &LabelledComponent, roles: &'r [LabelRole]) -> Self {
        Composition {
            roles,
            width: two.states,
            pairs: vec![BOTTOM; one.states * two.states],
            queue: Vec::new(),
            component: LabelledComponent::default(),
        }
    }

    /// The state of a pair, which is reached.
    fn pair(&mut self, p: u32, q: u32) -> u32 {
        let state = &mut self.pairs[p as usize * self.width + q as usize];
        if *state == BOTTOM {
            *state = self.queue.len() as u32;
            self.queue.push((p, q));
        }
        *state
    }

    fn role(&self, edge: &LabelledEdge) -> LabelRole {
        match edge.number() {
            TAU => LabelRole::Apart,
            label => self.roles[label as usize],
        }
    }

    /// Adds the edges of a state, given those of both components.
    fn expand(&mut self, from: u32, one: &[LabelledEdge], two: &[LabelledEdge]) {
        let (p, q) = self.queue[from as usize];
        for edge in one {
            let (label, together) = match self.role(edge) {
                LabelRole::Apart => {
                    let to = self.pair(edge.to, q);
                    self.component.edges.push(LabelledEdge { from, label: edge.label, to });
                    continue;
                }
                LabelRole::Shared => (edge.label, edge.label),
                LabelRole::Settled => (edge.alone(), edge.label),
            };
            let first = two.partition_point(|other| other.label < together);
            for other in two[first..].iter().take_while(|other| other.label == together) {
                let to = self.pair(edge.to, other.to);
                self.component.edges.push(LabelledEdge { from, label, to });
            }
        }
        for edge in two {
            if self.role(edge) == LabelRole::Apart {
                let to = self.pair(p, edge.to);
                self.component.edges.push(LabelledEdge { from, label: edge.label, to });
            }
        }
    }

    fn finish(mut self, one: &LabelledComponent, two: &LabelledComponent) -> Composed {
        let is_error = |&(p, q): &(u32, u32)| one.error[p as usize] && two.error[q as usize];
        self.component.states = self.queue.len();
        self.component.error = self.queue.iter().map(is_error).collect();
        let work = self.component.edges.len() as u64 + self.pairs.len() as u64;
        self.component.tidy();
        Composed { component: self.component, pairs: self.pairs, work }
    }
}
