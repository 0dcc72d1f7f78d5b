//! What is done for a network when nobody says how: greedy search with an abstraction, which is
//! complete, and then A\* for a shorter trail, as long as that seems worth the while.

use beeline_kernel::spec::Spec;
use beeline_kernel::{Cost, Heuristic};
use beeline_search::{BestFirst, Method, Quest, Search as _, StateStore, Target};

use super::factored::Factored;
use super::search::{ERROR, Errand};
use super::{NetworkAnswer, NetworkReport, confirm};
use crate::check::CheckError;
use crate::run::drive;
use crate::watch::Watch;

/// The heuristic.
const HEURISTIC: &str = "dpa(n=100)";

/// A\* may expand so many states in any case, and so many times as many as greedy search did.
const SHORTENING: u64 = 100_000;
const TIMES: u64 = 2;

impl Errand<'_> {
    pub(super) fn auto<T: StateStore>(
        &self,
        watch: &mut dyn Watch,
    ) -> Result<NetworkReport, CheckError> {
        let factored = Factored::new(self.network);
        let spec = Spec::parse(HEURISTIC).expect("it is written as a spec is");
        let heuristic = self.heuristic(Some(&spec), &factored)?;
        let mut report = {
            let quest = Quest { limits: self.plan.limits(), ..Quest::new(Target::broken(ERROR)) };
            let greedy =
                BestFirst::<T>::with_store(self.space, heuristic.fork(), Method::GREEDY, quest);
            let mut greedy = greedy.expect("a network always begins");
            let mut report =
                self.conclude(&mut greedy, |_| 0, Some(HEURISTIC.to_owned()), watch)?;
            if let NetworkAnswer::Violated(trail) = &mut report.answer {
                trail.lower_bound = u64::from(greedy.lower_bound().0).min(trail.steps);
            }
            report
        };
        if self.plan.auto.shorten {
            self.shorten::<T>(&*heuristic, &mut report, watch)?;
        }
        Ok(report)
    }

    /// Looks for a trail with fewer steps.
    fn shorten<T: StateStore>(
        &self,
        heuristic: &dyn Heuristic,
        report: &mut NetworkReport,
        watch: &mut dyn Watch,
    ) -> Result<(), CheckError> {
        let NetworkAnswer::Violated(known) = &mut report.answer else { return Ok(()) };
        if known.is_shortest() {
            return Ok(());
        }
        let bound = Some(Cost((known.steps - 1) as u32));
        let limits = self.plan.limits();
        let quest = Quest { limits, bound, ..Quest::new(Target::broken(ERROR)) };
        let search =
            BestFirst::<T>::with_store(self.space, heuristic.fork(), Method::A_STAR, quest);
        let mut search = search.expect("a network always begins");
        let most = SHORTENING.max(TIMES * report.stats.expanded);
        let ending = drive(&mut search, watch, |search, _| search.stats().expanded >= most);
        if !search.hits().is_empty() {
            *known = confirm(self.network, &search.path(0), |_| 0)?;
        }
        let proved = u64::from(search.lower_bound().0);
        known.lower_bound = known.lower_bound.max(proved).min(known.steps);
        report.stats.add(&search.stats());
        report.peak_bytes = report.peak_bytes.max(ending.peak_bytes);
        Ok(())
    }
}
