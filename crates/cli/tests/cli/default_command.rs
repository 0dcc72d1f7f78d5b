//! Command lines without a command, and with a misspelt one.

use std::fs;

use serde_json::Value;

use crate::run::{GOOD, run, run_in, run_in_on, run_on, scratch};

#[test]
fn a_model_alone_is_checked() {
    let folder = scratch("default-command");
    fs::write(folder.join("m.pml"), GOOD).unwrap();
    let long = run_in(&folder, &["check", "m.pml", "--quiet", "--property", "deadlock"]);
    for line in [
        &["m.pml", "--quiet", "--property", "deadlock"][..],
        &["--quiet", "--property", "deadlock", "m.pml"],
        &["./m.pml", "--quiet", "--property", "deadlock"],
    ] {
        let short = run_in(&folder, line);
        assert_eq!((short.code, &short.out), (0, &long.out), "{line:?}: {short:?}");
    }
    assert_eq!(run_on(GOOD, &["-", "--quiet"]).code, 0);
    // A model may have any name; that of a command means the command.
    fs::write(folder.join("model"), GOOD).unwrap();
    fs::write(folder.join("list"), GOOD).unwrap();
    assert_eq!(run_in(&folder, &["model", "--quiet"]).code, 0);
    assert!(run_in(&folder, &["list"]).out.contains("heuristics"));
    assert_eq!(run_in_on(&folder, GOOD, &["-", "--json"]).code, 0);
}

#[test]
fn a_missing_model_gets_the_message_of_check() {
    let folder = scratch("default-missing");
    fs::write(folder.join("mutex.pml"), GOOD).unwrap();
    for name in ["mutx.pml", "mutex"] {
        let result = run_in(&folder, &[name]);
        assert_eq!(result.code, 4, "{result:?}");
        assert!(result.err.contains(&format!("cannot read `{name}`")), "{result:?}");
        assert!(result.err.contains("did you mean `mutex.pml`?"), "{result:?}");
    }
}

#[test]
fn a_misspelt_command_gets_a_suggestion() {
    for (typed, meant) in [("chekc", "check"), ("replya", "replay"), ("coutn", "count")] {
        let result = run(&[typed, "m.pml"]);
        assert_eq!(result.code, 4, "{result:?}");
        assert!(result.err.contains(&format!("'{meant}'")), "{result:?}");
    }
    assert!(run(&["frobnicate"]).err.contains("unrecognized subcommand 'frobnicate'"));
}

#[test]
fn list_alone_lists_the_kinds() {
    let result = run(&["list"]);
    assert_eq!((result.code, &*result.err), (0, ""));
    let kinds = [
        "searches",
        "heuristics",
        "network-heuristics",
        "planning-heuristics",
        "stores",
        "reductions",
    ];
    for (line, kind) in result.out.lines().zip(kinds) {
        assert!(line.starts_with(kind), "{line}");
    }
    let object: Value = serde_json::from_str(&run(&["list", "--json"]).out).unwrap();
    assert_eq!(object["kinds"].as_array().unwrap().len(), kinds.len());
    assert_eq!(object["kinds"][0]["kind"], "searches");
    assert_eq!(run(&["list", "--markdown"]).code, 4);
}
