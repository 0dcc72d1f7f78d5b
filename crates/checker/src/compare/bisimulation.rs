//! Bisimulation: each graph answers each step of the other by a step to a state that is bisimilar
//! again.
//!
//! The states of both graphs are divided into classes, first by their observations, then in rounds
//! by the classes of their successors. After round n, states of one class cannot be distinguished
//! by a play of n steps.
//! Promises: the play is as short as any that distinguishes the graphs.

use beeline_kernel::Stop;

use super::meter::Meter;
use super::observed_graph::ObservedGraph;
use super::partition::Partition;
use super::play::Play;
use super::report::Side;

/// The play that shows that two graphs are not bisimilar; `None` if they are.
///
/// # Errors
///
/// When a limit is reached.
pub(super) fn distinguish_by_bisimulation(
    a: &ObservedGraph,
    b: &ObservedGraph,
    meter: &mut Meter<'_>,
) -> Result<Option<Play>, Stop> {
    if let Some(play) = Play::of_initial_states(a, b) {
        return Ok(Some(play));
    }
    let graph = a.union(b);
    let reversed = graph.reversed();
    meter.keep(graph.bytes() + reversed.bytes());
    let second = a.len() as u32;
    let mut refinement = Refinement::new(&graph, &reversed);
    while refinement.partition.separated(0, second).is_none() {
        if refinement.moved.is_empty() {
            return Ok(None);
        }
        refinement.refine(meter)?;
    }
    let Refinement { partition, .. } = refinement;
    Ok(Some(Separation { graph: &graph, partition: &partition, second }.play()))
}

/// A partition on the way to the coarsest stable one.
struct Refinement<'g> {
    graph: &'g ObservedGraph,
    reversed: &'g ObservedGraph,
    partition: Partition,
    round: u32,
    /// The states that the last round moved to new classes.
    moved: Vec<u32>,
}

impl<'g> Refinement<'g> {
    /// The partition by observations. All states count as moved.
    fn new(graph: &'g ObservedGraph, reversed: &'g ObservedGraph) -> Refinement<'g> {
        let mut partition = Partition::new(graph.len());
        let mut states: Vec<u32> = graph.states().collect();
        states.sort_by_key(|&state| graph.observation(state));
        let by_observation =
            states.chunk_by(|&one, &other| graph.observation(one) == graph.observation(other));
        partition.split(0, by_observation.skip(1), 1);
        Refinement { graph, reversed, partition, round: 1, moved: graph.states().collect() }
    }

    /// One round: splits each class by the classes of successors. Only states with a moved
    /// successor can differ from the rest of their class.
    fn refine(&mut self, meter: &mut Meter<'_>) -> Result<(), Stop> {
        let mut affected: Vec<u32> = Vec::new();
        let moved = std::mem::take(&mut self.moved);
        moved.iter().for_each(|&state| affected.extend(self.reversed.successors(state)));
        affected.sort_unstable();
        affected.dedup();
        let mut keyed = Vec::with_capacity(affected.len());
        let mut bytes = self.partition.bytes() + 8 * affected.len();
        for state in affected {
            let key = (self.partition.class(state), self.successor_classes(state));
            bytes += size_of::<((u32, Vec<u32>), u32)>() + 4 * key.1.capacity();
            keyed.push((key, state));
            meter.work(bytes)?;
        }
        keyed.sort_unstable();
        self.round += 1;
        for of_class in keyed.chunk_by(|one, other| one.0.0 == other.0.0) {
            self.split(of_class);
        }
        Ok(())
    }

    /// The classes of the successors of a state, in order.
    fn successor_classes(&self, state: u32) -> Vec<u32> {
        let successors = self.graph.successors(state).iter();
        let mut classes: Vec<u32> = successors.map(|&next| self.partition.class(next)).collect();
        classes.sort_unstable();
        classes.dedup();
        classes
    }

    /// Splits a class by the keys of its affected states.
    fn split(&mut self, affected: &[((u32, Vec<u32>), u32)]) {
        let class = affected[0].0.0;
        let states: Vec<u32> = affected.iter().map(|&(_, state)| state).collect();
        let mut groups: Vec<&[u32]> = Vec::new();
        let mut rest = &states[..];
        for group in affected.chunk_by(|one, other| one.0 == other.0) {
            let (first, others) = rest.split_at(group.len());
            groups.push(first);
            rest = others;
        }
        if states.len() == self.partition.size(class) {
            // The largest group stays, so that few states move.
            let largest = (0..groups.len()).max_by_key(|&at| groups[at].len());
            groups.swap_remove(largest.expect("a state is affected"));
        }
        if !groups.is_empty() {
            self.moved.extend(groups.iter().copied().flatten());
            self.partition.split(class, groups.into_iter(), self.round);
        }
    }
}

/// A partition that separates the initial states of both graphs.
struct Separation<'g> {
    /// The union of both graphs.
    graph: &'g ObservedGraph,
    partition: &'g Partition,
    /// The initial state of the second graph.
    second: u32,
}

impl Separation<'_> {
    /// The play from the initial states. Each answer is separated as late as possible.
    fn play(&self) -> Play {
        let (mut a, mut b) = (vec![0], vec![0]);
        let mut pair = (0, self.second);
        loop {
            let (by, next, answer) = self.best_step(pair);
            let (own, other, from) = match by {
                Side::A => (&mut a, &mut b, pair.1),
                Side::B => (&mut b, &mut a, pair.0),
            };
            own.push(self.number(by, next));
            let other_side = if by == Side::A { Side::B } else { Side::A };
            let Some(answer) = answer else {
                let without_answer = vec![self.number(other_side, from)];
                return Play { a, b: Some(b), without_answer, by };
            };
            other.push(self.number(other_side, answer));
            pair = if by == Side::A { (next, answer) } else { (answer, next) };
        }
    }

    /// The number of a state in its own graph.
    fn number(&self, side: Side, state: u32) -> u32 {
        if side == Side::A { state } else { state - self.second }
    }

    /// The step that distinguishes two states, and its best answer, if there is one.
    fn best_step(&self, (a, b): (u32, u32)) -> (Side, u32, Option<u32>) {
        let round = self.partition.separated(a, b).expect("the states are separated");
        let step = |side, (from, other)| {
            let (next, answer) = self.step_before(round, from, other)?;
            Some((side, next, answer))
        };
        step(Side::A, (a, b))
            .or_else(|| step(Side::B, (b, a)))
            .expect("a step leads to classes that no answer reaches")
    }

    /// A step whose answers are all separated from it before this round.
    fn step_before(&self, round: u32, from: u32, other: u32) -> Option<(u32, Option<u32>)> {
        let mut steps = self.graph.successors(from).iter().copied();
        steps.find_map(|next| {
            let answers = self.graph.successors_with(other, self.graph.observation(next));
            let separated = answers.map(|answer| (self.partition.separated(next, answer), answer));
            let separated: Vec<(Option<u32>, u32)> = separated.collect();
            let is_before = |when: Option<u32>| when.is_some_and(|when| when < round);
            let is_refuting = separated.iter().all(|&(when, _)| is_before(when));
            is_refuting.then(|| (next, separated.iter().max().map(|&(_, answer)| answer)))
        })
    }
}
