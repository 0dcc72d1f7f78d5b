//! Macro-operators: sequences of operators from one state of the model to the next one, while a
//! process holds control in between, as single operators.
//!
//! Fixpoints over macro-operators need no sets of states of holders. They only accelerate: each of
//! them is a sequence that the system has, but those that are long or use many factors are left
//! out, and so are some whose applicability depends on unknown values. The outer loop of the
//! reachability finds what is missing.

use std::collections::VecDeque;

use beeline_factored::{
    ANY_PROCESS, FactorExpr, FactorId, Instruction, Operator, Ranges, ShutOutId, System,
};

use beeline_kernel::StepLabel;

use crate::specialise::{Known, known_after, specialise};
use crate::variant::{Variant, variants};

/// Upper bound on the sequences that begin with one operator, unfinished ones included.
const MOST_SEQUENCES: usize = 32;

/// Upper bound on the sequences of a system, unfinished ones included.
const MOST_IN_ALL: usize = 1 << 13;

/// Upper bound on the instructions of a sequence.
const LONGEST: usize = 48;

/// Upper bound on the variants of a sequence.
const MOST_VARIANTS: usize = 8;

/// Upper bound on the combinations of values that a sequence reads, apart from its guard.
const MOST_COMBINATIONS: u64 = 1 << 12;

/// Upper bound on the combinations of unknown values in a sequence.
const MOST_CHOICES: u64 = 32;

/// Upper bound on the operators that exclude a sequence.
const MOST_EXCLUDING: usize = 16;

/// The macro-operators of a system.
pub(crate) fn macro_operators(system: &System, ranges: &Ranges) -> Vec<Variant> {
    let mut search = Search { system, ranges, found: Vec::new(), left: MOST_IN_ALL };
    system.steps.iter().for_each(|first| search.sequences(first));
    search.found
}

/// Operators in sequence.
#[derive(Clone)]
struct Sequence {
    /// Values of factors before it.
    guard: Known,
    /// Specialised instructions.
    actions: Vec<Instruction>,
    /// Operators over the state before the sequence that exclude it where they are applicable.
    excluding: Vec<Operator>,
}

impl Sequence {
    /// This sequence and an operator after it; `None` if it is never applicable, too long, or
    /// excluded by too many operators.
    fn followed_by(&self, next: &Operator, system: &System, ranges: &Ranges) -> Option<Sequence> {
        let mut guard = self.guard.clone();
        let actions = specialise(&self.joined(next), &mut guard, ranges)?.actions;
        if actions.len() > LONGEST {
            return None;
        }
        let mut excluding = self.excluding.clone();
        if let Some(ShutOutId(id)) = next.shut_out_by {
            let set = &system.shut_outs[id as usize];
            if set.len() > MOST_EXCLUDING {
                return None;
            }
            // If the outcome of the sequence is unknown, this excludes too much rather than too
            // little.
            let others = set.iter().map(|&at| self.as_guarded(&system.steps[at as usize]));
            excluding.extend(others);
        }
        Some(Sequence { guard, actions, excluding })
    }

    /// The operator of this sequence and another operator, without the guard.
    fn joined(&self, next: &Operator) -> Operator {
        let actions = self.actions.iter().chain(&next.actions).cloned().collect();
        Operator { actions, ..Operator::new(next.name.clone(), next.label, 1, Vec::new()) }
    }

    /// The operator of this sequence and another operator, with the guard as conditions.
    fn as_guarded(&self, next: &Operator) -> Operator {
        let is_value = |(&factor, &value): (&FactorId, &i32)| {
            Instruction::Require(FactorExpr::Factor(factor).equals(value))
        };
        let mut joined = self.joined(next);
        joined.actions = self.guard.iter().map(is_value).chain(joined.actions).collect();
        joined
    }
}

/// The search for sequences.
struct Search<'a> {
    system: &'a System,
    ranges: &'a Ranges,
    found: Vec<Variant>,
    /// Sequences that may still be considered.
    left: usize,
}

impl<'a> Search<'a> {
    /// Finds sequences that begin with an operator, short ones first.
    fn sequences(&mut self, first: &Operator) {
        let Some(holder) = first.holds.filter(|_| first.fails.is_none()) else { return };
        let start = Sequence { guard: Known::new(), actions: Vec::new(), excluding: Vec::new() };
        let Some(start) = start.followed_by(first, self.system, self.ranges) else { return };
        let mut waiting = VecDeque::from([(start, holder)]);
        let mut left = MOST_SEQUENCES.min(self.left);
        while let Some((sequence, holder)) = waiting.pop_front() {
            let possible = self.possible(&sequence, holder);
            for &next in possible.iter().filter(|next| next.fails.is_none()) {
                let Some(longer) = sequence.followed_by(next, self.system, self.ranges) else {
                    continue;
                };
                let Some(fewer) = left.checked_sub(1) else { return };
                left = fewer;
                self.left -= 1;
                match next.holds {
                    Some(holder) => waiting.push_back((longer, holder)),
                    None => self.add(longer),
                }
            }
            // The process loses control where it has no operator.
            let mut stuck = sequence.clone();
            stuck.excluding.extend(possible.iter().map(|next| sequence.as_guarded(next)));
            self.add(stuck);
        }
    }

    /// The operators of a process that may be applicable after a sequence.
    fn possible(&self, sequence: &Sequence, process: u32) -> Vec<&'a Operator> {
        let known = known_after(&sequence.actions, &sequence.guard, self.ranges);
        let steps = self.system.steps.iter().filter(|step| !step.only_reports());
        let own = steps.filter(|step| step.label.process == process);
        own.filter(|step| specialise(step, &mut known.clone(), self.ranges).is_some()).collect()
    }

    fn add(&mut self, sequence: Sequence) {
        if sequence.excluding.len() > MOST_EXCLUDING {
            return;
        }
        let unknown = sequence.excluding.iter().map(|one| choices(&one.actions)).max();
        if choices(&sequence.actions).max(unknown.unwrap_or(1)) > MOST_CHOICES {
            return;
        }
        let label = StepLabel { edge: 0, process: ANY_PROCESS };
        let nothing = Operator::new("macro".to_owned(), label, 1, Vec::new());
        let whole = sequence.as_guarded(&nothing);
        let excluding: Vec<&Operator> = sequence.excluding.iter().collect();
        let made = variants(&whole, &excluding, self.ranges, MOST_VARIANTS);
        let is_small = |variant: &Variant| variant.combinations(self.ranges) <= MOST_COMBINATIONS;
        if made.iter().all(is_small) {
            self.found.extend(made);
        }
    }
}

/// The combinations of unknown values in some instructions.
fn choices(actions: &[Instruction]) -> u64 {
    let label = StepLabel { edge: 0, process: ANY_PROCESS };
    let nothing = Operator::new(String::new(), label, 0, Vec::new());
    let mut count = 1u64;
    Operator { actions: actions.to_vec(), ..nothing }
        .exprs(|expr| unknown(expr, &mut |among| count = count.saturating_mul(among)));
    count
}

fn unknown(expr: &FactorExpr, tell: &mut impl FnMut(u64)) {
    match expr {
        FactorExpr::Const(_) | FactorExpr::Factor(_) => {}
        FactorExpr::Any(interval) => tell(interval.size()),
        FactorExpr::Element(element) => unknown(&element.index, tell),
        FactorExpr::Unary(_, operand) => unknown(operand, tell),
        FactorExpr::Binary(_, a, b) => [a, b].into_iter().for_each(|e| unknown(e, tell)),
        FactorExpr::Conditional(a, b, c) => [a, b, c].into_iter().for_each(|e| unknown(e, tell)),
    }
}
