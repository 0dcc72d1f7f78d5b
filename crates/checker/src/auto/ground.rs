//! The properties that are about the same state space: one proof for all of them, and the
//! searches for violations beside it.

use beeline_heuristics::{Built, Goal};
use beeline_kernel::{Space, Stop};
use beeline_search::{
    BestFirst, ExactStore, Exploration, Finding, FindingKind, Method, Omissions, Options, Order,
    Outcome, Quest, Search, Stats, Until,
};

use super::case::{Allowance, Bound, Case, Shortening, Sighting};
use super::foresight::Foresight;
use super::proof::Proof;
use super::shortcut::Shortcut;
use super::sieve::Sieve;
use super::work::{advance, work};
use super::{Course, Estimates, Hunts};
use crate::check::{Answer, CheckError, without_violation};
use crate::directed::{Settled, usual_for};
use crate::lossy::reason;
use crate::nearest::Nearest;
use crate::reduction::Reducing;
use crate::run::Plan;
use crate::searches::Way;
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
/// Where there is no proof any more, hunts and the walk end when so many times as much was done
/// as before, and the search with bits when so many times as much was: its array has room for
/// more states than the compact store by about that.
const HUNTING: u64 = 2;
const SIFTING: u64 = 16;
/// What breadth-first search does before hunts begin, where these begin early: some
/// milliseconds. From then on they do together, for what it does, one part in so many.
const ALONE: u64 = 400_000;
const EARLY: u64 = 4;
/// What it does before the whole system is looked at, which takes some time itself.
const AHEAD: u64 = 8_000_000;
/// A hunt that looks at the whole system does so much less than another: few of them find what
/// others do not, and some take longer than they count.
const FORESIGHT: u64 = 8;

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
    /// What it looks at.
    estimates: Estimates,
    search: BestFirst<'a, ExactStore>,
}

impl Hunt<'_> {
    /// What it does where another does so much.
    fn share(&self, turn: u64) -> u64 {
        match self.estimates {
            Estimates::Local => turn,
            Estimates::Whole => turn / FORESIGHT,
        }
    }
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

    /// Whether there is anything to prove.
    pub(super) fn wants_proof(&self) -> bool {
        self.ended.is_none() && (self.is_open() || self.is_waiting()) && !self.is_stillborn
    }

    /// Goes on with the proof.
    pub(super) fn prove(&mut self, more: u64, watch: &mut dyn Watch) -> Result<(), CheckError> {
        if self.wants_proof()
            && !self.shortcut_leads()
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
            let sighting = || {
                let (path, kind, bound) = (proof.path(at), finding.kind, Bound::FewestMoves);
                Sighting { path, kind, by: "bfs", bound }
            };
            let allowance = self.allowance();
            for case in &mut self.cases {
                if case.is_waiting() && case.task.target.includes(finding.kind) {
                    case.meet(sighting(), allowance, self.plan, watch)?;
                }
            }
            for case in self.open_cases_of(finding.kind) {
                self.violate(case, sighting(), watch)?;
            }
        }
        self.judged = findings.len();
        if let Some(outcome) = proof.outcome()
            && (self.is_open() || self.is_waiting())
        {
            self.ended = Some((outcome, findings));
        }
        self.proof = Some(proof);
        if let Some(outcome) = self.ended.as_ref().map(|(outcome, _)| *outcome) {
            self.proof.as_mut().into_iter().for_each(Proof::give_up);
            self.proof_bytes = 0;
            self.do_without(outcome);
        }
        Ok(())
    }

    /// What to do where the proof ended without an answer, and that of the reduced space, too.
    fn do_without(&mut self, outcome: Outcome) {
        let is_needed = outcome != Outcome::Complete && self.patience.is_none();
        if !is_needed || self.shortcut.is_some() {
            return;
        }
        self.patience = Some(work(&self.stats()));
        // Who asked for the exact store wants no other.
        let may_sift = outcome == Outcome::Incomplete(Stop::Memory)
            && self.plan.store != Store::Exact
            && self.is_open();
        if may_sift {
            self.sieve = Sieve::begin(self.space, self.plan, self.bytes / 2);
        }
        let stored = self.proof_stats.stored;
        let how = match &self.sieve {
            Some(sieve) => {
                self.store = sieve.store();
                let megabytes = sieve.bytes() >> 20;
                format!("with a few bits of each state, in {megabytes} MB: it may overlook some")
            }
            None => "for a while".to_owned(),
        };
        self.news.push(format!(
            "the proof ends after {stored} states; the search for errors goes on {how}"
        ));
    }

    fn open_cases_of(&self, kind: FindingKind) -> Vec<usize> {
        let is_open = |&at: &usize| {
            let case = &self.cases[at];
            case.is_open() && case.task.target.includes(kind)
        };
        (0..self.cases.len()).filter(is_open).collect()
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

    /// Lets hunts catch up with breadth-first search, which may still settle everything soon.
    fn hunt_early(&mut self, watch: &mut dyn Watch) -> Result<(), CheckError> {
        let done = work(&self.proof_stats);
        if self.course().hunts == Hunts::Late || done < ALONE {
            return Ok(());
        }
        self.begin_hunts()?;
        if done >= AHEAD {
            self.look_ahead();
        }
        let each = done / (EARLY * self.hunts.len().max(1) as u64);
        self.hunt(|hunt| hunt.share(each).saturating_sub(work(&hunt.search.stats())), watch)
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

    /// Begins the hunts with the usual heuristics, unless they have begun.
    fn begin_hunts(&mut self) -> Result<(), CheckError> {
        if std::mem::replace(&mut self.has_set_out, true) {
            return Ok(());
        }
        for at in 0..self.cases.len() {
            let case = &self.cases[at];
            if case.task.goal.is_some() && case.is_open() {
                let usual = usual_for(&case.task)?;
                self.begin_hunt(at, usual, Estimates::Local);
            }
        }
        Ok(())
    }

    /// Looks at the whole system, unless that was done: what cannot be violated holds, and for
    /// the rest there is another hunt.
    fn look_ahead(&mut self) {
        let is_wanted = self.is_open() && self.course().estimates == Estimates::Whole;
        if !is_wanted || std::mem::replace(&mut self.has_looked_ahead, true) {
            return;
        }
        let foresight = Foresight::of(self.space, &self.cases);
        self.is_faultless = foresight.is_faultless;
        for (at, holds) in foresight.holds.into_iter().enumerate().filter(|(_, holds)| *holds) {
            self.cases[at].holds = holds;
            self.end_hunts_of(at);
            let name = &self.cases[at].property.name;
            self.news.push(format!("{name}: relaxation proves that nothing violates it"));
        }
        for (at, hunter) in foresight.hunters.into_iter().enumerate() {
            if let Some(hunter) = hunter.filter(|_| self.cases[at].is_open()) {
                self.begin_hunt(at, hunter, Estimates::Whole);
            }
        }
    }

    fn begin_hunt(&mut self, case: usize, compass: Built<'a>, estimates: Estimates) {
        let heuristic = compass.name().to_owned();
        let name = format!("gbfs({heuristic})");
        let target = self.cases[case].task.target;
        let quest = Quest { limits: self.plan.limits(), ..Quest::new(target) };
        let search = BestFirst::with_store(self.space, compass, Method::GREEDY, quest);
        let hunt = |search| Hunt { case, name, heuristic, estimates, search };
        self.hunts.extend(search.ok().map(hunt));
    }

    /// Ends the hunts for a case that is settled.
    fn end_hunts_of(&mut self, case: usize) {
        for hunt in self.hunts.extract_if(.., |hunt| hunt.case == case) {
            self.past.add(&hunt.search.stats());
        }
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

    /// Gives the search with bits twice the turn, as the proof had.
    fn sift(&mut self, turn: u64, watch: &mut dyn Watch) -> Result<(), CheckError> {
        let Some(mut sieve) = self.sieve.take() else { return Ok(()) };
        let outcome = sieve.advance(2 * turn);
        for (kind, path) in sieve.news() {
            for case in self.open_cases_of(kind) {
                let (path, by, bound) = (path.clone(), "bitstate", Bound::Steps(1));
                self.violate(case, Sighting { path, kind, by, bound }, watch)?;
            }
        }
        if outcome == Some(Outcome::Incomplete(Stop::LossyStore)) {
            self.overlooked = sieve.omissions();
        }
        self.sieve = Some(sieve);
        if outcome.is_some() {
            self.end_sifting();
        }
        Ok(())
    }

    fn end_sifting(&mut self) {
        if let Some(sieve) = self.sieve.take() {
            self.past.add(&sieve.stats());
        }
    }

    /// Memory for a search beside the proof.
    fn share(&self) -> usize {
        self.bytes / (4 * (self.hunts.len() + 1))
    }

    /// Gives each hunt a turn, as long as `more` says.
    fn hunt(
        &mut self,
        more: impl Fn(&Hunt<'a>) -> u64,
        watch: &mut dyn Watch,
    ) -> Result<(), CheckError> {
        let share = self.share();
        let mut at = 0;
        while at < self.hunts.len() {
            let turn = more(&self.hunts[at]);
            let Hunt { case, name, search, .. } = &mut self.hunts[at];
            let outcome = advance(search, turn, |_| false);
            let is_over = outcome.is_some();
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
                self.conclude(case, outcome);
                self.remember(&hunt);
            } else {
                at += 1;
            }
        }
        Ok(())
    }

    /// A hunt that has seen all that could lead to an error proves that there is none.
    fn conclude(&mut self, case: usize, outcome: Option<Outcome>) {
        let is_claim = matches!(self.cases[case].task.goal, Some(Goal::Claim));
        // Behind a step that fails, something may be hidden.
        if self.is_faultless && !is_claim && outcome == Some(Outcome::Complete) {
            self.cases[case].holds = true;
        }
    }

    fn roam(&mut self, turn: u64, watch: &mut dyn Watch) -> Result<(), CheckError> {
        let share = self.share();
        let Some(mut wander) = self.wander.take() else { return Ok(()) };
        let known = wander.judged;
        let outcome = advance(&mut wander.search, turn, |search| search.findings().len() > known);
        let findings = wander.search.findings().to_vec();
        for (at, finding) in findings.iter().enumerate().skip(known) {
            for case in self.open_cases_of(finding.kind) {
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

    /// Whether the proof of the reduced space has come further than the other.
    fn shortcut_leads(&self) -> bool {
        self.shortcut.as_ref().is_some_and(|shortcut| shortcut.leads(&self.proof_stats))
    }

    /// Goes on with the proof of the reduced space.
    fn cut_short(&mut self, more: u64, watch: &mut dyn Watch) -> Result<(), CheckError> {
        let Some(mut shortcut) = self.shortcut.take() else { return Ok(()) };
        let outcome = shortcut.advance(more);
        for (finding, path) in shortcut.news() {
            for case in self.open_cases_of(finding.kind) {
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
        if !is_over {
            self.shortcut = Some(shortcut);
            return Ok(());
        }
        self.past.add(&shortcut.stats());
        if let Some(outcome) = self.ended.as_ref().map(|(outcome, _)| *outcome) {
            self.do_without(outcome);
        }
        Ok(())
    }

    /// Remembers how near a hunt came that is over.
    fn remember(&mut self, hunt: &Hunt<'_>) {
        let Hunt { case, heuristic, estimates, search, .. } = hunt;
        // The usual search came further.
        let is_told = *estimates == Estimates::Whole && self.nearest[*case].is_some();
        if self.is_open() && self.cases[*case].is_open() && !is_told {
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

    /// Ends everything, with what is proved by then.
    pub(super) fn finish(&mut self) {
        self.rest();
        self.end_sifting();
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
            (Some((Outcome::Incomplete(stop), _)), None) => {
                let stop = self.overlooked.map_or(*stop, |_| Stop::LossyStore);
                Answer::Unknown(reason(stop, self.overlooked))
            }
            _ => Answer::Unknown(Stop::IncompleteMethod.to_string()),
        };
        let nearest = self.nearest;
        let settle = |(case, nearest): (Case<'_>, Option<Nearest>)| match case.found {
            Some(found) => {
                let answer = Answer::Violated(vec![found.violation]);
                Settlement { number: case.number, answer, by: Some(found.by), nearest: None }
            }
            None => {
                let answer = if case.holds { Answer::Holds } else { open.clone() };
                let nearest = nearest.filter(|_| !case.holds);
                Settlement { number: case.number, answer, by: None, nearest }
            }
        };
        self.cases.into_iter().zip(nearest).map(settle).collect()
    }

    /// What is new since the last time.
    pub(super) fn news(&mut self) -> Vec<String> {
        std::mem::take(&mut self.news)
    }
}
