//! Has one test target, which prints what the tests of all other crates skipped.
#![forbid(unsafe_code)]
