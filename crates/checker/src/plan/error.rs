//! The errors in a request for a search, a store, a reduction or a method of `improve`.

use std::error::Error;
use std::fmt;

use beeline_kernel::registry::ArgumentError;
use beeline_kernel::spec::SpecError;
use beeline_source::diagnostic::known_names;

/// Why a search, a store, a reduction or a method of `improve` is refused.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PlanError {
    /// The text is not of the form `name(argument, key=value)`.
    Syntax(SpecError),
    /// There is no component of this name.
    Unknown {
        /// The kind of component: `search`, `store`, `reduction`, `heuristic`.
        kind: &'static str,
        /// The name.
        name: String,
        /// The known names.
        known: Vec<String>,
    },
    /// The arguments are not those of the component.
    Arguments(ArgumentError),
    /// `gbfs` has this argument; the search does not, because its guarantees need the order of
    /// one estimate.
    GreedyOnly {
        /// The search.
        search: &'static str,
        /// The argument.
        argument: String,
    },
    /// The arguments of this search contradict each other, or name no heuristic.
    Search {
        /// The search.
        search: &'static str,
        /// The error in its arguments.
        error: Box<PlanError>,
    },
    /// A value in the place of a heuristic that is none.
    NoHeuristic(String),
    /// An empty list of heuristics.
    EmptyList,
    /// Several heuristics for a search that follows one.
    OneHeuristic,
    /// Several heuristics for A\*, which would lose its guarantee.
    SeveralLists,
    /// Both `w` and `mix`.
    WeightAndMix,
    /// `boost` without `preferred`.
    BoostAlone,
    /// `seed` without `epsilon` and `types`.
    SeedAlone,
    /// `novelty` with a criterion for ties.
    NoveltyWithTies,
    /// There is no such method of `improve`.
    NoMethod,
}

impl PlanError {
    /// The error, with the search whose arguments cause it.
    pub(super) fn of_search(self, search: &'static str) -> PlanError {
        PlanError::Search { search, error: Box::new(self) }
    }
}

impl fmt::Display for PlanError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            PlanError::Syntax(error) => return error.fmt(f),
            PlanError::Unknown { kind, name, known } => {
                return write!(f, "there is no {kind} `{name}`{}", known_names(name, known));
            }
            PlanError::Arguments(error) => return error.fmt(f),
            PlanError::GreedyOnly { search, argument } => {
                return write!(
                    f,
                    "`{search}` has no argument `{argument}`, since its guarantees depend on the \
                     order of expansion; `gbfs` has it"
                );
            }
            PlanError::Search { search, error } => return write!(f, "`{search}`: {error}"),
            PlanError::NoHeuristic(value) => return write!(f, "`{value}` is not a heuristic"),
            PlanError::EmptyList => "`[]` names no heuristic; write `[h1, h2]`, or leave it out",
            PlanError::OneHeuristic => {
                "it takes one heuristic: combine several by `max(h1, h2)` or `sum(h1, h2)`, or \
                 use `gbfs`, which takes a list"
            }
            PlanError::SeveralLists => {
                "with several lists, the first error that is found need not be the nearest: write \
                 `max(h1, h2)`, which keeps the guarantees of both, give a `w` of more than 1 or \
                 a `mix` of more than 0.5, or use `gbfs`"
            }
            PlanError::WeightAndMix => "give either `w` or `mix`, not both",
            PlanError::BoostAlone => "`boost` needs `preferred=yes`: give both, or none",
            PlanError::SeedAlone => {
                "`seed` needs `epsilon` or `types`: give one of them, or leave `seed` out"
            }
            PlanError::NoveltyWithTies => "with `novelty`, `ties` must be lifo or fifo",
            PlanError::NoMethod => {
                "it must be one of elimination, filter, neighbourhood, segments, astar(HEURISTIC) \
                 and gbfs(HEURISTIC), as in astar(hamming) or astar(fsm-state)"
            }
        })
    }
}

impl Error for PlanError {}

impl From<SpecError> for PlanError {
    fn from(error: SpecError) -> PlanError {
        PlanError::Syntax(error)
    }
}

impl From<ArgumentError> for PlanError {
    fn from(error: ArgumentError) -> PlanError {
        PlanError::Arguments(error)
    }
}
