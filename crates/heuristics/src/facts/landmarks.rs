//! Landmarks of the delete relaxation: facts that hold at some time on each path to the goal.
//!
//! The landmarks of a fact are, for all operators that add it, the intersection of what the landmarks
//! of their preconditions have in common: the greatest solution, by propagation from the initial
//! state. Where all operators that may add a landmark first need some value of the same factor, the
//! disjunction of these values is a landmark, too.
//!
//! Sources: [ZG03] for the propagation, [KRH10] for completeness: all landmarks of the relaxation
//! that are single facts are found; [HPS04] for orders, [RW10] for disjunctions.
//! Deviation from [RW10]: disjunctions are on values of one factor instead of one predicate.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use beeline_kernel::Deadline;

use super::fact_task::{FactTask, RelaxedOperator};

/// The most facts of a disjunction.
const MOST_ALTERNATIVES: usize = 12;

/// How often the deadline is tested, in operators.
const PER_POLL: u64 = 1 << 12;

/// The landmarks of the goal, and what the facts of a state tell about them.
#[derive(Clone, Debug, Default)]
pub(super) struct Landmarks {
    /// The landmarks in the order of their facts; disjunctions are facts of the task, too.
    pub(super) list: Vec<Landmark>,
    /// By fact: the landmarks that were reached where it holds, itself included.
    pub(super) reached: Vec<Vec<u32>>,
    /// By fact: the landmarks that hold where it does.
    pub(super) holds: Vec<Vec<u32>>,
}

/// A landmark.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Landmark {
    /// The least cost of an operator that adds it.
    pub(super) cost: u32,
    /// Whether it must hold at the end.
    pub(super) is_goal: bool,
    /// The landmarks that hold directly before this one is reached for the first time.
    pub(super) before: Vec<u32>,
}

impl Landmarks {
    /// The landmarks of a task. Until the deadline; without time, those that are part of the goal.
    pub(super) fn of(task: &FactTask, deadline: Deadline) -> Landmarks {
        let Some(sets) = LandmarkSets::of(task, deadline) else { return Landmarks::default() };
        let disjunctions = disjunctions(task, &sets);
        let task = task.with_disjunctions(&disjunctions);
        match LandmarkSets::of(&task, deadline) {
            Some(sets) => Landmarks::from_sets(&task, &sets),
            None => Landmarks::default(),
        }
    }

    fn from_sets(task: &FactTask, sets: &LandmarkSets) -> Landmarks {
        let Some(of_goal) = &sets.of[FactTask::GOAL as usize] else { return Landmarks::default() };
        let mut goals: BTreeSet<u32> = BTreeSet::new();
        if let [operator] = task.added_by.at(FactTask::GOAL) {
            goals.extend(task.preconditions.at(*operator).iter());
        }
        let is_one = |fact: &&u32| **fact != FactTask::GOAL && **fact != FactTask::ALWAYS;
        let facts: Vec<u32> = of_goal.iter().filter(is_one).copied().collect();
        let number = |fact: u32| facts.binary_search(&fact).ok().map(|at| at as u32);
        let list = facts.iter().map(|&fact| {
            let first = sets.first_achievers(task, fact);
            let mut common: Option<Vec<u32>> = None;
            for &operator in &first {
                let needed = task.preconditions.at(operator);
                match &mut common {
                    None => common = Some(needed.to_vec()),
                    Some(common) => common.retain(|one| needed.contains(one)),
                }
            }
            Landmark {
                cost: first.iter().map(|&operator| task.cost(operator)).min().unwrap_or(0),
                is_goal: goals.contains(&fact),
                before: common.unwrap_or_default().into_iter().filter_map(number).collect(),
            }
        });
        let list = list.collect();
        let reached = sets.of.iter().map(|set| {
            let set = set.as_deref().unwrap_or_default().iter();
            set.filter_map(|&one| number(one)).collect()
        });
        let holds = (0..task.facts).map(|fact| {
            let implied =
                task.needed_by.at(fact).iter().filter(|&&operator| task.is_implied(operator));
            let implied = implied.flat_map(|&operator| task.effects.at(operator));
            std::iter::once(fact).chain(implied.copied()).filter_map(number).collect()
        });
        Landmarks { list, reached: reached.collect(), holds: holds.collect() }
    }
}

/// By fact: its landmarks, sorted, itself included; `None` if it is not reachable.
struct LandmarkSets {
    of: Vec<Option<Vec<u32>>>,
}

impl LandmarkSets {
    /// By propagation until nothing changes; `None` if the deadline comes first.
    fn of(task: &FactTask, deadline: Deadline) -> Option<LandmarkSets> {
        let facts = task.facts();
        let mut sets: Vec<Option<Vec<u32>>> = vec![None; facts];
        let mut open: Vec<u32> = (0..task.operators() as u32)
            .map(|one| task.preconditions.at(one).len() as u32)
            .collect();
        let mut is_queued = vec![false; open.len()];
        let mut queue: VecDeque<u32> = VecDeque::new();
        for &fact in task.initial.iter().chain([&FactTask::ALWAYS]) {
            if sets[fact as usize].replace(vec![fact]).is_some() {
                continue;
            }
            for &operator in task.needed_by.at(fact) {
                open[operator as usize] -= 1;
                if open[operator as usize] == 0 {
                    is_queued[operator as usize] = true;
                    queue.push_back(operator);
                }
            }
        }
        // By fact: the round of the operator that has it among the landmarks of its conditions.
        let (mut marks, mut round, mut work) = (vec![0u32; facts], 0u32, 0u64);
        let mut joined: Vec<u32> = Vec::new();
        while let Some(operator) = queue.pop_front() {
            is_queued[operator as usize] = false;
            round += 1;
            joined.clear();
            for &needed in task.preconditions.at(operator) {
                for &one in sets[needed as usize].iter().flatten() {
                    if std::mem::replace(&mut marks[one as usize], round) != round {
                        joined.push(one);
                    }
                }
            }
            work += 1 + joined.len() as u64 / 16;
            if work > PER_POLL {
                work = 0;
                if deadline.is_over() {
                    return None;
                }
            }
            for &effect in task.effects.at(operator) {
                let is_new = sets[effect as usize].is_none();
                let is_changed = match &mut sets[effect as usize] {
                    Some(known) => {
                        let before = known.len();
                        known.retain(|&one| one == effect || marks[one as usize] == round);
                        known.len() < before
                    }
                    place => {
                        let mut set = joined.clone();
                        if marks[effect as usize] != round {
                            set.push(effect);
                        }
                        set.sort_unstable();
                        *place = Some(set);
                        true
                    }
                };
                if !is_changed {
                    continue;
                }
                for &user in task.needed_by.at(effect) {
                    if is_new {
                        open[user as usize] -= 1;
                    }
                    if open[user as usize] == 0
                        && !std::mem::replace(&mut is_queued[user as usize], true)
                    {
                        queue.push_back(user);
                    }
                }
            }
        }
        Some(LandmarkSets { of: sets })
    }

    fn has(&self, fact: u32, landmark: u32) -> bool {
        self.of[fact as usize].as_ref().is_some_and(|set| set.binary_search(&landmark).is_ok())
    }

    /// The operators that may add a fact before any other does.
    fn first_achievers(&self, task: &FactTask, fact: u32) -> Vec<u32> {
        if task.initial.contains(&fact) {
            return Vec::new();
        }
        let is_first = |operator: &&u32| {
            let needed = task.preconditions.at(**operator);
            needed.iter().all(|&one| self.of[one as usize].is_some() && !self.has(one, fact))
        };
        task.added_by.at(fact).iter().filter(is_first).copied().collect()
    }
}

/// The values of a factor of which one is needed by each first achiever of a landmark.
fn disjunctions(task: &FactTask, sets: &LandmarkSets) -> Vec<Vec<u32>> {
    let mut factor_of = vec![u32::MAX; task.facts()];
    for (at, place) in (0u32..).zip(&task.factors) {
        if let Some((first, _, count)) = *place {
            factor_of[first as usize..(first + count) as usize].fill(at);
        }
    }
    let mut found = BTreeSet::new();
    let Some(of_goal) = &sets.of[FactTask::GOAL as usize] else { return Vec::new() };
    for &fact in of_goal {
        let first = sets.first_achievers(task, fact);
        // By factor: the needed values, and the number of operators that need one.
        let mut by_factor: BTreeMap<u32, (BTreeSet<u32>, usize)> = BTreeMap::new();
        for &operator in &first {
            for &needed in task.preconditions.at(operator) {
                let factor = factor_of[needed as usize];
                if factor != u32::MAX {
                    let (values, count) = by_factor.entry(factor).or_default();
                    values.insert(needed);
                    *count += 1;
                }
            }
        }
        for (values, count) in by_factor.into_values() {
            let holds_initially = values.iter().any(|value| task.initial.contains(value));
            let fits = (2..=MOST_ALTERNATIVES).contains(&values.len());
            if count == first.len() && fits && !holds_initially {
                found.insert(values.into_iter().collect());
            }
        }
    }
    found.into_iter().collect()
}

impl FactTask {
    /// Whether an operator says that its effects hold where its only precondition does.
    fn is_implied(&self, operator: u32) -> bool {
        self.group_of[operator as usize] == self.implications
            && self.preconditions.at(operator).len() == 1
    }

    /// The task with a further fact for each disjunction.
    fn with_disjunctions(&self, disjunctions: &[Vec<u32>]) -> FactTask {
        let mut task = self.clone();
        let mut operators: Vec<RelaxedOperator> = (0..self.operators() as u32)
            .map(|operator| RelaxedOperator {
                preconditions: self.preconditions.at(operator).to_vec(),
                effects: self.effects.at(operator).to_vec(),
                group: self.group_of[operator as usize],
            })
            .collect();
        for disjunction in disjunctions {
            let (effects, group) = (vec![task.facts], self.implications);
            operators.extend(disjunction.iter().map(|&fact| RelaxedOperator {
                preconditions: vec![fact],
                effects: effects.clone(),
                group,
            }));
            task.facts += 1;
        }
        task.link(&operators);
        task
    }
}
