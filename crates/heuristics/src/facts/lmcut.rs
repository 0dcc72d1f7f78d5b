//! Landmark-cut: a sum of the costs of disjunctive action landmarks. Each is a cut between the
//! state and the facts from which the goal costs nothing, in the graph of the most expensive
//! preconditions; its cost is subtracted from its operators, until h^max of the goal is 0.
//!
//! Source: [HD09].
//! Deviation: an operator with conditional effects has several parts that share its cost: what a
//! landmark takes from one part, it takes from all of them, so that the sum is admissible.
//! Claims: admissible and safe; not consistent, since the cuts depend on ties.

use std::sync::Arc;

use beeline_factored::FactorReader;
use beeline_kernel::{Claims, Cost, Estimate, Heuristic};

use super::bucket_queue::{BucketQueue, reach};
use super::fact_task::FactTask;
use crate::goal::GoalKind;
use crate::request::{HeuristicBuilder, HeuristicRow};

/// The registry row.
pub(crate) const ROW: HeuristicRow = HeuristicRow {
    name: "lmcut",
    aliases: &[],
    arguments: &[],
    about: "sum of the costs of landmarks: sets of steps of which each path to an error has one",
    promises: Some("admissible, safe"),
    source: Some("[HD09]"),
    build: HeuristicBuilder {
        goals: GoalKind::ALL,
        build: |of| {
            let view = of.view()?;
            let task = Arc::new(FactTask::new(&view).relevant());
            Ok(Box::new(LandmarkCut::new(task, view.reading)))
        },
    },
};

const UNREACHED: u32 = u32::MAX;
const NONE: u32 = u32::MAX;

/// The zone of a fact in the search for a cut.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Zone {
    Neither,
    BeforeGoal,
    Goal,
}

/// An operator in the computation of h^max.
#[derive(Clone, Copy, Debug)]
struct CutOperator {
    /// The number of its preconditions that are not reached.
    open: u32,
    /// Its most expensive precondition, and the cost of that.
    supporter: u32,
    supporter_cost: u32,
}

/// The landmark-cut heuristic.
#[derive(Clone)]
pub struct LandmarkCut<'a> {
    task: Arc<FactTask>,
    reading: Arc<dyn FactorReader + 'a>,
    /// By fact: h^max.
    costs: Vec<u32>,
    zones: Vec<Zone>,
    /// By group: the remaining cost.
    left: Vec<u32>,
    /// The costs before the first cut.
    all_costs: Arc<[u32]>,
    operators: Vec<CutOperator>,
    /// The operators before an exploration.
    fresh: Arc<[CutOperator]>,
    queue: BucketQueue,
    facts: Vec<u32>,
    stack: Vec<u32>,
    cut: Vec<u32>,
    /// The visited preconditions and effects of operators.
    arcs: u64,
    /// The facts and operators that were reset or marked.
    resets: u64,
}

/// The approximate time to visit a precondition or an effect, in nanoseconds: 3.7 to 5.5 were measured
/// on four tasks, all other work included.
const PER_ARC: u64 = 4;
/// The facts or operators that are reset in a nanosecond.
const RESETS: u64 = 4;

impl<'a> LandmarkCut<'a> {
    /// For the states that a reader decodes.
    pub fn new(task: Arc<FactTask>, reading: Arc<dyn FactorReader + 'a>) -> Self {
        let fresh = (0..task.operators() as u32).map(|operator| CutOperator {
            open: task.preconditions.at(operator).len() as u32,
            supporter: NONE,
            supporter_cost: UNREACHED,
        });
        let fresh: Arc<[CutOperator]> = fresh.collect();
        LandmarkCut {
            costs: vec![UNREACHED; task.facts()],
            zones: vec![Zone::Neither; task.facts()],
            left: Vec::new(),
            all_costs: task.groups.iter().map(|group| group.cost).collect(),
            operators: fresh.to_vec(),
            fresh,
            queue: BucketQueue::default(),
            facts: Vec::new(),
            stack: Vec::new(),
            cut: Vec::new(),
            arcs: 0,
            resets: 0,
            task,
            reading,
        }
    }

    /// h^max of all facts.
    fn explore(&mut self) {
        let LandmarkCut { task, costs, left, operators, queue, arcs, .. } = self;
        costs.fill(UNREACHED);
        operators.copy_from_slice(&self.fresh);
        queue.clear();
        for &fact in &self.facts {
            reach(costs, queue, fact, 0);
        }
        while let Some((cost, fact)) = queue.pop() {
            if costs[fact as usize] < cost {
                continue;
            }
            let users = task.needed_by.at(fact);
            *arcs += users.len() as u64;
            for &operator in users {
                let of = &mut operators[operator as usize];
                of.open -= 1;
                if of.open == 0 {
                    (of.supporter, of.supporter_cost) = (fact, cost);
                    let own = left[task.group_of[operator as usize] as usize];
                    let target = cost.saturating_add(own);
                    let effects = task.effects.at(operator);
                    *arcs += effects.len() as u64;
                    for &effect in effects {
                        reach(costs, queue, effect, target);
                    }
                }
            }
        }
    }

    /// Lowers h^max after some operators have become cheaper.
    fn lower(&mut self, groups: &[u32]) {
        let LandmarkCut { task, costs, left, operators, queue, arcs, .. } = self;
        queue.clear();
        for &group in groups {
            for &operator in task.parts.at(group) {
                let of = operators[operator as usize];
                if of.supporter != NONE {
                    let target = of.supporter_cost.saturating_add(left[group as usize]);
                    let effects = task.effects.at(operator);
                    *arcs += effects.len() as u64;
                    for &effect in effects {
                        reach(costs, queue, effect, target);
                    }
                }
            }
        }
        while let Some((cost, fact)) = queue.pop() {
            if costs[fact as usize] < cost {
                continue;
            }
            let users = task.needed_by.at(fact);
            *arcs += users.len() as u64;
            for &operator in users {
                let of = &mut operators[operator as usize];
                if of.supporter != fact || of.supporter_cost <= cost {
                    continue;
                }
                let needed = task.preconditions.at(operator);
                *arcs += needed.len() as u64;
                let (most, supporter) = needed
                    .iter()
                    .map(|&one| (costs[one as usize], one))
                    .max()
                    .expect("an operator has preconditions");
                of.supporter = supporter;
                if of.supporter_cost != most {
                    of.supporter_cost = most;
                    let own = left[task.group_of[operator as usize] as usize];
                    let target = most.saturating_add(own);
                    let effects = task.effects.at(operator);
                    *arcs += effects.len() as u64;
                    for &effect in effects {
                        reach(costs, queue, effect, target);
                    }
                }
            }
        }
    }

    /// Marks the facts from which the goal costs nothing.
    fn mark_goal_zone(&mut self) {
        let LandmarkCut { task, zones, left, operators, stack, arcs, .. } = self;
        stack.clear();
        stack.push(FactTask::GOAL);
        zones[FactTask::GOAL as usize] = Zone::Goal;
        while let Some(fact) = stack.pop() {
            let adders = task.added_by.at(fact);
            *arcs += adders.len() as u64;
            for &operator in adders {
                let cost = left[task.group_of[operator as usize] as usize];
                let supporter = operators[operator as usize].supporter;
                if cost == 0 && supporter != NONE && zones[supporter as usize] != Zone::Goal {
                    zones[supporter as usize] = Zone::Goal;
                    stack.push(supporter);
                }
            }
        }
    }

    /// Finds the operators that lead from the state into the goal zone.
    fn find_cut(&mut self) {
        let LandmarkCut { task, zones, operators, stack, cut, arcs, .. } = self;
        cut.clear();
        stack.clear();
        for &fact in &self.facts {
            if zones[fact as usize] == Zone::Neither {
                zones[fact as usize] = Zone::BeforeGoal;
                stack.push(fact);
            }
        }
        while let Some(fact) = stack.pop() {
            let users = task.needed_by.at(fact);
            *arcs += users.len() as u64;
            for &operator in users {
                if operators[operator as usize].supporter != fact {
                    continue;
                }
                let effects = task.effects.at(operator);
                *arcs += effects.len() as u64;
                if effects.iter().any(|&effect| zones[effect as usize] == Zone::Goal) {
                    cut.push(task.group_of[operator as usize]);
                    // Its other effects are behind the cut only if another path leads to them.
                    continue;
                }
                for &effect in effects {
                    if zones[effect as usize] == Zone::Neither {
                        zones[effect as usize] = Zone::BeforeGoal;
                        stack.push(effect);
                    }
                }
            }
        }
        cut.sort_unstable();
        cut.dedup();
    }
}

impl Heuristic for LandmarkCut<'_> {
    fn name(&self) -> &str {
        "lmcut"
    }

    fn claims(&self) -> Claims {
        Claims { admissible: true, consistent: false, safe: true }
    }

    fn estimate(&mut self, state: &[u8]) -> Estimate {
        let mut facts = std::mem::take(&mut self.facts);
        let fits = self.task.read(self.reading.as_ref(), state, &mut facts);
        self.facts = facts;
        if !fits {
            return Estimate::Finite(Cost::ZERO);
        }
        self.left.clear();
        self.left.extend_from_slice(&self.all_costs);
        self.resets += 4 * (self.costs.len() + self.operators.len()) as u64;
        self.explore();
        if self.costs[FactTask::GOAL as usize] == UNREACHED {
            return Estimate::DeadEnd;
        }
        let mut total = 0u32;
        while self.costs[FactTask::GOAL as usize] > 0 {
            self.resets += self.zones.len() as u64;
            self.zones.fill(Zone::Neither);
            self.mark_goal_zone();
            self.find_cut();
            let least = self.cut.iter().map(|&group| self.left[group as usize]).min();
            let Some(least) = least.filter(|&least| least > 0) else { break };
            total = total.saturating_add(least);
            let cut = std::mem::take(&mut self.cut);
            cut.iter().for_each(|&group| self.left[group as usize] -= least);
            self.lower(&cut);
            self.cut = cut;
        }
        Estimate::Finite(Cost(total))
    }

    fn effort(&self) -> u64 {
        PER_ARC * self.arcs + self.resets / RESETS
    }
}
