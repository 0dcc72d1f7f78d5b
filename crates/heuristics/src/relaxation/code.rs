//! Steps and goals, prepared for relaxed states.
//!
//! What a step asks of a single factor with few values is a mask of those with which it can be
//! taken; what such a factor becomes is a table. Everything else is a program.

use beeline_factored::{Binary, FactorExpr, Interval};
use beeline_kernel::StepLabel;

use super::bit_table::BitTable;
use super::program::{Program, Vars};

/// What is asked of more than one factor, or of one with many values.
#[derive(Clone, Debug)]
pub(super) enum Condition {
    /// An expression is true.
    Whole(TruthProgram),
    /// One of these is.
    Either(Box<[Alternative]>),
    /// Two variables compare like this.
    Compare(Compare),
}

/// Two variables that are compared: of each, it is plain which values are left.
#[derive(Clone, Debug)]
pub(super) struct Compare {
    pub(super) op: Binary,
    pub(super) left: u32,
    pub(super) right: u32,
    /// Other parts of the step read the same factors.
    pub(super) narrows: bool,
}

/// An expression that has to be true.
#[derive(Clone, Debug)]
pub(super) struct TruthProgram {
    pub(super) program: Program,
    pub(super) expr: FactorExpr,
    /// Other parts of the step read the same factors, so it matters which values are left.
    pub(super) narrows: bool,
}

/// Variables of few values, and words of those with which something can be true.
pub(super) type Masks = Vec<(u32, Box<[u64]>)>;

/// What can make a condition true: all of its parts together. No variable is in both.
#[derive(Clone, Debug)]
pub(super) struct Alternative {
    pub(super) masks: Masks,
    pub(super) rest: Option<TruthProgram>,
}

/// What a step does.
#[derive(Clone, Debug)]
pub(super) enum Effect {
    /// A cell gets a value.
    Const { cell: u32, value: i32 },
    /// A cell gets what a table has for the values of a variable, both of them sets of bits.
    Map(BitTable),
    /// A cell gets the values of an expression.
    Value { cell: u32, program: Program, expr: FactorExpr },
    /// One of several does: the program leaves the index and the value.
    Element { cells: Box<[u32]>, program: Program, index: FactorExpr, value: FactorExpr },
    /// One of several effects takes place, by the bits of a variable that none of them reads.
    Chosen { var: u32, table: Box<[u16]>, effects: Box<[Effect]> },
    /// A cell gets all values of an interval.
    Span { cell: u32, values: Interval },
    /// Nothing that was not there.
    Nothing,
}

/// A step or a goal.
#[derive(Clone, Debug)]
pub(super) struct CompiledOperator {
    /// 1 at most.
    pub(super) cost: u32,
    pub(super) label: StepLabel,
    pub(super) vars: Vars,
    /// Variables of few values, and words of those with which it can be taken.
    pub(super) masks: Masks,
    pub(super) conditions: Vec<Condition>,
    /// The number of the first of them, among those of all steps and goals.
    pub(super) first_condition: u32,
    pub(super) effects: Vec<Effect>,
    /// How many of each, from the first, matter once it was taken: what was true stays true,
    /// and what was constant is there.
    pub(super) again: RepeatPart,
    /// Cells that it reads.
    pub(super) reads: Vec<u32>,
    /// Cells that conditions read, or several masks.
    pub(super) compared: Vec<u32>,
    /// Those of them on whose further values its effects depend.
    pub(super) sources: Vec<u32>,
    /// The same, where only flows depend on them.
    pub(super) flowing: Vec<u32>,
}

/// How many masks, conditions and effects.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct RepeatPart {
    pub(super) masks: usize,
    pub(super) conditions: usize,
    pub(super) effects: usize,
    pub(super) with_flows: usize,
}

/// Whether a step was taken before.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Application {
    First,
    Again,
}

impl CompiledOperator {
    /// The masks that have to be looked at.
    #[inline]
    pub(super) fn masks(&self, look: Application) -> &[(u32, Box<[u64]>)] {
        if look == Application::Again { &self.masks[..self.again.masks] } else { &self.masks }
    }

    /// The conditions that have to be looked at.
    #[inline]
    pub(super) fn conditions(&self, look: Application) -> &[Condition] {
        if look == Application::Again {
            &self.conditions[..self.again.conditions]
        } else {
            &self.conditions
        }
    }

    /// The effects that may add something, if nobody follows flows.
    #[inline]
    pub(super) fn effects_and_flows(&self, look: Application) -> &[Effect] {
        if look == Application::Again {
            &self.effects[..self.again.with_flows]
        } else {
            &self.effects
        }
    }

    /// The effects that may add something, if someone does.
    #[inline]
    pub(super) fn effects(&self, look: Application) -> &[Effect] {
        if look == Application::Again { &self.effects[..self.again.effects] } else { &self.effects }
    }
}
