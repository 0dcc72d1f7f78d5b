//! Exact label reduction: labels that differ in one component only are combined.
//!
//! Source: [SWH14] (generalised label reduction). Two labels with the same participants are
//! equivalent for a component if all other participants have the same edges for both. Combining
//! them leaves fewer labels, more bisimilar states, and less loss by shrinking; distances do not
//! change.

use std::collections::BTreeMap;

use super::component::{LabelledComponent, LabelledEdge, TAU};
use super::merge_strategy::Ranked;

/// Label reduction.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum LabelReduction {
    /// None, as in \[DFP06\].
    #[default]
    Apart,
    /// After each composition.
    Combined,
}

/// The edges of a label by component.
type Moves = Vec<(u32, LabelledEdge)>;

/// Combines labels of a component that no other component distinguishes; returns the number of
/// visited edges. `left` has the other components.
pub(crate) fn combine(
    at: usize,
    own: &mut LabelledComponent,
    left: &mut [Option<Ranked>],
    participants: &mut [Vec<u32>],
) -> u64 {
    let mut work = 0;
    // By label: the edges of the other components.
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
                // The edge without its label number.
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
