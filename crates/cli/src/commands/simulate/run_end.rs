//! Why a simulated run is over.

use beeline_model::{ErrorKind, SimulationEnd};

use crate::base::exit::Exit;

/// Why a run is over.
#[derive(Clone, Copy)]
pub(crate) enum RunEnd {
    /// Nothing more can happen.
    Ended(SimulationEnd),
    /// The step limit was reached.
    Limit,
    /// The user quit.
    Quit,
    /// An interrupt was requested.
    Interrupted,
    /// The trail goes no further.
    TrailEnd,
}

impl RunEnd {
    /// For programs.
    pub(crate) fn name(self) -> String {
        match self {
            RunEnd::Ended(ending) => ending.to_string(),
            RunEnd::Limit => "step limit reached".to_owned(),
            RunEnd::Quit => "stopped".to_owned(),
            RunEnd::Interrupted => "interrupted".to_owned(),
            RunEnd::TrailEnd => "trail ended".to_owned(),
        }
    }

    /// For people.
    pub(crate) fn words(self) -> String {
        match self {
            RunEnd::Ended(SimulationEnd::Error(ErrorKind::InvalidEnd)) => {
                "timeout, no process can move: invalid end state".to_owned()
            }
            RunEnd::Ended(SimulationEnd::ValidEnd) => {
                "no process can move, and each is where it may stop: valid end state".to_owned()
            }
            RunEnd::TrailEnd => "the trail ends, and nothing is wrong here".to_owned(),
            _ => self.name(),
        }
    }

    pub(crate) fn exit(self) -> Exit {
        match self {
            RunEnd::Ended(SimulationEnd::Error(_)) => Exit::Violated,
            RunEnd::Limit | RunEnd::Interrupted => Exit::Unknown,
            RunEnd::Ended(_) | RunEnd::Quit | RunEnd::TrailEnd => Exit::Success,
        }
    }
}
