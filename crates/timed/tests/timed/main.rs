//! Tests of the front-end and of the semantics of timed automata.

mod channel_index;
mod corpus;
mod digitised;
mod directed;
mod exploring;
mod fixtures;
mod generated;
mod minimum_time;
mod mistakes;
mod random;
mod random_values;
