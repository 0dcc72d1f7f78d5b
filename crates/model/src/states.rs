//! Whole states as plain data: all variables with their values, as nested arrays and structures,
//! and channels with their messages.

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
    /// The messages of the channel that a variable was declared with, or of the one it holds
    /// instead, oldest first. None for a rendezvous channel.
    Messages(Vec<Vec<StateValue>>),
    /// The name of the channel that a variable without a channel of its own holds; empty if it
    /// holds none.
    Channel(String),
}

/// All values of a state.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WholeState {
    /// The global variables.
    pub globals: Vec<(String, StateValue)>,
    /// The processes, in order of their numbers.
    pub processes: Vec<ProcessState>,
    /// Channels that no variable shows: their variable holds another channel or no longer exists.
    pub channels: Vec<(String, StateValue)>,
}

/// A process in a state.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProcessState {
    /// Its number.
    pub pid: usize,
    /// Its proctype.
    pub process: String,
    /// The number of its location in its automaton.
    pub location: u32,
    /// Position of the first statement that it could execute next.
    pub span: Option<Span>,
    /// Its variables, parameters first.
    pub locals: Vec<(String, StateValue)>,
}
