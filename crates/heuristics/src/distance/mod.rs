//! Distances in process automata, in claims, and between states.

pub(crate) mod assertion_distance;
pub(crate) mod claim_distance;
pub(crate) mod fsm;
pub(crate) mod fsm_state;
pub(crate) mod hamming;

pub use assertion_distance::{AssertionDistance, FaultSites};
pub use claim_distance::ClaimDistance;
pub use fsm::Fsm;
pub use fsm_state::FsmState;
pub use hamming::{Hamming, HammingUnit};
