//! Zones: convex sets of clock valuations, as difference bound matrices.

pub mod bound;
pub mod dbm;
pub mod federation;

pub use bound::{Bound, LE_ZERO, UNBOUNDED};
pub use dbm::{Constraint, Dbm};
