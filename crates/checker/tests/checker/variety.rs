//! Diversified best-first search on real models: every combination of arguments gives the verdicts
//! of breadth-first search.

use beeline_checker::{NoObserver, Plan, check, parse_reduction, parse_search, parse_store};
use beeline_model::{Model, Verdict};
use beeline_promela::Frontend;
use beeline_promela::preprocess::PreprocessOptions;
use beeline_test_size::{one_in, portion};
use beeline_testkit::checking::{heuristic_names, promela};
use beeline_testkit::fixture;
use beeline_testkit::model::Disk;

const HEURISTICS: [&str; 3] = ["auto", "[auto, active]", "[active, blind, nonempty-queues]"];

const EXTRAS: [&str; 6] = [
    "evaluate=lazy",
    "preferred=yes, boost=7",
    "useless=penalty",
    "epsilon=0.3",
    "types=yes",
    "novelty=1",
];

fn read(text: &str) -> Frontend {
    let front = beeline_promela::read("m.pml", text, &mut Disk, &PreprocessOptions::default());
    assert!(!front.diagnostics.has_errors(), "{text}");
    front
}

fn plan(search: &str) -> Plan {
    let search = parse_search(search, 1, &heuristic_names()).unwrap_or_else(|why| panic!("{why}"));
    Plan { search, ..Plan::default() }
}

/// The verdict on each property in a word, and whether it is known.
fn verdicts(model: &dyn Model, plan: &Plan) -> Vec<(&'static str, bool)> {
    let report = check(model, &model.properties(), plan, false, &mut NoObserver);
    let report = report.expect("what is found can be confirmed");
    let word = |verdict: &Verdict| match verdict {
        Verdict::Violated(_) => ("violated", true),
        Verdict::Holds => ("holds", true),
        Verdict::Unknown(_) => ("unknown", false),
    };
    report.properties.iter().map(|checked| word(&checked.verdict)).collect()
}

/// One in this many of all combinations.
fn searches(step: usize) -> impl Iterator<Item = String> {
    let all = HEURISTICS.iter().flat_map(|h| (0..1 << EXTRAS.len()).map(move |set| (h, set)));
    all.enumerate().filter(move |(at, _)| at.is_multiple_of(step)).map(|(_, (h, set))| {
        let chosen = EXTRAS.iter().enumerate().filter(|(at, _)| set >> at & 1 == 1);
        let extras: String = chosen.map(|(_, extra)| format!(", {extra}")).collect();
        format!("gbfs({h}{extras})")
    })
}

#[test]
fn every_combination_says_what_breadth_first_search_says() {
    let mut compared = 0;
    for fixture in fixture::all() {
        let front = read(&fixture.text);
        let model = promela(&front);
        let states = fixture.expect.states().expect("ours say how many they have");
        let expected = verdicts(&model, &plan("bfs"));
        let step = match states {
            0..60 => 1,
            60..1000 => 17,
            _ => 41,
        };
        let more =
            ["gbfs(novelty=2)", "astar([auto, active], w=3)", "astar([active, auto], mix=1)"];
        for search in searches(one_in(step)).chain(more.map(str::to_owned)) {
            let found = verdicts(&model, &plan(&search));
            assert_eq!(found, expected, "{} {search}", fixture.name);
            compared += 1;
        }
    }
    assert!(compared > portion(2000), "{compared}");
}

#[test]
fn a_reduced_space_has_the_same_verdicts() {
    let mut compared = 0;
    for fixture in fixture::all().into_iter().step_by(one_in(1)) {
        let front = read(&fixture.text);
        let model = promela(&front);
        let expected = verdicts(&model, &plan("bfs"));
        for search in ["gbfs([auto, active], preferred=yes)", "gbfs(types=yes, epsilon=0.1)"] {
            let reduce = parse_reduction("stubborn").expect("there is such a reduction");
            let reduced = Plan { reduce, ..plan(search) };
            let Ok(report) = check(&model, &model.properties(), &reduced, false, &mut NoObserver)
            else {
                continue;
            };
            for (checked, (word, is_known)) in report.properties.iter().zip(&expected) {
                match &checked.verdict {
                    Verdict::Violated(_) => assert_eq!(*word, "violated", "{}", fixture.name),
                    Verdict::Holds => assert_eq!(*word, "holds", "{}", fixture.name),
                    Verdict::Unknown(why) => assert!(!is_known, "{} {why}", fixture.name),
                }
                compared += 1;
            }
        }
    }
    assert!(compared > portion(50), "{compared}");
}

#[test]
fn a_seed_is_all_that_chance_depends_on() {
    let all = fixture::all();
    let telegraph = all.iter().find(|fixture| fixture.name.contains("telegraph"));
    let front = read(&telegraph.expect("it is one of ours").text);
    let model = promela(&front);
    let done = |search: &str| {
        let report = check(&model, &model.properties(), &plan(search), false, &mut NoObserver);
        let report = report.expect("what is found can be confirmed");
        let steps = |verdict: &Verdict| match verdict {
            Verdict::Violated(all) => all.iter().map(|one| one.length.steps).collect(),
            _ => Vec::new(),
        };
        let steps: Vec<Vec<u64>> =
            report.properties.iter().map(|checked| steps(&checked.verdict)).collect();
        (report.stats, steps)
    };
    let search = |seed| format!("gbfs(active, epsilon=0.5, types=yes, seed={seed})");
    assert_eq!(done(&search(1)), done(&search(1)));
    assert_ne!(done(&search(1)), done(&search(2)));
}

#[test]
fn a_store_that_may_overlook_states_has_one_list() {
    let front = read("active proctype P() { skip }");
    let model = promela(&front);
    let store = parse_store("hash-compact").expect("there is such a store");
    for search in ["gbfs([active, blind])", "gbfs(epsilon=0.1)", "gbfs(novelty=2)"] {
        let plan = Plan { store, ..plan(search) };
        let report = check(&model, &model.properties(), &plan, false, &mut NoObserver);
        let report = report.expect("nothing is found");
        let Verdict::Unknown(why) = &report.properties[0].verdict else { panic!("{search}") };
        let why = why.to_string();
        assert!(why.contains("leave out the others, and `preferred`"), "{search}: {why}");
    }
}

/// A model with too many variables for a factored view.
const LARGE: &str = "byte many[21000]; active proctype p() { many[7] = 1; assert(many[7] == 0) }";

#[test]
fn a_model_that_is_too_large_for_a_heuristic_is_searched_with_the_usual_one() {
    let front = read(LARGE);
    let model = promela(&front);
    for search in ["gbfs(hff)", "astar(hpl)", "gbfs([active, hadd])", "gbfs(pdb)", "gbfs(dpa)"] {
        let report = check(&model, &model.properties(), &plan(search), false, &mut NoObserver);
        let report = report.unwrap_or_else(|why| panic!("{search}: {why}"));
        let [deadlock, assertions, _] = &report.properties[..] else { panic!("there are three") };
        assert!(matches!(assertions.verdict, Verdict::Violated(_)), "{search}");
        let remarks = assertions.remarks.join("; ");
        let says_why = remarks.contains("too many") && remarks.contains("`formula`");
        assert!(says_why, "{search}: {remarks:?}");
        assert!(deadlock.remarks.join("; ").contains("`deadlock-formula`"), "{search}");
    }
}

#[test]
fn the_automatic_search_can_do_without_the_whole_system() {
    let found = read(
        "byte n; active proctype p() { do :: n++ od } active proctype q() \
                       { do :: n == 200 -> assert(false) :: n < 200 -> skip od }",
    );
    let safe = read("byte n; active proctype p() { do :: n < 9 -> n++ :: else -> n = 0 od }");
    let large = read(LARGE);
    let [found, safe, large] = [&found, &safe, &large].map(promela);
    let searches =
        ["auto", "auto(local)", "auto(greedy=late)", "auto(estimates=local, greedy=late)"];
    for search in searches {
        assert_eq!(verdicts(&found, &plan(search))[1], ("violated", true), "{search}");
        assert_eq!(verdicts(&large, &plan(search))[1], ("violated", true), "{search}");
        assert_eq!(verdicts(&safe, &plan(search)), [("holds", true); 2], "{search}");
    }
    assert!(parse_search("auto(estimates=none)", 1, &heuristic_names()).is_err());
}
