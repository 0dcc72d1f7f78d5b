//! The portfolio of a state space: one proof for all its properties, and the searches for
//! violations beside it.

mod fallback;
mod greedy;
mod outcome;
mod proving;
mod random_dfs;
mod runs;
mod symbolic;

use beeline_kernel::Space;
use beeline_search::{FindingKind, Omissions, Outcome, Stats};

use super::bitstate_fallback::BitstateFallback;
use super::proof::Proof;
use super::property_run::{
    FoundPath, LengthBound, PropertyRun, ShorteningBudget, ShorteningPolicy,
};
use super::reduced_proof::ReducedProof;
use crate::observe::Observer;
use crate::plan::{Plan, Store};
use crate::report::{CheckError, NearestMiss};
use crate::task::ActiveReduction;
use crate::work::work;

pub(super) use outcome::PropertyOutcome;
use runs::{GreedyRun, RandomDfs};

/// Work for a shorter trail: the third times the work until then, between the first and second.
const LEAST_SHORTENING: u64 = 200_000_000;
const MOST_SHORTENING: u64 = 1_000_000_000;
const SHORTENING: u64 = 10;
/// A byte of a zone takes several times as long as one of another state: the limits above are
/// divided by this.
const SLOWNESS_OF_ZONES: u64 = 4;

/// The reduced proof gets one in this many parts of a turn until it overtakes the full proof, since
/// each state takes it several times as long.
const REDUCED_TURN: u64 = 2;
/// Until then, it does at most one in this many parts of the work of the full proof.
const REDUCED_SHARE: u64 = 4;
/// After the proofs have ended without a verdict: greedy searches, random depth-first search and
/// the proof on sets end at the first multiple of the work until then, bit-state search at the
/// second, since its array holds about that many times as many states as the compact store.
const GREEDY_LIMIT: u64 = 2;
const BITSTATE_LIMIT: u64 = 16;
/// The searches for violations, together, do at most this fraction of the work of the proof: a
/// model without violations should not take much longer than its proof.
const SEARCH_SHARE: (u64, u64) = (2, 5);
/// Work of breadth-first search before an early start of greedy searches: some milliseconds.
const BFS_HEAD_START: u64 = 400_000;

/// The searches in a state space, with the runs of its properties.
pub(super) struct SpacePortfolio<'a> {
    space: &'a dyn Space,
    runs: Vec<PropertyRun<'a>>,
    plan: &'a Plan,
    /// Memory for all searches.
    bytes: usize,
    /// Whether the searches have covering stores.
    has_coverage: bool,
    /// `None` while it runs in a thread, and after an initial fault.
    proof: Option<Proof<'a>>,
    /// The last known counters of the proof.
    proof_stats: Stats,
    proof_bytes: usize,
    /// Number of errors of the proof that were processed.
    judged: usize,
    /// Whether several threads have not been asked yet to take the proof over.
    may_share_proof: bool,
    store: Store,
    /// Outcome and errors of an exhaustive search, once one has ended.
    ended: Option<(Outcome, Vec<FindingKind>)>,
    /// Whether the first phase is not over.
    is_sprinting: bool,
    /// Whether the greedy searches have started.
    has_started_greedy: bool,
    /// Whether the relaxation was computed.
    has_run_relaxed_proof: bool,
    greedy_runs: Vec<GreedyRun<'a>>,
    random_dfs: Option<RandomDfs<'a>>,
    /// The reduction of the space, if there is one, and the proof that uses it.
    reducing: Option<&'a ActiveReduction<'a>>,
    reduced_proof: Option<ReducedProof<'a>>,
    /// The work of the proof on sets of states, and whether it continues.
    symbolic_work: u64,
    has_symbolic_proof: bool,
    /// The bit-state search after the proofs have run out of memory.
    fallback: Option<BitstateFallback<'a>>,
    /// The estimated omissions of the bit-state search, if it has ended.
    overlooked: Option<Omissions>,
    /// The nearest miss of each property run.
    nearest: Vec<Option<NearestMiss>>,
    /// Counters of the searches that are over.
    past: Stats,
    /// The work until both proofs had ended; the limits of other searches are multiples of it.
    work_limit: Option<u64>,
    /// The model fails before its first step.
    has_initial_fault: bool,
    /// No step can fail, so that no fault leaves states unexplored.
    is_faultless: bool,
    news: Vec<String>,
}

impl<'a> SpacePortfolio<'a> {
    /// A portfolio for one or more properties of one system.
    pub(super) fn new(
        runs: Vec<PropertyRun<'a>>,
        reducing: Option<&'a ActiveReduction<'a>>,
        plan: &'a Plan,
        bytes: usize,
    ) -> SpacePortfolio<'a> {
        let system = runs[0].task.system;
        let space = system.space();
        let proof = Proof::begin(space, plan, bytes / 8 * 5).ok();
        let nearest = vec![None; runs.len()];
        SpacePortfolio {
            space,
            runs,
            plan,
            bytes,
            has_coverage: proof.as_ref().is_some_and(|one| one.store() == Store::Covering),
            has_initial_fault: proof.is_none(),
            proof,
            proof_stats: Stats::default(),
            proof_bytes: 0,
            judged: 0,
            may_share_proof: true,
            store: Store::Exact,
            ended: None,
            is_sprinting: true,
            has_started_greedy: false,
            has_run_relaxed_proof: false,
            greedy_runs: Vec::new(),
            random_dfs: None,
            reducing,
            reduced_proof: None,
            symbolic_work: 0,
            has_symbolic_proof: false,
            fallback: None,
            overlooked: None,
            nearest,
            past: Stats::default(),
            work_limit: None,
            is_faultless: system.never_fails(),
            news: Vec::new(),
        }
    }

    /// Whether the portfolio is over: no search can decide a property or shorten a trail.
    pub(super) fn is_over(&self) -> bool {
        let is_busy = self.is_shortening() || self.is_waiting();
        self.has_initial_fault || (!self.is_open() || self.is_exhausted()) && !is_busy
    }

    /// Whether some property is open.
    pub(super) fn is_open(&self) -> bool {
        let complete = matches!(self.ended, Some((Outcome::Complete, _)));
        !complete && self.runs.iter().any(PropertyRun::is_open)
    }

    /// Whether no search is left that could decide an open property.
    fn is_exhausted(&self) -> bool {
        let has_searches =
            !self.greedy_runs.is_empty() || self.random_dfs.is_some() || self.fallback.is_some();
        let has_proofs = self.reduced_proof.is_some() || self.has_symbolic_proof;
        self.ended.is_some() && !has_searches && !has_proofs
    }

    /// Whether breadth-first search may still find a shorter path to a known violation.
    fn is_waiting(&self) -> bool {
        self.runs.iter().any(PropertyRun::is_waiting)
    }

    /// Whether a trail is shortened.
    pub(super) fn is_shortening(&self) -> bool {
        let mut found = self.runs.iter().filter_map(|run| run.found.as_ref());
        found.any(|found| found.is_shortening())
    }

    /// Whether the first phase continues, with at most this much work in all.
    pub(super) fn sprints(&self, most: u64) -> bool {
        self.wants_proof() && work(&self.proof_stats) < most
    }

    /// A turn of the first phase: breadth-first search, in turns of growing length, and greedy
    /// searches with an early start.
    pub(super) fn sprint(
        &mut self,
        turn: u64,
        observer: &mut dyn Observer,
    ) -> Result<(), CheckError> {
        let more = (work(&self.proof_stats) / 2).clamp(BFS_HEAD_START, turn);
        self.prove(more, observer)?;
        self.run_greedy_early(observer)
    }

    /// Ends the first phase: shortens the trails that waited for a shorter path.
    pub(super) fn end_sprint(&mut self, observer: &mut dyn Observer) -> Result<(), CheckError> {
        self.is_sprinting = false;
        let budget = self.shortening_budget();
        for run in self.runs.iter_mut().filter(|run| run.is_waiting()) {
            run.stop_waiting(Some(budget), self.plan, observer)?;
        }
        Ok(())
    }

    /// Starts all searches beside the proof.
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

    /// Gives a turn to each search except the proof.
    pub(super) fn take_turns(
        &mut self,
        turn: u64,
        observer: &mut dyn Observer,
    ) -> Result<(), CheckError> {
        if self.is_open() {
            if self.may_search() {
                self.run_greedy(|greedy_run| greedy_run.share(turn), observer)?;
                self.run_random_dfs(turn, observer)?;
            }
            if self.reduced_proof_leads() || self.ended.is_some() {
                self.advance_reduced_proof(2 * turn, observer)?;
            } else if self.may_reduce() {
                self.advance_reduced_proof(turn / REDUCED_TURN, observer)?;
            }
            self.advance_fallback(turn, observer)?;
        } else {
            self.rest();
            self.end_fallback();
        }
        for run in &mut self.runs {
            run.shorten(turn, observer)?;
        }
        if let Some(work_limit) = self.work_limit {
            let done = self.symbolic_work + work(&self.stats());
            if done > GREEDY_LIMIT * work_limit {
                self.rest();
            }
            if done > BITSTATE_LIMIT * work_limit {
                self.end_fallback();
            }
        }
        Ok(())
    }

    /// Ends the greedy searches, the random depth-first search and the reduced proof.
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

    /// Whether the searches for violations are within their share of the work. Without a proof
    /// they have no limit of this kind.
    fn may_search(&self) -> bool {
        let mut searches = self.past;
        self.greedy_runs.iter().for_each(|greedy_run| searches.add(&greedy_run.search.stats()));
        self.random_dfs.iter().for_each(|random_dfs| searches.add(&random_dfs.search.stats()));
        let (most, of) = SEARCH_SHARE;
        self.ended.is_some() || work(&searches) / most <= work(&self.proof_stats) / of
    }

    /// Whether the reduced proof is within its share of the work.
    fn may_reduce(&self) -> bool {
        let reduced = self.reduced_proof.as_ref().map(ReducedProof::stats);
        reduced.is_some_and(|stats| work(&stats) <= work(&self.proof_stats) / REDUCED_SHARE)
    }

    fn open_runs_of(&self, kind: FindingKind) -> Vec<usize> {
        self.runs_of(kind, PropertyRun::is_open)
    }

    /// The property runs that a finding of this kind violates and that satisfy `is_one`.
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

    /// The budget for a shorter trail. All of these share a quarter of the memory; greedy searches
    /// and the random depth-first search share another quarter, and the proof has half.
    fn shortening_budget(&self) -> ShorteningBudget {
        let done = work(&self.stats());
        let slowness = if self.has_coverage { SLOWNESS_OF_ZONES } else { 1 };
        let work = (SHORTENING * done).clamp(LEAST_SHORTENING, MOST_SHORTENING) / slowness;
        ShorteningBudget { work, bytes: self.bytes / (8 * self.runs.len()) }
    }

    /// Memory for a greedy search or the random depth-first search.
    fn share(&self) -> usize {
        self.bytes / (8 * (self.greedy_runs.len() + 1))
    }

    /// The work of everything but the proof.
    pub(super) fn work_beside_proof(&self) -> u64 {
        self.symbolic_work + work(&self.stats()).saturating_sub(work(&self.proof_stats))
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

    /// The notices since the last call.
    pub(super) fn news(&mut self) -> Vec<String> {
        std::mem::take(&mut self.news)
    }
}
