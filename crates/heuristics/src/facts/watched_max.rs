//! h^max with watched preconditions: the cost of the most expensive fact that the goal needs; an
//! operator costs its own cost plus that of its most expensive precondition.
//!
//! Facts are closed in the order of their costs. So an operator need not count its open
//! preconditions: it watches one of them, and when that one is closed, it watches another one. The operator
//! is reached by the last one, which is the most expensive one. The preconditions that are most
//! expensive in the initial state are watched first, so that few operators change what they watch.
//!
//! Source: [BG01] for h^max; Moskewicz et al., "Chaff: engineering an efficient SAT solver", DAC 2001, for
//! watched literals of clauses.
//! Claims: all.

use std::sync::Arc;

use beeline_factored::FactorReader;
use beeline_kernel::{Claims, Cost, Estimate, Heuristic};

use super::bucket_queue::{BucketQueue, reach};
use super::fact_task::FactTask;
use super::lists::Lists;

const UNREACHED: u32 = u32::MAX;
/// The end of a list of watching operators.
const END: u32 = u32::MAX;

/// What an operator costs and adds.
#[derive(Clone, Copy, Debug)]
struct WatchingOperator {
    cost: u32,
    /// The next operator that watches the same fact.
    next: u32,
}

/// h^max.
#[derive(Clone)]
pub struct WatchedMax<'a> {
    task: Arc<FactTask>,
    reading: Arc<dyn FactorReader + 'a>,
    /// By operator: its preconditions, in the order in which they are watched.
    preconditions: Lists,
    operators: Vec<WatchingOperator>,
    /// By fact: its cost so far.
    costs: Vec<u32>,
    /// By fact: whether its cost is known.
    is_closed: Vec<bool>,
    /// By fact: the first operator that watches it.
    first: Vec<u32>,
    queue: BucketQueue,
    facts: Vec<u32>,
    effort: u64,
}

impl<'a> WatchedMax<'a> {
    /// For the states that a reader decodes.
    pub fn new(task: Arc<FactTask>, reading: Arc<dyn FactorReader + 'a>) -> Self {
        let facts = task.facts();
        let operators = 0..task.operators() as u32;
        let watching =
            operators.clone().map(|at| WatchingOperator { cost: task.cost(at), next: END });
        let mut max = WatchedMax {
            preconditions: task.preconditions.clone(),
            operators: watching.collect(),
            costs: vec![UNREACHED; facts],
            is_closed: vec![false; facts],
            first: vec![END; facts],
            queue: BucketQueue::default(),
            facts: vec![FactTask::ALWAYS],
            effort: 0,
            task,
            reading,
        };
        max.facts.extend_from_slice(&max.task.initial);
        max.explore(false);
        let sorted: Vec<Vec<u32>> = operators
            .map(|at| {
                let mut needed = max.task.preconditions.at(at).to_vec();
                needed.sort_by_key(|&one| std::cmp::Reverse(max.costs[one as usize]));
                needed
            })
            .collect();
        max.preconditions = Lists::of(sorted.iter().map(|one| &one[..]));
        max
    }

    /// Computes the costs of facts, until the goal is reached if that is enough.
    fn explore(&mut self, until_goal: bool) {
        let WatchedMax { task, preconditions, operators, costs, is_closed, first, queue, .. } =
            self;
        costs.fill(UNREACHED);
        is_closed.fill(false);
        first.fill(END);
        queue.clear();
        for &fact in &self.facts {
            costs[fact as usize] = 0;
            is_closed[fact as usize] = true;
        }
        let mut visited = operators.len();
        for at in 0..operators.len() as u32 {
            let needed = preconditions.at(at).iter();
            match needed.copied().find(|&fact| !is_closed[fact as usize]) {
                Some(fact) => {
                    operators[at as usize].next = std::mem::replace(&mut first[fact as usize], at);
                }
                None => {
                    let target = operators[at as usize].cost.min(UNREACHED - 1);
                    let effects = task.effects.at(at);
                    visited += effects.len();
                    effects.iter().for_each(|&one| reach(costs, queue, one, target));
                }
            }
        }
        while let Some((cost, fact)) = queue.pop() {
            if std::mem::replace(&mut is_closed[fact as usize], true) {
                continue;
            }
            if fact == FactTask::GOAL && until_goal {
                break;
            }
            let mut watching = first[fact as usize];
            while watching != END {
                let at = watching;
                let WatchingOperator { cost: own, next } = operators[at as usize];
                watching = next;
                visited += 1;
                let needed = preconditions.at(at).iter();
                match needed.copied().find(|&fact| !is_closed[fact as usize]) {
                    Some(other) => {
                        operators[at as usize].next =
                            std::mem::replace(&mut first[other as usize], at);
                    }
                    None => {
                        let target = cost.saturating_add(own).min(UNREACHED - 1);
                        let effects = task.effects.at(at);
                        visited += effects.len();
                        effects.iter().for_each(|&one| reach(costs, queue, one, target));
                    }
                }
            }
        }
        self.effort += 4 * visited as u64;
    }
}

impl Heuristic for WatchedMax<'_> {
    fn name(&self) -> &str {
        "hmax"
    }

    fn claims(&self) -> Claims {
        Claims::ALL
    }

    fn estimate(&mut self, state: &[u8]) -> Estimate {
        let mut facts = std::mem::take(&mut self.facts);
        let fits = self.task.read(self.reading.as_ref(), state, &mut facts);
        self.facts = facts;
        if !fits {
            return Estimate::Finite(Cost::ZERO);
        }
        self.effort += self.costs.len() as u64 / 4;
        self.explore(true);
        match self.costs[FactTask::GOAL as usize] {
            UNREACHED => Estimate::DeadEnd,
            cost => Estimate::Finite(Cost(cost)),
        }
    }

    fn effort(&self) -> u64 {
        self.effort
    }
}

#[cfg(test)]
mod tests {
    use beeline_factored::FactorId;
    use beeline_kernel::SplitMix64;

    use super::super::fact_task::{OperatorGroup, RelaxedOperator};
    use super::*;

    /// Each byte of a state is a fact.
    struct Bytes;

    impl FactorReader for Bytes {
        fn read(&self, state: &[u8], visit: &mut dyn FnMut(FactorId, i32)) -> bool {
            (0..).zip(state).for_each(|(at, &value)| visit(FactorId(at), i32::from(value)));
            true
        }
    }

    const FACTS: usize = 12;

    /// A task of which fact 2 + k holds if byte k of a state is 1. Operators cost 0 to 3.
    fn task(rng: &mut SplitMix64) -> FactTask {
        let mut task = FactTask { facts: 2 + FACTS as u32, ..FactTask::default() };
        task.factors = (0..FACTS as u32).map(|at| Some((2 + at, 1, 1))).collect();
        task.initial = vec![2, 3];
        let mut operators = Vec::new();
        for group in 0..14 + rng.below(14) as u32 {
            let cost = rng.below(4) as u32;
            task.groups.push(OperatorGroup { cost, label: Default::default() });
            let mut fact = |from: usize| (from + rng.below(2 + FACTS - from)) as u32;
            let mut preconditions: Vec<u32> = (0..3).map(|_| fact(2)).collect();
            preconditions.sort_unstable();
            preconditions.dedup();
            let effects = vec![fact(1), fact(2)];
            operators.push(RelaxedOperator { preconditions, effects, group });
        }
        task.link(&operators);
        task
    }

    /// h^max of the goal as the least solution of its equations.
    fn by_equations(task: &FactTask, state: &[u8]) -> Estimate {
        let mut costs: Vec<u32> = vec![UNREACHED; task.facts()];
        costs[FactTask::ALWAYS as usize] = 0;
        for (at, _) in state.iter().enumerate().filter(|one| *one.1 == 1) {
            costs[2 + at] = 0;
        }
        loop {
            let before = costs.clone();
            for operator in 0..task.operators() as u32 {
                let needed = task.preconditions.at(operator).iter();
                let most = needed.map(|&one| costs[one as usize]).max().unwrap_or(0);
                for &effect in task.effects.at(operator) {
                    let target = most.saturating_add(task.cost(operator));
                    costs[effect as usize] = costs[effect as usize].min(target);
                }
            }
            if before == costs {
                break;
            }
        }
        match costs[FactTask::GOAL as usize] {
            UNREACHED => Estimate::DeadEnd,
            cost => Estimate::Finite(Cost(cost)),
        }
    }

    #[test]
    fn the_costs_are_the_least_solution_of_the_equations() {
        let mut rng = SplitMix64::new(1);
        let (mut dead_ends, mut finite) = (0, 0);
        for seed in 0..300 {
            let task = Arc::new(task(&mut rng));
            let mut max = WatchedMax::new(task.clone(), Arc::new(Bytes));
            for _ in 0..20 {
                let state: Vec<u8> = (0..FACTS).map(|_| u8::from(rng.below(3) == 0)).collect();
                let expected = by_equations(&task, &state);
                assert_eq!(max.estimate(&state), expected, "{seed}: {state:?}");
                match expected {
                    Estimate::DeadEnd => dead_ends += 1,
                    Estimate::Finite(cost) => finite += u32::from(cost > Cost(3)),
                }
            }
        }
        assert!(dead_ends > 300 && finite > 300, "{dead_ends} dead ends, {finite} great costs");
    }
}
