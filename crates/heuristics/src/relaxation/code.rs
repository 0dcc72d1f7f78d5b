//! Operators and goals compiled for relaxed states.
//!
//! A condition on one factor with few values is a bit mask, an effect on such a factor is a table.
//! Everything else is a program.

use beeline_factored::{Binary, FactorExpr, Interval};
use beeline_kernel::StepLabel;

use super::bit_table::BitTable;
use super::program::{Program, Vars};

/// A condition on several factors, or on one with many values.
#[derive(Clone, Debug)]
pub(super) enum Condition {
    /// An expression is true.
    Whole(TruthProgram),
    /// One of these is true.
    Either(Box<[Alternative]>),
    /// A comparison of two variables.
    Compare(Compare),
}

/// A comparison of two variables; the remaining values of each are computed exactly.
#[derive(Clone, Debug)]
pub(super) struct Compare {
    pub(super) op: Binary,
    pub(super) left: u32,
    pub(super) right: u32,
    /// Other parts of the operator read the same factors.
    pub(super) narrows: bool,
}

/// An expression that has to be true.
#[derive(Clone, Debug)]
pub(super) struct TruthProgram {
    pub(super) program: Program,
    pub(super) expr: FactorExpr,
    /// Other parts of the operator read the same factors, so the remaining values matter.
    pub(super) narrows: bool,
}

/// Variables with few values, and the masks of their allowed values.
pub(super) type Masks = Vec<(u32, Box<[u64]>)>;

/// A disjunct: a conjunction of masks and a program with disjoint variables.
#[derive(Clone, Debug)]
pub(super) struct Alternative {
    pub(super) masks: Masks,
    pub(super) rest: Option<TruthProgram>,
}

/// An effect of an operator.
#[derive(Clone, Debug)]
pub(super) enum Effect {
    /// A cell gets a value.
    Const { cell: u32, value: i32 },
    /// A cell gets the image of a variable's values.
    Map(BitTable),
    /// A cell gets the values of an expression.
    Value { cell: u32, program: Program, expr: FactorExpr },
    /// One of several cells gets a value: the program yields index and value.
    Element { cells: Box<[u32]>, program: Program, index: FactorExpr, value: FactorExpr },
    /// One of several effects, selected by a variable that none of them reads.
    Chosen { var: u32, table: Box<[u16]>, effects: Box<[Effect]> },
    /// A cell gets all values of an interval.
    Span { cell: u32, values: Interval },
    /// No effect.
    Nothing,
}

/// A compiled operator or goal.
#[derive(Clone, Debug)]
pub(super) struct CompiledOperator {
    /// 0 or 1.
    pub(super) cost: u32,
    pub(super) label: StepLabel,
    pub(super) vars: Vars,
    /// Masks of variables with few values.
    pub(super) masks: Masks,
    pub(super) conditions: Vec<Condition>,
    /// Number of its first condition among all conditions.
    pub(super) first_condition: u32,
    pub(super) effects: Vec<Effect>,
    /// The masks, conditions and effects (a prefix of each) that matter after the first
    /// application: satisfied conditions stay satisfied, and constant effects are present.
    pub(super) again: RepeatPart,
    /// Cells that it reads.
    pub(super) reads: Vec<u32>,
    /// Cells that conditions or several masks read.
    pub(super) compared: Vec<u32>,
    /// Cells whose further values change its effects.
    pub(super) sources: Vec<u32>,
    /// Cells that only its flows depend on.
    pub(super) flowing: Vec<u32>,
}

/// Lengths of prefixes of masks, conditions and effects.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct RepeatPart {
    pub(super) masks: usize,
    pub(super) conditions: usize,
    pub(super) effects: usize,
    pub(super) with_flows: usize,
}

/// First or repeated application of an operator.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Application {
    First,
    Again,
}

impl CompiledOperator {
    /// The masks to test.
    #[inline]
    pub(super) fn masks(&self, look: Application) -> &[(u32, Box<[u64]>)] {
        if look == Application::Again { &self.masks[..self.again.masks] } else { &self.masks }
    }

    /// The conditions to test.
    #[inline]
    pub(super) fn conditions(&self, look: Application) -> &[Condition] {
        if look == Application::Again {
            &self.conditions[..self.again.conditions]
        } else {
            &self.conditions
        }
    }

    /// The effects to apply if flows are not followed separately.
    #[inline]
    pub(super) fn effects_and_flows(&self, look: Application) -> &[Effect] {
        if look == Application::Again {
            &self.effects[..self.again.with_flows]
        } else {
            &self.effects
        }
    }

    /// The effects to apply if flows are followed separately.
    #[inline]
    pub(super) fn effects(&self, look: Application) -> &[Effect] {
        if look == Application::Again { &self.effects[..self.again.effects] } else { &self.effects }
    }
}
