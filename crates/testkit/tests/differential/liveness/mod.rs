//! Claims and cycles, against SPIN: never claims, formulas, progress and acceptance, with
//! and without weak fairness, by each of our searches for cycles, engines and stores.
//!
//! * [`small`]: models of a few lines, one question each;
//! * [`random`]: random programs with random claims;
//! * [`corpus`]: every model of the corpus with a claim or labels;
//! * [`trails`]: lassos go both ways, from us to SPIN and back.

mod corpus;
mod random;
mod small;
mod trails;
