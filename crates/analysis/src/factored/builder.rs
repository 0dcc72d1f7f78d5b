//! The builder of a factored system, and the data that its parts share.

use beeline_engine::automata::EdgeId;
use beeline_engine::constants::ConstantVariables;
use beeline_engine::interpreter::Machine;
use beeline_engine::layout::Scalar;
use beeline_factored::{
    Assignment, AssignmentTarget, FactorExpr, FactorId, Instruction, IntWidth, System,
};
use beeline_kernel::FaultKind;

use super::instances::Instances;
use super::path_intervals::PathIntervals;
use super::spans::Spans;

/// Builds a system.
pub(super) struct Builder<'a> {
    pub(super) machine: &'a Machine<'a>,
    pub(super) constants: &'a ConstantVariables,
    pub(super) instances: Instances,
    pub(super) spans: Spans,
    /// The first global variable, and the initial values of all.
    pub(super) globals: FactorId,
    pub(super) first_globals: Vec<i32>,
    pub(super) system: System,
    /// The conditions under which the expression translated last has no value.
    pub(super) failing: Vec<FaultCause>,
    /// In an exact system, the condition under which the assertion translated last is false.
    pub(super) violated: Option<FactorExpr>,
    /// The value of `timeout`.
    pub(super) timeout: FactorExpr,
    /// Whether a step has failed, if faults are a goal.
    pub(super) error: Option<FactorId>,
    pub(super) claim: Option<FactorId>,
    /// Whether the system shall have exactly the steps of the model.
    pub(super) detail: Detail,
    /// The edges of each step of the system.
    pub(super) origins: Vec<StepOrigin>,
    pub(super) path_intervals: PathIntervals,
}

/// A condition under which a statement fails.
#[derive(Clone, Debug)]
pub(super) struct FaultCause {
    pub(super) kind: FaultKind,
    pub(super) when: FactorExpr,
}

/// How closely a system follows its model.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Detail {
    /// With more steps, where that makes it simpler.
    Relaxed,
    /// With exactly the steps of the model, where that is possible.
    Exact,
}

/// The edges of a step, in process instances.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct StepOrigin {
    pub(super) mover: (usize, EdgeId),
    /// The receiver of a rendezvous.
    pub(super) receiver: Option<(usize, EdgeId)>,
}

impl Builder<'_> {
    pub(super) fn is_exact(&self) -> bool {
        self.detail == Detail::Exact
    }

    /// Records a condition under which the expression has no value.
    pub(super) fn fail(&mut self, kind: FaultKind, when: FactorExpr) {
        self.failing.push(FaultCause { kind, when });
    }

    /// The recorded conditions, without their kinds.
    pub(super) fn take_failing(&mut self) -> impl Iterator<Item = FactorExpr> + use<> {
        std::mem::take(&mut self.failing).into_iter().map(|cause| cause.when)
    }

    /// Whether steps that fail are steps of the system.
    pub(super) fn shows_faults(&self) -> bool {
        self.error.is_some() || self.is_exact()
    }
}

/// The process instance that evaluates an expression; none for a property.
pub(super) type MaybeInstance = Option<usize>;

/// The target of a single value, and its scalar type.
pub(super) struct Stored {
    pub(super) place: AssignmentTarget,
    pub(super) scalar: Scalar,
}

/// The stored width of values; `None` if values are not truncated.
pub(super) fn width(scalar: Scalar) -> Option<IntWidth> {
    match scalar {
        Scalar::Bit => Some(IntWidth::Bits(1)),
        Scalar::Byte => Some(IntWidth::Bits(8)),
        Scalar::Short => Some(IntWidth::Short),
        Scalar::Int => None,
        Scalar::Unsigned(bits) if bits < 32 => Some(IntWidth::Bits(bits)),
        Scalar::Unsigned(_) => None,
    }
}

/// Sets one factor.
pub(super) fn set(factor: FactorId, value: FactorExpr) -> Instruction {
    Instruction::Set(vec![assign(factor, value)])
}

/// The assignment of a value to a factor.
pub(super) fn assign(factor: FactorId, value: FactorExpr) -> Assignment {
    Assignment { place: AssignmentTarget::Factor(factor), value }
}
