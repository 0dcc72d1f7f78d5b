//! The question of a comparison, and its answer, as plain data.

use std::fmt;

use beeline_model::{Reason, Trail, Unconfirmed, UnknownProperty};

/// A relation between two models.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Relation {
    /// The second model answers each step of the first.
    Simulation,
    /// Each model answers each step of the other.
    Bisimulation,
    /// Each sequence of observations of the first model is one of the second.
    TraceInclusion,
}

impl Relation {
    /// All relations.
    pub const ALL: [Relation; 3] =
        [Relation::Simulation, Relation::Bisimulation, Relation::TraceInclusion];

    /// Its name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Relation::Simulation => "simulation",
            Relation::Bisimulation => "bisimulation",
            Relation::TraceInclusion => "trace-inclusion",
        }
    }
}

/// The steps that answer a step.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum StepMatching {
    /// One step answers one step.
    #[default]
    Strong,
    /// Any number of steps answers a step; all but the last keep the observation. None at all
    /// answers a step that keeps the observation. Divergence-blind: to keep an observation for
    /// ever needs no answer.
    Stuttering,
}

/// The question of a comparison.
#[derive(Clone, Copy, Debug)]
pub struct CompareOptions<'a> {
    /// The relation.
    pub relation: Relation,
    /// The steps that answer a step.
    pub matching: StepMatching,
    /// The observed conditions, as names of properties that both models have. If there are none,
    /// states without a step are observed.
    pub observed: &'a [String],
}

/// One of the two models.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// The first model.
    A,
    /// The second model, the abstraction.
    B,
}

/// The truth of each observed condition in a state. Without conditions: whether the state has no
/// step.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Observation(pub u64);

impl Observation {
    /// The most conditions.
    pub const MOST: usize = u64::BITS as usize;

    /// Whether the condition of this number is true.
    pub fn holds(self, condition: usize) -> bool {
        self.0 >> condition & 1 == 1
    }
}

/// The result of a comparison.
#[derive(Clone, Debug)]
pub struct CompareReport {
    /// Whether the models are related.
    pub related: Related,
    /// The reachable states of both models, as far as they are known.
    pub states: [Option<usize>; 2],
    /// Peak memory in bytes.
    pub peak_bytes: u64,
}

/// Whether two models are related.
#[derive(Clone, Debug)]
pub enum Related {
    /// They are.
    Yes,
    /// They are not.
    No(Difference),
    /// Neither was established; the reason concerns one model or both.
    Unknown(Reason, Option<Side>),
}

/// Why two models are not related: a step without an answer.
#[derive(Clone, Debug)]
pub struct Difference {
    /// The run of the first model. It ends with the step without an answer, if this is a step of
    /// the first model.
    pub run: ComparedRun,
    /// The run of the second model that answers it for as long as possible. `None` for
    /// trace inclusion, where several runs answer together.
    pub answer: Option<ComparedRun>,
    /// The model whose last step has no answer.
    pub by: Side,
    /// Whether this step is the repetition of a state without steps.
    pub rests: bool,
    /// Whether already the initial states differ.
    pub at_start: bool,
    /// The observation after this step.
    pub observed: Observation,
    /// The observations that the other model can answer with, in order.
    pub possible: Vec<Observation>,
}

/// A run of one of the models.
#[derive(Clone, Debug)]
pub struct ComparedRun {
    /// Its trail, from the initial state.
    pub trail: Trail,
    /// The number of its steps.
    pub steps: u64,
}

/// Why there is no comparison.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CompareError {
    /// A model does not know an observed condition.
    Unknown(UnknownProperty),
    /// An observed property is no condition on single states.
    NotACondition(String),
    /// There are too many conditions.
    TooManyConditions(usize),
    /// A run that is not a trail of its model: an internal error.
    Unconfirmed(Unconfirmed),
}

impl fmt::Display for CompareError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            CompareError::Unknown(error) => error.fmt(f),
            CompareError::NotACondition(name) => {
                write!(f, "`{name}` is not a condition on single states")
            }
            CompareError::TooManyConditions(number) => {
                write!(f, "{number} conditions are observed, and at most {}", Observation::MOST)?;
                f.write_str(" are possible")
            }
            CompareError::Unconfirmed(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for CompareError {}

impl From<UnknownProperty> for CompareError {
    fn from(error: UnknownProperty) -> CompareError {
        CompareError::Unknown(error)
    }
}

impl From<Unconfirmed> for CompareError {
    fn from(error: Unconfirmed) -> CompareError {
        CompareError::Unconfirmed(error)
    }
}
