//! A finite graph whose states have observations. State 0 is the initial one.

use super::report::Observation;

/// A graph of observed states. Each state has a successor: one without steps repeats itself.
#[derive(Clone, Debug, Default)]
pub(super) struct ObservedGraph {
    observations: Vec<Observation>,
    /// For each state the end of its successors in the list of all.
    ends: Vec<usize>,
    successors: Vec<u32>,
    /// The states without steps.
    resting: Vec<bool>,
}

impl ObservedGraph {
    /// Adds a state. Its successors are sorted, each once.
    pub(super) fn push(&mut self, observation: Observation, mut successors: Vec<u32>) {
        let state = self.observations.len() as u32;
        self.observations.push(observation);
        self.resting.push(successors.is_empty());
        if successors.is_empty() {
            successors.push(state);
        }
        successors.sort_unstable();
        successors.dedup();
        self.successors.extend(successors);
        self.ends.push(self.successors.len());
    }

    /// The number of states.
    pub(super) fn len(&self) -> usize {
        self.observations.len()
    }

    /// All states.
    pub(super) fn states(&self) -> std::ops::Range<u32> {
        0..self.len() as u32
    }

    /// The observation of a state.
    pub(super) fn observation(&self, state: u32) -> Observation {
        self.observations[state as usize]
    }

    /// The successors of a state, in order.
    pub(super) fn successors(&self, state: u32) -> &[u32] {
        let state = state as usize;
        let start = if state == 0 { 0 } else { self.ends[state - 1] };
        &self.successors[start..self.ends[state]]
    }

    /// The successors of a state with this observation, in order.
    pub(super) fn successors_with(
        &self,
        state: u32,
        observation: Observation,
    ) -> impl Iterator<Item = u32> {
        let all = self.successors(state).iter().copied();
        all.filter(move |&next| self.observation(next) == observation)
    }

    /// Whether a state has no step.
    pub(super) fn rests(&self, state: u32) -> bool {
        self.resting[state as usize]
    }

    /// Memory in bytes.
    pub(super) fn bytes(&self) -> usize {
        self.observations.capacity() * size_of::<Observation>()
            + self.ends.capacity() * size_of::<usize>()
            + self.successors.capacity() * size_of::<u32>()
            + self.resting.capacity()
    }

    /// The disjoint union: the states of `other` follow those of this graph.
    #[must_use]
    pub(super) fn union(&self, other: &ObservedGraph) -> ObservedGraph {
        let (states, edges) = (self.len() as u32, self.successors.len());
        let mut all = self.clone();
        all.observations.extend(&other.observations);
        all.ends.extend(other.ends.iter().map(|end| edges + end));
        all.successors.extend(other.successors.iter().map(|next| states + next));
        all.resting.extend(&other.resting);
        all
    }

    /// The same states with the edges reversed; a state may have none.
    #[must_use]
    pub(super) fn reversed(&self) -> ObservedGraph {
        let mut counts = vec![0; self.len() + 1];
        self.successors.iter().for_each(|&next| counts[next as usize + 1] += 1);
        for state in 0..self.len() {
            counts[state + 1] += counts[state];
        }
        let ends = counts[1..].to_vec();
        let mut places = counts;
        let mut predecessors = vec![0; self.successors.len()];
        for state in self.states() {
            for &next in self.successors(state) {
                let place = &mut places[next as usize];
                predecessors[*place] = state;
                *place += 1;
            }
        }
        ObservedGraph {
            observations: self.observations.clone(),
            ends,
            successors: predecessors,
            resting: self.resting.clone(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn edges_survive_union_and_reversal() {
        let mut graph = ObservedGraph::default();
        graph.push(Observation(1), vec![2, 1, 2]);
        graph.push(Observation(0), vec![]);
        graph.push(Observation(1), vec![0]);
        assert_eq!(graph.successors(0), [1, 2]);
        assert_eq!((graph.successors(1), graph.rests(1)), (&[1][..], true));
        let both = graph.union(&graph);
        assert_eq!(
            (both.len(), both.successors(3), both.successors(5)),
            (6, &[4, 5][..], &[3][..])
        );
        let back = both.reversed();
        let lists: Vec<_> = back.states().map(|state| back.successors(state).to_vec()).collect();
        assert_eq!(lists, [vec![2], vec![0, 1], vec![0], vec![5], vec![3, 4], vec![3]]);
    }
}
