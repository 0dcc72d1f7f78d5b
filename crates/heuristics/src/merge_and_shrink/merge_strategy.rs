//! Merge strategy: the next two components to compose.
//!
//! Source: [DFP06] §5. The rank of a label in a component is the least error distance of a target
//! state of its edges. The weight of a pair is the minimum, over shared labels, of the larger of
//! both ranks; the least weight comes first. At least one component must have non-error states.
//! Labels of cost 0 count as 1 here, so that the components of a goal are composed first.
//! Ties, which the paper leaves open: fewest pairs of states, then component order.

use super::component::{LabelledComponent, LabelledEdge};
use super::distance::{distances, steps};

/// The merge order.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum MergeOrder {
    /// By rank: labels near errors first.
    #[default]
    Ranking,
    /// In the order of definition.
    Default,
}

/// A component with its label ranks.
pub(crate) struct Ranked {
    pub(crate) component: LabelledComponent,
    /// Error distance of each state.
    pub(crate) distances: Vec<u32>,
    is_indifferent: bool,
    /// Rank of each of its labels, ascending by label.
    ranks: Vec<(u32, u32)>,
}

impl Ranked {
    pub(crate) fn new(component: LabelledComponent) -> Ranked {
        let distances = distances(&component);
        let is_indifferent = component.is_indifferent();
        let near = steps(&component);
        let end = |edge: &LabelledEdge| (edge.number(), near[edge.to as usize]);
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

/// The next pair of the remaining components, if composing can improve estimates.
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
        // The composition so far is at the index of its first component.
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
    // No shared labels are left: components with error states only cannot improve estimates.
    let mut others = there.into_iter().filter(|&at| !of(at).is_indifferent);
    Some((others.next()?, others.next()?))
}
