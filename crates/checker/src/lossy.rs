//! Checking and counting with a store that may overlook states: depth-first, for all
//! properties of states together.
//!
//! What it finds is confirmed like any other violation. What it does not find is *unknown*,
//! and the reason says how many states were probably overlooked.

use beeline_engine::interpreter::Machine;
use beeline_kernel::{Space, Stop};
use beeline_search::{
    Again, Bitstate, Ceiling, HashCompact, Hit, Limits, Omissions, Order, Outcome, Quest, Search,
    StackSearch, Target, Then,
};

use crate::check::{Answer, CheckError, CheckReport, Checked, Scene};
use crate::run::{Ending, Plan, drive};
use crate::searches::Way;
use crate::stores::Store;
use crate::watch::{News, Watch};
use crate::witness::{blind_bound, witness};

/// The array of a bit-state store is no longer than this, unless someone asks for more.
const MOST: usize = 1 << 30;

/// A search with a store that may overlook states.
pub(crate) enum Lossy<'a> {
    Prints(StackSearch<'a, HashCompact>),
    Bits(StackSearch<'a, Bitstate>),
}

impl<'a> Lossy<'a> {
    /// For everything that is wrong with a state, in one of these stores. `Err` says why it
    /// cannot begin.
    pub(crate) fn begin(space: &'a dyn Space, plan: &Plan, store: Store) -> Result<Self, String> {
        let limits = plan.limits();
        let quest = Quest { then: Then::GoOn, limits, keep: 1, ..Quest::new(Target::ANYTHING) };
        let again = |runs| Again { seed: plan.auto.seed, runs };
        let stillborn = |_| "the model fails before its first step".to_owned();
        match store {
            Store::Bitstate { bits, bytes, runs } => {
                let array = Bitstate::new(plan.auto.seed, array_bytes(bytes, limits), bits);
                let array = array.ok_or("there is not so much memory for the array")?;
                let search = StackSearch::new(space, array, again(runs), quest);
                search.map(Lossy::Bits).map_err(stillborn)
            }
            Store::HashCompact { runs } => {
                let bytes = limits.bytes.unwrap_or(usize::MAX);
                let ceiling = Ceiling { bytes, states: usize::MAX };
                let prints = HashCompact::new(plan.auto.seed, ceiling);
                let search = StackSearch::new(space, prints, again(runs), quest);
                search.map(Lossy::Prints).map_err(stillborn)
            }
            Store::Auto | Store::Exact | Store::Compact => {
                unreachable!("these stores overlook nothing")
            }
        }
    }

    pub(crate) fn search(&mut self) -> &mut dyn Search {
        match self {
            Lossy::Prints(search) => search,
            Lossy::Bits(search) => search,
        }
    }

    pub(crate) fn omissions(&self) -> Omissions {
        match self {
            Lossy::Prints(search) => search.omissions(),
            Lossy::Bits(search) => search.omissions(),
        }
    }
}

/// How long an array is: as asked for, or half of the memory and no longer than seems right.
fn array_bytes(asked: Option<usize>, limits: Limits) -> usize {
    asked.unwrap_or_else(|| limits.bytes.map_or(MOST, |bytes| bytes / 2).min(MOST))
}

/// Why nothing can be said about what was not found.
pub(crate) fn reason(stop: Stop, omissions: Omissions) -> String {
    match stop {
        Stop::LossyStore => format!("{stop}: {omissions}"),
        _ => stop.to_string(),
    }
}

/// Settles what can be settled with such a store.
pub(crate) fn check_lossily(
    scene: &Scene<'_>,
    store: Store,
    watch: &mut dyn Watch,
) -> Result<CheckReport, CheckError> {
    let &Scene { properties, ref watched, machine, space, plan, all } = scene;
    let name = store.name();
    let unknown = |why: &str| {
        let answer = |property| Checked::new(property, Answer::Unknown(why.to_owned()));
        let properties = properties.iter().map(answer).collect();
        Ok(CheckReport { properties, ..CheckReport::default() })
    };
    if let Way::Directed(_) = plan.search.way {
        let why = format!("the store {name} goes with depth-first search only, not with directed");
        return unknown(&why);
    }
    let mut lossy = match Lossy::begin(space, plan, store) {
        Ok(lossy) => lossy,
        Err(why) => return unknown(&why),
    };
    let instead = instead(plan, name);
    if let Some(instead) = &instead {
        watch.hear(&News::Change(instead));
    }
    let targets: Vec<_> = properties.iter().map(|property| watched.target(property)).collect();
    let wanted: Vec<Target> = targets.iter().flatten().copied().collect();
    let is_hit = |target: &Target, hits: &[Hit]| hits.iter().any(|hit| target.includes(hit.kind));
    let mut known = 0;
    let ending = drive(lossy.search(), watch, |search, _| {
        let hits = search.hits();
        // Nothing is settled by what was there before.
        let is_news = hits.len() > known;
        known = hits.len();
        let is_settled = !all && is_news && wanted.iter().all(|target| is_hit(target, &hits));
        wanted.is_empty() || is_settled
    });
    let mut report = CheckReport {
        stats: lossy.search().stats(),
        peak_bytes: ending.peak_bytes,
        ..CheckReport::default()
    };
    for (property, target) in properties.iter().zip(targets) {
        let Some(target) = target else {
            let why = format!("the store {name} is for properties of states, not for claims yet");
            report.properties.push(Checked::new(property, Answer::Unknown(why)));
            continue;
        };
        let answer = judge(&mut lossy, target, machine, &ending, plan, all)?;
        let mut checked = Checked::new(property, answer);
        checked.remarks.extend(instead.clone());
        report.properties.push(checked);
    }
    Ok(report)
}

/// What to say when another search was asked for.
fn instead(plan: &Plan, store: &str) -> Option<String> {
    match plan.search.way {
        Way::Blind(Order::Depth) | Way::Cycles(_) => None,
        _ => Some(format!("depth-first instead of {}, for the store {store}", plan.search.name)),
    }
}

fn judge(
    lossy: &mut Lossy<'_>,
    target: Target,
    machine: &Machine<'_>,
    ending: &Ending,
    plan: &Plan,
    all: bool,
) -> Result<Answer, CheckError> {
    let search = lossy.search();
    let hits = search.hits();
    let wanted = if all { usize::MAX } else { 1 };
    let own = (0..hits.len()).filter(|&at| target.includes(hits[at].kind)).take(wanted);
    let merged = plan.automata().allowed_by(machine.model()).merge;
    let bound = |moves| blind_bound(Order::Depth, moves);
    let violations: Result<Vec<_>, _> =
        own.map(|at| witness(machine, &search.path(at), hits[at].kind, merged, bound)).collect();
    let violations = violations?;
    if !violations.is_empty() {
        return Ok(Answer::Violated(violations));
    }
    let stop = match ending.outcome {
        Outcome::Incomplete(stop) => stop,
        // Neither says anything about this property.
        Outcome::Complete | Outcome::Found => Stop::LossyStore,
    };
    Ok(Answer::Unknown(reason(stop, lossy.omissions())))
}
