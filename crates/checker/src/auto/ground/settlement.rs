//! What comes of the properties of a ground when everything on it is over.

use beeline_kernel::Stop;
use beeline_search::Outcome;

use super::Ground;
use crate::auto::case::Case;
use crate::check::{Answer, without_violation};
use crate::directed::Settled;
use crate::lossy::reason;
use crate::nearest::Nearest;

/// What came of a property.
pub(in crate::auto) struct Settlement {
    /// Its place among those asked for.
    pub(in crate::auto) number: usize,
    pub(in crate::auto) answer: Answer,
    /// Who found what violates it.
    pub(in crate::auto) by: Option<String>,
    /// How near a search came that found nothing.
    pub(in crate::auto) nearest: Option<Nearest>,
}

impl Ground<'_> {
    /// Ends everything, with what is proved by then.
    pub(in crate::auto) fn finish(&mut self) {
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
    pub(in crate::auto) fn settle(self, stopped: Option<Stop>) -> Vec<Settlement> {
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
}
