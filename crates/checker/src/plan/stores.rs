//! The registry of stores, and the parsing of their specs.
//!
//! A store is chosen once, before the search. After the choice all types are concrete, since a
//! search spends most of its time in the store.

use beeline_kernel::registry::{self, ArgumentError, ArgumentRow, Arguments, Expected, Row};
use beeline_kernel::spec::Spec;
use beeline_search::StoreChoice;

use super::error::PlanError;

/// The requested store.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Store {
    /// Exact or compact, by the length of states.
    #[default]
    Auto,
    /// [`ExactStore`](beeline_search::ExactStore).
    Exact,
    /// [`CompactStore`](beeline_search::CompactStore).
    Compact,
    /// [`CoveringStore`](beeline_search::CoveringStore).
    Covering,
    /// [`HashCompact`](beeline_search::HashCompact), a lossy store.
    HashCompact {
        /// Number of searches, each with other hash functions.
        runs: u32,
    },
    /// [`Bitstate`](beeline_search::Bitstate), a lossy store.
    Bitstate {
        /// Bits for each state.
        bits: u32,
        /// Size of the array; `None` for a default.
        bytes: Option<usize>,
        /// Number of searches, each with other hash functions.
        runs: u32,
    },
    /// [`CachingSearch`](beeline_search::CachingSearch), which may expand states more than once.
    Cache {
        /// Limit on the states besides those of the path.
        states: Option<usize>,
        /// Memory for these states; `None` for a default.
        bytes: Option<usize>,
    },
}

impl Store {
    /// Its name on the command line, without arguments.
    pub fn name(self) -> &'static str {
        match self {
            Store::Auto => "auto",
            Store::Exact => "exact",
            Store::Compact => "compact",
            Store::Covering => "covering",
            Store::HashCompact { .. } => "hash-compact",
            Store::Bitstate { .. } => "bitstate",
            Store::Cache { .. } => "cache",
        }
    }

    /// Whether it may take a new state for a visited one.
    pub fn is_lossy(self) -> bool {
        matches!(self, Store::HashCompact { .. } | Store::Bitstate { .. })
    }

    /// Whether it does not keep all states, so that it needs a search of its own.
    pub fn forgets(self) -> bool {
        self.is_lossy() || matches!(self, Store::Cache { .. })
    }

    /// The store for an initial state of this length: decides `Auto`. `has_coverage`: whether
    /// states can cover others; where they cannot, the covering store is the exact one.
    pub(crate) fn chosen(self, state_bytes: usize, has_coverage: bool) -> Store {
        match (self, StoreChoice::for_length(state_bytes)) {
            (Store::Auto, _) if has_coverage => Store::Covering,
            // The bytes of another state may look as if it had bounds.
            (Store::Covering, _) if !has_coverage => Store::Exact,
            (Store::Auto, StoreChoice::Exact) => Store::Exact,
            (Store::Auto, StoreChoice::Compact) => Store::Compact,
            (store, _) => store,
        }
    }
}

/// A row of the registry of stores.
pub type StoreRow = Row<fn(&Arguments<'_>) -> Result<Store, ArgumentError>>;

const RUNS: ArgumentRow = ArgumentRow::new(
    "runs",
    "1, or any number",
    "number of searches, each with other hash functions: one run may find what another overlooks",
);

/// All stores. The first is the default.
pub const STORES: &[StoreRow] = &[
    StoreRow {
        name: "auto",
        aliases: &[],
        arguments: &[],
        about: "exact, or compact for long states (a kilobyte or more); covering for timed automata",
        promises: None,
        source: None,
        build: |_| Ok(Store::Auto),
    },
    StoreRow {
        name: "exact",
        aliases: &[],
        arguments: &[],
        about: "every state in full; the fastest",
        promises: None,
        source: None,
        build: |_| Ok(Store::Exact),
    },
    StoreRow {
        name: "compact",
        aliases: &["collapse"],
        arguments: &[],
        about: "lossless: bits that are equal in all states are left out, and long states share \
                common parts. 10 to 25 bytes per state with the table; takes up to twice the \
                time, and for long states four times",
        promises: None,
        source: None,
        build: |_| Ok(Store::Compact),
    },
    StoreRow {
        name: "covering",
        aliases: &[],
        arguments: &[],
        about: "lossless: leaves out a state if a stored one covers it; the default for timed \
                automata, whose zones include others. In other models no state covers another",
        promises: None,
        source: None,
        build: |_| Ok(Store::Covering),
    },
    StoreRow {
        name: "hash-compact",
        aliases: &[],
        arguments: &[RUNS],
        about: "lossy: a hash of 64 bits for each state, 11 to 22 bytes per state with the table. \
                Overlooked states are unlikely with fewer than 10^9 states. For \
                dfs, bfs, dijkstra, astar, gbfs and ida, and for deadlocks, assertions, trace \
                assertions and invariants; never reports that a property holds",
        promises: None,
        source: None,
        build: |arguments| Ok(Store::HashCompact { runs: runs(arguments)? }),
    },
    StoreRow {
        name: "bitstate",
        aliases: &[],
        arguments: &[
            ArgumentRow::new("bits", "3, or 1 to 64", "bits for each state"),
            ArgumentRow::new(
                "bytes",
                "half of --memory and at most a gibibyte, or any number",
                "size of the array",
            ),
            RUNS,
        ],
        about: "lossy: bit-state hashing, a few bits of a fixed array for each state. The fuller \
                the array, the more states are overlooked; their number is estimated. For dfs, \
                bfs, dijkstra, astar, gbfs and ida, and for deadlocks, assertions, trace \
                assertions and invariants; never reports that a property holds",
        promises: None,
        source: None,
        build: |arguments| {
            let bits = arguments.count("bits", 1, 64)?.unwrap_or(3) as u32;
            let bytes = arguments.count("bytes", 1, usize::MAX)?;
            Ok(Store::Bitstate { bits, bytes, runs: runs(arguments)? })
        },
    },
    StoreRow {
        name: "cache",
        aliases: &[],
        arguments: &[
            ArgumentRow::new(
                "states",
                "as many as fit, or any number",
                "number of states that are kept in addition to the path",
            ),
            ArgumentRow::new(
                "bytes",
                "half of --memory and at most a gibibyte, or any number",
                "memory for these states",
            ),
        ],
        about: "state-space caching: keeps the states on the path, and as many other states as \
                fit. A state that was removed is expanded again when it is reached again, which \
                may take very long. Overlooks no state, so a property holds when the search is \
                complete. Depth-first search, for deadlocks, assertions, trace assertions and \
                invariants",
        promises: None,
        source: None,
        build: |arguments| {
            let states = arguments.count("states", 1, usize::MAX)?;
            Ok(Store::Cache { states, bytes: arguments.count("bytes", 1, usize::MAX)? })
        },
    },
];

/// The row of a store, by name.
pub fn find_store(name: &str) -> Option<&'static StoreRow> {
    registry::find(STORES, name)
}

/// Parses a store as written on the command line.
///
/// # Errors
///
/// When the syntax, the name or an argument is wrong.
pub fn parse_store(text: &str) -> Result<Store, PlanError> {
    let spec = Spec::parse(text)?;
    let Some(row) = find_store(&spec.name) else {
        let known = registry::names(STORES).into_iter().map(str::to_owned).collect();
        return Err(PlanError::Unknown { kind: "store", name: spec.name, known });
    };
    Ok((row.build)(&Arguments::new(row.name, &spec, row.arguments)?)?)
}

/// Parses the number of runs.
fn runs(arguments: &Arguments<'_>) -> Result<u32, ArgumentError> {
    let runs = arguments.count(RUNS.name, 1, usize::MAX)?.unwrap_or(1);
    u32::try_from(runs).map_err(|_| arguments.refuse(RUNS.name, Expected::NumberFrom(1)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_row_can_be_asked_for_by_its_name_alone() {
        for row in STORES {
            assert_eq!(parse_store(row.name).map(Store::name), Ok(row.name));
        }
    }

    #[test]
    fn arguments_make_the_difference() {
        assert_eq!(parse_store("auto"), Ok(Store::default()));
        let usual = Store::Bitstate { bits: 3, bytes: None, runs: 1 };
        assert_eq!(parse_store("bitstate"), Ok(usual));
        assert_eq!(parse_store("hash-compact"), Ok(Store::HashCompact { runs: 1 }));
        assert_eq!(parse_store("cache"), Ok(Store::Cache { states: None, bytes: None }));
        let store = parse_store("bitstate(bits=2, bytes=4096, runs=7)");
        assert_eq!(store, Ok(Store::Bitstate { bits: 2, bytes: Some(4096), runs: 7 }));
        assert_eq!(store.map(Store::name), Ok("bitstate"));
        assert_eq!(parse_store("hash-compact(2)"), Ok(Store::HashCompact { runs: 2 }));
        let cache = Store::Cache { states: Some(9), bytes: None };
        assert_eq!(parse_store("cache(states=9)"), Ok(cache));
        assert!(cache.forgets() && !cache.is_lossy());
    }

    #[test]
    fn mistakes_are_named() {
        let wrong = |text| parse_store(text).expect_err("it is wrong").to_string();
        assert!(wrong("cloud").contains("there is no store `cloud`; there are: auto"));
        assert!(wrong("exact(1)").contains("takes no arguments"));
        assert!(wrong("bitstate(bits=0)").contains("`bits` must be a number from 1 to 64"));
        assert!(wrong("bitstate(runs=0)").contains("`runs` must be a number, at least 1"));
        assert!(wrong("bitstate(many=0)").contains("no argument `many`"));
        assert!(wrong("cache(states=few)").contains("`states`"));
        assert!(wrong("cache(runs=2)").contains("no argument `runs`"));
    }
}
