//! One search in a network, and what came of it.

use beeline_heuristics::BoxedHeuristic;
use beeline_kernel::spec::Spec;
use beeline_kernel::{Deadline, Stop};
use beeline_network::{Composition, Network};
use beeline_search::{
    Exploration, ExplorationOptions, ExplorationOrder, Outcome, Search, SearchQuery, SearchTarget,
    StateStore, Stats, StopCondition,
};

use super::factored::FactoredNetwork;
use super::heuristics::{NETWORK_HEURISTICS, build_network_heuristic};
use super::{NetworkReport, NetworkVerdict, confirm};
use crate::check::CheckError;
use crate::directed::{Heuristics, start};
use crate::lossy::{self, reason, through_all};
use crate::observer::Observer;
use crate::run::{Plan, drive};
use crate::searches::{DirectedConfig, Strategy};
use crate::stores::Store;

/// What is looked for.
pub(super) const ERROR: u32 = 0;

/// What is to be found where, and how.
pub(super) struct NetworkSearch<'a> {
    pub(super) network: &'a Network,
    pub(super) space: &'a Composition<'a>,
    pub(super) plan: &'a Plan,
    pub(super) store: Store,
}

impl NetworkSearch<'_> {
    /// Searches as the plan says.
    pub(super) fn run<T: StateStore>(
        &self,
        observer: &mut dyn Observer,
    ) -> Result<NetworkReport, CheckError> {
        match &self.plan.search.strategy {
            Strategy::Cycles(_) => {
                Ok(self.unknown("networks have no cycles to look for: use another search"))
            }
            Strategy::Directed(directed) => self.directed::<T>(directed, observer),
            &Strategy::Auto(config) if !self.store.forgets() => self.auto::<T>(config, observer),
            Strategy::Auto(_) => self.forgetful(ExplorationOrder::Depth, observer),
            &Strategy::Blind(order) if self.store.forgets() => self.forgetful(order, observer),
            &Strategy::Blind(order) => self.blind::<T>(order, observer),
        }
    }

    pub(super) fn unknown(&self, why: &str) -> NetworkReport {
        NetworkReport {
            verdict: NetworkVerdict::Unknown(why.to_owned()),
            stats: Stats::default(),
            peak_bytes: 0,
            store: self.store,
            heuristic: None,
            remarks: Vec::new(),
        }
    }

    /// Builds a heuristic, with remarks about it; the usual one where none is asked for.
    pub(super) fn heuristic<'f>(
        &self,
        spec: Option<&Spec>,
        factored: &'f FactoredNetwork,
        deadline: Deadline,
        remarks: &mut Vec<String>,
    ) -> Result<BoxedHeuristic<'f>, CheckError> {
        let usual = Spec::named(NETWORK_HEURISTICS[0].name);
        let built = build_network_heuristic(spec.unwrap_or(&usual), factored, deadline, remarks);
        built.map_err(CheckError::Heuristic)
    }

    fn blind<T: StateStore>(
        &self,
        order: ExplorationOrder,
        observer: &mut dyn Observer,
    ) -> Result<NetworkReport, CheckError> {
        let limits = self.plan.limits();
        let options = ExplorationOptions {
            order,
            until: StopCondition::FirstFinding,
            limits,
            keep: 1,
            stop: None,
        };
        let search = Exploration::<T>::with_store(self.space, options);
        let mut search = search.expect("a network always begins");
        // All moves but those that begin are one step, and all paths begin alike.
        let bound = |steps| if order == ExplorationOrder::Breadth { steps } else { 0 };
        self.conclude(&mut search, bound, None, observer)
    }

    /// With a store that does not keep all states.
    fn forgetful(
        &self,
        order: ExplorationOrder,
        observer: &mut dyn Observer,
    ) -> Result<NetworkReport, CheckError> {
        let order = if self.store.is_lossy() { order } else { ExplorationOrder::Depth };
        match through_all(self.space, self.plan, self.store, order, None) {
            Ok(mut search) => self.conclude(&mut *search, |_| 0, None, observer),
            Err(why) => Ok(self.unknown(&why)),
        }
    }

    fn directed<T: StateStore>(
        &self,
        directed: &DirectedConfig,
        observer: &mut dyn Observer,
    ) -> Result<NetworkReport, CheckError> {
        if directed.price.is_some() {
            return Ok(self.unknown("trails of networks cost their steps: leave out `cost`"));
        }
        if matches!(self.store, Store::Cache { .. }) {
            let why = "the store cache goes with depth-first search only, not with directed";
            return Ok(self.unknown(why));
        }
        let factored = FactoredNetwork::new(self.network);
        let mut remarks = Vec::new();
        let deadline = observer.deadline();
        let mut build =
            |spec: Option<&Spec>| self.heuristic(spec, &factored, deadline, &mut remarks);
        let first = build(directed.heuristic.as_ref())?;
        let second = match &directed.second {
            Some(spec) => Some(build(Some(spec))?),
            None => None,
        };
        let others = directed.others.iter().map(|spec| build(spec.as_ref()));
        let others = others.collect::<Result<Vec<_>, _>>()?;
        let name = directed.heuristic.as_ref().map_or(first.name().to_owned(), Spec::to_string);
        let heuristics = Heuristics { first, others, second };
        let query = SearchQuery {
            limits: self.plan.limits(),
            ..SearchQuery::new(SearchTarget::invariant(ERROR))
        };
        let mut search = if self.store.is_lossy() {
            let store = (self.store, self.plan.auto.seed);
            match lossy::start(self.space, directed.algorithm, heuristics, store, query) {
                Ok(search) => search,
                Err(why) => return Ok(self.unknown(&why)),
            }
        } else {
            let search = start::<T>(self.space, directed.algorithm, heuristics, query);
            search.expect("a network always begins")
        };
        let mut report = self.conclude(&mut *search, |_| 0, Some(name), observer)?;
        if let NetworkVerdict::Violated(trail) = &mut report.verdict {
            trail.lower_bound = u64::from(search.lower_bound().0).min(trail.steps);
        }
        report.remarks.append(&mut remarks);
        Ok(report)
    }

    /// Runs a search to its end, and says what came of it.
    pub(super) fn conclude<S: Search + ?Sized>(
        &self,
        search: &mut S,
        bound: impl FnOnce(u64) -> u64,
        heuristic: Option<String>,
        observer: &mut dyn Observer,
    ) -> Result<NetworkReport, CheckError> {
        let ending = drive(search, observer, |search, _| !search.hits().is_empty());
        let (stats, peak_bytes) = (search.stats(), ending.peak_bytes);
        let verdict = if search.hits().is_empty() {
            match (ending.outcome, search.omissions()) {
                (Outcome::Incomplete(stop), omissions) => {
                    NetworkVerdict::Unknown(reason(stop, omissions))
                }
                (_, Some(omissions)) => {
                    NetworkVerdict::Unknown(reason(Stop::LossyStore, Some(omissions)))
                }
                (Outcome::Complete, None) => NetworkVerdict::Holds,
                (Outcome::Found, None) => unreachable!("what is found is a hit"),
            }
        } else {
            NetworkVerdict::Violated(confirm(self.network, &search.path(0), bound)?)
        };
        let mut remarks = Vec::new();
        if verdict == NetworkVerdict::Holds && stats.expanded == 0 {
            let name = heuristic.as_deref().unwrap_or("the heuristic");
            remarks.push(format!("{name} proves that no error can be reached"));
        }
        let store = self.store;
        Ok(NetworkReport { verdict, stats, peak_bytes, store, heuristic, remarks })
    }
}
