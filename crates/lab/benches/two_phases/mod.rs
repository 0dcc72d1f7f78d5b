//! The two-phase improvement of [ELL01] §4.4, for the lasso of a search: with the library, since
//! the command line has it only as a part of the automatic strategy.

use std::path::Path;
use std::time::{Duration, Instant};

use beeline_engine::automata::AutomataOptions;
use beeline_engine::claim::{Claim, Product};
use beeline_engine::interpreter::Machine;
use beeline_heuristics::{HeuristicGoal, build};
use beeline_kernel::{Blind, FaultKind, Faults, Space, Spec};
use beeline_promela::hir::{Model, ProcessId, ProcessKind};
use beeline_search::{
    CycleSearch, GoalHeuristics, Lasso, LassoImprovement, Limits, NestedDfs, Nesting, Progress,
    SccSearch, SearchQuery, SearchTarget, SliceBudget,
};
use beeline_testkit::model;

/// Expansions between two checks of the clock.
const LOOK: u64 = 1024;
/// Work limit of an improvement, a third of that of the automatic strategy.
pub(crate) const MOST: u64 = 1_000_000;
const BYTES: usize = 1 << 30;

/// The parts of a lasso, in steps.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Parts {
    pub(crate) seed: u64,
    pub(crate) cycle: u64,
}

impl Parts {
    pub(crate) fn total(self) -> u64 {
        self.seed + self.cycle
    }
}

/// The lasso that was found, its improved form, and the work.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Phases {
    pub(crate) found: Parts,
    pub(crate) improved: Parts,
    pub(crate) expanded: u64,
}

/// Whether a model has a never claim written by hand.
pub(crate) fn has_never_claim(file: &Path) -> bool {
    model::read(file).is_ok_and(|front| never_claim(&front.hir).is_some())
}

fn never_claim(model: &Model) -> Option<ProcessId> {
    let at = model.processes.iter().position(|process| process.kind == ProcessKind::Never)?;
    Some(ProcessId(at as u32))
}

/// Finds lassos by each of some searches, and shortens them, each within the time limit.
pub(crate) fn improve(
    file: &Path,
    property: &str,
    searches: &[&str],
    limit: Duration,
) -> Vec<Option<Phases>> {
    let none = || searches.iter().map(|_| None).collect();
    let Ok(front) = model::read(file) else { return none() };
    let machine = Machine::new(&front.hir, AutomataOptions::OPTIMISED);
    let claim = match property {
        "progress" => Some(Claim::progress()),
        "acceptance" => Some(Claim::acceptance()),
        "never" => never_claim(&front.hir).map(|number| machine.never_claim(number)),
        name => {
            let mut formulas = front.hir.formulas.iter();
            let number = formulas.position(|formula| *formula.name.name == *name);
            number.and_then(|number| machine.formula_claim(number).ok())
        }
    };
    let Some(claim) = claim else { return none() };
    let machine = machine.watched_by(claim);
    let product = Product::new(&machine, &machine).expect("the claim watches");
    searches.iter().map(|search| phases(&machine, &product, search, limit)).collect()
}

fn query<'q>() -> SearchQuery<'q> {
    let target = SearchTarget { faults: Faults::of(&[FaultKind::Claim]), ..SearchTarget::NOTHING };
    SearchQuery {
        limits: Limits { bytes: Some(BYTES), ..Limits::default() },
        ..SearchQuery::new(target)
    }
}

fn phases(
    machine: &Machine<'_>,
    space: &dyn Space,
    search: &str,
    limit: Duration,
) -> Option<Phases> {
    let lasso = match search {
        "ndfs" => found(&mut NestedDfs::new(space, Nesting::Plain, query()).ok()?, u64::MAX, limit),
        "indfs" => {
            found(&mut NestedDfs::new(space, Nesting::Improved, query()).ok()?, u64::MAX, limit)
        }
        _ => found(&mut SccSearch::new(space, query()).ok()?, u64::MAX, limit),
    }?;
    let first = parts(space, &lasso);
    let compass: GoalHeuristics<'_> = Box::new(move |state| {
        let goal = HeuristicGoal::State(state.to_vec());
        build(&Spec::named("hamming"), machine, &goal).unwrap_or_else(|_| Box::new(Blind))
    });
    let Some(mut shorter) = LassoImprovement::new(space, lasso, compass, query()).ok()? else {
        return Some(Phases { found: first, improved: first, expanded: 0 });
    };
    let last = found(&mut shorter, MOST, limit)?;
    let expanded = beeline_search::Search::stats(&shorter).expanded;
    Some(Phases { found: first, improved: parts(space, &last), expanded })
}

/// The lasso of a search when it ends, after `most` work, or at the time limit.
fn found(search: &mut dyn CycleSearch, most: u64, limit: Duration) -> Option<Lasso> {
    let begin = Instant::now();
    let mut left = most / LOOK;
    while left > 0 && begin.elapsed() < limit {
        if search.advance(SliceBudget::expansions(LOOK)) != Progress::Paused {
            break;
        }
        left -= 1;
    }
    search.lasso()
}

fn parts(space: &dyn Space, lasso: &Lasso) -> Parts {
    let length = lasso.length(&mut *space.expander()).expect("a lasso closes");
    Parts { seed: length.stem.0.into(), cycle: length.cycle.0.into() }
}
