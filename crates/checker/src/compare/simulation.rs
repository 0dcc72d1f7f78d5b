//! Simulation: the second graph answers each step of the first by a step to a state with the same
//! observation that simulates again.
//!
//! Source: [EMJ05], Simulation. The greatest simulation is a fixpoint: all pairs of states that the
//! play reaches are assumed to be related, and refuted from those on in which a step has no answer.
//! Pairs are refuted in the order of their ranks: the steps that the first side needs at least to
//! make one without an answer.
//! Promises: the play is as short as any that the first side can force.

use std::collections::{HashMap, VecDeque};

use beeline_kernel::Stop;

use super::meter::Meter;
use super::observed_graph::ObservedGraph;
use super::play::Play;
use super::report::Side;

/// The play that shows that `answers` does not simulate `steps`; `None` if it does.
///
/// # Errors
///
/// When a limit is reached.
pub(super) fn distinguish_by_simulation(
    steps: &ObservedGraph,
    answers: &ObservedGraph,
    meter: &mut Meter<'_>,
) -> Result<Option<Play>, Stop> {
    if let Some(play) = Play::of_initial_states(steps, answers) {
        return Ok(Some(play));
    }
    let mut game = PairGame::new(steps, answers);
    game.collect_pairs(meter)?;
    game.refute(meter)?;
    Ok((game.ranks[0] > 0).then(|| game.play()))
}

/// No entry of a list.
const NONE: u32 = u32::MAX;

/// A step of the first side in a pair, which needs an answer.
struct Obligation {
    pair: u32,
    /// The answers that are not refuted.
    answers: u32,
}

/// An entry of the list of obligations that a pair answers.
struct Use {
    obligation: u32,
    next: u32,
}

/// The pairs of states that a play reaches, with equal observations.
struct PairGame<'g> {
    steps: &'g ObservedGraph,
    answers: &'g ObservedGraph,
    pairs: Vec<(u32, u32)>,
    numbers: HashMap<(u32, u32), u32>,
    obligations: Vec<Obligation>,
    uses: Vec<Use>,
    /// For each pair the first entry of its list of uses.
    first_uses: Vec<u32>,
    /// 0 for pairs that are not refuted.
    ranks: Vec<u32>,
    /// Refuted pairs whose uses are not updated, in the order of ranks.
    refuted: VecDeque<u32>,
}

impl<'g> PairGame<'g> {
    /// The pair of the initial states.
    fn new(steps: &'g ObservedGraph, answers: &'g ObservedGraph) -> PairGame<'g> {
        PairGame {
            steps,
            answers,
            pairs: vec![(0, 0)],
            numbers: HashMap::from([((0, 0), 0)]),
            obligations: Vec::new(),
            uses: Vec::new(),
            first_uses: vec![NONE],
            ranks: vec![0],
            refuted: VecDeque::new(),
        }
    }

    /// Memory in bytes, approximately.
    fn bytes(&self) -> usize {
        // A pair is in two vectors and in the table, with its rank and its first use.
        const PAIR: usize = 8 + 13 + 4 + 4;
        self.pairs.capacity().max(self.numbers.capacity()) * PAIR
            + self.obligations.capacity() * size_of::<Obligation>()
            + self.uses.capacity() * size_of::<Use>()
    }

    /// Collects the pairs, breadth-first.
    fn collect_pairs(&mut self, meter: &mut Meter<'_>) -> Result<(), Stop> {
        let mut at = 0;
        while at < self.pairs.len() && self.ranks[0] == 0 {
            self.expand(at as u32);
            meter.work(self.bytes())?;
            at += 1;
        }
        Ok(())
    }

    /// Adds the obligations of a pair.
    fn expand(&mut self, pair: u32) {
        let (steps, answers) = (self.steps, self.answers);
        let (state, other) = self.pairs[pair as usize];
        for &next in steps.successors(state) {
            let obligation = self.obligations.len() as u32;
            let mut number = 0;
            for answer in answers.successors_with(other, steps.observation(next)) {
                let answered = self.number((next, answer));
                let next = std::mem::replace(
                    &mut self.first_uses[answered as usize],
                    self.uses.len() as u32,
                );
                self.uses.push(Use { obligation, next });
                number += 1;
            }
            self.obligations.push(Obligation { pair, answers: number });
            if number == 0 {
                self.ranks[pair as usize] = 1;
                self.refuted.push_back(pair);
                // No other step is as good.
                return;
            }
        }
    }

    /// The number of a pair, which may be new.
    fn number(&mut self, pair: (u32, u32)) -> u32 {
        let new = self.pairs.len() as u32;
        let number = *self.numbers.entry(pair).or_insert(new);
        if number == new {
            self.pairs.push(pair);
            self.first_uses.push(NONE);
            self.ranks.push(0);
        }
        number
    }

    /// Refutes the pairs with a step whose answers are all refuted, in the order of ranks.
    fn refute(&mut self, meter: &mut Meter<'_>) -> Result<(), Stop> {
        while let Some(pair) = self.refuted.pop_front() {
            let rank = self.ranks[pair as usize] + 1;
            let mut at = self.first_uses[pair as usize];
            while at != NONE {
                let Use { obligation, next } = self.uses[at as usize];
                let Obligation { pair, answers } = &mut self.obligations[obligation as usize];
                *answers -= 1;
                if *answers == 0 && self.ranks[*pair as usize] == 0 {
                    self.ranks[*pair as usize] = rank;
                    self.refuted.push_back(*pair);
                }
                at = next;
            }
            meter.work(self.bytes())?;
        }
        Ok(())
    }

    /// The rank of a pair; 0 if it is not refuted.
    fn rank(&self, pair: (u32, u32)) -> u32 {
        self.numbers.get(&pair).map_or(0, |&number| self.ranks[number as usize])
    }

    /// The play from the initial states, which are refuted. Each answer has the greatest rank.
    fn play(&self) -> Play {
        let (mut a, mut b) = (vec![0], vec![0]);
        let mut pair = (0, 0);
        loop {
            let (next, answer) = self.best_step(pair);
            a.push(next);
            let Some(answer) = answer else {
                let without_answer = vec![pair.1];
                return Play { a, b: Some(b), without_answer, by: Side::A };
            };
            b.push(answer);
            pair = (next, answer);
        }
    }

    /// The step that refutes a pair, and its best answer, if there is one.
    fn best_step(&self, (state, other): (u32, u32)) -> (u32, Option<u32>) {
        let rank = self.rank((state, other));
        let mut steps = self.steps.successors(state).iter().copied();
        let refuting = steps.find_map(|next| {
            let answers = self.answers.successors_with(other, self.steps.observation(next));
            let ranked = answers.map(|answer| (self.rank((next, answer)), answer));
            let ranked: Vec<(u32, u32)> = ranked.collect();
            let is_refuting = ranked.iter().all(|(other, _)| (1..rank).contains(other));
            is_refuting.then(|| (next, ranked.iter().max().map(|&(_, answer)| answer)))
        });
        refuting.expect("a refuted pair has a step without an answer of its rank or more")
    }
}
