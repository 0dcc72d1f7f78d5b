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
    fates: &[LabelRole],
    most: u64,
    deadline: Deadline,
) -> Result<Composed, Shortage> {
    let width = two.states;
    let mut pairs = vec![BOTTOM; one.states * width];
    let mut queue: Vec<(u32, u32)> = Vec::new();
    let mut number = |p: u32, q: u32, queue: &mut Vec<(u32, u32)>| {
        let place = &mut pairs[p as usize * width + q as usize];
        if *place == BOTTOM {
            *place = queue.len() as u32;
            queue.push((p, q));
        }
        *place
    };
    let (starts_one, starts_two) = (one.starts(), two.starts());
    let mut component = LabelledComponent::default();
    for &p in &one.initial {
        for &q in &two.initial {
            component.initial.push(number(p, q, &mut queue));
        }
    }
    let fate = |edge: &LabelledEdge| match edge.number() {
        TAU => LabelRole::Apart,
        label => fates[label as usize],
    };
    let mut at = 0;
    while at < queue.len() {
        let (p, q) = queue[at];
        let from = at as u32;
        at += 1;
        let edges_one = &one.edges[starts_one[p as usize]..starts_one[p as usize + 1]];
        let edges_two = &two.edges[starts_two[q as usize]..starts_two[q as usize + 1]];
        for edge in edges_one {
            let (label, together) = match fate(edge) {
                LabelRole::Apart => {
                    let to = number(edge.to, q, &mut queue);
                    component.edges.push(LabelledEdge { from, label: edge.label, to });
                    continue;
                }
                LabelRole::Shared => (edge.label, edge.label),
                LabelRole::Settled => (edge.alone(), edge.label),
            };
            let first = edges_two.partition_point(|other| other.label < together);
            for other in edges_two[first..].iter().take_while(|other| other.label == together) {
                let to = number(edge.to, other.to, &mut queue);
                component.edges.push(LabelledEdge { from, label, to });
            }
        }
        for edge in edges_two.iter().filter(|edge| fate(edge) == LabelRole::Apart) {
            let to = number(p, edge.to, &mut queue);
            component.edges.push(LabelledEdge { from, label: edge.label, to });
        }
        if component.edges.len() as u64 > most {
            return Err(Shortage::Work);
        }
        if at.is_multiple_of(BETWEEN) && deadline.is_over() {
            return Err(Shortage::Time);
        }
    }
    component.states = queue.len();
    let is_error = |&(p, q): &(u32, u32)| one.error[p as usize] && two.error[q as usize];
    component.error = queue.iter().map(is_error).collect();
    let work = component.edges.len() as u64 + pairs.len() as u64;
    component.tidy();
    Ok(Composed { component, pairs, work })
}
