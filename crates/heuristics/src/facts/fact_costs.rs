//! Costs of facts in the delete relaxation: h^add, and h^FF on its supporters.
//!
//! Source: [BG01] for h^add, [HN01] for relaxed plans; here the supporter of a fact is
//! the operator that makes it cheapest by h^add.
//! Claims: safe, as the relaxation has every path of the system.

use std::sync::Arc;

use beeline_factored::FactorReader;
use beeline_kernel::{Claims, Cost, Estimate, Expansion, Heuristic, StepLabel, StepPreference};

use super::bucket_queue::BucketQueue;
use super::fact_task::FactTask;

/// How the costs of the preconditions of an operator are combined.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FactCombination {
    /// The sum: h^add.
    Add,
    /// The sum; the estimate is the cost of a relaxed plan: h^FF.
    Plan,
}

const UNREACHED: u32 = u32::MAX;

/// An operator in the exploration.
#[derive(Clone, Copy, Debug)]
struct OperatorCost {
    /// The number of its preconditions that are not reached.
    open: u32,
    /// Its cost with those of its preconditions so far.
    sum: u32,
}

/// A heuristic on the costs of facts.
#[derive(Clone)]
pub struct FactCosts<'a> {
    task: Arc<FactTask>,
    reading: Arc<dyn FactorReader + 'a>,
    combination: FactCombination,
    /// By fact.
    costs: Vec<u32>,
    /// By fact: the operator that adds it most cheaply.
    supporters: Vec<u32>,
    operators: Vec<OperatorCost>,
    /// The operators before an exploration.
    fresh: Arc<[OperatorCost]>,
    queue: BucketQueue,
    facts: Vec<u32>,
    /// By fact and by group of operators: the number of the plan that it belongs to.
    marked: Vec<u32>,
    taken: Vec<u32>,
    plans: u32,
    stack: Vec<u32>,
    /// The last state with its estimate and the first steps of its relaxed plan.
    last: Vec<u8>,
    estimate: Option<Estimate>,
    preferred: Vec<StepLabel>,
    effort: u64,
}

impl<'a> FactCosts<'a> {
    /// For the states that a reader decodes.
    pub fn new(
        task: Arc<FactTask>,
        reading: Arc<dyn FactorReader + 'a>,
        combination: FactCombination,
    ) -> Self {
        let facts = task.facts();
        let fresh = (0..task.operators() as u32).map(|operator| OperatorCost {
            open: task.preconditions.at(operator).len() as u32,
            sum: task.cost(operator),
        });
        let fresh: Arc<[OperatorCost]> = fresh.collect();
        FactCosts {
            combination,
            costs: vec![UNREACHED; facts],
            supporters: vec![u32::MAX; facts],
            operators: fresh.to_vec(),
            fresh,
            queue: BucketQueue::default(),
            facts: Vec::new(),
            marked: vec![0; facts],
            taken: vec![0; task.groups.len()],
            plans: 0,
            stack: Vec::new(),
            last: Vec::new(),
            estimate: None,
            preferred: Vec::new(),
            effort: 0,
            task,
            reading,
        }
    }

    /// Computes costs until the goal is reached.
    fn explore(&mut self) {
        let FactCosts { task, costs, supporters, operators, queue, .. } = self;
        costs.fill(UNREACHED);
        operators.copy_from_slice(&self.fresh);
        queue.clear();
        for &fact in &self.facts {
            costs[fact as usize] = 0;
            supporters[fact as usize] = u32::MAX;
            queue.push(0, fact);
        }
        let mut visited = 0;
        while let Some((cost, fact)) = queue.pop() {
            // A cheaper entry of the fact was taken before.
            if costs[fact as usize] < cost {
                continue;
            }
            if fact == FactTask::GOAL {
                break;
            }
            let users = task.needed_by.at(fact);
            visited += users.len() as u64;
            for &operator in users {
                let of = &mut operators[operator as usize];
                of.open -= 1;
                of.sum = of.sum.saturating_add(cost);
                if of.open > 0 {
                    continue;
                }
                let target = of.sum.min(UNREACHED - 1);
                for &effect in task.effects.at(operator) {
                    if costs[effect as usize] > target {
                        costs[effect as usize] = target;
                        supporters[effect as usize] = operator;
                        queue.push(target, effect);
                    }
                }
            }
        }
        self.effort += 4 * visited;
    }

    /// The cost of a relaxed plan, by the supporters of its facts.
    fn plan(&mut self) -> u32 {
        self.plans += 1;
        let plan = self.plans;
        self.stack.clear();
        self.stack.push(FactTask::GOAL);
        let mut cost = 0u32;
        while let Some(fact) = self.stack.pop() {
            if std::mem::replace(&mut self.marked[fact as usize], plan) == plan {
                continue;
            }
            let supporter = self.supporters[fact as usize];
            if supporter == u32::MAX {
                continue;
            }
            let group = self.task.group_of[supporter as usize] as usize;
            if std::mem::replace(&mut self.taken[group], plan) != plan {
                let of = self.task.groups[group];
                cost = cost.saturating_add(of.cost);
                if self.operators[supporter as usize].sum == of.cost {
                    self.preferred.push(of.label);
                }
            }
            self.stack.extend_from_slice(self.task.preconditions.at(supporter));
        }
        cost
    }

    fn compute(&mut self, state: &[u8]) -> Estimate {
        let mut facts = std::mem::take(&mut self.facts);
        let fits = self.task.read(self.reading.as_ref(), state, &mut facts);
        self.facts = facts;
        if !fits {
            return Estimate::Finite(Cost::ZERO);
        }
        self.effort += self.costs.len() as u64 / 4 + self.operators.len() as u64;
        self.explore();
        match self.costs[FactTask::GOAL as usize] {
            UNREACHED => Estimate::DeadEnd,
            _ if self.combination == FactCombination::Plan => Estimate::Finite(Cost(self.plan())),
            cost => Estimate::Finite(Cost(cost)),
        }
    }
}

impl Heuristic for FactCosts<'_> {
    fn name(&self) -> &str {
        match self.combination {
            FactCombination::Add => "hadd",
            FactCombination::Plan => "hff",
        }
    }

    fn claims(&self) -> Claims {
        Claims { safe: true, ..Claims::NONE }
    }

    fn estimate(&mut self, state: &[u8]) -> Estimate {
        if let Some(estimate) = self.estimate.filter(|_| self.last == state) {
            return estimate;
        }
        self.preferred.clear();
        let estimate = self.compute(state);
        self.last.clear();
        self.last.extend_from_slice(state);
        self.estimate = Some(estimate);
        estimate
    }

    fn step_preferences(
        &mut self,
        state: &[u8],
        successors: &Expansion,
        preferences: &mut Vec<StepPreference>,
    ) {
        preferences.clear();
        if self.combination != FactCombination::Plan {
            return;
        }
        self.estimate(state);
        preferences.extend(successors.successors.transitions().iter().map(|one| {
            match self.preferred.contains(&one.label) {
                true => StepPreference::Preferred,
                false => StepPreference::Plain,
            }
        }));
    }

    fn effort(&self) -> u64 {
        self.effort
    }
}
