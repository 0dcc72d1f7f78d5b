//! Labels for the steps of a system in factors: what each component does in a step.
//!
//! A label says what each participant can do, whatever the others do. A condition or a value that
//! depends on several components becomes several labels, one for each combination of their
//! states, as long as these are few; else each of them may do what it could do with any state of
//! the others. So labels allow all that steps allow, and more where they do not look.

use std::collections::BTreeMap;

use beeline_factored::{
    AssignmentTarget, FactorExpr, FactorId, Instruction, Interval, RangeScratch, Ranges, System,
};
use beeline_kernel::Deadline;

use super::factor_groups::FactorGroup;

/// States before and after.
pub(super) type Moves = Vec<(u32, u32)>;

/// What components do together.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Label {
    /// Whether it counts as no step.
    pub(super) is_free: bool,
    /// What each participant can do, ascending by participants.
    pub(super) moves: Vec<(u32, Moves)>,
}

/// It would take too long.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct WorkExceeded;

/// Makes labels.
pub(super) struct Labels<'a> {
    parts: &'a [FactorGroup],
    /// The part of each factor.
    part_of: Vec<Option<u32>>,
    ranges: Ranges,
    scratch: RangeScratch,
    /// What was set last, and to what.
    after: Vec<Option<Interval>>,
    set: Vec<FactorId>,
    tuples: u64,
    /// How much may still be done.
    left: u64,
    deadline: Deadline,
    /// How often that was asked for since someone looked at the clock.
    unseen: u32,
}

/// How often something is done between two looks at the clock.
const BETWEEN: u32 = 1024;

impl<'a> Labels<'a> {
    pub(super) fn new(
        system: &System,
        parts: &'a [FactorGroup],
        tuples: u64,
        (work, deadline): (u64, Deadline),
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
            left: work,
            deadline,
            unseen: 0,
        }
    }

    /// The labels of actions that are taken as one step.
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

    /// The groups of parts that single conditions and values depend on.
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

    /// The parts that expressions depend on, and those of a place.
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

    /// Those whose states are told apart together, and those that are looked at one by one for
    /// each of their combinations. What says where someone is comes first, then what occurs often.
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

    /// What parts do where some have these states; none where that is impossible.
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

    /// What a part can do on its own.
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

    /// Where a part can be after what was run last.
    fn ends(&mut self, part: u32, state: u32, moves: &mut Moves) -> Result<(), WorkExceeded> {
        let parts = self.parts;
        let (after, ranges) = (&self.after, &self.ranges);
        let of = |factor: FactorId| after[factor.index()].unwrap_or_else(|| ranges.get(factor));
        let before = moves.len();
        parts[part as usize].states_in(of, &mut |end| moves.push((state, end)));
        self.spend((moves.len() - before) as u64)
    }

    /// Whether actions are possible with the values that factors have now, and what comes of it.
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

    /// Whether a part can always take part, and stays where it is.
    fn is_idle(&self, part: u32, moves: &Moves) -> bool {
        moves.len() as u64 == self.parts[part as usize].states
            && moves.iter().all(|&(from, to)| from == to)
    }
}

/// Parts that a step is about.
struct Ties {
    /// Those that nothing else in a condition or a value depends on.
    alone: Vec<u32>,
    /// The others, and in how many conditions and values they occur.
    tied: Vec<(u32, usize)>,
}

/// Labels that differ in what one part does are one label.
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
