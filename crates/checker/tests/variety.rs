//! Best-first search with more than one list, on real models: every combination of arguments
//! says what breadth-first search says.

use beeline_checker::{
    Answer, Plan, Unwatched, check, parse_reduce, parse_search, parse_store, properties,
};
use beeline_promela::hir::Model;
use beeline_promela::preprocess::Options;
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

fn model(text: &str) -> Model {
    let front = beeline_promela::read("m.pml", text, &mut Disk, &Options::default());
    assert!(!front.diagnostics.has_errors(), "{text}");
    front.hir
}

fn plan(search: &str) -> Plan {
    let search = parse_search(search, 1).unwrap_or_else(|why| panic!("{why}"));
    Plan { search, ..Plan::default() }
}

/// What is said about each property, in a word.
fn verdicts(model: &Model, plan: &Plan) -> Vec<(&'static str, bool)> {
    let report = check(model, &properties(model), plan, false, &mut Unwatched);
    let report = report.expect("what is found can be confirmed");
    let word = |answer: &Answer| match answer {
        Answer::Violated(_) => ("violated", true),
        Answer::Holds => ("holds", true),
        Answer::Unknown(_) => ("unknown", false),
    };
    report.properties.iter().map(|checked| word(&checked.answer)).collect()
}

/// All combinations, or one in so many.
fn searches(one_in: usize) -> impl Iterator<Item = String> {
    let all = HEURISTICS.iter().flat_map(|h| (0..1 << EXTRAS.len()).map(move |set| (h, set)));
    all.enumerate().filter(move |(at, _)| at % one_in == 0).map(|(_, (h, set))| {
        let chosen = EXTRAS.iter().enumerate().filter(|(at, _)| set >> at & 1 == 1);
        let extras: String = chosen.map(|(_, extra)| format!(", {extra}")).collect();
        format!("gbfs({h}{extras})")
    })
}

#[test]
fn every_combination_says_what_breadth_first_search_says() {
    let mut compared = 0;
    for fixture in fixture::all() {
        let model = model(&fixture.text);
        let states = fixture.expect.states().expect("ours say how many they have");
        let expected = verdicts(&model, &plan("bfs"));
        let one_in = match states {
            0..60 => 1,
            60..1000 => 17,
            _ => 41,
        };
        let more =
            ["gbfs(novelty=2)", "astar([auto, active], w=3)", "astar([active, auto], mix=1)"];
        for search in searches(one_in).chain(more.map(str::to_owned)) {
            let found = verdicts(&model, &plan(&search));
            assert_eq!(found, expected, "{} {search}", fixture.name);
            compared += 1;
        }
    }
    assert!(compared > 2000, "{compared}");
}

#[test]
fn a_reduced_space_has_the_same_verdicts() {
    let mut compared = 0;
    for fixture in fixture::all() {
        let model = model(&fixture.text);
        let expected = verdicts(&model, &plan("bfs"));
        for search in ["gbfs([auto, active], preferred=yes)", "gbfs(types=yes, epsilon=0.1)"] {
            let reduce = parse_reduce("stubborn").expect("there is such a reduction");
            let reduced = Plan { reduce, ..plan(search) };
            let Ok(report) = check(&model, &properties(&model), &reduced, false, &mut Unwatched)
            else {
                continue;
            };
            for (checked, (word, is_known)) in report.properties.iter().zip(&expected) {
                match &checked.answer {
                    Answer::Violated(_) => assert_eq!(*word, "violated", "{}", fixture.name),
                    Answer::Holds => assert_eq!(*word, "holds", "{}", fixture.name),
                    Answer::Unknown(why) => assert!(!is_known, "{} {why}", fixture.name),
                }
                compared += 1;
            }
        }
    }
    assert!(compared > 50, "{compared}");
}

#[test]
fn a_seed_is_all_that_chance_depends_on() {
    let all = fixture::all();
    let telegraph = all.iter().find(|fixture| fixture.name.contains("telegraph"));
    let model = model(&telegraph.expect("it is one of ours").text);
    let done = |search: &str| {
        let report = check(&model, &properties(&model), &plan(search), false, &mut Unwatched);
        let report = report.expect("what is found can be confirmed");
        let steps = |answer: &Answer| match answer {
            Answer::Violated(all) => all.iter().map(|one| one.steps).collect(),
            _ => Vec::new(),
        };
        let steps: Vec<Vec<u64>> =
            report.properties.iter().map(|checked| steps(&checked.answer)).collect();
        (report.stats, steps)
    };
    let search = |seed| format!("gbfs(active, epsilon=0.5, types=yes, seed={seed})");
    assert_eq!(done(&search(1)), done(&search(1)));
    assert_ne!(done(&search(1)), done(&search(2)));
}

#[test]
fn a_store_that_may_overlook_states_has_one_list() {
    let model = model("active proctype P() { skip }");
    let store = parse_store("hash-compact").expect("there is such a store");
    for search in ["gbfs([active, blind])", "gbfs(epsilon=0.1)", "gbfs(novelty=2)"] {
        let plan = Plan { store, ..plan(search) };
        let report = check(&model, &properties(&model), &plan, false, &mut Unwatched);
        let report = report.expect("nothing is found");
        let Answer::Unknown(why) = &report.properties[0].answer else { panic!("{search}") };
        assert!(why.contains("leave out the others, and `preferred`"), "{search}: {why}");
    }
}
