//! Formulas and their automata, through the public interface only.

mod classes;
mod disjuncts;
mod limits;
mod literature;
mod meaning;
mod random;
mod texts;
