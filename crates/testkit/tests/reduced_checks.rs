//! Checks with a reduction have the results of checks without: for every search that supports one,
//! with every cycle condition that it supports, on the project's own models, on the corpus and on
//! random programs; for deadlocks, assertions, invariants and cycles.
//!
//! If a verdict is unknown without a reduction, it may be unknown with one. `BEELINE_SEEDS` and
//! `BEELINE_FIRST_SEED` choose other random programs, `BEELINE_STATES` larger models.

use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use beeline_checker::{
    CheckError, Plan, ReductionChoice, Stats, check, parse_reduction, parse_search, parse_store,
};
use beeline_kernel::Stop;
use beeline_model::{Engine, Fairness, Model, Property, Verdict};
use beeline_promela::hir::{self, Type};
use beeline_promela::{Frontend, printer};
use beeline_testkit::checking::{heuristic_names, promela};
use beeline_testkit::corpus::{self, Status};
use beeline_testkit::generate::{self, Config, Feature};
use beeline_testkit::{chosen, fixture, model};

/// The options of the cycle condition; the first one includes path compression.
const CONDITIONS: [&str; 9] =
    [PASSING, "best", "none", "stack", "stack-", "duplicate", "duplicate-", "open", "static"];
/// No condition, with path compression.
const PASSING: &str = "none, pass=yes";
/// The searches that support a reduction, with the conditions of each.
const SEARCHES: [(&str, &[&str]); 9] = [
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
const WITHOUT_PASSING: &[&str] = CONDITIONS.split_at(1).1;
const WITHOUT_STACK: [&str; 6] = ["best", "none", "duplicate", "duplicate-", "open", "static"];
/// Without a table it takes too long.
const IDA: &str = "ida(blind, table=100000)";
/// The searches for cycles that support a reduction.
const ROUNDS: [&str; 3] = ["ndfs", "indfs", "scc"];
/// Up to this number of states, every search is tried with every condition.
const SMALL: u64 = 200;
/// Up to this number of states, one search of each kind; beyond, one search with its defaults.
const LARGE: u64 = 2_000;
/// The limit of expansions of a search, as a multiple of the number of states.
const PATIENCE: u64 = 50;
/// The name of the invariant that is added to models.
const INVARIANT: &str = "apart";

/// The result of a check.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum VerdictKind {
    Holds,
    Violated,
    Unknown,
}

/// Checks one property; the remarks come with the verdict.
fn verdict(
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

/// Such small models are not worth compiling.
fn plan(search: &str, reduce: ReductionChoice) -> Plan {
    let search = parse_search(search, 7, &heuristic_names()).expect("there is such a search");
    Plan { search, reduce, engine: Engine::Interpreter, ..Plan::default() }
}

fn reduction(condition: &str) -> ReductionChoice {
    parse_reduction(&format!("stubborn(c3={condition})")).expect("there is such a condition")
}

/// Counters of the comparison.
#[derive(Default)]
struct Compared {
    models: usize,
    violated: usize,
    held: usize,
    /// The number of runs with fewer states than without reduction.
    fewer: usize,
    /// By search and condition.
    runs: BTreeMap<(&'static str, &'static str), usize>,
    /// Violations of the added invariants.
    broken: usize,
    wrong: Vec<String>,
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

    fn tell(&self) {
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

/// Runs `work` on each of many items, on all cores.
fn for_each<T: Sync>(many: &[T], work: impl Fn(&T) -> Compared + Sync) -> Compared {
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

/// Reads a model, with an added invariant if possible.
fn read(name: &str, text: &str) -> Option<Frontend> {
    let front = model::read_text(name, text);
    if model::first_error(&front).is_some() {
        return None;
    }
    let more = model::read_text(name, &with_invariant(text, &front.hir));
    Some(if model::first_error(&more).is_none() { more } else { front })
}

/// The properties that single states decide.
fn of_states(model: &dyn Model) -> impl Iterator<Item = Property> {
    let names = ["deadlock", "assertions", INVARIANT].map(str::to_owned);
    names.into_iter().filter_map(|name| model.select(&[name]).ok()).flatten()
}

/// Checks the properties that single states decide, by all searches.
fn compare_states(name: &str, front: &Frontend, states: u64) -> Compared {
    let model = &promela(front);
    let mut all = Compared { models: 1, ..Compared::default() };
    for property in of_states(model) {
        let most = states * PATIENCE;
        let truth = verdict(model, &property, &plan("bfs", ReductionChoice::Off), most);
        let (truth, _, _) = truth.expect("it can be checked");
        all.broken += usize::from(property.name == INVARIANT && truth == VerdictKind::Violated);
        for (search, conditions) in SEARCHES {
            let is_tried = if states <= SMALL {
                search != IDA || states <= SMALL / 2
            } else {
                search == "dfs" || states <= LARGE && ["bfs", "astar"].contains(&search)
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
                if states > SMALL && !["best", "none", "static", PASSING].contains(&condition) {
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

/// Checks the properties of cycles, by all searches for cycles.
fn compare_cycles(name: &str, front: &Frontend, states: u64) -> Compared {
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

/// The models of the corpus with at most this number of states in SPIN, and our own.
fn known_models(most: u64) -> Option<Vec<(String, String, u64)>> {
    let corpus = corpus::corpus_or_skip("reduced checks of the corpus")?;
    let mut models = Vec::new();
    for entry in corpus.entries.iter().filter(|entry| entry.spin_accepts && !entry.embedded_c) {
        let Some(row) = corpus.result(&entry.name, "full") else { continue };
        let (Some(states), Status::Complete) = (row.stored, &row.status) else { continue };
        if states <= most {
            let bytes = std::fs::read(&entry.file).expect("corpus files can be read");
            let text = String::from_utf8_lossy(&bytes).into_owned();
            models.push((entry.file.to_string_lossy().into_owned(), text, states));
        }
    }
    for fixture in fixture::all() {
        let states = fixture.expect.states().expect("ours say how many they have");
        if states <= most {
            models.push((fixture.file.to_string_lossy().into_owned(), fixture.text, states));
        }
    }
    Some(models)
}

/// Every search and condition was compared at least once.
fn assert_complete(all: &Compared) {
    for (search, conditions) in SEARCHES {
        for &condition in conditions {
            let runs = all.runs.get(&(search, condition)).copied().unwrap_or_default();
            assert!(runs >= 20, "{search}, c3={condition}: only {runs} runs");
        }
    }
}

#[test]
fn every_search_says_the_same_with_a_reduction() {
    let Some(models) = known_models(chosen::states(20_000) as u64) else { return };
    let all = for_each(&models, |(name, text, states)| {
        read(name, text)
            .map_or_else(Compared::default, |front| compare_states(name, &front, (*states).max(10)))
    });
    all.tell();
    assert_eq!(all.wrong, Vec::<String>::new());
    assert!(all.models >= 150, "only {} models", all.models);
    assert!(all.fewer >= 1_000, "only {} runs were reduced", all.fewer);
    assert!(all.broken >= 30, "only {} invariants do not hold", all.broken);
    assert_complete(&all);
}

/// The full preset; every other program may also fail.
fn config(seed: u64) -> Config {
    let more =
        [(Feature::FailingAssert, 10), (Feature::OutOfBounds, 10), (Feature::DivideByZero, 10)];
    Config::full().with_all(if seed % 2 == 1 { &more } else { &[] })
}

/// Random programs that are small enough for all combinations.
fn random_models(config: fn(u64) -> Config) -> Vec<(u64, Frontend, u64)> {
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
    chosen::seeds(150).filter_map(read).collect()
}

#[test]
fn random_programs_say_the_same_with_a_reduction() {
    let programs = random_models(config);
    let all = for_each(&programs, |(seed, front, states)| {
        compare_states(&format!("seed {seed}"), front, *states)
    });
    all.tell();
    assert_eq!(all.wrong, Vec::<String>::new());
    assert!(all.models >= 70, "only {} programs", all.models);
    assert!(all.fewer >= 200, "only {} runs were reduced", all.fewer);
    assert_complete(&all);
}

#[test]
fn cycles_are_found_with_a_reduction() {
    let Some(models) = known_models(chosen::states(20_000) as u64) else { return };
    let all = for_each(&models, |(name, text, states)| {
        let front = model::read_text(name, text);
        match model::first_error(&front) {
            None => compare_cycles(name, &front, (*states).max(10)),
            Some(_) => Compared::default(),
        }
    });
    all.tell();
    assert_eq!(all.wrong, Vec::<String>::new());
    assert!(all.models >= 150, "only {} models", all.models);
    assert!(all.violated >= 300 && all.held >= 300 && all.fewer >= 30);
}

/// Checks by depth-first search with lossy stores, which prove nothing.
fn compare_lossy(name: &str, front: &Frontend, states: u64) -> Compared {
    let model = &promela(front);
    let mut all = Compared { models: 1, ..Compared::default() };
    for property in of_states(model) {
        let most = states * PATIENCE;
        let truth = verdict(model, &property, &plan("dfs", ReductionChoice::Off), most);
        let (truth, _, full) = truth.expect("it can be checked");
        for condition in ["best", "duplicate", "static"] {
            let reduced = plan("dfs", reduction(condition));
            let store = parse_store("hash-compact").expect("there is such a store");
            let found = verdict(model, &property, &Plan { store, ..reduced }, most);
            let (found, _, stored) = found.expect("it takes the condition");
            // With fingerprints of 64 bits, no state of such small models is omitted.
            if (found == VerdictKind::Violated) != (truth == VerdictKind::Violated)
                || found == VerdictKind::Holds
            {
                let told = format!("{name}: {}, c3={condition}", property.name);
                all.wrong.push(format!("{told}: {found:?}, not {truth:?}"));
            }
            all.violated += usize::from(found == VerdictKind::Violated);
            all.fewer += usize::from(truth == VerdictKind::Holds && stored < full);
        }
    }
    all
}

#[test]
fn stores_that_keep_no_states_find_the_same_with_a_reduction() {
    let Some(models) = known_models(LARGE) else { return };
    let all = for_each(&models, |(name, text, states)| {
        read(name, text)
            .map_or_else(Compared::default, |front| compare_lossy(name, &front, (*states).max(10)))
    });
    assert_eq!(all.wrong, Vec::<String>::new());
    assert!(all.models >= 100, "only {} models", all.models);
    assert!(all.violated >= 100 && all.fewer >= 50, "{} and {}", all.violated, all.fewer);
}

/// Small cyclic programs, with a formula, or with labels that have a meaning.
fn lively(seed: u64) -> Config {
    let mut config = if seed.is_multiple_of(3) { Config::small() } else { Config::full() };
    (config.bits, config.channels, config.operators, config.nesting) = (7, 2, 1, 2);
    config = config.with(Feature::RemoteReference, 15).with(Feature::Timeout, 5);
    match seed % 4 {
        3 => config.with(Feature::AcceptLabel, 15).with(Feature::ProgressLabel, 15),
        _ => config.with(Feature::Ltl, 100),
    }
}

#[test]
fn random_programs_have_the_same_cycles_with_a_reduction() {
    let programs = random_models(lively);
    let all = for_each(&programs, |(seed, front, states)| {
        compare_cycles(&format!("seed {seed}"), front, *states)
    });
    all.tell();
    assert_eq!(all.wrong, Vec::<String>::new());
    assert!(all.models >= 70, "only {} programs", all.models);
    assert!(all.violated >= 100 && all.held >= 100 && all.fewer >= 30);
}

/// The remarks on one property of a text with a reduction.
fn remarks(text: &str, property: &str, plan: &Plan) -> (VerdictKind, Vec<String>) {
    let front = model::read_text("model.pml", text);
    assert_eq!(model::first_error(&front), None);
    let model = promela(&front);
    let property = model.select(&[property.to_owned()]).expect("it is there").remove(0);
    let (verdict, remarks, _) =
        verdict(&model, &property, plan, u64::MAX).expect("it can be checked");
    (verdict, remarks)
}

#[test]
fn what_counts_steps_or_movers_is_not_reduced_and_says_so() {
    let system = "byte x, y;\n\
                  active proctype P() { do :: x = 1 - x od }\n\
                  active proctype Q() { do :: y = 1 - y od }\n";
    let formula = |formula: &str| format!("{system}ltl p {{ {formula} }}\n");
    let never = format!("{system}never {{ do :: true :: x == 1 && y == 1 -> break od }}\n");
    let fair = Plan { fairness: Fairness::Weak, ..plan("scc", reduction("best")) };
    let reduced = plan("indfs", reduction("best"));
    let cases = [
        (formula("[] (x == 0 -> X (x == 0))"), "p", &reduced, "the formula counts steps, with `X`"),
        (never, "never", &reduced, "nobody knows whether the never claim counts steps"),
        (formula("[] <> (x == 1)"), "p", &fair, "fairness is about steps that would be left out"),
    ];
    for (text, property, reduced, why) in cases {
        let unreduced = Plan { reduce: ReductionChoice::Off, ..reduced.clone() };
        let (found, remarks_made) = remarks(&text, property, reduced);
        let (truth, others) = remarks(&text, property, &unreduced);
        assert_eq!(found, truth, "{text}");
        let remark = format!("not reduced, because {why}");
        assert!(remarks_made.contains(&remark), "{text}: {remarks_made:?}");
        assert!(!others.contains(&remark), "{text}: {others:?}");
    }
}
