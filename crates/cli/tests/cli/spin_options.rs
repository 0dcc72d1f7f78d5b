//! Options of SPIN, which users of SPIN type by habit.

use serde_json::Value;

use crate::run::{GOOD, run, run_on};

#[test]
fn an_option_of_spin_is_refused_with_its_equivalent() {
    for (option, ours) in [
        ("-a", "--property acceptance"),
        ("-m10000", "--depth N"),
        ("-w24", "leave it out"),
        ("-n", "--coverage"),
        ("-i", "--search bfs"),
        ("-l", "--property progress"),
        ("-f", "--fair"),
        ("-c0", "--all"),
        ("-e", "--all"),
        ("-E", "--property assertions"),
        ("-run", "leave it out"),
        ("-search", "leave it out"),
        ("-bfs", "--search bfs"),
        ("-noreduce", "--reduce off"),
        ("-t", "beeline replay MODEL"),
        ("-o3", "--plain"),
    ] {
        for line in [&["check", option, "m.pml"][..], &["m.pml", option], &[option, "m.pml"]] {
            let result = run(line);
            assert_eq!((result.code, &*result.out), (4, ""), "{line:?}: {result:?}");
            let message = format!("`{option}` is an option of SPIN, not of Beeline");
            assert!(result.err.contains(&message), "{line:?}: {result:?}");
            assert!(result.err.contains(ours), "{line:?}: {result:?}");
        }
    }
}

#[test]
fn all_options_of_spin_are_explained_at_once() {
    let result = run(&["check", "-a", "-m10000", "-w24", "m.pml"]);
    let expected =
        "error: `-a`, `-m10000`, `-w24` are options of SPIN, not of Beeline\n\nInstead:\n";
    assert!(result.err.starts_with(expected), "{}", result.err);
    for row in ["\n  -a       ", "\n  -m10000  ", "\n  -w24     "] {
        assert!(result.err.contains(row), "{row:?} is not in {}", result.err);
    }
    let result = run(&["check", "-a", "m.pml", "--json"]);
    let object: Value = serde_json::from_str(&result.out).unwrap();
    assert_eq!(object["error"], "`-a` is an option of SPIN, not of Beeline");
    // Another mistake before it is reported instead, and our own options stay ours.
    assert!(run(&["check", "--frob", "-a", "m.pml"]).err.contains("'--frob'"));
    assert_eq!(run_on(GOOD, &["check", "-", "-q"]).code, 0);
    assert!(!run(&["hsf", "m.pml", "-t"]).err.contains("of SPIN, not"));
}

#[test]
fn a_compile_time_option_is_a_macro_with_a_note_where_the_model_does_not_use_it() {
    let note = "note: the model does not use the macro `BFS` of -D BFS\n";
    let result = run_on(GOOD, &["check", "-", "-DBFS", "-DNOREDUCE", "-DN=3"]);
    assert_eq!(result.code, 0, "{result:?}");
    assert!(result.err.starts_with(note), "{result:?}");
    assert!(result.err.contains("--search bfs") && result.err.contains("--reduce off"));
    assert!(!result.err.contains("`N`"), "{result:?}");
    assert_eq!(run_on(GOOD, &["check", "-", "-DBFS", "--quiet"]).err, "");
    assert_eq!(run_on(GOOD, &["check", "-", "-DBFS", "--json"]).err, "");
    assert!(run_on(GOOD, &["count", "-", "-DBFS"]).err.starts_with(note));
    let uses = "#ifdef BFS\nbyte n;\n#endif\nactive proctype P() { n = 1 }\n";
    let result = run_on(uses, &["check", "-", "-DBFS"]);
    assert_eq!((result.code, &*result.err), (0, ""), "{result:?}");
}
