//! The properties that are about the same state space: one proof for all of them, and the
//! searches for violations beside it.

mod fallback;
mod greedy;
mod outcome;
mod proving;
mod random_dfs;
mod runs;

use beeline_kernel::Space;
use beeline_search::{Finding, FindingKind, Omissions, Outcome, Search, Stats};

use super::bitstate_fallback::BitstateFallback;
use super::proof::Proof;
use super::property_run::{
    FoundPath, LengthBound, PropertyRun, ShorteningBudget, ShorteningPolicy,
};
use super::reduced_proof::ReducedProof;
use super::work::work;
use crate::observe::Observer;
use crate::plan::{AutoConfig, Plan, Store, Strategy};
use crate::report::{CheckError, NearestMiss};
use crate::task::ActiveReduction;

pub(super) use outcome::PropertyOutcome;
use runs::{GreedyRun, RandomDfs};

/// For a shorter trail at least so much is done, and at most so much; between them, so
/// many times what it took to find the error.
const LEAST_SHORTENING: u64 = 200_000_000;
const MOST_SHORTENING: u64 = 1_000_000_000;
const SHORTENING: u64 = 10;

/// The proof of a reduced space does so much less than a search in its turn, until it is in front: a
/// state takes several times as long there.
const REDUCED_SHARE: u64 = 10;
/// Where there is no proof any more, hunts and the walk end when so many times as much was done
/// as before, and the search with bits when so many times as much was: its array has room for
/// more states than the compact store by about that.
const GREEDY_LIMIT: u64 = 2;
const BITSTATE_LIMIT: u64 = 16;
/// What breadth-first search does before hunts begin, where these begin early: some
/// milliseconds.
const BFS_HEAD_START: u64 = 400_000;

/// A state space with what goes on in it.
pub(super) struct SpacePortfolio<'a> {
    space: &'a dyn Space,
    runs: Vec<PropertyRun<'a>>,
    plan: &'a Plan,
    /// Memory for all of it.
    bytes: usize,
    /// Here, or in a thread.
    proof: Option<Proof<'a>>,
    /// What was last seen of the proof.
    proof_stats: Stats,
    proof_bytes: usize,
    /// How many of its findings were looked at.
    judged: usize,
    store: Store,
    /// How the exploration of all states ended, with what it met.
    ended: Option<(Outcome, Vec<Finding>)>,
    /// Breadth-first search may still settle everything soon.
    is_sprinting: bool,
    /// The hunts have begun.
    has_started_greedy: bool,
    /// The whole system was looked at.
    has_run_relaxed_proof: bool,
    greedy_runs: Vec<GreedyRun<'a>>,
    random_dfs: Option<RandomDfs<'a>>,
    /// How its space can be reduced, if it can, and the proof that makes use of it.
    reducing: Option<&'a ActiveReduction<'a>>,
    reduced_proof: Option<ReducedProof<'a>>,
    /// What goes on where the proof had to end.
    fallback: Option<BitstateFallback<'a>>,
    /// What it has probably overlooked, if it came to its end.
    overlooked: Option<Omissions>,
    /// By case, how near a search came.
    nearest: Vec<Option<NearestMiss>>,
    /// What was done by searches that are over.
    past: Stats,
    /// Where there is no proof any more: what may be done until all of it ends.
    work_limit: Option<u64>,
    /// The model fails before its first step.
    has_initial_fault: bool,
    /// No step can fail, so that nothing is hidden behind one.
    is_faultless: bool,
    news: Vec<String>,
}

impl<'a> SpacePortfolio<'a> {
    /// Properties of one system; at least one.
    pub(super) fn new(
        runs: Vec<PropertyRun<'a>>,
        reducing: Option<&'a ActiveReduction<'a>>,
        plan: &'a Plan,
        bytes: usize,
    ) -> SpacePortfolio<'a> {
        let system = runs[0].task.system;
        let space = system.space();
        let proof = Proof::begin(space, plan, bytes / 2).ok();
        let nearest = vec![None; runs.len()];
        SpacePortfolio {
            space,
            runs,
            plan,
            bytes,
            has_initial_fault: proof.is_none(),
            proof,
            proof_stats: Stats::default(),
            proof_bytes: 0,
            judged: 0,
            store: Store::Exact,
            ended: None,
            is_sprinting: true,
            has_started_greedy: false,
            has_run_relaxed_proof: false,
            greedy_runs: Vec::new(),
            random_dfs: None,
            reducing,
            reduced_proof: None,
            fallback: None,
            overlooked: None,
            nearest,
            past: Stats::default(),
            work_limit: None,
            is_faultless: system.never_fails(),
            news: Vec::new(),
        }
    }

    /// Whether nothing more can be found out.
    pub(super) fn is_over(&self) -> bool {
        let is_busy = self.is_shortening() || self.is_waiting();
        self.has_initial_fault || (!self.is_open() || self.is_exhausted()) && !is_busy
    }

    /// Whether some property has no answer.
    fn is_open(&self) -> bool {
        let complete = matches!(self.ended, Some((Outcome::Complete, _)));
        !complete && self.runs.iter().any(PropertyRun::is_open)
    }

    /// Whether there is nobody left who could find one.
    fn is_exhausted(&self) -> bool {
        let has_searches =
            !self.greedy_runs.is_empty() || self.random_dfs.is_some() || self.fallback.is_some();
        self.ended.is_some() && !has_searches && self.reduced_proof.is_none()
    }

    /// Whether breadth-first search may still meet what a hunt has found.
    fn is_waiting(&self) -> bool {
        self.runs.iter().any(PropertyRun::is_waiting)
    }

    fn is_shortening(&self) -> bool {
        let mut found = self.runs.iter().filter_map(|run| run.found.as_ref());
        found.any(|found| found.is_shortening())
    }

    /// Whether breadth-first search alone may settle it soon.
    pub(super) fn sprints(&self, most: u64) -> bool {
        self.wants_proof() && work(&self.proof_stats) < most
    }

    /// Goes on with breadth-first search, in turns that become longer, and with the hunts that
    /// begin early.
    pub(super) fn sprint(
        &mut self,
        turn: u64,
        observer: &mut dyn Observer,
    ) -> Result<(), CheckError> {
        let more = (work(&self.proof_stats) / 2).clamp(BFS_HEAD_START, turn);
        self.prove(more, observer)?;
        self.run_greedy_early(observer)
    }

    /// Breadth-first search has had its time.
    pub(super) fn end_sprint(&mut self, observer: &mut dyn Observer) -> Result<(), CheckError> {
        self.is_sprinting = false;
        let budget = self.shortening_budget();
        for run in self.runs.iter_mut().filter(|run| run.is_waiting()) {
            run.stop_waiting(Some(budget), self.plan, observer)?;
        }
        Ok(())
    }

    /// Begins all that goes on beside the proof.
    pub(super) fn start_searches(&mut self) -> Result<(), CheckError> {
        if !self.is_open() || self.has_initial_fault {
            return Ok(());
        }
        self.start_greedy_runs()?;
        self.run_relaxed_proof();
        self.random_dfs = self.start_random_dfs(self.plan.auto.seed);
        let reducing = self.reducing;
        self.reduced_proof =
            reducing.and_then(|reducing| ReducedProof::begin(self.space, reducing, self.plan));
        Ok(())
    }

    /// Gives each search its turn, but for the proof.
    pub(super) fn take_turns(
        &mut self,
        turn: u64,
        observer: &mut dyn Observer,
    ) -> Result<(), CheckError> {
        if self.is_open() {
            self.run_greedy(|greedy_run| greedy_run.share(turn), observer)?;
            self.run_random_dfs(turn, observer)?;
            let is_alone = self.reduced_proof_leads() || self.ended.is_some();
            self.advance_reduced_proof(
                if is_alone { 2 * turn } else { turn / REDUCED_SHARE },
                observer,
            )?;
            self.advance_fallback(turn, observer)?;
        } else {
            self.rest();
            self.end_fallback();
        }
        for run in &mut self.runs {
            run.shorten(turn, observer)?;
        }
        if let Some(work_limit) = self.work_limit {
            let done = work(&self.stats());
            if done > GREEDY_LIMIT * work_limit {
                self.rest();
            }
            if done > BITSTATE_LIMIT * work_limit {
                self.end_fallback();
            }
        }
        Ok(())
    }

    /// Ends all searches for violations.
    fn rest(&mut self) {
        for greedy_run in std::mem::take(&mut self.greedy_runs) {
            self.past.add(&greedy_run.search.stats());
            self.remember(&greedy_run);
        }
        if let Some(random_dfs) = self.random_dfs.take() {
            self.past.add(&random_dfs.search.stats());
        }
        if let Some(reduced_proof) = self.reduced_proof.take() {
            self.past.add(&reduced_proof.stats());
        }
    }

    fn open_runs_of(&self, kind: FindingKind) -> Vec<usize> {
        self.runs_of(kind, PropertyRun::is_open)
    }

    /// Those that such a finding violates, and that are like this.
    fn runs_of(&self, kind: FindingKind, is_one: impl Fn(&PropertyRun<'a>) -> bool) -> Vec<usize> {
        let runs = self.runs.iter().enumerate();
        let those = runs.filter(|(_, run)| is_one(run) && run.task.target.includes(kind));
        those.map(|(at, _)| at).collect()
    }

    fn violate(
        &mut self,
        run: usize,
        found_path: FoundPath<'_>,
        observer: &mut dyn Observer,
    ) -> Result<(), CheckError> {
        let shortening = match found_path.bound {
            _ if !self.plan.auto.shorten => ShorteningPolicy::No,
            LengthBound::Steps(_) if self.is_sprinting => ShorteningPolicy::Later,
            _ => ShorteningPolicy::Now(self.shortening_budget()),
        };
        self.runs[run].violate(found_path, shortening, self.plan, observer)?;
        self.end_greedy_runs_of(run);
        Ok(())
    }

    /// What may be used up for a shorter trail from now on: a quarter of the memory for all of
    /// them, a quarter for all hunts, and half for the proof.
    fn shortening_budget(&self) -> ShorteningBudget {
        let done = work(&self.stats());
        let work = (SHORTENING * done).clamp(LEAST_SHORTENING, MOST_SHORTENING);
        ShorteningBudget { work, bytes: self.bytes / (4 * self.runs.len()) }
    }

    /// How it was told to go about it.
    fn config(&self) -> AutoConfig {
        match self.plan.search.strategy {
            Strategy::Auto(config) => config,
            _ => AutoConfig::DEFAULT,
        }
    }

    /// Memory for a search beside the proof.
    fn share(&self) -> usize {
        self.bytes / (4 * (self.greedy_runs.len() + 1))
    }

    pub(super) fn stats(&self) -> Stats {
        let mut all = self.proof_stats;
        all.add(&self.past);
        self.greedy_runs.iter().for_each(|greedy_run| all.add(&greedy_run.search.stats()));
        self.random_dfs.iter().for_each(|random_dfs| all.add(&random_dfs.search.stats()));
        self.reduced_proof.iter().for_each(|reduced_proof| all.add(&reduced_proof.stats()));
        self.fallback.iter().for_each(|fallback| all.add(&fallback.stats()));
        let found = self.runs.iter().filter_map(|run| run.found.as_ref());
        found.for_each(|found| all.add(&found.stats));
        all
    }

    pub(super) fn bytes(&self) -> usize {
        let greedy_runs: usize =
            self.greedy_runs.iter().map(|greedy_run| greedy_run.search.bytes()).sum();
        let random_dfs = self.random_dfs.as_ref().map_or(0, |random_dfs| random_dfs.search.bytes());
        let found = self.runs.iter().filter_map(|run| run.found.as_ref());
        let reduced_proof = self.reduced_proof.as_ref().map_or(0, ReducedProof::bytes);
        let fallback = self.fallback.as_ref().map_or(0, BitstateFallback::bytes);
        let proofs = self.proof_bytes + reduced_proof + fallback;
        proofs + greedy_runs + random_dfs + found.map(|found| found.bytes()).sum::<usize>()
    }

    pub(super) fn store(&self) -> Store {
        self.store
    }

    /// What is new since the last time.
    pub(super) fn news(&mut self) -> Vec<String> {
        std::mem::take(&mut self.news)
    }
}
