//! A trail as a story: which process does which step, where it is written, what it prints and
//! changes, and how it ends.

use beeline_kernel::FaultKind;
use beeline_source::source::Span;

use crate::states::WholeState;
use crate::violation::ErrorKind;

/// A trail, told.
#[derive(Clone, Debug)]
pub struct Story {
    /// What happens.
    pub steps: Vec<StoryStep>,
    /// How it ends.
    pub end: StoryEnd,
    /// The step with which the cycle begins, if the trail is a lasso.
    pub cycle_start: Option<usize>,
    /// Whether a cycle comes back to where it begins.
    pub closes: bool,
    /// For each step whether the error needs it; empty where that is not known.
    pub core: Vec<bool>,
    /// The state before each step and the last one, if someone asked for them. A step
    /// that nothing survives has none behind it.
    pub states: Vec<WholeState>,
}

/// A step.
#[derive(Clone, Debug)]
pub struct StoryStep {
    /// Who moves.
    pub turn: ProcessStep,
    /// Who receives, in a rendezvous.
    pub partner: Option<ProcessStep>,
    /// What is different afterwards.
    pub changes: Vec<ValueChange>,
    /// What `printf` and `printm` print.
    pub printed: String,
    /// What went wrong in this step.
    pub fault: Option<FaultKind>,
}

/// The last state.
#[derive(Clone, Debug)]
pub struct StoryEnd {
    /// What is wrong with it, if anything is.
    pub error: Option<ErrorKind>,
    /// More about it, in words: the assertion with its values.
    pub detail: Option<String>,
    /// Nobody can move any more, and that is what is wrong.
    pub stuck: bool,
    /// Where the processes are.
    pub processes: Vec<ProcessPosition>,
    /// All values by name.
    pub values: Vec<(String, String)>,
}

impl Story {
    /// What happened, and how it ends: no lasso, and nobody knows what was needed.
    pub fn new(steps: Vec<StoryStep>, end: StoryEnd) -> Story {
        let (core, states) = (Vec::new(), Vec::new());
        Story { steps, end, cycle_start: None, closes: false, core, states }
    }

    /// The first step of a cycle that comes back to where it begins.
    pub fn cycle(&self) -> Option<usize> {
        self.cycle_start.filter(|_| self.closes)
    }

    /// Whether it ends with a cycle in which nothing happens.
    pub fn stays(&self) -> bool {
        self.cycle() == Some(self.steps.len())
    }

    /// Whether some steps are known not to be needed.
    pub fn has_needless_steps(&self) -> bool {
        self.core.contains(&false)
    }
}

/// What one process does in a step.
#[derive(Clone, Debug)]
pub struct ProcessStep {
    /// The process.
    pub pid: usize,
    /// Its proctype.
    pub process: String,
    /// Where the statement stands.
    pub span: Span,
    /// The statement, and those that were merged with it.
    pub statement: String,
}

/// Where a process is in a state.
#[derive(Clone, Debug)]
pub struct ProcessPosition {
    /// The process.
    pub pid: usize,
    /// Its proctype.
    pub process: String,
    /// The place of the first statement it could do next.
    pub span: Option<Span>,
    /// The statements it could do next.
    pub statements: Vec<String>,
    /// For each of them what it waits for, where that can be told.
    pub obstacles: Vec<Option<String>>,
    /// It may rest there.
    pub at_end: bool,
}

/// A value that changed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ValueChange {
    /// What: `x`, `a[2].f`, `Proctype(pid):x` or a channel.
    pub name: String,
    /// What it was; `None` for something new.
    pub before: Option<String>,
    /// What it is.
    pub after: String,
    /// It is the contents of a channel.
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
