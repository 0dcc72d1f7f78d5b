//! The properties that are about the same state space: one proof for all of them, and the
//! searches for violations beside it.

use beeline_kernel::{Space, Stop};
use beeline_search::{
    BestFirst, ExactStore, Exploration, Finding, Method, Options, Order, Outcome, Quest, Search,
    Stats, Until,
};

use super::case::{Allowance, Bound, Case, Sighting};
use super::proof::Proof;
use super::shortcut::Shortcut;
use super::work::{advance, work};
use crate::check::{Answer, CheckError, without_violation};
use crate::directed::{Settled, heuristic};
use crate::nearest::Nearest;
use crate::reduction::Reducing;
use crate::run::Plan;
use crate::stores::Store;
use crate::watch::Watch;

/// For a shorter trail at least so much is done, and at most so much; between them, so
/// many times what it took to find the error.
const LEAST_SHORTENING: u64 = 200_000_000;
const MOST_SHORTENING: u64 = 1_000_000_000;
const SHORTENING: u64 = 10;

/// The proof of a reduced space does so much less than a search in its turn, until it is in front: a
/// state takes several times as long there.
const SHORTCUT: u64 = 10;

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
    hunts: Vec<Hunt<'a>>,
    wander: Option<Wander<'a>>,
    /// How its space can be reduced, if it can, and the proof that makes use of it.
    reducing: Option<&'a Reducing<'a>>,
    shortcut: Option<Shortcut<'a>>,
    /// By case, how near a search came.
    nearest: Vec<Option<Nearest>>,
    /// What was done by searches that are over.
    past: Stats,
    /// Where there is no proof any more: what may be done until all of it ends.
    patience: Option<u64>,
    /// The model fails before its first step.
    is_stillborn: bool,
    news: Vec<String>,
}

/// What came of a property.
pub(super) struct Settlement {
    /// Its place among those asked for.
    pub(super) number: usize,
    pub(super) answer: Answer,
    /// Who found what violates it.
    pub(super) by: Option<String>,
    /// How near a search came that found nothing.
    pub(super) nearest: Option<Nearest>,
}

/// A search for the violation of one property.
struct Hunt<'a> {
    /// Which one, among the cases.
    case: usize,
    name: String,
    heuristic: String,
    search: BestFirst<'a, ExactStore>,
}

/// Depth-first in random order.
struct Wander<'a> {
    search: Exploration<'a, ExactStore>,
    judged: usize,
    seed: u64,
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
            hunts: Vec::new(),
            wander: None,
            reducing,
            shortcut: None,
            nearest,
            past: Stats::default(),
            patience: None,
            news: Vec::new(),
        }
    }

    /// Whether nothing more can be found out.
    pub(super) fn is_over(&self) -> bool {
        self.is_stillborn || (!self.is_open() || self.is_exhausted()) && !self.is_shortening()
    }

    /// Whether some property has no answer.
    fn is_open(&self) -> bool {
        let complete = matches!(self.ended, Some((Outcome::Complete, _)));
        !complete && self.cases.iter().any(|case| case.found.is_none())
    }

    /// Whether there is nobody left who could find one.
    fn is_exhausted(&self) -> bool {
        self.ended.is_some()
            && self.hunts.is_empty()
            && self.wander.is_none()
            && self.shortcut.is_none()
    }

    fn is_shortening(&self) -> bool {
        let mut found = self.cases.iter().filter_map(|case| case.found.as_ref());
        found.any(|found| found.is_shortening())
    }

    /// Whether breadth-first search alone may settle it soon.
    pub(super) fn sprints(&self, most: u64) -> bool {
        self.wants_proof() && work(&self.proof_stats) < most
    }

    /// Whether there is anything to prove.
    pub(super) fn wants_proof(&self) -> bool {
        self.ended.is_none() && self.is_open() && !self.is_stillborn
    }

    /// Goes on with the proof.
    pub(super) fn prove(&mut self, more: u64, watch: &mut dyn Watch) -> Result<(), CheckError> {
        if self.shortcut.as_ref().is_some_and(|shortcut| shortcut.leads(&self.proof_stats)) {
            return self.cut_short(more, watch);
        }
        if self.wants_proof()
            && let Some(proof) = &mut self.proof
        {
            proof.advance(more);
            self.hear_of_own_proof();
            self.judge_proof(watch)?;
        }
        Ok(())
    }

    fn hear_of_own_proof(&mut self) {
        if let Some(proof) = &mut self.proof {
            (self.proof_stats, self.proof_bytes) = (proof.stats(), proof.bytes());
            self.store = proof.store();
            self.news.append(&mut proof.news);
        }
    }

    /// What a proof that is away has done so far.
    pub(super) fn hear_of_proof(&mut self, stats: Stats, bytes: usize) {
        (self.proof_stats, self.proof_bytes) = (stats, bytes);
    }

    /// The proof, for someone else to go on with.
    pub(super) fn send_proof(&mut self) -> Option<Proof<'a>> {
        self.proof.take()
    }

    /// The proof, back again.
    pub(super) fn take_proof(&mut self, proof: Proof<'a>) {
        self.proof = Some(proof);
        self.hear_of_own_proof();
    }

    /// Looks at what the proof has found since the last time.
    pub(super) fn judge_proof(&mut self, watch: &mut dyn Watch) -> Result<(), CheckError> {
        let Some(proof) = self.proof.take() else { return Ok(()) };
        let findings = proof.findings().to_vec();
        for (at, finding) in findings.iter().enumerate().skip(self.judged) {
            for case in self.open_cases_of(*finding) {
                let (path, kind, bound) = (proof.path(at), finding.kind, Bound::FewestMoves);
                self.violate(case, Sighting { path, kind, by: "bfs", bound }, watch)?;
            }
        }
        self.judged = findings.len();
        if let Some(outcome) = proof.outcome()
            && self.is_open()
        {
            self.ended = Some((outcome, findings));
        }
        self.proof = Some(proof);
        if let Some((outcome, _)) = &self.ended {
            if *outcome != Outcome::Complete && self.patience.is_none() {
                self.patience = Some(work(&self.stats()));
                self.news.push(format!(
                    "the proof ends after {} states; the search for errors goes on for a while",
                    self.proof_stats.stored
                ));
            }
            self.proof.as_mut().into_iter().for_each(Proof::give_up);
            self.proof_bytes = 0;
        }
        Ok(())
    }

    fn open_cases_of(&self, finding: Finding) -> Vec<usize> {
        let is_open = |&at: &usize| {
            let case = &self.cases[at];
            case.found.is_none() && case.task.target.includes(finding.kind)
        };
        (0..self.cases.len()).filter(is_open).collect()
    }

    fn violate(
        &mut self,
        case: usize,
        sighting: Sighting<'_>,
        watch: &mut dyn Watch,
    ) -> Result<(), CheckError> {
        let done = work(&self.stats());
        let work = (SHORTENING * done).clamp(LEAST_SHORTENING, MOST_SHORTENING);
        // A quarter of the memory for all shorter trails, a quarter for all hunts, and half
        // for the proof.
        let allowance = Allowance { work, bytes: self.bytes / (4 * self.cases.len()) };
        let allowance = Some(allowance).filter(|_| self.plan.auto.shorten);
        self.cases[case].violate(sighting, allowance, self.plan, watch)?;
        self.hunts.retain(|hunt| hunt.case != case);
        Ok(())
    }

    /// Begins the searches for violations.
    pub(super) fn set_out(&mut self) -> Result<(), CheckError> {
        if !self.is_open() || self.is_stillborn {
            return Ok(());
        }
        for (at, case) in self.cases.iter().enumerate().filter(|(_, case)| case.found.is_none()) {
            let Some(_) = case.task.goal else { continue };
            let compass = heuristic(None, &case.task)?;
            let heuristic = compass.name().to_owned();
            let name = format!("gbfs({heuristic})");
            let quest = Quest { limits: self.plan.limits(), ..Quest::new(case.task.target) };
            let search = BestFirst::with_store(self.space, compass, Method::GREEDY, quest);
            self.hunts.extend(search.ok().map(|search| Hunt { case: at, name, heuristic, search }));
        }
        self.wander = self.wanderer(self.plan.auto.seed);
        let reducing = self.reducing;
        self.shortcut =
            reducing.and_then(|reducing| Shortcut::begin(self.space, reducing, self.plan));
        Ok(())
    }

    fn wanderer(&self, seed: u64) -> Option<Wander<'a>> {
        let order = Order::RandomDepth { seed };
        let limits = self.plan.limits();
        let options = Options { order, until: Until::Exhausted, limits, keep: 1, stop: None };
        let search = Exploration::with_store(self.space, options).ok()?;
        Some(Wander { search, judged: 0, seed })
    }

    /// Gives each search its turn, but for the proof.
    pub(super) fn take_turns(
        &mut self,
        turn: u64,
        watch: &mut dyn Watch,
    ) -> Result<(), CheckError> {
        if self.is_open() {
            self.hunt(turn, watch)?;
            self.roam(turn, watch)?;
            self.cut_short(turn / SHORTCUT, watch)?;
        } else {
            self.rest();
        }
        for case in &mut self.cases {
            case.shorten(turn, self.plan, watch)?;
        }
        if self.patience.is_some_and(|patience| work(&self.stats()) > 2 * patience) {
            self.rest();
        }
        Ok(())
    }

    /// Memory for a search beside the proof.
    fn share(&self) -> usize {
        self.bytes / (4 * (self.hunts.len() + 1))
    }

    fn hunt(&mut self, turn: u64, watch: &mut dyn Watch) -> Result<(), CheckError> {
        let share = self.share();
        let mut at = 0;
        while at < self.hunts.len() {
            let Hunt { case, name, search, .. } = &mut self.hunts[at];
            let is_over = advance(search, turn, |_| false).is_some();
            let (case, stats) = (*case, search.stats());
            let hit = search.hits().first().copied();
            if let Some(hit) = hit {
                let (path, by) = (search.path(0), name.clone());
                let bound = Bound::Steps(u64::from(search.lower_bound().0));
                self.past.add(&stats);
                self.hunts.remove(at);
                self.violate(case, Sighting { path, kind: hit.kind, by: &by, bound }, watch)?;
            } else if is_over || search.bytes() > share {
                self.past.add(&stats);
                let hunt = self.hunts.remove(at);
                self.remember(&hunt);
            } else {
                at += 1;
            }
        }
        Ok(())
    }

    fn roam(&mut self, turn: u64, watch: &mut dyn Watch) -> Result<(), CheckError> {
        let share = self.share();
        let Some(mut wander) = self.wander.take() else { return Ok(()) };
        let known = wander.judged;
        let outcome = advance(&mut wander.search, turn, |search| search.findings().len() > known);
        let findings = wander.search.findings().to_vec();
        for (at, finding) in findings.iter().enumerate().skip(known) {
            for case in self.open_cases_of(*finding) {
                // That nothing is wrong in the initial state is all that is known.
                let (path, bound) = (wander.search.path(at), Bound::Steps(1));
                let by = "random-dfs";
                self.violate(case, Sighting { path, kind: finding.kind, by, bound }, watch)?;
            }
        }
        wander.judged = findings.len();
        let is_full = wander.search.bytes() > share;
        if outcome.is_some() || is_full {
            self.past.add(&wander.search.stats());
        }
        match outcome {
            Some(Outcome::Complete) => self.ended = Some((Outcome::Complete, findings)),
            None if !is_full => self.wander = Some(wander),
            // Another beginning leads elsewhere.
            _ => self.wander = self.wanderer(wander.seed.wrapping_add(1)),
        }
        Ok(())
    }

    /// Goes on with the proof of the reduced space.
    fn cut_short(&mut self, more: u64, watch: &mut dyn Watch) -> Result<(), CheckError> {
        let Some(mut shortcut) = self.shortcut.take() else { return Ok(()) };
        let outcome = shortcut.advance(more);
        for (finding, path) in shortcut.news() {
            for case in self.open_cases_of(finding) {
                let (path, by, bound) = (path.clone(), "bfs, reduced", Bound::Steps(1));
                self.violate(case, Sighting { path, kind: finding.kind, by, bound }, watch)?;
            }
        }
        // Where the other proof had to give up, there is its memory.
        let room = self.bytes / if self.ended.is_some() { 2 } else { 4 };
        let is_over = outcome.is_some() || shortcut.bytes() > room || shortcut.is_hopeless();
        if let Some(Outcome::Complete) = outcome {
            let findings = shortcut.findings().to_vec();
            self.ended = Some((Outcome::Complete, findings));
            self.proof.as_mut().into_iter().for_each(Proof::give_up);
        }
        if is_over {
            self.past.add(&shortcut.stats());
        } else {
            self.shortcut = Some(shortcut);
        }
        Ok(())
    }

    /// Remembers how near a hunt came that is over.
    fn remember(&mut self, hunt: &Hunt<'_>) {
        let Hunt { case, heuristic, search, .. } = hunt;
        if self.is_open() && self.cases[*case].found.is_none() {
            let task = &self.cases[*case].task;
            self.nearest[*case] = Nearest::of(search, heuristic, task, self.plan);
        }
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

    pub(super) fn stats(&self) -> Stats {
        let mut all = self.proof_stats;
        all.add(&self.past);
        self.hunts.iter().for_each(|hunt| all.add(&hunt.search.stats()));
        self.wander.iter().for_each(|wander| all.add(&wander.search.stats()));
        self.shortcut.iter().for_each(|shortcut| all.add(&shortcut.stats()));
        let found = self.cases.iter().filter_map(|case| case.found.as_ref());
        found.for_each(|found| all.add(&found.stats));
        all
    }

    pub(super) fn bytes(&self) -> usize {
        let hunts: usize = self.hunts.iter().map(|hunt| hunt.search.bytes()).sum();
        let wander = self.wander.as_ref().map_or(0, |wander| wander.search.bytes());
        let found = self.cases.iter().filter_map(|case| case.found.as_ref());
        let shortcut = self.shortcut.as_ref().map_or(0, Shortcut::bytes);
        self.proof_bytes
            + hunts
            + wander
            + shortcut
            + found.map(|found| found.bytes()).sum::<usize>()
    }

    pub(super) fn store(&self) -> Store {
        self.store
    }

    /// Ends everything, with what is proved by then.
    pub(super) fn finish(&mut self) {
        self.rest();
        // A violation that breadth-first search has not met lies behind the layers that it
        // has expanded in full, and each move is a step at least.
        let findings = self.proof.as_ref().map_or_else(Vec::new, |proof| proof.findings().to_vec());
        for case in &mut self.cases {
            let is_met = findings.iter().any(|finding| case.task.target.includes(finding.kind));
            if let Some(found) = &mut case.found {
                found.stop_shortening();
                if self.plan.auto.shorten {
                    found.untangle(&case.task);
                }
                if !is_met && self.ended.is_none() {
                    found.raise(self.proof_stats.depth);
                }
            }
        }
    }

    /// What came of each property.
    pub(super) fn settle(self, stopped: Option<Stop>) -> Vec<Settlement> {
        let open = match (&self.ended, stopped) {
            _ if self.is_stillborn => Settled::stillborn().answer,
            (Some((Outcome::Complete, findings)), _) => {
                without_violation(findings, Outcome::Complete)
            }
            (_, Some(stop)) => Answer::Unknown(stop.to_string()),
            (Some((Outcome::Incomplete(stop), _)), None) => Answer::Unknown(stop.to_string()),
            _ => Answer::Unknown(Stop::IncompleteMethod.to_string()),
        };
        let nearest = self.nearest;
        let settle = |(case, nearest): (Case<'_>, Option<Nearest>)| match case.found {
            Some(found) => {
                let answer = Answer::Violated(vec![found.violation]);
                Settlement { number: case.number, answer, by: Some(found.by), nearest: None }
            }
            None => Settlement { number: case.number, answer: open.clone(), by: None, nearest },
        };
        self.cases.into_iter().zip(nearest).map(settle).collect()
    }

    /// What is new since the last time.
    pub(super) fn news(&mut self) -> Vec<String> {
        std::mem::take(&mut self.news)
    }
}
