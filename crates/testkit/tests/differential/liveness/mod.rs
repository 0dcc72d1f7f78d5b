//! Claims and cycles, against SPIN: never claims, formulas, progress and acceptance, with
//! and without weak fairness, by each of our searches for cycles, engines and stores.
//!
//! * [`small`]: models of a few lines, one property each;
//! * [`random`]: random programs with random claims;
//! * [`corpus`]: every model of the corpus with a claim or labels;
//! * [`trails`]: SPIN replays our lassos, and we replay SPIN's.

mod corpus;
mod random;
mod small;
mod trails;
