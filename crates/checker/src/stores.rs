//! The registry of stores: one row each.
//!
//! A store is chosen once, before the search; behind the choice all types are
//! concrete, since the search spends most of its time in the store.

use beeline_search::Suited;

/// What states are kept in.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Store {
    /// The one that suits the length of the states.
    #[default]
    Auto,
    /// [`ExactStore`](beeline_search::ExactStore).
    Exact,
    /// [`CompactStore`](beeline_search::CompactStore).
    Compact,
}

impl Store {
    /// How it is called on the command line.
    pub fn name(self) -> &'static str {
        let row = STORES.iter().find(|row| row.store == self);
        row.expect("every store has a row").name
    }

    /// The store for a model whose initial state is this long.
    pub(crate) fn chosen(self, state_bytes: usize) -> Store {
        match (self, Suited::to(state_bytes)) {
            (Store::Auto, Suited::Exact) => Store::Exact,
            (Store::Auto, Suited::Compact) => Store::Compact,
            (store, _) => store,
        }
    }
}

/// A store that can be asked for by name.
#[derive(Clone, Copy, Debug)]
pub struct StoreRow {
    /// The name.
    pub name: &'static str,
    /// What it does.
    pub about: &'static str,
    /// The store.
    pub store: Store,
}

/// All stores there are. The first is the default.
pub const STORES: &[StoreRow] = &[
    StoreRow {
        name: "auto",
        about: "exact, or compact where states are long (a kilobyte or more)",
        store: Store::Auto,
    },
    StoreRow { name: "exact", about: "every state in full: the fastest", store: Store::Exact },
    StoreRow {
        name: "compact",
        about: "what states have in common is kept once: slower, 15 to 20 bytes per state, \
                nothing lost",
        store: Store::Compact,
    },
];

/// The store of this name.
pub fn find_store(name: &str) -> Option<&'static StoreRow> {
    STORES.iter().find(|row| row.name == name)
}
