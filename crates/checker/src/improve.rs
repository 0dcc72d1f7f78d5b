//! Trail improvement: a shorter trail to the same error, or to a similar one.
//!
//! Source: [ELL01] §4.3 and §4.4; [EMJ05], Trail Improvement. First, unneeded steps are removed.
//! Then the searches of `shorten/` take turns and share their paths. Trails with a cycle are
//! improved by `liveness/improve.rs`.

use beeline_kernel::{Cost, Trail};
use beeline_model::{Followed, FollowedTrail, Model, System, Unconfirmed, Violation, same_error};
use beeline_search::{KnownPath, Search as _, Stats};

use crate::liveness::improve_lasso;
use crate::observe::{Event, Observer, drive};
use crate::plan::Plan;
use crate::report::{ImproveError, Improved, Improvement};
use crate::shorten::{ImproveMethod, shortening, with_few_switches, without_needless};
use crate::task::Task;

/// The options of an improvement.
#[derive(Clone, Copy, Debug)]
pub struct ImproveOptions<'a> {
    /// The plan: how successors are computed, and the memory limit.
    pub plan: &'a Plan,
    /// Whether to prefer few context switches among trails of equal length.
    pub few_switches: bool,
    /// The methods; if empty, all but [`ImproveMethod::Filter`].
    pub by: &'a [ImproveMethod],
}

/// Searches for shorter trails than the given one, and reports each at once, until one is proved
/// shortest, all methods are exhausted, or the observer stops the search.
///
/// # Errors
///
/// When the trail does not lead to an error of the model, or when a search fails.
pub fn improve(
    model: &dyn Model,
    trail: &Trail,
    options: &ImproveOptions<'_>,
    observer: &mut dyn Observer,
) -> Result<Improved, ImproveError> {
    let mut improved = None;
    model.with_trail(trail, options.plan.system_options(), &mut |system, followed| {
        improved = Some(match followed {
            FollowedTrail::Lasso(lasso) => {
                improve_lasso(system, trail, lasso, options.plan, observer)
            }
            FollowedTrail::Path(path) => {
                let run = ImproveRun { system, options, observer: &mut *observer, log: Vec::new() };
                run.improve(trail, path)
            }
        });
    })?;
    improved.expect("a model runs what it is given")
}

/// The improvement of one trail to an error.
struct ImproveRun<'a, 'o> {
    system: &'a dyn System,
    options: &'a ImproveOptions<'a>,
    observer: &'o mut dyn Observer,
    log: Vec<Improvement>,
}

impl ImproveRun<'_, '_> {
    fn improve(mut self, trail: &Trail, given: Followed) -> Result<Improved, ImproveError> {
        let task = Task { system: self.system, target: same_error(given.found), all: false };
        let steps = given.steps;
        let known = known_path(&task, given)?;
        let (trail, known) = self.filter(&task, trail, known)?;
        let known = self.eliminate(&task, &trail, known)?;
        let plan = self.options.plan;
        let resources = plan.resources(self.observer.deadline());
        let mut search = shortening(&task, known, plan, self.options.by, resources)?;
        let mut failed = None;
        let mut best = search.best_path().cost();
        let log = &mut self.log;
        let ending = drive(&mut search, self.observer, |search, observer| {
            if search.best_path().cost() < best {
                best = search.best_path().cost();
                let by = search.finder().unwrap_or_default();
                match confirm(&task, search.best_path(), Cost::ZERO) {
                    Ok(violation) => {
                        log.push(improvement(by, &violation, search.stats()));
                        shortened(observer, &violation, by);
                    }
                    Err(error) => failed = Some(error),
                }
            }
            failed.is_some()
        });
        if let Some(error) = failed {
            return Err(error.into());
        }
        let mut violation = confirm(&task, search.best_path(), search.lower_bound())?;
        let untangled = self.system.editor();
        let untangled = untangled.and_then(|one| one.untangle(&violation.trail, task.target));
        if let Some(trail) = untangled {
            violation.trail = trail;
            shortened(self.observer, &violation, "untangling");
        }
        if self.options.few_switches && !task.has_claim() {
            let readable = with_few_switches(&task, &violation, plan, self.observer)?;
            if let Some(better) = readable {
                self.add("fewer context switches", &better, search.stats());
                violation = better;
            }
        }
        Ok(Improved {
            given: steps,
            violation,
            log: self.log,
            outcome: ending.outcome,
            stats: search.stats(),
            peak_bytes: ending.peak_bytes,
        })
    }

    /// Removes steps that are independent of all later ones, if the filter is requested.
    fn filter(
        &mut self,
        task: &Task<'_>,
        trail: &Trail,
        known: KnownPath,
    ) -> Result<(Trail, KnownPath), ImproveError> {
        let is_wanted = self.options.by.contains(&ImproveMethod::Filter);
        let editor = self.system.editor().filter(|_| is_wanted);
        match editor.and_then(|editor| editor.filter(trail, task.target)) {
            None => Ok((trail.clone(), known)),
            Some((trail, followed)) => {
                let shorter = known_path(task, followed)?;
                self.add("filter", &confirm(task, &shorter, Cost::ZERO)?, Stats::default());
                Ok((trail, shorter))
            }
        }
    }

    /// Removes unneeded steps, unless only other methods are requested.
    fn eliminate(
        &mut self,
        task: &Task<'_>,
        trail: &Trail,
        known: KnownPath,
    ) -> Result<KnownPath, ImproveError> {
        let by = self.options.by;
        let is_wanted = by.is_empty() || by.contains(&ImproveMethod::Elimination);
        let shorter = is_wanted.then(|| without_needless(task, trail, &known)).flatten();
        if let Some(shorter) = &shorter {
            self.add("elimination", &confirm(task, shorter, Cost::ZERO)?, Stats::default());
        }
        Ok(shorter.unwrap_or(known))
    }

    fn add(&mut self, by: &str, violation: &Violation, stats: Stats) {
        self.log.push(improvement(by, violation, stats));
        shortened(self.observer, violation, by);
    }
}

fn known_path(task: &Task<'_>, followed: Followed) -> Result<KnownPath, ImproveError> {
    let Followed { states, found, .. } = followed;
    KnownPath::new(&mut *task.space().expander(), states, found).ok_or(ImproveError::NoError)
}

fn confirm(task: &Task<'_>, path: &KnownPath, bound: Cost) -> Result<Violation, Unconfirmed> {
    task.witness(&path.states, path.kind, |_| u64::from(bound.0))
}

fn improvement(by: &str, violation: &Violation, stats: Stats) -> Improvement {
    Improvement { by: by.to_owned(), steps: violation.length.steps, stats }
}

fn shortened(observer: &mut dyn Observer, violation: &Violation, by: &str) {
    observer.on_event(&Event::Shortened { property: None, violation, by });
}
