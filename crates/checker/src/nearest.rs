//! The nearest miss: where nothing was found, the state that seemed closest to an error.

use beeline_engine::trail::TrailFile;
use beeline_heuristics::HeuristicGoal;
use beeline_search::{FindingKind, Search};

use crate::directed::Task;
use crate::run::Plan;
use crate::witness::moves_along;

/// How near a search came to an error that it did not find.
#[derive(Clone, Debug)]
pub struct NearestMiss {
    /// How many steps were left, as the heuristic has it.
    pub estimate: u32,
    /// The heuristic.
    pub heuristic: String,
    /// How many steps it is away.
    pub steps: u64,
    /// The way there.
    pub trail: TrailFile,
}

impl NearestMiss {
    /// What a search knows. Nothing where a claim takes part.
    pub(crate) fn of<S: Search + ?Sized>(
        search: &S,
        heuristic: &str,
        task: &Task<'_>,
        plan: &Plan,
    ) -> Option<NearestMiss> {
        if matches!(task.goal, None | Some(HeuristicGoal::Claim)) {
            return None;
        }
        let (estimate, path) = search.as_guided()?.nearest()?;
        // What is found at its end does not matter: nothing is.
        let way = |from: &[u8], to: &[u8]| task.machine.moves_to(from, to);
        let moves = moves_along(&path, FindingKind::Deadlock, way).ok()?;
        let merged = plan.automata().allowed_by(task.machine.model()).merge;
        let trail = TrailFile::of(&moves, merged);
        let (steps, heuristic) = (moves.len() as u64, heuristic.to_owned());
        Some(NearestMiss { estimate: estimate.0, heuristic, steps, trail })
    }
}
