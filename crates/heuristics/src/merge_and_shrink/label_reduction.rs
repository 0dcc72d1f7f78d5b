//! Labels that differ in what one component does are one label: exact label reduction.
//!
//! Source: merge-and-shrink, of planning research. Where two labels have the same participants, and
//! all but one of these do the same by both, it does not matter by which of them that one moves. Then
//! it has fewer labels, more of its states can do the same, and shrinking loses less. Distances
//! stay what they are.

use std::collections::BTreeMap;

use super::component::{LabelledComponent, LabelledEdge, TAU};
use super::merge_strategy::Ranked;

/// Whether labels are combined.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum LabelReduction {
    /// No, as in \[DFP06\].
    #[default]
    Apart,
    /// Whenever two components have been composed.
    Combined,
}

/// Who does what by a label.
type Moves = Vec<(u32, LabelledEdge)>;

/// Combines labels of a component that all others do not tell apart; tells how many edges were
/// looked at. `left` has the other components.
pub(crate) fn combine(
    at: usize,
    own: &mut LabelledComponent,
    left: &mut [Option<Ranked>],
    participants: &mut [Vec<u32>],
) -> u64 {
    let mut work = 0;
    // What the others do by each label of its own.
    let mut others: BTreeMap<u32, Moves> = BTreeMap::new();
    for (label, who) in participants.iter().enumerate() {
        if who.contains(&(at as u32)) {
            others.insert(label as u32, Vec::new());
        }
    }
    if others.len() < 2 {
        return work;
    }
    for (who, ranked) in left.iter().enumerate().filter(|(who, _)| *who != at) {
        for edge in ranked.iter().flat_map(|ranked| &ranked.component.edges) {
            work += 1;
            if edge.number() != TAU
                && let Some(all) = others.get_mut(&edge.number())
            {
                // All of it but the number.
                all.push((who as u32, LabelledEdge { label: edge.alone(), ..*edge }));
            }
        }
    }
    let mut first: BTreeMap<(&[u32], Moves), u32> = BTreeMap::new();
    let mut instead: Vec<u32> = (0..participants.len() as u32).collect();
    for (label, mut all) in others {
        all.sort_unstable();
        let who = participants[label as usize].as_slice();
        instead[label as usize] = *first.entry((who, all)).or_insert(label);
    }
    let is_gone = |label: u32| label != TAU && instead[label as usize] != label;
    if (0..instead.len() as u32).all(|label| !is_gone(label)) {
        return work;
    }
    for edge in own.edges.iter_mut().filter(|edge| is_gone(edge.number())) {
        edge.label = edge.label - edge.number() + instead[edge.number() as usize];
    }
    own.tidy();
    for (_, ranked) in left.iter_mut().enumerate().filter(|(who, _)| *who != at) {
        let Some(ranked) = ranked else { continue };
        ranked.component.edges.retain(|edge| !is_gone(edge.number()));
    }
    for label in 0..instead.len() {
        if instead[label] != label as u32 {
            participants[label].clear();
        }
    }
    work + own.edges.len() as u64
}
