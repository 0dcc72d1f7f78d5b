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

mod about;
mod arguments;
mod asked;
mod auto;
mod check;
mod chronicle;
mod claims;
mod count;
mod coverage;
mod directed;
mod engine;
mod evidence;
mod expectation;
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
mod noting;
mod obstacle;
mod property;
mod reduction;
mod route;
mod rules;
mod run;
mod searches;
mod simulate;
mod states;
mod stores;
mod story;
mod teller;
mod variety;
mod view;
mod watch;
mod witness;

pub use asked::{PLACE, check_written, formulas};
pub use auto::{AutoOptions, Course, Estimates, Hunts};
pub use beeline_heuristics::{Files, HEURISTICS, Row as HeuristicRow};
pub use beeline_search::{CycleCondition, Effort, Omissions, Order, Stats};
pub use check::{Answer, CheckError, CheckReport, Checked, check};
pub use chronicle::{Chronicle, Delta, Happening, chronicle};
pub use claims::{Fairness, Rounds};
pub use count::{CountReport, count};
pub use coverage::{Coverage, Covered, Unreached, coverage};
pub use directed::usual_heuristic;
pub use engine::Engine;
pub use expectation::{Comparison, Expectation};
pub use files::FileAccess;
pub use graph::{GraphStep, StateEdge, StateGraph, StateNode, TooManyStates, state_graph};
pub use improve::{ImproveError, Improved, Improvement, Means, Wish, causal_core, improve};
pub use messages::{Fate, Message, Part};
pub use nearest::Nearest;
pub use network::{
    DrawError, Factored, NETWORK_HEURISTICS, NetworkAnswer, NetworkHeuristicRow, NetworkReport,
    NetworkTrail, build_network_heuristic, check_network, count_network, draw_random,
};
pub use property::{Property, PropertyKind, UnknownProperty, properties, select};
pub use reduction::{Against, REDUCTIONS, Reduce, ReductionRow, parse_reduce};
pub use route::route;
pub use rules::Rules;
pub use run::Plan;
pub use searches::{
    Algorithm, Directed, SEARCHES, Search, SearchArgument, SearchRow, Way, find_search,
    parse_search,
};
pub use simulate::{Ending, Simulation};
pub use states::{Standing, State, Value};
pub use stores::{STORES, Store, StoreRow, find_store, parse_store};
pub use story::{End, Story, Told, retell, retell_about, retell_violation};
pub use teller::{Resting, Turn};
pub use view::Change;
pub use watch::{News, Unwatched, Watch};
pub use witness::{Round, Violation, Wrong};
