//! Why a simulated run ends.

use beeline_model::{ErrorKind, SimulationEnd};

use crate::base::exit::Exit;
use crate::base::numbers::count;

/// A random run that a person sees ends after this many lines.
pub(crate) const MOST_LINES: u64 = 1_000;

/// Why a run ends.
#[derive(Clone, Copy)]
pub(crate) enum RunEnd {
    /// No further step is possible.
    Ended(SimulationEnd),
    /// The step limit was reached.
    Limit,
    /// A person has seen as many lines as are shown at once.
    LineLimit,
    /// The user quit.
    Quit,
    /// An interrupt was requested.
    Interrupted,
    /// The trail ends.
    TrailEnd,
}

impl RunEnd {
    /// The end for programs.
    pub(crate) fn name(self) -> String {
        match self {
            RunEnd::Ended(ending) => ending.to_string(),
            RunEnd::Limit => "step limit reached".to_owned(),
            RunEnd::LineLimit => "line limit reached".to_owned(),
            RunEnd::Quit => "stopped".to_owned(),
            RunEnd::Interrupted => "interrupted".to_owned(),
            RunEnd::TrailEnd => "trail ended".to_owned(),
        }
    }

    /// The end for people.
    pub(crate) fn words(self) -> String {
        match self {
            RunEnd::Ended(SimulationEnd::Error(ErrorKind::InvalidEnd)) => {
                "timeout, no process can move: invalid end state".to_owned()
            }
            RunEnd::Ended(SimulationEnd::ValidEnd) => {
                "no process can move, and each is at a valid end: valid end state".to_owned()
            }
            RunEnd::TrailEnd => "the trail ends without an error".to_owned(),
            RunEnd::LineLimit => format!(
                "stopped after {} lines; `--steps N` shows N steps, and a file or a pipe gets all",
                count(MOST_LINES)
            ),
            _ => self.name(),
        }
    }

    pub(crate) fn exit(self) -> Exit {
        match self {
            RunEnd::Ended(SimulationEnd::Error(_)) => Exit::Violated,
            RunEnd::Limit | RunEnd::LineLimit | RunEnd::Interrupted => Exit::Unknown,
            RunEnd::Ended(_) | RunEnd::Quit | RunEnd::TrailEnd => Exit::Success,
        }
    }
}
