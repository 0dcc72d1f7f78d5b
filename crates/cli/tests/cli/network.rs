//! Process networks on the command line: check, count and generate.

use serde_json::Value;

use crate::run::{Run, run, run_in, run_on, scratch};
use crate::schema::obeys;

fn generate(args: &[&str]) -> String {
    let result = run(&[&["generate"], args].concat());
    assert_eq!((result.code, result.err.as_str()), (0, ""), "{result:?}");
    result.out
}

/// Two processes that cannot synchronise.
const SAFE: &str = "process a\nstates 3\ninit 0\nerror 2\ntrans 0 x 1\ntrans 1 y 2\n\
                    process b\nstates 3\ninit 0\nerror all\ntrans 0 y 1\ntrans 1 x 2\n";

fn check(network: &str, args: &[&str]) -> Run {
    run_on(network, &[&["check", "-"], args].concat())
}

fn json(network: &str, args: &[&str]) -> (i32, Value) {
    let result = check(network, &[&["--json"], args].concat());
    let value: Value = serde_json::from_str(&result.out).expect("one JSON value");
    let schema = include_str!("../../../../docs/schemas/check.schema.json");
    obeys(&value, &serde_json::from_str(schema).expect("the schema is JSON"));
    (result.code, value)
}

#[test]
fn a_violated_network_ends_with_1_and_shows_its_steps() {
    let arbiter = generate(&["arbiter", "2"]);
    for search in [&[][..], &["--search", "astar(dpa)"], &["--search", "bfs"]] {
        let result = check(&arbiter, search);
        assert_eq!((result.code, result.err.as_str()), (1, ""), "{result:?}");
        let first = "error  violated  error reached after 12 steps (there is no shorter trail)\n";
        assert!(result.out.starts_with(first), "{}", result.out);
        assert!(result.out.contains("\nerror: error reached\n"), "{}", result.out);
        assert!(result.out.contains("\n  1  "), "{}", result.out);
        assert!(result.out.contains("\n 12  "), "{}", result.out);
        assert!(result.out.contains("rel_3: 10 → 14  =>  client0"), "{}", result.out);
        assert!(result.out.contains("all processes are in error states"), "{}", result.out);
    }
    let quiet = check(&arbiter, &["-q"]);
    assert_eq!(quiet.out.lines().count(), 1, "{}", quiet.out);
}

#[test]
fn json_has_the_keys_of_every_check_and_the_trail_as_text() {
    let options = ["--search", "astar(fsm)", "--no-trail"];
    let (code, object) = json(&generate(&["hanoi", "3"]), &options);
    assert_eq!((code, &object["verdict"]), (1, &"violated".into()));
    let property = &object["properties"][0];
    assert_eq!((&property["name"], &property["heuristic"]), (&"error".into(), &"fsm".into()));
    let trail = &property["trail"];
    assert_eq!((&trail["steps"], &trail["shortest"]), (&22.into(), &true.into()));
    // Each shared action has two lines.
    assert!(trail["lines"].as_u64() > Some(22), "{trail}");
    assert_eq!((&trail["replayed"], &object["model"]), (&true.into(), &"<stdin>".into()));
    let (code, object) = json(SAFE, &[]);
    assert_eq!((code, &object["verdict"]), (0, &"holds".into()));
    let (code, object) = json(&generate(&["arbiter", "3"]), &["--depth", "5"]);
    assert_eq!((code, &object["verdict"]), (2, &"unknown".into()));
    assert_eq!(object["properties"][0]["reason"], "depth limit reached");
}

#[test]
fn what_holds_ends_with_0_and_says_why() {
    assert!(check(SAFE, &[]).out.starts_with("error  holds\n"));
    let result = check(SAFE, &["--search", "gbfs(dpa(n=100))"]);
    let expected = "error  holds; dpa proves that no error can be reached\n";
    assert_eq!((result.code, result.err.as_str()), (0, ""));
    assert!(result.out.starts_with(expected), "{}", result.out);
    assert!(check(SAFE, &["--search", "dfs"]).out.starts_with("error  holds\n"));
    let lossy = check(SAFE, &["--search", "dfs", "--store", "bitstate(bytes=4096)"]);
    assert_eq!(lossy.code, 2, "{lossy:?}");
    assert!(lossy.out.starts_with("error  unknown   the store may have overlooked states"));
}

#[test]
fn limits_of_time_and_memory_are_kept() {
    let large = generate(&["hanoi", "12", "--variant", "d"]);
    for (option, value, reason) in
        [("--time", "200ms", "time limit reached"), ("--memory", "1M", "memory limit reached")]
    {
        let result = check(&large, &["--search", "bfs", option, value]);
        assert_eq!(result.code, 2, "{result:?}");
        assert!(result.out.contains(reason), "{}", result.out);
        assert!(result.out.contains("\ntry: more "), "{}", result.out);
    }
}

#[test]
fn count_tells_how_many_states_there_are() {
    let result = run_on(&generate(&["hanoi", "4", "--variant", "d"]), &["count", "-"]);
    assert_eq!(result.code, 0, "{result:?}");
    assert!(result.out.contains("states stored       9,849\n"), "{}", result.out);
}

#[test]
fn a_file_that_ends_in_net_is_a_network_whatever_it_says() {
    let place = scratch("network-files");
    std::fs::write(place.join("bad.net"), "byte n;\n").expect("the directory is ours");
    let result = run_in(&place, &["check", "bad.net"]);
    assert_eq!((result.code, result.out.as_str()), (3, ""), "{result:?}");
    assert!(result.err.contains("no line begins with `byte`"), "{}", result.err);
    assert!(result.err.contains("bad.net:1:1"), "{}", result.err);
    assert!(result.err.contains("help: the lines of a process are"), "{}", result.err);
    let result = run_in(&place, &["count", "bad.net", "--json"]);
    let object: Value = serde_json::from_str(&result.out).expect("one JSON value");
    assert_eq!((result.code, &object["ok"]), (3, &false.into()));
    std::fs::write(place.join("good.net"), SAFE).expect("the directory is ours");
    assert_eq!(run_in(&place, &["check", "good.net"]).code, 0);
    assert_eq!(run_in(&place, &["check", "missing.net"]).code, 4);
}

#[test]
fn commands_that_take_promela_refuse_networks_with_an_advice() {
    for args in [&["dump", "--form", "hir", "-"][..], &["hsf", "-Aa", "-"]] {
        let result = run_on(SAFE, args);
        assert_eq!(result.code, 4, "{args:?}: {result:?}");
        assert!(result.err.contains("is not written in Promela"), "{}", result.err);
        assert!(result.err.contains("take networks"), "{}", result.err);
    }
}

#[test]
fn options_without_effect_on_networks_are_refused() {
    for args in [
        &["--fair"][..],
        &["--coverage"],
        &["--lossy"],
        &["--strict-ends"],
        &["--plain"],
        &["-D", "N=3"],
    ] {
        let result = check(SAFE, args);
        assert_eq!((result.code, result.out.as_str()), (4, ""), "{args:?}: {result:?}");
        let expected = format!("{} has no meaning for `<stdin>`, a process network", args[0]);
        assert!(result.err.contains(&expected), "{}", result.err);
    }
    let result = check(SAFE, &["--property", "deadlock"]);
    let expected = "the model has no property `deadlock`; there is only `error`";
    assert!(result.code == 4 && result.err.contains(expected), "{result:?}");
    let result = check(SAFE, &["--search", "bfs", "--reduce", "stubborn"]);
    let expected = "not reduced, because this language has no partial order reduction";
    assert!(result.code == 0 && result.out.contains(expected), "{result:?}");
    let result = check(SAFE, &["--search", "gbfs(active)"]);
    assert!(result.code == 4 && result.err.contains("for networks"), "{result:?}");
}

#[test]
fn networks_have_trails_charts_reports_and_simulations() {
    let place = scratch("network-outputs");
    let network = generate(&["arbiter", "2"]);
    std::fs::write(place.join("a.net"), &network).expect("the directory is ours");
    let checked = run_in(
        &place,
        &[
            "check",
            "a.net",
            "--search",
            "dfs",
            "--all",
            "--expect",
            "violated",
            "--sarif",
            "a.sarif",
            "--junit",
            "a.xml",
            "--itf",
            "a.itf.json",
            "--chart",
            "a.svg",
        ],
    );
    assert_eq!(checked.code, 0, "{checked:?}");
    for file in ["a.net.trail", "a.sarif", "a.xml", "a.itf.json", "a.svg"] {
        assert!(place.join(file).exists(), "{file}");
    }
    let replayed = run_in(&place, &["replay", "a.net", "a.net.trail"]);
    assert_eq!(replayed.code, 0, "{replayed:?}");
    assert!(replayed.out.contains("all processes are in error states"), "{}", replayed.out);
    let improved = run_in(&place, &["improve", "a.net", "a.net.trail"]);
    assert_eq!(improved.code, 0, "{improved:?}");
    assert!(improved.out.contains("after 12 steps (there is no shorter trail)"), "{improved:?}");
    let simulated = run_in(&place, &["simulate", "a.net", "--seed", "3", "--steps", "5"]);
    assert_eq!(simulated.code, 2, "{simulated:?}");
    assert!(simulated.out.contains("\n  5  "), "{}", simulated.out);
    let broken = run_in(&place, &["replay", "a.net", "a.sarif"]);
    assert_eq!(broken.code, 4, "{broken:?}");
}

#[test]
fn heuristics_of_promela_are_not_those_of_networks() {
    let result = check(&generate(&["hanoi", "2"]), &["--search", "gbfs(hff)"]);
    assert_eq!(result.code, 4, "{result:?}");
    assert!(result.err.contains("`hff`"), "{}", result.err);
}

#[test]
fn generate_prints_what_check_reads() {
    let hanoi = generate(&["hanoi", "2"]);
    assert!(hanoi.starts_with("# towers of Hanoi, 2 disks, variant b\nprocess disk0\n"));
    let random = generate(&["random", "4", "--seed", "7"]);
    assert_eq!(random, generate(&["random", "4", "--seed", "7"]));
    assert_ne!(random, generate(&["random", "4", "--seed", "8"]));
    assert_eq!(check(&random, &[]).code, 1);
    for wrong in [&["arbiter"][..], &["arbiter", "99"], &["random", "1"], &["ring", "3"]] {
        assert_eq!(run(&[&["generate"], wrong].concat()).code, 4, "{wrong:?}");
    }
    let help = run(&["generate", "--help"]);
    assert!(help.code == 0 && help.out.contains("beeline generate arbiter 3"), "{}", help.out);
}
