//! Search algorithms and stores. Nothing here knows Promela.
//!
//! An [`Exploration`] walks through a [`Space`](beeline_kernel::Space), storing
//! each state once in a [`StateStore`]. Which state comes next is the only
//! difference between its [`Order`]s. Directed searches take the most promising state
//! first; all of them, and the exploration, are a [`Search`]. A [`StackSearch`] keeps only
//! the states on its way, and of all others what a [`Visited`] keeps, which may be too little;
//! [`Partial`] searches do so, too. [`Caching`] forgets states and meets them again.
#![deny(unsafe_code)]

mod beam;
mod best_first;
mod bits;
mod caching;
mod cycles;
mod depth_first;
mod errand;
mod explore;
mod exploring;
mod finding;
mod frontier;
mod frontier_search;
mod hill_climbing;
mod ida;
mod improve;
mod index;
mod layers;
mod limits;
mod method;
mod nodes;
mod novelty;
mod open;
mod partial;
mod pending;
mod quest;
mod ranking;
mod reduction;
mod search;
mod stack_search;
mod stats;
pub mod store;
mod target;
mod tree;
mod variety;
mod visited;

pub use beam::Beam;
pub use best_first::BestFirst;
pub use caching::Caching;
pub use cycles::{
    Components, CycleSearch, DirectedLasso, Lasso, Length, Nested, Nesting, ShorterLasso,
    ShortestLasso, Unfolded,
};
pub use depth_first::{Aim, Branching, DepthFirst, Dive, Revisit};
pub use explore::{Exploration, Moving, Options, Transit};
pub use finding::{Finding, FindingKind, Until};
pub use frontier::Order;
pub use frontier_search::FrontierSearch;
pub use hill_climbing::{Climb, HillClimbing};
pub use ida::{Deepening, IdaStar, InFull, InPart, Memory, Met, Table};
pub use improve::{Compass, Neighbourhood, Portfolio, Route, Segments};
pub use limits::{Budget, Limits, Outcome, Progress};
pub use method::{Evaluation, Method, Reopening, Second, Successors, Test};
pub use open::{Arrival, Open, Rank};
pub use partial::Partial;
pub use quest::{Quest, Then};
pub use ranking::{Ranking, Weight};
pub use reduction::{CycleCondition, Effort, Passage, Reduced, Reduction, Refusal, Standing};
pub use search::{Hit, Search};
pub use stack_search::StackSearch;
pub use stats::Stats;
pub use store::{Ahead, Ceiling, CompactStore, ExactStore, Inserted, StateStore, Suited};
pub use target::{Faults, Invariants, Target};
pub use variety::{Useless, Variety, Width};
pub use visited::{Again, Bitstate, HashCompact, Omissions, Seen, Visited};
