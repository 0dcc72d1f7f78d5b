//! What to run on what, and what came of it, as plain data.
//!
//! [`count`] walks through a whole state space; [`check`] settles the properties
//! of a model and has every violation executed again before anyone hears of it;
//! [`retell`] turns a trail into a story that people can follow, and a
//! [`Simulation`] makes one up as it goes; [`hsf`] searches and counts as HSF-SPIN
//! did. A [`chronicle`] holds what pictures of a trail show, a [`route`] the edges
//! that it takes, and a [`state_graph`] all states of a small model. Nothing here knows a
//! terminal, a file, a clock or JSON.
#![forbid(unsafe_code)]

mod arguments;
mod auto;
mod check;
mod chronicle;
mod claims;
mod count;
mod coverage;
mod describer;
mod directed;
mod diversification;
mod engine;
mod error_selector;
mod expectation;
mod fault_recorder;
mod files;
mod graph;
pub mod hsf;
mod improve;
mod invariant;
mod lossy;
mod messages;
mod names;
mod nearest;
mod network;
mod observer;
mod obstacle;
mod property;
mod reduction;
mod route;
mod run;
mod searches;
mod semantics;
mod simulate;
mod states;
mod stores;
mod story;
mod view;
mod violation_collector;
mod witness;
mod written_property;

pub use auto::{AutoConfig, AutoOptions, GreedyStart, HeuristicScope};
pub use beeline_heuristics::{Files, HEURISTICS, HeuristicRow};
pub use beeline_search::{Backoff, CycleCondition, ExplorationOrder, Omissions, Stats};
pub use check::{CheckError, CheckReport, PropertyReport, Verdict, check};
pub use chronicle::{Chronicle, StateDelta, StepDetails, chronicle};
pub use claims::{CycleAlgorithm, Fairness};
pub use count::{CountReport, count};
pub use coverage::{Coverage, ProcessCoverage, UnreachedStatement, coverage};
pub use describer::{ProcessPosition, ProcessStep};
pub use directed::default_heuristic;
pub use engine::Engine;
pub use expectation::{Comparison, Expectation};
pub use files::FileAccess;
pub use graph::{GraphStep, StateEdge, StateGraph, StateNode, TooManyStates, state_graph};
pub use improve::{
    ImproveError, ImproveMethod, ImproveOptions, Improved, Improvement, causal_core, improve,
};
pub use messages::{Message, MessageFate, MessageRole};
pub use nearest::NearestMiss;
pub use network::{
    DrawError, FactoredNetwork, NETWORK_HEURISTICS, NetworkHeuristicRow, NetworkReport,
    NetworkTrail, NetworkVerdict, build_network_heuristic, check_network, count_network,
    draw_random,
};
pub use observer::{Event, NoObserver, Observer};
pub use property::{Property, PropertyKind, UnknownProperty, properties, select};
pub use reduction::{CycleProviso, REDUCTIONS, ReductionChoice, ReductionRow, parse_reduction};
pub use route::route;
pub use run::Plan;
pub use searches::{
    DirectedAlgorithm, DirectedConfig, SEARCHES, SearchArgument, SearchConfig, SearchRow, Strategy,
    find_search, parse_search,
};
pub use semantics::SemanticsOptions;
pub use simulate::{Simulation, SimulationEnd};
pub use states::{ProcessState, StateValue, WholeState};
pub use stores::{STORES, Store, StoreRow, find_store, parse_store};
pub use story::{Story, StoryEnd, StoryStep, retell, retell_for, retell_violation};
pub use view::ValueChange;
pub use witness::{CycleError, ErrorKind, Violation};
pub use written_property::{COMMAND_LINE_SOURCE, check_written, formulas};
