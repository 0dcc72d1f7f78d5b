//! From the states on a path to a trail that has been executed again.

use beeline_engine::interpreter::{Machine, Move, Stepwise};
use beeline_engine::trail::TrailFile;
use beeline_kernel::FaultKind;
use beeline_promela::hir::ProcessId;
use beeline_search::FindingKind;

use super::Counting;
use crate::check::CheckError;
use crate::claims::claim_witness;
use crate::witness::Wrong;

/// Where a path was found.
pub(super) struct Way<'a> {
    pub(super) machine: &'a Machine<'a>,
    pub(super) claim: Option<ProcessId>,
    pub(super) counting: Counting,
    /// Whether the statements of the automata are merged.
    pub(super) merged: bool,
}

impl Way<'_> {
    /// The trail along some states to what was found in or behind the last, its number of
    /// steps, and what is wrong at its end.
    pub(super) fn trail(
        &self,
        states: &[Vec<u8>],
        kind: FindingKind,
    ) -> Result<(TrailFile, u64, Wrong), CheckError> {
        let lost = |why: String| CheckError::Unconfirmed { finding: kind, why };
        if let (Some(claim), FindingKind::Fault(fault)) = (self.claim, kind)
            && fault.kind == FaultKind::Claim
        {
            // How short it could be, the search knows better.
            let nothing_known = |_| 0;
            let found =
                claim_witness(self.machine, claim, states, kind, self.merged, nothing_known)?;
            return Ok((found.trail, found.steps, found.wrong));
        }
        let mut moves: Vec<Move> = Vec::new();
        for pair in states.windows(2) {
            let way = self.between(&pair[0], &pair[1]);
            let missing = || lost("two neighbouring states are not connected".to_owned());
            moves.extend(way.ok_or_else(missing)?);
        }
        let wrong = match kind {
            FindingKind::Deadlock => Wrong::InvalidEnd,
            FindingKind::Broken(invariant) => Wrong::Broken(invariant),
            FindingKind::Fault(fault) => {
                let last = states.last().expect("a path has its end");
                let way = match self.counting {
                    Counting::Y2000 => {
                        Stepwise(self.machine).way_to_fault(last, fault).map(|step| vec![step])
                    }
                    Counting::Y2001 => self.machine.way_to_fault(last, fault),
                };
                let missing = || lost("the failing step cannot be found again".to_owned());
                moves.extend(way.ok_or_else(missing)?);
                Wrong::Fault(fault.kind)
            }
        };
        let trail = TrailFile::of(&moves, self.merged);
        let replay = self.machine.replay(&trail).map_err(|error| lost(error.to_string()))?;
        let confirmed = match wrong {
            Wrong::InvalidEnd => replay.deadlock,
            Wrong::Fault(kind) => replay.moves.last().is_some_and(|last| last.fault == Some(kind)),
            Wrong::Broken(_) => false,
        };
        if !confirmed || replay.moves.len() != moves.len() {
            let why = "the trail leads elsewhere when it is executed again";
            return Err(lost(why.to_owned()));
        }
        Ok((trail, moves.len() as u64, wrong))
    }

    fn between(&self, from: &[u8], to: &[u8]) -> Option<Vec<Move>> {
        match self.counting {
            Counting::Y2000 => Stepwise(self.machine).way_to(from, to).map(|step| vec![step]),
            Counting::Y2001 => self.machine.way_to(from, to),
        }
    }
}
