//! What is done for a network when nobody says how: greedy search with an abstraction, which is
//! complete, or with distances of single processes where estimates are to be local. Where it finds
//! an error, A\* looks for the shortest trail, and where that takes too long, a search around the
//! trail that is known makes it shorter.

use beeline_kernel::spec::Spec;
use beeline_kernel::{Cost, Heuristic, Space};
use beeline_search::{
    BestFirst, FindingKind, Method, Neighbourhood, Quest, Route, Search, StateStore, Target,
};

use super::factored::Factored;
use super::search::{ERROR, Errand};
use super::{NetworkAnswer, NetworkReport, confirm};
use crate::auto::{Course, Estimates, Hunts};
use crate::check::CheckError;
use crate::run::drive;
use crate::watch::Watch;

/// The heuristic. Both are consistent, so that A\* proves what it finds.
fn heuristic(estimates: Estimates) -> &'static str {
    match estimates {
        Estimates::Whole => "dpa(n=100)",
        Estimates::Local => "fsm",
    }
}

/// What makes trails shorter may expand so many states, or as many as greedy search did.
const SHORTENING: u64 = 50_000;
/// The search around a path in any case so many for each of its states.
const AROUND: u64 = 4;

impl Errand<'_> {
    pub(super) fn auto<T: StateStore>(
        &self,
        course: Course,
        watch: &mut dyn Watch,
    ) -> Result<NetworkReport, CheckError> {
        if course.hunts == Hunts::Late {
            let why = "networks are searched greedily from the start: leave out `hunts`";
            return Ok(self.unknown(why));
        }
        let factored = Factored::new(self.network);
        let name = heuristic(course.estimates);
        let spec = Spec::parse(name).expect("it is written as a spec is");
        let mut remarks = Vec::new();
        let heuristic = self.heuristic(Some(&spec), &factored, watch.deadline(), &mut remarks)?;
        let (mut report, path) = {
            let mut greedy = self.best_first::<T>(&*heuristic, Method::GREEDY, None);
            let mut report = self.conclude(&mut greedy, |_| 0, Some(name.to_owned()), watch)?;
            if let NetworkAnswer::Violated(trail) = &mut report.answer {
                trail.lower_bound = u64::from(greedy.lower_bound().0).min(trail.steps);
            }
            let path = (!greedy.hits().is_empty()).then(|| greedy.path(0));
            (report, path)
        };
        if let Some(path) = path.filter(|_| self.plan.auto.shorten) {
            self.shorten::<T>(&*heuristic, path, &mut report, watch)?;
        }
        report.remarks.append(&mut remarks);
        Ok(report)
    }

    fn best_first<'h, T: StateStore>(
        &'h self,
        heuristic: &'h dyn Heuristic,
        method: Method,
        bound: Option<Cost>,
    ) -> BestFirst<'h, T> {
        let search = BestFirst::with_store(self.space, heuristic.fork(), method, self.quest(bound));
        search.expect("a network always begins")
    }

    fn quest(&self, bound: Option<Cost>) -> Quest<'static> {
        Quest { limits: self.plan.limits(), bound, ..Quest::new(Target::broken(ERROR)) }
    }

    /// Looks for a trail with fewer steps than the one along this path.
    fn shorten<T: StateStore>(
        &self,
        heuristic: &dyn Heuristic,
        path: Vec<Vec<u8>>,
        report: &mut NetworkReport,
        watch: &mut dyn Watch,
    ) -> Result<(), CheckError> {
        let NetworkAnswer::Violated(known) = &mut report.answer else { return Ok(()) };
        if known.is_shortest() {
            return Ok(());
        }
        let most = SHORTENING.max(report.stats.expanded);
        let bound = Cost((known.steps - 1) as u32);
        let mut search = self.best_first::<T>(heuristic, Method::A_STAR, Some(bound));
        let ending = drive(&mut search, watch, |search, _| search.stats().expanded >= most);
        let proved = u64::from(search.lower_bound().0).max(known.lower_bound);
        let mut stats = search.stats();
        let mut peak_bytes = ending.peak_bytes;
        let mut better = (!search.hits().is_empty()).then(|| search.path(0));
        drop(search);
        if better.is_none() && proved < known.steps {
            // A long path is looked at as a whole before what lies around it.
            let most = most.max(AROUND * path.len() as u64);
            let route = Route::new(&mut *self.space.expander(), path, FindingKind::Broken(ERROR));
            let route = route.expect("the path was executed before");
            let mut around = Neighbourhood::<T>::new(self.space, route, self.quest(None));
            let ending = drive(&mut around, watch, |search, _| search.stats().expanded >= most);
            stats.add(&around.stats());
            peak_bytes = peak_bytes.max(ending.peak_bytes);
            better = (!around.hits().is_empty()).then(|| around.path(0));
        }
        if let Some(path) = better {
            let found = confirm(self.network, &path, |_| 0)?;
            if found.steps < known.steps {
                *known = found;
            }
        }
        known.lower_bound = proved.min(known.steps);
        report.stats.add(&stats);
        report.peak_bytes = report.peak_bytes.max(peak_bytes);
        Ok(())
    }
}
