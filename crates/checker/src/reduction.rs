//! Partial order reduction, as it is asked for: the table of reductions, which cycle condition
//! suits a search and a property, and why there is sometimes none.

use beeline_analysis::reduction::{Independence, Preserve, Proposals};
use beeline_engine::claim::{Claim, Origin};
use beeline_engine::interpreter::Machine;
use beeline_kernel::Space;
use beeline_kernel::spec::Spec;
use beeline_search::{
    Backoff, CycleCondition, Exploration, ExplorationOrder, Faults, Invariants, PathCompression,
    Reduction, Refusal, SearchTarget, StateStore,
};

use crate::arguments::Arguments;
use crate::check::CheckError;
use crate::claims::{Fairness, counts_steps};
use crate::run::Plan;
use crate::searches::{DirectedAlgorithm, SearchArgument, Strategy};
use crate::stores::Store;

/// Whether ways are left out that others stand for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ReductionChoice {
    /// The automatic strategy does, where that pays. A search that is asked for by name sees
    /// all states.
    #[default]
    Auto,
    /// Never.
    Off,
    /// Stubborn sets.
    Stubborn {
        /// How it is made sure that nothing is postponed for ever; `None` for what suits best.
        c3: Option<CycleProviso>,
        /// How long to try.
        effort: Backoff,
        /// Whether states of which a single way is kept are passed and not stored.
        pass: bool,
    },
}

/// What keeps ways from being postponed for ever.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CycleProviso {
    /// Edges that lead back in a process are never taken alone.
    Static,
    /// Something about the successors.
    Condition(CycleCondition),
}

/// A reduction that can be asked for by name.
#[derive(Clone, Copy, Debug)]
pub struct ReductionRow {
    /// The name.
    pub name: &'static str,
    /// Other names.
    pub aliases: &'static [&'static str],
    /// What it does.
    pub about: &'static str,
    /// What it promises.
    pub promises: &'static str,
    /// What can stand in brackets.
    pub arguments: &'static [SearchArgument],
    /// The reduction, where nothing stands there.
    pub reduce: ReductionChoice,
}

/// All reductions there are. The first is the default.
pub const REDUCTIONS: &[ReductionRow] = &[
    ReductionRow {
        name: "auto",
        aliases: &[],
        about: "stubborn sets for the proof of the automatic strategy, as long as they pay; a \
                search that is asked for by name sees all states",
        promises: "the same verdicts as without",
        arguments: &[],
        reduce: ReductionChoice::Auto,
    },
    ReductionRow {
        name: "off",
        aliases: &["none"],
        about: "every way out of every state",
        promises: "nothing is left out",
        arguments: &[],
        reduce: ReductionChoice::Off,
    },
    ReductionRow {
        name: "stubborn",
        aliases: &["ample"],
        about: "of steps that do not get in each other's way, one order is enough: in each state, \
                the steps of some processes stand for all. Deadlocks alone are reduced most",
        promises: "the same verdicts as without, but no shortest trails; for cycles with ndfs, \
                   indfs and scc, without X and --fair",
        arguments: &[
            SearchArgument {
                name: "c3",
                values: "best, none, stack, stack-, duplicate, duplicate-, open, static",
                about: "what keeps a step from being postponed for ever: what suits the search and \
                        the property; nothing (for deadlocks); no successor on the stack, or not \
                        all; none, or not all, met before; not all expanded before; or edges that \
                        lead back in a process are never taken alone",
            },
            SearchArgument {
                name: "when",
                values: "always, or pays",
                about: "whether to give up after ten thousand states that were hardly reduced",
            },
            SearchArgument {
                name: "pass",
                values: "no, or yes",
                about: "whether a state of which one way is kept is passed and not stored, which \
                        takes less memory and more time: for deadlocks alone, with bfs, dfs and \
                        random-dfs",
            },
        ],
        reduce: ReductionChoice::Stubborn { c3: None, effort: Backoff::Always, pass: false },
    },
];

/// Reads a reduction as it is written on the command line.
///
/// # Errors
///
/// When there is no such reduction, or it has no such arguments: in words, with what there is.
pub fn parse_reduction(text: &str) -> Result<ReductionChoice, String> {
    let spec = Spec::parse(text).map_err(|error| error.to_string())?;
    let is_meant =
        |row: &&ReductionRow| row.name == spec.name || row.aliases.contains(&&*spec.name);
    let Some(row) = REDUCTIONS.iter().find(is_meant) else {
        let names: Vec<_> = REDUCTIONS.iter().map(|row| row.name).collect();
        let (name, names) = (&spec.name, names.join(", "));
        return Err(format!("there is no reduction `{name}`; there are: {names}"));
    };
    let names: Vec<&str> = row.arguments.iter().map(|argument| argument.name).collect();
    let mut arguments = Arguments::new(&spec, &names)?;
    let ReductionChoice::Stubborn { .. } = row.reduce else { return Ok(row.reduce) };
    let mut against = vec![("best", None), ("static", Some(CycleProviso::Static))];
    let conditions = CycleCondition::ALL.into_iter();
    against.extend(conditions.map(|one| (one.word(), Some(CycleProviso::Condition(one)))));
    let c3 = arguments.choice("c3", &against)?;
    let efforts = [("always", Backoff::Always), ("pays", Backoff::WhenItPays)];
    let effort = arguments.choice("when", &efforts)?;
    let pass = arguments.choice("pass", &[("no", false), ("yes", true)])?;
    Ok(ReductionChoice::Stubborn { c3, effort, pass })
}

/// What a search is after.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum ErrorClass {
    /// States in which nothing can happen.
    Deadlocks,
    /// Faults as well.
    Faults,
    /// Invariants as well.
    Invariants,
}

/// Why states are not reduced.
enum Refused {
    /// As it was asked for, it would be wrong.
    Unsound(String),
    /// There is nothing to be had here.
    Pointless(String),
}

/// A reduction of the states of a machine.
pub(crate) struct ActiveReduction<'a> {
    facts: Independence<'a>,
    condition: CycleCondition,
    effort: Backoff,
    passes: bool,
}

impl<'a> ActiveReduction<'a> {
    /// For such an aim, with this against postponing for ever if nothing else is asked for.
    fn new(
        machine: &'a Machine<'a>,
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
        if condition == CycleCondition::None && !cycles && aim != ErrorClass::Deadlocks {
            let why =
                "c3=none is sound for deadlocks alone: add --property deadlock, or leave c3 out";
            return Err(Refused::Unsound(why.to_owned()));
        }
        let keep = Preserve {
            faults: aim != ErrorClass::Deadlocks,
            property: aim == ErrorClass::Invariants,
            cycles,
        };
        match Independence::of(machine, keep) {
            Ok(facts) => Ok(ActiveReduction { facts, condition, effort, passes: false }),
            Err(obstacle) => Err(Refused::Pointless(not_reduced(obstacle.reason()))),
        }
    }

    /// An exploration that has not begun, of a space with the states of the machine, reduced.
    ///
    /// # Errors
    ///
    /// When it does not take the reduction.
    pub(crate) fn reduced<'e, T: StateStore>(
        &'e self,
        exploration: Exploration<'e, T>,
        space: &'e dyn Space,
    ) -> Result<Exploration<'e, T>, CheckError> {
        let reduced = exploration.with_reduction(self.reduction()).map_err(refused)?;
        if !self.passes {
            return Ok(reduced);
        }
        let reducer = Box::new(self.facts.reducer(Proposals::One));
        Ok(reduced.with_passage(PathCompression::new(space, reducer)))
    }

    /// For a search.
    pub(crate) fn reduction(&self) -> Reduction<'_> {
        let reducer = self.facts.reducer(Proposals::All);
        Reduction::new(Box::new(reducer), self.condition, self.effort)
    }
}

/// What violates some properties of states, as an aim.
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

/// The reduction that a plan asks for, with a search that it names; where there is none, what is
/// said about that.
///
/// # Errors
///
/// When it would be wrong.
pub(crate) fn reducing<'a>(
    machine: &'a Machine<'a>,
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
    let found =
        passes.and_then(|()| ActiveReduction::new(machine, aim(targets), usual, c3, effort));
    told(found.map(|found| Some(ActiveReduction { passes: pass, ..found })))
}

/// The same for a search in this order with a store that does not keep all states.
///
/// # Errors
///
/// When it would be wrong.
pub(crate) fn reducing_lossy<'a>(
    machine: &'a Machine<'a>,
    targets: &[SearchTarget],
    plan: &Plan,
    (store, order): (Store, ExplorationOrder),
) -> Result<(Option<ActiveReduction<'a>>, Option<String>), CheckError> {
    let ReductionChoice::Stubborn { c3, effort, pass } = plan.reduce else {
        return Ok((None, None));
    };
    let found = may_pass(pass, false).and_then(|()| {
        if !store.is_lossy() {
            let why = "states come back that the cache has forgotten";
            return Err(Refused::Pointless(not_reduced(why)));
        }
        if order == ExplorationOrder::Breadth {
            let why = "with this store, only depth-first search can be: add --search dfs";
            return Err(Refused::Pointless(not_reduced(why)));
        }
        if matches!(c3, Some(CycleProviso::Condition(c3)) if !CycleCondition::OF_STATES_MET.contains(&c3)) {
            let why = "of states that are not kept nothing is known but that they were met: c3 is \
                       duplicate-, duplicate, static or, for deadlocks, none";
            return Err(Refused::Unsound(why.to_owned()));
        }
        ActiveReduction::new(machine, aim(targets), CycleCondition::DuplicateMinus, c3, effort)
    });
    told(found.map(Some))
}

/// The reduction that the automatic strategy makes use of, if there is one.
///
/// # Errors
///
/// When one was asked for that would be wrong.
pub(crate) fn reducing_for_proof<'a>(
    machine: &'a Machine<'a>,
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
        .and_then(|()| ActiveReduction::new(machine, aim, usual, c3, Backoff::Always));
    Ok(told(found.map(Some))?.0)
}

/// Whether states may be passed, if that is asked for, and what if not.
fn may_pass(is_asked: bool, is_fit: bool) -> Result<(), Refused> {
    if is_asked && !is_fit {
        let why = "pass=yes is for deadlocks alone, with bfs, dfs or random-dfs, a store that \
                   keeps all states, c3=none and no --depth: add --property deadlock --search bfs, \
                   or leave pass out";
        return Err(Refused::Unsound(why.to_owned()));
    }
    Ok(())
}

/// What there is, and otherwise what is said about that.
fn told<T>(found: Result<Option<T>, Refused>) -> Result<(Option<T>, Option<String>), CheckError> {
    match found {
        Ok(found) => Ok((found, None)),
        Err(Refused::Pointless(why)) => Ok((None, Some(why))),
        Err(Refused::Unsound(why)) => Err(CheckError::Reduction(why)),
    }
}

/// That a search does not take a reduction.
pub(crate) fn refused(refusal: Refusal) -> CheckError {
    CheckError::Reduction(refusal.to_string())
}

/// What is said where there is no reduction.
fn not_reduced(why: &str) -> String {
    format!("not reduced, because {why}")
}

/// The condition that suits a search that is asked for by name.
fn usual_condition(strategy: &Strategy) -> CycleCondition {
    match strategy {
        Strategy::Blind(ExplorationOrder::Depth | ExplorationOrder::RandomDepth { .. })
        | Strategy::Cycles(_) => CycleCondition::StackMinus,
        Strategy::Directed(directed) => match directed.algorithm {
            DirectedAlgorithm::Ida(_) => CycleCondition::StackMinus,
            _ => CycleCondition::Open,
        },
        Strategy::Blind(ExplorationOrder::Breadth) | Strategy::Auto(_) => CycleCondition::Open,
    }
}

/// The facts for reducing the system that a claim watches: every state for itself, since a
/// search for cycles comes to states twice. Where there are none, what is said about that.
///
/// # Errors
///
/// When it would be wrong.
pub(crate) fn reducing_for_claim<'a>(
    machine: &'a Machine<'a>,
    claim: &Claim,
    plan: &Plan,
) -> Result<(Option<Independence<'a>>, Option<String>), CheckError> {
    told(claim_facts(machine, claim, plan))
}

fn claim_facts<'a>(
    machine: &'a Machine<'a>,
    claim: &Claim,
    plan: &Plan,
) -> Result<Option<Independence<'a>>, Refused> {
    let ReductionChoice::Stubborn { c3, pass, .. } = plan.reduce else { return Ok(None) };
    may_pass(pass, false)?;
    if !matches!(c3, None | Some(CycleProviso::Static)) {
        let why = "for claims, c3 is static: other conditions are not sound where states are \
                   visited twice";
        return Err(Refused::Unsound(why.to_owned()));
    }
    let pointless = |why: &str| Err(Refused::Pointless(not_reduced(why)));
    if plan.fairness != Fairness::None {
        return pointless("fairness is about steps that would be left out");
    }
    match claim.origin {
        Origin::Never(_) => {
            return pointless("nobody knows whether the never claim counts steps");
        }
        Origin::Formula(_) if counts_steps(machine, claim) => {
            return pointless("the formula counts steps, with `X`");
        }
        _ => {}
    }
    if !matches!(
        plan.search.strategy,
        Strategy::Cycles(_) | Strategy::Blind(ExplorationOrder::Depth)
    ) {
        return pointless("the search looks for short lassos; ndfs, indfs and scc do not");
    }
    match Independence::of(machine, Preserve { faults: true, property: true, cycles: true }) {
        Ok(facts) => Ok(Some(facts)),
        Err(obstacle) => pointless(obstacle.reason()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_row_can_be_asked_for_by_its_name_alone() {
        for row in REDUCTIONS {
            assert_eq!(parse_reduction(row.name), Ok(row.reduce));
        }
    }

    #[test]
    fn arguments_make_the_difference() {
        let minus = CycleProviso::Condition(CycleCondition::StackMinus);
        let stubborn = |c3, effort, pass| ReductionChoice::Stubborn { c3: Some(c3), effort, pass };
        let reduce = stubborn(minus, Backoff::WhenItPays, false);
        assert_eq!(parse_reduction("stubborn(c3=stack-, when=pays)"), Ok(reduce));
        let none = CycleProviso::Condition(CycleCondition::None);
        let reduce = stubborn(none, Backoff::Always, true);
        assert_eq!(parse_reduction("stubborn(none, pass=yes)"), Ok(reduce));
        let reduce = stubborn(CycleProviso::Static, Backoff::Always, false);
        assert_eq!(parse_reduction("stubborn(static)"), Ok(reduce));
        assert_eq!(parse_reduction("ample(static)"), Ok(reduce));
        assert_eq!(parse_reduction("none"), Ok(ReductionChoice::Off));
    }

    #[test]
    fn mistakes_are_named() {
        let wrong = |text| parse_reduction(text).expect_err("it is wrong");
        assert!(wrong("sleep").contains("there is no reduction `sleep`; there are: auto"));
        assert!(wrong("off(1)").contains("takes no arguments"));
        assert!(wrong("stubborn(c3=heap)").contains("`c3` is one of best, static, none"));
        assert!(wrong("stubborn(when=never)").contains("`when` is one of always, pays"));
    }
}
