//! Open lists: the open states in the order of expansion.
//!
//! An open list gets each state as a [`Candidate`], and returns entries in its own order.
//! [`BucketOpenList`] orders by one rank, [`AlternationOpenList`] by several ones
//! in turn and by node type, [`EpsilonGreedyOpenList`] adds random choices. [`AnyOpenList`] is
//! one of them, chosen by the configuration; dispatch is a branch, not a virtual call.
//!
//! The interface follows Fast Downward's open lists [Hel06].

mod alternation;
mod any;
mod bit_tree;
mod bucket_open_list;
mod buckets;
mod epsilon_greedy;
mod random_pool;
mod typed;

use beeline_kernel::{SplitMix64, StateId};

pub(crate) use alternation::AlternationOpenList;
pub(crate) use any::AnyOpenList;
pub use bucket_open_list::BucketOpenList;
pub(crate) use epsilon_greedy::EpsilonGreedyOpenList;
pub(crate) use typed::NodeType;

pub use crate::best_first_config::QueueOrder;

/// The rank of a state: less is better.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Rank {
    /// The evaluation function.
    pub f: u64,
    /// Decides between states with equal `f`; always 0 if only the queue order does.
    pub tie: u32,
}

impl Rank {
    /// The rank of states that are expanded when no others are left.
    pub const LAST: Rank = Rank { f: u64::MAX, tie: 0 };
}

/// The properties of a state that open lists use.
pub trait Candidate {
    /// Its rank by the heuristic of this number.
    fn rank(&self, heuristic: usize) -> Rank;

    /// Its type.
    fn node_type(&self) -> NodeType;

    /// Whether a preferred step leads to it.
    fn is_preferred(&self) -> bool;
}

/// An entry of an open list.
#[derive(Clone, Copy, Debug)]
pub struct OpenEntry {
    /// The state.
    pub id: StateId,
    /// The rank of the entry at its insertion, if the list has a single order. If the state has
    /// another rank now, the entry is outdated.
    pub rank: Option<Rank>,
}

/// The open states, in the order of their expansion.
pub trait OpenList {
    /// Inserts a state; the list may already have an entry for it with another rank.
    fn push(&mut self, id: StateId, candidate: &impl Candidate);

    /// Removes the next entry. A list with several orders skips states that `is_closed`.
    fn pop(
        &mut self,
        rng: &mut SplitMix64,
        is_closed: impl Fn(StateId) -> bool,
    ) -> Option<OpenEntry>;

    /// The next state, if that is cheap to determine.
    fn peek(&self) -> Option<StateId>;

    /// The least `f` of any entry, outdated ones included. `None` if the list is empty or has
    /// several orders.
    fn least_f(&self) -> Option<u64>;

    /// Gives this many turns in advance to the lists of preferred successors, if there are any.
    fn boost_preferred(&mut self, turns: u32);

    /// Memory held.
    fn bytes(&self) -> usize;
}
