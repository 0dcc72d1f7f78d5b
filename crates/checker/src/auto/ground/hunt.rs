//! Hunts: greedy searches for the violation of one property each, with the usual heuristic or with
//! one that looks at the whole system.

use beeline_heuristics::{Built, Goal};
use beeline_search::{BestFirst, ExactStore, Method, Outcome, Quest, Search};

use super::{ALONE, Ground};
use crate::auto::case::{Bound, Sighting};
use crate::auto::foresight::Foresight;
use crate::auto::work::{advance, work};
use crate::auto::{Estimates, Hunts};
use crate::check::CheckError;
use crate::directed::usual_for;
use crate::nearest::Nearest;
use crate::watch::Watch;

/// From the time on when hunts begin early, they do together, for what breadth-first search does,
/// one part in so many.
const EARLY: u64 = 4;
/// What it does before the whole system is looked at, which takes some time itself.
const AHEAD: u64 = 8_000_000;
/// A hunt that looks at the whole system does so much less than another: few of them find what
/// others do not, and some take longer than they count.
const FORESIGHT: u64 = 8;

/// A search for the violation of one property.
pub(super) struct Hunt<'a> {
    /// Which one, among the cases.
    case: usize,
    name: String,
    heuristic: String,
    /// What it looks at.
    estimates: Estimates,
    pub(super) search: BestFirst<'a, ExactStore>,
}

impl Hunt<'_> {
    /// What it does where another does so much.
    pub(super) fn share(&self, turn: u64) -> u64 {
        match self.estimates {
            Estimates::Local => turn,
            Estimates::Whole => turn / FORESIGHT,
        }
    }
}

impl<'a> Ground<'a> {
    /// Lets hunts catch up with breadth-first search, which may still settle everything soon.
    pub(super) fn hunt_early(&mut self, watch: &mut dyn Watch) -> Result<(), CheckError> {
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

    /// Begins the hunts with the usual heuristics, unless they have begun.
    pub(super) fn begin_hunts(&mut self) -> Result<(), CheckError> {
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
    pub(super) fn look_ahead(&mut self) {
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
    pub(super) fn end_hunts_of(&mut self, case: usize) {
        for hunt in self.hunts.extract_if(.., |hunt| hunt.case == case) {
            self.past.add(&hunt.search.stats());
        }
    }

    /// Gives each hunt a turn, as long as `more` says.
    pub(super) fn hunt(
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

    /// Remembers how near a hunt came that is over.
    pub(super) fn remember(&mut self, hunt: &Hunt<'_>) {
        let Hunt { case, heuristic, estimates, search, .. } = hunt;
        // The usual search came further.
        let is_told = *estimates == Estimates::Whole && self.nearest[*case].is_some();
        if self.is_open() && self.cases[*case].is_open() && !is_told {
            let task = &self.cases[*case].task;
            self.nearest[*case] = Nearest::of(search, heuristic, task, self.plan);
        }
    }
}
