//! The automatic strategy: what `check` does when nobody says how.
//!
//! A sprint of breadth-first search settles small models, with a proof or a trail of the
//! fewest moves. Where it does not, it goes on as the exhaustive proof, and beside it run
//! searches for violations: greedy best-first with the usual heuristic for each property
//! that is open, and depth-first in random order, for all of them, against heuristics that
//! mislead. Each violation is confirmed and told at once; then its trail is shortened,
//! while other properties go on. `docs/book/auto.md` tells it at length, with measurements.
//!
//! When there is no room for the states any more, a search with bits of them takes the place of
//! the proof, and the verdict is *unknown* unless it finds something.
//!
//! Promises: *holds* only when every reachable state was explored, or when a relaxation that
//! allows more than the model does has no violation either; what is found does not
//! depend on the speed of the machine, unless the proof has a thread of its own.

mod bitstate_fallback;
mod portfolio;
mod proof;
mod property_run;
mod reduced_proof;
mod relaxed_proof;
mod threads;
mod work;

use std::ops::ControlFlow;
use std::thread;

use beeline_engine::claim::Product;
use beeline_kernel::Stop;
use beeline_search::{ExactStore, Stats};

use crate::check::{CheckContext, CheckError, CheckReport, PropertyReport, Verdict};
use crate::claims::{System, check_given_claim, claim_of, claim_task, counts_steps, vacuity};
use crate::directed::{SearchReport, Task};
use crate::observer::{Event, Observer};
use crate::reduction::reducing_for_proof;
use crate::stores::Store;

use portfolio::{PropertyOutcome, SpacePortfolio};
use property_run::PropertyRun;
use threads::ProofThreads;

/// What the automatic strategy leaves to its user.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AutoOptions {
    /// Of what is random.
    pub seed: u64,
    /// Threads. With one, everything takes turns, in the same order in every run.
    pub jobs: usize,
    /// Whether trails are shortened.
    pub shorten: bool,
}

impl Default for AutoOptions {
    fn default() -> AutoOptions {
        AutoOptions { seed: 1, jobs: 1, shorten: true }
    }
}

/// What the automatic strategy does, where it can be told.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AutoConfig {
    /// What heuristics look at.
    pub scope: HeuristicScope,
    /// When they begin.
    pub greedy_start: GreedyStart,
}

impl AutoConfig {
    /// What it does when nobody says anything.
    pub const DEFAULT: AutoConfig =
        AutoConfig { scope: HeuristicScope::Whole, greedy_start: GreedyStart::Early };
}

/// When the directed searches of the automatic strategy begin.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GreedyStart {
    /// As soon as breadth-first search has not settled a very small model.
    Early,
    /// When breadth-first search has had its time.
    Late,
}

/// How much of the system the heuristics of the automatic strategy look at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HeuristicScope {
    /// At all of it, where that is worth its time.
    Whole,
    /// At one process, or one formula, at a time.
    Local,
}

/// How far breadth-first search goes before anything else is tried: a third of a second.
const SPRINT: u64 = 40_000_000;
/// A turn: some hundredths of a second.
const TURN: u64 = 2_000_000;

/// Settles all properties.
pub(crate) fn check_auto(
    context: &CheckContext<'_>,
    observer: &mut dyn Observer,
) -> Result<CheckReport, CheckError> {
    let &CheckContext { properties, ref property_targets, machine, space, plan, .. } = context;
    let mut checked: Vec<Option<PropertyReport>> = vec![None; properties.len()];
    let unknown =
        |property, why: String| Some(PropertyReport::new(property, Verdict::Unknown(why)));
    let mut property_runs = Vec::new();
    let (mut claims, mut cyclic) = (Vec::new(), Vec::new());
    for (number, property) in properties.iter().enumerate() {
        if let Some(target) = property_targets.target(property) {
            let task =
                Task { machine, space, target, goal: property_targets.goal(property), all: false };
            property_runs.push(PropertyRun { number, property, task, found: None, holds: false });
        } else {
            match claim_of(machine, property) {
                // What counts steps has automata of its own.
                Ok(claim) if claim.is_about_cycles() || counts_steps(machine, &claim) => {
                    cyclic.push((number, claim));
                }
                Ok(claim) => claims.push((number, machine.clone().watched_by(claim))),
                Err(why) => checked[number] = unknown(property, why),
            }
        }
    }
    let bytes = plan.bytes.unwrap_or(usize::MAX);
    let share = bytes / (1 + claims.len());
    let systems: Vec<_> = claims.iter().map(|(_, machine)| System::new(machine, plan)).collect();
    let watched = claims.iter().zip(&systems);
    let products: Vec<Product<'_>> =
        watched.map(|((_, machine), system)| system.product(machine)).collect();
    let targets: Vec<_> =
        property_runs.iter().map(|property_run| property_run.task.target).collect();
    let reducing = reducing_for_proof(machine, &targets, plan)?;
    let mut portfolios = Vec::new();
    if !property_runs.is_empty() {
        portfolios.push(SpacePortfolio::new(space, property_runs, reducing.as_ref(), plan, share));
    }
    for ((number, machine), product) in claims.iter().zip(&products) {
        let task = claim_task(machine, product);
        let property_run = PropertyRun {
            number: *number,
            property: &properties[*number],
            task,
            found: None,
            holds: false,
        };
        portfolios.push(SpacePortfolio::new(product, vec![property_run], None, plan, share));
    }
    let mut run = Run { portfolios, stopped: None, peak_bytes: 0 };
    run.sprint(observer)?;
    if run.stopped.is_none() && !run.is_over() {
        run.go_on(plan.auto.jobs, observer)?;
    }
    let (mut stats, store) = (run.stats(), run.store());
    let mut peak_bytes = run.peak_bytes;
    let stopped = run.stopped;
    for mut portfolio in run.portfolios {
        portfolio.finish();
        for PropertyOutcome { number, verdict, by, nearest } in portfolio.settle(run.stopped) {
            let mut watching = claims.iter().zip(&products);
            let claimed = watching.find(|((claimed, _), _)| *claimed == number);
            let remarks = match (&verdict, claimed) {
                (Verdict::Holds, Some(((_, machine), product))) => vacuity(machine, product),
                _ => Vec::new(),
            };
            let answered = PropertyReport::new(&properties[number], verdict);
            checked[number] = Some(PropertyReport { by, nearest, remarks, ..answered });
        }
    }
    for (number, claim) in cyclic {
        let property = &properties[number];
        if let Some(stop) = stopped {
            checked[number] = unknown(property, stop.to_string());
            continue;
        }
        let settled = check_given_claim::<ExactStore>(machine, claim, property, plan, observer)?;
        stats.add(&settled.stats);
        peak_bytes = peak_bytes.max(settled.peak_bytes);
        let SearchReport { verdict, by, remarks, .. } = settled;
        checked[number] =
            Some(PropertyReport { by, remarks, ..PropertyReport::new(property, verdict) });
    }
    let all = checked.into_iter();
    let properties = all.map(|one| one.expect("each property has a case or an answer")).collect();
    Ok(CheckReport { properties, stats, peak_bytes, store, ..CheckReport::default() })
}

/// All that is under way.
struct Run<'a> {
    portfolios: Vec<SpacePortfolio<'a>>,
    stopped: Option<Stop>,
    peak_bytes: u64,
}

impl<'a> Run<'a> {
    fn stats(&self) -> Stats {
        let mut all = Stats::default();
        self.portfolios.iter().for_each(|portfolio| all.add(&portfolio.stats()));
        all
    }

    fn store(&self) -> Store {
        self.portfolios.first().map_or(Store::Exact, SpacePortfolio::store)
    }

    fn is_over(&self) -> bool {
        self.portfolios.iter().all(SpacePortfolio::is_over)
    }

    /// Lets the watch have a look.
    fn poll(&mut self, observer: &mut dyn Observer) {
        let bytes: usize = self.portfolios.iter().map(SpacePortfolio::bytes).sum();
        self.peak_bytes = self.peak_bytes.max(bytes as u64);
        for portfolio in &mut self.portfolios {
            portfolio.news().iter().for_each(|news| observer.on_event(&Event::Notice(news)));
        }
        let stats = Stats { store_bytes: bytes as u64, ..self.stats() };
        if let ControlFlow::Break(stop) = observer.poll(&stats) {
            self.stopped = Some(stop);
        }
    }

    /// Breadth-first search, for as long as it might settle everything at once.
    fn sprint(&mut self, observer: &mut dyn Observer) -> Result<(), CheckError> {
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

    /// The proof and the searches side by side.
    fn go_on(&mut self, jobs: usize, observer: &mut dyn Observer) -> Result<(), CheckError> {
        for portfolio in &mut self.portfolios {
            portfolio.start_searches()?;
        }
        if jobs < 2 {
            while self.stopped.is_none() && !self.is_over() {
                for portfolio in &mut self.portfolios {
                    portfolio.prove(2 * TURN, observer)?;
                    portfolio.take_turns(TURN, observer)?;
                }
                self.poll(observer);
            }
            return Ok(());
        }
        thread::scope(|scope| {
            let mut threads = ProofThreads::new(scope, jobs - 1);
            let result = loop {
                let turns =
                    self.portfolios.iter_mut().enumerate().try_for_each(|(at, portfolio)| {
                        threads.advance_proof(at, portfolio, observer)?;
                        portfolio.take_turns(TURN, observer)
                    });
                self.poll(observer);
                if turns.is_err() || self.stopped.is_some() || self.is_over() {
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
