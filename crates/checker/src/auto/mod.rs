//! The automatic strategy: `check` without `--search`.
//!
//! The first phase, breadth-first search, decides small models with a proof or a trail of the
//! fewest moves. For other models it continues as the exhaustive proof, beside searches for
//! violations: greedy search with the usual heuristic for each open property, and random
//! depth-first search for all of them, which no heuristic misleads. Each violation is replayed and
//! reported at once; then its trail is shortened, while the other properties continue.
//! `docs/book/auto.md` has the details and measurements.
//!
//! When the states do not fit into memory any more, a bit-state search replaces the proof, and the
//! verdict is *unknown* unless the search finds a violation.
//!
//! Beside all of them, a proof computes the set of all reachable states as a decision diagram, and
//! settles what is open if it ends first.
//!
//! Promises: *holds* only after a complete search, on single states or on sets, or when a
//! relaxation, which over-approximates the model, has no path to an error. Results do not depend
//! on the speed of the machine, unless the proof has a thread of its own.

mod bitstate_fallback;
mod cycle_checks;
mod pace;
mod paced_thread;
mod portfolio;
mod proof;
mod property_run;
mod reduced_proof;
mod relaxed_proof;
mod shared_proof;
mod shared_proof_task;
mod symbolic_proof;
mod threads;

use std::ops::ControlFlow;
use std::thread;
use std::time::Duration;

use beeline_kernel::Stop;
use beeline_model::{ProductOptions, Property, Reason, System, Verdict};
use beeline_search::Stats;

use crate::context::CheckContext;
use crate::liveness::{check_claim, claim_task};
use crate::observe::{Event, Observer, announce_proof};
use crate::plan::{Plan, Store};
use crate::report::{CheckError, CheckReport, PropertyReport, SearchReport};
use crate::task::{Task, reducing_for_proof};

use cycle_checks::CycleChecks;
use pace::Pace;
use portfolio::{PropertyOutcome, SpacePortfolio};
use property_run::PropertyRun;
use symbolic_proof::{SymbolicLimits, SymbolicProof};
use threads::ProofThreads;

/// Work of breadth-first search in the first phase: a third of a second.
const SPRINT: u64 = 40_000_000;
/// Work of a turn: some hundredths of a second.
const TURN: u64 = 2_000_000;

/// The proof on sets may use one in this many parts of the memory.
const SHARE_OF_SETS: usize = 8;

/// Between two looks at the proofs, when nothing else is to be done.
const PAUSE: Duration = Duration::from_millis(1);

/// Memory, divided among what runs at the same time.
struct Shares {
    /// Of each portfolio.
    portfolio: usize,
    /// Of each check of a property about cycles; `None` without a limit.
    cycles: Option<usize>,
}

impl Shares {
    /// The checks of cycles get a quarter together. A check that needs more begins again when all
    /// else is over.
    fn of(plan: &Plan, portfolios: usize, cycles: usize) -> Shares {
        let all = plan.bytes.unwrap_or(usize::MAX);
        let quarter = if cycles > 0 { all / 4 } else { 0 };
        Shares {
            portfolio: (all - quarter) / portfolios,
            cycles: plan.bytes.map(|_| quarter / cycles.max(1)),
        }
    }
}

/// Checks all properties.
pub(crate) fn check_auto(
    context: &CheckContext<'_>,
    observer: &mut dyn Observer,
) -> Result<CheckReport, CheckError> {
    let &CheckContext { properties, system, plan, .. } = context;
    let mut reports: Vec<Option<PropertyReport>> = vec![None; properties.len()];
    let mut numbers = PropertyNumbers::default();
    for (number, property) in properties.iter().enumerate() {
        if system.target(property).is_some() {
            numbers.safety.push(number);
            continue;
        }
        match system.claim(property) {
            // A claim that counts steps needs automata without statement merging.
            Ok(claim) if claim.about_cycles || claim.counts_steps => numbers.cyclic.push(number),
            Ok(_) => numbers.claims.push(number),
            Err(why) => {
                let verdict = Verdict::Unknown(Reason::Unsupported(why));
                reports[number] = Some(PropertyReport::new(property, verdict));
            }
        }
    }
    let mut totals = with_products(context, &numbers.claims, &[], &mut |products| {
        run_portfolios(context, &numbers, products, observer, &mut reports)
    })?;
    reports.iter().flatten().for_each(|report| announce_proof(report, observer));
    for &number in &numbers.cyclic {
        let property = &properties[number];
        let is_short_of_memory = reports[number].as_ref().is_none_or(lacks_memory);
        if totals.stopped.is_some() || !is_short_of_memory {
            continue;
        }
        // With the memory of everything else, which is over.
        observer.on_event(&Event::Phase(&format!("cycle search for {}", property.name)));
        let settled = check_claim(system, property, plan, Store::Exact, observer)?;
        totals.add(&settled);
        let report = cycle_report(settled, property);
        announce_proof(&report, observer);
        reports[number] = Some(report);
    }
    let RunTotals { stats, peak_bytes, store, .. } = totals;
    let all = reports.into_iter();
    let properties = all.map(|one| one.expect("each property has a run or a verdict")).collect();
    Ok(CheckReport { properties, stats, peak_bytes, store, ..CheckReport::default() })
}

/// The numbers of the requested properties, by the kind of search.
#[derive(Default)]
struct PropertyNumbers {
    /// Single states and steps violate them.
    safety: Vec<usize>,
    /// The end of a claim violates them.
    claims: Vec<usize>,
    /// Cycles violate them, or their claims count steps.
    cyclic: Vec<usize>,
}

/// Totals of all portfolios.
struct RunTotals {
    stats: Stats,
    store: Store,
    peak_bytes: u64,
    stopped: Option<Stop>,
}

impl RunTotals {
    fn add(&mut self, settled: &SearchReport) {
        self.stats.add(&settled.stats);
        self.peak_bytes = self.peak_bytes.max(settled.peak_bytes);
    }
}

/// The report on a property about cycles.
fn cycle_report(settled: SearchReport, property: &Property) -> PropertyReport {
    PropertyReport { heuristic: None, nearest: None, ..settled.for_property(property) }
}

/// Whether a check gave up because its share of the memory was used up.
fn lacks_memory(report: &PropertyReport) -> bool {
    matches!(report.verdict, Verdict::Unknown(Reason::Stopped(Stop::Memory)))
}

/// A function that runs searches in products.
type ProductsRun<'r> = dyn FnMut(&[&dyn System]) -> Result<RunTotals, CheckError> + 'r;

/// Builds the products with the claims of these properties, in nested calls, and calls `run` with
/// all of them.
fn with_products(
    context: &CheckContext<'_>,
    claims: &[usize],
    built: &[&dyn System],
    run: &mut ProductsRun<'_>,
) -> Result<RunTotals, CheckError> {
    let [next, rest @ ..] = claims else { return run(built) };
    let property = &context.properties[*next];
    let mut outcome = None;
    let options = ProductOptions::default();
    let product = context.system.with_product(property, options, &mut |product| {
        let all: Vec<&dyn System> = built.iter().copied().chain([product]).collect();
        outcome = Some(with_products(context, rest, &all, run));
    });
    product.expect("the claim was looked at before");
    outcome.expect("a product runs what it is given")
}

/// Runs a portfolio of searches for each state space, and reports on their properties.
fn run_portfolios(
    context: &CheckContext<'_>,
    numbers: &PropertyNumbers,
    products: &[&dyn System],
    observer: &mut dyn Observer,
    reports: &mut [Option<PropertyReport>],
) -> Result<RunTotals, CheckError> {
    let &CheckContext { properties, system, plan, .. } = context;
    let memory = Shares::of(plan, 1 + products.len(), numbers.cyclic.len());
    let reducing = reducing_for_proof(system, &context.targets(), plan)?;
    let mut portfolios = Vec::new();
    let safety: Vec<_> = numbers
        .safety
        .iter()
        .filter_map(|&number| {
            let target = system.target(&properties[number])?;
            let task = Task { system, target, all: false };
            Some(PropertyRun::new(number, &properties[number], task))
        })
        .collect();
    if !safety.is_empty() {
        portfolios.push(SpacePortfolio::new(safety, reducing.as_ref(), plan, memory.portfolio));
    }
    for (&number, &product) in numbers.claims.iter().zip(products) {
        let run = PropertyRun::new(number, &properties[number], claim_task(product));
        portfolios.push(SpacePortfolio::new(vec![run], None, plan, memory.portfolio));
    }
    let cycle_stats = Stats::default();
    let mut run =
        Run { portfolios, cycle_stats, stopped: None, peak_bytes: 0, is_shortening: false };
    let cycle_plan = Plan { bytes: memory.cycles, ..plan.clone() };
    let checked = thread::scope(|scope| {
        let deadline = observer.deadline();
        let cyclic = &numbers.cyclic;
        let cycles = CycleChecks::start(scope, cyclic, properties, system, &cycle_plan, deadline);
        // Sets of states know no depth.
        let is_wanted = plan.search.auto_config().sets && plan.depth.is_none();
        let has_proof = is_wanted && !numbers.safety.is_empty();
        let symbolic_proof = has_proof.then(|| {
            let target = |&number: &usize| system.target(&properties[number]);
            let targets = numbers.safety.iter().filter_map(target).collect();
            let bytes = memory.portfolio / SHARE_OF_SETS;
            let limits = SymbolicLimits { bytes, deadline, may_overlap: plan.auto.jobs > 1 };
            SymbolicProof::start(scope, system, targets, limits)
        });
        let mut waiting = WaitingThreads { cycles, symbolic_proof };
        let turns = run.check(&mut waiting, plan.auto.jobs, observer);
        let stop = run.stopped.unwrap_or(Stop::Interrupted);
        let checked = waiting.cycles.finish(stop, observer);
        turns.and(checked)
    })?;
    let (stats, store) = (run.stats(), run.store());
    // A short run is over before it is polled.
    let peak_bytes = run.peak_bytes.max(stats.store_bytes);
    let mut totals = RunTotals { stats, store, peak_bytes, stopped: run.stopped };
    for (number, settled) in checked {
        totals.add(&settled);
        reports[number] = Some(cycle_report(settled, &properties[number]));
    }
    for mut portfolio in run.portfolios {
        portfolio.finish();
        for PropertyOutcome { number, verdict, by, nearest } in portfolio.settle(run.stopped) {
            let claim = numbers.claims.iter().position(|&claim| claim == number);
            let claim = claim.and_then(|at| products[at].product_claim());
            let remarks = match (&verdict, claim) {
                (Verdict::Holds, Some(claim)) => claim.vacuity(),
                _ => Vec::new(),
            };
            let report = PropertyReport::new(&properties[number], verdict);
            reports[number] = Some(PropertyReport { by, nearest, remarks, ..report });
        }
    }
    Ok(totals)
}

/// Threads that wait for their turns.
struct WaitingThreads<'a> {
    /// The checks of properties about cycles.
    cycles: CycleChecks<'a>,
    /// The proof on sets of states, for the first portfolio.
    symbolic_proof: Option<SymbolicProof>,
}

/// The portfolios of all state spaces.
struct Run<'a> {
    portfolios: Vec<SpacePortfolio<'a>>,
    /// What the checks of cycles have done.
    cycle_stats: Stats,
    stopped: Option<Stop>,
    peak_bytes: u64,
    /// Whether no property is open, so that trails are shortened only.
    is_shortening: bool,
}

impl<'a> Run<'a> {
    fn stats(&self) -> Stats {
        let mut all = Stats::default();
        self.portfolios.iter().for_each(|portfolio| all.add(&portfolio.stats()));
        all
    }

    /// The work of all searches that have no thread of their own.
    fn work_here(&self) -> u64 {
        self.portfolios.iter().map(SpacePortfolio::work_beside_proof).sum()
    }

    fn store(&self) -> Store {
        self.portfolios.first().map_or(Store::Exact, SpacePortfolio::store)
    }

    fn is_over(&self) -> bool {
        self.portfolios.iter().all(SpacePortfolio::is_over)
    }

    /// Announces the last part of the second phase, after which only trails become shorter.
    fn announce_shortening(&mut self, observer: &mut dyn Observer) {
        if !self.is_shortening && !self.portfolios.iter().any(SpacePortfolio::is_open) {
            self.is_shortening = true;
            observer.on_event(&Event::Phase("shortening of trails"));
        }
    }

    /// Passes notices on to the observer, and polls it.
    fn poll(&mut self, observer: &mut dyn Observer) {
        let bytes: usize = self.portfolios.iter().map(SpacePortfolio::bytes).sum();
        self.peak_bytes = self.peak_bytes.max(bytes as u64);
        for portfolio in &mut self.portfolios {
            portfolio.news().iter().for_each(|news| observer.on_event(&Event::Notice(news)));
        }
        let mut stats = Stats { store_bytes: bytes as u64, ..self.stats() };
        stats.add(&self.cycle_stats);
        if let ControlFlow::Break(stop) = observer.poll(&stats) {
            self.stopped = Some(stop);
        }
    }

    /// Settles the properties: at first each state space has a sprint of breadth-first search and
    /// each property about cycles a sprint of its own; then all of them take turns.
    fn check(
        &mut self,
        waiting: &mut WaitingThreads<'_>,
        jobs: usize,
        observer: &mut dyn Observer,
    ) -> Result<(), CheckError> {
        self.sprint(observer)?;
        self.check_cycles(&mut waiting.cycles, SPRINT, observer);
        if self.stopped.is_none() && !self.is_over() {
            return self.go_on(waiting, jobs, observer);
        }
        while self.stopped.is_none() && !waiting.cycles.is_over() {
            self.check_cycles(&mut waiting.cycles, TURN, observer);
        }
        Ok(())
    }

    /// Whether the trail of some violation is shortened.
    fn is_shortening_any(&self) -> bool {
        self.portfolios.iter().any(SpacePortfolio::is_shortening)
    }

    /// Gives each search beside the proofs a turn, and the proof on sets of states.
    fn take_turns(
        &mut self,
        waiting: &mut WaitingThreads<'_>,
        observer: &mut dyn Observer,
    ) -> Result<(), CheckError> {
        for portfolio in &mut self.portfolios {
            portfolio.take_turns(TURN, observer)?;
        }
        match (self.portfolios.first_mut(), &mut waiting.symbolic_proof) {
            (Some(first), Some(proof)) => first.prove_on_sets(proof, TURN, observer),
            _ => Ok(()),
        }
    }

    /// Gives each check of a property about cycles a turn.
    fn check_cycles(
        &mut self,
        cycles: &mut CycleChecks<'_>,
        turn: u64,
        observer: &mut dyn Observer,
    ) {
        if self.stopped.is_none()
            && let ControlFlow::Break(stop) = cycles.take_turns(turn, &self.stats(), observer)
        {
            self.stopped = Some(stop);
        }
        self.cycle_stats = cycles.stats();
    }

    /// The first phase: breadth-first search in each state space.
    fn sprint(&mut self, observer: &mut dyn Observer) -> Result<(), CheckError> {
        observer.on_event(&Event::Phase("breadth-first search"));
        for at in 0..self.portfolios.len() {
            while self.stopped.is_none() && self.portfolios[at].sprints(SPRINT) {
                self.portfolios[at].sprint(TURN, observer)?;
                self.poll(observer);
            }
            if self.stopped.is_none() {
                self.portfolios[at].end_sprint(observer)?;
            }
        }
        Ok(())
    }

    /// Starts all searches beside the proofs.
    fn start_searches(&mut self) -> Result<(), CheckError> {
        self.portfolios.iter_mut().try_for_each(SpacePortfolio::start_searches)
    }

    /// Starts threads for the proofs, or takes notice of what they did.
    fn advance_proofs<'scope>(
        &mut self,
        threads: &mut ProofThreads<'scope, '_, 'a>,
        observer: &mut dyn Observer,
    ) -> Result<(), CheckError>
    where
        'a: 'scope,
    {
        let mut portfolios = self.portfolios.iter_mut().enumerate();
        portfolios.try_for_each(|(at, portfolio)| threads.advance_proof(at, portfolio, observer))
    }

    /// The second phase: the proofs, the searches for violations and the checks of cycles, in turns.
    fn go_on(
        &mut self,
        waiting: &mut WaitingThreads<'_>,
        jobs: usize,
        observer: &mut dyn Observer,
    ) -> Result<(), CheckError> {
        observer.on_event(&Event::Phase("proof and directed searches"));
        if jobs < 2 {
            self.start_searches()?;
            while self.stopped.is_none() && !(self.is_over() && waiting.cycles.is_over()) {
                for portfolio in &mut self.portfolios {
                    portfolio.prove(2 * TURN, observer)?;
                }
                self.take_turns(waiting, observer)?;
                self.check_cycles(&mut waiting.cycles, 2 * TURN, observer);
                self.announce_shortening(observer);
                self.poll(observer);
            }
            return Ok(());
        }
        thread::scope(|scope| {
            let mut threads = ProofThreads::new(scope, jobs - 1, self.portfolios.len());
            let mut pace = Pace::default();
            // The proofs go on while the heuristics of the other searches are built.
            let started = self.advance_proofs(&mut threads, observer);
            let proved = threads.work();
            let started = started.and_then(|()| self.start_searches());
            pace.record(proved, threads.work());
            let result = loop {
                if started.is_err() {
                    break started;
                }
                let before = self.work_here();
                let mut turns = self.advance_proofs(&mut threads, observer);
                let proved = threads.work();
                if threads.is_idle() || self.is_shortening_any() || pace.may_go_on(proved) {
                    turns = turns.and_then(|()| self.take_turns(waiting, observer));
                    pace.record(proved, threads.work());
                }
                if waiting.symbolic_proof.as_ref().is_some_and(SymbolicProof::is_preparing) {
                    pace.record(proved, threads.work());
                }
                if waiting.cycles.is_over() && before == self.work_here() {
                    // Nothing to do but to wait for the proofs.
                    thread::sleep(PAUSE);
                }
                self.check_cycles(&mut waiting.cycles, 2 * TURN, observer);
                self.announce_shortening(observer);
                self.poll(observer);
                let is_over = self.is_over() && waiting.cycles.is_over();
                if turns.is_err() || self.stopped.is_some() || is_over {
                    break turns;
                }
            };
            for (at, portfolio) in self.portfolios.iter_mut().enumerate() {
                threads.join_proof(at, portfolio);
            }
            result
        })
    }
}
