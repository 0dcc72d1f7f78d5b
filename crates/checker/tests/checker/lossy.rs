//! Lossy stores and the cache on real models: with lossy stores, violations are found, and no
//! property holds.

use beeline_checker::{
    CheckReport, CountReport, NoObserver, Plan, Store, check, count, parse_search, parse_store,
};
use beeline_kernel::Stop;
use beeline_model::{Model, Property, Verdict, Violation};
use beeline_promela::Frontend;
use beeline_promela::preprocess::PreprocessOptions;
use beeline_test_size::{one_in, portion};
use beeline_testkit::checking::{heuristic_names, promela};
use beeline_testkit::fixture;
use beeline_testkit::model::Disk;

const STORES: [&str; 3] = ["hash-compact", "bitstate(bytes=16777216)", "bitstate(bytes=100)"];

fn read(text: &str) -> Frontend {
    let front = beeline_promela::read("m.pml", text, &mut Disk, &PreprocessOptions::default());
    assert!(!front.diagnostics.has_errors(), "{text}");
    front
}

fn plan(search: &str, store: &str) -> Plan {
    let search = parse_search(search, 1, &heuristic_names()).expect("there is such a search");
    let store = parse_store(store).expect("there is such a store");
    Plan { search, store, ..Plan::default() }
}

fn checked(model: &dyn Model, properties: &[Property], plan: &Plan, all: bool) -> CheckReport {
    let report = check(model, properties, plan, all, &mut NoObserver);
    report.expect("what is found can be confirmed")
}

fn counted(model: &dyn Model, plan: &Plan) -> CountReport {
    count(model, plan, &mut NoObserver).expect("no reduction was asked for")
}

fn violations(verdict: &Verdict) -> &[Violation] {
    if let Verdict::Violated(violations) = verdict { violations } else { &[] }
}

#[test]
fn all_models_are_counted_as_in_the_exact_store() {
    for fixture in fixture::all() {
        let front = read(&fixture.text);
        let model = promela(&front);
        let exact = counted(&model, &plan("dfs", "exact"));
        for store in &STORES[..2] {
            let lossy = counted(&model, &plan("dfs", store));
            let counts = |stats: &beeline_checker::Stats| {
                (stats.stored, stats.matched, stats.errors, stats.atomic_steps, stats.state_bytes)
            };
            assert_eq!(counts(&lossy.stats), counts(&exact.stats), "{} {store}", fixture.name);
            assert_eq!(exact.stopped, None);
            assert_eq!(lossy.stopped, Some(Stop::LossyStore));
            let omissions = lossy.omissions.expect("it may overlook states");
            assert!(omissions.probability() < 0.05, "{} {store}: {omissions}", fixture.name);
        }
    }
}

#[test]
fn what_is_violated_is_found_and_nothing_holds() {
    for fixture in fixture::all() {
        let front = read(&fixture.text);
        let model = promela(&front);
        let mut all = model.properties();
        all.retain(|property| property.kind.is_safety());
        let exact = checked(&model, &all, &plan("dfs", "exact"), true);
        for store in STORES {
            let lossy = checked(&model, &all, &plan("dfs", store), true);
            assert_eq!(lossy.store, parse_store(store).expect("there is such a store"));
            for (lossy, exact) in lossy.properties.iter().zip(&exact.properties) {
                let place = format!("{} {} {store}", fixture.name, lossy.property.name);
                // A static analysis needs no store.
                let is_static = lossy.by.as_deref() == Some("value ranges");
                assert!(is_static || !matches!(lossy.verdict, Verdict::Holds), "{place}");
                let (found, there) = (violations(&lossy.verdict), violations(&exact.verdict));
                let is_large = store != STORES[2];
                assert!(found.len() == there.len() || !is_large, "{place}");
                assert!(found.len() <= there.len(), "{place}");
            }
        }
    }
}

#[test]
fn invariants_are_watched_and_claims_left_alone() {
    let text = "byte n;\nltl small { [](n < 3) }\nltl often { []<>(n == 0) }\n\
                active proctype P() { do :: n < 9 -> n++ :: n > 0 -> n-- od }\n";
    let front = read(text);
    let model = promela(&front);
    let all = model.properties();
    for search in ["dfs", "bfs", "auto", "indfs"] {
        let report = checked(&model, &all, &plan(search, "hash-compact"), false);
        for one in &report.properties {
            match (&*one.property.name, &one.verdict) {
                ("small", verdict) => assert_eq!(violations(verdict).len(), 1),
                ("often", Verdict::Unknown(why)) => {
                    assert!(why.to_string().contains("does not support claims"), "{why}")
                }
                ("runtime-errors", Verdict::Holds) => continue,
                (_, Verdict::Unknown(why)) => {
                    let why = why.to_string();
                    assert!(
                        why.starts_with("the store may have overlooked states: expected number ")
                    );
                }
                other => panic!("{other:?}"),
            }
            let is_other = search == "auto" && one.property.name != "often";
            let remark =
                one.remarks.iter().any(|remark| remark.starts_with("depth-first search instead"));
            assert_eq!(remark, is_other, "{search}: {:?}", one.remarks);
        }
    }
    for search in DIRECTED {
        let report = checked(&model, &all, &plan(search, "bitstate(bytes=4096)"), false);
        for one in &report.properties {
            match (&*one.property.name, &one.verdict) {
                ("small", Verdict::Violated(violations)) => assert_eq!(violations.len(), 1),
                ("often", Verdict::Unknown(why)) => {
                    assert!(why.to_string().contains("does not support claims"), "{why}")
                }
                ("runtime-errors", Verdict::Holds) => continue,
                (_, Verdict::Unknown(why)) => {
                    let why = why.to_string();
                    assert!(
                        why.starts_with("the store may have overlooked states: expected number ")
                    );
                }
                other => panic!("{search}: {other:?}"),
            }
        }
    }
    for (search, store, words) in [
        ("beam", "bitstate(bytes=4096)", "works with dfs, bfs, dijkstra, astar, gbfs and ida"),
        ("ida(table=9)", "hash-compact", "`table` needs a store that keeps states in full"),
        ("gbfs", "cache", "the store cache works with depth-first search only"),
    ] {
        let report = checked(&model, &all[..1], &plan(search, store), false);
        let verdict = &report.properties[0].verdict;
        let is_named = matches!(verdict, Verdict::Unknown(why) if why.to_string().contains(words));
        assert!(is_named, "{verdict:?}");
    }
}

/// Directed searches that support lossy stores.
const DIRECTED: [&str; 5] = ["gbfs", "astar", "dijkstra", "ida", "astar(w=3, evaluate=lazy)"];

#[test]
fn directed_and_breadth_first_searches_find_what_is_there() {
    let mut compared = 0;
    for (number, fixture) in fixture::all().into_iter().enumerate() {
        let front = read(&fixture.text);
        let model = promela(&front);
        let mut all = model.properties();
        all.retain(|property| property.kind.is_safety());
        let exact = checked(&model, &all, &plan("dfs", "exact"), true);
        // IDA* expands all states again in each iteration.
        if exact.stats.stored > 1000 {
            continue;
        }
        for (search, store) in ["bfs"]
            .iter()
            .chain(&DIRECTED)
            .flat_map(|search| STORES.iter().map(move |store| (search, store)))
            .skip(number % one_in(1))
            .step_by(one_in(1))
        {
            let report = checked(&model, &all, &plan(search, store), false);
            for (lossy, exact) in report.properties.iter().zip(&exact.properties) {
                let place = format!("{} {} {search} {store}", fixture.name, lossy.property.name);
                // A static analysis needs no store.
                let is_static = lossy.by.as_deref() == Some("value ranges");
                assert!(is_static || !matches!(lossy.verdict, Verdict::Holds), "{place}");
                let is_found = |verdict: &Verdict| !violations(verdict).is_empty();
                let (found, there) = (is_found(&lossy.verdict), is_found(&exact.verdict));
                assert!(found == there || *store == STORES[2] && there, "{place}");
                compared += 1;
            }
        }
    }
    assert!(compared > portion(1000), "{compared}");
}

#[test]
fn a_cache_forgets_states_and_says_what_holds() {
    for fixture in fixture::all() {
        let front = read(&fixture.text);
        let model = promela(&front);
        let mut all = model.properties();
        all.retain(|property| property.kind.is_safety());
        let exact = checked(&model, &all, &plan("dfs", "exact"), true);
        let stored = exact.stats.stored;
        // A small cache expands states again and again, so that only small models end in time.
        let small = if stored < 60 { "cache(states=8)" } else { "cache(states=100000)" };
        for store in ["cache", small] {
            let cached = checked(&model, &all, &plan("dfs", store), true);
            for (cached, exact) in cached.properties.iter().zip(&exact.properties) {
                let place = format!("{} {} {store}", fixture.name, cached.property.name);
                let holds = |verdict: &Verdict| matches!(verdict, Verdict::Holds);
                assert_eq!(holds(&cached.verdict), holds(&exact.verdict), "{place}");
                let count = |verdict: &Verdict| violations(verdict).len();
                assert_eq!(count(&cached.verdict), count(&exact.verdict), "{place}");
            }
        }
        let count = |store| counted(&model, &plan("dfs", store));
        let (cached, exact) = (count("cache"), count("exact"));
        assert_eq!((cached.stopped, cached.stats.stored), (None, exact.stats.stored));
        let few = count("cache(states=1)");
        let has_forgotten = exact.stats.stored > 60;
        assert!(!has_forgotten || few.stopped == Some(Stop::Memory), "{}", fixture.name);
    }
}

#[test]
fn limits_and_impossible_arrays_are_named() {
    let front = read("int a, b;\nactive [2] proctype P() { do :: a++ :: b++ od }\n");
    let model = promela(&front);
    let all = model.properties();
    let reason = |plan: &Plan| match &checked(&model, &all, plan, false).properties[0].verdict {
        Verdict::Unknown(why) => why.to_string(),
        other => panic!("{other:?}"),
    };
    // No statement reads the counters: without `plain`, states would omit them.
    let usual = Plan { plain: true, ..plan("dfs", "hash-compact") };
    let small = Plan { bytes: Some(100_000), ..usual.clone() };
    assert_eq!(reason(&small), Stop::Memory.to_string());
    assert_eq!(reason(&Plan { depth: Some(10), ..usual }), Stop::Depth.to_string());
    let store = Store::Bitstate { bits: 3, bytes: Some(1_000_000_000_000_000), runs: 1 };
    let huge = Plan { store, ..plan("dfs", "exact") };
    assert_eq!(reason(&huge), "there is not enough memory for the array");
    assert_eq!(counted(&model, &huge).stopped, Some(Stop::Memory));
}
