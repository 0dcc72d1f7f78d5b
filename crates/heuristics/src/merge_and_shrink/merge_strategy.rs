//! Which two components are composed next.
//!
//! Source: [DFP06] §5. The rank of a label in a component is the least distance of a state in
//! which it ends. The weight of a pair is the least of all labels that both take part in, of the
//! greater of its two ranks; the least weight comes first. At least one of the two must be one
//! that an error depends on.
//! Labels that count as no step count as one here, so that what a goal asks is put together before
//! anything else.
//! The paper does not say which of several least pairs is taken: here the one with the fewest
//! pairs of states, and of those the one whose components were there first.

use super::component::LabelledComponent;
use super::distance::{distances, steps};

/// In which order components are composed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum MergeOrder {
    /// What happens near an error first.
    #[default]
    Ranking,
    /// As they were defined.
    Default,
}

/// A component on its way, with what the strategy wants to know.
pub(crate) struct Ranked {
    pub(crate) component: LabelledComponent,
    /// The error distance of each state.
    pub(crate) distances: Vec<u32>,
    is_indifferent: bool,
    /// The rank of each label that it has, ascending by labels.
    ranks: Vec<(u32, u32)>,
}

impl Ranked {
    pub(crate) fn new(component: LabelledComponent) -> Ranked {
        let distances = distances(&component);
        let is_indifferent = component.is_indifferent();
        let near = steps(&component);
        let end = |edge: &super::LabelledEdge| (edge.number(), near[edge.to as usize]);
        let mut ranks: Vec<(u32, u32)> = component.edges.iter().map(end).collect();
        ranks.sort_unstable();
        ranks.dedup_by_key(|one| one.0);
        Ranked { component, distances, is_indifferent, ranks }
    }

    fn rank(&self, label: u32) -> u32 {
        let found = self.ranks.binary_search_by_key(&label, |one| one.0);
        found.map_or(u32::MAX, |at| self.ranks[at].1)
    }
}

/// The next pair among those that are left, if there is anything to gain.
pub(crate) fn next_pair(
    order: MergeOrder,
    left: &[Option<Ranked>],
    participants: &[Vec<u32>],
) -> Option<(usize, usize)> {
    let there: Vec<usize> = (0..left.len()).filter(|&at| left[at].is_some()).collect();
    if there.len() < 2 {
        return None;
    }
    let of = |at: usize| left[at].as_ref().expect("it is there");
    if order == MergeOrder::Default {
        // What has been composed so far stands where its first part stood.
        return Some((there[0], there[1]));
    }
    let size = |one: usize, two: usize| of(one).component.states * of(two).component.states;
    let mut best: Option<(u32, usize, usize, usize)> = None;
    for (label, who) in participants.iter().enumerate() {
        for (place, &one) in who.iter().enumerate() {
            for &two in &who[place + 1..] {
                let (one, two) = (one as usize, two as usize);
                if of(one).is_indifferent && of(two).is_indifferent {
                    continue;
                }
                let weight = of(one).rank(label as u32).max(of(two).rank(label as u32));
                let candidate = (weight, size(one, two), one, two);
                if best.is_none_or(|best| candidate < best) {
                    best = Some(candidate);
                }
            }
        }
    }
    if let Some((_, _, one, two)) = best {
        return Some((one, two));
    }
    // Nothing is shared any more. What an error does not depend on then changes nothing.
    let mut others = there.into_iter().filter(|&at| !of(at).is_indifferent);
    Some((others.next()?, others.next()?))
}
