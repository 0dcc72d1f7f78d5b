//! The proof on sets of states: when it may go on, and what follows from its results.

use beeline_kernel::StatePath;
use beeline_search::FindingKind;

use super::{GREEDY_LIMIT, SpacePortfolio};
use crate::auto::property_run::{FoundPath, LengthBound};
use crate::auto::symbolic_proof::{SymbolicProof, SymbolicResult};
use crate::observe::Observer;
use crate::report::CheckError;
use crate::work::work;

/// Work of the full proof before the proof on sets begins, which builds another view of the model
/// first: a space that is enumerated within a second needs no set.
const BEFORE_SETS: u64 = 100_000_000;

/// The proof on sets does at most one in this many parts of the work of the full proof.
const SYMBOLIC_SHARE: u64 = 8;

impl SpacePortfolio<'_> {
    /// Gives the proof on sets a turn, if it is within its share of the work.
    pub(in crate::auto) fn prove_on_sets(
        &mut self,
        proof: &mut SymbolicProof,
        turn: u64,
        observer: &mut dyn Observer,
    ) -> Result<(), CheckError> {
        let is_spent = self.work_limit.is_some_and(|limit| proof.work() > GREEDY_LIMIT * limit);
        let is_wanted = self.is_open() && !self.has_initial_fault && !proof.is_over() && !is_spent;
        let proved = work(&self.proof_stats);
        let is_within = proved >= BEFORE_SETS && proof.work() <= proved / SYMBOLIC_SHARE;
        if is_wanted && (is_within || self.ended.is_some()) {
            for result in proof.take_turn(turn, |run| self.runs[run].is_open()) {
                match result {
                    SymbolicResult::Reached(count, deviation) => {
                        let which = deviation.map_or("all", |_| "at most");
                        self.news.push(format!("{which} {count} states as a set"));
                    }
                    SymbolicResult::Holds(run) => self.runs[run].holds |= self.runs[run].is_open(),
                    SymbolicResult::Violated(run, path, kind) => {
                        self.violate_on_sets(run, path, kind, observer)?;
                    }
                }
            }
            self.symbolic_work = proof.work();
        }
        self.has_symbolic_proof = is_wanted && !proof.is_over();
        Ok(())
    }

    fn violate_on_sets(
        &mut self,
        run: usize,
        path: StatePath,
        kind: FindingKind,
        observer: &mut dyn Observer,
    ) -> Result<(), CheckError> {
        if !self.runs[run].is_open() {
            return Ok(());
        }
        let (by, bound) = ("symbolic-bfs", LengthBound::FewestMoves);
        self.violate(run, FoundPath { path, kind, by, bound }, observer)
    }
}
