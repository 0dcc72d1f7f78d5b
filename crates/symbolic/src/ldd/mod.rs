//! List decision diagrams: sets of vectors of integers as shared sorted lists.
//!
//! Source: the structure is that of Blom and van de Pol, "Symbolic reachability for process
//! algebras with recursive data types", ICTAC 2008, as in LTSmin; the operations follow [EMJ05],
//! "Symbolic Search", §§3-5, where sets are binary decision diagrams.
//! Deviation: operations walk along lists instead of recurring, so that the depth of the recursion
//! is the length of the vectors, whatever the number of values.

mod boolean;
mod cache;
mod collect;
mod count;
mod forest;
mod node;
mod product;
mod project;
mod set;
mod support;
mod transfer;
mod unique;
mod vectors;
mod weights;

pub use count::BigUint;
pub use forest::Forest;
pub use set::Set;
pub use support::{LevelAccess, Support, SupportLevel};
pub use weights::{DividedSet, WeightTable};

pub(crate) use cache::Tag;
pub(crate) use node::{EMPTY, NodeId, UNIT};
pub(crate) use project::Position;
pub(crate) use support::SupportOperation;
pub(crate) use vectors::Cursor;
pub(crate) use weights::weight_value;
