//! A trail as a story: its steps with process, statement, output and changes, and its end.

use beeline_kernel::FaultKind;
use beeline_source::source::Span;

use crate::states::WholeState;
use crate::violation::ErrorKind;

/// A trail with descriptions.
#[derive(Clone, Debug)]
pub struct Story {
    /// The steps.
    pub steps: Vec<StoryStep>,
    /// The last state.
    pub end: StoryEnd,
    /// The first step of the cycle, if the trail is a lasso.
    pub cycle_start: Option<usize>,
    /// Whether the cycle returns to its first state.
    pub closes: bool,
    /// For each step whether it belongs to the causal core; empty if that is unknown.
    pub core: Vec<bool>,
    /// The state before each step and the last one, if requested. A fatal fault has no state after
    /// it.
    pub states: Vec<WholeState>,
}

/// A step.
#[derive(Clone, Debug)]
pub struct StoryStep {
    /// The process that moves.
    pub turn: ProcessStep,
    /// The receiver of a rendezvous.
    pub partner: Option<ProcessStep>,
    /// The changes of values.
    pub changes: Vec<ValueChange>,
    /// Output of `printf` and `printm`.
    pub printed: String,
    /// The fault of this step.
    pub fault: Option<FaultKind>,
}

/// The last state.
#[derive(Clone, Debug)]
pub struct StoryEnd {
    /// The error of this state.
    pub error: Option<ErrorKind>,
    /// Details of the error, such as the assertion with its values.
    pub detail: Option<String>,
    /// Whether the error is that no process can move.
    pub stuck: bool,
    /// The positions of all processes.
    pub processes: Vec<ProcessPosition>,
    /// All values by name.
    pub values: Vec<(String, String)>,
}

impl Story {
    /// A story without cycle, causal core and states.
    pub fn new(steps: Vec<StoryStep>, end: StoryEnd) -> Story {
        let (core, states) = (Vec::new(), Vec::new());
        Story { steps, end, cycle_start: None, closes: false, core, states }
    }

    /// The first step of the cycle, if the cycle is closed.
    pub fn cycle(&self) -> Option<usize> {
        self.cycle_start.filter(|_| self.closes)
    }

    /// Whether the story ends with a cycle without steps (stuttering).
    pub fn stays(&self) -> bool {
        self.cycle() == Some(self.steps.len())
    }

    /// Whether some steps are known to be outside the causal core.
    pub fn has_needless_steps(&self) -> bool {
        self.core.contains(&false)
    }
}

/// The part of one process in a step.
#[derive(Clone, Debug)]
pub struct ProcessStep {
    /// The process.
    pub pid: usize,
    /// Its proctype.
    pub process: String,
    /// Position of the statement.
    pub span: Span,
    /// The statement and those merged with it.
    pub statement: String,
}

/// The position of a process in a state.
#[derive(Clone, Debug)]
pub struct ProcessPosition {
    /// The process.
    pub pid: usize,
    /// Its proctype.
    pub process: String,
    /// Position of the first statement that it could execute next.
    pub span: Option<Span>,
    /// The statements that it could execute next.
    pub statements: Vec<String>,
    /// For each statement what it waits for, if known.
    pub obstacles: Vec<Option<String>>,
    /// Whether this is a valid end.
    pub at_end: bool,
}

/// A value that changed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ValueChange {
    /// The name: `x`, `a[2].f`, `Proctype(pid):x` or a channel.
    pub name: String,
    /// The old value; `None` for a new variable.
    pub before: Option<String>,
    /// The new value.
    pub after: String,
    /// Whether this is the contents of a channel.
    pub is_channel: bool,
}

impl StoryEnd {
    /// The end of a model that fails before its first step.
    pub fn initial_fault(kind: FaultKind) -> StoryEnd {
        let error = Some(ErrorKind::Fault(kind));
        let detail = Some("in the initial value of a variable".to_owned());
        StoryEnd { error, detail, stuck: false, processes: Vec::new(), values: Vec::new() }
    }
}
