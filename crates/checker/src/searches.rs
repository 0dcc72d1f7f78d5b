//! The registry of searches: one row each.

use beeline_search::Order;

/// A search that can be asked for by name.
#[derive(Clone, Copy, Debug)]
pub struct SearchRow {
    /// The name.
    pub name: &'static str,
    /// What it does.
    pub about: &'static str,
    order: fn(u64) -> Order,
}

impl SearchRow {
    /// The order of this search; only the random ones look at the seed.
    pub fn order(&self, seed: u64) -> Order {
        (self.order)(seed)
    }
}

/// All searches there are. The first is the default.
pub const SEARCHES: &[SearchRow] = &[
    SearchRow {
        name: "bfs",
        about: "breadth-first: the nearest errors first",
        order: |_| Order::Breadth,
    },
    SearchRow { name: "dfs", about: "depth-first, in SPIN's order", order: |_| Order::Depth },
    SearchRow {
        name: "random-dfs",
        about: "depth-first, successors in random order",
        order: |seed| Order::RandomDepth { seed },
    },
];

/// The search of this name.
pub fn find_search(name: &str) -> Option<&'static SearchRow> {
    SEARCHES.iter().find(|row| row.name == name)
}
