//! The outcome of each property when all searches of a portfolio are over.

use beeline_kernel::Stop;
use beeline_model::{Reason, Verdict};
use beeline_search::Outcome;

use super::SpacePortfolio;
use crate::auto::proof::Proof;
use crate::auto::property_run::PropertyRun;
use crate::report::NearestMiss;
use crate::safety::without_finding;

/// The outcome of a property.
pub(in crate::auto) struct PropertyOutcome {
    /// Its number among the requested properties.
    pub(in crate::auto) number: usize,
    pub(in crate::auto) verdict: Verdict,
    /// The search that found the violation.
    pub(in crate::auto) by: Option<String>,
    /// The nearest miss, if it is unknown.
    pub(in crate::auto) nearest: Option<NearestMiss>,
}

impl SpacePortfolio<'_> {
    /// Ends all searches, and keeps the lower bounds proved so far.
    pub(in crate::auto) fn finish(&mut self) {
        self.rest();
        self.end_fallback();
        // A violation that breadth-first search has not found lies beyond its complete layers, and
        // each move has at least one step.
        let errors = self.proof.as_ref().map_or_else(Vec::new, Proof::errors);
        for run in &mut self.runs {
            let is_met = errors.iter().any(|&kind| run.task.target.includes(kind));
            if let Some(found) = &mut run.found {
                found.stop_shortening();
                if self.plan.auto.shorten {
                    found.group_by_process(&run.task);
                }
                if !is_met && self.ended.is_none() {
                    let depth = self.proof_stats.depth;
                    found.raise(depth.saturating_sub(run.task.system.initial_choices()));
                }
            }
        }
    }

    /// The outcome of each property.
    pub(in crate::auto) fn settle(self, stopped: Option<Stop>) -> Vec<PropertyOutcome> {
        let open = match (&self.ended, stopped) {
            _ if self.has_initial_fault => Verdict::Unknown(Reason::InitialFault),
            (Some((Outcome::Complete, errors)), _) => {
                without_finding(errors.iter().copied(), Outcome::Complete)
            }
            (_, Some(stop)) => Verdict::Unknown(Reason::Stopped(stop)),
            (Some((Outcome::Incomplete(stop), _)), None) => {
                let stop = self.overlooked.map_or(*stop, |_| Stop::LossyStore);
                Verdict::Unknown(Reason::of(stop, self.overlooked))
            }
            _ => Verdict::Unknown(Reason::Stopped(Stop::IncompleteMethod)),
        };
        let nearest = self.nearest;
        let settle = |(run, nearest): (PropertyRun<'_>, Option<NearestMiss>)| match run.found {
            Some(found) => {
                let verdict = Verdict::Violated(vec![found.violation]);
                PropertyOutcome { number: run.number, verdict, by: Some(found.by), nearest: None }
            }
            None => {
                let verdict = if run.holds { Verdict::Holds } else { open.clone() };
                let nearest = nearest.filter(|_| !run.holds);
                PropertyOutcome { number: run.number, verdict, by: None, nearest }
            }
        };
        self.runs.into_iter().zip(nearest).map(settle).collect()
    }
}
