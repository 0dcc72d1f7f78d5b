//! Classics of the literature as networks of timed automata, in UPPAAL's textual format.
//!
//! Each text begins with a comment that states the queries and their answers.

mod bridge;
mod csma_cd;
mod fddi;
mod fischer;
mod train_gate;

pub use bridge::bridge;
pub use csma_cd::csma_cd;
pub use fddi::fddi;
pub use fischer::{Waiting, fischer};
pub use train_gate::train_gate;
