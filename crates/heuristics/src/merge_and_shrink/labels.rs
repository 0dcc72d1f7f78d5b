//! Labels for the operators of a factored system: the local transitions of each component.
//!
//! A label lists the transitions of each participant independently of the others. A condition or
//! value over several components becomes several labels, one for each combination of their states,
//! as long as these are few; otherwise each component may take any transition that is possible with
//! some state of the others. Labels over-approximate operators.

use std::collections::BTreeMap;

use beeline_factored::{
    AssignmentTarget, FactorExpr, FactorId, Instruction, Interval, RangeScratch, Ranges, System,
};
use beeline_kernel::Deadline;

use super::factor_groups::FactorGroup;

/// Pairs of source and target state.
pub(super) type Moves = Vec<(u32, u32)>;

/// The local transitions of an operator.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Label {
    /// Whether its cost is 0.
    pub(super) is_free: bool,
    /// Transitions of each participant, ascending by participant.
    pub(super) moves: Vec<(u32, Moves)>,
}

/// The work limit or the deadline is exceeded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct WorkExceeded;

/// Limits for building labels.
#[derive(Clone, Copy, Debug)]
pub(super) struct WorkLimit {
    /// Tried operators and their successors.
    pub(super) work: u64,
    pub(super) deadline: Deadline,
}

/// Builds labels.
pub(super) struct Labels<'a> {
    parts: &'a [FactorGroup],
    /// By factor: its group.
    part_of: Vec<Option<u32>>,
    ranges: Ranges,
    scratch: RangeScratch,
    /// By factor: its value after the last executed operator.
    after: Vec<Option<Interval>>,
    set: Vec<FactorId>,
    tuples: u64,
    /// Remaining work.
    left: u64,
    deadline: Deadline,
    /// Work units since the last check of the deadline.
    unseen: u32,
}

/// Work units between two checks of the deadline.
const BETWEEN: u32 = 1024;

impl<'a> Labels<'a> {
    pub(super) fn new(
        system: &System,
        parts: &'a [FactorGroup],
        tuples: u64,
        limit: WorkLimit,
    ) -> Labels<'a> {
        let mut part_of = vec![None; system.factors.len()];
        for (at, part) in parts.iter().enumerate() {
            part.factors.iter().for_each(|one| part_of[one.0.index()] = Some(at as u32));
        }
        let domains = system.factors.iter().map(|factor| factor.domain).collect();
        Labels {
            parts,
            part_of,
            ranges: Ranges::given(system, domains),
            scratch: RangeScratch::default(),
            after: vec![None; system.factors.len()],
            set: Vec::new(),
            tuples,
            left: limit.work,
            deadline: limit.deadline,
            unseen: 0,
        }
    }

    /// The labels of an operator.
    pub(super) fn of(
        &mut self,
        actions: &[Instruction],
        is_free: bool,
    ) -> Result<Vec<Label>, WorkExceeded> {
        if !self.run(actions)? {
            return Ok(Vec::new());
        }
        let Ties { alone, tied } = self.ties(actions);
        let mut common = Vec::new();
        for part in alone {
            let moves = self.moves(part, actions)?;
            if moves.is_empty() {
                return Ok(Vec::new());
            }
            common.push((part, moves));
        }
        let (core, others) = self.core(&tied);
        let mut labels = Vec::new();
        let mut tuple = vec![0; core.len()];
        loop {
            if let Some(moves) = self.tuple(&core, &tuple, &others, actions)? {
                let mut moves: Vec<_> = moves.into_iter().chain(common.iter().cloned()).collect();
                moves.sort_unstable();
                labels.push(Label { is_free, moves });
            }
            if !self.next(&core, &mut tuple) {
                break;
            }
        }
        labels = merged(labels, &core);
        for label in &mut labels {
            label.moves.retain(|(part, moves)| !self.is_idle(*part, moves));
        }
        Ok(labels)
    }

    /// The groups that single conditions and values depend on.
    fn ties(&self, actions: &[Instruction]) -> Ties {
        let mut ties: Vec<Vec<u32>> = Vec::new();
        for action in actions {
            match action {
                Instruction::Require(condition) => {
                    let mut conjuncts = Vec::new();
                    condition.conjuncts(&mut conjuncts);
                    for one in conjuncts {
                        ties.push(self.parts_in([one], None));
                    }
                }
                Instruction::Set(all) => {
                    for one in all {
                        let index = match &one.place {
                            AssignmentTarget::Element(element) => Some(&*element.index),
                            AssignmentTarget::Factor(_) => None,
                        };
                        let read = index.into_iter().chain([&one.value]);
                        ties.push(self.parts_in(read, Some(&one.place)));
                    }
                }
            }
        }
        let mut found: BTreeMap<u32, usize> = BTreeMap::new();
        for tie in &ties {
            for &part in tie {
                let count = found.entry(part).or_default();
                *count += usize::from(tie.len() > 1);
            }
        }
        let (alone, tied): (Vec<_>, Vec<_>) = found.into_iter().partition(|one| one.1 == 0);
        Ties { alone: alone.into_iter().map(|one| one.0).collect(), tied }
    }

    /// The groups that expressions and a target depend on.
    pub(super) fn parts_in<'e>(
        &self,
        read: impl IntoIterator<Item = &'e FactorExpr>,
        place: Option<&AssignmentTarget>,
    ) -> Vec<u32> {
        let mut found = Vec::new();
        let mut add = |factor: FactorId| found.extend(self.part_of[factor.index()]);
        read.into_iter().for_each(|expr| expr.factors(&mut add));
        place.into_iter().flat_map(AssignmentTarget::factors).for_each(add);
        found.sort_unstable();
        found.dedup();
        found
    }

    /// The groups whose states are enumerated jointly, and those that are enumerated one by one for
    /// each combination. Groups with locations come first, then frequent ones.
    fn core(&self, tied: &[(u32, usize)]) -> (Vec<u32>, Vec<u32>) {
        let mut order = tied.to_vec();
        let part = |one: u32| &self.parts[one as usize];
        order.sort_by_key(|&(one, count)| {
            (!part(one).is_place, usize::MAX - count, part(one).states, one)
        });
        let mut tuples = 1;
        let (mut core, mut others) = (Vec::new(), Vec::new());
        for (one, _) in order {
            if tuples * part(one).states <= self.tuples {
                tuples *= part(one).states;
                core.push(one);
            } else {
                others.push(one);
            }
        }
        (core, others)
    }

    /// The next combination, if there is one.
    fn next(&self, core: &[u32], tuple: &mut [u64]) -> bool {
        for (&part, state) in core.iter().zip(tuple) {
            *state += 1;
            if *state < self.parts[part as usize].states {
                return true;
            }
            *state = 0;
        }
        false
    }

    /// The transitions for a combination of states; `None` if the operator is not applicable.
    fn tuple(
        &mut self,
        core: &[u32],
        tuple: &[u64],
        others: &[u32],
        actions: &[Instruction],
    ) -> Result<Option<Vec<(u32, Moves)>>, WorkExceeded> {
        let parts = self.parts;
        for (&part, &state) in core.iter().zip(tuple) {
            parts[part as usize].fix(state, &mut self.ranges);
        }
        let mut found = Vec::new();
        let mut is_possible = self.run(actions)?;
        if is_possible {
            for (&part, &state) in core.iter().zip(tuple) {
                let mut moves = Moves::new();
                self.ends(part, state as u32, &mut moves)?;
                found.push((part, moves));
            }
            for &part in others {
                let moves = self.moves(part, actions)?;
                is_possible &= !moves.is_empty();
                found.push((part, moves));
            }
        }
        for &part in core {
            parts[part as usize].release(&mut self.ranges);
        }
        Ok(is_possible.then_some(found))
    }

    /// The transitions of a group, with the other groups unknown.
    fn moves(&mut self, part: u32, actions: &[Instruction]) -> Result<Moves, WorkExceeded> {
        let parts = self.parts;
        let of = &parts[part as usize];
        let mut moves = Moves::new();
        for state in 0..of.states {
            of.fix(state, &mut self.ranges);
            if self.run(actions)? {
                self.ends(part, state as u32, &mut moves)?;
            }
        }
        of.release(&mut self.ranges);
        Ok(moves)
    }

    /// Adds the transitions to the states that a group may have after the last execution.
    fn ends(&mut self, part: u32, state: u32, moves: &mut Moves) -> Result<(), WorkExceeded> {
        let parts = self.parts;
        let (after, ranges) = (&self.after, &self.ranges);
        let of = |factor: FactorId| after[factor.index()].unwrap_or_else(|| ranges.get(factor));
        let before = moves.len();
        parts[part as usize].states_in(of, &mut |end| moves.push((state, end)));
        self.spend((moves.len() - before) as u64)
    }

    /// Executes an operator on the current intervals; returns whether it may be applicable.
    fn run(&mut self, actions: &[Instruction]) -> Result<bool, WorkExceeded> {
        self.spend(1 + actions.len() as u64)?;
        self.set.drain(..).for_each(|factor| self.after[factor.index()] = None);
        let Some(set) = self.ranges.outcome(actions, &mut self.scratch) else {
            return Ok(false);
        };
        for &(factor, values) in set {
            self.after[factor.index()] = Some(values);
            self.set.push(factor);
        }
        Ok(true)
    }

    fn spend(&mut self, work: u64) -> Result<(), WorkExceeded> {
        self.left = self.left.checked_sub(work).ok_or(WorkExceeded)?;
        self.unseen += 1;
        if self.unseen < BETWEEN {
            return Ok(());
        }
        self.unseen = 0;
        if self.deadline.is_over() { Err(WorkExceeded) } else { Ok(()) }
    }

    /// Whether the transitions are exactly the self-loops of all states.
    fn is_idle(&self, part: u32, moves: &Moves) -> bool {
        moves.len() as u64 == self.parts[part as usize].states
            && moves.iter().all(|&(from, to)| from == to)
    }
}

/// The groups of an operator.
struct Ties {
    /// Groups that share no condition or value with another group.
    alone: Vec<u32>,
    /// The other groups, with the number of conditions and values that contain them.
    tied: Vec<(u32, usize)>,
}

/// Combines labels that differ in the transitions of one group.
pub(super) fn merged(mut labels: Vec<Label>, parts: &[u32]) -> Vec<Label> {
    for &part in parts {
        let mut together: BTreeMap<Label, Moves> = BTreeMap::new();
        let mut others = Vec::new();
        for mut label in labels {
            match label.moves.binary_search_by_key(&part, |one| one.0) {
                Ok(at) => {
                    let (_, moves) = label.moves.remove(at);
                    together.entry(label).or_default().extend(moves);
                }
                Err(_) => others.push(label),
            }
        }
        for (mut label, mut moves) in together {
            moves.sort_unstable();
            moves.dedup();
            let at = label.moves.partition_point(|one| one.0 < part);
            label.moves.insert(at, (part, moves));
            others.push(label);
        }
        labels = others;
    }
    labels.sort_unstable();
    labels.dedup();
    labels
}
