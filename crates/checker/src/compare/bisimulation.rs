//! Bisimulation: each graph answers each step of the other by a step to a state that is bisimilar
//! again.
//!
//! A partition of the states of both graphs is refined until it separates the initial states, or is
//! stable.
//! Promises: the play is as short as any that distinguishes the graphs.

use beeline_kernel::Stop;

use super::meter::Meter;
use super::observed_graph::ObservedGraph;
use super::partition::Partition;
use super::play::Play;
use super::refinement::Refinement;
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
    meter.keep(graph.bytes());
    let second = a.len() as u32;
    let mut refinement = Refinement::new(&graph);
    while refinement.partition().separated(0, second).is_none() {
        if refinement.is_stable() {
            return Ok(None);
        }
        refinement.refine(meter)?;
    }
    let partition = refinement.partition();
    Ok(Some(Separation { graph: &graph, partition, second }.play()))
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
