//! Checking and counting with a store that does not keep all states: one that may overlook
//! some, or one that forgets some and meets them again.
//!
//! What is found is confirmed like any other violation. What is not found is *unknown* where
//! states may have been overlooked, and the reason says how many probably were; with the cache,
//! which overlooks none, it *holds* when the search comes to its end.

use beeline_kernel::{Space, Stop};
use beeline_search::{
    Again, Bitstate, Caching, Ceiling, FindingKind, HashCompact, IdaStar, Limits, Memory,
    Omissions, Order, Outcome, Partial, Quest, Search, StackSearch, Target, Then, Visited,
};

use crate::check::{Answer, CheckError, CheckReport, Checked, Scene, without_violation_after};
use crate::directed::{Heuristics, STILLBORN};
use crate::evidence::Evidence;
use crate::improve::filter_answer;
use crate::reduction::{Reducing, reducing_forgetfully};
use crate::run::{Ending, Plan, drive};
use crate::searches::{Algorithm, Way};
use crate::stores::Store;
use crate::watch::{News, Watch};
use crate::witness::blind_bound;

/// An array of bits and a cache are no larger than this, unless someone asks for more.
const MOST: usize = 1 << 30;

/// A set that may overlook states.
enum Set {
    Prints(HashCompact),
    Bits(Bitstate),
}

impl Set {
    /// The one of a store, empty, and how often to search with it. `Err` says why it cannot be
    /// had.
    fn new(store: Store, seed: u64, limits: Limits) -> Result<(Set, Again), String> {
        match store {
            Store::Bitstate { bits, bytes, runs } => {
                let array = Bitstate::new(seed, share(bytes, limits), bits);
                let array = array.ok_or("there is not so much memory for the array")?;
                Ok((Set::Bits(array), Again { seed, runs }))
            }
            Store::HashCompact { runs } => {
                let bytes = limits.bytes.unwrap_or(usize::MAX);
                let prints = HashCompact::new(seed, Ceiling { bytes, states: usize::MAX });
                Ok((Set::Prints(prints), Again { seed, runs }))
            }
            Store::Auto | Store::Exact | Store::Compact | Store::Cache { .. } => {
                unreachable!("these stores overlook nothing")
            }
        }
    }
}

/// How much an array or a cache takes: as asked for, or half of the memory and no more than
/// seems right.
fn share(asked: Option<usize>, limits: Limits) -> usize {
    asked.unwrap_or_else(|| limits.bytes.map_or(MOST, |bytes| bytes / 2).min(MOST))
}

/// A search through all states, for everything that is wrong with one, about to begin: in
/// breadth-first order where that is asked for and can be had, and depth-first otherwise, which
/// can be reduced. `Err` says why it cannot begin.
pub(crate) fn through_all<'a>(
    space: &'a dyn Space,
    plan: &Plan,
    store: Store,
    order: Order,
    reducing: Option<&'a Reducing<'a>>,
) -> Result<Box<dyn Search + 'a>, String> {
    let limits = plan.limits();
    let quest = Quest { then: Then::GoOn, limits, keep: 1, ..Quest::new(Target::ANYTHING) };
    if let Store::Cache { states, bytes } = store {
        return Ok(Box::new(caching(space, states, bytes, quest)?));
    }
    match Set::new(store, plan.auto.seed, limits)? {
        (Set::Bits(set), again) => blindly(space, (set, again), order, quest, reducing),
        (Set::Prints(set), again) => blindly(space, (set, again), order, quest, reducing),
    }
}

/// A depth-first search with a cache.
pub(crate) fn caching<'a>(
    space: &'a dyn Space,
    states: Option<usize>,
    bytes: Option<usize>,
    quest: Quest<'a>,
) -> Result<Caching<'a>, String> {
    // Who says how many states does not say how much memory.
    let bytes = if states.is_some() && bytes.is_none() {
        quest.limits.bytes.unwrap_or(usize::MAX)
    } else {
        share(bytes, quest.limits)
    };
    let room = Ceiling { states: states.unwrap_or(usize::MAX), bytes };
    Caching::new(space, room, quest).map_err(|_| STILLBORN.to_owned())
}

fn blindly<'a, V: Visited + 'a>(
    space: &'a dyn Space,
    (visited, again): (V, Again),
    order: Order,
    quest: Quest<'a>,
    reducing: Option<&'a Reducing<'a>>,
) -> Result<Box<dyn Search + 'a>, String> {
    let stillborn = |_| STILLBORN.to_owned();
    if order == Order::Breadth {
        let search = Partial::breadth_first(space, (visited, again), quest);
        return Ok(boxed(search.map_err(stillborn)?));
    }
    let search = StackSearch::new(space, visited, again, quest).map_err(stillborn)?;
    match reducing {
        None => Ok(boxed(search)),
        Some(reducing) => {
            let reduced = search.with_reduction(reducing.reduction());
            Ok(boxed(reduced.map_err(|refusal| refusal.to_string())?))
        }
    }
}

fn boxed<'a>(search: impl Search + 'a) -> Box<dyn Search + 'a> {
    Box::new(search)
}

/// A directed search with a store that may overlook states, about to begin. `Err` says why it
/// cannot.
pub(crate) fn start<'a>(
    space: &'a dyn Space,
    algorithm: Algorithm,
    heuristics: Heuristics<'a>,
    (store, seed): (Store, u64),
    quest: Quest<'a>,
) -> Result<Box<dyn Search + 'a>, String> {
    match Set::new(store, seed, quest.limits)? {
        (Set::Bits(set), again) => start_in(space, algorithm, heuristics, (set, again), quest),
        (Set::Prints(set), again) => start_in(space, algorithm, heuristics, (set, again), quest),
    }
}

fn start_in<'a, V: Visited + 'a>(
    space: &'a dyn Space,
    algorithm: Algorithm,
    Heuristics { first, others, second }: Heuristics<'a>,
    set: (V, Again),
    quest: Quest<'a>,
) -> Result<Box<dyn Search + 'a>, String> {
    let search: Result<Box<dyn Search + 'a>, _> = match algorithm {
        Algorithm::BestFirst(method) if !(others.is_empty() && method.variety.is_none()) => {
            return Err(LISTS.to_owned());
        }
        Algorithm::BestFirst(method) => {
            Partial::new(space, first, method, set, quest).map(|search| match second {
                Some(second) => boxed(search.with_second(second)),
                None => boxed(search),
            })
        }
        Algorithm::Ida(deepening) if deepening.memory == Memory::Path => {
            IdaStar::partial(space, first, deepening, set, quest).map(boxed)
        }
        Algorithm::Ida(_) => {
            let why = "`table` is for stores that keep states in full: leave it out";
            return Err(why.to_owned());
        }
        _ => return Err(OTHERS.to_owned()),
    };
    search.map_err(|_| STILLBORN.to_owned())
}

const LISTS: &str = "a store that may overlook states goes with one list by one heuristic: leave \
                     out the others, and `preferred`, `useless`, `epsilon`, `types` and `novelty`";

const OTHERS: &str = "a store that may overlook states goes with dfs, bfs, dijkstra, astar, gbfs \
                      and ida, not with this search";

/// Why nothing can be said about what was not found.
pub(crate) fn reason(stop: Stop, omissions: Option<Omissions>) -> String {
    match omissions {
        Some(omissions) if stop == Stop::LossyStore => format!("{stop}: {omissions}"),
        _ => stop.to_string(),
    }
}

/// Why there is no verdict about a property that states do not settle.
pub(crate) fn not_for_claims(store: Store) -> String {
    format!("the store {} is for properties of states, not for claims yet", store.name())
}

/// Settles what can be settled with such a store, all properties at once.
pub(crate) fn check_forgetfully(
    scene: &Scene<'_>,
    store: Store,
    watch: &mut dyn Watch,
) -> Result<CheckReport, CheckError> {
    let &Scene { properties, ref watched, machine, space, plan, .. } = scene;
    let unknown = |why: &str| {
        let answer = |property| Checked::new(property, Answer::Unknown(why.to_owned()));
        let properties = properties.iter().map(answer).collect();
        Ok(CheckReport { properties, ..CheckReport::default() })
    };
    if let Way::Directed(_) = plan.search.way {
        return unknown("the store cache goes with depth-first search only, not with directed");
    }
    let order = order(plan, store);
    let targets: Vec<_> = properties.iter().filter_map(|one| watched.target(one)).collect();
    let (reducing, remark) = reducing_forgetfully(machine, &targets, plan, (store, order))?;
    let mut search = match through_all(space, plan, store, order, reducing.as_ref()) {
        Ok(search) => search,
        Err(why) => return unknown(&why),
    };
    let instead = instead(plan, store, order);
    if let Some(instead) = &instead {
        watch.hear(&News::Change(instead));
    }
    // Not even breadth-first search knows that there is no shorter way.
    let bound = |moves| blind_bound(Order::Depth, moves);
    let mut evidence = Evidence::new(scene, bound);
    let ending = drive(&mut *search, watch, |search, watch| evidence.gather(search, watch));
    let mut found = evidence.answers()?;
    let mut report = CheckReport {
        stats: search.stats(),
        peak_bytes: ending.peak_bytes,
        ..CheckReport::default()
    };
    for property in properties {
        let Some(target) = watched.target(property) else {
            let why = not_for_claims(store);
            report.properties.push(Checked::new(property, Answer::Unknown(why)));
            continue;
        };
        let open = || without_finding(&*search, &ending);
        let mut answer = found.next().flatten().unwrap_or_else(open);
        let is_reduced = reducing.is_some();
        let filtered = is_reduced.then(|| filter_answer(machine, target, &mut answer)).flatten();
        let mut checked = Checked::new(property, answer);
        let remarks = [instead.clone(), remark.clone(), filtered];
        checked.remarks.extend(remarks.into_iter().flatten());
        report.properties.push(checked);
    }
    Ok(report)
}

/// The order in which states are searched that are not kept.
fn order(plan: &Plan, store: Store) -> Order {
    match plan.search.way {
        Way::Blind(Order::Breadth) if store.is_lossy() => Order::Breadth,
        _ => Order::Depth,
    }
}

/// What to say when another search was asked for.
fn instead(plan: &Plan, store: Store, order: Order) -> Option<String> {
    let (name, store) = (&plan.search.name, store.name());
    match plan.search.way {
        Way::Blind(asked) if asked == order => None,
        Way::Cycles(_) => None,
        _ => Some(format!("depth-first instead of {name}, for the store {store}")),
    }
}

/// The answer to a property that nothing was found against.
fn without_finding(search: &dyn Search, ending: &Ending) -> Answer {
    let hits = search.hits();
    let met = |kind| {
        hits.iter().any(|hit| matches!(hit.kind, FindingKind::Fault(fault) if fault.kind == kind))
    };
    match (ending.outcome, search.omissions()) {
        (Outcome::Incomplete(stop), omissions) => Answer::Unknown(reason(stop, omissions)),
        // Neither says anything about this property.
        (_, Some(omissions)) => Answer::Unknown(reason(Stop::LossyStore, Some(omissions))),
        (outcome, None) => without_violation_after(met, outcome),
    }
}
