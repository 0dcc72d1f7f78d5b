//! How Promela runs: process automata now; state layout, interpreter and facts
//! stand on them.
#![forbid(unsafe_code)]

pub mod automata;
