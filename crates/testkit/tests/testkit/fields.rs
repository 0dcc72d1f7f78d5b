//! Messages with a wrong number of fields: a statement that sends or receives one fails where SPIN
//! complains, for all searches.

use std::fs;
use std::time::Duration;

use beeline_checker::{NoObserver, Plan, ReductionChoice, check, parse_reduction, parse_search};
use beeline_engine::automata::AutomataOptions;
use beeline_engine::interpreter::Machine;
use beeline_jit::NativeSpace;
use beeline_kernel::FaultKind;
use beeline_model::{Engine, ErrorKind, Model, Verdict};
use beeline_testkit::agreement::agree;
use beeline_testkit::checking::{heuristic_names, promela};
use beeline_testkit::model;
use beeline_testkit::spin::{self, Pan, Scratch, Translator};

/// Statements of two processes that share a channel with two fields, and whether one of them
/// fails.
const CASES: &[(&str, &str, bool)] = &[
    ("c!1,2", "c?x,y", false),
    ("c!1", "c?x,y", true),
    ("c!1,2", "c?x", true),
    ("c!1,2", "c?x,y,z", true),
    // A message that is not received causes no fault.
    ("c!1,2", "c?5", false),
    ("c!1,2", "c?1,2,z", true),
    ("c!1,2", "c?x,5,7", false),
    ("c!1,2", "c?x,2,7", true),
    ("c!1,2", "c??x", true),
    ("c!1,2", "atomic { c?x; y = 1 }", true),
    ("c!1,2", "d_step { c?x,y,z; y = 1 }", true),
    ("c!!1", "c?x,y", true),
    // Nor does a missing message.
    ("skip", "c?x,y,z", false),
];

/// The same for polls, which a rendezvous does not support: reading fewer fields is no fault.
const POLLS: &[(&str, &str, bool)] = &[
    ("c!1,2", "c?[1]", false),
    ("c!1,2", "c?[1,3,0]", false),
    ("c!1,2", "c?[1,2,0]", true),
    ("c!1,2", "if :: c?[1,2,0] :: else fi", true),
];

/// The cases as models, with a buffered and with a rendezvous channel, by name and through a
/// variable.
fn models() -> impl Iterator<Item = (String, bool)> {
    let with = |capacity: usize| {
        move |&(sends, receives, fails): &(&str, &str, bool)| {
            let named = format!(
                "chan c = [{capacity}] of {{ byte, byte }}; byte x, y, z;\n\
                 active proctype S() {{ {sends} }}\n\
                 active proctype R() {{ {receives} }}\n"
            );
            let passed = format!(
                "chan d = [{capacity}] of {{ byte, byte }}; byte x, y, z;\n\
                 chan e = [2] of {{ byte }}; chan f = [0] of {{ byte, byte, byte }};\n\
                 proctype S(chan c) {{ {sends} }}\n\
                 proctype R(chan c) {{ {receives} }}\n\
                 init {{ run S(d); run R(d) }}\n"
            );
            [(named, fails), (passed, fails)]
        }
    };
    // SPIN has no sorted sends, random receives and receives in a `d_step` without a buffer.
    let plain = |&&(sends, receives, _): &&(&str, &str, bool)| {
        !sends.contains("!!") && !receives.contains("??") && !receives.contains("d_step")
    };
    let kept = CASES.iter().chain(POLLS).flat_map(with(2));
    kept.chain(CASES.iter().filter(plain).flat_map(with(0)))
}

#[test]
fn every_search_and_engine_finds_what_fails() {
    let stubborn = parse_reduction("stubborn").expect("there is one");
    for (text, fails) in models() {
        let front = model::read_text("fields.pml", &text);
        let model = promela(&front);
        let errors = model.properties().into_iter().filter(|one| one.name == "runtime-errors");
        let errors: Vec<_> = errors.collect();
        for search in ["dfs", "bfs", "astar", "gbfs(hff)", "auto"] {
            for (engine, reduce) in [
                (Engine::Interpreter, ReductionChoice::Off),
                (Engine::Native, ReductionChoice::Off),
                (Engine::Interpreter, stubborn),
            ] {
                let search = parse_search(search, 1, &heuristic_names()).expect("there is one");
                let plan = Plan { search, engine, reduce, ..Plan::default() };
                let report = check(&model, &errors, &plan, true, &mut NoObserver);
                let report = report.expect("it is confirmed");
                let found = match &report.properties[0].verdict {
                    Verdict::Violated(violations) => {
                        let wrong = ErrorKind::Fault(FaultKind::Fields);
                        assert!(violations.iter().all(|one| one.error == wrong), "{violations:?}");
                        true
                    }
                    Verdict::Holds => false,
                    Verdict::Unknown(why) => panic!("{why}: {plan:?}\n{text}"),
                };
                assert_eq!(found, fails, "{plan:?}\n{text}");
            }
        }
    }
}

#[test]
fn native_code_agrees() {
    for (text, _) in models() {
        let front = model::read_text("fields.pml", &text);
        for options in [AutomataOptions::PLAIN, AutomataOptions::OPTIMISED] {
            let machine = Machine::new(&front.hir, options);
            let native = NativeSpace::compile(&machine).expect("it can be compiled");
            assert!(agree(&machine, &native, &text) > 0, "{text}");
        }
    }
}

#[test]
fn spin_reports_the_same() {
    if !spin::available_or_skip("messages with a wrong number of fields") {
        return;
    }
    for (text, fails) in models() {
        let scratch = Scratch::new().expect("there is room for files");
        let file = scratch.path().join("model.pml");
        fs::write(&file, &text).expect("the directory is ours");
        let flags = ["-DSAFETY", "-DNOREDUCE"];
        let pan = Pan::build(&file, Translator::Default, &flags).expect("SPIN compiles it");
        let output = pan.run(&["-c0", "-E"], Duration::from_secs(20)).expect("pan ends").output();
        let complaints =
            ["too few parameters in send", "too many fields in recv", "missing pars in receive"];
        let says = complaints.iter().any(|complaint| output.contains(complaint));
        assert_eq!(says, fails, "{text}\n{output}");
    }
}

/// The successors of such a statement are not explored, so the verdict is unknown.
#[test]
fn nothing_is_known_behind_it() {
    let text = "chan c = [1] of { byte, byte }; byte x;\n\
                active proctype P() { c!1; c?x,_; c?x,_ }\n";
    let front = model::read_text("fields.pml", text);
    let model = promela(&front);
    let deadlock = model.properties().into_iter().filter(|one| one.name == "deadlock");
    let deadlock: Vec<_> = deadlock.collect();
    for search in ["dfs", "astar", "auto"] {
        let plan = Plan {
            search: parse_search(search, 1, &heuristic_names()).expect("there is one"),
            ..Plan::default()
        };
        let report = check(&model, &deadlock, &plan, true, &mut NoObserver);
        let answer = &report.expect("it is confirmed").properties[0].verdict;
        let Verdict::Unknown(why) = answer else { panic!("{search}: {answer:?}") };
        assert!(why.to_string().contains("after a message"), "{search}: {why}");
    }
}
