//! What Beeline says about a property with a claim: the same, whatever searches, computes and stores.

use std::ops::ControlFlow;

use beeline_checker::{AutoOptions, Plan, Stats, Store, check, parse_search};
use beeline_kernel::Stop;
use beeline_model::{Engine, Fairness, Model, Property, Verdict, Violation};

use crate::checking::heuristic_names;

/// The searches for cycles.
const SEARCHES: [&str; 4] = ["ndfs", "indfs", "scc", IN_THREADS];
/// The one in threads.
const IN_THREADS: &str = "cndfs";
const THREADS: usize = 3;

/// The result of a search.
#[derive(Clone, Debug)]
pub enum OurVerdict {
    /// The property holds.
    Holds,
    /// It is violated.
    Violated(Box<Violation>),
    /// The reason why nothing is known.
    Unknown(String),
}

impl OurVerdict {
    /// Whether it is violated, if that is known.
    pub fn is_violated(&self) -> Option<bool> {
        match self {
            OurVerdict::Holds => Some(false),
            OurVerdict::Violated(_) => Some(true),
            OurVerdict::Unknown(_) => None,
        }
    }
}

/// The settings of a check.
#[derive(Clone, Copy, Debug)]
pub struct Manner {
    /// Without statement merging and dead-variable reset.
    pub plain: bool,
    /// Under weak fairness.
    pub fair: bool,
    /// States to expand at most.
    pub states: u64,
}

/// What one search says, or what went wrong with it.
fn verdict(
    model: &dyn Model,
    property: &Property,
    manner: Manner,
    search: &str,
    (engine, store): (Engine, Store),
) -> Result<OurVerdict, String> {
    let fairness = if manner.fair { Fairness::Weak } else { Fairness::None };
    let search = parse_search(search, 0, &heuristic_names()).map_err(|error| error.to_string())?;
    let plain = manner.plain;
    let auto = AutoOptions { jobs: THREADS, ..AutoOptions::default() };
    let plan = Plan { plain, search, engine, store, fairness, auto, ..Plan::default() };
    let mut patience = |stats: &Stats| match stats.expanded > manner.states {
        true => ControlFlow::Break(Stop::Time),
        false => ControlFlow::Continue(()),
    };
    let asked = std::slice::from_ref(property);
    let report = check(model, asked, &plan, false, &mut patience);
    let mut report = report.map_err(|error| error.to_string())?;
    let checked = report.properties.pop().ok_or("no answer")?;
    Ok(match checked.verdict {
        Verdict::Holds => OurVerdict::Holds,
        Verdict::Violated(mut violations) => {
            OurVerdict::Violated(Box::new(violations.pop().ok_or("no violation")?))
        }
        Verdict::Unknown(why) => OurVerdict::Unknown(why.to_string()),
    })
}

/// What all searches say, with both engines and both stores: one verdict for each search,
/// or how they contradict each other. With `thorough`, every combination is tried.
///
/// # Errors
/// When a check fails, or they contradict each other.
pub fn verdicts(
    model: &dyn Model,
    property: &Property,
    manner: Manner,
    thorough: bool,
) -> Result<Vec<OurVerdict>, String> {
    let all = [
        (Engine::Native, Store::Exact),
        (Engine::Interpreter, Store::Exact),
        (Engine::Native, Store::Compact),
        (Engine::Interpreter, Store::Compact),
    ];
    let means = if thorough { &all[..] } else { &all[..1] };
    let mut found: Vec<OurVerdict> = Vec::new();
    let mut agreed: Option<(bool, String)> = None;
    for search in SEARCHES {
        for (at, &means) in means.iter().enumerate() {
            if search == IN_THREADS && means.1 != Store::Exact {
                // It has one thread, and is indfs.
                continue;
            }
            let name = format!("{search} {means:?}");
            let verdict = verdict(model, property, manner, search, means)
                .map_err(|error| format!("{name}: {error}"))?;
            if let Some(violated) = verdict.is_violated() {
                let (known, by) = agreed.get_or_insert((violated, name.clone()));
                if *known != violated {
                    return Err(format!("{name} says {violated}, {by} says {known}"));
                }
            }
            if at == 0 {
                found.push(verdict);
            }
        }
    }
    Ok(found)
}
