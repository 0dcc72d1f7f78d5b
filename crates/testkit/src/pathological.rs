//! Inputs that only a generator, a slip of the hand or an attacker writes: very long texts, deep
//! nesting, many names. Each has a size, so that the growth of time with it can be seen, and says
//! how it must end.

mod automata;
mod input;
mod macros;
mod names;
mod nesting;
mod text;

pub use input::{Ending, Input};

/// All inputs, by the part of the front-end that they strain.
pub const GROUPS: [(&str, &[Input]); 5] = [
    ("text", text::INPUTS),
    ("macros", macros::INPUTS),
    ("nesting", nesting::INPUTS),
    ("names", names::INPUTS),
    ("automata", automata::INPUTS),
];
