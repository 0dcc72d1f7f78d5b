//! What is done for a network when nobody says how: greedy search with an abstraction, which is
//! complete, or with distances of single processes where estimates are to be local. Where it finds
//! an error, A\* looks for the shortest trail, and where that takes too long, a search around the
//! trail that is known makes it shorter.

use beeline_kernel::spec::Spec;
use beeline_kernel::{Cost, Heuristic, Space};
use beeline_search::{
    BestFirst, BestFirstConfig, FindingKind, KnownPath, Neighbourhood, Search, SearchQuery,
    SearchTarget, StateStore,
};

use super::factored::FactoredNetwork;
use super::search::{ERROR, NetworkSearch};
use super::{NetworkReport, NetworkVerdict, confirm};
use crate::auto::{AutoConfig, GreedyStart, HeuristicScope};
use crate::check::CheckError;
use crate::observer::Observer;
use crate::run::drive;

/// The heuristic. Both are consistent, so that A\* proves what it finds.
fn heuristic(scope: HeuristicScope) -> &'static str {
    match scope {
        HeuristicScope::Whole => "dpa(n=100)",
        HeuristicScope::Local => "fsm",
    }
}

/// What makes trails shorter may expand so many states, or as many as greedy search did.
const SHORTENING: u64 = 50_000;
/// The search around a path in any case so many for each of its states.
const AROUND: u64 = 4;

impl NetworkSearch<'_> {
    pub(super) fn auto<T: StateStore>(
        &self,
        config: AutoConfig,
        observer: &mut dyn Observer,
    ) -> Result<NetworkReport, CheckError> {
        if config.greedy_start == GreedyStart::Late {
            let why = "networks are searched greedily from the start: leave out `hunts`";
            return Ok(self.unknown(why));
        }
        let factored = FactoredNetwork::new(self.network);
        let name = heuristic(config.scope);
        let spec = Spec::parse(name).expect("it is written as a spec is");
        let mut remarks = Vec::new();
        let heuristic =
            self.heuristic(Some(&spec), &factored, observer.deadline(), &mut remarks)?;
        let (mut report, path) = {
            let mut greedy = self.best_first::<T>(&*heuristic, BestFirstConfig::GREEDY, None);
            let mut report = self.conclude(&mut greedy, |_| 0, Some(name.to_owned()), observer)?;
            if let NetworkVerdict::Violated(trail) = &mut report.verdict {
                trail.lower_bound = u64::from(greedy.lower_bound().0).min(trail.steps);
            }
            let path = (!greedy.hits().is_empty()).then(|| greedy.path(0));
            (report, path)
        };
        if let Some(path) = path.filter(|_| self.plan.auto.shorten) {
            self.shorten::<T>(&*heuristic, path, &mut report, observer)?;
        }
        report.remarks.append(&mut remarks);
        Ok(report)
    }

    fn best_first<'h, T: StateStore>(
        &'h self,
        heuristic: &'h dyn Heuristic,
        method: BestFirstConfig,
        bound: Option<Cost>,
    ) -> BestFirst<'h, T> {
        let search = BestFirst::with_store(self.space, heuristic.fork(), method, self.query(bound));
        search.expect("a network always begins")
    }

    fn query(&self, bound: Option<Cost>) -> SearchQuery<'static> {
        SearchQuery {
            limits: self.plan.limits(),
            bound,
            ..SearchQuery::new(SearchTarget::invariant(ERROR))
        }
    }

    /// Looks for a trail with fewer steps than the one along this path.
    fn shorten<T: StateStore>(
        &self,
        heuristic: &dyn Heuristic,
        path: Vec<Vec<u8>>,
        report: &mut NetworkReport,
        observer: &mut dyn Observer,
    ) -> Result<(), CheckError> {
        let NetworkVerdict::Violated(known) = &mut report.verdict else { return Ok(()) };
        if known.is_shortest() {
            return Ok(());
        }
        let most = SHORTENING.max(report.stats.expanded);
        let bound = Cost((known.steps - 1) as u32);
        let mut search = self.best_first::<T>(heuristic, BestFirstConfig::A_STAR, Some(bound));
        let ending = drive(&mut search, observer, |search, _| search.stats().expanded >= most);
        let proved = u64::from(search.lower_bound().0).max(known.lower_bound);
        let mut stats = search.stats();
        let mut peak_bytes = ending.peak_bytes;
        let mut better = (!search.hits().is_empty()).then(|| search.path(0));
        drop(search);
        if better.is_none() && proved < known.steps {
            // A long path is looked at as a whole before what lies around it.
            let most = most.max(AROUND * path.len() as u64);
            let route =
                KnownPath::new(&mut *self.space.expander(), path, FindingKind::Invariant(ERROR));
            let route = route.expect("the path was executed before");
            let mut around = Neighbourhood::<T>::new(self.space, route, self.query(None));
            let ending = drive(&mut around, observer, |search, _| search.stats().expanded >= most);
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
