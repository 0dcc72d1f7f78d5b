//! How large a test is: all of it with the environment variable `CI`, a part of it without, so that
//! the tests are over within minutes. For development only.
#![forbid(unsafe_code)]

use std::env;
use std::ops::Div;

/// Without `CI`, one in this many parts.
const PARTS: u8 = 5;

/// A number of random inputs, a limit of states, or the least number of comparisons with which a
/// test means something: `all` with the environment variable `CI`, a fifth without it.
pub fn portion<N: Div<Output = N> + From<u8>>(all: N) -> N {
    if is_whole() { all } else { all / N::from(PARTS) }
}

/// One in this many of a list of cases is tried: `all` with `CI`, five times as many without it.
pub fn one_in(all: usize) -> usize {
    if is_whole() { all } else { all * usize::from(PARTS) }
}

fn is_whole() -> bool {
    env::var_os("CI").is_some()
}
