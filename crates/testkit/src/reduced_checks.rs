//! Checks with a reduction say what checks without one say: every search that takes one, with
//! every cycle condition that it takes; for deadlocks, assertions, invariants and cycles.
//!
//! Where nothing is known without a reduction, nothing may be known with one.

use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use beeline_checker::{
    AutoOptions, CheckError, Plan, ReductionChoice, Stats, check, parse_reduction, parse_search,
};
use beeline_engine::automata::{self, AutomataOptions};
use beeline_kernel::Stop;
use beeline_model::{Engine, Model, Property, Verdict};
use beeline_promela::hir::{self, Type};
use beeline_promela::{Frontend, printer};

use crate::checking::{heuristic_names, promela};
use crate::generate::{self, Config};
use crate::{chosen, model};

/// The options of the cycle condition; the first one includes path compression.
const CONDITIONS: [&str; 9] =
    [PASSING, "best", "none", "stack", "stack-", "duplicate", "duplicate-", "open", "static"];
/// No condition, with path compression.
const PASSING: &str = "none, pass=yes";
/// The searches that take a reduction, and the conditions that each of them takes.
pub const SEARCHES: [(&str, &[&str]); 10] = [
    (BFS_IN_THREADS, &[PASSING, "best", "none", "duplicate", "duplicate-", "open", "static"]),
    ("bfs", &[PASSING, "best", "none", "duplicate", "duplicate-", "open", "static"]),
    ("dfs", &CONDITIONS),
    ("random-dfs", &CONDITIONS),
    ("dijkstra", &WITHOUT_STACK),
    ("astar", &WITHOUT_STACK),
    ("gbfs", &WITHOUT_STACK),
    ("bounded-dfs", WITHOUT_PASSING),
    ("bounded-dfs(revisit=never)", WITHOUT_PASSING),
    (IDA, &["best", "none", "stack", "stack-", "static"]),
];
/// Breadth-first search in three threads.
const BFS_IN_THREADS: &str = "bfs in threads";
const WITHOUT_PASSING: &[&str] = CONDITIONS.split_at(1).1;
const WITHOUT_STACK: [&str; 6] = ["best", "none", "duplicate", "duplicate-", "open", "static"];
/// Without a table it takes too long.
const IDA: &str = "ida(blind, table=100000)";
/// The searches for cycles that support a reduction.
const ROUNDS: [&str; 4] = ["ndfs", "indfs", "scc", "cndfs"];
/// Up to this number of states, every search is tried with every condition.
const SMALL: u64 = 200;
/// Up to this number of states, one search of each kind; beyond, one search with its defaults.
pub const LARGE: u64 = 2_000;
/// A stubborn set of a model with more edges takes milliseconds. With many states, such a model is
/// searched with one condition, for one property.
const MANY_EDGES: usize = 4_000;
/// Expansions after which a search may give up, as a multiple of the states there are.
pub const PATIENCE: u64 = 50;
/// The name of the invariant that models are given.
const INVARIANT: &str = "apart";

/// The result of a check.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum VerdictKind {
    /// The property holds,
    Holds,
    /// is violated,
    Violated,
    /// or the check came to no end.
    Unknown,
}

/// Checks one property and expands at most `most` states. Returns the verdict, the remarks on it
/// and the number of stored states.
///
/// # Errors
/// When the plan does not fit.
///
/// # Panics
///
/// When there is no report about the property.
pub fn verdict(
    model: &dyn Model,
    property: &Property,
    plan: &Plan,
    most: u64,
) -> Result<(VerdictKind, Vec<String>, u64), CheckError> {
    let mut patience = |stats: &Stats| match stats.expanded > most {
        true => ControlFlow::Break(Stop::Time),
        false => ControlFlow::Continue(()),
    };
    let report = check(model, std::slice::from_ref(property), plan, false, &mut patience)?;
    let checked = report.properties.into_iter().next().expect("one was asked about");
    let verdict = match checked.verdict {
        Verdict::Holds => VerdictKind::Holds,
        Verdict::Violated(_) => VerdictKind::Violated,
        Verdict::Unknown(_) => VerdictKind::Unknown,
    };
    Ok((verdict, checked.remarks, report.stats.stored))
}

/// A plan for models that are too small to be compiled.
///
/// # Panics
///
/// When there is no such search.
pub fn plan(search: &str, reduce: ReductionChoice) -> Plan {
    let (search, jobs) = match search {
        BFS_IN_THREADS => ("bfs", 3),
        "cndfs" => (search, 3),
        _ => (search, 1),
    };
    let search = parse_search(search, 7, &heuristic_names()).expect("there is such a search");
    let auto = AutoOptions { jobs, ..AutoOptions::default() };
    Plan { search, reduce, auto, engine: Engine::Interpreter, ..Plan::default() }
}

/// A reduction by stubborn sets.
///
/// # Panics
///
/// When there is no such condition.
pub fn reduction(condition: &str) -> ReductionChoice {
    parse_reduction(&format!("stubborn(c3={condition})")).expect("there is such a condition")
}

/// How much was compared.
#[derive(Debug, Default)]
pub struct Compared {
    /// Models.
    pub models: usize,
    /// Checks of violated properties,
    pub violated: usize,
    /// and of properties that hold.
    pub held: usize,
    /// Fewer states were stored than without.
    pub fewer: usize,
    /// By search and condition.
    pub runs: BTreeMap<(&'static str, &'static str), usize>,
    /// Violations of the invariants that models were given.
    pub broken: usize,
    /// What was wrong.
    pub wrong: Vec<String>,
}

impl Compared {
    fn add(&mut self, other: Compared) {
        self.models += other.models;
        self.violated += other.violated;
        self.held += other.held;
        self.fewer += other.fewer;
        self.broken += other.broken;
        self.wrong.extend(other.wrong);
        for (key, count) in other.runs {
            *self.runs.entry(key).or_default() += count;
        }
    }

    /// Prints how much was compared.
    pub fn tell(&self) {
        println!(
            "{} models, {} runs: violated {} times ({} invariants), held {} times, fewer states {} \
             times",
            self.models,
            self.runs.values().sum::<usize>(),
            self.violated,
            self.broken,
            self.held,
            self.fewer,
        );
    }
}

/// Does something for each of many, on all cores.
///
/// # Panics
///
/// When `work` panics.
pub fn for_each<T: Sync>(many: &[T], work: impl Fn(&T) -> Compared + Sync) -> Compared {
    let (next, all) = (AtomicUsize::new(0), Mutex::new(Compared::default()));
    let threads = thread::available_parallelism().map_or(1, usize::from);
    thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                while let Some(one) = many.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let compared = work(one);
                    all.lock().expect("nobody panics while holding it").add(compared);
                }
            });
        }
    });
    all.into_inner().expect("all threads are done")
}

/// The text of a model with an invariant over two of its variables, which most models violate: some
/// of them in one order of steps only.
fn with_invariant(text: &str, model: &hir::Model) -> String {
    let is_number = |ty| matches!(ty, Type::Bit | Type::Byte | Type::Short | Type::Int);
    let numbers = model.globals.iter().filter(|one| is_number(one.ty) && one.length.is_none());
    let mut names = numbers.map(|one| &*one.name.name);
    let invariant = match (names.next(), names.next()) {
        (Some(one), Some(two)) => format!("!({one} == 1 && {two} == 1)"),
        (Some(one), None) => format!("{one} != 2"),
        _ => return text.to_owned(),
    };
    format!("{text}\nltl {INVARIANT} {{ [] ({invariant}) }}\n")
}

/// Reads a model, with an invariant if it bears one. `None` when it has errors.
pub fn read(name: &str, text: &str) -> Option<Frontend> {
    let front = model::read_text(name, text);
    if model::first_error(&front).is_some() {
        return None;
    }
    let more = model::read_text(name, &with_invariant(text, &front.hir));
    Some(if model::first_error(&more).is_none() { more } else { front })
}

/// The number of edges of all processes.
fn edges(front: &Frontend) -> usize {
    let automata = automata::build(&front.hir, AutomataOptions::OPTIMISED);
    automata.iter().map(|automaton| automaton.edges.len()).sum()
}

/// What can be told from the states of a model alone.
pub fn of_states(model: &dyn Model) -> impl Iterator<Item = Property> {
    let names = ["deadlock", "assertions", "runtime-errors", INVARIANT].map(str::to_owned);
    names.into_iter().filter_map(|name| model.select(&[name]).ok()).flatten()
}

/// Checks what can be told from the states alone, by all searches.
///
/// # Panics
///
/// When a check comes to no end, or a refusal is missing.
pub fn compare_states(name: &str, front: &Frontend, states: u64) -> Compared {
    let model = &promela(front);
    let mut all = Compared { models: 1, ..Compared::default() };
    let is_slow = states > LARGE && edges(front) > MANY_EDGES;
    for property in of_states(model).take(if is_slow { 1 } else { usize::MAX }) {
        let most = states * PATIENCE;
        let truth = verdict(model, &property, &plan("bfs", ReductionChoice::Off), most);
        let (truth, _, stored) = truth.expect("it can be checked");
        if stored == 0 {
            // A static analysis proves it, so that nothing is searched.
            continue;
        }
        all.broken += usize::from(property.name == INVARIANT && truth == VerdictKind::Violated);
        for (search, conditions) in SEARCHES {
            let is_tried = if states <= SMALL {
                search != IDA || states <= SMALL / 2
            } else {
                search == "dfs"
                    || states <= LARGE && ["bfs", BFS_IN_THREADS, "astar"].contains(&search)
            };
            if !is_tried {
                continue;
            }
            let Ok((alone, _, full)) =
                verdict(model, &property, &plan(search, ReductionChoice::Off), most)
            else {
                panic!("{name}: {search} does not come to an end")
            };
            // A fault is not explored further; an estimate may prove that no error follows it.
            let truth = if truth == VerdictKind::Unknown { alone } else { truth };
            if alone != truth && !(search == IDA && alone == VerdictKind::Unknown) {
                let told = format!("{name}: {} by {search}", property.name);
                all.wrong.push(format!("{told}: {alone:?}, not {truth:?}"));
            }
            for condition in CONDITIONS {
                if states > SMALL && !["best", "none", "static", PASSING].contains(&condition)
                    || is_slow && condition != "best"
                {
                    continue;
                }
                let plan = plan(search, reduction(condition));
                let is_taken = conditions.contains(&condition)
                    && (!condition.starts_with("none") || property.name == "deadlock");
                let told = format!("{name}: {} by {search}, c3={condition}", property.name);
                let (found, stored) = match verdict(model, &property, &plan, most) {
                    Ok((found, remarks, _)) if !is_taken => {
                        // If nothing is reduced, nothing is refused.
                        let why = remarks.iter().any(|remark| remark.starts_with("not reduced"));
                        assert!(why, "{told}: it should not be taken");
                        (found, full)
                    }
                    Ok((found, _, stored)) => (found, stored),
                    Err(CheckError::Reduction(_)) if !is_taken => continue,
                    Err(error) => {
                        all.wrong.push(format!("{told}: {error}"));
                        continue;
                    }
                };
                // Iterative deepening may exceed its limit, and reports it.
                if found != truth && !(search == IDA && found == VerdictKind::Unknown) {
                    all.wrong.push(format!("{told}: {found:?}, not {truth:?}"));
                }
                *all.runs.entry((search, condition)).or_default() += 1;
                all.violated += usize::from(truth == VerdictKind::Violated);
                all.held += usize::from(truth == VerdictKind::Holds);
                all.fewer += usize::from(truth == VerdictKind::Holds && stored < full);
            }
        }
    }
    all
}

/// Checks everything that cycles tell, by all searches for cycles.
///
/// # Panics
///
/// When properties are missing.
pub fn compare_cycles(name: &str, front: &Frontend, states: u64) -> Compared {
    let model = &promela(front);
    let mut names: Vec<String> = model.properties().into_iter().map(|one| one.name).collect();
    if states <= LARGE {
        names.extend(["progress", "acceptance"].map(str::to_owned));
    }
    let mut asked = model.select(&names).expect("they are there");
    asked.retain(|property| !property.kind.is_safety() && property.name != INVARIANT);
    let mut all = Compared { models: 1, ..Compared::default() };
    for property in asked {
        for search in ROUNDS {
            if states > LARGE && search != "indfs" {
                continue;
            }
            let most = states * PATIENCE;
            let told = format!("{name}: {} by {search}", property.name);
            let truth = verdict(model, &property, &plan(search, ReductionChoice::Off), most);
            let Ok((truth, _, full)) = truth else {
                all.wrong.push(format!("{told}: {truth:?}"));
                continue;
            };
            if truth == VerdictKind::Unknown {
                continue;
            }
            let reduced = plan(search, reduction("best"));
            match verdict(model, &property, &reduced, most) {
                Ok((found, _, stored)) if found == truth => {
                    all.fewer += usize::from(truth == VerdictKind::Holds && stored < full);
                }
                other => all.wrong.push(format!("{told}: {other:?}, not {truth:?}")),
            }
            *all.runs.entry((search, "best")).or_default() += 1;
            all.violated += usize::from(truth == VerdictKind::Violated);
            all.held += usize::from(truth == VerdictKind::Holds);
        }
    }
    all
}

/// Random programs with so few states that everything can be tried: seed, program and number of
/// states. `BEELINE_SEEDS` and `BEELINE_FIRST_SEED` choose other ones than the first `seeds`.
///
/// # Panics
///
/// When a program has errors.
pub fn random_models(seeds: u64, config: fn(u64) -> Config) -> Vec<(u64, Frontend, u64)> {
    let read = |seed| {
        let text = printer::print(&generate::program(seed, &config(seed)));
        let front = read(&format!("random-{seed}.pml"), &text).expect("it is well formed");
        let mut patience = |stats: &Stats| match stats.expanded > 1_000 {
            true => ControlFlow::Break(Stop::Time),
            false => ControlFlow::Continue(()),
        };
        let count = beeline_checker::count(&promela(&front), &Plan::default(), &mut patience);
        let count = count.expect("nothing is asked for");
        (count.stopped.is_none()).then_some((seed, front, count.stats.stored.max(10)))
    };
    chosen::seeds(seeds).filter_map(read).collect()
}
