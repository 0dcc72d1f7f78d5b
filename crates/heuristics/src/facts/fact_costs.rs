//! Costs of facts in the delete relaxation: h^max, h^add, and h^FF on the supporters of h^add.
//!
//! Source: [BG01] for h^max and h^add, [HN01] for relaxed plans; here the supporter of a fact is
//! the operator that makes it cheapest by h^add.
//! Claims: h^max all; the others safe, as the relaxation has every path of the system.

use std::sync::Arc;

use beeline_factored::FactorReader;
use beeline_kernel::{Claims, Cost, Estimate, Expansion, Heuristic, StepLabel, StepPreference};

use super::bucket_queue::BucketQueue;
use super::fact_task::FactTask;

/// How the costs of the preconditions of an operator are combined.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FactCombination {
    /// The greatest: h^max.
    Max,
    /// The sum: h^add.
    Add,
    /// The sum; the estimate is the cost of a relaxed plan: h^FF.
    Plan,
}

const UNREACHED: u32 = u32::MAX;

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
    /// By operator: its preconditions that are not reached.
    open: Vec<u32>,
    all_open: Arc<[u32]>,
    /// By operator: its cost with those of its preconditions.
    sums: Vec<u32>,
    base: Arc<[u32]>,
    queue: BucketQueue,
    facts: Vec<u32>,
    /// By fact and by group of operators: the number of the plan that it belongs to.
    marked: Vec<u32>,
    taken: Vec<u32>,
    plans: u32,
    stack: Vec<u32>,
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
        let (facts, operators) = (task.facts as usize, task.operators.len());
        let open: Vec<u32> =
            task.operators.iter().map(|one| one.preconditions.len() as u32).collect();
        let base: Vec<u32> =
            task.operators.iter().map(|one| task.groups[one.group as usize].cost).collect();
        FactCosts {
            combination,
            costs: vec![UNREACHED; facts],
            supporters: vec![u32::MAX; facts],
            open: vec![0; operators],
            all_open: open.into(),
            sums: vec![0; operators],
            base: base.into(),
            queue: BucketQueue::default(),
            facts: Vec::new(),
            marked: vec![0; facts],
            taken: vec![0; task.groups.len()],
            plans: 0,
            stack: Vec::new(),
            preferred: Vec::new(),
            effort: 0,
            task,
            reading,
        }
    }

    /// Computes costs until the goal is reached.
    fn explore(&mut self) {
        self.costs.fill(UNREACHED);
        self.open.copy_from_slice(&self.all_open);
        self.sums.copy_from_slice(&self.base);
        self.queue.clear();
        for &fact in &self.facts {
            self.costs[fact as usize] = 0;
            self.supporters[fact as usize] = u32::MAX;
            self.queue.push(0, fact);
        }
        let is_max = self.combination == FactCombination::Max;
        while let Some((cost, fact)) = self.queue.pop() {
            let known = self.costs[fact as usize];
            // A cheaper entry of the fact was taken before.
            if known < cost {
                continue;
            }
            if fact == FactTask::GOAL {
                break;
            }
            let users = &self.task.needed_by[fact as usize];
            self.effort += 4 * users.len() as u64;
            for &operator in users {
                let at = operator as usize;
                self.open[at] -= 1;
                self.sums[at] = match is_max {
                    true => self.base[at].saturating_add(known),
                    false => self.sums[at].saturating_add(known),
                };
                if self.open[at] > 0 {
                    continue;
                }
                let target = self.sums[at].min(UNREACHED - 1);
                for &effect in &self.task.operators[at].effects {
                    if self.costs[effect as usize] > target {
                        self.costs[effect as usize] = target;
                        self.supporters[effect as usize] = operator;
                        self.queue.push(target, effect);
                    }
                }
            }
        }
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
            let operator = &self.task.operators[supporter as usize];
            let group = operator.group as usize;
            if std::mem::replace(&mut self.taken[group], plan) != plan {
                let of = self.task.groups[group];
                cost = cost.saturating_add(of.cost);
                if self.sums[supporter as usize] == self.base[supporter as usize] {
                    self.preferred.push(of.label);
                }
            }
            self.stack.extend_from_slice(&operator.preconditions);
        }
        cost
    }
}

impl Heuristic for FactCosts<'_> {
    fn name(&self) -> &str {
        match self.combination {
            FactCombination::Max => "hmax",
            FactCombination::Add => "hadd",
            FactCombination::Plan => "hff",
        }
    }

    fn claims(&self) -> Claims {
        match self.combination {
            FactCombination::Max => Claims::ALL,
            FactCombination::Add | FactCombination::Plan => Claims { safe: true, ..Claims::NONE },
        }
    }

    fn estimate(&mut self, state: &[u8]) -> Estimate {
        self.preferred.clear();
        let mut facts = std::mem::take(&mut self.facts);
        let fits = self.task.read(self.reading.as_ref(), state, &mut facts);
        self.facts = facts;
        if !fits {
            return Estimate::Finite(Cost::ZERO);
        }
        self.effort += self.costs.len() as u64 / 4 + self.open.len() as u64;
        self.explore();
        match self.costs[FactTask::GOAL as usize] {
            UNREACHED => Estimate::DeadEnd,
            _ if self.combination == FactCombination::Plan => Estimate::Finite(Cost(self.plan())),
            cost => Estimate::Finite(Cost(cost)),
        }
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
