//! Searches in threads on the command line: for cycles, ends at random moments, and the protocol that
//! the threads follow.

use std::fs;
use std::path::Path;

use beeline_test_size::portion;
use serde_json::Value;

#[cfg(unix)]
use crate::faults::interrupted_later;
use crate::run::{Run, run_in, run_on, scratch};

/// Millions of states without an accepting cycle; some cycles do not accept.
const ENDLESS: &str = "int a, b; bit c;\nactive [2] proctype P() { do :: a++ :: b++ od }\n\
    active proctype Q() { do :: c = 1 - c od }\nltl p { [](a == 1 -> <>(a != 1 || b >= 0)) }\n";

/// Three philosophers, one of which may starve.
const STARVING: &str = "bit fork[3];\nbyte meals[3];\n\
    active [3] proctype P() { byte l = _pid, r = (_pid + 1) % 3; do :: \
    atomic { fork[l] == 0 && fork[r] == 0 -> fork[l] = 1; fork[r] = 1 } \
    meals[_pid] = (meals[_pid] + 1) % 9; atomic { fork[l] = 0; fork[r] = 0 } od }\n\
    ltl eats { []<>(fork[0] == 1) }\nltl apart { [](meals[0] < 9) }\n\
    ltl goes_on { []((meals[0] > 0) -> <>(meals[0] < 10)) }\n";

fn object(result: &Run) -> Value {
    serde_json::from_str(&result.out).unwrap_or_else(|error| panic!("{error}: {result:?}"))
}

fn in_threads<'a>(jobs: &'a str, property: &'a str) -> [&'a str; 8] {
    ["--search", "cndfs", "--jobs", jobs, "--property", property, "--json", "--no-trail"]
}

/// Verdicts and states do not depend on threads, and each lasso can be replayed.
#[test]
fn a_search_for_cycles_has_the_same_verdicts_with_any_number_of_threads() {
    let folder = scratch("threads-cycles");
    fs::write(folder.join("m.pml"), STARVING).expect("the folder is ours");
    for fair in [false, true] {
        let mut stored = None;
        for jobs in ["1", "2", "3", "8"] {
            let check = |property| {
                let fairness: &[&str] = if fair { &["--fair"] } else { &[] };
                let args = [&["check", "m.pml"], &in_threads(jobs, property)[..], fairness];
                run_in(&folder, &args.concat())
            };
            let (eats, goes_on) = (check("eats"), check("goes_on"));
            assert_eq!((eats.code, goes_on.code), (1, 0), "{jobs}: {eats:?} {goes_on:?}");
            let found = object(&eats);
            assert_eq!(found["properties"][0]["trail"]["replayed"], true, "{found}");
            let (all, search) = (object(&goes_on)["stats"]["stored"].clone(), "cndfs");
            assert_eq!(*stored.get_or_insert(all.clone()), all, "{jobs}: {goes_on:?}");
            assert!(all.as_u64() > Some(1_000) && found["stats"]["search"] == search, "{found}");
            let differs =
                goes_on.out.contains("all counts but the stored states depend on the run");
            assert_eq!(differs, jobs != "1", "{goes_on:?}");
        }
    }
    let args = [&["check", "m.pml", "--trail", "t"], &in_threads("2", "eats")[..7]].concat();
    assert_eq!(run_in(&folder, &args).code, 1);
    let replay = run_in(&folder, &["replay", "m.pml", "t", "--json"]);
    assert_eq!(object(&replay)["error"], "formula violated by a cycle", "{replay:?}");
    assert!(object(&replay)["cycle_start"].is_u64(), "{replay:?}");
}

/// Where threads cannot be used, one thread searches, and a remark tells why.
#[test]
fn a_search_for_cycles_in_one_thread_says_why() {
    for (option, remark) in [
        (["--depth", "10000000"], "paths of several threads have no depth limit"),
        (["--store", "compact"], "several threads have the exact store"),
    ] {
        let args = [&["check", "-"], &in_threads("2", "goes_on")[..], &option].concat();
        let result = run_on(STARVING, &args);
        assert!(result.code == 0 && result.out.contains(remark), "{result:?}");
    }
}

#[test]
fn limits_end_a_search_for_cycles_in_threads() {
    for jobs in ["1", "2", "4"] {
        for (limit, reason) in [
            (["--memory", "400K"], "memory limit reached"),
            (["--memory", "5M"], "memory limit reached"),
            (["--time", "1ms"], "time limit reached"),
            (["--time", "150ms"], "time limit reached"),
            (["--depth", "20"], "depth limit reached"),
        ] {
            let args = [&["check", "-"], &in_threads(jobs, "p")[..], &limit].concat();
            let check = run_on(ENDLESS, &args);
            let found = object(&check);
            assert_eq!(check.code, 2, "{limit:?}: {found}");
            // On a busy machine, the watchdog may come first: `during a single long step`.
            let told = found["properties"][0]["reason"].as_str().expect("a reason");
            assert!(told.starts_with(reason), "{limit:?}: {found}");
        }
    }
}

/// Best-first and beam search in threads end in the same way.
#[test]
fn limits_end_best_first_searches_in_threads() {
    for search in ["dijkstra", "astar(active)", "gbfs(active)", "beam(active, width=5000)"] {
        for (limit, reason) in [
            (["--memory", "400K"], "memory limit reached"),
            (["--memory", "5M"], "memory limit reached"),
            (["--time", "1ms"], "time limit reached"),
            (["--time", "150ms"], "time limit reached"),
        ] {
            let args =
                ["check", "-", "--no-trail", "--json", "--jobs", "3", "--property", "deadlock"];
            let args = [&args[..], &["--search", search], &limit].concat();
            let check = run_on(ENDLESS, &args);
            let found = object(&check);
            assert_eq!(check.code, 2, "{search} {limit:?}: {found}");
            let told = found["properties"][0]["reason"].as_str().expect("a reason");
            assert!(told.starts_with(reason), "{search} {limit:?}: {found}");
        }
    }
}

/// Ctrl-C at any moment after the first report of progress ends all threads, with valid JSON.
#[cfg(unix)]
#[test]
fn ctrl_c_at_random_moments_ends_all_threads() {
    let mut rng = beeline_kernel::SplitMix64::new(32);
    let searches: [&[&str]; 5] = [
        &["count", "-", "--json", "--plain", "--jobs", "3"],
        &["check", "-", "--json", "--plain", "--no-trail", "--jobs", "3", "--search", "bfs"],
        &["check", "-", "--json", "--no-trail", "--jobs", "3", "--search", "dijkstra"],
        &["check", "-", "--json", "--no-trail", "--jobs", "3", "--search", "cndfs"],
        &["check", "-", "--json", "--no-trail", "--jobs", "3"],
    ];
    for args in searches.into_iter().cycle().take(portion(10)) {
        let delay = std::time::Duration::from_micros(rng.below(120_000) as u64);
        let result = interrupted_later(ENDLESS, args, delay);
        let found = object(&result);
        assert_eq!(result.code, 2, "{args:?}, {delay:?}: {found}");
        // On a busy machine: `interrupted during a single long step`.
        assert!(result.out.contains("\"interrupted"), "{args:?}, {delay:?}: {found}");
    }
}

/// Where the system refuses memory for a longer table, the present one is filled; then the search is
/// over. Found by a search that filled a table of the same length for ever.
#[cfg(target_os = "linux")]
#[test]
fn a_system_without_memory_for_a_longer_table_ends_all_threads() {
    let folder = scratch("threads-memory");
    let large = "int a, b, c;\nactive [3] proctype P() { do :: a++ :: b++ :: c++ od }\n";
    fs::write(folder.join("m.pml"), large).expect("the folder is ours");
    let script = "ulimit -v 300000; exec \"$0\" count m.pml --plain --jobs 4 --json --memory 10G \
                  --time 100s";
    let output = std::process::Command::new("sh")
        .args(["-c", script, env!("CARGO_BIN_EXE_beeline")])
        .current_dir(&folder)
        .output()
        .expect("the shell is there");
    let count = Run::from(output);
    let found = object(&count);
    assert_eq!((count.code, &found["reason"]), (2, &"memory limit reached".into()), "{found}");
    assert!(found["stored"].as_u64() > Some(10_000), "{found}");
}

/// The protocol of the shared store keeps its properties, also as our own threads check it; without
/// each of two of its rules, it does not.
#[test]
fn the_protocol_of_the_shared_store_is_checked() {
    let models = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../models");
    let check = |rule: &[&str], search| {
        let args = ["check", "shared_store.pml", "--no-trail", "--json", "--jobs", "2"];
        run_in(&models, &[&args[..], &["--search", search], rule].concat())
    };
    for search in ["bfs", "auto"] {
        let right = check(&[], search);
        assert_eq!(right.code, 0, "{right:?}");
        for rule in ["-DEARLY", "-DUNCHECKED"] {
            let wrong = check(&[rule], search);
            let found = object(&wrong);
            let all = found["properties"].as_array().expect("a list");
            let violated = all.iter().find(|one| one["verdict"] == "violated");
            let (name, code) = (violated.map(|one| &one["name"]), wrong.code);
            assert_eq!((code, name), (1, Some(&"assertions".into())), "{rule}: {found}");
        }
    }
}
