//! Weak stubborn sets: operators that suffice in a state, since a plan can begin with one of them.
//!
//! A set of operators is stubborn in a state that is no goal if
//!
//! 1. it contains a *necessary enabling set* of a condition of the goal that does not hold: each path
//!    to a state in which the condition holds has one of these operators;
//! 2. for each of its operators that is not applicable, it contains a necessary enabling set of a
//!    precondition that does not hold;
//! 3. for each of its operators that is applicable, it contains the *followers*: the operators that
//!    it may disable, whose effects it may change or may be changed by, or with which it does not
//!    agree on the new value of a variable.
//!
//! Only the applicable operators of the set are expanded.
//!
//! Promises: if there is a plan of cost c and of n actions from a state, an applicable operator of the
//! set leads to a state from which there is a plan of n − 1 actions that costs c together with it.
//! So the reduced space has a plan from each state from which there is one, at the same cost. The set
//! depends on the state alone, or is that of all operators once sets take too much memory or time: a
//! search that finds cheapest paths finds the same cost, and the end of a search without a plan proves
//! that there is none. No cycle condition is necessary.
//!
//! Proof: by 1, a plan has operators of the set; let `o` be the first one, and `p` the operators
//! before it. `o` is applicable in the state: otherwise `p` has an operator of the set by 2. By 3, no
//! operator of `p` is a follower of `o`. So each of them is also applicable if the effects of `o` came
//! before, has the same effects, and leaves those of `o` alone; and `o` has the same effects in the
//! state as after `p`. So `o`, `p` and the rest are a plan.
//! Operators that cannot be in `p` are no followers: let `o` require a value of a variable that it
//! changes. The operators that admit this value and may change it are followers. So in `p` the variable
//! keeps the value, by induction on the length of `p` and for all such variables of `o` together, and
//! operators that require another value do not occur.
//! Effects with conditions on the factor that they change are functions of its old value: those of two
//! operators have to commute on the values that the one in `p` admits.
//!
//! Source: [WH14] for the choice of sets, and the proof as far as it is about necessary enabling sets;
//! [AWMH12] for stubborn sets of planning tasks. Deviation: an operator that disables `o` is no
//! follower, since it may as well come after `o`: the set is weak in the sense of [Val91].
//! Axioms: a derived fact depends on all values and numbers in the bodies of its axioms, and of the
//! axioms of those. A necessary enabling set of a false derived fact is that of one condition for each
//! axiom that does not hold; derived facts that are met again on the way are left out, since the first one of
//! them to become true needs another condition. Numbers: operators that change a fluent are followers of
//! all that read it.

mod leaves;
mod operator_index;
mod rule;
#[cfg(test)]
mod tests;
mod touch;

use std::sync::Arc;

use beeline_kernel::{CandidateSets, Proposals, Reducer, Transition};
use beeline_model::Independence;

use crate::axiom_evaluator::{AxiomEvaluator, holds};
use crate::encode::{EncodedTask, StateCondition};
use crate::space::PlanningSpace;
use operator_index::OperatorIndex;
use rule::StubbornRule;

/// The conditions of the goal that are tried as the beginning of a set.
const BEGINNINGS: usize = 12;
/// What an applicable operator costs in the choice of a necessary enabling set; others cost 1.
const APPLICABLE_COST: usize = 16;
/// The work for an operator or a condition in a list, in nanoseconds.
const PER_OPERATOR: u64 = 4;

/// When no more sets are looked for.
#[derive(Clone, Copy, Debug)]
struct SetLimits {
    /// The work for a state on average, in nanoseconds.
    per_state: u64,
    /// The work before that is judged.
    trial: u64,
}

impl SetLimits {
    const USUAL: SetLimits = SetLimits { per_state: 1_000_000, trial: 200_000_000 };
}

/// Stubborn sets of a task.
pub(crate) struct StubbornSets {
    space: Arc<PlanningSpace>,
    index: Arc<OperatorIndex>,
    limits: SetLimits,
}

impl StubbornSets {
    pub(crate) fn new(space: Arc<PlanningSpace>) -> StubbornSets {
        let index = Arc::new(OperatorIndex::new(&space.task));
        StubbornSets { space, index, limits: SetLimits::USUAL }
    }

    /// The same without a rule, which makes the reduction unsound.
    #[cfg(test)]
    fn without(space: Arc<PlanningSpace>, rule: StubbornRule) -> StubbornSets {
        let mut index = OperatorIndex::new(&space.task);
        index.omitted = Some(rule);
        StubbornSets { space, index: Arc::new(index), limits: SetLimits::USUAL }
    }
}

impl Independence for StubbornSets {
    fn keeps_cheapest(&self) -> bool {
        true
    }

    fn reducer(&self, _proposals: Proposals) -> Box<dyn Reducer + '_> {
        let operators = self.space.task.operators.len();
        Box::new(StubbornReducer {
            task: &self.space.task,
            axioms: self.space.axioms(),
            space: &self.space,
            index: &self.index,
            limits: self.limits,
            applicable: Marks::new(operators),
            members: Marks::new(operators),
            visited: Marks::new(self.space.task.derived.len()),
            open: Vec::new(),
            closed_off: Vec::new(),
            best: Vec::new(),
            enabling: Vec::new(),
            least: Vec::new(),
            facts: Vec::new(),
            states: 0,
            effort: 0,
        })
    }
}

/// A set of numbers that is emptied in no time.
#[derive(Clone, Debug)]
struct Marks {
    rounds: Vec<u32>,
    round: u32,
}

impl Marks {
    fn new(count: usize) -> Marks {
        Marks { rounds: vec![0; count], round: 1 }
    }

    fn clear(&mut self) {
        self.round = self.round.wrapping_add(1);
        if self.round == 0 {
            self.rounds.fill(0);
            self.round = 1;
        }
    }

    fn has(&self, at: u32) -> bool {
        self.rounds[at as usize] == self.round
    }

    /// Adds a number; whether it is new.
    fn add(&mut self, at: u32) -> bool {
        let is_new = !self.has(at);
        self.rounds[at as usize] = self.round;
        is_new
    }
}

/// Finds stubborn sets. The lists are kept to reuse memory.
struct StubbornReducer<'a> {
    task: &'a EncodedTask,
    space: &'a PlanningSpace,
    index: &'a OperatorIndex,
    limits: SetLimits,
    axioms: AxiomEvaluator,
    applicable: Marks,
    members: Marks,
    visited: Marks,
    /// Applicable members whose followers are not members yet.
    open: Vec<u32>,
    /// Members that are not applicable, without a necessary enabling set yet.
    closed_off: Vec<u32>,
    best: Vec<u32>,
    enabling: Vec<u32>,
    least: Vec<u32>,
    facts: Vec<u32>,
    /// The states so far.
    states: u64,
    effort: u64,
}

impl StubbornReducer<'_> {
    /// Whether sets take too long to find: with tens of thousands of operators, a set can take as
    /// long as the expansion of a hundred states.
    fn is_too_slow(&self) -> bool {
        self.effort > self.limits.trial + self.states * self.limits.per_state
    }

    fn is_true(&self, condition: StateCondition, state: &[u8]) -> bool {
        holds(condition, self.task, &self.space.layout, state, &self.axioms.holds)
    }

    fn add(&mut self, operator: u32) {
        if self.members.add(operator) {
            let list = match self.applicable.has(operator) {
                true => &mut self.open,
                false => &mut self.closed_off,
            };
            list.push(operator);
        }
    }

    /// Collects a necessary enabling set of a condition that does not hold.
    fn collect(&mut self, condition: StateCondition, state: &[u8]) {
        let mut found = std::mem::take(&mut self.enabling);
        found.clear();
        match condition {
            StateCondition::Derived(fact, true) => self.collect_derived(fact, state, &mut found),
            _ => self.index.each_changer(self.task, condition, true, &mut |one| found.push(one)),
        }
        self.effort += PER_OPERATOR * found.len() as u64;
        self.enabling = found;
    }

    /// The same for a derived fact.
    fn collect_derived(&mut self, fact: u32, state: &[u8], found: &mut Vec<u32>) {
        let (task, index) = (self.task, self.index);
        let mut looked_at = 0;
        self.visited.clear();
        self.visited.add(fact);
        self.facts.clear();
        self.facts.push(fact);
        while let Some(fact) = self.facts.pop() {
            for &axiom in index.leaves.axioms(fact) {
                let body = &task.axioms[axiom as usize].body;
                looked_at += body.len();
                let false_ones = body.iter().filter(|&&one| !self.is_true(one, state));
                let costs = false_ones.map(|&one| match one {
                    StateCondition::Derived(part, true) if self.visited.has(part) => (0, one),
                    StateCondition::Derived(part, _) => {
                        (1_000_000 + index.leaves.of(task, part).len(), one)
                    }
                    _ => {
                        let mut count = 1;
                        index.each_changer(task, one, true, &mut |_| count += 1);
                        looked_at += count;
                        (count, one)
                    }
                });
                let Some((_, condition)) = costs.min() else { continue };
                match condition {
                    StateCondition::Derived(part, true) => {
                        if self.visited.add(part) {
                            self.facts.push(part);
                        }
                    }
                    _ => index.each_changer(task, condition, true, &mut |one| found.push(one)),
                }
            }
        }
        self.effort += PER_OPERATOR * looked_at as u64;
    }

    /// Adds a necessary enabling set for an operator that is not applicable: the one with the fewest
    /// new operators.
    fn enable(&mut self, operator: u32, state: &[u8]) {
        let task = self.task;
        let mut fewest = usize::MAX;
        let preconditions = &task.operators[operator as usize].preconditions;
        self.effort += PER_OPERATOR * preconditions.len() as u64;
        for &condition in preconditions {
            if self.is_true(condition, state) {
                continue;
            }
            let index = self.index;
            let writers = index.writers(condition);
            if writers.is_none() {
                self.collect(condition, state);
            }
            let Some(count) = self.cost_below(fewest, writers.unwrap_or(&self.enabling)) else {
                continue;
            };
            fewest = count;
            match writers {
                Some(writers) => {
                    self.effort += PER_OPERATOR * writers.len() as u64;
                    self.least.clear();
                    self.least.extend_from_slice(writers);
                }
                None => std::mem::swap(&mut self.least, &mut self.enabling),
            }
            if count == 0 {
                return;
            }
        }
        if fewest == usize::MAX {
            // Its preconditions hold, but a number does not fit.
            let (index, least) = (self.index, &mut self.least);
            least.clear();
            index.each_writer_of_inputs(operator, &mut |one| least.push(one));
        }
        let least = std::mem::take(&mut self.least);
        least.iter().for_each(|&one| self.add(one));
        self.least = least;
    }

    /// The cost of a necessary enabling set, for its new operators, if it is below this one.
    fn cost_below(&self, most: usize, enabling: &[u32]) -> Option<usize> {
        let mut cost = 0;
        for &one in enabling.iter().filter(|&&one| !self.members.has(one)) {
            cost += if self.applicable.has(one) { APPLICABLE_COST } else { 1 };
            if cost >= most {
                return None;
            }
        }
        (cost < most).then_some(cost)
    }

    /// Finds the stubborn set of the operators in `enabling`; `None` if it has at least `most`
    /// applicable operators.
    fn close(&mut self, state: &[u8], most: usize) -> Option<usize> {
        self.members.clear();
        self.open.clear();
        self.closed_off.clear();
        let begin = std::mem::take(&mut self.enabling);
        begin.iter().for_each(|&one| self.add(one));
        self.enabling = begin;
        let mut count = 0;
        loop {
            if count + self.open.len() >= most {
                return None;
            }
            if let Some(operator) = self.open.pop() {
                count += 1;
                let index = self.index;
                let followers = index.followers(self.task, operator);
                self.effort += PER_OPERATOR * followers.len() as u64;
                followers.iter().for_each(|&one| self.add(one));
            } else if let Some(operator) = self.closed_off.pop() {
                if self.index.has(StubbornRule::Enabling) {
                    self.enable(operator, state);
                }
            } else {
                return Some(count);
            }
        }
    }
}

impl Reducer for StubbornReducer<'_> {
    fn propose(&mut self, state: &[u8], transitions: &[Transition], choices: &mut CandidateSets) {
        choices.clear();
        let Some(goal) = &self.task.goal else { return };
        if self.index.is_full() || self.is_too_slow() {
            return;
        }
        self.states += 1;
        if !self.axioms.is_empty() {
            self.axioms.evaluate(self.task, &self.space.layout, state);
        }
        self.applicable.clear();
        for transition in transitions {
            self.applicable.add(transition.label.edge);
        }
        let mut fewest = transitions.len();
        let mut beginnings = 0;
        for &condition in goal {
            if beginnings == BEGINNINGS || fewest <= 1 {
                break;
            }
            if self.is_true(condition, state) {
                continue;
            }
            beginnings += 1;
            self.collect(condition, state);
            if let Some(count) = self.close(state, fewest) {
                fewest = count;
                self.best.clear();
                let labels = transitions.iter().map(|one| one.label.edge);
                let numbers = (0..).zip(labels).filter(|&(_, one)| self.members.has(one));
                self.best.extend(numbers.map(|one| one.0));
            }
        }
        if fewest == 0 {
            // No operator leads to the goal: any one will do.
            self.best.push(0);
        }
        if fewest < transitions.len() && beginnings > 0 {
            choices.push(self.best.iter().copied());
        }
    }

    fn keeps_cheapest(&self) -> bool {
        true
    }

    fn effort(&self) -> u64 {
        self.effort
    }
}
