//! What someone who runs a test may choose: other random programs, more of them, larger models.
//! Without a choice, each test takes what is usual for it.

use std::ops::Range;

/// The seeds of random programs: so many, unless `BEELINE_SEEDS` says how many, from 0 on, unless
/// `BEELINE_FIRST_SEED` says from where.
pub fn seeds(usual: u64) -> Range<u64> {
    let first = number("BEELINE_FIRST_SEED").unwrap_or(0);
    first..first + number("BEELINE_SEEDS").unwrap_or(usual)
}

/// How many states of a model are looked at: so many, unless `BEELINE_STATES` says how many.
pub fn states(usual: usize) -> usize {
    number("BEELINE_STATES").map_or(usual, |number| number as usize)
}

/// What a variable of the environment says.
///
/// # Panics
///
/// When that is no number: to take what is usual would be to test something else than was asked
/// for.
fn number(name: &str) -> Option<u64> {
    let text = std::env::var(name).ok()?;
    Some(text.parse().unwrap_or_else(|_| panic!("{name} is a number, not `{text}`")))
}
