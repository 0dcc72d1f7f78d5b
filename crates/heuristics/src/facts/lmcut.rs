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

use super::bucket_queue::BucketQueue;
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
            let task = Arc::new(FactTask::new(&view));
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

/// The landmark-cut heuristic.
#[derive(Clone)]
pub struct LandmarkCut<'a> {
    task: Arc<FactTask>,
    reading: Arc<dyn FactorReader + 'a>,
    /// By fact: the operators that add it.
    added_by: Arc<Vec<Vec<u32>>>,
    /// By group: its parts.
    parts: Arc<Vec<Vec<u32>>>,
    /// By fact: h^max.
    costs: Vec<u32>,
    zones: Vec<Zone>,
    /// By group: the remaining cost.
    left: Vec<u32>,
    open: Vec<u32>,
    /// By operator: its most expensive precondition, and the cost of that.
    supporters: Vec<u32>,
    supporter_costs: Vec<u32>,
    queue: BucketQueue,
    facts: Vec<u32>,
    stack: Vec<u32>,
    cut: Vec<u32>,
    effort: u64,
}

impl<'a> LandmarkCut<'a> {
    /// For the states that a reader decodes.
    pub fn new(task: Arc<FactTask>, reading: Arc<dyn FactorReader + 'a>) -> Self {
        let (facts, operators) = (task.facts as usize, task.operators.len());
        let mut added_by = vec![Vec::new(); facts];
        let mut parts = vec![Vec::new(); task.groups.len()];
        for (at, operator) in (0..).zip(&task.operators) {
            operator.effects.iter().for_each(|&fact| added_by[fact as usize].push(at));
            parts[operator.group as usize].push(at);
        }
        LandmarkCut {
            added_by: Arc::new(added_by),
            parts: Arc::new(parts),
            costs: vec![UNREACHED; facts],
            zones: vec![Zone::Neither; facts],
            left: Vec::new(),
            open: vec![0; operators],
            supporters: vec![NONE; operators],
            supporter_costs: vec![UNREACHED; operators],
            queue: BucketQueue::default(),
            facts: Vec::new(),
            stack: Vec::new(),
            cut: Vec::new(),
            effort: 0,
            task,
            reading,
        }
    }

    #[inline]
    fn reach(&mut self, fact: u32, cost: u32) {
        if self.costs[fact as usize] > cost {
            self.costs[fact as usize] = cost;
            self.queue.push(cost, fact);
        }
    }

    /// h^max of all facts.
    fn explore(&mut self) {
        let task = self.task.clone();
        self.costs.fill(UNREACHED);
        self.supporters.fill(NONE);
        self.supporter_costs.fill(UNREACHED);
        for (open, operator) in self.open.iter_mut().zip(&task.operators) {
            *open = operator.preconditions.len() as u32;
        }
        self.queue.clear();
        for at in 0..self.facts.len() {
            self.reach(self.facts[at], 0);
        }
        while let Some((cost, fact)) = self.queue.pop() {
            let known = self.costs[fact as usize];
            if known < cost {
                continue;
            }
            for &operator in &task.needed_by[fact as usize] {
                let at = operator as usize;
                self.open[at] -= 1;
                if self.open[at] == 0 {
                    self.supporters[at] = fact;
                    self.supporter_costs[at] = known;
                    let of = &task.operators[at];
                    let target = known.saturating_add(self.left[of.group as usize]);
                    of.effects.iter().for_each(|&effect| self.reach(effect, target));
                }
            }
        }
    }

    /// Lowers h^max after some operators have become cheaper.
    fn lower(&mut self, groups: &[u32]) {
        let task = self.task.clone();
        let parts = self.parts.clone();
        self.queue.clear();
        for &group in groups {
            for &operator in &parts[group as usize] {
                let at = operator as usize;
                if self.supporters[at] != NONE {
                    let target = self.supporter_costs[at].saturating_add(self.left[group as usize]);
                    task.operators[at]
                        .effects
                        .iter()
                        .for_each(|&effect| self.reach(effect, target));
                }
            }
        }
        while let Some((cost, fact)) = self.queue.pop() {
            let known = self.costs[fact as usize];
            if known < cost {
                continue;
            }
            for &operator in &task.needed_by[fact as usize] {
                let at = operator as usize;
                if self.supporters[at] != fact || self.supporter_costs[at] <= known {
                    continue;
                }
                let of = &task.operators[at];
                let costs = of.preconditions.iter().map(|&one| (self.costs[one as usize], one));
                let (most, supporter) = costs.max().expect("an operator has preconditions");
                self.supporters[at] = supporter;
                if self.supporter_costs[at] != most {
                    self.supporter_costs[at] = most;
                    let target = most.saturating_add(self.left[of.group as usize]);
                    of.effects.iter().for_each(|&effect| self.reach(effect, target));
                }
            }
        }
    }

    /// Marks the facts from which the goal costs nothing.
    fn mark_goal_zone(&mut self) {
        let (task, added_by) = (self.task.clone(), self.added_by.clone());
        self.stack.clear();
        self.stack.push(FactTask::GOAL);
        self.zones[FactTask::GOAL as usize] = Zone::Goal;
        while let Some(fact) = self.stack.pop() {
            for &operator in &added_by[fact as usize] {
                let supporter = self.supporters[operator as usize];
                let cost = self.left[task.operators[operator as usize].group as usize];
                if cost == 0 && supporter != NONE && self.zones[supporter as usize] != Zone::Goal {
                    self.zones[supporter as usize] = Zone::Goal;
                    self.stack.push(supporter);
                }
            }
        }
    }

    /// Finds the operators that lead from the state into the goal zone.
    fn find_cut(&mut self) {
        let task = self.task.clone();
        self.cut.clear();
        self.stack.clear();
        for at in 0..self.facts.len() {
            let fact = self.facts[at];
            if self.zones[fact as usize] == Zone::Neither {
                self.zones[fact as usize] = Zone::BeforeGoal;
                self.stack.push(fact);
            }
        }
        while let Some(fact) = self.stack.pop() {
            for &operator in &task.needed_by[fact as usize] {
                if self.supporters[operator as usize] != fact {
                    continue;
                }
                let effects = &task.operators[operator as usize].effects;
                if effects.iter().any(|&effect| self.zones[effect as usize] == Zone::Goal) {
                    self.cut.push(task.operators[operator as usize].group);
                    // Its other effects are behind the cut only if another path leads to them.
                    continue;
                }
                for &effect in effects {
                    if self.zones[effect as usize] == Zone::Neither {
                        self.zones[effect as usize] = Zone::BeforeGoal;
                        self.stack.push(effect);
                    }
                }
            }
        }
        self.cut.sort_unstable();
        self.cut.dedup();
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
        self.left.extend(self.task.groups.iter().map(|group| group.cost));
        let round = (self.costs.len() + self.open.len()) as u64;
        self.effort += 4 * round;
        self.explore();
        if self.costs[FactTask::GOAL as usize] == UNREACHED {
            return Estimate::DeadEnd;
        }
        let mut total = 0u32;
        while self.costs[FactTask::GOAL as usize] > 0 {
            self.effort += round;
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
        self.effort
    }
}
