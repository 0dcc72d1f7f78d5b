//! Remark on a cycle that is not fair: a process is enabled throughout the cycle and never moves.
//! Such a counterexample is often no error of the system, and `--fair` excludes it.

use std::ops::ControlFlow;

use beeline_kernel::Stop;
use beeline_model::{Fairness, Model, Property, Verdict, Violation};
use beeline_search::Stats;

use crate::liveness::check_claim;
use crate::observe::Observer;
use crate::plan::{CycleAlgorithm, Plan, SearchConfig, Store, Strategy};

/// Expansions of the check with fairness, unless the first check took more.
const EXPANSIONS: u64 = 20_000;

/// The processes that a violation neglects, and the verdict with fairness if it is found within
/// the work of the first check.
pub(crate) fn unfair_remark(
    model: &dyn Model,
    property: &Property,
    violation: &Violation,
    plan: &Plan,
    spent: &Stats,
    observer: &mut dyn Observer,
) -> Option<String> {
    if plan.fairness != Fairness::None || violation.cycle.is_none() {
        return None;
    }
    let neglected = model.neglected(&violation.trail);
    let names = match &neglected[..] {
        [] => return None,
        [one] => format!("{one} is enabled throughout the cycle and never moves"),
        [one, two] => format!("{one} and {two} are enabled throughout the cycle and never move"),
        [one, rest @ ..] => format!(
            "{one} and {} more processes are enabled throughout the cycle and never move",
            rest.len()
        ),
    };
    let most = spent.expanded.max(EXPANSIONS);
    let holds = holds_with_fairness(model, property, plan, most, observer);
    let consequence = if holds { "the property holds with" } else { "this cycle is excluded by" };
    Some(format!("{names}: {consequence} `--fair`"))
}

/// Whether the property holds under weak fairness; `false` if the work does not suffice.
fn holds_with_fairness(
    model: &dyn Model,
    property: &Property,
    plan: &Plan,
    most: u64,
    observer: &mut dyn Observer,
) -> bool {
    let strategy = Strategy::Cycles(CycleAlgorithm::usual(Fairness::Weak));
    let search = SearchConfig { strategy, ..plan.search.clone() };
    let plan = Plan { fairness: Fairness::Weak, search, ..plan.clone() };
    let mut holds = false;
    model.with_system(std::slice::from_ref(property), plan.system_options(), &mut |system| {
        let mut budget = Budget { observer: &mut *observer, most };
        let report = check_claim(system, property, &plan, Store::Exact, &mut budget);
        holds = report.is_ok_and(|report| matches!(report.verdict, Verdict::Holds));
    });
    holds
}

/// Stops a search after some expansions. Events are not passed on: the property has its verdict.
struct Budget<'o> {
    observer: &'o mut dyn Observer,
    most: u64,
}

impl Observer for Budget<'_> {
    fn poll(&mut self, stats: &Stats) -> ControlFlow<Stop> {
        if stats.expanded > self.most {
            return ControlFlow::Break(Stop::IncompleteMethod);
        }
        self.observer.poll(stats)
    }
}
