//! Stores: where states are kept, each one once.
//!
//! There is one store so far, and it forgets nothing: [`ExactStore`]. It is made
//! of an arena that holds the bytes, pages that hold one number
//! for each state, and a hash table.

mod arena;
mod exact;
pub(crate) mod pages;

pub use exact::{Ceiling, ExactStore, Inserted};
