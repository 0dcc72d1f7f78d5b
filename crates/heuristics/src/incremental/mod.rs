//! Incremental evaluation: estimates of a state's successors from the bytes that differ.

pub(crate) mod channel_count;
pub(crate) mod current_state;
pub(crate) mod dependencies;
pub(crate) mod process_sum;
pub(crate) mod state_diff;
pub(crate) mod words;
