//! Long output for people: the end of a trail in brief, and the pager.

use std::fs;
use std::path::PathBuf;

use crate::run::{run_in, scratch};
use crate::terminal::Terminal;

/// Fifty processes that wait for each other, and sixty variables.
fn folder(name: &str) -> PathBuf {
    let folder = scratch(name);
    let variables: String = (0..60).map(|at| format!("byte v{at} = 1;\n")).collect();
    let model = format!(
        "byte a[50];\n{variables}active [50] proctype P() {{\n  a[_pid] = 1;\n  a[(_pid + 1) % 50] == 2\n}}\n"
    );
    fs::write(folder.join("m.pml"), model).expect("the folder is ours");
    folder
}

#[test]
fn the_last_state_has_a_dozen_lines() {
    let folder = folder("pager-brief");
    let checked = run_in(&folder, &["check", "m.pml"]);
    assert_eq!(checked.code, 1, "{checked:?}");
    let replayed = run_in(&folder, &["replay", "m.pml"]);
    for text in [&checked.out, &replayed.out] {
        let (_, state) = text.rsplit_once("invalid end state\n").expect("there is an error");
        let lines: Vec<&str> = state.lines().collect();
        assert_eq!(lines.len(), 12, "{state}");
        assert!(lines[0].starts_with("  P(0) is stuck at m.pml:"), "{state}");
        assert_eq!(lines[1], "  P(1) to P(49): likewise, with other numbers");
        assert_eq!(lines[2], "  a[0] to a[49]: each 1");
        assert_eq!(lines[11], "  … 52 more (`replay --full`)");
    }
    let full = run_in(&folder, &["replay", "m.pml", "--full"]);
    for line in ["\n  P(7) is stuck at", "\n  a[7] = 1\n", "\n  v59 = 1\n"] {
        assert!(full.out.contains(line), "{line}: {}", full.out);
    }
    let json = run_in(&folder, &["replay", "m.pml", "--json"]);
    assert!(json.out.contains(r#""name":"v59""#), "{}", json.out);
}

#[test]
fn a_long_trail_goes_through_the_pager() {
    let folder = folder("pager-replay");
    assert_eq!(run_in(&folder, &["check", "m.pml", "--quiet"]).code, 1);
    // The pager marks its lines.
    let pager = [("PAGER", "sed s/^/paged:/")];
    for args in [&["replay", "m.pml"][..], &["check", "m.pml"]] {
        let (code, screen) = Terminal::start(&folder, args, &pager).finish();
        assert_eq!(code, Some(i32::from(args[0] == "check")), "{screen}");
        assert!(screen.contains("paged:  a[0] to a[49]: each 1"), "{screen}");
    }
    for (args, variables) in [
        (&["replay", "m.pml", "--no-pager"][..], &pager[..]),
        (&["check", "m.pml", "--no-pager"], &pager),
        (&["replay", "m.pml"], &[("PAGER", "cat")]),
        (&["replay", "m.pml"], &[("PATH", "/nowhere")]),
    ] {
        let (_, screen) = Terminal::start(&folder, args, variables).finish();
        assert!(screen.contains("\n  a[0] to a[49]: each 1\n"), "{args:?}: {screen}");
        assert!(!screen.contains("paged:"), "{args:?}: {screen}");
    }
    // A pager that is left early changes neither the exit code nor the files.
    let leaves = [("PAGER", "head -n 1")];
    let (code, screen) = Terminal::start(&folder, &["check", "m.pml"], &leaves).finish();
    assert_eq!(code, Some(1), "{screen}");
    // A report that fits the terminal needs none.
    let (_, screen) = Terminal::start(&folder, &["check", "m.pml", "--quiet"], &pager).finish();
    assert!(!screen.contains("paged:"), "{screen}");
}
