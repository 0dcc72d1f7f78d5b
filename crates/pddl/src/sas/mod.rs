//! Planning tasks in the format of Fast Downward's translator, version 3: grounded and encoded
//! already.
//!
//! Source: [Hel06] for the planner; the format is described in its documentation.

mod encode;
mod read;
mod replay;
mod sas_task;

pub(crate) use encode::encode_sas;
pub use read::{SasError, read_sas};
pub use replay::replay_sas;
pub use sas_task::SasTask;
