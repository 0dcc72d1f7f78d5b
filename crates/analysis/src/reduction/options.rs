//! Options of a reduction: what it preserves, and how many sets it proposes; and why a model has
//! none.

pub use beeline_kernel::{Preserve, Proposals};

/// Why there is no reduction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Obstacle {
    /// Priorities decide which process may move.
    Priorities,
    /// A trace assertion observes the order of all messages.
    Trace,
    /// A `D_proctype` must never have a choice, so all its enabled edges matter.
    Choice,
    /// The globals have too many bytes.
    Size,
    /// The property reads `_last` or which process can move.
    Property,
    /// Another process may change which channel a process has exclusively.
    Promise,
    /// The model fails before its first step.
    InitialFault,
}

impl Obstacle {
    /// The reason, as a clause after "because".
    pub fn reason(self) -> &'static str {
        match self {
            Obstacle::Priorities => "the model has priorities",
            Obstacle::Trace => "a trace assertion observes the order of messages",
            Obstacle::Choice => "a D_proctype must never have a choice",
            Obstacle::Size => "the global variables are too large",
            Obstacle::Property => "the property depends on which process moves",
            Obstacle::Promise => "`xr` or `xs` is about a global variable that changes",
            Obstacle::InitialFault => "the model fails before its first step",
        }
    }
}
