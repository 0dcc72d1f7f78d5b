//! The reduction of a search: its cycle condition, which depends on search and property, or the
//! reason why there is no reduction.

use std::fmt;

use beeline_kernel::{Faults, Preserve, Proposals, Space};
use beeline_model::{ClaimFacts, Fairness, Independence, System};
use beeline_search::{
    Backoff, CycleCondition, Exploration, ExplorationOrder, Invariants, PathCompression, Reduction,
    Refusal, SearchTarget, StateStore,
};

use crate::plan::{CycleProviso, Plan, ReductionChoice, Store, Strategy};
use crate::report::CheckError;

/// The errors that a reduction preserves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum ErrorClass {
    /// Deadlocks alone.
    Deadlocks,
    /// Deadlocks and faults.
    Faults,
    /// Deadlocks, faults and violated invariants.
    Invariants,
}

/// Why there is no reduction.
enum Refused {
    /// The requested reduction is unsound.
    Unsound(String),
    /// No reduction is possible here.
    Pointless(String),
}

/// A reduction of the state space of a system.
pub(crate) struct ActiveReduction<'a> {
    facts: Box<dyn Independence + 'a>,
    condition: CycleCondition,
    effort: Backoff,
    passes: bool,
}

impl<'a> ActiveReduction<'a> {
    /// A reduction that preserves `aim`, with the cycle condition `c3`, or else `usual`.
    fn new(
        system: &'a dyn System,
        aim: ErrorClass,
        usual: CycleCondition,
        c3: Option<CycleProviso>,
        effort: Backoff,
    ) -> Result<Self, Refused> {
        let usual = if aim == ErrorClass::Deadlocks { CycleCondition::None } else { usual };
        let (condition, cycles) = match c3.unwrap_or(CycleProviso::Condition(usual)) {
            CycleProviso::Static => (CycleCondition::None, true),
            CycleProviso::Condition(condition) => (condition, false),
        };
        let keep = Preserve {
            faults: aim != ErrorClass::Deadlocks,
            property: aim == ErrorClass::Invariants,
            cycles,
        };
        let facts = system.independence(keep);
        let needs_none = facts.as_ref().is_ok_and(|facts| facts.keeps_cheapest());
        let condition = match (needs_none, c3) {
            (true, None) => CycleCondition::None,
            _ => condition,
        };
        let has_none = condition == CycleCondition::None && !cycles;
        if has_none && aim != ErrorClass::Deadlocks && !needs_none {
            let why =
                "c3=none is sound for deadlocks alone: add --property deadlock, or leave c3 out";
            return Err(Refused::Unsound(why.to_owned()));
        }
        match facts {
            Ok(facts) => Ok(ActiveReduction { facts, condition, effort, passes: false }),
            Err(why) => Err(Refused::Pointless(not_reduced(&why))),
        }
    }

    /// Reduces an exploration that has not started. The states of `space` are those of the system.
    ///
    /// # Errors
    ///
    /// When the exploration refuses the reduction.
    pub(crate) fn reduced<'e, T: StateStore>(
        &'e self,
        exploration: Exploration<'e, T>,
        space: &'e dyn Space,
    ) -> Result<Exploration<'e, T>, CheckError> {
        let reduced = exploration.with_reduction(self.reduction()).map_err(refused)?;
        if !self.passes {
            return Ok(reduced);
        }
        let reducer = self.facts.reducer(Proposals::One);
        Ok(reduced.with_passage(PathCompression::new(space, reducer)))
    }

    /// Whether breadth-first search in threads takes the reduction: without a stack, and without
    /// path compression.
    pub(crate) fn suits_threads(&self) -> bool {
        !self.passes && !self.condition.needs_stack()
    }

    /// The reduction, for a search.
    pub(crate) fn reduction(&self) -> Reduction<'_> {
        let reducer = self.facts.reducer(Proposals::All);
        Reduction::new(reducer, self.condition, self.effort)
    }
}

/// The class of errors that covers all targets.
fn aim(targets: &[SearchTarget]) -> ErrorClass {
    let is_met = |test: fn(&SearchTarget) -> bool| targets.iter().any(test);
    if is_met(|target| target.invariants != Invariants::None) {
        ErrorClass::Invariants
    } else if is_met(|target| target.faults != Faults::NONE) {
        ErrorClass::Faults
    } else {
        ErrorClass::Deadlocks
    }
}

/// The reduction that a plan requests for the search that it names, or a remark why there is none.
///
/// # Errors
///
/// When the reduction is unsound.
pub(crate) fn reducing<'a>(
    system: &'a dyn System,
    targets: &[SearchTarget],
    plan: &Plan,
) -> Result<(Option<ActiveReduction<'a>>, Option<String>), CheckError> {
    let ReductionChoice::Stubborn { c3, effort, pass } = plan.reduce else {
        return Ok((None, None));
    };
    let usual = usual_condition(&plan.search.strategy);
    let is_blind = matches!(plan.search.strategy, Strategy::Blind(_)) && plan.depth.is_none();
    let asks_nothing = matches!(c3, None | Some(CycleProviso::Condition(CycleCondition::None)));
    let is_fit = is_blind && asks_nothing && aim(targets) == ErrorClass::Deadlocks;
    let passes = may_pass(pass, is_fit);
    let found = passes.and_then(|()| ActiveReduction::new(system, aim(targets), usual, c3, effort));
    told(found.map(|found| Some(ActiveReduction { passes: pass, ..found })))
}

/// The same for a search in this order with a store that does not keep all states.
///
/// # Errors
///
/// When the reduction is unsound.
pub(crate) fn reducing_lossy<'a>(
    system: &'a dyn System,
    targets: &[SearchTarget],
    plan: &Plan,
    (store, order): (Store, ExplorationOrder),
) -> Result<(Option<ActiveReduction<'a>>, Option<String>), CheckError> {
    let ReductionChoice::Stubborn { c3, effort, pass } = plan.reduce else {
        return Ok((None, None));
    };
    let found = may_pass(pass, false).and_then(|()| {
        if !store.is_lossy() {
            let why = "a state that was removed from the cache may be expanded again";
            return Err(Refused::Pointless(not_reduced(&why)));
        }
        if order == ExplorationOrder::Breadth {
            let why = "with this store, only depth-first search can be reduced: add --search dfs";
            return Err(Refused::Pointless(not_reduced(&why)));
        }
        if matches!(c3, Some(CycleProviso::Condition(c3)) if !CycleCondition::OF_STATES_MET.contains(&c3)) {
            let why = "a lossy store only knows which states were generated before: c3 must be \
                       duplicate-, duplicate, static or, for deadlocks, none";
            return Err(Refused::Unsound(why.to_owned()));
        }
        ActiveReduction::new(system, aim(targets), CycleCondition::DuplicateMinus, c3, effort)
    });
    told(found.map(Some))
}

/// The reduction for the reduced proof of the automatic strategy, if there is one.
///
/// # Errors
///
/// When the requested reduction is unsound.
pub(crate) fn reducing_for_proof<'a>(
    system: &'a dyn System,
    targets: &[SearchTarget],
    plan: &Plan,
) -> Result<Option<ActiveReduction<'a>>, CheckError> {
    let (c3, pass) = match plan.reduce {
        ReductionChoice::Off => return Ok(None),
        ReductionChoice::Auto => (None, false),
        ReductionChoice::Stubborn { c3, pass, .. } => (c3, pass),
    };
    let (aim, usual) = (aim(targets), CycleCondition::Open);
    let found = may_pass(pass, false)
        .and_then(|()| ActiveReduction::new(system, aim, usual, c3, Backoff::Always));
    Ok(told(found.map(Some))?.0)
}

/// The reduction for the searches of the planning strategy: one that keeps cheapest paths, as long as
/// it pays unless another one is requested.
///
/// # Errors
///
/// When the requested reduction is unsound.
pub(crate) fn reducing_for_plan<'a>(
    system: &'a dyn System,
    target: SearchTarget,
    plan: &Plan,
) -> Result<Option<ActiveReduction<'a>>, CheckError> {
    let (c3, pass, effort) = match plan.reduce {
        ReductionChoice::Off => return Ok(None),
        ReductionChoice::Auto => (None, false, Backoff::WhenItPaysSoon),
        ReductionChoice::Stubborn { c3, pass, effort } => (c3, pass, effort),
    };
    let found = may_pass(pass, false).and_then(|()| {
        ActiveReduction::new(system, aim(&[target]), CycleCondition::Open, c3, effort)
    });
    let found = told(found.map(Some))?.0;
    Ok(found.filter(|found| found.facts.keeps_cheapest()))
}

/// Refuses path compression if it is requested but not applicable.
fn may_pass(is_asked: bool, is_fit: bool) -> Result<(), Refused> {
    if is_asked && !is_fit {
        let why = "pass=yes works for deadlocks alone, with bfs, dfs or random-dfs, a lossless \
                   store, c3=none and no --depth: add --property deadlock --search bfs, or leave \
                   pass out";
        return Err(Refused::Unsound(why.to_owned()));
    }
    Ok(())
}

/// The result, or the remark why there is none.
fn told<T>(found: Result<Option<T>, Refused>) -> Result<(Option<T>, Option<String>), CheckError> {
    match found {
        Ok(found) => Ok((found, None)),
        Err(Refused::Pointless(why)) => Ok((None, Some(why))),
        Err(Refused::Unsound(why)) => Err(CheckError::Reduction(why)),
    }
}

/// The error of a search that refuses a reduction.
pub(crate) fn refused(refusal: Refusal) -> CheckError {
    CheckError::Reduction(refusal.to_string())
}

/// The remark why there is no reduction.
pub(crate) fn not_reduced(why: &impl fmt::Display) -> String {
    format!("not reduced, because {why}")
}

/// The cycle condition that suits a search.
fn usual_condition(strategy: &Strategy) -> CycleCondition {
    match strategy {
        Strategy::Blind(ExplorationOrder::Depth | ExplorationOrder::RandomDepth { .. })
        | Strategy::Cycles(_) => CycleCondition::StackMinus,
        Strategy::Directed(directed) => directed.algorithm.suited_condition(),
        Strategy::Blind(ExplorationOrder::Breadth) | Strategy::Auto(_) | Strategy::Symbolic(_) => {
            CycleCondition::Open
        }
    }
}

/// Whether the system of a product is reduced, or a remark why not. The reduction depends on the
/// state alone, since a cycle search visits states twice.
///
/// # Errors
///
/// When the requested reduction is unsound.
pub(crate) fn reducing_for_claim(
    claim: ClaimFacts,
    plan: &Plan,
) -> Result<(bool, Option<String>), CheckError> {
    let (reduced, remark) = told(is_reducible(claim, plan))?;
    Ok((reduced.is_some(), remark))
}

fn is_reducible(claim: ClaimFacts, plan: &Plan) -> Result<Option<()>, Refused> {
    let ReductionChoice::Stubborn { c3, pass, .. } = plan.reduce else { return Ok(None) };
    may_pass(pass, false)?;
    if !matches!(c3, None | Some(CycleProviso::Static)) {
        let why = "for claims, c3 must be static: other conditions are unsound where states are \
                   visited twice";
        return Err(Refused::Unsound(why.to_owned()));
    }
    let pointless = |why: &str| Err(Refused::Pointless(not_reduced(&why)));
    if plan.fairness != Fairness::None {
        return pointless("weak fairness depends on the steps that a reduction omits");
    }
    if claim.is_never_claim {
        return pointless("the never claim may count steps");
    }
    if claim.counts_steps {
        return pointless("the formula counts steps, with `X`");
    }
    if !matches!(
        plan.search.strategy,
        Strategy::Cycles(_) | Strategy::Blind(ExplorationOrder::Depth)
    ) {
        return pointless(
            "the search looks for short lassos; ndfs, indfs, cndfs and scc can be \
                          reduced",
        );
    }
    Ok(Some(()))
}
