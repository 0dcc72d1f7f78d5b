//! Trails of a machine: the trail of some moves, and the replay of a trail.

mod lines;
mod replay;

pub use lines::{trail_lines, trail_of};
pub use replay::{
    ReplayEnd, ReplayError, ReplayObserver, StoredState, TakenMove, TrailRecorder, TrailReplay,
};
