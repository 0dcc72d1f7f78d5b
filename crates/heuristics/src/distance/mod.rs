//! Distances in process automata, in claims, and between states.

pub(crate) mod assertion_distance;
pub(crate) mod claim_distance;
pub(crate) mod fsm;
pub(crate) mod fsm_state;
pub(crate) mod hamming;

use crate::request::HeuristicRow;

pub use assertion_distance::{AssertionDistance, FaultSites};
pub use claim_distance::ClaimDistance;
pub use fsm::Fsm;
pub use fsm_state::FsmState;
pub use hamming::{Hamming, HammingUnit};

/// Distances to faults and claim violations.
pub(crate) const ERROR_ROWS: &[HeuristicRow] = &[assertion_distance::ROW, claim_distance::ROW];

/// Distances to a known state.
pub(crate) const STATE_ROWS: &[HeuristicRow] = &[fsm_state::ROW, hamming::ROW];
