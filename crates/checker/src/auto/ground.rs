//! The properties that are about the same state space: one proof for all of them, and the
//! searches for violations beside it.

mod hunt;
mod proving;
mod settlement;
mod sifting;
mod wander;

use beeline_kernel::Space;
use beeline_search::{Finding, FindingKind, Omissions, Outcome, Search, Stats};

use super::Course;
use super::case::{Allowance, Bound, Case, Shortening, Sighting};
use super::proof::Proof;
use super::shortcut::Shortcut;
use super::sieve::Sieve;
use super::work::work;
use crate::check::CheckError;
use crate::nearest::Nearest;
use crate::reduction::Reducing;
use crate::run::Plan;
use crate::searches::Way;
use crate::stores::Store;
use crate::watch::Watch;

use hunt::Hunt;
pub(super) use settlement::Settlement;
use wander::Wander;

/// For a shorter trail at least so much is done, and at most so much; between them, so
/// many times what it took to find the error.
const LEAST_SHORTENING: u64 = 200_000_000;
const MOST_SHORTENING: u64 = 1_000_000_000;
const SHORTENING: u64 = 10;

/// The proof of a reduced space does so much less than a search in its turn, until it is in front: a
/// state takes several times as long there.
const SHORTCUT: u64 = 10;
/// Where there is no proof any more, hunts and the walk end when so many times as much was done
/// as before, and the search with bits when so many times as much was: its array has room for
/// more states than the compact store by about that.
const HUNTING: u64 = 2;
const SIFTING: u64 = 16;
/// What breadth-first search does before hunts begin, where these begin early: some
/// milliseconds.
const ALONE: u64 = 400_000;

/// A state space with what goes on in it.
pub(super) struct Ground<'a> {
    space: &'a dyn Space,
    cases: Vec<Case<'a>>,
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
    has_set_out: bool,
    /// The whole system was looked at.
    has_looked_ahead: bool,
    hunts: Vec<Hunt<'a>>,
    wander: Option<Wander<'a>>,
    /// How its space can be reduced, if it can, and the proof that makes use of it.
    reducing: Option<&'a Reducing<'a>>,
    shortcut: Option<Shortcut<'a>>,
    /// What goes on where the proof had to end.
    sieve: Option<Sieve<'a>>,
    /// What it has probably overlooked, if it came to its end.
    overlooked: Option<Omissions>,
    /// By case, how near a search came.
    nearest: Vec<Option<Nearest>>,
    /// What was done by searches that are over.
    past: Stats,
    /// Where there is no proof any more: what may be done until all of it ends.
    patience: Option<u64>,
    /// The model fails before its first step.
    is_stillborn: bool,
    /// No step can fail, so that nothing is hidden behind one.
    is_faultless: bool,
    news: Vec<String>,
}

impl<'a> Ground<'a> {
    pub(super) fn new(
        space: &'a dyn Space,
        cases: Vec<Case<'a>>,
        reducing: Option<&'a Reducing<'a>>,
        plan: &'a Plan,
        bytes: usize,
    ) -> Ground<'a> {
        let proof = Proof::begin(space, plan, bytes / 2).ok();
        let nearest = vec![None; cases.len()];
        Ground {
            space,
            cases,
            plan,
            bytes,
            is_stillborn: proof.is_none(),
            proof,
            proof_stats: Stats::default(),
            proof_bytes: 0,
            judged: 0,
            store: Store::Exact,
            ended: None,
            is_sprinting: true,
            has_set_out: false,
            has_looked_ahead: false,
            hunts: Vec::new(),
            wander: None,
            reducing,
            shortcut: None,
            sieve: None,
            overlooked: None,
            nearest,
            past: Stats::default(),
            patience: None,
            is_faultless: false,
            news: Vec::new(),
        }
    }

    /// Whether nothing more can be found out.
    pub(super) fn is_over(&self) -> bool {
        let is_busy = self.is_shortening() || self.is_waiting();
        self.is_stillborn || (!self.is_open() || self.is_exhausted()) && !is_busy
    }

    /// Whether some property has no answer.
    fn is_open(&self) -> bool {
        let complete = matches!(self.ended, Some((Outcome::Complete, _)));
        !complete && self.cases.iter().any(Case::is_open)
    }

    /// Whether there is nobody left who could find one.
    fn is_exhausted(&self) -> bool {
        let has_hunters = !self.hunts.is_empty() || self.wander.is_some() || self.sieve.is_some();
        self.ended.is_some() && !has_hunters && self.shortcut.is_none()
    }

    /// Whether breadth-first search may still meet what a hunt has found.
    fn is_waiting(&self) -> bool {
        self.cases.iter().any(Case::is_waiting)
    }

    fn is_shortening(&self) -> bool {
        let mut found = self.cases.iter().filter_map(|case| case.found.as_ref());
        found.any(|found| found.is_shortening())
    }

    /// Whether breadth-first search alone may settle it soon.
    pub(super) fn sprints(&self, most: u64) -> bool {
        self.wants_proof() && work(&self.proof_stats) < most
    }

    /// Goes on with breadth-first search, in turns that become longer, and with the hunts that
    /// begin early.
    pub(super) fn sprint(&mut self, turn: u64, watch: &mut dyn Watch) -> Result<(), CheckError> {
        let more = (work(&self.proof_stats) / 2).clamp(ALONE, turn);
        self.prove(more, watch)?;
        self.hunt_early(watch)
    }

    /// Breadth-first search has had its time.
    pub(super) fn end_sprint(&mut self, watch: &mut dyn Watch) -> Result<(), CheckError> {
        self.is_sprinting = false;
        let allowance = self.allowance();
        for case in self.cases.iter_mut().filter(|case| case.is_waiting()) {
            case.stop_waiting(Some(allowance), self.plan, watch)?;
        }
        Ok(())
    }

    /// Begins all that goes on beside the proof.
    pub(super) fn set_out(&mut self) -> Result<(), CheckError> {
        if !self.is_open() || self.is_stillborn {
            return Ok(());
        }
        self.begin_hunts()?;
        self.look_ahead();
        self.wander = self.wanderer(self.plan.auto.seed);
        let reducing = self.reducing;
        self.shortcut =
            reducing.and_then(|reducing| Shortcut::begin(self.space, reducing, self.plan));
        Ok(())
    }

    /// Gives each search its turn, but for the proof.
    pub(super) fn take_turns(
        &mut self,
        turn: u64,
        watch: &mut dyn Watch,
    ) -> Result<(), CheckError> {
        if self.is_open() {
            self.hunt(|hunt| hunt.share(turn), watch)?;
            self.roam(turn, watch)?;
            let is_alone = self.shortcut_leads() || self.ended.is_some();
            self.cut_short(if is_alone { 2 * turn } else { turn / SHORTCUT }, watch)?;
            self.sift(turn, watch)?;
        } else {
            self.rest();
            self.end_sifting();
        }
        for case in &mut self.cases {
            case.shorten(turn, self.plan, watch)?;
        }
        if let Some(patience) = self.patience {
            let done = work(&self.stats());
            if done > HUNTING * patience {
                self.rest();
            }
            if done > SIFTING * patience {
                self.end_sifting();
            }
        }
        Ok(())
    }

    /// Ends all searches for violations.
    fn rest(&mut self) {
        for hunt in std::mem::take(&mut self.hunts) {
            self.past.add(&hunt.search.stats());
            self.remember(&hunt);
        }
        if let Some(wander) = self.wander.take() {
            self.past.add(&wander.search.stats());
        }
        if let Some(shortcut) = self.shortcut.take() {
            self.past.add(&shortcut.stats());
        }
    }

    fn open_cases_of(&self, kind: FindingKind) -> Vec<usize> {
        self.cases_of(kind, Case::is_open)
    }

    /// Those that such a finding violates, and that are like this.
    fn cases_of(&self, kind: FindingKind, is_one: impl Fn(&Case<'a>) -> bool) -> Vec<usize> {
        let cases = self.cases.iter().enumerate();
        let those = cases.filter(|(_, case)| is_one(case) && case.task.target.includes(kind));
        those.map(|(at, _)| at).collect()
    }

    fn violate(
        &mut self,
        case: usize,
        sighting: Sighting<'_>,
        watch: &mut dyn Watch,
    ) -> Result<(), CheckError> {
        let shortening = match sighting.bound {
            _ if !self.plan.auto.shorten => Shortening::No,
            Bound::Steps(_) if self.is_sprinting => Shortening::Later,
            _ => Shortening::Now(self.allowance()),
        };
        self.cases[case].violate(sighting, shortening, self.plan, watch)?;
        self.end_hunts_of(case);
        Ok(())
    }

    /// What may be used up for a shorter trail from now on: a quarter of the memory for all of
    /// them, a quarter for all hunts, and half for the proof.
    fn allowance(&self) -> Allowance {
        let done = work(&self.stats());
        let work = (SHORTENING * done).clamp(LEAST_SHORTENING, MOST_SHORTENING);
        Allowance { work, bytes: self.bytes / (4 * self.cases.len()) }
    }

    /// How it was told to go about it.
    fn course(&self) -> Course {
        match self.plan.search.way {
            Way::Auto(course) => course,
            _ => Course::USUAL,
        }
    }

    /// Memory for a search beside the proof.
    fn share(&self) -> usize {
        self.bytes / (4 * (self.hunts.len() + 1))
    }

    pub(super) fn stats(&self) -> Stats {
        let mut all = self.proof_stats;
        all.add(&self.past);
        self.hunts.iter().for_each(|hunt| all.add(&hunt.search.stats()));
        self.wander.iter().for_each(|wander| all.add(&wander.search.stats()));
        self.shortcut.iter().for_each(|shortcut| all.add(&shortcut.stats()));
        self.sieve.iter().for_each(|sieve| all.add(&sieve.stats()));
        let found = self.cases.iter().filter_map(|case| case.found.as_ref());
        found.for_each(|found| all.add(&found.stats));
        all
    }

    pub(super) fn bytes(&self) -> usize {
        let hunts: usize = self.hunts.iter().map(|hunt| hunt.search.bytes()).sum();
        let wander = self.wander.as_ref().map_or(0, |wander| wander.search.bytes());
        let found = self.cases.iter().filter_map(|case| case.found.as_ref());
        let shortcut = self.shortcut.as_ref().map_or(0, Shortcut::bytes);
        let sieve = self.sieve.as_ref().map_or(0, Sieve::bytes);
        let proofs = self.proof_bytes + shortcut + sieve;
        proofs + hunts + wander + found.map(|found| found.bytes()).sum::<usize>()
    }

    pub(super) fn store(&self) -> Store {
        self.store
    }

    /// What is new since the last time.
    pub(super) fn news(&mut self) -> Vec<String> {
        std::mem::take(&mut self.news)
    }
}
