//! Stores that may overlook states, on real models: what is there is found, and nothing is
//! said to hold.

use beeline_checker::{
    Answer, CheckReport, Plan, Property, Store, Unwatched, Violation, check, count, parse_search,
    parse_store, properties,
};
use beeline_kernel::Stop;
use beeline_promela::hir::Model;
use beeline_promela::preprocess::Options;
use beeline_testkit::fixture;
use beeline_testkit::model::Disk;

const STORES: [&str; 3] = ["hash-compact", "bitstate(bytes=16777216)", "bitstate(bytes=100)"];

fn model(text: &str) -> Model {
    let front = beeline_promela::read("m.pml", text, &mut Disk, &Options::default());
    assert!(!front.diagnostics.has_errors(), "{text}");
    front.hir
}

fn plan(search: &str, store: &str) -> Plan {
    let search = parse_search(search, 1).expect("there is such a search");
    let store = parse_store(store).expect("there is such a store");
    Plan { search, store, ..Plan::default() }
}

fn checked(model: &Model, properties: &[Property], plan: &Plan, all: bool) -> CheckReport {
    let report = check(model, properties, plan, all, &mut Unwatched);
    report.expect("what is found can be confirmed")
}

fn violations(answer: &Answer) -> &[Violation] {
    if let Answer::Violated(violations) = answer { violations } else { &[] }
}

#[test]
fn all_models_are_counted_as_in_the_exact_store() {
    for fixture in fixture::all() {
        let model = model(&fixture.text);
        let exact =
            count(&model, &plan("dfs", "exact"), &mut Unwatched).expect("it can be counted");
        for store in &STORES[..2] {
            let lossy =
                count(&model, &plan("dfs", store), &mut Unwatched).expect("it can be counted");
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
        let model = model(&fixture.text);
        let mut all = properties(&model);
        all.retain(|property| property.kind.is_safety());
        let exact = checked(&model, &all, &plan("dfs", "exact"), true);
        for store in STORES {
            let lossy = checked(&model, &all, &plan("dfs", store), true);
            assert_eq!(lossy.store, parse_store(store).expect("there is such a store"));
            for (lossy, exact) in lossy.properties.iter().zip(&exact.properties) {
                let place = format!("{} {} {store}", fixture.name, lossy.property.name);
                assert!(!matches!(lossy.answer, Answer::Holds), "{place}");
                let (found, there) = (violations(&lossy.answer), violations(&exact.answer));
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
    let model = model(text);
    let all = properties(&model);
    for search in ["dfs", "bfs", "auto", "indfs"] {
        let report = checked(&model, &all, &plan(search, "hash-compact"), false);
        for one in &report.properties {
            match (&*one.property.name, &one.answer) {
                ("small", answer) => assert_eq!(violations(answer).len(), 1),
                ("often", Answer::Unknown(why)) => assert!(why.contains("not for claims"), "{why}"),
                (_, Answer::Unknown(why)) => {
                    assert!(why.starts_with("the store may have overlooked states: about "));
                }
                other => panic!("{other:?}"),
            }
            let is_other = ["bfs", "auto"].contains(&search) && one.property.name != "often";
            let remark = one.remarks.iter().any(|remark| remark.starts_with("depth-first instead"));
            assert_eq!(remark, is_other, "{search}: {:?}", one.remarks);
        }
    }
    let report = checked(&model, &all, &plan("gbfs", "bitstate(bytes=4096)"), false);
    for one in &report.properties {
        assert!(matches!(&one.answer, Answer::Unknown(why) if why.contains("not with directed")));
    }
}

#[test]
fn limits_and_impossible_arrays_are_named() {
    let model = model("int a, b;\nactive [2] proctype P() { do :: a++ :: b++ od }\n");
    let all = properties(&model);
    let reason = |plan: &Plan| match &checked(&model, &all, plan, false).properties[0].answer {
        Answer::Unknown(why) => why.clone(),
        other => panic!("{other:?}"),
    };
    // Nobody reads the counters, so they would be left out.
    let usual = Plan { plain: true, ..plan("dfs", "hash-compact") };
    let small = Plan { bytes: Some(100_000), ..usual.clone() };
    assert_eq!(reason(&small), Stop::Memory.to_string());
    assert_eq!(reason(&Plan { depth: Some(10), ..usual }), Stop::Depth.to_string());
    let store = Store::Bitstate { bits: 3, bytes: Some(1_000_000_000_000_000), runs: 1 };
    let huge = Plan { store, ..plan("dfs", "exact") };
    assert_eq!(reason(&huge), "there is not so much memory for the array");
    assert_eq!(
        count(&model, &huge, &mut Unwatched).expect("it is begun").stopped,
        Some(Stop::Memory)
    );
}
