//! From the states on a path to a trail that has been executed again.

use beeline_engine::interpreter::{Machine, Move, Stepwise};
use beeline_engine::trail::Trail;
use beeline_kernel::FaultKind;
use beeline_search::FindingKind;

use super::CountingConvention;
use crate::check::CheckError;
use crate::claims::end_witness;
use crate::witness::{ErrorKind, confirm, moves_along};

/// Where a path was found.
pub(super) struct TrailRecorder<'a> {
    pub(super) machine: &'a Machine<'a>,
    pub(super) counting: CountingConvention,
    /// Whether the statements of the automata are merged.
    pub(super) merged: bool,
}

impl TrailRecorder<'_> {
    /// The trail along some states to what was found in or behind the last, its number of
    /// steps, and what is wrong at its end.
    pub(super) fn trail(
        &self,
        states: &[Vec<u8>],
        kind: FindingKind,
    ) -> Result<(Trail, u64, ErrorKind), CheckError> {
        if let FindingKind::Fault(fault) = kind
            && fault.kind == FaultKind::Claim
        {
            // How short it could be, the search knows better.
            let nothing_known = |_| 0;
            let found = end_witness(self.machine, states, kind, self.merged, nothing_known)?;
            return Ok((found.trail, found.steps, found.error));
        }
        let moves = moves_along(states, kind, |from, to| self.between(from, to))?;
        let last = states.last().expect("a path has its end");
        let found = confirm(self.machine, moves, last, kind, self.merged, |_| 0)?;
        Ok((found.trail, found.steps, found.error))
    }

    fn between(&self, from: &[u8], to: &[u8]) -> Option<Vec<Move>> {
        match self.counting {
            CountingConvention::Y2000 => {
                Stepwise(self.machine).moves_to(from, to).map(|step| vec![step])
            }
            CountingConvention::Y2001 => self.machine.moves_to(from, to),
        }
    }
}
