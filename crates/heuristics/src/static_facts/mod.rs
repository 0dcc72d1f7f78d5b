//! Static facts of process automata that several heuristics use.

pub(crate) mod automaton_distance;
pub(crate) mod blocking;
