//! Steps that test and set few values: as operators of a factored system, as a relation of bits.

use beeline_factored::{
    Assignment, AssignmentTarget, FactorExpr, FactorId, FactorKind, Instruction, Interval,
    Operator, System,
};
use beeline_kernel::StepLabel;

use crate::bdd_sets::{BddSets, BitRelation};

/// A value that a step sets.
#[derive(Clone, Copy, Debug)]
pub enum NewValue {
    /// A constant.
    Constant(i32),
    /// The value at another position before the step.
    Copy(usize),
}

/// A step: it needs values at some positions and sets values at some.
#[derive(Clone, Debug)]
pub struct LocalStep {
    /// Positions with their values.
    pub needs: Vec<(usize, i32)>,
    /// Positions with their new values.
    pub sets: Vec<(usize, NewValue)>,
}

impl LocalStep {
    fn operator(&self, number: u32) -> Operator {
        let factor = |position: usize| FactorId(position as u32);
        let require = self.needs.iter().map(|&(position, value)| {
            Instruction::Require(FactorExpr::Factor(factor(position)).equals(value))
        });
        let set = self.sets.iter().map(|&(position, value)| Assignment {
            place: AssignmentTarget::Factor(factor(position)),
            value: match value {
                NewValue::Constant(value) => FactorExpr::Const(value),
                NewValue::Copy(other) => FactorExpr::Factor(factor(other)),
            },
        });
        let set = Instruction::Set(set.collect());
        let label = StepLabel { edge: number, process: 0 };
        Operator::new(format!("step {number}"), label, 1, require.chain([set]).collect())
    }

    /// The same step between bits.
    pub fn relation(&self, sets: &BddSets) -> BitRelation {
        let mut pairs = sets.all();
        let mut meet = |one| pairs = oxidd::BooleanFunction::and(&pairs, &one).expect("room");
        for &(position, value) in &self.needs {
            meet(sets.value(position, value));
        }
        for &(position, value) in &self.sets {
            meet(match value {
                NewValue::Constant(value) => sets.next_value(position, value),
                NewValue::Copy(other) => sets.next_copy(position, other),
            });
        }
        let changed: Vec<usize> = self.sets.iter().map(|&(position, _)| position).collect();
        sets.relation(pairs, &changed)
    }
}

/// The factored system of some steps: values begin with 0 and are less than a number.
pub fn system_of(length: usize, values: i32, steps: &[LocalStep]) -> System {
    let mut system = System::default();
    let domain = Interval { least: 0, greatest: i64::from(values) - 1 };
    for position in 0..length {
        system.add(format!("value {position}"), FactorKind::Variable, domain, 0);
    }
    let operators = (0..).zip(steps).map(|(number, step)| step.operator(number));
    system.steps.extend(operators);
    system
}
