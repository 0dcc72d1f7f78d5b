//! `xr` and `xs`: violations are those that SPIN reports, native code and reduced searches find
//! those of the interpreter, and the differences are known.

use std::fs;
use std::ops::ControlFlow;
use std::time::Duration;

use beeline_checker::{
    NoObserver, Plan, ReductionChoice, Stats, check, parse_reduction, parse_search,
};
use beeline_engine::automata::AutomataOptions;
use beeline_engine::interpreter::Machine;
use beeline_jit::NativeSpace;
use beeline_kernel::{FaultKind, Stop};
use beeline_model::{Engine, ErrorKind, Model, StoryRequest, Subject, Verdict};
use beeline_promela::{Frontend, printer};
use beeline_test_size::portion;
use beeline_testkit::agreement::agree;
use beeline_testkit::checking::{heuristic_names, promela};
use beeline_testkit::generate::{self, Config, Feature};
use beeline_testkit::model;
use beeline_testkit::spin::{self, Pan, Scratch, Translator};

/// A model, and whether exclusivity is violated in it.
struct Case {
    what: &'static str,
    text: &'static str,
    broken: bool,
}

const CASES: &[Case] = &[
    Case {
        what: "nobody else receives",
        text: "chan q = [2] of { byte }; byte x;\n\
               active proctype R() { xr q; q?x; q?x }\n\
               active proctype S() { q!1; q!2 }\n",
        broken: false,
    },
    Case {
        what: "another process receives",
        text: "chan q = [2] of { byte }; byte x;\n\
               active proctype R() { xr q; q?x }\n\
               active proctype O() { q?x }\n\
               active proctype S() { q!1; q!2 }\n",
        broken: true,
    },
    Case {
        what: "two processes of one type say the same",
        text: "chan q = [2] of { byte }; byte x;\n\
               active [2] proctype R() { xr q; q?x }\n\
               active proctype S() { q!1; q!2 }\n",
        broken: true,
    },
    Case {
        what: "two processes of one type, each with its own channel",
        text: "chan q[2] = [2] of { byte }; byte x;\n\
               proctype R(chan c) { xr c; c?x }\n\
               init { run R(q[0]); run R(q[1]); q[0]!1; q[1]!2 }\n",
        broken: false,
    },
    Case {
        what: "the same channel, passed to both",
        text: "chan q[2] = [2] of { byte }; byte x;\n\
               proctype R(chan c) { xr c; c?x }\n\
               init { atomic { run R(q[0]); run R(q[0]) } q[0]!1; q[0]!2 }\n",
        broken: true,
    },
    Case {
        what: "another process sends",
        text: "chan q = [2] of { byte }; byte x;\n\
               active proctype S() { xs q; q!1 }\n\
               active proctype O() { q!2 }\n",
        broken: true,
    },
    Case {
        what: "receiving is nothing to who says that it alone sends",
        text: "chan q = [2] of { byte }; byte x;\n\
               active proctype S() { xs q; q!1 }\n\
               active proctype O() { q?x }\n",
        broken: false,
    },
    Case {
        what: "a sorted send looks at what is there",
        text: "chan q = [2] of { byte }; byte x;\n\
               active proctype R() { xr q; q?x }\n\
               active proctype S() { q!!1 }\n",
        broken: true,
    },
    Case {
        what: "a sorted send, by who receives",
        text: "chan q = [2] of { byte }; byte x;\n\
               active proctype R() { xr q; q!!1; q?x }\n",
        broken: true,
    },
    Case {
        what: "a copy is taken as well",
        text: "chan q = [2] of { byte }; byte x;\n\
               active proctype R() { xr q; q?x }\n\
               active proctype O() { q!1; q?<x> }\n",
        broken: true,
    },
    Case {
        what: "polls look",
        text: "chan q = [2] of { byte }; byte x;\n\
               active proctype R() { xr q; q?x }\n\
               active proctype O() { q!1; q?[1] }\n",
        broken: true,
    },
    Case {
        what: "a length, in an assignment",
        text: "chan q = [2] of { byte }; byte x;\n\
               active proctype S() { xs q; q!1 }\n\
               active proctype O() { x = len(q) }\n",
        broken: true,
    },
    Case {
        what: "nfull is for those who send",
        text: "chan q = [2] of { byte }; byte x;\n\
               active proctype R() { xr q; q?x }\n\
               active proctype O() { nfull(q); q!1 }\n",
        broken: false,
    },
    Case {
        what: "nempty is for those who receive",
        text: "chan q = [2] of { byte }; byte x;\n\
               active proctype R() { xr q; q?x }\n\
               active proctype O() { q!1; nempty(q) }\n",
        broken: true,
    },
    Case {
        what: "inside of a d_step",
        text: "chan q = [2] of { byte }; byte x;\n\
               active proctype R() { xr q; q?x }\n\
               active proctype O() { q!1; d_step { x = 2; q?x } }\n",
        broken: true,
    },
    Case {
        what: "a rendezvous",
        text: "chan q = [0] of { byte }; byte x;\n\
               active proctype R() { xr q; q?x }\n\
               active proctype S() { q!1 }\n",
        broken: true,
    },
];

fn read(text: &str) -> Frontend {
    let front = model::read_text("model.pml", text);
    assert_eq!(model::first_error(&front), None, "{text}");
    front
}

/// The descriptions of the exclusivity violations that a search finds.
fn broken(front: &Frontend, search: &str, engine: Engine, reduce: ReductionChoice) -> Vec<String> {
    let model = promela(front);
    let search = parse_search(search, 1, &heuristic_names()).expect("there is one");
    let plan = Plan { search, engine, reduce, ..Plan::default() };
    let assertions = model.properties().into_iter().filter(|one| one.name == "assertions");
    let assertions: Vec<_> = assertions.collect();
    let report = check(&model, &assertions, &plan, true, &mut NoObserver).expect("it is confirmed");
    let mut found = Vec::new();
    for checked in report.properties {
        let Verdict::Violated(violations) = checked.verdict else { continue };
        for violation in violations {
            if violation.error == ErrorKind::Fault(FaultKind::Exclusive) {
                let subject = Subject::Properties(&[]);
                let story = model.story(&violation.trail, &StoryRequest::new(subject));
                found.push(story.expect("a trail").end.detail.expect("it has a reason"));
            }
        }
    }
    found
}

#[test]
fn every_search_and_engine_finds_what_is_broken() {
    let stubborn = parse_reduction("stubborn").expect("there is one");
    for case in CASES {
        let front = read(case.text);
        for search in ["dfs", "bfs", "astar"] {
            for (engine, reduce) in [
                (Engine::Interpreter, ReductionChoice::Off),
                (Engine::Native, ReductionChoice::Off),
                (Engine::Interpreter, stubborn),
            ] {
                let found = broken(&front, search, engine, reduce);
                let name = format!("{}, {search}, {engine:?}, {reduce:?}", case.what);
                assert_eq!(!found.is_empty(), case.broken, "{name}: {found:?}");
            }
        }
    }
}

#[test]
fn spin_reports_the_same() {
    if !spin::available_or_skip("xr and xs as SPIN checks them") {
        return;
    }
    for case in CASES {
        let scratch = Scratch::new().expect("there is room for files");
        let file = scratch.path().join("model.pml");
        fs::write(&file, case.text).expect("the directory is ours");
        let pan = Pan::build(&file, Translator::Default, &["-DSAFETY"]).expect("SPIN compiles it");
        let output = pan.run(&["-c0"], Duration::from_secs(20)).expect("pan ends").output();
        let says = output.contains("partial order reduction invalid")
            || output.contains("sorted send on xr channel")
            || output.contains("chans cannot be used for rv");
        assert_eq!(says, case.broken, "{}\n{output}", case.what);
    }
}

#[test]
fn the_reason_names_channel_owner_and_offender() {
    let found = broken(&read(CASES[1].text), "bfs", Engine::Interpreter, ReductionChoice::Off);
    assert_eq!(found, ["R(0) declares `xr q`, but O(1) uses it"]);
    let rendezvous = CASES.last().expect("there are cases");
    let found = broken(&read(rendezvous.text), "bfs", Engine::Interpreter, ReductionChoice::Off);
    assert_eq!(found, ["R(0) declares `xr q`, but a rendezvous has two sides"]);
}

/// SPIN complains already when such a statement is tried, and also about processes that ended.
#[test]
fn trying_is_no_crime_and_promises_end_with_their_process() {
    for text in [
        "chan q = [2] of { byte }; byte x;\n\
         active proctype R() { xr q; q?x }\n\
         active proctype O() { end: q?x }\n",
        "chan q = [2] of { byte }; byte x;\n\
         proctype R() { xr q; q?x }\n\
         init { q!1; run R(); _nr_pr == 1; q!2; q?x }\n",
    ] {
        let found = broken(&read(text), "bfs", Engine::Interpreter, ReductionChoice::Off);
        assert!(found.is_empty(), "{found:?}\n{text}");
    }
}

/// Whether exclusivity is violated, if all states can be explored.
fn is_broken(front: &Frontend, reduce: ReductionChoice) -> Option<bool> {
    let model = promela(front);
    let search = parse_search("bfs", 1, &heuristic_names()).expect("there is one");
    let plan = Plan { search, reduce, ..Plan::default() };
    let assertions = model.properties().into_iter().filter(|one| one.name == "assertions");
    let assertions: Vec<_> = assertions.collect();
    let mut patience = |stats: &Stats| match stats.expanded {
        0..2_000 => ControlFlow::Continue(()),
        _ => ControlFlow::Break(Stop::Time),
    };
    let report = check(&model, &assertions, &plan, true, &mut patience).expect("it is confirmed");
    if report.stats.expanded >= 2_000 {
        return None;
    }
    let answer = &report.properties.first()?.verdict;
    let Verdict::Violated(violations) = answer else { return Some(false) };
    Some(violations.iter().any(|one| one.error == ErrorKind::Fault(FaultKind::Exclusive)))
}

#[test]
fn random_programs_are_reduced_soundly_and_native_code_agrees() {
    let config = Config::full().with(Feature::Exclusive, 100);
    let stubborn = parse_reduction("stubborn").expect("there is one");
    let (mut compared, mut broken, mut states) = (0, 0, 0);
    for seed in 0..portion(1_000) {
        let settled = if seed % 2 == 1 { 60 } else { 0 };
        let config = config.clone().with(Feature::LocalConstant, settled);
        let text = printer::print(&generate::program(seed, &config));
        let front = read(&text);
        let machine = Machine::new(&front.hir, AutomataOptions::OPTIMISED);
        if !machine.has_exclusives() {
            continue;
        }
        if let Some(is_full) = is_broken(&front, ReductionChoice::Off) {
            assert_eq!(is_broken(&front, stubborn), Some(is_full), "seed {seed}\n{text}");
            compared += 1;
            broken += usize::from(is_full);
        }
        if let Ok(native) = NativeSpace::compile(&machine) {
            states += agree(&machine, &native, &format!("seed {seed}\n{text}"));
        }
    }
    println!("{compared} programs, {broken} broken, {states} states");
    assert!(
        compared > portion(50) && broken > portion(5) && states > portion(1_000),
        "{compared}, {broken}, {states}"
    );
}
