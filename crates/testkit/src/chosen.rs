//! Environment variables that change the inputs of tests: other random programs, more of them,
//! larger models. Each test has its own defaults.

use std::ops::Range;

/// The seeds of random programs: `BEELINE_SEEDS` of them (default `usual`), from
/// `BEELINE_FIRST_SEED` on (default 0).
pub fn seeds(usual: u64) -> Range<u64> {
    let first = number("BEELINE_FIRST_SEED").unwrap_or(0);
    first..first + number("BEELINE_SEEDS").unwrap_or(usual)
}

/// The limit of explored states: `BEELINE_STATES` (default `usual`).
pub fn states(usual: usize) -> usize {
    number("BEELINE_STATES").map_or(usual, |number| number as usize)
}

/// The runs in threads for each model: `BEELINE_RUNS` (default `usual`), at most
/// [`ALL_RUNS`](crate::delayed::ALL_RUNS).
pub fn runs(usual: usize) -> usize {
    number("BEELINE_RUNS").map_or(usual, |number| number as usize)
}

/// The number in an environment variable, if it is set.
///
/// # Panics
///
/// When it is not a number: the default would hide the mistake.
fn number(name: &str) -> Option<u64> {
    let text = std::env::var(name).ok()?;
    Some(text.parse().unwrap_or_else(|_| panic!("{name} is a number, not `{text}`")))
}
