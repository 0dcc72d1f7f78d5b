//! Inputs that only a generator, an accident or an attacker produces: very long texts, deep
//! nesting, many names. Each has a size, so that the growth of time can be measured, and the
//! expected result.

mod automata;
mod input;
mod macros;
mod names;
mod nesting;
mod text;

pub use input::{Ending, Input};

/// All inputs, by the part of the front-end that they stress.
pub const GROUPS: [(&str, &[Input]); 5] = [
    ("text", text::INPUTS),
    ("macros", macros::INPUTS),
    ("nesting", nesting::INPUTS),
    ("names", names::INPUTS),
    ("automata", automata::INPUTS),
];
