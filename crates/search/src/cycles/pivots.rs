//! Finds the SCCs of a graph that may still contain an accepting cycle, pivots that hit all of these
//! cycles, and lower bounds on distances.
//!
//! In a component, each accepting cycle has a state that is nearest to the initial one, and, for each
//! mark, a state that it leaves by a transition with that mark. So the pivots are either all states
//! of the component, or those with the rarest mark, if these are much fewer.
//!
//! The distance between two states is at least the difference of their distances to a third, a
//! landmark. The landmarks of a component are its nearest state, and the state with the greatest
//! distance to that one.

use beeline_kernel::{AcceptanceMarks, StateId};

use super::reached_graph::ReachedGraph;
use super::tarjan::{AcceptingSccs, NONE};
use crate::open_list::{BucketOpenList, QueueOrder, Rank};

/// Landmarks of each component.
const LANDMARKS: usize = 2;

/// The state where a lasso through a pivot enters its cycle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Entry {
    /// The pivot: no other state of the component is nearer.
    Pivot,
    /// Any state.
    Anywhere,
}

/// A state on some accepting cycles.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pivot {
    pub(super) state: u32,
    pub(super) entry: Entry,
}

/// Components, pivots and landmarks.
pub(super) struct PivotSurvey {
    sccs: AcceptingSccs,
    /// For each landmark, the distance to it from each state of its component.
    back: Vec<Vec<u32>>,
    /// The least distance of a state of each component.
    least: Vec<u32>,
    /// The pivots, in the order of their distance.
    pub(super) pivots: Vec<Pivot>,
    /// States and transitions in the components.
    pub(super) size: u64,
}

/// The reversed transitions between states of one component.
struct Reverse {
    /// For each state the start of the transitions to it.
    starts: Vec<u32>,
    /// Source and steps of each transition.
    ways: Vec<(u32, u32)>,
}

impl PivotSurvey {
    /// Analyses the states that `lives` selects.
    pub(super) fn new(graph: &ReachedGraph<'_>, lives: impl Fn(u32) -> bool) -> PivotSurvey {
        let sccs = AcceptingSccs::new(graph, lives);
        let mut survey =
            PivotSurvey { sccs, back: Vec::new(), least: Vec::new(), pivots: Vec::new(), size: 0 };
        if survey.sccs.members.is_empty() {
            return survey;
        }
        let reverse = Reverse::new(graph, &survey.sccs);
        survey.size = (reverse.ways.len() + reverse.starts.len()) as u64;
        let nearest = |members: &Vec<u32>| {
            let near = members.iter().map(|&state| (graph.distance(state), state)).min();
            near.expect("a component has a state")
        };
        let roots: Vec<(u32, u32)> = survey.sccs.members.iter().map(nearest).collect();
        survey.least = roots.iter().map(|&(distance, _)| distance).collect();
        let mut marks: Vec<u32> = roots.iter().map(|&(_, state)| state).collect();
        for _ in 0..LANDMARKS {
            let back = reverse.distances(&marks);
            let furthest = |members: &Vec<u32>| {
                let far = members.iter().map(|&state| (back[state as usize], state)).max();
                far.expect("a component has a state").1
            };
            marks = survey.sccs.members.iter().map(furthest).collect();
            survey.back.push(back);
        }
        for members in &survey.sccs.members {
            choose(graph, &survey.sccs, members, &mut survey.pivots);
        }
        survey.pivots.sort_by_key(|pivot| (graph.distance(pivot.state), pivot.state));
        survey
    }

    /// Whether both states belong to one component.
    #[inline]
    pub(super) fn is_inner(&self, from: u32, to: u32) -> bool {
        self.sccs.of[from as usize] == self.sccs.of[to as usize]
    }

    /// Removes a state: all cycles through it are known.
    pub(super) fn remove(&mut self, state: u32) {
        self.sccs.of[state as usize] = NONE;
    }

    /// The least distance of a state in the component of this one.
    pub(super) fn least(&self, state: u32) -> u32 {
        self.least[self.sccs.of[state as usize] as usize]
    }

    /// A lower bound on the distance from one state of a component to another.
    #[inline]
    pub(super) fn between(&self, from: u32, to: u32) -> u32 {
        let differ = |back: &Vec<u32>| back[from as usize].saturating_sub(back[to as usize]);
        self.back.iter().map(differ).max().unwrap_or(0)
    }

    /// Memory held.
    pub(super) fn bytes(&self) -> usize {
        let back = self.back.iter().map(Vec::capacity).sum::<usize>();
        let pivots = self.pivots.capacity() * size_of::<Pivot>();
        self.sccs.bytes() + pivots + (back + self.least.capacity()) * size_of::<u32>()
    }
}

/// Adds the pivots of a component.
fn choose(
    graph: &ReachedGraph<'_>,
    sccs: &AcceptingSccs,
    members: &[u32],
    pivots: &mut Vec<Pivot>,
) {
    let marks_of = |&state: &u32| {
        let number = sccs.of[state as usize];
        let inner = graph.edges(state).filter(|edge| sccs.of[edge.to as usize] == number);
        inner.fold(AcceptanceMarks::NONE, |all, edge| all | edge.marks)
    };
    let common = members
        .iter()
        .fold(AcceptanceMarks::ALL, |all, state| AcceptanceMarks(all.0 & marks_of(state).0));
    let rare = |mark: &u32| !common.has(*mark);
    let count =
        |mark: u32| (members.iter().filter(|state| marks_of(state).has(mark)).count(), mark);
    match (0..AcceptanceMarks::COUNT).filter(rare).map(count).min() {
        Some((few, mark)) if few * 2 < members.len() => {
            let with = members.iter().filter(|state| marks_of(state).has(mark));
            pivots.extend(with.map(|&state| Pivot { state, entry: Entry::Anywhere }));
        }
        _ => pivots.extend(members.iter().map(|&state| Pivot { state, entry: Entry::Pivot })),
    }
}

impl Reverse {
    fn new(graph: &ReachedGraph<'_>, sccs: &AcceptingSccs) -> Reverse {
        let mut starts = vec![0_u32; graph.len() + 1];
        let members = || sccs.members.iter().flatten().copied();
        let inner = |from: u32| {
            let number = sccs.of[from as usize];
            graph.edges(from).filter(move |edge| sccs.of[edge.to as usize] == number)
        };
        members().flat_map(inner).for_each(|edge| starts[edge.to as usize + 1] += 1);
        for at in 1..starts.len() {
            starts[at] += starts[at - 1];
        }
        let mut next = starts.clone();
        let mut ways = vec![(0, 0); starts.last().map_or(0, |&all| all as usize)];
        for from in members() {
            for edge in inner(from) {
                let place = &mut next[edge.to as usize];
                ways[*place as usize] = (from, edge.steps);
                *place += 1;
            }
        }
        Reverse { starts, ways }
    }

    /// The distance from each state to the one of `to` that is in its component.
    fn distances(&self, to: &[u32]) -> Vec<u32> {
        let mut distances = vec![NONE; self.starts.len() - 1];
        let mut open = BucketOpenList::new(QueueOrder::Lifo, false);
        let id = |state: u32| StateId::new(state as usize).expect("a number of 32 bits");
        for &state in to {
            distances[state as usize] = 0;
            open.push(Rank { f: 0, tie: 0 }, id(state));
        }
        while let Some((rank, state)) = open.pop() {
            let at = state.index();
            if u64::from(distances[at]) != rank.f {
                continue;
            }
            let span = self.starts[at] as usize..self.starts[at + 1] as usize;
            for &(from, steps) in &self.ways[span] {
                let far = distances[at].saturating_add(steps);
                if far < distances[from as usize] {
                    distances[from as usize] = far;
                    open.push(Rank { f: u64::from(far), tie: 0 }, id(from));
                }
            }
        }
        distances
    }
}
