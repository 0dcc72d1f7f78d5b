//! Expressions and statements with resolved names.

use std::sync::Arc;

use crate::network::operators::{Quantifier, TimedOperator};

use super::types::ValueType;

/// Where an address is counted from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Base {
    /// An address in memory, or the number of a clock or a channel.
    Absolute(u32),
    /// A value in the frame of the function or edge.
    Frame(u32),
    /// A value in the frame that is the address: a parameter passed by reference.
    Reference(u32),
}

/// A step to an element of an array.
#[derive(Clone, Debug)]
pub struct Subscript {
    /// The index.
    pub index: Code,
    /// The first index.
    pub low: i32,
    /// The number of elements.
    pub length: u32,
    /// The size of an element.
    pub stride: u32,
    /// The position, for faults.
    pub site: u32,
}

/// A place: of a value in memory, a clock or a channel.
#[derive(Clone, Debug)]
pub struct Place {
    /// Where it is counted from.
    pub base: Base,
    /// The distance from there.
    pub offset: u32,
    /// The steps into arrays.
    pub subscripts: Vec<Subscript>,
}

impl Place {
    /// A known address.
    pub fn absolute(address: usize) -> Place {
        Place { base: Base::Absolute(address as u32), offset: 0, subscripts: Vec::new() }
    }

    /// A value of the frame.
    pub fn frame(at: usize) -> Place {
        Place { base: Base::Frame(at as u32), offset: 0, subscripts: Vec::new() }
    }

    /// The address, if it is known.
    pub fn known(&self) -> Option<usize> {
        match self.base {
            Base::Absolute(address) if self.subscripts.is_empty() => {
                Some((address + self.offset) as usize)
            }
            _ => None,
        }
    }

    /// The range of addresses that it may have, if it does not depend on a frame.
    pub fn range(&self) -> Option<(usize, usize)> {
        let Base::Absolute(address) = self.base else { return None };
        let first = (address + self.offset) as usize;
        let reach =
            self.subscripts.iter().map(|one| (one.length.saturating_sub(1) * one.stride) as usize);
        Some((first, first + reach.sum::<usize>()))
    }
}

/// A comparison of clocks: `plus - minus op bound`.
#[derive(Clone, Debug)]
pub struct ClockComparison {
    /// The clock that is added.
    pub plus: Option<Place>,
    /// The clock that is subtracted.
    pub minus: Option<Place>,
    /// The comparison.
    pub op: TimedOperator,
    /// The bound.
    pub bound: Code,
}

/// An argument of a function.
#[derive(Clone, Debug)]
pub enum Argument {
    /// A value.
    Value(Code, i32, i32),
    /// A copy of several values.
    Copy(Place, u32),
    /// A reference.
    Reference(Place),
    /// The values that a call returns: function, arguments, number.
    Result(u32, Vec<Argument>, u32),
}

/// An expression.
#[derive(Clone, Debug)]
pub enum Code {
    /// A number.
    Const(i32),
    /// The value at a place.
    Load(Place),
    /// `-e`.
    Negate(Box<Code>, u32),
    /// `!e`.
    Not(Box<Code>),
    /// Operators of numbers; not `&&`, `||`, `imply`. The last number is the position.
    Binary(TimedOperator, Box<Code>, Box<Code>, u32),
    /// `e && f`.
    And(Box<Code>, Box<Code>),
    /// `e || f`.
    Or(Box<Code>, Box<Code>),
    /// `c ? e : f`.
    Conditional(Box<Code>, Box<Code>, Box<Code>),
    /// Stores a value; the value of the expression is the one stored.
    Assign(Box<StoreCode>),
    /// Copies several values: to, from, number.
    Copy(Box<(Place, Place, u32)>),
    /// Whether several values are equal: one, other, number.
    Same(Box<(Place, Place, u32)>),
    /// `x = e` for a clock.
    Reset(Box<(Place, Code, u32)>),
    /// A call.
    Call(u32, Vec<Argument>),
    /// A call that returns several values, which are stored: place, function, arguments, number.
    Fill(Box<(Place, u32, Vec<Argument>, u32)>),
    /// `forall`, `exists`, `sum` over a value of the frame between bounds.
    Quantified(Quantifier, u32, i32, i32, Box<Code>),
    /// A comparison of clocks.
    Clocks(Box<ClockComparison>),
    /// Whether a process is in a location.
    At(u32, u32),
    /// Whether no step is possible, now and later.
    Deadlock,
}

/// A store.
#[derive(Clone, Debug)]
pub struct StoreCode {
    /// Where to.
    pub to: Place,
    /// The operator of `e += f` and the like.
    pub op: Option<TimedOperator>,
    /// The value.
    pub value: Code,
    /// The bounds of the variable; of a reference, those of the parameter.
    pub bounds: (i32, i32),
    /// Whether the value of the expression is the old one.
    pub is_postfix: bool,
    /// The position.
    pub site: u32,
}

/// A statement.
#[derive(Clone, Debug)]
pub enum Action {
    /// An expression.
    Eval(Code),
    /// Several statements.
    Block(Vec<Action>),
    /// `if`.
    If(Code, Box<Action>, Option<Box<Action>>),
    /// A loop: condition, body, steps behind the body, and whether the body comes first.
    Loop(Option<Code>, Box<Action>, Vec<Code>, bool),
    /// A loop over a value of the frame between bounds.
    ForEach(u32, i32, i32, Box<Action>),
    /// `return`.
    Return(Option<Code>),
    /// Returns several values from a place.
    ReturnCopy(Place, u32),
    /// `assert`.
    Assert(Code, u32),
    /// Sets values of the frame to zero, or to the least value of a type: first, values.
    Clear(u32, Arc<[i32]>),
}

/// A function.
#[derive(Clone, Debug)]
pub struct FunctionCode {
    /// Its name.
    pub name: Arc<str>,
    /// Its result.
    pub result: ValueType,
    /// The types of the parameters, and whether they are references.
    pub parameters: Vec<(ValueType, bool)>,
    /// The number of values of its frame, parameters first.
    pub frame: u32,
    /// Its body.
    pub body: Action,
    /// Whether it changes clocks or global variables.
    pub has_effects: bool,
    /// Whether it changes what its references refer to.
    pub writes_references: bool,
    /// Whether it reads variables outside its frame.
    pub reads_state: bool,
    /// The position.
    pub site: u32,
}
