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

mod case;
mod foresight;
mod ground;
mod proof;
mod shortcut;
mod sieve;
mod threads;
mod work;

use std::ops::ControlFlow;
use std::thread;

use beeline_engine::claim::Product;
use beeline_kernel::Stop;
use beeline_search::{ExactStore, Stats};

use crate::check::{Answer, CheckError, CheckReport, Checked, Scene};
use crate::claims::{System, check_that, claim_of, claim_task, counts_steps, vacuity};
use crate::directed::{Settled, Task};
use crate::reduction::reducing_for_proof;
use crate::stores::Store;
use crate::watch::{News, Watch};

use case::Case;
use ground::{Ground, Settlement};
use threads::Threads;

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
pub struct Course {
    /// What heuristics look at.
    pub estimates: Estimates,
    /// When they begin.
    pub hunts: Hunts,
}

impl Course {
    /// What it does when nobody says anything.
    pub const USUAL: Course = Course { estimates: Estimates::Whole, hunts: Hunts::Early };
}

/// When the directed searches of the automatic strategy begin.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Hunts {
    /// As soon as breadth-first search has not settled a very small model.
    Early,
    /// When breadth-first search has had its time.
    Late,
}

/// How much of the system the heuristics of the automatic strategy look at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Estimates {
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
    scene: &Scene<'_>,
    watch: &mut dyn Watch,
) -> Result<CheckReport, CheckError> {
    let &Scene { properties, ref watched, machine, space, plan, .. } = scene;
    let mut checked: Vec<Option<Checked>> = vec![None; properties.len()];
    let unknown = |property, why: String| Some(Checked::new(property, Answer::Unknown(why)));
    let mut cases = Vec::new();
    let (mut claims, mut cyclic) = (Vec::new(), Vec::new());
    for (number, property) in properties.iter().enumerate() {
        if let Some(target) = watched.target(property) {
            let task = Task { machine, space, target, goal: watched.goal(property), all: false };
            cases.push(Case { number, property, task, found: None, holds: false });
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
    let targets: Vec<_> = cases.iter().map(|case| case.task.target).collect();
    let reducing = reducing_for_proof(machine, &targets, plan)?;
    let mut grounds = Vec::new();
    if !cases.is_empty() {
        grounds.push(Ground::new(space, cases, reducing.as_ref(), plan, share));
    }
    for ((number, machine), product) in claims.iter().zip(&products) {
        let task = claim_task(machine, product);
        let case = Case {
            number: *number,
            property: &properties[*number],
            task,
            found: None,
            holds: false,
        };
        grounds.push(Ground::new(product, vec![case], None, plan, share));
    }
    let mut run = Run { grounds, stopped: None, peak_bytes: 0 };
    run.sprint(watch)?;
    if run.stopped.is_none() && !run.is_over() {
        run.go_on(plan.auto.jobs, watch)?;
    }
    let (mut stats, store) = (run.stats(), run.store());
    let mut peak_bytes = run.peak_bytes;
    let stopped = run.stopped;
    for mut ground in run.grounds {
        ground.finish();
        for Settlement { number, answer, by, nearest } in ground.settle(run.stopped) {
            let mut watching = claims.iter().zip(&products);
            let claimed = watching.find(|((claimed, _), _)| *claimed == number);
            let remarks = match (&answer, claimed) {
                (Answer::Holds, Some(((_, machine), product))) => vacuity(machine, product),
                _ => Vec::new(),
            };
            let answered = Checked::new(&properties[number], answer);
            checked[number] = Some(Checked { by, nearest, remarks, ..answered });
        }
    }
    for (number, claim) in cyclic {
        let property = &properties[number];
        if let Some(stop) = stopped {
            checked[number] = unknown(property, stop.to_string());
            continue;
        }
        let settled = check_that::<ExactStore>(machine, claim, property, plan, watch)?;
        stats.add(&settled.stats);
        peak_bytes = peak_bytes.max(settled.peak_bytes);
        let Settled { answer, by, remarks, .. } = settled;
        checked[number] = Some(Checked { by, remarks, ..Checked::new(property, answer) });
    }
    let all = checked.into_iter();
    let properties = all.map(|one| one.expect("each property has a case or an answer")).collect();
    Ok(CheckReport { properties, stats, peak_bytes, store, ..CheckReport::default() })
}

/// All that is under way.
struct Run<'a> {
    grounds: Vec<Ground<'a>>,
    stopped: Option<Stop>,
    peak_bytes: u64,
}

impl<'a> Run<'a> {
    fn stats(&self) -> Stats {
        let mut all = Stats::default();
        self.grounds.iter().for_each(|ground| all.add(&ground.stats()));
        all
    }

    fn store(&self) -> Store {
        self.grounds.first().map_or(Store::Exact, Ground::store)
    }

    fn is_over(&self) -> bool {
        self.grounds.iter().all(Ground::is_over)
    }

    /// Lets the watch have a look.
    fn look(&mut self, watch: &mut dyn Watch) {
        let bytes: usize = self.grounds.iter().map(Ground::bytes).sum();
        self.peak_bytes = self.peak_bytes.max(bytes as u64);
        for ground in &mut self.grounds {
            ground.news().iter().for_each(|news| watch.hear(&News::Change(news)));
        }
        let stats = Stats { store_bytes: bytes as u64, ..self.stats() };
        if let ControlFlow::Break(stop) = watch.look(&stats) {
            self.stopped = Some(stop);
        }
    }

    /// Breadth-first search, for as long as it might settle everything at once.
    fn sprint(&mut self, watch: &mut dyn Watch) -> Result<(), CheckError> {
        for at in 0..self.grounds.len() {
            while self.stopped.is_none() && self.grounds[at].sprints(SPRINT) {
                self.grounds[at].sprint(TURN, watch)?;
                self.look(watch);
            }
            if self.stopped.is_none() {
                self.grounds[at].end_sprint(watch)?;
            }
        }
        Ok(())
    }

    /// The proof and the searches side by side.
    fn go_on(&mut self, jobs: usize, watch: &mut dyn Watch) -> Result<(), CheckError> {
        for ground in &mut self.grounds {
            ground.set_out()?;
        }
        if jobs < 2 {
            while self.stopped.is_none() && !self.is_over() {
                for ground in &mut self.grounds {
                    ground.prove(2 * TURN, watch)?;
                    ground.take_turns(TURN, watch)?;
                }
                self.look(watch);
            }
            return Ok(());
        }
        thread::scope(|scope| {
            let mut threads = Threads::new(scope, jobs - 1);
            let result = loop {
                let turns = self.grounds.iter_mut().enumerate().try_for_each(|(at, ground)| {
                    threads.keep_busy(at, ground, watch)?;
                    ground.take_turns(TURN, watch)
                });
                self.look(watch);
                if turns.is_err() || self.stopped.is_some() || self.is_over() {
                    break turns;
                }
            };
            for (at, ground) in self.grounds.iter_mut().enumerate() {
                threads.call_back(at, ground);
            }
            result
        })
    }
}
