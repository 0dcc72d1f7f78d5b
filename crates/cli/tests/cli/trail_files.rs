//! The names of trail files, trails of earlier checks, and the trail that `replay` finds.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::run::{run_in, run_in_on, scratch};

/// A deadlock, and a failing assertion after more steps.
const BOTH: &str =
    "byte x;\nactive proctype P() { if :: x = 1; x == 2 :: x = 3; x = 4; assert(x == 5) fi }\n";
/// Neither.
const NONE: &str = "byte x;\nactive [2] proctype P() { x = 1; assert(x == 1) }\n";

fn folder(name: &str, model: &str) -> PathBuf {
    let folder = scratch(name);
    fs::write(folder.join("m.pml"), model).expect("the test directory is ours");
    folder
}

/// The trail files in a folder.
fn trails(folder: &Path) -> BTreeSet<String> {
    let entries = fs::read_dir(folder).expect("the test directory is ours");
    let names = entries.map(|entry| entry.expect("its entries can be read").file_name());
    let names = names.map(|name| name.into_string().expect("names are plain"));
    names.filter(|name| name.contains("trail") || name.starts_with("t.")).collect()
}

fn check(folder: &Path, args: &[&str], code: i32, expected: &[&str]) -> String {
    let result = run_in(folder, &[&["check", "m.pml"], args].concat());
    assert_eq!(result.code, code, "{result:?}");
    assert_eq!(trails(folder), expected.iter().map(|&name| name.to_owned()).collect(), "{args:?}");
    result.err
}

#[test]
fn each_trail_is_named_after_its_property_and_the_first_one_as_by_spin() {
    let folder = folder("trail-names", BOTH);
    let expected = ["m.assertions.trail", "m.deadlock.trail", "m.pml.trail"];
    assert_eq!(check(&folder, &[], 1, &expected), "");
    let read = |name: &str| fs::read_to_string(folder.join(name)).unwrap();
    assert_eq!(read("m.pml.trail"), read("m.deadlock.trail"));
    assert_ne!(read("m.pml.trail"), read("m.assertions.trail"));
    let result = run_in(&folder, &["check", "m.pml"]);
    assert!(result.out.contains("trail written to m.pml.trail and m.deadlock.trail\n"));
    assert!(result.out.contains("trail written to m.assertions.trail\n"), "{result:?}");
    let object: Value =
        serde_json::from_str(&run_in(&folder, &["check", "m.pml", "--json"]).out).unwrap();
    assert_eq!(object["properties"][0]["trail"]["file"], "m.pml.trail");
    assert_eq!(object["properties"][1]["trail"]["file"], "m.assertions.trail");
    let args = ["--property", "assertions", "--property", "invariant: x < 4"];
    let args = [&["check", "m.pml", "--json"][..], &args].concat();
    let object: Value = serde_json::from_str(&run_in(&folder, &args).out).unwrap();
    let name = object["properties"][1]["trail"]["file"].as_str().unwrap();
    assert!(name.starts_with("m.invariant-") && name.ends_with(".trail"), "{name}");
}

#[test]
fn several_trails_of_a_property_are_numbered() {
    let model = "byte x;\nactive proctype P() {\n  if\n  :: assert(x == 1)\n  :: assert(x == 2)\n  \
                 :: assert(x == 3)\n  fi\n}\n";
    let folder = folder("trail-numbers", model);
    let three =
        ["m.assertions.2.trail", "m.assertions.3.trail", "m.assertions.trail", "m.pml.trail"];
    assert_eq!(check(&folder, &["--all"], 1, &three), "");
    // With fewer errors, the others of an earlier check are outdated.
    fs::write(folder.join("m.pml"), model.replace("x == 3", "x == 0")).unwrap();
    let err = check(
        &folder,
        &["--all"],
        1,
        &["m.assertions.2.trail", "m.assertions.trail", "m.pml.trail"],
    );
    assert!(err.contains("removed `m.assertions.3.trail`, which an earlier check wrote"), "{err}");
    // A check that stops at the first error says nothing about the others.
    assert_eq!(
        check(&folder, &[], 1, &["m.assertions.2.trail", "m.assertions.trail", "m.pml.trail"]),
        ""
    );
}

#[test]
fn a_requested_file_has_the_first_trail_and_gives_its_name_to_the_others() {
    let folder = folder("trail-requested", BOTH);
    check(&folder, &["--trail", "t.trail"], 1, &["t.trail", "t.assertions.trail"]);
    check(&folder, &["--trail", "t.trail"], 1, &["t.trail", "t.assertions.trail"]);
    fs::write(folder.join("m.pml"), NONE).unwrap();
    let err = check(&folder, &["--trail", "t.trail"], 0, &["t.trail"]);
    let note = "note: `t.trail` is from an earlier run; this check found no error\n";
    assert!(err.ends_with(note), "{err}");
}

#[test]
fn a_trail_of_a_property_that_holds_now_is_removed() {
    let folder = folder("trail-outdated", BOTH);
    let all = ["m.assertions.trail", "m.deadlock.trail", "m.pml.trail"];
    check(&folder, &[], 1, &all);
    // Files that are no trails, or of other names, stay.
    fs::write(folder.join("m.p.trail"), "1:0:1\n").unwrap();
    fs::write(folder.join("m.deadlock.2.trail"), "my notes\n").unwrap();
    fs::write(folder.join("m.pml"), NONE).unwrap();
    let kept = [&all[..], &["m.p.trail", "m.deadlock.2.trail"]].concat();
    check(&folder, &["--no-trail"], 0, &kept);
    let rest = ["m.assertions.trail", "m.pml.trail", "m.p.trail", "m.deadlock.2.trail"];
    let err = check(&folder, &["--property", "deadlock"], 0, &rest);
    assert_eq!(
        err,
        "note: removed `m.deadlock.trail`, which an earlier check wrote: the property holds now\n\
         note: `m.pml.trail` is from an earlier run; this check found no error\n"
    );
    // An unknown verdict is no reason.
    check(&folder, &["--depth", "0"], 2, &rest);
    assert_eq!(check(&folder, &["--quiet"], 0, &[&rest[1..]].concat()), "");
}

#[test]
fn replay_finds_the_trail_here_or_beside_the_model() {
    let folder = folder("trail-found", BOTH);
    let missing = run_in(&folder, &["replay", "m.pml"]);
    assert_eq!(missing.code, 4, "{missing:?}");
    let cause = "`m.pml` has no trail: there is no file `m.pml.trail`";
    assert!(missing.err.contains(cause), "{missing:?}");
    assert!(missing.err.contains("`beeline check m.pml` writes one"), "{missing:?}");
    check(&folder, &[], 1, &["m.assertions.trail", "m.deadlock.trail", "m.pml.trail"]);
    let named = run_in(&folder, &["replay", "m.pml", "m.pml.trail"]);
    let found = run_in(&folder, &["replay", "m.pml"]);
    assert_eq!((found.code, &found.out), (0, &named.out));
    assert_eq!(found.err, "note: using the trail `m.pml.trail`\n");
    let object: Value =
        serde_json::from_str(&run_in(&folder, &["replay", "m.pml", "--json"]).out).unwrap();
    assert_eq!(object["trail"], "m.pml.trail");
    let found = run_in(&folder, &["replay", "m.pml", "--property", "assertions"]);
    assert_eq!(found.err, "note: using the trail `m.assertions.trail`\n");
    assert!(found.out.contains("assertion violated"), "{found:?}");
    let found = run_in(&folder, &["replay", "m.pml", "--property", "progress"]);
    let note = "note: no trail is named after `progress`: using `m.pml.trail`\n";
    assert_eq!(found.err, note, "{found:?}");
    let elsewhere = folder.join("elsewhere");
    fs::create_dir(&elsewhere).unwrap();
    let found = run_in(&elsewhere, &["replay", "../m.pml", "--quiet"]);
    assert_eq!((found.code, &found.out, &*found.err), (0, &named.out, ""));
    let missing = run_in_on(&elsewhere, BOTH, &["replay", "-"]);
    assert!(missing.err.contains("no file `stdin.trail`"), "{missing:?}");
}

#[test]
fn the_run_that_a_query_asks_for_is_a_trail_of_the_check() {
    let folder = scratch("trail-query");
    let model =
        "process P() { clock x; state A, B; init A; trans A -> B { guard x > 2; }; }\nsystem P;\n";
    fs::write(folder.join("m.xta"), model).expect("the test directory is ours");
    fs::write(folder.join("m.q"), "E<> P.B\nE[] P.A\n").expect("the test directory is ours");
    let first = run_in(&folder, &["check", "m.xta"]);
    assert_eq!((first.code, &*first.err), (0, ""), "{first:?}");
    let written = trails(&folder);
    assert_eq!(written.len(), 3, "{written:?}");
    // The second check writes the same files, and removes none of them.
    let second = run_in(&folder, &["check", "m.xta"]);
    assert_eq!((second.code, &*second.err), (0, ""), "{second:?}");
    assert_eq!(trails(&folder), written);
    // The text alone shows the language, too.
    let read = run_in_on(&folder, model, &["check", "-", "--query", "E<> P.B"]);
    assert_eq!(read.code, 0, "{read:?}");
    for query in ["E<> P.B", "E[] P.A"] {
        let told = run_in(&folder, &["replay", "m.xta", "--property", query]);
        assert_eq!(told.code, 0, "{told:?}");
    }
}
