//! A trail as a story: its steps with process, statement, output and changes, and its end.

use std::ops::ControlFlow;

use beeline_kernel::FaultKind;
use beeline_source::source::Span;

use crate::states::WholeState;
use crate::violation::ErrorKind;

/// A trail with descriptions.
#[derive(Clone, Debug)]
pub struct Story {
    /// The steps that are told: all of them, or the last ones.
    pub steps: Vec<StoryStep>,
    /// The number of steps of the trail.
    pub length: usize,
    /// The processes that move, by number and proctype, in the order of their first steps;
    /// partners in a rendezvous are not among them.
    pub movers: Vec<(usize, String)>,
    /// A deadline passed before the end of the trail: no step is told, and of the end only the
    /// error is known.
    pub is_cut: bool,
    /// How it ends.
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

/// Which steps of a trail are told.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ToldSteps {
    /// None.
    None,
    /// All.
    All,
    /// All of a trail of at most `longest` steps, and the `last` ones of a longer trail.
    Tail {
        /// At most `last`, or more.
        longest: usize,
        /// The number of steps of a long trail.
        last: usize,
    },
}

impl ToldSteps {
    /// Those that either of two readers shows.
    #[must_use]
    pub fn or(self, other: ToldSteps) -> ToldSteps {
        match (self, other) {
            (ToldSteps::None, one) | (one, ToldSteps::None) => one,
            (ToldSteps::All, _) | (_, ToldSteps::All) => ToldSteps::All,
            (ToldSteps::Tail { longest: a, last: m }, ToldSteps::Tail { longest: b, last: n }) => {
                ToldSteps::Tail { longest: a.max(b), last: m.max(n) }
            }
        }
    }

    /// The number of steps that are shown of a trail of this length.
    pub fn number(self, length: usize) -> usize {
        match self {
            ToldSteps::None => 0,
            ToldSteps::Tail { longest, last } if length > longest => last.min(length),
            ToldSteps::All | ToldSteps::Tail { .. } => length,
        }
    }
}

/// Tells the steps of a trail one at a time, as often as it is asked to.
pub trait StepTeller {
    /// Gives each step with its number, from 0, until `each` breaks.
    fn tell(&self, each: &mut dyn FnMut(usize, &StoryStep) -> ControlFlow<()>);
}

impl StepTeller for Story {
    fn tell(&self, each: &mut dyn FnMut(usize, &StoryStep) -> ControlFlow<()>) {
        let untold = self.untold();
        let mut numbered = self.steps.iter().enumerate();
        let _ = numbered.try_for_each(|(at, step)| each(untold + at, step));
    }
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
    /// The time at which it happens, in a model with clocks.
    pub time: Option<String>,
    /// The fault of this step.
    pub fault: Option<FaultKind>,
    /// The first value of this step that does not fit in the type of its variable.
    pub overflow: Option<OverflowRemark>,
}

/// A value that does not fit in the type of its variable, and is truncated.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OverflowRemark {
    /// The statement that stores it.
    pub span: Span,
    /// The statement, the value and the one that is stored, in words.
    pub text: String,
}

/// The last state.
#[derive(Clone, Debug)]
pub struct StoryEnd {
    /// The error of this state.
    pub error: Option<ErrorKind>,
    /// Details of the error, such as the assertion with its values.
    pub detail: Option<String>,
    /// The parts of a condition that are false, or the operand that makes the last step fail.
    pub causes: Vec<Cause>,
    /// Whether the error is that no process can move.
    pub stuck: bool,
    /// The positions of all processes.
    pub processes: Vec<ProcessPosition>,
    /// All values by name.
    pub values: Vec<(String, String)>,
}

/// A part of a condition or statement that causes an error.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cause {
    /// The part: `b == 2`.
    pub part: String,
    /// What is wrong with it: `b == 2 is false: b = 5`.
    pub text: String,
    /// The values in it, by name.
    pub values: Vec<(String, String)>,
    /// Whether the part is the whole condition, so that the detail of the error says the same.
    pub is_whole: bool,
}

impl Story {
    /// A story without cycle, causal core and states.
    pub fn new(steps: Vec<StoryStep>, end: StoryEnd) -> Story {
        let mut movers: Vec<(usize, String)> = Vec::new();
        for ProcessStep { pid, process, .. } in steps.iter().map(|step| &step.turn) {
            if !movers.iter().any(|(other, name)| other == pid && name == process) {
                movers.push((*pid, process.clone()));
            }
        }
        Story { movers, ..Story::without_steps(steps.len(), end) }.with_steps(steps)
    }

    /// The end of a trail with this number of steps, of which none is told.
    pub fn without_steps(length: usize, end: StoryEnd) -> Story {
        Story {
            steps: Vec::new(),
            length,
            movers: Vec::new(),
            is_cut: false,
            end,
            cycle_start: None,
            closes: false,
            core: Vec::new(),
            states: Vec::new(),
        }
    }

    /// A trail of this number of steps that is not told, since there was no time for it.
    pub fn cut(length: usize, error: Option<ErrorKind>) -> Story {
        let end = StoryEnd {
            error,
            detail: None,
            causes: Vec::new(),
            stuck: false,
            processes: Vec::new(),
            values: Vec::new(),
        };
        Story { is_cut: true, ..Story::without_steps(length, end) }
    }

    /// The same with these steps, which are the last ones.
    #[must_use]
    pub fn with_steps(self, steps: Vec<StoryStep>) -> Story {
        Story { steps, ..self }
    }

    /// The same with no other steps than these.
    #[must_use]
    pub fn telling(mut self, told: ToldSteps) -> Story {
        let untold = self.steps.len().saturating_sub(told.number(self.length));
        self.steps.drain(..untold);
        self
    }

    /// The number of steps before the first one that is told.
    pub fn untold(&self) -> usize {
        self.length - self.steps.len()
    }

    /// The first step of the cycle, if the cycle is closed.
    pub fn cycle(&self) -> Option<usize> {
        self.cycle_start.filter(|_| self.closes)
    }

    /// Whether the story ends with a cycle without steps (stuttering).
    pub fn stays(&self) -> bool {
        self.cycle() == Some(self.length)
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
    /// The causes that say more than the detail.
    pub fn partial_causes(&self) -> impl Iterator<Item = &Cause> {
        self.causes.iter().filter(|cause| !cause.is_whole)
    }

    /// The detail, and the causes that say more, in one line; empty if nothing is known.
    pub fn explanation(&self) -> String {
        let causes: Vec<&str> = self.partial_causes().map(|cause| &*cause.text).collect();
        match (&self.detail, &causes[..]) {
            (Some(detail), []) => detail.clone(),
            (Some(detail), _) => format!("{detail} ({})", causes.join("; ")),
            (None, _) => causes.join("; "),
        }
    }

    /// The end of a model that fails before its first step.
    pub fn initial_fault(kind: FaultKind) -> StoryEnd {
        let error = Some(ErrorKind::Fault(kind));
        let detail = Some("in the initial value of a variable".to_owned());
        let (causes, processes, values) = (Vec::new(), Vec::new(), Vec::new());
        StoryEnd { error, detail, causes, stuck: false, processes, values }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_two_readers_show_is_told() {
        let tail = |longest, last| ToldSteps::Tail { longest, last };
        let all = [ToldSteps::None, ToldSteps::All, tail(200, 50), tail(100, 100), tail(7, 3)];
        for (one, other) in all.iter().flat_map(|&one| all.iter().map(move |&other| (one, other))) {
            for length in [0, 1, 5, 60, 150, 201, 1_000_000] {
                let told = one.or(other).number(length);
                assert!(told >= one.number(length).max(other.number(length)));
                assert!(told <= length);
            }
        }
    }
}
