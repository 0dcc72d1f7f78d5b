//! The interpreter of expressions and functions, and the memory that it works on.
//!
//! An address is a number below [`CONSTANTS`] for a variable, below [`FRAMES`] for a constant, and
//! above for a value of a frame. Numbers wrap at 32 bits, as UPPAAL's do.

use beeline_kernel::{Fault, FaultKind, SiteId};

use super::code::{Action, Argument, Base, Code, Place, StoreCode};
use super::{TimedNetwork, code};
use crate::network::operators::{Quantifier, TimedOperator};
use crate::zones::bound::LARGEST;

/// The address of the first constant.
pub const CONSTANTS: usize = 1 << 28;

/// The address of the first value of a frame.
pub const FRAMES: usize = 1 << 29;

/// Steps that a function may take: a loop that takes more has no end.
const MOST_STEPS: u64 = 20_000_000;

/// Values that the frames of nested calls may have.
const LONGEST_STACK: usize = 1 << 20;

/// A failed evaluation.
pub type Evaluated<T> = Result<T, Fault>;

/// Memory, and what an execution does besides changing it.
#[derive(Clone, Debug)]
pub struct Memory<'n> {
    net: &'n TimedNetwork,
    /// The variables.
    pub variables: Vec<i32>,
    /// The location of each process.
    pub locations: Vec<u32>,
    stack: Vec<i32>,
    frame: usize,
    /// The resets of clocks since the list was cleared.
    pub resets: Vec<(u32, i32)>,
    steps: u64,
    /// How many calls are nested.
    depth: u32,
    /// The values that the last call returned, if they are several.
    returned: Vec<i32>,
}

/// Calls that may be nested; functions are not recursive, so that a model needs few.
const DEEPEST_CALL: u32 = 200;

/// How a statement ends.
enum Flow {
    Next,
    Return(i32),
}

impl<'n> Memory<'n> {
    /// The initial values.
    pub fn new(net: &'n TimedNetwork) -> Memory<'n> {
        Memory {
            net,
            variables: net.variables.iter().map(|one| one.initial).collect(),
            locations: net.processes.iter().map(|one| one.initial).collect(),
            stack: vec![0; 64],
            frame: 0,
            resets: Vec::new(),
            steps: 0,
            depth: 0,
            returned: Vec::new(),
        }
    }

    /// Prepares for another evaluation with these values in the frame.
    pub fn begin(&mut self, frame: &[i32]) {
        self.frame = 0;
        self.steps = 0;
        self.depth = 0;
        if self.stack.len() < frame.len() + 16 {
            self.stack.resize(frame.len() + 16, 0);
        }
        self.stack[..frame.len()].copy_from_slice(frame);
    }

    #[inline]
    fn load(&self, address: usize) -> i32 {
        if address < CONSTANTS {
            self.variables[address]
        } else if address < FRAMES {
            self.net.constants[address - CONSTANTS]
        } else {
            self.stack[address - FRAMES]
        }
    }

    #[inline]
    fn store(&mut self, address: usize, value: i32) {
        if address < CONSTANTS {
            self.variables[address] = value;
        } else if address >= FRAMES {
            self.stack[address - FRAMES] = value;
        }
    }

    /// A value of the frame.
    pub fn set_frame(&mut self, at: u32, value: i32) {
        let at = self.frame + at as usize;
        if at >= self.stack.len() {
            self.stack.resize(at + 16, 0);
        }
        self.stack[at] = value;
    }

    /// The address of a place, or the number of its clock or channel.
    ///
    /// # Errors
    ///
    /// When an index is outside its array.
    #[inline]
    pub fn address(&mut self, place: &Place) -> Evaluated<usize> {
        let mut address = place.offset as usize
            + match place.base {
                Base::Absolute(address) => address as usize,
                Base::Frame(at) => FRAMES + self.frame + at as usize,
                Base::Reference(at) => self.stack[self.frame + at as usize] as usize,
            };
        for one in &place.subscripts {
            let index = i64::from(self.eval(&one.index)?) - i64::from(one.low);
            if index < 0 || index >= i64::from(one.length) {
                return Err(fault(FaultKind::Index, one.site));
            }
            address += index as usize * one.stride as usize;
        }
        Ok(address)
    }

    /// The value of an expression; a comparison of clocks has none and counts as true.
    ///
    /// # Errors
    ///
    /// When the evaluation fails.
    pub fn eval(&mut self, code: &Code) -> Evaluated<i32> {
        Ok(match code {
            Code::Const(value) => *value,
            Code::Load(place) => {
                let address = self.address(place)?;
                self.load(address)
            }
            Code::Negate(inner, _) => self.eval(inner)?.wrapping_neg(),
            Code::Not(inner) => i32::from(self.eval(inner)? == 0),
            Code::Binary(op, left, right, site) => {
                let (left, right) = (self.eval(left)?, self.eval(right)?);
                operate(*op, left, right).ok_or(fault(FaultKind::Division, *site))?
            }
            Code::And(left, right) => i32::from(self.eval(left)? != 0 && self.eval(right)? != 0),
            Code::Or(left, right) => i32::from(self.eval(left)? != 0 || self.eval(right)? != 0),
            Code::Conditional(condition, yes, no) => {
                if self.eval(condition)? != 0 {
                    self.eval(yes)?
                } else {
                    self.eval(no)?
                }
            }
            Code::Assign(assignment) => self.assign(assignment)?,
            Code::Copy(copy) => {
                let (to, from, size) = &**copy;
                let (to, from) = (self.address(to)?, self.address(from)?);
                let values: Vec<i32> = (0..*size as usize).map(|at| self.load(from + at)).collect();
                for (at, value) in values.into_iter().enumerate() {
                    self.store(to + at, value);
                }
                0
            }
            Code::Same(pair) => {
                let (one, other, size) = &**pair;
                let (one, other) = (self.address(one)?, self.address(other)?);
                let same =
                    (0..*size as usize).all(|at| self.load(one + at) == self.load(other + at));
                i32::from(same)
            }
            Code::Reset(reset) => {
                let (clock, value, site) = &**reset;
                let (clock, value) = (self.address(clock)?, self.eval(value)?);
                if !(0..=LARGEST).contains(&value) {
                    return Err(fault(FaultKind::Overflow, *site));
                }
                self.resets.push((clock as u32, value));
                value
            }
            Code::Call(function, arguments) => self.call(*function, arguments)?,
            Code::Fill(fill) => {
                let (to, function, arguments, size) = &**fill;
                self.call(*function, arguments)?;
                let to = self.address(to)?;
                self.returned.resize(*size as usize, 0);
                for at in 0..*size as usize {
                    self.store(to + at, self.returned[at]);
                }
                0
            }
            Code::Quantified(quantifier, at, low, high, body) => {
                let mut sum = 0_i32;
                for value in *low..=*high {
                    self.tick(u32::MAX)?;
                    self.set_frame(*at, value);
                    let result = self.eval(body)?;
                    match quantifier {
                        Quantifier::Forall if result == 0 => return Ok(0),
                        Quantifier::Exists if result != 0 => return Ok(1),
                        Quantifier::Sum => sum = sum.wrapping_add(result),
                        _ => {}
                    }
                }
                match quantifier {
                    Quantifier::Forall => 1,
                    Quantifier::Exists => 0,
                    Quantifier::Sum => sum,
                }
            }
            Code::Clocks(_) => 1,
            Code::At(process, location) => {
                i32::from(self.locations[*process as usize] == *location)
            }
            Code::Deadlock => 0,
        })
    }

    /// Counts a step, and ends what has no end.
    fn tick(&mut self, site: u32) -> Evaluated<()> {
        self.steps += 1;
        if self.steps > MOST_STEPS {
            return Err(fault(FaultKind::Blocked, site));
        }
        Ok(())
    }

    fn assign(&mut self, assignment: &StoreCode) -> Evaluated<i32> {
        let StoreCode { to, op, value, bounds, is_postfix, site } = assignment;
        // The value first: a function that it calls may change what the index depends on.
        let value = self.eval(value)?;
        let address = self.address(to)?;
        let before = self.load(address);
        let after = match op {
            None => value,
            Some(op) => operate(*op, before, value).ok_or(fault(FaultKind::Division, *site))?,
        };
        if after < bounds.0 || after > bounds.1 {
            return Err(fault(FaultKind::Overflow, *site));
        }
        self.store(address, after);
        Ok(if *is_postfix { before } else { after })
    }

    fn call(&mut self, number: u32, arguments: &[Argument]) -> Evaluated<i32> {
        let net = self.net;
        let function: &code::FunctionCode = &net.functions[number as usize];
        self.tick(function.site)?;
        let mut values = Vec::with_capacity(arguments.len());
        for argument in arguments {
            match argument {
                Argument::Value(value, low, high) => {
                    let value = self.eval(value)?;
                    if value < *low || value > *high {
                        return Err(fault(FaultKind::Overflow, function.site));
                    }
                    values.push(value);
                }
                Argument::Copy(place, size) => {
                    let from = self.address(place)?;
                    values.extend((0..*size as usize).map(|at| self.load(from + at)));
                }
                Argument::Reference(place) => values.push(self.address(place)? as i32),
                Argument::Result(function, arguments, size) => {
                    self.call(*function, arguments)?;
                    self.returned.resize(*size as usize, 0);
                    values.extend_from_slice(&self.returned);
                }
            }
        }
        // The frame of the caller ends below: its length is that of the longest frame.
        let before = self.frame;
        let start = self.top(before);
        let end = start + function.frame as usize + 1;
        if end > LONGEST_STACK || self.depth >= DEEPEST_CALL {
            return Err(fault(FaultKind::Limit, function.site));
        }
        if self.stack.len() < end {
            self.stack.resize(end.next_power_of_two(), 0);
        }
        self.stack[start..start + values.len()].copy_from_slice(&values);
        self.frame = start;
        self.depth += 1;
        let flow = self.run(&function.body);
        self.frame = before;
        self.depth -= 1;
        let result = match flow? {
            Flow::Return(value) => value,
            Flow::Next => 0,
        };
        let (low, high) = function.result.bounds();
        let is_value = function.result.is_integral();
        if is_value && (result < low || result > high) {
            return Err(fault(FaultKind::Overflow, function.site));
        }
        Ok(result)
    }

    /// The end of the frame that begins here. A frame has at most this many values.
    fn top(&self, frame: usize) -> usize {
        frame + self.net.longest_frame as usize
    }

    fn run(&mut self, action: &Action) -> Evaluated<Flow> {
        match action {
            Action::Eval(code) => {
                self.eval(code)?;
            }
            Action::Block(actions) => {
                for action in actions {
                    if let Flow::Return(value) = self.run(action)? {
                        return Ok(Flow::Return(value));
                    }
                }
            }
            Action::If(condition, yes, no) => {
                if self.eval(condition)? != 0 {
                    return self.run(yes);
                }
                if let Some(no) = no {
                    return self.run(no);
                }
            }
            Action::Loop(condition, body, then, is_body_first) => {
                let mut is_tested = !is_body_first;
                loop {
                    self.tick(u32::MAX)?;
                    if is_tested
                        && let Some(condition) = condition
                        && self.eval(condition)? == 0
                    {
                        break;
                    }
                    is_tested = true;
                    if let Flow::Return(value) = self.run(body)? {
                        return Ok(Flow::Return(value));
                    }
                    for then in then {
                        self.eval(then)?;
                    }
                }
            }
            Action::ForEach(at, low, high, body) => {
                for value in *low..=*high {
                    self.tick(u32::MAX)?;
                    self.set_frame(*at, value);
                    if let Flow::Return(value) = self.run(body)? {
                        return Ok(Flow::Return(value));
                    }
                }
            }
            Action::Return(value) => {
                let value = value.as_ref().map_or(Ok(0), |value| self.eval(value))?;
                return Ok(Flow::Return(value));
            }
            Action::ReturnCopy(place, size) => {
                let from = self.address(place)?;
                let values = (0..*size as usize).map(|at| self.load(from + at)).collect();
                self.returned = values;
                return Ok(Flow::Return(0));
            }
            Action::Assert(condition, site) => {
                if self.eval(condition)? == 0 {
                    return Err(fault(FaultKind::Assertion, *site));
                }
            }
            Action::Clear(first, values) => {
                for (at, &value) in values.iter().enumerate() {
                    self.set_frame(first + at as u32, value);
                }
            }
        }
        Ok(Flow::Next)
    }
}

fn fault(kind: FaultKind, site: u32) -> Fault {
    Fault { kind, site: SiteId(site) }
}

/// The result of an operator; `None` for a division by zero.
pub fn operate(op: TimedOperator, left: i32, right: i32) -> Option<i32> {
    Some(match op {
        TimedOperator::Add => left.wrapping_add(right),
        TimedOperator::Sub => left.wrapping_sub(right),
        TimedOperator::Mul => left.wrapping_mul(right),
        TimedOperator::Div => (right != 0).then(|| left.wrapping_div(right))?,
        TimedOperator::Mod => (right != 0).then(|| left.wrapping_rem(right))?,
        TimedOperator::BitAnd => left & right,
        TimedOperator::BitOr => left | right,
        TimedOperator::BitXor => left ^ right,
        TimedOperator::ShiftLeft => left.wrapping_shl(right as u32),
        TimedOperator::ShiftRight => left.wrapping_shr(right as u32),
        TimedOperator::Min => left.min(right),
        TimedOperator::Max => left.max(right),
        TimedOperator::And => i32::from(left != 0 && right != 0),
        TimedOperator::Or => i32::from(left != 0 || right != 0),
        TimedOperator::Imply => i32::from(left == 0 || right != 0),
        TimedOperator::Less => i32::from(left < right),
        TimedOperator::LessEqual => i32::from(left <= right),
        TimedOperator::Greater => i32::from(left > right),
        TimedOperator::GreaterEqual => i32::from(left >= right),
        TimedOperator::Equal => i32::from(left == right),
        TimedOperator::NotEqual => i32::from(left != right),
    })
}
