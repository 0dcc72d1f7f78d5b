//! Comparisons with SPIN and lbt and on the corpus, and tests that take minutes. They are not part
//! of `cargo test --workspace`; `cargo test --workspace --release --test differential` runs them.

mod acceptance;
mod asleep;
mod auto;
mod automata;
mod branching;
mod claims;
mod counts;
mod estimates;
mod factored;
mod first_deadlock;
mod formulas;
mod improve;
#[path = "../../../logic/tests/logic/literature.rs"]
mod literature;
mod liveness;
mod native;
mod oracle;
mod parallel;
#[path = "../../../logic/tests/logic/random.rs"]
mod random;
mod reduced_checks;
mod reduction;
mod relaxed_paths;
mod robustness;
mod roundtrip;
mod shortest;
mod symbolic;
mod symbolic_search;
mod trails;
mod value_ranges;
