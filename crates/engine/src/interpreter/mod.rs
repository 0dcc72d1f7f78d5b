//! The reference interpreter: slow, simple and correct.
//!
//! It executes one edge of one process at a time (two for a rendezvous), exactly as `pan` does:
//! processes youngest first, edges in the order of the automaton, escapes before the edges that
//! they interrupt, `else` if no edge before it is executable, `timeout` if no process can move.

mod channels;
mod cost_model;
mod decode;
mod enabledness;
mod eval;
mod exclusive;
mod expand;
mod features;
mod inspect;
mod machine;
mod moves;
mod overflow;
mod print;
mod replay_move;
mod start;
mod statements;
mod step_log;
mod stepwise;
mod trace;

pub use cost_model::WeightedSpace;
pub use eval::MOST_ASKED;
pub use exclusive::{ExclusivityBreach, ExclusivityViolation};
pub use expand::Successor;
pub use inspect::{ChannelContents, SlotValue, StateVariables, VariableSlot};
pub use machine::{ChannelRecord, DecodedState, Machine};
pub use moves::{Move, Moves};
pub use overflow::Truncation;
pub use step_log::{
    BlockReason, BlockedSequence, Effect, FailedStatement, MessageTransfer, StepLog, TraceEvent,
};
pub use stepwise::Stepwise;
