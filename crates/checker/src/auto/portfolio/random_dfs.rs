//! Random depth-first search, for all properties of a state space at once. It has no heuristic that
//! could mislead it.

use beeline_search::{
    CoveringStore, ExactStore, Exploration, ExplorationOptions, ExplorationOrder, Outcome, Search,
    StopCondition,
};

use super::SpacePortfolio;
use super::runs::RandomDfs;
use crate::auto::property_run::{FoundPath, LengthBound};
use crate::observe::Observer;
use crate::report::CheckError;
use crate::work::advance;

impl<'a> SpacePortfolio<'a> {
    pub(super) fn start_random_dfs(&self, seed: u64) -> Option<RandomDfs<'a>> {
        let order = ExplorationOrder::RandomDepth { seed };
        let limits = self.plan.limits();
        let options = ExplorationOptions {
            order,
            until: StopCondition::Exhausted,
            limits,
            keep: 1,
            stop: None,
            any_paths: false,
        };
        let space = self.space;
        let search: Box<dyn Search + 'a> = if self.has_coverage {
            Box::new(Exploration::<CoveringStore>::with_store(space, options).ok()?)
        } else {
            Box::new(Exploration::<ExactStore>::with_store(space, options).ok()?)
        };
        Some(RandomDfs { search, judged: 0, seed })
    }

    pub(super) fn run_random_dfs(
        &mut self,
        turn: u64,
        observer: &mut dyn Observer,
    ) -> Result<(), CheckError> {
        let share = self.share();
        let Some(mut random_dfs) = self.random_dfs.take() else { return Ok(()) };
        let known = random_dfs.judged;
        let outcome = advance(&mut *random_dfs.search, turn, |search| search.hits().len() > known);
        let findings = random_dfs.search.hits();
        for (at, finding) in findings.iter().enumerate().skip(known) {
            for run in self.open_runs_of(finding.kind) {
                // The search only excludes an error in the initial state.
                let (path, bound) = (random_dfs.search.path(at), LengthBound::Steps(1));
                let by = "random-dfs";
                self.violate(run, FoundPath { path, kind: finding.kind, by, bound }, observer)?;
            }
        }
        random_dfs.judged = findings.len();
        let is_full = random_dfs.search.bytes() > share;
        if outcome.is_some() || is_full {
            self.past.add(&random_dfs.search.stats());
        }
        match outcome {
            Some(Outcome::Complete) => {
                let errors = findings.iter().map(|finding| finding.kind).collect();
                self.ended = Some((Outcome::Complete, errors));
            }
            None if !is_full => self.random_dfs = Some(random_dfs),
            // With another seed, the search visits other states.
            _ => self.random_dfs = self.start_random_dfs(random_dfs.seed.wrapping_add(1)),
        }
        Ok(())
    }
}
