//! Expressions compiled for repeated evaluation: addresses of variables are computed once, and
//! subexpressions that are constant for a process are folded.
//!
//! Values agree with [`Machine::evaluate`] for a process that does not wait for `timeout`.

use beeline_engine::arithmetic::apply;
use beeline_engine::interpreter::Machine;
use beeline_engine::layout::Scalar;
use beeline_promela::hir::{
    Access, BinaryOp, Expr, ExprKind, Predefined, ProcessId, Root, Type, UnaryOp, Variable,
};

/// An expression with resolved addresses.
#[derive(Clone, Debug)]
pub(crate) enum CompiledExpr {
    Constant(i32),
    Pid,
    Variable(ValueLocation),
    /// A variable of one byte, the most frequent form.
    Byte(RecordBase, usize),
    /// Element of a byte array: base and address, length, then base and address of the index byte.
    ByteElement(RecordBase, usize, u32, RecordBase, usize),
    /// Element of an array: address of the first, length, size, index.
    Element(ValueLocation, u32, usize, Box<CompiledExpr>),
    /// One of several consecutive channel names: first, length, index.
    Name(i32, u32, Box<CompiledExpr>),
    Binary(BinaryOp, Box<[CompiledExpr; 2]>),
    Not(Box<CompiledExpr>),
}

/// Base of an address, as a mask of the record address: all bits for a record, none for the state.
#[derive(Clone, Copy, Debug)]
pub(crate) struct RecordBase(usize);

impl RecordBase {
    const STATE: RecordBase = RecordBase(0);
    const RECORD: RecordBase = RecordBase(usize::MAX);
}

/// Address and type of a variable.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ValueLocation {
    from: RecordBase,
    at: usize,
    stored: Scalar,
}

/// Evaluation context: the bytes of the state, the process, and the address of its record.
#[derive(Clone, Copy)]
pub(crate) struct EvalProcess<'a> {
    pub(crate) bytes: &'a [u8],
    pub(crate) pid: usize,
    pub(crate) record: usize,
}

/// Evaluation fails. A step that evaluates the expression fails, so it is executable.
pub(crate) struct EvalFault;

impl CompiledExpr {
    /// Compiles an expression for a process type; `None` if it is not supported.
    pub(crate) fn of(
        machine: &Machine<'_>,
        process: ProcessId,
        expr: &Expr,
    ) -> Option<CompiledExpr> {
        let value = |expr: &Expr| CompiledExpr::of(machine, process, expr);
        Some(match &expr.kind {
            ExprKind::Const(constant) | ExprKind::Mtype { value: constant, .. } => {
                CompiledExpr::Constant(*constant)
            }
            ExprKind::Read(access) => return CompiledExpr::held(machine, process, access),
            ExprKind::Binary(op, left, right) => {
                CompiledExpr::Binary(*op, Box::new([value(left)?, value(right)?]))
            }
            ExprKind::Unary(UnaryOp::Not, operand) => CompiledExpr::Not(Box::new(value(operand)?)),
            // Callers do not wait for `timeout`.
            ExprKind::Timeout => CompiledExpr::Constant(0),
            _ => return None,
        })
    }

    /// Compiles a read of a variable.
    pub(crate) fn held(
        machine: &Machine<'_>,
        process: ProcessId,
        access: &Access,
    ) -> Option<CompiledExpr> {
        let layout = machine.layout();
        if let Root::Global(id) = access.root
            && let Some(first) = layout.names[id.index()]
        {
            let length = machine.model().globals[id.index()].length;
            return Some(match (access.index.as_deref(), length) {
                (Some(index), Some(length)) => {
                    let index = CompiledExpr::of(machine, process, index)?;
                    CompiledExpr::Name(first, length, Box::new(index))
                }
                _ => CompiledExpr::Constant(first),
            });
        }
        let (variable, from, at): (&Variable, RecordBase, usize) = match access.root {
            Root::Predefined(Predefined::Pid) => return Some(CompiledExpr::Pid),
            Root::Predefined(_) => return None,
            Root::Global(id) => (
                &machine.model().globals[id.index()],
                RecordBase::STATE,
                layout.globals[id.index()],
            ),
            Root::Local(id) => {
                let locals = &layout.processes[process.index()].locals;
                let variable = &machine.model().process(process).locals[id.index()];
                (variable, RecordBase::RECORD, locals[id.index()])
            }
        };
        if matches!(variable.ty, Type::Struct(_)) || !access.path.is_empty() {
            return None;
        }
        let place =
            ValueLocation { from, at, stored: layout.element(variable.ty, variable.length) };
        Some(match (access.index.as_deref(), variable.length) {
            (Some(index), Some(length)) => {
                let index = CompiledExpr::of(machine, process, index)?;
                CompiledExpr::Element(place, length, layout.size(variable.ty), Box::new(index))
            }
            _ => CompiledExpr::Variable(place),
        })
    }

    /// Specialises the expression for a process number.
    pub(crate) fn for_process(&self, pid: usize) -> CompiledExpr {
        self.simplified(&|part| matches!(part, CompiledExpr::Pid).then_some(pid as i32))
    }

    /// Specialises the expression for states that agree with this one in the bytes selected by
    /// `is_kept`.
    pub(crate) fn where_kept(
        &self,
        owner: EvalProcess<'_>,
        is_kept: &impl Fn(usize) -> bool,
    ) -> CompiledExpr {
        self.simplified(&|part| match *part {
            CompiledExpr::Byte(from, at) => {
                is_kept(owner.start(from) + at).then(|| owner.byte(from, at))
            }
            CompiledExpr::Variable(place) => {
                let at = owner.start(place.from) + place.at;
                let mut bytes = at..at + place.stored.size();
                bytes.all(is_kept).then(|| owner.read(place, 0))
            }
            _ => None,
        })
    }

    /// Folds the subexpressions with known values.
    fn simplified(&self, known: &impl Fn(&CompiledExpr) -> Option<i32>) -> CompiledExpr {
        if let Some(value) = known(self) {
            return CompiledExpr::Constant(value);
        }
        match self {
            CompiledExpr::Constant(_) | CompiledExpr::Pid | CompiledExpr::Byte(..) => self.clone(),
            CompiledExpr::Variable(place) => place.value(),
            CompiledExpr::ByteElement(from, at, length, index_from, index_at) => {
                match known(&CompiledExpr::Byte(*index_from, *index_at)) {
                    Some(index) if (index as u32) < *length => {
                        CompiledExpr::Byte(*from, at + index as usize).simplified(known)
                    }
                    _ => self.clone(),
                }
            }
            CompiledExpr::Element(place, length, size, index) => match index.simplified(known) {
                CompiledExpr::Constant(index) if index >= 0 && (index as u32) < *length => {
                    let at = place.at + index as usize * size;
                    ValueLocation { at, ..*place }.value().simplified(known)
                }
                CompiledExpr::Byte(from, at) if place.is_byte() && *size == 1 => {
                    CompiledExpr::ByteElement(place.from, place.at, *length, from, at)
                }
                index => CompiledExpr::Element(*place, *length, *size, Box::new(index)),
            },
            CompiledExpr::Name(first, length, index) => match index.simplified(known) {
                CompiledExpr::Constant(index) if index >= 0 && (index as u32) < *length => {
                    CompiledExpr::Constant(first + index)
                }
                index => CompiledExpr::Name(*first, *length, Box::new(index)),
            },
            CompiledExpr::Not(operand) => match operand.simplified(known) {
                CompiledExpr::Constant(value) => CompiledExpr::Constant(i32::from(value == 0)),
                operand => CompiledExpr::Not(Box::new(operand)),
            },
            CompiledExpr::Binary(op, operands) => {
                let [left, right] = [operands[0].simplified(known), operands[1].simplified(known)];
                if let (CompiledExpr::Constant(a), CompiledExpr::Constant(b)) = (&left, &right)
                    && let Ok(value) = binary(*op, *a, || Ok(*b))
                {
                    return CompiledExpr::Constant(value);
                }
                CompiledExpr::Binary(*op, Box::new([left, right]))
            }
        }
    }

    /// The possible values of a byte-indexed element if all of them are constant, and the address
    /// of the index byte.
    pub(crate) fn elements(
        &self,
        owner: EvalProcess<'_>,
        is_kept: &impl Fn(usize) -> bool,
    ) -> Option<(Vec<i32>, usize)> {
        if let CompiledExpr::Name(first, length, index) = self {
            let CompiledExpr::Byte(from, at) = **index else { return None };
            let elements = (0..*length).map(|index| first + index as i32).collect();
            return Some((elements, owner.start(from) + at));
        }
        let CompiledExpr::ByteElement(from, at, length, index_from, index_at) = *self else {
            return None;
        };
        let element = |index: u32| {
            let at = at + index as usize;
            is_kept(owner.start(from) + at).then(|| owner.byte(from, at))
        };
        let elements = (0..length).map(element).collect::<Option<_>>()?;
        Some((elements, owner.start(index_from) + index_at))
    }

    /// The only byte of the state that the value depends on; `None` if there are more.
    pub(crate) fn only_byte(&self, owner: EvalProcess<'_>) -> Option<usize> {
        match self {
            CompiledExpr::Byte(from, at) => Some(owner.start(*from) + at),
            CompiledExpr::Not(operand) => operand.only_byte(owner),
            CompiledExpr::Binary(_, operands) => match &**operands {
                [one, CompiledExpr::Constant(_)] | [CompiledExpr::Constant(_), one] => {
                    one.only_byte(owner)
                }
                [one, two] => one.only_byte(owner).filter(|at| two.only_byte(owner) == Some(*at)),
            },
            _ => None,
        }
    }
}

impl ValueLocation {
    /// A read of this address.
    fn value(self) -> CompiledExpr {
        if self.is_byte() {
            CompiledExpr::Byte(self.from, self.at)
        } else {
            CompiledExpr::Variable(self)
        }
    }

    fn is_byte(self) -> bool {
        self.stored.size() == 1
    }
}

impl EvalProcess<'_> {
    /// Evaluates an expression.
    #[inline(always)]
    pub(crate) fn value(&self, value: &CompiledExpr) -> Result<i32, EvalFault> {
        match *value {
            CompiledExpr::Constant(value) => Ok(value),
            CompiledExpr::Byte(from, at) => Ok(self.byte(from, at)),
            CompiledExpr::ByteElement(from, at, length, index_from, index_at) => {
                let index = self.byte(index_from, index_at) as u32;
                if index >= length {
                    return Err(EvalFault);
                }
                Ok(self.byte(from, at + index as usize))
            }
            _ => self.compound(value),
        }
    }

    fn compound(&self, value: &CompiledExpr) -> Result<i32, EvalFault> {
        Ok(match value {
            CompiledExpr::Constant(_) | CompiledExpr::Byte(..) | CompiledExpr::ByteElement(..) => {
                self.value(value)?
            }
            CompiledExpr::Pid => self.pid as i32,
            CompiledExpr::Variable(place) => self.read(*place, 0),
            CompiledExpr::Element(place, length, size, index) => {
                let index = self.value(index)?;
                if index < 0 || index as u32 >= *length {
                    return Err(EvalFault);
                }
                self.read(*place, index as usize * size)
            }
            CompiledExpr::Name(first, length, index) => {
                let index = self.value(index)?;
                if index < 0 || index as u32 >= *length {
                    return Err(EvalFault);
                }
                first + index
            }
            CompiledExpr::Not(value) => i32::from(self.value(value)? == 0),
            CompiledExpr::Binary(op, operands) => {
                binary(*op, self.value(&operands[0])?, || self.value(&operands[1]))?
            }
        })
    }

    fn read(&self, place: ValueLocation, further: usize) -> i32 {
        place.stored.read(self.bytes, self.start(place.from) + place.at + further)
    }

    #[inline]
    fn byte(&self, from: RecordBase, at: usize) -> i32 {
        i32::from(self.bytes[self.start(from) + at])
    }

    #[inline]
    fn start(&self, from: RecordBase) -> usize {
        self.record & from.0
    }
}

/// Applies an operator; `&&` and `||` do not evaluate the right operand if the left one decides.
#[inline]
fn binary(
    op: BinaryOp,
    left: i32,
    right: impl FnOnce() -> Result<i32, EvalFault>,
) -> Result<i32, EvalFault> {
    match op {
        BinaryOp::And if left == 0 => Ok(0),
        BinaryOp::Or if left != 0 => Ok(1),
        _ => apply(op, left, right()?).map_err(|_| EvalFault),
    }
}
