//! Variants of operators: each for some values of the factors that select array elements, so that
//! it reads and writes single factors instead of whole arrays.
//!
//! The variants of an operator cover all states within the ranges of the factors and have disjoint
//! guards. An operator with too many index values keeps its arrays.

use std::collections::BTreeSet;

use beeline_factored::{
    AssignmentTarget, Binary, FactorExpr, FactorId, Instruction, Operator, Ranges, System,
};

use crate::array_index::{has_element, index_factors};
use crate::specialise::{Known, specialise};

/// Upper bound on the variants of an operator, if it is worth the time.
pub(crate) const MOST_VARIANTS: usize = 4096;

/// Upper bound on the values of a factor that are tried.
const MOST_VALUES: u64 = 512;

/// Upper bound on the operators of a shut-out set that become part of an operator.
const MOST_EXCLUDING: usize = 32;

/// Upper bound on the combinations of values that a shut-out set adds to a support.
const MOST_COMBINATIONS: u64 = 256;

/// An operator for states with some known values.
#[derive(Clone, Debug)]
pub(crate) struct Variant {
    /// Values that factors must have before the operator.
    pub(crate) guard: Known,
    /// The specialised operator.
    pub(crate) operator: Operator,
    /// Operators that exclude this one where they are applicable, specialised in the same way.
    pub(crate) excluding: Vec<Operator>,
    /// The factors whose values before the operator matter.
    pub(crate) reads: BTreeSet<FactorId>,
    /// The factors that change. Those that may keep their values are among `reads`.
    pub(crate) writes: BTreeSet<FactorId>,
}

/// The variants of an operator, which is not applicable where one of `excluding` is. If there would
/// be more than `most`, it is the only one.
pub(crate) fn variants(
    operator: &Operator,
    excluding: &[&Operator],
    ranges: &Ranges,
    most: usize,
) -> Vec<Variant> {
    let whole = Variant {
        guard: Known::new(),
        operator: operator.clone(),
        excluding: excluding.iter().map(|&one| one.clone()).collect(),
        reads: BTreeSet::new(),
        writes: BTreeSet::new(),
    };
    let Some(whole) = whole.specialised(ranges) else { return Vec::new() };
    let mut found = Vec::new();
    let mut attempts = most * 2;
    if split(&whole, ranges, &mut attempts, &mut found).is_none() {
        found = vec![whole];
    }
    found.iter_mut().for_each(|variant| variant.find_support(ranges));
    found
}

/// The variants of an operator of a system with its shut-out set, as far as that adds little to its
/// support; and whether it does. If not, the shut-out is left to others.
pub(crate) fn variants_with_shut_out(
    system: &System,
    at: u32,
    ranges: &Ranges,
) -> (Vec<Variant>, ShutOut) {
    let operator = &system.steps[at as usize];
    let plain = variants(operator, &[], ranges, MOST_VARIANTS);
    let Some(id) = operator.shut_out_by else { return (plain, ShutOut::Inside) };
    let set = &system.shut_outs[id.0 as usize];
    if set.len() > MOST_EXCLUDING {
        return (plain, ShutOut::Outside);
    }
    let excluding: Vec<&Operator> = set.iter().map(|&one| &system.steps[one as usize]).collect();
    let joint = variants(operator, &excluding, ranges, MOST_VARIANTS);
    let reads =
        |all: &[Variant]| all.iter().map(|variant| variant.combinations(ranges)).max().unwrap_or(1);
    if reads(&joint) <= reads(&plain).saturating_mul(MOST_COMBINATIONS) {
        (joint, ShutOut::Inside)
    } else {
        (plain, ShutOut::Outside)
    }
}

/// Where the shut-out set of an operator is considered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ShutOut {
    /// In its variants; or there is none.
    Inside,
    /// On sets of states.
    Outside,
}

/// Splits a variant by the values of a factor that selects array elements; `None` if there would be
/// too many variants.
fn split(
    variant: &Variant,
    ranges: &Ranges,
    attempts: &mut usize,
    found: &mut Vec<Variant>,
) -> Option<()> {
    let all = std::iter::once(&variant.operator).chain(&variant.excluding);
    let size = |factor: FactorId| ranges.get(factor).size();
    let is_open = |factor: &FactorId| size(*factor) > 1 && !variant.guard.contains_key(factor);
    let candidates = all.flat_map(|one| index_factors(one, &variant.guard, ranges));
    let candidates = candidates.filter(is_open);
    let smallest = candidates.min_by_key(|&factor| (size(factor), factor));
    let Some(factor) = smallest.filter(|&factor| size(factor) <= MOST_VALUES) else {
        found.push(variant.clone());
        return Some(());
    };
    let range = ranges.get(factor);
    for value in range.least..=range.greatest {
        *attempts = attempts.checked_sub(1)?;
        let mut one = variant.clone();
        one.guard.insert(factor, value as i32);
        if let Some(one) = one.specialised(ranges) {
            split(&one, ranges, attempts, found)?;
        }
    }
    Some(())
}

impl Variant {
    /// Propagates the values of the guard; `None` if the variant is never applicable.
    fn specialised(mut self, ranges: &Ranges) -> Option<Variant> {
        self.operator = specialise(&self.operator, &mut self.guard, ranges)?;
        let in_range = |(factor, value): (&FactorId, &i32)| ranges.get(*factor).contains(*value);
        if !self.guard.iter().all(in_range) {
            return None;
        }
        let guard = &self.guard;
        // What an excluding operator requires is no knowledge about this one.
        self.excluding = (self.excluding.iter())
            .filter_map(|one| {
                let mut all = guard.clone();
                let special = specialise(one, &mut all, ranges)?;
                let told = all.iter().filter(|(factor, _)| !guard.contains_key(factor));
                let told = told.map(|(&factor, &value)| {
                    Instruction::Require(FactorExpr::Factor(factor).equals(value))
                });
                let actions = told.chain(special.actions.iter().cloned()).collect();
                Some(Operator { actions, ..special })
            })
            .collect();
        (!self.excluding.iter().any(is_always_applicable)).then_some(self)
    }

    fn find_support(&mut self, ranges: &Ranges) {
        self.reads = self.guard.keys().copied().collect();
        self.reads.extend(reads(&self.operator));
        self.excluding.iter().for_each(|one| self.reads.extend(reads(one)));
        for action in &self.operator.actions {
            if let Instruction::Set(all) = action {
                self.writes.extend(all.iter().flat_map(|one| one.place.factors()));
            }
        }
        // A factor of a single value is no part of a state.
        let varies = |factor: &FactorId| ranges.get(*factor).single().is_none();
        self.reads.retain(varies);
        self.writes.retain(varies);
    }

    /// The combinations of values that it reads, apart from its guard.
    pub(crate) fn combinations(&self, ranges: &Ranges) -> u64 {
        let free = self.reads.iter().filter(|&factor| !self.guard.contains_key(factor));
        free.map(|&factor| ranges.get(factor).size()).fold(1, u64::saturating_mul)
    }

    /// Whether array elements with an unknown index remain.
    pub(crate) fn has_elements(&self) -> bool {
        std::iter::once(&self.operator).chain(&self.excluding).any(|operator| {
            let is_element = |one: &AssignmentTarget| matches!(one, AssignmentTarget::Element(_));
            let mut found = operator.actions.iter().any(|action| match action {
                Instruction::Require(_) => false,
                Instruction::Set(all) => all.iter().any(|one| is_element(&one.place)),
            });
            operator.exprs(|expr| found |= has_element(expr));
            found
        })
    }
}

/// Whether an operator has no condition and only assigns factors values that always exist.
fn is_always_applicable(operator: &Operator) -> bool {
    operator.actions.iter().all(|action| match action {
        Instruction::Require(_) => false,
        Instruction::Set(all) => all.iter().all(|one| {
            matches!(one.place, AssignmentTarget::Factor(_)) && always_has_value(&one.value)
        }),
    })
}

fn always_has_value(expr: &FactorExpr) -> bool {
    match expr {
        FactorExpr::Const(_) | FactorExpr::Factor(_) | FactorExpr::Any(_) => true,
        FactorExpr::Element(_) | FactorExpr::Binary(Binary::Divide | Binary::Modulo, ..) => false,
        FactorExpr::Unary(_, operand) => always_has_value(operand),
        FactorExpr::Binary(_, a, b) => always_has_value(a) && always_has_value(b),
        FactorExpr::Conditional(a, b, c) => [a, b, c].into_iter().all(|e| always_has_value(e)),
    }
}

/// The factors whose values before an operator matter: read before they are surely assigned, or
/// perhaps not assigned.
fn reads(operator: &Operator) -> BTreeSet<FactorId> {
    let (mut found, mut assigned) = (BTreeSet::new(), BTreeSet::new());
    for action in &operator.actions {
        let mut read = |expr: &FactorExpr| {
            expr.factors(&mut |factor| {
                if !assigned.contains(&factor) {
                    found.insert(factor);
                }
            });
        };
        match action {
            Instruction::Require(condition) => read(condition),
            Instruction::Set(all) => {
                for one in all {
                    read(&one.value);
                    if let AssignmentTarget::Element(element) = &one.place {
                        read(&element.index);
                        one.place.factors().for_each(|factor| read(&FactorExpr::Factor(factor)));
                    }
                }
                assigned.extend(all.iter().filter_map(|one| match one.place {
                    AssignmentTarget::Factor(factor) => Some(factor),
                    AssignmentTarget::Element(_) => None,
                }));
            }
        }
    }
    found
}
