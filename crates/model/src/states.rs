//! Whole states as plain data: every variable with its value, arrays and structures in
//! their shape, channels with their messages.

use beeline_source::source::Span;

/// A value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum StateValue {
    /// A number.
    Number(i32),
    /// A symbolic constant.
    Symbol(String),
    /// An array.
    List(Vec<StateValue>),
    /// A structure.
    Record(Vec<(String, StateValue)>),
    /// What is in the channel that a variable was declared with, or holds in its place:
    /// messages, oldest first. A rendezvous holds none.
    Messages(Vec<Vec<StateValue>>),
    /// The name of the channel that a variable without one of its own holds; empty if it
    /// holds none.
    Channel(String),
}

/// Everything in a state.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WholeState {
    /// The global variables.
    pub globals: Vec<(String, StateValue)>,
    /// The processes, in order of their numbers.
    pub processes: Vec<ProcessState>,
    /// The channels that no variable shows: theirs has another one, or is gone.
    pub channels: Vec<(String, StateValue)>,
}

/// A process in a state.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProcessState {
    /// Its number.
    pub pid: usize,
    /// Its proctype.
    pub process: String,
    /// Where it is: the number of the location in its automaton.
    pub location: u32,
    /// The place of the first statement it could do next.
    pub span: Option<Span>,
    /// Its variables, parameters first.
    pub locals: Vec<(String, StateValue)>,
}
