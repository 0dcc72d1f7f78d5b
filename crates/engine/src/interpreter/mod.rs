//! The reference interpreter: slow, plain, and right.
//!
//! It executes one edge of one process at a time (two for a rendezvous), exactly
//! as `pan` does: processes youngest first, edges in the order of the automaton,
//! escapes before what they interrupt, `else` when nothing before it could move,
//! `timeout` when nobody could.

mod account;
mod activity;
mod channels;
mod eval;
mod exclusive;
mod expand;
mod inspect;
mod machine;
mod moves;
mod priced;
mod print;
mod reopen;
mod start;
mod statements;
mod stepwise;
mod trace;
mod uses;

pub use account::{Account, Deed, Passed};
pub use eval::apply;
pub(crate) use exclusive::each_use;
pub use exclusive::{Breach, Intrusion, uses_channels};
pub use expand::Arrival;
pub(crate) use inspect::Held;
pub use inspect::{Channel, Names, Slot};
pub use machine::{ChannelRecord, Machine, Now};
pub use moves::{Move, Moves};
pub use priced::{Price, Priced, STEP};
pub use stepwise::Stepwise;
