//! Greedy searches for the violation of one property each, with the usual heuristic or with one of
//! the whole system.

use beeline_kernel::BoxedHeuristic;
use beeline_model::HeuristicScope;
use beeline_search::{
    BestFirst, BestFirstConfig, CoveringStore, ExactStore, Outcome, Search, SearchQuery,
};

use super::runs::GreedyRun;
use super::{BFS_HEAD_START, SpacePortfolio};
use crate::auto::property_run::{FoundPath, LengthBound};
use crate::auto::relaxed_proof::RelaxedProof;
use crate::observe::Observer;
use crate::plan::GreedyStart;
use crate::report::CheckError;
use crate::task::{Task, greedy_heuristic, nearest_miss};
use crate::work::{advance, work};

/// Greedy searches with an early start get, together, one in this many parts of the work of
/// breadth-first search.
const EARLY_DIVISOR: u64 = 4;
/// Work of breadth-first search before the relaxation is computed, which takes some time.
const BEFORE_RELAXATION: u64 = 8_000_000;
impl<'a> SpacePortfolio<'a> {
    /// Advances the greedy searches to their share of the work in the first phase.
    pub(super) fn run_greedy_early(
        &mut self,
        observer: &mut dyn Observer,
    ) -> Result<(), CheckError> {
        let done = work(&self.proof_stats);
        if self.plan.search.auto_config().greedy_start == GreedyStart::Late || done < BFS_HEAD_START
        {
            return Ok(());
        }
        self.start_greedy_runs()?;
        if done >= BEFORE_RELAXATION {
            self.run_relaxed_proof();
        }
        let each = done / (EARLY_DIVISOR * self.greedy_runs.len().max(1) as u64);
        self.run_greedy(
            |greedy_run| greedy_run.share(each).saturating_sub(work(&greedy_run.search.stats())),
            observer,
        )
    }

    /// Starts the greedy searches with the usual heuristics, unless they have started.
    pub(super) fn start_greedy_runs(&mut self) -> Result<(), CheckError> {
        if std::mem::replace(&mut self.has_started_greedy, true) {
            return Ok(());
        }
        for at in 0..self.runs.len() {
            let run = &self.runs[at];
            let Task { system, target, .. } = run.task;
            if system.usual_heuristic(target).is_some() && run.is_open() {
                let usual = greedy_heuristic(&run.task, self.plan.search.auto_config().scope)?;
                self.start_greedy_run(at, usual, HeuristicScope::Local);
            }
        }
        Ok(())
    }

    /// Computes the relaxation, once. It proves some properties; for each open one, another greedy
    /// search starts.
    pub(super) fn run_relaxed_proof(&mut self) {
        let is_wanted =
            self.is_open() && self.plan.search.auto_config().scope == HeuristicScope::Whole;
        if !is_wanted || std::mem::replace(&mut self.has_run_relaxed_proof, true) {
            return;
        }
        let relaxed_proof = RelaxedProof::of(&self.runs);
        self.is_faultless |= relaxed_proof.is_faultless;
        for (at, holds) in relaxed_proof.holds.into_iter().enumerate().filter(|(_, holds)| *holds) {
            self.runs[at].holds = holds;
            self.end_greedy_runs_of(at);
            let name = &self.runs[at].property.name;
            self.news.push(format!("{name}: relaxation proves that nothing violates it"));
        }
        for (at, heuristic) in relaxed_proof.heuristics.into_iter().enumerate() {
            if let Some(heuristic) = heuristic.filter(|_| self.runs[at].is_open()) {
                self.start_greedy_run(at, heuristic, HeuristicScope::Whole);
            }
        }
    }

    fn start_greedy_run(&mut self, run: usize, compass: BoxedHeuristic<'a>, scope: HeuristicScope) {
        let heuristic = compass.name().to_owned();
        let name = format!("gbfs({heuristic})");
        let target = self.runs[run].task.target;
        let query = SearchQuery { limits: self.plan.limits(), ..SearchQuery::new(target) };
        let (space, config) = (self.space, BestFirstConfig::GREEDY);
        let started = if self.has_coverage {
            BestFirst::<CoveringStore>::with_store(space, compass, config, query)
                .map(|search| Box::new(search) as Box<dyn Search + 'a>)
        } else {
            BestFirst::<ExactStore>::with_store(space, compass, config, query)
                .map(|search| Box::new(search) as Box<dyn Search + 'a>)
        };
        let greedy_run = |search| GreedyRun { run, name, heuristic, scope, search };
        self.greedy_runs.extend(started.ok().map(greedy_run));
    }

    /// Ends the greedy searches of a property run that is decided.
    pub(super) fn end_greedy_runs_of(&mut self, run: usize) {
        for greedy_run in self.greedy_runs.extract_if(.., |greedy_run| greedy_run.run == run) {
            self.past.add(&greedy_run.search.stats());
        }
    }

    /// Advances each greedy search by the work that `more` returns.
    pub(super) fn run_greedy(
        &mut self,
        more: impl Fn(&GreedyRun<'a>) -> u64,
        observer: &mut dyn Observer,
    ) -> Result<(), CheckError> {
        let share = self.share();
        let mut at = 0;
        while at < self.greedy_runs.len() {
            let turn = more(&self.greedy_runs[at]);
            let GreedyRun { run, name, search, .. } = &mut self.greedy_runs[at];
            let outcome = advance(&mut **search, turn, |_| false);
            let is_over = outcome.is_some();
            let (run, stats) = (*run, search.stats());
            let hit = search.hits().first().copied();
            if let Some(hit) = hit {
                let (path, by) = (search.path(0), name.clone());
                let bound = LengthBound::Steps(u64::from(search.lower_bound().0));
                self.past.add(&stats);
                self.greedy_runs.remove(at);
                self.violate(run, FoundPath { path, kind: hit.kind, by: &by, bound }, observer)?;
            } else if is_over || search.bytes() > share {
                self.past.add(&stats);
                let greedy_run = self.greedy_runs.remove(at);
                self.conclude(run, outcome);
                self.remember(&greedy_run);
            } else {
                at += 1;
            }
        }
        Ok(())
    }

    /// Without faults, a complete greedy search proves its property.
    fn conclude(&mut self, run: usize, outcome: Option<Outcome>) {
        let is_claim = self.runs[run].task.has_claim();
        // The states after a fault may be unexplored.
        if self.is_faultless && !is_claim && outcome == Some(Outcome::Complete) {
            self.runs[run].holds = true;
        }
    }

    /// Records the nearest miss of a greedy search that is over.
    pub(super) fn remember(&mut self, greedy_run: &GreedyRun<'_>) {
        let GreedyRun { run, heuristic, scope, search, .. } = greedy_run;
        // The nearest miss by the usual heuristic has priority.
        let is_told = *scope == HeuristicScope::Whole && self.nearest[*run].is_some();
        if self.is_open() && self.runs[*run].is_open() && !is_told {
            let task = &self.runs[*run].task;
            self.nearest[*run] = nearest_miss(&**search, heuristic, task);
        }
    }
}
